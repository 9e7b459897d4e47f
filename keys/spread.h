/* SPDX-License-Identifier: Apache-2.0 */
/* How keys spread over the regions that split points make: as a whole, and in the order
 * of arrival, where a sequential key shows as one hot region at a time. */
#ifndef KEYS_SPREAD_H
#define KEYS_SPREAD_H

#include <stddef.h>
#include <stdint.h>

#include "keys/key_list.h"

struct spread;

/* points (ascending, not empty keys) must stay as they are while the spread lives; the
 * regions are points->count + 1. window: arrivals that count as "at the same time", >
 * 0. NULL: out of memory. */
struct spread *spread_create(const struct key_list *points, uint32_t window);
/* Accepts NULL; returns NULL. */
struct spread *spread_destroy(struct spread *s);

/* The region that holds the key. */
size_t spread_locate(const struct spread *s, struct key key);
void spread_add(struct spread *s, struct key key);

struct spread_result {
    uint64_t keys;
    size_t regions;
    const uint64_t *counts; /* of each region; the spread's */
    size_t hottest;         /* index of the largest count */
    double max_over_mean;   /* 0 without keys */
    double effective; /* (sum c)^2 / sum c^2: as if so many took the load evenly */
    uint64_t windows; /* whole windows of arrivals seen */
    /* Means over the windows; those of the whole without a whole window. */
    double window_share;     /* share of the window's hottest region */
    double window_effective; /* effective regions */
};
struct spread_result spread_result(const struct spread *s);

/* A window that suits so many keys: a twentieth, 20 to 10,000. */
uint32_t spread_window(uint64_t keys);

#endif
