/* SPDX-License-Identifier: Apache-2.0 */
/* The strings of the streaming JSON reader: plain bytes in bulk, escapes, surrogates.
 * Part of json_stream.c and run by the thread that owns the reader. */
#include "collectors/json_stream_priv.h"

#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "common/utf8.h"

const char *
json_begin_string(struct json_stream *s, const char *p, bool is_key)
{
    s->is_key = is_key;
    s->carry_len = 0;
    s->high = 0;
    s->mark = p + 1;
    s->state = STRING;
    return p + 1;
}

static bool
carry_code_point(struct json_stream *s, uint32_t code_point)
{
    char bytes[4];

    return json_carry_add(s, bytes, utf8_encode(code_point, bytes));
}

/* A high bit is set in each byte of v that is zero. Bytes above a zero byte may get one
 * too, so only the lowest is certain. */
static uint64_t
zero_bytes(uint64_t v)
{
    return (v - 0x0101010101010101) & ~v & 0x8080808080808080;
}

/* Bytes that a string may not hold as themselves: quote, backslash, control. */
static uint64_t
special_bytes(const char *p)
{
    uint64_t word;

    memcpy(&word, p, 8);
    word = le64toh(word);
    return zero_bytes(word ^ 0x2222222222222222) |
           zero_bytes(word ^ 0x5c5c5c5c5c5c5c5c) |
           zero_bytes(word & 0xe0e0e0e0e0e0e0e0);
}

/* The first special byte, else end. Eight bytes at a time. */
static const char *
plain_end(const char *p, const char *end)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i control = _mm_set1_epi8(0x1f);
    for (; end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)p);
        __m128i hit =
            _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash));
        hit = _mm_or_si128(hit, _mm_cmpeq_epi8(_mm_min_epu8(v, control), v));
        int mask = _mm_movemask_epi8(hit);
        if (mask != 0)
            return p + __builtin_ctz(mask);
    }
#endif
    for (; end - p >= 8; p += 8) {
        uint64_t special = special_bytes(p);
        if (special != 0)
            return p + (__builtin_ctzll(special) >> 3);
    }
    while (p < end && *p != '"' && *p != '\\' && (uint8_t)*p >= 0x20)
        p++;
    return p;
}

const char *
json_step_string(struct json_stream *s, const char *p, const char *end)
{
    if (s->high != 0 && *p != '\\') {
        s->high = 0;
        if (!carry_code_point(s, 0xfffd))
            return p;
    }
    p = plain_end(p, end);
    if (p == end)
        return p;
    if (*p == '"') {
        if (!json_emit_text(s, s->is_key ? JSON_KEY : JSON_STRING, p))
            return p;
        if (s->is_key)
            s->state = COLON;
        else
            json_value_done(s);
        return p + 1;
    }
    if (*p != '\\')
        return json_fail(s, p, -EINVAL, "no control character inside a string");
    if (!json_carry_add(s, s->mark, (size_t)(p - s->mark)))
        return p;
    s->state = ESCAPE;
    return p + 1;
}

/* Back inside the string: its plain bytes go on at p. */
static const char *
resume_string(struct json_stream *s, const char *p)
{
    s->mark = p;
    s->state = STRING;
    return p;
}

const char *
json_step_escape(struct json_stream *s, const char *p, const char *end)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    static_assert(sizeof(from) == sizeof(to), "pairs");

    (void)end;
    if (*p == 'u') {
        s->hex = 0;
        s->hex_len = 0;
        s->state = HEX;
        return p + 1;
    }
    const char *found = *p == '\0' ? NULL : strchr(from, *p);
    if (found == NULL)
        return json_fail(s, p, -EINVAL, "one of \"\\/bfnrtu after a backslash");
    if (s->high != 0 && !carry_code_point(s, 0xfffd))
        return p;
    s->high = 0;
    if (!json_carry_add(s, &to[found - from], 1))
        return p;
    return resume_string(s, p + 1);
}

/* A \uXXXX is complete: pairs surrogates, replaces lone ones by U+FFFD. */
static bool
take_code_unit(struct json_stream *s, uint32_t unit)
{
    uint32_t high = s->high;

    s->high = 0;
    if (high != 0 && unit >= 0xdc00 && unit <= 0xdfff)
        return carry_code_point(s, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
    if (high != 0 && !carry_code_point(s, 0xfffd))
        return false;
    if (unit >= 0xd800 && unit <= 0xdbff) {
        s->high = unit;
        return true;
    }
    return carry_code_point(s, unit >= 0xdc00 && unit <= 0xdfff ? 0xfffd : unit);
}

static int
hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
        return (c | 0x20) - 'a' + 10;
    return -1;
}

const char *
json_step_hex(struct json_stream *s, const char *p, const char *end)
{
    while (p < end) {
        int digit = hex_value(*p);
        if (digit < 0)
            return json_fail(s, p, -EINVAL, "four hex digits after \\u");
        s->hex = s->hex << 4 | (uint32_t)digit;
        p++;
        if (++s->hex_len == 4) {
            if (!take_code_unit(s, s->hex))
                return p;
            return resume_string(s, p);
        }
    }
    return p;
}
