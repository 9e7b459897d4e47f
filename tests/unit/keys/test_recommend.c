/* SPDX-License-Identifier: Apache-2.0 */
/* Rankings: what is best for which keys and needs. */
#include "keys/recommend.h"

#include <errno.h>

#include "tests/unit/keys/support.h"

struct ranking {
    struct scheme_advice list[ADVICE_MAX];
    int count;
};

static struct ranking
rank(const char *pattern, const char *needs, uint32_t regions)
{
    struct key_list samples = {0};
    struct key_profile profile;
    struct ranking r;
    unsigned wanted;

    add_pattern(&samples, pattern, 5000);
    ck_assert_int_eq(needs_parse(needs, &wanted), 0);
    ck_assert_int_eq(key_profile_make(&samples, &profile), 0);
    r.count = recommend_make(&samples, &profile, wanted, regions, r.list);
    ck_assert_int_gt(r.count, 0);
    for (int i = 1; i < r.count; i++)
        ck_assert_double_le(r.list[i].score, r.list[i - 1].score + 0.01);
    key_list_finish(&samples);
    return r;
}

static const struct scheme_advice *
find(const struct ranking *r, const char *name)
{
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->list[i].scheme.name, name) == 0)
            return &r->list[i];
    return NULL;
}

START_TEST(even_keys_stay_as_they_are)
{
    struct ranking r = rank("{hex:16}", "point", 16);

    ck_assert_str_eq(r.list[0].scheme.name, "none");
    ck_assert_double_gt(r.list[0].score, 0.95);
}
END_TEST

START_TEST(sequential_keys_want_a_salt)
{
    struct ranking r = rank("{seq:10}", "range", 16);
    const struct scheme_advice *none = find(&r, "none");

    ck_assert_str_eq(r.list[0].scheme.name, "salt:16");
    ck_assert_ptr_nonnull(none);
    ck_assert_double_gt(none->window_share, 0.7);
    ck_assert_double_lt(r.list[0].window_share, 0.12);
    ck_assert_double_lt(none->score, 0.3);
    ck_assert_ptr_nonnull(strstr(none->reason, "hot"));
    r = rank("{seq:10}", "point", 16);
    ck_assert_double_gt(find(&r, "hash:md5:4")->score, 0.9);
    ck_assert_double_lt(find(&r, "prefix-byte:16")->score, r.list[0].score);
}
END_TEST

START_TEST(entity_before_time)
{
    struct ranking r = rank("{time:10}|dev{rand:5000:4}", "prefix", 16);

    ck_assert_str_eq(r.list[0].scheme.name, "composite:2@7,1@13:|");
    ck_assert_uint_eq(r.list[0].range_reads, 1);
    ck_assert_ptr_nonnull(find(&r, "time-bucket:0:13:16"));
}
END_TEST

START_TEST(newest_first)
{
    struct ranking r = rank("dev{rand:5000:4}|{time:10}", "latest", 16);

    ck_assert_str_eq(r.list[0].scheme.name, "reverse-time:8:13");
}
END_TEST

START_TEST(hosts)
{
    struct ranking r = rank("www{rand:900}.example.com/{hex:4}", "prefix", 16);

    ck_assert_ptr_nonnull(find(&r, "reverse-domain"));
}
END_TEST

START_TEST(needs)
{
    unsigned needs;

    ck_assert_int_eq(needs_parse("point,latest", &needs), 0);
    ck_assert_uint_eq(needs, NEED_POINT | NEED_LATEST);
    ck_assert_int_eq(needs_parse("", &needs), -EINVAL);
    ck_assert_int_eq(needs_parse("point,", &needs), -EINVAL);
    ck_assert_int_eq(needs_parse("scan", &needs), -EINVAL);
}
END_TEST

START_TEST(one_region_or_many)
{
    struct ranking r = rank("{seq:10}", "point", 1);

    ck_assert_str_eq(r.list[0].scheme.name, "none");
    r = rank("{seq:10}", "point", 1000);
    ck_assert_ptr_null(find(&r, "phoenix:1000"));
    ck_assert_ptr_nonnull(find(&r, "hash:md5:8"));
}
END_TEST

TEST_MAIN("keys/recommend", even_keys_stay_as_they_are, sequential_keys_want_a_salt,
          entity_before_time, newest_first, hosts, needs, one_region_or_many)
