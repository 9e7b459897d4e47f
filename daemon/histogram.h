/* SPDX-License-Identifier: Apache-2.0 */
/* A cumulative histogram of durations with fixed bounds, countable from several threads
 * at once. Read while others count, its parts may be one observation apart; the metrics
 * take a copy in which they agree. */
#ifndef DAEMON_HISTOGRAM_H
#define DAEMON_HISTOGRAM_H

#include <stdatomic.h>
#include <stdint.h>

enum { HISTOGRAM_BUCKETS = 12 };

struct histogram {
    atomic_uint_fast64_t counts[HISTOGRAM_BUCKETS + 1]; /* the last: above all bounds */
    atomic_uint_fast64_t sum_us;
};

/* The upper bounds, in seconds, 1 ms to 30 s. */
extern const double histogram_bounds[HISTOGRAM_BUCKETS];

void histogram_add_us(struct histogram *h, int64_t us);

/* Cumulative counts for each bound, then the total; the sum in seconds. */
struct histogram_copy {
    uint64_t cumulative[HISTOGRAM_BUCKETS + 1];
    double sum;
};
struct histogram_copy histogram_read(const struct histogram *h);

#endif
