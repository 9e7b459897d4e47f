/* SPDX-License-Identifier: Apache-2.0 */
/* Counts keys by region. One owner; a key costs a binary search and no allocation. */
#include "keys/spread.h"

#include <assert.h>
#include <stdlib.h>

struct spread {
    const struct key_list *points;
    uint64_t *prefixes; /* first 8 bytes of each point, zeros behind a short one */
    uint64_t *counts;
    uint64_t *window_of;     /* the window that window_counts[i] belongs to */
    uint32_t *window_counts; /* arrivals in the present window */
    uint32_t window;         /* its length */
    uint32_t in_window;      /* arrivals so far */
    uint32_t window_max;     /* the largest of window_counts */
    uint64_t window_squares; /* sum of their squares */
    uint64_t windows;        /* finished */
    double shares;           /* sums over finished windows */
    double effectives;
    uint64_t keys;
};

static uint64_t
first_bytes(struct key key)
{
    uint64_t value = 0;

    for (size_t i = 0; i < 8; i++)
        value = value << 8 | (i < key.len ? key.data[i] : 0);
    return value;
}

struct spread *
spread_create(const struct key_list *points, uint32_t window)
{
    size_t regions = points->count + 1;
    struct spread *s = calloc(1, sizeof *s);

    assert(window > 0);
    if (s == NULL)
        return NULL;
    s->points = points;
    s->window = window;
    s->prefixes = calloc(regions, sizeof *s->prefixes);
    s->counts = calloc(regions, sizeof *s->counts);
    s->window_of = calloc(regions, sizeof *s->window_of);
    s->window_counts = calloc(regions, sizeof *s->window_counts);
    if (s->prefixes == NULL || s->counts == NULL || s->window_of == NULL ||
        s->window_counts == NULL)
        return spread_destroy(s);
    for (size_t i = 0; i < points->count; i++)
        s->prefixes[i] = first_bytes(key_list_get(points, i));
    return s;
}

struct spread *
spread_destroy(struct spread *s)
{
    if (s == NULL)
        return NULL;
    free(s->prefixes);
    free(s->counts);
    free(s->window_of);
    free(s->window_counts);
    free(s);
    return NULL;
}

/* Equal first bytes settle it only by the keys themselves: a short key and one with
 * zeros behind look the same. */
static bool
begins_after(const struct spread *s, size_t point, uint64_t prefix, struct key key)
{
    if (s->prefixes[point] != prefix)
        return s->prefixes[point] > prefix;
    return key_compare(key_list_get(s->points, point), key) > 0;
}

size_t
spread_locate(const struct spread *s, struct key key)
{
    uint64_t prefix = first_bytes(key);
    size_t low = 0;
    size_t high = s->points->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (begins_after(s, middle, prefix, key))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void
end_window(struct spread *s)
{
    double n = s->window;

    s->shares += s->window_max / n;
    s->effectives += n * n / (double)s->window_squares;
    s->windows++;
    s->in_window = 0;
    s->window_max = 0;
    s->window_squares = 0;
}

void
spread_add(struct spread *s, struct key key)
{
    size_t region = spread_locate(s, key);

    s->keys++;
    s->counts[region]++;
    if (s->window_of[region] != s->windows + 1) {
        s->window_of[region] = s->windows + 1;
        s->window_counts[region] = 0;
    }
    uint32_t count = ++s->window_counts[region];
    s->window_squares += 2 * (uint64_t)count - 1;
    if (count > s->window_max)
        s->window_max = count;
    if (++s->in_window == s->window)
        end_window(s);
}

struct spread_result
spread_result(const struct spread *s)
{
    struct spread_result r = {
        .keys = s->keys,
        .regions = s->points->count + 1,
        .counts = s->counts,
        .windows = s->windows,
    };
    double squares = 0;

    for (size_t i = 0; i < r.regions; i++) {
        squares += (double)s->counts[i] * (double)s->counts[i];
        if (s->counts[i] > s->counts[r.hottest])
            r.hottest = i;
    }
    if (s->keys == 0)
        return r;
    double keys = (double)s->keys;
    r.max_over_mean = (double)s->counts[r.hottest] * (double)r.regions / keys;
    r.effective = keys * keys / squares;
    r.window_share = (double)s->counts[r.hottest] / keys;
    r.window_effective = r.effective;
    if (s->windows > 0) {
        r.window_share = s->shares / (double)s->windows;
        r.window_effective = s->effectives / (double)s->windows;
    }
    return r;
}

uint32_t
spread_window(uint64_t keys)
{
    uint64_t window = keys / 20;

    return window < 20 ? 20 : window > 10000 ? 10000 : (uint32_t)window;
}
