/* SPDX-License-Identifier: Apache-2.0 */
/* The streaming JSON reader: accepted and refused documents, escapes, exact numbers,
 * pieces of any size, and agreement with cJSON on damaged documents. */
#include "collectors/json_stream.h"

#include <cjson/cJSON.h>
#include <errno.h>

#include "common/buf.h"
#include "common/utf8.h"
#include "parse_support.h"

/* Events written down as text: "{" "}" "[" "]" k<..> s<..> n<..> t f z N, with depths.
 */
static bool
record(void *user, enum json_event event, const char *text, size_t len, unsigned depth)
{
    static const char letters[] = "{}[]ksntfzN";
    struct buf *out = user;

    buf_addc(out, letters[event]);
    buf_addf(out, "%u", depth);
    if (event == JSON_KEY || event == JSON_STRING || event == JSON_NUMBER) {
        buf_addc(out, '<');
        buf_add(out, text, len);
        buf_addc(out, '>');
    }
    return true;
}

struct result {
    int error;
    uint64_t position;
    struct buf events;
};

/* piece 0: random sizes. Each piece is fed from a block of its own. */
static struct result
read_text(const char *text, size_t len, size_t piece)
{
    struct result r;

    buf_init(&r.events, 0);
    struct json_stream *s = json_stream_create(record, &r.events);
    for (size_t at = 0; at < len;) {
        size_t n = piece > 0 ? piece : 1 + rng_below(9);
        if (n > len - at)
            n = len - at;
        char *copy = exact_copy(text + at, n);
        json_stream_feed(s, copy, n);
        free(copy);
        at += n;
    }
    r.error = json_stream_end(s);
    r.position = json_stream_position(s);
    if (r.error != 0)
        ck_assert(json_stream_problem(s)[0] != '\0');
    json_stream_destroy(s);
    return r;
}

static void
check_events(const char *text, size_t len, const char *expected, size_t expected_len)
{
    static const size_t pieces[] = {1000000, 1, 2, 3, 7, 0, 0};

    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        struct result r = read_text(text, len, pieces[i]);
        ck_assert_msg(r.error == 0, "%s (piece %zu): error %d", text, pieces[i],
                      r.error);
        ck_assert_msg(r.events.len == expected_len &&
                          memcmp(r.events.data, expected, expected_len) == 0,
                      "%s (piece %zu): %s, expected %s", text, pieces[i], r.events.data,
                      expected);
        buf_finish(&r.events);
    }
}

#define CHECK_EVENTS(text, expected)                                                   \
    check_events(text, sizeof(text) - 1, expected, sizeof(expected) - 1)

static void
check_refused(const char *text, int error, uint64_t position)
{
    static const size_t pieces[] = {1000000, 1, 2, 3, 7, 0};

    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        struct result r = read_text(text, strlen(text), pieces[i]);
        ck_assert_msg(r.error == error, "%s (piece %zu): %d", text, pieces[i], r.error);
        ck_assert_msg(r.position == position, "%s (piece %zu): at %llu", text,
                      pieces[i], (unsigned long long)r.position);
        buf_finish(&r.events);
    }
}

START_TEST(structure)
{
    CHECK_EVENTS("{}", "{0}0");
    CHECK_EVENTS(" [ ] \r\n\t", "[0]0");
    CHECK_EVENTS("{\"a\" : [1, {\"b\":null}, true,false] ,\"c\":\"\"}",
                 "{0k1<a>[1n2<1>{2k3<b>z3}2t2f2]1k1<c>s1<>}0");
    CHECK_EVENTS("[[],[[]]]", "[0[1]1[1[2]2]1]0");
    CHECK_EVENTS("\"x\"", "s0<x>");
    CHECK_EVENTS("true", "t0");
    CHECK_EVENTS("17", "n0<17>");
    CHECK_EVENTS("{\"\":0,\"\":0}", "{0k1<>n1<0>k1<>n1<0>}0");
}
END_TEST

