/* SPDX-License-Identifier: Apache-2.0 */
/* SplitMix64 and what is drawn from it. The same seed gives the same scenario. */
#ifndef TESTS_SCENARIOS_RANDOM_H
#define TESTS_SCENARIOS_RANDOM_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct dice {
    uint64_t state;
};

static inline uint64_t
dice_u64(struct dice *d)
{
    uint64_t x = d->state += 0x9e3779b97f4a7c15;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* 0 <= x < 1. */
static inline double
dice_unit(struct dice *d)
{
    return (double)(dice_u64(d) >> 11) * 0x1p-53;
}

static inline double
dice_between(struct dice *d, double low, double high)
{
    return low + (high - low) * dice_unit(d);
}

/* 0 <= x < n. */
static inline int
dice_below(struct dice *d, int n)
{
    return (int)(dice_u64(d) % (uint64_t)n);
}

/* low <= x <= high. */
static inline int
dice_int(struct dice *d, int low, int high)
{
    return low + dice_below(d, high - low + 1);
}

/* About normal, mean 0, deviation 1; never beyond 3.5. */
static inline double
dice_normal(struct dice *d)
{
    return (dice_unit(d) + dice_unit(d) + dice_unit(d) + dice_unit(d) - 2) * 1.7320508;
}

#endif
