/* SPDX-License-Identifier: Apache-2.0 */
/* Writer of the Prometheus text format 0.0.4. Correct by construction: a family is
 * begun once and its samples follow at once (begin asserts it), label values are
 * escaped and made valid UTF-8, and a sample whose labels stood in the family before is
 * left out, so that (name, labels) is unique whatever names HBase reports. Source:
 * prometheus.io/docs/instrumenting/exposition_formats. */
#ifndef DAEMON_EXPO_TEXT_H
#define DAEMON_EXPO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "daemon/histogram.h"

enum metric_id {
#define METRIC(id, type, name, labels, help) METRIC_##id,
#include "daemon/metrics.def"
#undef METRIC
    METRIC_COUNT
};

enum metric_type { METRIC_gauge, METRIC_counter, METRIC_histogram };

struct metric {
    const char *name;
    const char *labels; /* for the documentation */
    const char *help;
    enum metric_type type;
};
extern const struct metric metric_table[METRIC_COUNT];

struct expo_label {
    const char *name;
    const char *value; /* NULL or "": the label is left out */
};

struct expo {
    struct buf *out;
    enum metric_id current;
    bool begun[METRIC_COUNT];
    uint64_t
        *seen; /* hashes of the label sets of the current family; open addressing */
    size_t seen_cap;
    size_t seen_count;
    uint64_t duplicates; /* samples left out */
    uint64_t samples;    /* lines written that are not comments */
};

/* out belongs to the caller; its latched error is the writer's. */
void expo_init(struct expo *e, struct buf *out);
void expo_finish(struct expo *e);

/* HELP and TYPE. Each id once. */
void expo_family(struct expo *e, enum metric_id id);
/* A sample of the current family. */
void expo_sample(struct expo *e, const struct expo_label *labels, size_t count,
                 double value);
/* The same for counters that need all 64 bits. */
void expo_sample_u64(struct expo *e, const struct expo_label *labels, size_t count,
                     uint64_t value);
/* Buckets, sum and count; label NULL for none. */
void expo_histogram(struct expo *e, const struct expo_label *label,
                    const struct histogram *h);

/* A family of one sample without labels. */
void expo_value(struct expo *e, enum metric_id id, double value);

#endif
