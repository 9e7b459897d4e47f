/* SPDX-License-Identifier: Apache-2.0 */
/* Each anti-pattern is found where it is planted, and nothing in good keys. */
#include "keys/findings.h"

#include "tests/unit/keys/support.h"

static void
assert_found(const char *pattern, size_t keys, const char *want)
{
    static const struct finding_limits limits = {16, 100, 10000000000};
    struct finding found[FINDING_KIND_COUNT];
    struct key_list samples = {0};
    struct key_profile profile;
    struct buf names;

    buf_init(&names, 0);
    add_pattern(&samples, pattern, keys);
    ck_assert_int_eq(key_profile_make(&samples, &profile), 0);
    size_t count = findings_make(&samples, &profile, &limits, found);
    for (size_t i = 0; i < count; i++) {
        buf_addf(&names, "%s%s", i > 0 ? " " : "", finding_name(found[i].kind));
        ck_assert_uint_gt(strlen(found[i].evidence), 20);
        ck_assert_uint_gt(strlen(finding_advice(found[i].kind)), 20);
    }
    ck_assert_msg(strcmp(names.data, want) == 0, "%s: '%s', not '%s'", pattern,
                  names.data, want);
    buf_finish(&names);
    key_list_finish(&samples);
}

START_TEST(planted)
{
    assert_found("{hex:16}", 5000, "");
    assert_found("user{rand:100000:6}", 5000, "");
    assert_found("{seq:10}", 5000, "monotonic-prefix");
    assert_found("order{seq:10}|{hex:4}", 5000, "monotonic-prefix");
    assert_found("{time:7}|{hex:4}", 5000, "monotonic-prefix timestamp-first");
    assert_found("{long:1700000000000}", 5000, "monotonic-prefix timestamp-first");
    assert_found("ev|{time:7}|{hex:4}", 5000, "monotonic-prefix timestamp-first");
    assert_found("2026-12-0{rand:9}|{hex:8}", 5000,
                 "timestamp-first low-cardinality-prefix");
    assert_found("{pick:de,fr,uk}|{hex:12}", 5000,
                 "low-cardinality-prefix skewed-values");
    assert_found("u{zipf:1000:4}|{hex:8}", 5000, "");
    assert_found("u{zipf:50:4}|{hex:8}", 5000, "skewed-values");
    assert_found("{rand:100000}|x", 5000, "variable-width");
    assert_found("user{rand:100000}", 5000, "variable-width");
    assert_found("{hex:150}", 100, "long-keys");
    assert_found("device{rand:20:3}", 5000, "giant-rows");
}
END_TEST

START_TEST(few_keys)
{
    assert_found("{seq:10}", 0, "");
    assert_found("{seq:10}", 1, "");
    assert_found("{seq:10}", 19, "");
}
END_TEST

START_TEST(profile_of_places)
{
    struct key_list samples = {0};
    struct key_profile p;

    add_pattern(&samples, "user{rand:100000}|{time}", 100);
    ck_assert_int_eq(key_profile_make(&samples, &p), 0);
    ck_assert_uint_eq(p.tokens[1].times, 100);
    ck_assert_uint_eq(p.tokens[1].time_width, 13);
    ck_assert_int_eq(p.tokens[1].from_end, -13);
    ck_assert_int_eq(p.tokens[1].from_start, INT64_MIN);
    key_list_finish(&samples);
}
END_TEST

TEST_MAIN("keys/findings", planted, few_keys, profile_of_places)
