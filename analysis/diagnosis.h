/* SPDX-License-Identifier: Apache-2.0 */
/* What a server suffers from, by its signals: one row of a table each, with a measure
 * that is 1 at its threshold. A diagnosis is made at 1 and kept until the measure is
 * below DIAGNOSIS_CLEAR, so that it does not flap. Pure. */
#ifndef ANALYSIS_DIAGNOSIS_H
#define ANALYSIS_DIAGNOSIS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/calls.h"
#include "analysis/registry.h"
#include "analysis/snapshot.h"
#include "common/buf.h"

#define DIAGNOSIS_CLEAR 0.8

/* Thresholds; docs/detection.md explains each. */
struct diagnosis_limits {
    double handlers_busy;    /* of all handlers */
    double queued_a_handler; /* waiting calls for each handler */
    unsigned handlers;       /* where the number is not known: HBase's default */
    double cache_miss_share; /* goal: 95 % hits */
    double cache_min_rate;   /* blocks/s; below, misses do not matter */
    double scan_rows_a_call; /* a scan reads so many, */
    double scan_share;       /* and sweeps the cache with such a share of the reads */
    double blocked_share;    /* of the time, updates were blocked */
    double blocked_rate;     /* requests/s blocked by the memstore limit */
    double memstore_share;   /* of its limit */
    double compaction_queue;
    double flush_queue;
    double gc_share; /* of the time */
};
extern const struct diagnosis_limits diagnosis_limits;

/* What is known of one server; NaN and 0 (handlers), -1 (limit) where unknown. */
struct vitals {
    const double *signals; /* SIGNAL_COUNT each */
    const double *rates;
    double cache_hit_ratio;
    unsigned handlers;
    int64_t memstore_limit_bytes;
    double scan_share; /* of its reads, by calls that read many rows */
};

struct vitals vitals_of_alert(const struct alert *a);
struct vitals vitals_of_server(const struct server_row *s);

/* The set now (1 << DIAGNOSIS_*), given that of the evaluation before. */
uint32_t diagnosis_of(const struct vitals *v, uint32_t before);
/* In words, after each other: "30 of 30 handlers busy, 1,204 calls queued; GC takes
 * 12 % of the time". Nothing for the empty set. */
void diagnosis_words(struct buf *out, uint32_t set, const struct vitals *v);

/* For all servers that answer; those that do not have none. */
void diagnosis_update(struct registry *r, const struct calls *calls, int64_t mono_ms);

#endif
