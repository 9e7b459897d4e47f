/* SPDX-License-Identifier: Apache-2.0 */
/* Encoded region names as numbers. Holds no state; any thread may call it. */
#include "common/region_id.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/parse.h"

enum { HEX_LEN = 32, DECIMAL_LEN = 10 };

static const uint64_t decimal_max = 9999999999;

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

static bool
parse_hex(const char *s, struct region_id *ret)
{
    uint64_t half[2] = {0, 0};

    for (size_t i = 0; i < HEX_LEN; i++) {
        int digit = hex_digit(s[i]);
        if (digit < 0)
            return false;
        half[i / 16] = half[i / 16] << 4 | (uint64_t)digit;
    }
    *ret = (struct region_id){half[0], half[1]};
    return true;
}

/* HBase prints no leading zeros, so a name with one is none. */
static bool
parse_decimal(const char *s, size_t len, struct region_id *ret)
{
    uint64_t n;

    if ((len > 1 && s[0] == '0') || parse_u64(s, len, &n) != 0)
        return false;
    *ret = (struct region_id){0, n};
    return true;
}

bool
region_id_parse(const char *s, size_t len, struct region_id *ret)
{
    if (len == HEX_LEN)
        return parse_hex(s, ret);
    return len <= DECIMAL_LEN && parse_decimal(s, len, ret);
}

const char *
region_id_text(struct region_id id, char text[static REGION_ID_TEXT_SIZE])
{
    if (id.hi == 0 && id.lo <= decimal_max)
        snprintf(text, REGION_ID_TEXT_SIZE, "%" PRIu64, id.lo);
    else
        snprintf(text, REGION_ID_TEXT_SIZE, "%016" PRIx64 "%016" PRIx64, id.hi, id.lo);
    return text;
}

int
region_id_compare(struct region_id a, struct region_id b)
{
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return a.lo < b.lo ? -1 : a.lo > b.lo;
}

/* The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
 * generators, 2014). */
uint64_t
region_id_hash(struct region_id id)
{
    uint64_t x = id.lo ^ (id.hi << 32 | id.hi >> 32);

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}
