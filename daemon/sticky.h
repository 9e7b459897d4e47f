/* SPDX-License-Identifier: Apache-2.0 */
/* A top K that does not churn, since each change is a new series in Prometheus: a row
 * enters when it is hot or at rank <= K, and leaves only when it is gone or has been
 * below rank 2K for an hour. Never more than `max` members; hot ones displace others.
 * Main thread. */
#ifndef DAEMON_STICKY_H
#define DAEMON_STICKY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/region_id.h"

enum { STICKY_STAY_MS = 3600 * 1000 };

struct sticky_member {
    struct region_id key;
    uint32_t row;  /* as of the last update */
    uint32_t rank; /* 0-based; UINT32_MAX below 2K */
    bool hot;
    int64_t below_since_ms; /* monotonic; -1 while hot or within 2K */
};

struct sticky {
    struct sticky_member *items; /* ascending by key */
    size_t count;
    size_t cap;
};

struct sticky_input {
    uint32_t row_count;
    struct region_id (*key)(const void *data, uint32_t row); /* distinct */
    const void *data;
    const uint32_t *top; /* rows by rank: the first 2K, or fewer */
    size_t top_count;
    size_t enter;        /* K */
    const uint32_t *hot; /* not in order of rank */
    size_t hot_count;    /* at most max */
    size_t max;
    int64_t mono_ms;
};

void sticky_init(struct sticky *t);
void sticky_finish(struct sticky *t);

void sticky_update(struct sticky *t, const struct sticky_input *in);

#endif
