/* SPDX-License-Identifier: Apache-2.0 */
/* HBase's binary escape: its own vectors, its oddities, round trips. */
#include "common/row_key.h"

#include <stdbool.h>
#include <string.h>

#include "tests/unit/common/harness.h"

typedef void escape_fn(struct buf *out, const void *key, size_t len);

static void
assert_text(escape_fn *fn, const void *key, size_t len, const char *want)
{
    struct buf out;

    buf_init(&out, 0);
    fn(&out, key, len);
    ck_assert_str_eq(out.data, want);
    buf_finish(&out);
}

#define ASSERT_ESCAPE(key, want) assert_text(row_key_escape, key, sizeof(key) - 1, want)
#define ASSERT_SHELL(key, want) assert_text(row_key_shell, key, sizeof(key) - 1, want)

static void
assert_bytes(const char *text, const void *want, size_t want_len)
{
    uint8_t out[100];

    size_t len = row_key_unescape(text, strlen(text), out);
    ck_assert_msg(len == want_len, "'%s': %zu bytes, not %zu", text, len, want_len);
    ck_assert_mem_eq(out, want, len);
}

#define ASSERT_UNESCAPE(text, want) assert_bytes(text, want, sizeof(want) - 1)

START_TEST(to_string_binary)
{
    ASSERT_ESCAPE("", "");
    ASSERT_ESCAPE("user42", "user42");
    ASSERT_ESCAPE(" !\"#$%&'()*+,-./:;<=>?@[]^_`{|}~",
                  " !\"#$%&'()*+,-./:;<=>?@[]^_`{|}~");
    ASSERT_ESCAPE("a\\b", "a\\x5Cb");
    ASSERT_ESCAPE("\0\x01\x1f\x7f\x80\xab\xff", "\\x00\\x01\\x1F\\x7F\\x80\\xAB\\xFF");
    ASSERT_ESCAPE("\0\0\0\x02\xec", "\\x00\\x00\\x00\\x02\\xEC");
    ASSERT_ESCAPE("caf\xc3\xa9", "caf\\xC3\\xA9");
}
END_TEST

START_TEST(to_bytes_binary)
{
    ASSERT_UNESCAPE("", "");
    ASSERT_UNESCAPE("user42", "user42");
    ASSERT_UNESCAPE("\\x00A", "\0A");
    ASSERT_UNESCAPE("\\x00\\xFFz", "\0\xffz");
    ASSERT_UNESCAPE("\\x5Cx41", "\\x41"); /* an escaped backslash is not read twice */
    ASSERT_UNESCAPE("\\x4A\\x4", "J\\x4");
}
END_TEST

/* What Bytes.toBytesBinary makes of text that toStringBinary never prints. */
START_TEST(odd_escapes)
{
    ASSERT_UNESCAPE("\\xab", "xab"); /* lower case is no escape; the backslash goes */
    ASSERT_UNESCAPE("\\xAb", "xAb");
    ASSERT_UNESCAPE("\\xaB", "xaB");
    ASSERT_UNESCAPE("\\xG0", "xG0");
    ASSERT_UNESCAPE("\\x/0\\x:0\\x@0", "x/0x:0x@0"); /* neighbours of the digits */
    ASSERT_UNESCAPE("\\x4", "\\x4");                 /* cut off: literal */
    ASSERT_UNESCAPE("\\x", "\\x");
    ASSERT_UNESCAPE("\\", "\\");
    ASSERT_UNESCAPE("a\\b", "a\\b"); /* no x: literal */
    ASSERT_UNESCAPE("\\X41", "\\X41");
    ASSERT_UNESCAPE("\\\\x41", "\\A");
    ASSERT_UNESCAPE("\\x\\x41", "xA");
    ASSERT_UNESCAPE("\xc3\xa9", "\xc3\xa9");
}
END_TEST

START_TEST(shell_text)
{
    ASSERT_SHELL("user42", "user42");
    ASSERT_SHELL("say \"hi\"", "say \\\"hi\\\"");
    ASSERT_SHELL("#{x}", "\\x23{x}");
    ASSERT_SHELL("#$x #@x", "\\x23$x \\x23@x");
    ASSERT_SHELL("a#b ##{", "a#b #\\x23{");
    ASSERT_SHELL("#", "#");
    ASSERT_SHELL("#\0", "#\\x00");
    ASSERT_SHELL("\\\"", "\\x5C\\\"");
    ASSERT_SHELL("\xff'", "\\xFF'");
}
END_TEST

