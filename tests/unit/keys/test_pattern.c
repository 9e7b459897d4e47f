/* SPDX-License-Identifier: Apache-2.0 */
/* Keys made by patterns. */
#include "keys/pattern.h"

#include "tests/unit/keys/support.h"

static void
assert_keys(const char *pattern, const char *want)
{
    struct key_list keys = {0};
    struct buf text;

    buf_init(&text, 0);
    add_pattern(&keys, pattern, 3);
    for (size_t i = 0; i < keys.count; i++)
        buf_addf(&text, "%s%s", i > 0 ? " " : "", shown(key_list_get(&keys, i)));
    ck_assert_str_eq(text.data, want);
    buf_finish(&text);
    key_list_finish(&keys);
}

START_TEST(fields)
{
    assert_keys("k{seq}", "k0 k1 k2");
    assert_keys("{seq:4:98}|x", "0098|x 0099|x 0100|x");
    assert_keys("{time:1000}", "1700000000000 1700000001000 1700000002000");
    assert_keys("{time:5:10}", "10 15 20");
    assert_keys("{long:258}", "\\x00\\x00\\x00\\x00\\x00\\x00\\x01\\x02"
                              " \\x00\\x00\\x00\\x00\\x00\\x00\\x01\\x03"
                              " \\x00\\x00\\x00\\x00\\x00\\x00\\x01\\x04");
    assert_keys("a{{b}{seq}", "a{b}0 a{b}1 a{b}2");
    assert_keys("{pick:x}{rand:1:2}", "x00 x00 x00");
}
END_TEST

START_TEST(random_fields)
{
    struct key_list keys = {0};
    struct key_list again = {0};
    size_t zero = 0;
    size_t a = 0;

    add_pattern(&keys, "{zipf:1000:3}{pick:a,b}{hex:4}", 10000);
    add_pattern(&again, "{zipf:1000:3}{pick:a,b}{hex:4}", 10000);
    for (size_t i = 0; i < keys.count; i++) {
        struct key key = key_list_get(&keys, i);
        ck_assert_uint_eq(key.len, 8);
        ck_assert(key_equal(key, key_list_get(&again, i)));
        zero += memcmp(key.data, "000", 3) == 0;
        a += key.data[3] == 'a';
    }
    /* A tenth is the chance of the most popular of 1000: ln 2 / ln 1001. */
    ck_assert_uint_ge(zero, 900);
    ck_assert_uint_le(zero, 1100);
    ck_assert_uint_ge(a, 4800);
    ck_assert_uint_le(a, 5200);
    key_list_finish(&keys);
    key_list_finish(&again);
}
END_TEST

START_TEST(wrong_patterns)
{
    static const char *const patterns[] = {
        "",        "{",         "{seq",    "{}",        "{nope}",
        "{rand}",  "{rand:0}",  "{hex:0}", "{hex:1:1}", "{seq:1:2:3}",
        "{seq:x}", "{seq:101}", "{pick:}", "{hex:1001}"};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        struct buf error;
        buf_init(&error, 0);
        ck_assert_msg(pattern_create(patterns[i], 0, &error) == NULL, "%s",
                      patterns[i]);
        ck_assert_ptr_nonnull(strstr(error.data, "expected"));
        buf_finish(&error);
    }
}
END_TEST

TEST_MAIN("keys/pattern", fields, random_fields, wrong_patterns)
