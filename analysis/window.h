/* SPDX-License-Identifier: Apache-2.0 */
/* The detection window of one region: a ring of pairs, a pair being what two
 * consecutive samples of one (region, server start) differ by. Exact integers. A region
 * without traffic has none (NULL). Memory belongs to the region. */
#ifndef ANALYSIS_WINDOW_H
#define ANALYSIS_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

/* Which deltas of a pair count; a counter that fell skips the pair. */
enum { PAIR_READ = 1, PAIR_WRITE = 2, PAIR_TOTAL = 4 };

struct pair {
    int64_t end_ms; /* monotonic receipt time of the newer sample */
    uint32_t dt_ms; /* between the samples, by the server's clock; > 0 */
    uint8_t valid;  /* PAIR_* */
    uint64_t read;
    uint64_t write;
    uint64_t total; /* only with PAIR_TOTAL (text listings) */
};

enum { WINDOW_PAIRS_MAX = 1024 };

struct window;

/* Room for max_pairs (1 to WINDOW_PAIRS_MAX); the oldest is overwritten. */
struct window *window_create(unsigned max_pairs);
/* Accepts NULL; returns NULL. */
struct window *window_destroy(struct window *w);
/* The same pairs with room for max_pairs; takes w and returns it or its successor. */
struct window *window_grow(struct window *w, unsigned max_pairs);
size_t window_bytes(const struct window *w);

void window_push(struct window *w, const struct pair *pair);

/* Mean rates in requests/s over the pairs whose middle lies after from_ms; the newest
 * pair always counts. NaN where no pair is valid. total = read + write, or the total's
 * own. Returns false if nothing but zeros is left in the window. */
bool window_rates(const struct window *w, int64_t from_ms,
                  double ret_rate[static ACCESS_COUNT]);

/* Rates of each counter's newest valid pair; NaN where there is none. */
void window_newest(const struct window *w, double ret_rate[static ACCESS_COUNT]);

/* The newest pair; there must be one. */
const struct pair *window_last(const struct window *w);

/* Rates of a single pair, NaN where invalid. */
void pair_rates(const struct pair *pair, double ret_rate[static ACCESS_COUNT]);

#endif
