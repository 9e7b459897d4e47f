/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON writer: whole documents, strings of every kind, and what cJSON reads back.
 */
#include "common/json_write.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "common/utf8.h"
#include "tests/unit/common/harness.h"

START_TEST(whole_document)
{
    struct buf out;
    struct json_writer w;

    buf_init(&out, 0);
    json_init(&w, &out);
    json_object_begin(&w);
    json_member_string(&w, "s", "t1");
    json_member_string(&w, "none", NULL);
    json_member_u64(&w, "u", UINT64_MAX);
    json_member_i64(&w, "i", INT64_MIN);
    json_member_double(&w, "d", 0.1);
    json_member_double(&w, "nan", NAN);
    json_member_double(&w, "inf", -INFINITY);
    json_member_bool(&w, "t", true);
    json_member_bool(&w, "f", false);
    json_member_null(&w, "n");
    json_member_time(&w, "time", 1700000000123);
    json_member_time(&w, "never", -1);
    json_key(&w, "empty");
    json_array_begin(&w);
    json_array_end(&w);
    json_key(&w, "points");
    json_array_begin(&w);
    for (int i = 0; i < 2; i++) {
        json_array_begin(&w);
        json_u64(&w, i);
        json_null(&w);
        json_array_end(&w);
    }
    json_object_begin(&w);
    json_object_end(&w);
    json_double(&w, 1e300);
    json_bool(&w, true);
    json_time(&w, 0);
    json_array_end(&w);
    json_member_u64(&w, "last", 0);
    json_object_end(&w);

    ck_assert_str_eq(
        out.data,
        "{\"s\":\"t1\",\"none\":null,\"u\":18446744073709551615,"
        "\"i\":-9223372036854775808,\"d\":0.1,\"nan\":null,\"inf\":null,"
        "\"t\":true,\"f\":false,\"n\":null,\"time\":\"2023-11-14T22:13:20.123Z\","
        "\"never\":null,\"empty\":[],\"points\":[[0,null],[1,null],{},1e+300,"
        "true,\"1970-01-01T00:00:00.000Z\"],\"last\":0}");
    buf_finish(&out);
}
END_TEST

static void
assert_string(const char *s, size_t len, const char *want)
{
    struct buf out;
    struct json_writer w;

    buf_init(&out, 0);
    json_init(&w, &out);
    json_string_n(&w, s, len);
    ck_assert_str_eq(out.data, want);
    buf_finish(&out);
}

#define ASSERT_STRING(s, want) assert_string(s, sizeof(s) - 1, want)

START_TEST(strings)
{
    ASSERT_STRING("", "\"\"");
    ASSERT_STRING("a/b 'c'", "\"a/b 'c'\"");
    ASSERT_STRING("\"\\", "\"\\\"\\\\\"");
    ASSERT_STRING("\n\r\t", "\"\\n\\r\\t\"");
    ASSERT_STRING("\0\x01\b\f\x1f\x7f",
                  "\"\\u0000\\u0001\\u0008\\u000c\\u001f\\u007f\"");
    ASSERT_STRING("</script>&", "\"\\u003c/script\\u003e\\u0026\"");
    ASSERT_STRING("caf\xc3\xa9 \xf0\x9f\x98\x80", "\"caf\xc3\xa9 \xf0\x9f\x98\x80\"");
}
END_TEST

#define FFFD "\xef\xbf\xbd"

START_TEST(bytes_that_are_not_utf8)
{
    ASSERT_STRING("\xff", "\"" FFFD "\"");
    ASSERT_STRING("a\xc3", "\"a" FFFD "\"");
    ASSERT_STRING("\xc3\"", "\"" FFFD "\\\"\""); /* the quote is not swallowed */
    ASSERT_STRING("\xe2\x82z", "\"" FFFD FFFD "z\"");
    ASSERT_STRING("\xed\xa0\x80", "\"" FFFD FFFD FFFD "\"");
    ASSERT_STRING("\xc0\xaf<", "\"" FFFD FFFD "\\u003c\"");
}
END_TEST

START_TEST(keys_are_escaped)
{
    struct buf out;
    struct json_writer w;

    buf_init(&out, 0);
    json_init(&w, &out);
    json_object_begin(&w);
    json_member_null(&w, "a\"b<");
    json_object_end(&w);
    ck_assert_str_eq(out.data, "{\"a\\\"b\\u003c\":null}");
    buf_finish(&out);
}
END_TEST

START_TEST(full_buffer_is_latched)
{
    struct buf out;
    struct json_writer w;

    buf_init(&out, 10);
    json_init(&w, &out);
    json_array_begin(&w);
    json_string(&w, "0123456789");
    json_u64(&w, 1);
    json_array_end(&w);
    ck_assert(out.failed);
    ck_assert_uint_le(out.len, 10);
    buf_finish(&out);
}
END_TEST

/* Any bytes give a document that is UTF-8, safe inside HTML, and read by another
 * parser as the same text. */
START_TEST(any_bytes)
{
    struct generator g = start_generator("json_write");

    for (int i = 0; i < 3000; i++) {
        char s[40];
        size_t len = next_below(&g, sizeof s);
        struct buf out, want;
        struct json_writer w;

        for (size_t k = 0; k < len; k++)
            s[k] = (char)(1 + next_below(&g, next_below(&g, 2) ? 255 : 127));
        buf_init(&want, 0);
        for (size_t k = 0; k < len;) {
            size_t n = utf8_sequence(s + k, len - k);
            if (n == 0)
                buf_adds(&want, FFFD);
            else
                buf_add(&want, s + k, n);
            k += n == 0 ? 1 : n;
        }
        buf_init(&out, 0);
        json_init(&w, &out);
        json_string_n(&w, s, len);
        ck_assert(utf8_valid(out.data, out.len));
        ck_assert_ptr_null(strpbrk(out.data, "<>&\n\r"));
        cJSON *read = cJSON_ParseWithLengthOpts(out.data, out.len + 1, NULL, 1);
        ck_assert(cJSON_IsString(read));
        ck_assert_str_eq(read->valuestring, want.data);
        cJSON_Delete(read);
        buf_finish(&out);
        buf_finish(&want);
    }
}
END_TEST

TEST_MAIN("json_write", whole_document, strings, bytes_that_are_not_utf8,
          keys_are_escaped, full_buffer_is_latched, any_bytes)
