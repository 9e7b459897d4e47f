/* SPDX-License-Identifier: Apache-2.0 */
/* Encoded region names: both forms, what is none, round trips. */
#include "common/region_id.h"

#include <string.h>

#include "tests/unit/common/harness.h"

static bool
parse(const char *s, struct region_id *ret)
{
    return region_id_parse(s, strlen(s), ret);
}

START_TEST(both_forms)
{
    struct region_id id;
    char text[REGION_ID_TEXT_SIZE];

    ck_assert(parse("43ae7364b4a555b93267937f9bc49ec1", &id));
    ck_assert_uint_eq(id.hi, UINT64_C(0x43ae7364b4a555b9));
    ck_assert_uint_eq(id.lo, UINT64_C(0x3267937f9bc49ec1));
    ck_assert_str_eq(region_id_text(id, text), "43ae7364b4a555b93267937f9bc49ec1");

    ck_assert(parse("1588230740", &id));
    ck_assert(region_id_equal(id, REGION_ID_META));
    ck_assert_str_eq(region_id_text(id, text), "1588230740");

    ck_assert(parse("9999999999", &id));
    ck_assert_uint_eq(id.lo, UINT64_C(9999999999));
    ck_assert(parse("0", &id));
    ck_assert_str_eq(region_id_text(id, text), "0");
}
END_TEST

START_TEST(anything_else_is_refused)
{
    static const char *const rows[] = {
        "",
        "01",
        "-1",
        "+1",
        " 1",
        "1 ",
        "12a",
        "10000000000",                       /* 11 digits */
        "43ae7364b4a555b93267937f9bc49ec",   /* 31 */
        "43ae7364b4a555b93267937f9bc49ec11", /* 33 */
        "43AE7364B4A555B93267937F9BC49EC1",  /* upper case */
        "43ae7364b4a555b93267937f9bc49ecg",
        "0x588230740",
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct region_id id = {1, 2};
        ck_assert_msg(!parse(rows[i], &id), "'%s'", rows[i]);
        ck_assert(region_id_equal(id, (struct region_id){1, 2}));
    }
    struct region_id id;
    ck_assert(!region_id_parse("1\0", 2, &id));
}
END_TEST

START_TEST(order)
{
    struct region_id a = {1, UINT64_MAX}, b = {2, 0}, c = {2, 1};

    ck_assert_int_lt(region_id_compare(a, b), 0);
    ck_assert_int_gt(region_id_compare(b, a), 0);
    ck_assert_int_lt(region_id_compare(b, c), 0);
    ck_assert_int_gt(region_id_compare(c, b), 0);
    ck_assert_int_eq(region_id_compare(c, c), 0);
    ck_assert(!region_id_equal(b, c));
    ck_assert(!region_id_equal((struct region_id){1, 1}, c));
}
END_TEST

START_TEST(round_trip)
{
    struct generator g = start_generator("region_id");

    for (int i = 0; i < 3000; i++) {
        struct region_id id = {next_u64(&g), next_u64(&g)}, back;
        char text[REGION_ID_TEXT_SIZE];

        if (i % 2 == 0)
            id = (struct region_id){0, next_wide(&g) % 10000000000};
        ck_assert(parse(region_id_text(id, text), &back));
        ck_assert(region_id_equal(id, back));
        ck_assert_uint_eq(strlen(text) == 32, id.hi != 0);
    }
}
END_TEST

/* Decimal names are small and near one another; their low hash bits must not be. */
START_TEST(hash_spreads_decimal_names)
{
    unsigned used[256] = {0};

    for (uint64_t i = 0; i < 25600; i++)
        used[region_id_hash((struct region_id){0, i * 256}) & 255]++;
    for (size_t i = 0; i < 256; i++) {
        ck_assert_uint_gt(used[i], 40);
        ck_assert_uint_lt(used[i], 200);
    }
}
END_TEST

TEST_MAIN("region_id", both_forms, anything_else_is_refused, order, round_trip,
          hash_spreads_decimal_names)
