/* SPDX-License-Identifier: Apache-2.0 */
/* The anti-patterns of row-key design that sample keys show. */
#ifndef KEYS_FINDINGS_H
#define KEYS_FINDINGS_H

#include <stddef.h>
#include <stdint.h>

#include "keys/fields.h"

enum finding_kind {
    FINDING_MONOTONIC,
    FINDING_TIMESTAMP_FIRST,
    FINDING_LOW_CARDINALITY,
    FINDING_SKEWED,
    FINDING_VARIABLE_WIDTH,
    FINDING_LONG_KEYS,
    FINDING_GIANT_ROWS,
    FINDING_KIND_COUNT
};

/* "monotonic-prefix", "timestamp-first", "low-cardinality-prefix", "skewed-values",
 * "variable-width", "long-keys", "giant-rows". */
const char *finding_name(enum finding_kind kind);
/* What to do about it, in a line. */
const char *finding_advice(enum finding_kind kind);

enum { FINDING_TEXT_MAX = 480 };

struct finding {
    enum finding_kind kind;
    char evidence[FINDING_TEXT_MAX]; /* printable ASCII */
};

struct finding_limits {
    uint32_t regions;    /* planned for the table, > 0 */
    uint32_t cell_bytes; /* of one cell without its key */
    uint64_t region_bytes;
};

/* What the profile of the samples shows, in the order of the enum, at most one of a
 * kind; returns the number. */
size_t findings_make(const struct key_list *samples, const struct key_profile *profile,
                     const struct finding_limits *limits,
                     struct finding out[static FINDING_KIND_COUNT]);

#endif
