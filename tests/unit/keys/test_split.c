/* SPDX-License-Identifier: Apache-2.0 */
/* Split points: HBase's own vectors, quantiles, the guide. */
#include "keys/split.h"

#include <errno.h>

#include "tests/unit/keys/support.h"

static void
assert_points(const struct key_list *points, const char *want)
{
    struct buf text;

    buf_init(&text, 0);
    for (size_t i = 0; i < points->count; i++)
        buf_addf(&text, "%s%s", i > 0 ? " " : "", shown(key_list_get(points, i)));
    ck_assert_str_eq(text.data, want);
    buf_finish(&text);
}

static void
assert_fixed(enum split_algo algo, uint32_t regions, const char *want)
{
    struct key_list points = {0};

    ck_assert_int_eq(split_fixed(algo, regions, &points), 0);
    assert_points(&points, want);
    key_list_finish(&points);
}

START_TEST(region_splitter_vectors)
{
    assert_fixed(
        SPLIT_HEX, 16,
        "10000000 20000000 30000000 40000000 50000000 60000000 70000000 80000000"
        " 90000000 a0000000 b0000000 c0000000 d0000000 e0000000 f0000000");
    assert_fixed(
        SPLIT_HEX, 10,
        "19999999 33333332 4ccccccb 66666664 7ffffffd 99999996 b333332f ccccccc8"
        " e6666661");
    assert_fixed(SPLIT_HEX, 3, "55555555 aaaaaaaa");
    assert_fixed(SPLIT_HEX, 1, "");
    assert_fixed(
        SPLIT_DECIMAL, 16,
        "06250000 12500000 18750000 25000000 31250000 37500000 43750000 50000000"
        " 56250000 62500000 68750000 75000000 81250000 87500000 93750000");
    assert_fixed(SPLIT_UNIFORM, 10,
                 "\\x19\\x99\\x99\\x99\\x99\\x99\\x99\\x99 33333332"
                 " L\\xCC\\xCC\\xCC\\xCC\\xCC\\xCC\\xCB fffffffd"
                 " \\x7F\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFD"
                 " \\x99\\x99\\x99\\x99\\x99\\x99\\x99\\x96 \\xB3333333/"
                 " \\xCC\\xCC\\xCC\\xCC\\xCC\\xCC\\xCC\\xC8 \\xE6ffffffa");
    assert_fixed(SPLIT_UNIFORM, 2, "\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x00");
}
END_TEST

static void
assert_buckets(const char *scheme, uint32_t regions, const char *want)
{
    struct scheme s = scheme_of(scheme);
    struct key_list points = {0};

    ck_assert_int_eq(split_buckets(&s, regions, &points), 0);
    assert_points(&points, want);
    key_list_finish(&points);
}

START_TEST(points_of_schemes)
{
    assert_buckets("salt:4", 4, "01 02 03");
    assert_buckets("salt:8", 4, "02 04 06");
    assert_buckets("salt:1000", 4, "250 500 750");
    assert_buckets("phoenix:4", 4, "\\x01 \\x02 \\x03");
    assert_buckets("prefix-byte:3", 3, "\\x01 \\x02");
    assert_buckets("hash:md5:1", 4, "4 8 c");
    assert_buckets("hash:md5:4", 3, "5555 aaaa");
    assert_buckets("hash:md5:32", 2, "80000000");

    struct scheme s = scheme_of("salt:4");
    struct key_list points = {0};
    ck_assert_int_eq(split_buckets(&s, 5, &points), -ERANGE);
    s = scheme_of("none");
    ck_assert_int_eq(split_buckets(&s, 2, &points), -ERANGE);
    key_list_finish(&points);
}
END_TEST

START_TEST(quantiles_of_samples)
{
    struct key_list samples = {0};
    struct key_list points = {0};

    add_pattern(&samples, "{seq:4}", 1000);
    ck_assert_int_eq(split_samples(&samples, 4, &points), 0);
    assert_points(&points, "025 05 075");
    key_list_finish(&points);
    key_list_clear(&samples);
    for (int i = 0; i < 50; i++)
        ck_assert_int_eq(key_list_add_text(&samples, i % 2 ? "a" : "b"), 0);
    ck_assert_int_eq(split_samples(&samples, 10, &points), 0);
    assert_points(&points, "b"); /* two different keys make two regions */
    key_list_finish(&points);
    key_list_finish(&samples);
}
END_TEST

/* Whatever the keys are, the points ascend and part them evenly but for equal keys. */
START_TEST(quantiles_are_even)
{
    struct generator g = start_generator("quantiles_are_even");

    for (int round = 0; round < 100; round++) {
        struct key_list samples = {0};
        struct key_list points = {0};
        size_t n = 1 + next_below(&g, 400);
        uint32_t regions = 1 + (uint32_t)next_below(&g, 50);
        for (size_t i = 0; i < n; i++) {
            uint64_t bytes = next_u64(&g);
            size_t len = 1 + next_below(&g, 8);
            key_list_add(&samples, (struct key){(uint8_t *)&bytes, len});
        }
        ck_assert_int_eq(split_samples(&samples, regions, &points), 0);
        size_t wrong;
        ck_assert(split_valid(&points, &wrong));
        ck_assert_uint_le(points.count, regions - 1);
        key_list_finish(&points);
        key_list_finish(&samples);
    }
}
END_TEST

START_TEST(guide)
{
    const uint64_t gb = 1000000000;

    ck_assert_uint_eq(split_guide(5, 0, 0), 50);
    ck_assert_uint_eq(split_guide(5, 800 * gb, 10 * gb), 80);
    ck_assert_uint_eq(split_guide(5, 801 * gb, 10 * gb), 81);
    ck_assert_uint_eq(split_guide(5, 8000 * gb, 10 * gb), 150);
    ck_assert_uint_eq(split_guide(0, 80 * gb, 10 * gb), 8);
    ck_assert_uint_eq(split_guide(1000000, 0, 0), REGIONS_MAX);
}
END_TEST

START_TEST(validity)
{
    struct key_list points = {0};
    size_t wrong = 99;

    ck_assert(split_valid(&points, &wrong));
    key_list_add_text(&points, "a");
    key_list_add_text(&points, "b");
    ck_assert(split_valid(&points, &wrong));
    key_list_add_text(&points, "b");
    ck_assert(!split_valid(&points, &wrong));
    ck_assert_uint_eq(wrong, 2);
    key_list_clear(&points);
    key_list_add_text(&points, "");
    ck_assert(!split_valid(&points, &wrong));
    key_list_finish(&points);
}
END_TEST

TEST_MAIN("keys/split", region_splitter_vectors, points_of_schemes,
          quantiles_of_samples, quantiles_are_even, guide, validity)