START_TEST(refused)
{
    check_refused("", -ENODATA, 0);
    check_refused("  ", -ENODATA, 2);
    check_refused("{", -ENODATA, 1);
    check_refused("{\"a\":1", -ENODATA, 6);
    check_refused("\"abc", -ENODATA, 4);
    check_refused("tru", -ENODATA, 3);
    check_refused("-", -ENODATA, 1);
    check_refused("1e", -ENODATA, 2);
    check_refused("1.", -ENODATA, 2);
    check_refused("{}x", -EINVAL, 2);
    check_refused("{} {}", -EINVAL, 3);
    check_refused("<html>", -EINVAL, 0);
    check_refused("\xef\xbb\xbf{}", -EINVAL, 0);
    check_refused("{,}", -EINVAL, 1);
    check_refused("{\"a\":1,}", -EINVAL, 7);
    check_refused("[1,]", -EINVAL, 3);
    check_refused("[,1]", -EINVAL, 1);
    check_refused("[1 2]", -EINVAL, 3);
    check_refused("{\"a\" 1}", -EINVAL, 5);
    check_refused("{a:1}", -EINVAL, 1);
    check_refused("{1:1}", -EINVAL, 1);
    check_refused("[}", -EINVAL, 1);
    check_refused("{]", -EINVAL, 1);
    check_refused("[1}", -EINVAL, 2);
    check_refused("nulL", -EINVAL, 3);
    check_refused("NULL", -EINVAL, 1);
    check_refused("'a'", -EINVAL, 0);
    check_refused("\"a\nb\"", -EINVAL, 2);
    check_refused("\"\x1f\"", -EINVAL, 1);
    check_refused("\"0123456789abcdef0123456789\tabcdef\"", -EINVAL, 27);
    check_refused("\"\\x\"", -EINVAL, 2);
    check_refused("\"\\u12g4\"", -EINVAL, 5);
    check_refused("\"\\'\"", -EINVAL, 2);
}
END_TEST

START_TEST(numbers)
{
    static const char *const good[] = {
        "0",
        "-0",
        "1",
        "9007199254740993",
        "18446744073709551615",
        "-9223372036854775808",
        "0.5",
        "-1.25e10",
        "1E7",
        "1.0E7",
        "1e+9",
        "2E-05",
        "123456789012345678901234567890",
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        char text[80], expected[80];
        int len = snprintf(text, sizeof(text), "[%s,%s ]", good[i], good[i]);
        int n =
            snprintf(expected, sizeof(expected), "[0n1<%s>n1<%s>]0", good[i], good[i]);
        check_events(text, (size_t)len, expected, (size_t)n);
    }
    check_refused("[01]", -EINVAL, 2);
    check_refused("[-01]", -EINVAL, 3);
    check_refused("[00]", -EINVAL, 2);
    check_refused("[1.]", -EINVAL, 3);
    check_refused("[.5]", -EINVAL, 1);
    check_refused("[+1]", -EINVAL, 1);
    check_refused("[1.e5]", -EINVAL, 3);
    check_refused("[1e]", -EINVAL, 3);
    check_refused("[1e+]", -EINVAL, 4);
    check_refused("[-]", -EINVAL, 2);
    check_refused("[--1]", -EINVAL, 2);
    check_refused("[1.2.3]", -EINVAL, 4);
    check_refused("[0x10]", -EINVAL, 2);
    check_refused("[1-2]", -EINVAL, 2);
}
END_TEST

START_TEST(not_numbers)
{
    CHECK_EVENTS("[NaN,Infinity,-Infinity, 1]", "[0N1N1N1n1<1>]0");
    CHECK_EVENTS("{\"a\":NaN}", "{0k1<a>N1}0");
    check_refused("[nan]", -EINVAL, 2);
    check_refused("[-NaN]", -EINVAL, 2);
    check_refused("[+Infinity]", -EINVAL, 1);
    check_refused("[Inf]", -EINVAL, 4);
    check_refused("[-Infinitx]", -EINVAL, 9);
}
END_TEST

START_TEST(escapes)
{
    CHECK_EVENTS("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "s0<\"\\/\b\f\n\r\t>");
    CHECK_EVENTS("\"a\\u003db\"", "s0<a=b>");
    CHECK_EVENTS("\"\\u00e9\\u00E9\\u20ac\"", "s0<\xc3\xa9\xc3\xa9\xe2\x82\xac>");
    CHECK_EVENTS("\"\\ud83d\\ude00x\"", "s0<\xf0\x9f\x98\x80x>");
    CHECK_EVENTS("\"\\u0000\"", "s0<\0>");
    CHECK_EVENTS("{\"a\\u0041b\":1}", "{0k1<aAb>n1<1>}0");
    /* lone surrogates */
    CHECK_EVENTS("\"\\ud83d\"", "s0<\xef\xbf\xbd>");
    CHECK_EVENTS("\"\\ude00\"", "s0<\xef\xbf\xbd>");
    CHECK_EVENTS("\"\\ud83dx\"", "s0<\xef\xbf\xbdx>");
    CHECK_EVENTS("\"\\ud83d\\n\"", "s0<\xef\xbf\xbd\n>");
    CHECK_EVENTS("\"\\ud83d\\u0041\"", "s0<\xef\xbf\xbd"
                                       "A>");
    CHECK_EVENTS("\"\\ud83d\\ud83d\\ude00\"", "s0<\xef\xbf\xbd\xf0\x9f\x98\x80>");
    CHECK_EVENTS("\"\\ude00\\ud83d\"", "s0<\xef\xbf\xbd\xef\xbf\xbd>");
    /* bytes that are no UTF-8 pass through */
    CHECK_EVENTS("\"a\xff\xc3z\"", "s0<a\xff\xc3z>");
}
END_TEST

