/* SPDX-License-Identifier: Apache-2.0 */
/* Java's hashes. Holds no state; any thread may call it. */
#include "keys/java.h"

#include <assert.h>
#include <stdbool.h>

enum { REPLACEMENT = 0xFFFD };

/* May `second` follow the lead byte of a sequence of `need` bytes? Java lets encoded
 * surrogates through here and replaces them as a whole. */
static bool
second_fits(uint8_t lead, size_t need, uint8_t second)
{
    if ((second & 0xC0) != 0x80)
        return false;
    if (need == 3)
        return lead != 0xE0 || second >= 0xA0;
    if (need == 4)
        return lead != 0xF0 ? lead != 0xF4 || second < 0x90 : second >= 0x90;
    return true;
}

/* Bytes of the sequence that begins with the byte; 0 for one that begins none. */
static size_t
sequence_need(uint8_t lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/* Decodes one code point, or U+FFFD for as many bytes as Java's decoder replaces by
 * one. Returns the bytes taken, at least 1. */
static size_t
next_code_point(const uint8_t *p, size_t len, uint32_t *ret)
{
    size_t need = sequence_need(p[0]);
    size_t have = 1;

    *ret = REPLACEMENT;
    if (need == 0)
        return 1;
    while (have < need && have < len &&
           (have == 1 ? second_fits(p[0], need, p[1]) : (p[have] & 0xC0) == 0x80))
        have++;
    if (have < need)
        return have;
    static const uint8_t mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t c = p[0] & mask[need];
    for (size_t i = 1; i < need; i++)
        c = c << 6 | (p[i] & 0x3F);
    *ret = c >= 0xD800 && c <= 0xDFFF ? REPLACEMENT : c;
    return need;
}

int32_t
java_string_hash(const void *bytes, size_t len)
{
    const uint8_t *p = bytes;
    uint32_t hash = 0;

    for (size_t i = 0; i < len;) {
        uint32_t c = p[i];
        if (c < 0x80)
            i++;
        else
            i += next_code_point(p + i, len - i, &c);
        if (c > 0xFFFF) {
            hash = 31 * hash + (0xD800 + ((c - 0x10000) >> 10));
            c = 0xDC00 + ((c - 0x10000) & 0x3FF);
        }
        hash = 31 * hash + c;
    }
    return (int32_t)hash;
}

int32_t
java_bytes_hash(const void *bytes, size_t len)
{
    const int8_t *p = bytes;
    uint32_t hash = 1;

    for (size_t i = 0; i < len; i++)
        hash = 31 * hash + (uint32_t)p[i];
    return (int32_t)hash;
}

uint32_t
java_bucket(int32_t hash, uint32_t n)
{
    assert(n > 0);
    int64_t rest = (int64_t)hash % n;
    return (uint32_t)(rest < 0 ? -rest : rest);
}

int32_t
java_abs_bucket(int32_t hash, uint32_t n)
{
    assert(n > 0 && n <= INT32_MAX);
    if (hash == INT32_MIN)
        return hash % (int32_t)n;
    return (hash < 0 ? -hash : hash) % (int32_t)n;
}
