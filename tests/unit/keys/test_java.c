/* SPDX-License-Identifier: Apache-2.0 */
/* Values computed with a JDK 17; tests/keys compares many more with the JDK there. */
#include "keys/java.h"

#include "tests/unit/keys/support.h"

static const struct {
    const char *text;
    int32_t hash;
    uint32_t bucket16;
} strings[] = {
    {"", 0, 0},
    {"a", 97, 1},
    {"user1", 111578566, 6},
    {"user42", -836031607, 7},
    {"device-0001", -1591143144, 8},
    {"caf\xc3\xa9", 3045921, 1},
    {"\xe6\x97\xa5\xe6\x9c\xac", 835047, 7},
    {"\xf0\x9f\x98\x80", 1772899, 3},
    {"polygenelubricants", INT32_MIN, 0},
    {"AaAa", 2031744, 0},
    {"BBBB", 2031744, 0},
};

START_TEST(string_hash_code)
{
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        int32_t hash = java_string_hash(strings[i].text, strlen(strings[i].text));
        ck_assert_msg(hash == strings[i].hash, "%s: %d", strings[i].text, hash);
        ck_assert_uint_eq(java_bucket(hash, 16), strings[i].bucket16);
    }
}
END_TEST

START_TEST(smallest_int)
{
    ck_assert_uint_eq(java_bucket(INT32_MIN, 10), 8);
    ck_assert_int_eq(java_abs_bucket(INT32_MIN, 10), -8);
    ck_assert_int_eq(java_abs_bucket(-836031607, 16), 7);
    ck_assert_uint_eq(java_bucket(INT32_MIN, 1), 0);
    ck_assert_uint_eq(java_bucket(-1, 1000000), 1);
}
END_TEST

START_TEST(byte_array_hash)
{
    ck_assert_int_eq(java_bytes_hash("user1", 5), 140207717);
    ck_assert_int_eq(java_bytes_hash("caf\xc3\xa9", 5), 123043501);
    ck_assert_int_eq(java_bytes_hash("\x80\xff", 2), -3008);
    ck_assert_int_eq(java_bytes_hash("", 0), 1);
}
END_TEST

/* One U+FFFD for as many bytes as Java's decoder replaces by one. */
START_TEST(what_is_not_utf8)
{
    static const struct {
        const char *bytes;
        int replaced;
    } broken[] = {
        {"\x80", 1},         {"\xff\xfe", 2},         {"\xc0\x80", 2},
        {"\xe2\x82", 1},     {"\xe0\x80\x80", 3},     {"\xed\xa0\x80", 1},
        {"\xf0\x9f\x98", 1}, {"\xf0\x80\x80\x80", 4}, {"\xf4\x90\x80\x80", 4}};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        uint32_t hash = 0;
        for (int n = 0; n < broken[i].replaced; n++)
            hash = hash * 31 + 0xFFFD;
        ck_assert_int_eq(java_string_hash(broken[i].bytes, strlen(broken[i].bytes)),
                         (int32_t)hash);
    }
}
END_TEST

TEST_MAIN("keys/java", string_hash_code, smallest_int, byte_array_hash,
          what_is_not_utf8)
