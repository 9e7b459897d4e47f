/* SPDX-License-Identifier: Apache-2.0 */
/* Histogram of durations on atomic counters; owns nothing, any thread. */
#include "daemon/histogram.h"

const double histogram_bounds[HISTOGRAM_BUCKETS] = {0.001, 0.005, 0.01, 0.05, 0.1, 0.25,
                                                    0.5,   1,     2.5,  5,    10,  30};

void
histogram_add_us(struct histogram *h, int64_t us)
{
    int bucket = 0;

    if (us < 0)
        us = 0;
    while (bucket < HISTOGRAM_BUCKETS && (double)us / 1e6 > histogram_bounds[bucket])
        bucket++;
    atomic_fetch_add(&h->counts[bucket], 1);
    atomic_fetch_add(&h->sum_us, (uint64_t)us);
}

struct histogram_copy
histogram_read(const struct histogram *h)
{
    struct histogram_copy copy = {.sum = (double)atomic_load(&h->sum_us) / 1e6};
    uint64_t total = 0;

    for (int i = 0; i <= HISTOGRAM_BUCKETS; i++) {
        total += atomic_load(&h->counts[i]);
        copy.cumulative[i] = total;
    }
    return copy;
}
