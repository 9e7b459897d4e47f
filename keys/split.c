/* SPDX-License-Identifier: Apache-2.0 */
/* Split points. Holds no state; any thread may call it. */
#include "keys/split.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [SPLIT_HEX] = "hex",   [SPLIT_UNIFORM] = "uniform", [SPLIT_DECIMAL] = "decimal",
    [SPLIT_SALT] = "salt", [SPLIT_SAMPLES] = "samples",
};
static_assert(sizeof names / sizeof names[0] == SPLIT_ALGO_COUNT, "a name each");

const char *
split_algo_name(enum split_algo algo)
{
    assert(algo < SPLIT_ALGO_COUNT);
    return names[algo];
}

int
split_algo_parse(const char *name, enum split_algo *ret)
{
    for (int i = 0; i < SPLIT_ALGO_COUNT; i++) {
        if (strcmp(names[i], name) == 0) {
            *ret = (enum split_algo)i;
            return 0;
        }
    }
    return -EINVAL;
}

/* 2^64 / n in whole numbers; n > 1. */
static uint64_t
share_of_2_64(uint64_t n)
{
    return UINT64_MAX / n + (UINT64_MAX % n == n - 1);
}

/* Point i of the algorithm as bytes. */
static struct key
fixed_point(enum split_algo algo, uint32_t regions, uint32_t i, uint8_t bytes[32])
{
    uint64_t value;

    switch (algo) {
    case SPLIT_HEX:
        value = ((uint64_t)1 << 32) / regions * i;
        snprintf((char *)bytes, 32, "%08llx", (unsigned long long)value);
        break;
    case SPLIT_DECIMAL:
        value = 100000000 / regions * (uint64_t)i;
        snprintf((char *)bytes, 32, "%08llu", (unsigned long long)value);
        break;
    default:
        assert(algo == SPLIT_UNIFORM);
        value = share_of_2_64(regions) * i;
        for (int byte = 0; byte < 8; byte++)
            bytes[byte] = (uint8_t)(value >> (56 - 8 * byte));
        break;
    }
    return (struct key){bytes, 8};
}

int
split_fixed(enum split_algo algo, uint32_t regions, struct key_list *out)
{
    uint8_t bytes[32];
    int result = 0;

    assert(regions >= 1 && regions <= REGIONS_MAX);
    for (uint32_t i = 1; i < regions && result == 0; i++)
        result = key_list_add(out, fixed_point(algo, regions, i, bytes));
    return result;
}

/* A scheme whose buckets are as many as can be told apart by 15 hex digits or less. */
static struct scheme
without_long_hash(const struct scheme *s)
{
    struct scheme shorter = *s;

    if (s->kind == SCHEME_HASH && s->n > 8)
        shorter.n = 8;
    return shorter;
}

int
split_buckets(const struct scheme *s, uint32_t regions, struct key_list *out)
{
    struct scheme scheme = without_long_hash(s);
    uint64_t buckets = scheme_buckets(&scheme);
    struct buf prefix;
    int result = 0;

    if (buckets < regions)
        return -ERANGE;
    buf_init(&prefix, 0);
    for (uint64_t i = 1; i < regions && result == 0; i++) {
        buf_reset(&prefix);
        scheme_bucket_prefix(&scheme, i * buckets / regions, &prefix);
        /* A dash behind a number is no part of the boundary. */
        if (prefix.len > 1 && prefix.data[prefix.len - 1] == '-')
            prefix.len--;
        result = key_list_add(out, (struct key){(uint8_t *)prefix.data, prefix.len});
    }
    buf_finish(&prefix);
    return result;
}

/* The shortest key above `below` and not above `key`. */
static struct key
shortest_between(struct key below, struct key key)
{
    size_t common = key_common_prefix(below, key);

    assert(common < key.len);
    return (struct key){key.data, common + 1};
}

static int
add_quantiles(const struct key_list *samples, const uint32_t *order, uint32_t regions,
              struct key_list *out)
{
    size_t n = samples->count;
    size_t last = 0; /* the sample of the last point */
    int result = 0;

    for (uint64_t i = 1; i < regions && result == 0; i++) {
        size_t at = (size_t)(i * n / regions);
        if (at <= last)
            at = last + 1;
        while (at < n && key_equal(key_list_get(samples, order[at - 1]),
                                   key_list_get(samples, order[at])))
            at++;
        if (at >= n)
            break;
        result =
            key_list_add(out, shortest_between(key_list_get(samples, order[at - 1]),
                                               key_list_get(samples, order[at])));
        last = at;
    }
    return result;
}

int
split_samples(const struct key_list *samples, uint32_t regions, struct key_list *out)
{
    uint32_t *order;
    int result;

    if (samples->count == 0)
        return 0;
    order = key_list_order(samples);
    if (order == NULL)
        return -ENOMEM;
    result = add_quantiles(samples, order, regions, out);
    free(order);
    return result;
}

uint32_t
split_guide(uint32_t servers, uint64_t table_bytes, uint64_t region_bytes)
{
    enum { FEWEST = 10, MOST = 30 };
    uint64_t low = (uint64_t)servers * FEWEST;
    uint64_t high = (uint64_t)servers * MOST;
    uint64_t wanted = low;

    if (table_bytes > 0 && region_bytes > 0) {
        uint64_t by_size =
            table_bytes / region_bytes + (table_bytes % region_bytes > 0);
        wanted = by_size > low ? by_size : low;
    }
    if (servers > 0 && wanted > high)
        wanted = high;
    return wanted > REGIONS_MAX ? REGIONS_MAX : wanted < 1 ? 1 : (uint32_t)wanted;
}

bool
split_valid(const struct key_list *points, size_t *ret_wrong)
{
    for (size_t i = 0; i < points->count; i++) {
        struct key key = key_list_get(points, i);
        if (key.len > 0 &&
            (i == 0 || key_compare(key_list_get(points, i - 1), key) < 0))
            continue;
        *ret_wrong = i;
        return false;
    }
    return true;
}
