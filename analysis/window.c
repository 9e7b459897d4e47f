/* SPDX-License-Identifier: Apache-2.0 */
/* Ring of pairs. `head` counts all pushes and is masked on use; the size is a power of
 * two. Owned by one region, touched by the engine's thread only. */
#include "analysis/window.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "common/alloc.h"

struct window {
    uint32_t size; /* power of two */
    uint32_t head; /* pushes so far; wraps */
    uint32_t count;
    struct pair pairs[];
};

/* Deltas and the time that they took, for one counter. */
struct sum {
    double delta;
    double ms;
};

struct window *
window_create(unsigned max_pairs)
{
    assert(max_pairs >= 1 && max_pairs <= WINDOW_PAIRS_MAX);
    uint32_t size = 1;
    while (size < max_pairs)
        size *= 2;

    struct window *w = xcalloc(1, sizeof(*w) + size * sizeof(w->pairs[0]));
    w->size = size;
    return w;
}

struct window *
window_destroy(struct window *w)
{
    free(w);
    return NULL;
}

size_t
window_bytes(const struct window *w)
{
    return w == NULL ? 0 : sizeof(*w) + w->size * sizeof(w->pairs[0]);
}

/* The i-th newest pair. */
static const struct pair *
pair_at(const struct window *w, uint32_t i)
{
    return &w->pairs[(w->head - 1 - i) & (w->size - 1)];
}

struct window *
window_grow(struct window *w, unsigned max_pairs)
{
    if (w->size >= max_pairs)
        return w;
    struct window *bigger = window_create(max_pairs);
    for (uint32_t i = w->count; i-- > 0;)
        window_push(bigger, pair_at(w, i));
    window_destroy(w);
    return bigger;
}

void
window_push(struct window *w, const struct pair *pair)
{
    assert(pair->dt_ms > 0);
    w->pairs[w->head++ & (w->size - 1)] = *pair;
    if (w->count < w->size)
        w->count++;
}

static void
sum_add(struct sum *sum, const struct pair *pair, uint8_t bit, uint64_t delta)
{
    if (pair->valid & bit) {
        sum->delta += (double)delta;
        sum->ms += pair->dt_ms;
    }
}

static double
sum_rate(const struct sum *sum)
{
    return sum->ms > 0 ? sum->delta / sum->ms * 1000.0 : NAN;
}

/* read, write, and total from its own counter or as their sum. */
static void
rates_of_sums(const struct sum sums[static ACCESS_COUNT],
              double ret_rate[static ACCESS_COUNT])
{
    for (int a = 0; a < ACCESS_COUNT; a++)
        ret_rate[a] = sum_rate(&sums[a]);
    if (isnan(ret_rate[ACCESS_TOTAL]))
        ret_rate[ACCESS_TOTAL] = ret_rate[ACCESS_READ] + ret_rate[ACCESS_WRITE];
}

static void
pair_add(struct sum sums[static ACCESS_COUNT], const struct pair *pair)
{
    sum_add(&sums[ACCESS_READ], pair, PAIR_READ, pair->read);
    sum_add(&sums[ACCESS_WRITE], pair, PAIR_WRITE, pair->write);
    sum_add(&sums[ACCESS_TOTAL], pair, PAIR_TOTAL, pair->total);
}

bool
window_rates(const struct window *w, int64_t from_ms,
             double ret_rate[static ACCESS_COUNT])
{
    struct sum sums[ACCESS_COUNT] = {0};

    for (uint32_t i = 0; i < w->count; i++) {
        const struct pair *pair = pair_at(w, i);
        if (i == 0 || pair->end_ms - pair->dt_ms / 2 > from_ms)
            pair_add(sums, pair);
    }
    rates_of_sums(sums, ret_rate);
    return sums[ACCESS_READ].delta > 0 || sums[ACCESS_WRITE].delta > 0 ||
           sums[ACCESS_TOTAL].delta > 0;
}

const struct pair *
window_last(const struct window *w)
{
    assert(w->count > 0);
    return pair_at(w, 0);
}

void
window_newest(const struct window *w, double ret_rate[static ACCESS_COUNT])
{
    struct sum sums[ACCESS_COUNT] = {0};
    uint8_t wanted = PAIR_READ | PAIR_WRITE | PAIR_TOTAL;

    for (uint32_t i = 0; i < w->count && wanted != 0; i++) {
        struct pair pair = *pair_at(w, i);
        pair.valid &= wanted;
        wanted &= (uint8_t)~pair.valid;
        pair_add(sums, &pair);
    }
    rates_of_sums(sums, ret_rate);
}

void
pair_rates(const struct pair *pair, double ret_rate[static ACCESS_COUNT])
{
    struct sum sums[ACCESS_COUNT] = {0};

    pair_add(sums, pair);
    rates_of_sums(sums, ret_rate);
}