START_TEST(limits)
{
    char deep[JSON_DEPTH_MAX * 2 + 4];
    size_t len = 0;

    for (size_t i = 0; i < JSON_DEPTH_MAX; i++)
        deep[len++] = '[';
    for (size_t i = 0; i < JSON_DEPTH_MAX; i++)
        deep[len++] = ']';
    struct result r = read_text(deep, len, 5);
    ck_assert_int_eq(r.error, 0);
    buf_finish(&r.events);
    deep[JSON_DEPTH_MAX] = '[';
    deep[len] = '\0';
    check_refused(deep, -E2BIG, JSON_DEPTH_MAX);

    /* a text of the longest length, and one byte more */
    char *text = malloc(JSON_TEXT_MAX + 4);
    for (size_t extra = 0; extra < 2; extra++) {
        memset(text, 'x', JSON_TEXT_MAX + 4);
        text[0] = '"';
        text[JSON_TEXT_MAX + 1 + extra] = '"';
        for (size_t piece = 1000; piece < 1000000; piece *= 500) {
            r = read_text(text, JSON_TEXT_MAX + 2 + extra, piece);
            ck_assert_int_eq(r.error, extra == 0 ? 0 : -E2BIG);
            buf_finish(&r.events);
        }
    }
    free(text);
}
END_TEST

static bool
stop_at_three(void *user, enum json_event event, const char *text, size_t len,
              unsigned depth)
{
    unsigned *count = user;

    (void)event;
    (void)text;
    (void)len;
    (void)depth;
    return ++*count < 3;
}

START_TEST(stopping)
{
    unsigned count = 0;
    struct json_stream *s = json_stream_create(stop_at_three, &count);

    ck_assert_int_eq(json_stream_feed(s, "[1,", 3), 0);
    ck_assert_int_eq(json_stream_feed(s, "2,3,4]", 6), -ECANCELED);
    ck_assert_int_eq(json_stream_feed(s, "x", 1), -ECANCELED);
    ck_assert_int_eq(json_stream_end(s), -ECANCELED);
    ck_assert_uint_eq(count, 3);
    count = 0;
    json_stream_reset(s);
    ck_assert_int_eq(json_stream_feed(s, "[1]", 3), -ECANCELED);
    json_stream_reset(s);
    count = 0;
    ck_assert_int_eq(json_stream_feed(s, "7 ", 2), 0);
    ck_assert_int_eq(json_stream_end(s), 0);
    ck_assert_ptr_null(json_stream_destroy(s));
    ck_assert_ptr_null(json_stream_destroy(NULL));
}
END_TEST

/* Writes a cJSON tree as the events it stands for. */
static void
expect_tree(const cJSON *node, unsigned depth, struct buf *out)
{
    if (cJSON_IsObject(node) || cJSON_IsArray(node)) {
        bool object = cJSON_IsObject(node);
        buf_addf(out, "%c%u", object ? '{' : '[', depth);
        for (const cJSON *child = node->child; child != NULL; child = child->next) {
            if (object)
                buf_addf(out, "k%u<%s>", depth + 1, child->string);
            expect_tree(child, depth + 1, out);
        }
        buf_addf(out, "%c%u", object ? '}' : ']', depth);
    } else if (cJSON_IsString(node)) {
        buf_addf(out, "s%u<%s>", depth, node->valuestring);
    } else if (cJSON_IsNumber(node)) {
        buf_addf(out, "n%u<%.17g>", depth, node->valuedouble);
    } else {
        buf_addf(out, "%c%u",
                 cJSON_IsTrue(node)    ? 't'
                 : cJSON_IsFalse(node) ? 'f'
                                       : 'z',
                 depth);
    }
}