static size_t
random_key(struct generator *g, uint8_t *key, size_t size)
{
    static const char hard[] = "\\x4A\"#{$@}0Fxa";
    size_t len = next_below(g, size);

    for (size_t i = 0; i < len; i++)
        key[i] = next_below(g, 2) ? (uint8_t)hard[next_below(g, sizeof hard - 1)]
                                  : (uint8_t)next_u64(g);
    return len;
}

START_TEST(round_trip)
{
    struct generator g = start_generator("row_key");

    for (int i = 0; i < 3000; i++) {
        uint8_t key[64];
        size_t len = random_key(&g, key, sizeof key);
        struct buf text;

        buf_init(&text, 0);
        row_key_escape(&text, key, len);
        size_t bad = 0;
        for (size_t k = 0; k < text.len; k++)
            bad += text.data[k] < 0x20 || text.data[k] > 0x7e;
        ck_assert_uint_eq(bad, 0);
        /* in place */
        size_t back = row_key_unescape(text.data, text.len, (uint8_t *)text.data);
        ck_assert_uint_eq(back, len);
        ck_assert_mem_eq(text.data, key, len);
        buf_finish(&text);
    }
}
END_TEST

/* Reads the inside of a double-quoted Ruby string that holds only \" and \xHH; fails on
 * what would end the string or interpolate. */
static size_t
read_ruby(const char *s, size_t len, uint8_t *out)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        if (s[i] == '"' ||
            (s[i] == '#' && i + 1 < len && strchr("{$@", s[i + 1]) != NULL))
            ck_abort_msg("'%s' at %zu", s, i);
        if (s[i] != '\\') {
            out[n++] = (uint8_t)s[i];
        } else if (s[i + 1] == '"') {
            out[n++] = '"';
            i++;
        } else {
            unsigned byte;
            ck_assert_int_eq(sscanf(s + i, "\\x%2X", &byte), 1);
            out[n++] = (uint8_t)byte;
            i += 3;
        }
    }
    return n;
}

START_TEST(shell_round_trip)
{
    struct generator g = start_generator("row_key, shell");

    for (int i = 0; i < 3000; i++) {
        uint8_t key[64], back[64];
        size_t len = random_key(&g, key, sizeof key);
        struct buf text;

        buf_init(&text, 0);
        row_key_shell(&text, key, len);
        ck_assert_uint_eq(read_ruby(text.data, text.len, back), len);
        ck_assert_mem_eq(back, key, len);
        buf_finish(&text);
    }
}
END_TEST

/* Whatever the text is, no more comes out than went in. */
START_TEST(any_text_is_bounded)
{
    struct generator g = start_generator("row_key, any text");

    for (int i = 0; i < 3000; i++) {
        uint8_t text[64];
        size_t len = random_key(&g, text, sizeof text);
        uint8_t *exact = malloc(len + 1); /* of the size that the header promises */
        uint8_t *out = malloc(len + 1);

        memcpy(exact, text, len);
        out[len] = 0xee;
        ck_assert_uint_le(row_key_unescape((char *)exact, len, out), len);
        ck_assert_uint_eq(out[len], 0xee);
        free(exact);
        free(out);
    }
}
END_TEST

START_TEST(keys_have_the_order_of_hbase)
{
    static const struct {
        const char *key;
        size_t len;
    } rising[] = {{NULL, 0}, {"\0", 1}, {"a", 1},   {"a\0", 2},
                  {"ab", 2}, {"b", 1},  {"\xff", 1}};

    for (size_t i = 0; i < sizeof rising / sizeof *rising; i++)
        for (size_t k = 0; k < sizeof rising / sizeof *rising; k++) {
            int order = row_key_compare(rising[i].key, rising[i].len, rising[k].key,
                                        rising[k].len);
            ck_assert_int_eq((order > 0) - (order < 0), (i > k) - (i < k));
        }
}
END_TEST

TEST_MAIN("row_key", to_string_binary, to_bytes_binary, odd_escapes, shell_text,
          round_trip, shell_round_trip, any_text_is_bounded,
          keys_have_the_order_of_hbase)
