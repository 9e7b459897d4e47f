/* SPDX-License-Identifier: Apache-2.0 */
/* Row keys of each scheme, its costs, wrong names and keys that do not fit. */
#include "keys/scheme.h"

#include <errno.h>

#include "tests/unit/keys/support.h"

static void
assert_made(const char *name, uint64_t turn, struct key key, const char *want)
{
    struct scheme s = scheme_of(name);
    struct buf out;

    buf_init(&out, 0);
    int result = scheme_apply(&s, turn, key, &out);
    ck_assert_msg(result == 0, "%s: %s", name, scheme_error_text(&s, result));
    ck_assert_str_eq(shown((struct key){(uint8_t *)out.data, out.len}), want);
    buf_finish(&out);
}

#define ASSERT_MADE(name, key, want) assert_made(name, 0, text_key(key), want)

START_TEST(prefixes)
{
    ASSERT_MADE("none", "user42", "user42");
    ASSERT_MADE("salt:16", "user42", "07-user42");
    ASSERT_MADE("salt:16", "polygenelubricants", "00-polygenelubricants");
    ASSERT_MADE("salt:10", "polygenelubricants", "08-polygenelubricants");
    ASSERT_MADE("salt:1000", "user1", "566-user1");
    ASSERT_MADE("salt:100", "user1", "66-user1");
    ASSERT_MADE("salt:101", "user1", "028-user1");
    ASSERT_MADE("hash:md5:4", "abc", "9001abc");
    ASSERT_MADE("hash:md5:32", "abc", "900150983cd24fb0d6963f7d28e17f72abc");
    ASSERT_MADE("phoenix:16", "user1", "\\x05user1");
    ASSERT_MADE("phoenix:16", "caf\xc3\xa9", "\\x0Dcaf\\xC3\\xA9");
    assert_made("prefix-byte:3", 4, text_key("k"), "\\x01k");
}
END_TEST

START_TEST(domains)
{
    ASSERT_MADE("reverse-domain", "www.example.com", "com.example.www");
    ASSERT_MADE("reverse-domain", "www.example.com/a.b?c", "com.example.www/a.b?c");
    ASSERT_MADE("reverse-domain", "localhost:80", "localhost:80");
    ASSERT_MADE("reverse-domain", "a..b", "b..a");
}
END_TEST

START_TEST(times)
{
    ASSERT_MADE("reverse-time:3:13", "u1|1700000000000|x", "u1|8299999999999|x");
    ASSERT_MADE("reverse-time:-13:13", "user9|1700000000000", "user9|8299999999999");
    ASSERT_MADE("reverse-time:0:13:digits", "1700000000123", "3210000000071");
    assert_made("reverse-time:1:8", 0,
                (struct key){(const uint8_t *)"k\0\0\1\x8b\xcf\xe5\x68\0", 9},
                "k\\x7F\\xFF\\xFEt0\\x1A\\x97\\xFF");
    assert_made("reverse-time:0:4", 0, (struct key){(const uint8_t *)"\0\0\0\1", 4},
                "\\x7F\\xFF\\xFF\\xFE");
    ASSERT_MADE("time-bucket:0:13:8", "1700000000123|x", "03-1700000000123|x");
}
END_TEST

START_TEST(composites)
{
    ASSERT_MADE("composite:4,6", "ab|42", "ab\\x00\\x00000042");
    ASSERT_MADE("composite:2@6,1@4:#", "ab#42", "000042ab\\x00\\x00");
    ASSERT_MADE("composite:3@1:::", "a::b::c", "c");
}
END_TEST

static void
assert_refused(const char *name, const char *key, int want)
{
    struct scheme s = scheme_of(name);
    struct buf out;

    buf_init(&out, 0);
    buf_adds(&out, "before");
    ck_assert_int_eq(scheme_apply(&s, 0, text_key(key), &out), want);
    ck_assert_str_eq(out.data, "before");
    buf_finish(&out);
}

START_TEST(keys_that_do_not_fit)
{
    static char longest[KEY_MAX + 1];

    assert_refused("reverse-time:3:13", "u1|17", -EINVAL);
    assert_refused("reverse-time:3:13", "u1|17000x0000000", -EINVAL);
    assert_refused("reverse-time:-30:13", "u1|1700000000000", -EINVAL);
    assert_refused("time-bucket:0:10:4", "hello", -EINVAL);
    assert_refused("composite:4,6", "ab", -EINVAL);
    assert_refused("composite:4,2", "ab|123", -ERANGE);
    memset(longest, 'x', KEY_MAX);
    assert_refused("salt:4", longest, -EFBIG);
    ASSERT_MADE("none", "", "");
}
END_TEST

START_TEST(wrong_names)
{
    static const char *const names[] = {
        "",
        "sand",
        "salt",
        "salt:",
        "salt:0",
        "salt:-1",
        "salt:x",
        "salt:16:2",
        "salt:1000000000",
        "salt:16 ",
        "hash",
        "hash:md5",
        "hash:sha:4",
        "hash:md5:0",
        "hash:md5:33",
        "none:1",
        "phoenix:257",
        "phoenix:0",
        "prefix-byte:128",
        "reverse-time:1",
        "reverse-time:1:20",
        "reverse-time:x:4",
        "reverse-time:1:8:hm",
        "time-bucket:0:13",
        "composite:",
        "composite:0",
        "composite:4,,4",
        "composite:0@4",
        "composite:40000",
        "composite",
        "composite:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct scheme s;
        struct buf error;
        buf_init(&error, 0);
        ck_assert_msg(scheme_parse(names[i], &s, &error) == -EINVAL, "%s", names[i]);
        ck_assert_ptr_nonnull(strstr(error.data, "expected"));
        ck_assert_ptr_null(strchr(error.data, '\n'));
        buf_finish(&error);
    }
}
END_TEST

START_TEST(costs)
{
    static const struct {
        const char *name;
        uint64_t point, range;
    } wanted[] = {{"none", 1, 1},           {"salt:16", 1, 16},
                  {"hash:md5:2", 1, 256},   {"hash:md5:32", 1, 0},
                  {"prefix-byte:9", 9, 9},  {"phoenix:256", 1, 256},
                  {"reverse-domain", 1, 1}, {"time-bucket:0:8:12", 1, 12}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct scheme s = scheme_of(wanted[i].name);
        ck_assert_uint_eq(scheme_point_reads(&s), wanted[i].point);
        ck_assert_uint_eq(scheme_range_reads(&s), wanted[i].range);
    }
}
END_TEST

TEST_MAIN("keys/scheme", prefixes, domains, times, composites, keys_that_do_not_fit,
          wrong_names, costs)
