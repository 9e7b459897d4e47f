/* SPDX-License-Identifier: Apache-2.0 */
/* Counting by region against a plain search; windows of arrival. */
#include "keys/spread.h"

#include "tests/unit/keys/support.h"

/* The number of points not above the key. */
static size_t
plain_locate(const struct key_list *points, struct key key)
{
    size_t region = 0;

    for (size_t i = 0; i < points->count; i++)
        region += key_compare(key_list_get(points, i), key) <= 0;
    return region;
}

/* Short keys of few different bytes, so that prefixes and zeros meet. */
static struct key
odd_key(struct generator *g, uint8_t bytes[12])
{
    size_t len = 1 + next_below(g, 12);

    for (size_t i = 0; i < len; i++)
        bytes[i] = (uint8_t[]){0, 0, 1, 255}[next_below(g, 4)];
    return (struct key){bytes, len};
}

START_TEST(locates_as_a_plain_search_does)
{
    struct generator g = start_generator("locates_as_a_plain_search_does");

    for (int round = 0; round < 200; round++) {
        struct key_list raw = {0};
        struct key_list points = {0};
        uint8_t bytes[12];
        for (size_t i = next_below(&g, 30); i > 0; i--)
            key_list_add(&raw, odd_key(&g, bytes));
        uint32_t *order = key_list_order(&raw);
        for (size_t i = 0; i < raw.count; i++)
            if (i == 0 || !key_equal(key_list_get(&raw, order[i - 1]),
                                     key_list_get(&raw, order[i])))
                key_list_add(&points, key_list_get(&raw, order[i]));
        struct spread *s = spread_create(&points, 10);
        for (int i = 0; i < 100; i++) {
            struct key key = odd_key(&g, bytes);
            ck_assert_uint_eq(spread_locate(s, key), plain_locate(&points, key));
        }
        spread_destroy(s);
        free(order);
        key_list_finish(&points);
        key_list_finish(&raw);
    }
}
END_TEST

static struct spread_result
spread_of(const char *pattern, size_t keys, uint32_t window, struct spread **ret,
          struct key_list *points)
{
    struct key_list samples = {0};

    add_pattern(&samples, pattern, keys);
    *ret = spread_create(points, window);
    for (size_t i = 0; i < samples.count; i++)
        spread_add(*ret, key_list_get(&samples, i));
    key_list_finish(&samples);
    return spread_result(*ret);
}

START_TEST(sequential_keys_are_one_hot_region_at_a_time)
{
    struct key_list points = {0};
    struct spread *s;

    key_list_add_text(&points, "0250");
    key_list_add_text(&points, "0500");
    key_list_add_text(&points, "0750");
    struct spread_result r = spread_of("{seq:4}", 1000, 50, &s, &points);
    ck_assert_uint_eq(r.keys, 1000);
    ck_assert_double_eq(r.max_over_mean, 1);
    ck_assert_double_eq(r.effective, 4);
    ck_assert_uint_eq(r.windows, 20);
    ck_assert_double_eq(r.window_share, 1);
    ck_assert_double_eq(r.window_effective, 1);
    s = spread_destroy(s);
    r = spread_of("{rand:1000:4}", 10000, 500, &s, &points);
    ck_assert_double_lt(r.window_share, 0.32);
    ck_assert_double_gt(r.window_effective, 3.8);
    spread_destroy(s);
    key_list_finish(&points);
}
END_TEST

START_TEST(all_in_one_region)
{
    struct key_list points = {0};
    struct spread *s;

    key_list_add_text(&points, "b");
    key_list_add_text(&points, "c");
    struct spread_result r = spread_of("a{seq}", 100, 1000, &s, &points);
    ck_assert_uint_eq(r.counts[0], 100);
    ck_assert_double_eq(r.max_over_mean, 3);
    ck_assert_double_eq(r.effective, 1);
    ck_assert_uint_eq(r.windows, 0);
    ck_assert_double_eq(r.window_share, 1);
    spread_destroy(s);
    s = spread_create(&points, 1);
    r = spread_result(s);
    ck_assert_uint_eq(r.keys, 0);
    ck_assert_double_eq(r.max_over_mean, 0);
    spread_destroy(s);
    key_list_finish(&points);
}
END_TEST

TEST_MAIN("keys/spread", locates_as_a_plain_search_does,
          sequential_keys_are_one_hot_region_at_a_time, all_in_one_region)
