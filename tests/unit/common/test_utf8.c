/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8: each code point, each edge of RFC 3629's table, and a check of its own. */
#include "common/utf8.h"

#include <string.h>

#include "tests/unit/common/harness.h"

START_TEST(every_code_point)
{
    for (uint32_t c = 0; c < 0x110000; c++) {
        char out[4];
        size_t len = utf8_encode(c, out);
        bool surrogate = c >= 0xd800 && c <= 0xdfff;

        if (len != (c < 0x80      ? 1
                    : c < 0x800   ? 2
                    : c < 0x10000 ? 3
                                  : 4) ||
            utf8_sequence(out, len) != (surrogate ? 0 : len) ||
            (len > 1 && utf8_sequence(out, len - 1) != 0))
            ck_abort_msg("U+%04X", c);
    }
}
END_TEST

START_TEST(known_texts)
{
    char out[4];

    ck_assert_uint_eq(utf8_encode(0xe9, out), 2);
    ck_assert_mem_eq(out, "\xc3\xa9", 2);
    ck_assert_uint_eq(utf8_encode(0x20ac, out), 3);
    ck_assert_mem_eq(out, "\xe2\x82\xac", 3);
    ck_assert_uint_eq(utf8_encode(0x1f600, out), 4);
    ck_assert_mem_eq(out, "\xf0\x9f\x98\x80", 4);
    ck_assert(utf8_valid("", 0));
    ck_assert(utf8_valid("caf\xc3\xa9 \0 \xf0\x9f\x98\x80", 12));
}
END_TEST

START_TEST(ill_formed)
{
    static const char *const rows[] = {
        "\x80",             /* continuation alone */
        "\xbf",             /* the same */
        "\xc0\x80",         /* overlong NUL */
        "\xc1\xbf",         /* overlong DEL */
        "\xc3",             /* cut off */
        "\xc3(",            /* no continuation */
        "\xe0\x9f\xbf",     /* overlong */
        "\xe2\x82",         /* cut off */
        "\xe2\x82(",        /* no second continuation */
        "\xed\xa0\x80",     /* surrogate */
        "\xf0\x8f\xbf\xbf", /* overlong */
        "\xf0\x9f\x98",     /* cut off */
        "\xf0\x9f\x98\xc0", /* no third continuation */
        "\xf4\x90\x80\x80", /* above U+10FFFF */
        "\xf5\x80\x80\x80", /* above */
        "\xfe",             /* never */
        "\xff",             /* never */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[10];
        snprintf(text, sizeof text, "ok%sok", rows[i]);
        ck_assert_msg(utf8_sequence(rows[i], strlen(rows[i])) == 0, "row %zu", i);
        ck_assert_msg(!utf8_valid(text, strlen(text)), "row %zu in a text", i);
    }
}
END_TEST

/* Decodes and encodes again; only the shortest form of a scalar value comes back equal.
 */
static bool
decodes(const uint8_t *p, size_t len, size_t *ret_len)
{
    static const uint8_t mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    uint32_t c = p[0] & mask[n];
    char again[4];

    if (n > len)
        return false;
    for (size_t i = 1; i < n; i++)
        c = c << 6 | (p[i] & 0x3f);
    if (c >= 0x110000 || (c >= 0xd800 && c <= 0xdfff))
        return false;
    *ret_len = n;
    return utf8_encode(c, again) == n && memcmp(again, p, n) == 0;
}

START_TEST(agrees_with_decoding)
{
    struct generator g = start_generator("utf8");

    for (int i = 0; i < 200000; i++) {
        uint64_t bits = next_u64(&g);
        char s[4];
        size_t want = 0;

        memcpy(s, &bits, sizeof s);
        if (i % 2 == 0) /* half of them begin like a long sequence */
            s[0] = (char)((uint8_t)s[0] | 0xe0);
        for (size_t k = 1; i % 4 < 2 && k < 4; k++)
            s[k] = (char)(0x80 | (s[k] & 0x3f));
        size_t len = 1 + next_below(&g, 4);
        if (!decodes((const uint8_t *)s, len, &want))
            want = 0;
        if (utf8_sequence(s, len) != want)
            ck_abort_msg("%zu bytes of %02x %02x %02x %02x", len, s[0] & 255,
                         s[1] & 255, s[2] & 255, s[3] & 255);
    }
}
END_TEST

START_TEST(control_characters)
{
    for (uint32_t c = 0; c < 0x300; c++) {
        char s[4];
        (void)utf8_encode(c, s);
        ck_assert_int_eq(utf8_is_control(s), c < 0x20 || (c >= 0x7f && c < 0xa0));
    }
}
END_TEST

TEST_MAIN("utf8", every_code_point, known_texts, ill_formed, agrees_with_decoding,
          control_characters)