static bool
record_rounded(void *user, enum json_event event, const char *text, size_t len,
               unsigned depth)
{
    if (event != JSON_NUMBER)
        return record(user, event, text, len, depth);
    char number[512];
    if (len >= sizeof(number))
        return false;
    memcpy(number, text, len);
    number[len] = '\0';
    buf_addf(user, "n%u<%.17g>", depth, strtod(number, NULL));
    return true;
}

/* True if both accepted the text. What cJSON lets pass beyond RFC 8259 (control
 * characters and "\u0000" in strings, "01", "1.", "+1") is ours to refuse; else both
 * agree. */
static bool
compare_with_cjson(const char *text, size_t len)
{
    struct buf events, expected;

    char *copy = malloc(len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    buf_init(&events, 0);
    buf_init(&expected, 0);
    struct json_stream *s = json_stream_create(record_rounded, &events);
    json_stream_feed(s, copy, len);
    int error = json_stream_end(s);
    json_stream_destroy(s);
    cJSON *tree = cJSON_ParseWithLengthOpts(copy, len + 1, NULL, true);
    if (error == 0 && tree != NULL && strstr(copy, "\\u0000") == NULL) {
        expect_tree(tree, 0, &expected);
        ck_assert_msg(events.len == expected.len &&
                          memcmp(events.data, expected.data, events.len) == 0,
                      "%.300s\n%.300s\n%.300s", copy, events.data, expected.data);
    }
    bool both = error == 0 && tree != NULL;
    cJSON_Delete(tree);
    buf_finish(&events);
    buf_finish(&expected);
    free(copy);
    return both;
}

START_TEST(agrees_with_cjson)
{
    static const char *const files[] = {
        "hbase-2.6.4/rs1-combined-a.json", "hbase-2.6.4/rs1-server-a.json",
        "hbase-2.6.4/live_servers-a.json", "hbase-1.7.2/rs1-regions-a.json",
        "hbase-2.4.18/master-a.json",      "hbase-2.4.18/err-qry.json",
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        size_t len;
        char *text = read_capture(files[i], &len);
        ck_assert_msg(compare_with_cjson(text, len), "%s", files[i]);
        free(text);
    }
}
END_TEST

START_TEST(mutations)
{
    static const char seed[] =
        "{\"beans\" : [ {\"name\":\"a,b=c\\u003d\\ud83d\\ude00\", \"n\": -12.5E+3,\n"
        "  "
        "\"t\":true,\"f\":false,\"z\":null,\"q\":\"\\\"\\\\\",\"u\":\"caf\xc3\xa9\"},\n"
        "  {\"k\": 9007199254740993, \"e\": {}, \"l\": [[],[1,2,{\"x\":\"y\"}]]} ]}";
    unsigned accepted = 0;

    for (unsigned i = 0; i < 20000; i++) {
        char text[sizeof(seed)];
        size_t len = sizeof(seed) - 1;
        memcpy(text, seed, len);
        mutate(text, &len);
        accepted += compare_with_cjson(text, len);
        struct result whole = read_text(text, len, 1000000);
        struct result pieces = read_text(text, len, 0);
        ck_assert_int_eq(whole.error, pieces.error);
        ck_assert_uint_eq(whole.position, pieces.position);
        ck_assert_uint_eq(whole.events.len, pieces.events.len);
        ck_assert_mem_eq(whole.events.data, pieces.events.data, whole.events.len);
        buf_finish(&whole.events);
        buf_finish(&pieces.events);
    }
    ck_assert_uint_gt(accepted, 500);
}
END_TEST

START_TEST(cut_short)
{
    static const char text[] = "{\"a\":[1,-2.5e3,\"x\\u00e9\\\\\"],\"b\":{\"c\":NaN}}";

    for (size_t len = 0; len < sizeof(text) - 1; len++) {
        struct result r = read_text(text, len, 1 + len % 5);
        ck_assert_int_eq(r.error, -ENODATA);
        ck_assert_uint_eq(r.position, len);
        buf_finish(&r.events);
    }
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("json_stream");
    TCase *c = tcase_create("all");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, structure);
    tcase_add_test(c, refused);
    tcase_add_test(c, numbers);
    tcase_add_test(c, not_numbers);
    tcase_add_test(c, escapes);
    tcase_add_test(c, limits);
    tcase_add_test(c, stopping);
    tcase_add_test(c, agrees_with_cjson);
    tcase_add_test(c, mutations);
    tcase_add_test(c, cut_short);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
