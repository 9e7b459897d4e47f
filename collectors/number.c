/* SPDX-License-Identifier: Apache-2.0 */
/* Reading of HBase's numbers without undefined conversions. Holds no state; any thread
 * may call it. */
#include "collectors/number.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/parse.h"

/* 2^53: up to here a double holds each integer. */
static const double exact_max = 9007199254740992.0;

/* Up to this many digits there is no overflow to look for. */
enum { SHORT_DIGITS = 18 };

static bool
short_digits(const char *s, size_t len, uint64_t *ret)
{
    uint64_t v = 0;

    if (len == 0 || len > SHORT_DIGITS)
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned digit = (unsigned char)s[i] - (unsigned)'0';
        if (digit > 9)
            return false;
        v = v * 10 + digit;
    }
    *ret = v;
    return true;
}

int
number_counter(const char *s, size_t len, uint64_t *ret)
{
    uint64_t v;
    double d;

    if (short_digits(s, len, ret))
        return 0;
    int r = parse_u64(s, len, &v);
    if (r == 0) {
        if (v > INT64_MAX)
            return -ERANGE;
        *ret = v;
        return 0;
    }
    if (r == -ERANGE)
        return r;
    r = parse_double(s, len, &d);
    if (r < 0)
        return r;
    if (!(d >= 0 && d <= exact_max) || d != floor(d))
        return -ERANGE;
    *ret = (uint64_t)d;
    return 0;
}

int
number_whole(const char *s, size_t len, int64_t *ret)
{
    uint64_t v;
    double d;

    if (short_digits(s, len, &v)) {
        *ret = (int64_t)v;
        return 0;
    }
    int r = parse_i64(s, len, ret);
    if (r != -EINVAL)
        return r;
    r = parse_double(s, len, &d);
    if (r < 0)
        return r;
    if (!(fabs(d) <= exact_max))
        return -ERANGE;
    *ret = llround(d);
    return 0;
}

/* Cuts a unit off the end of s: its bytes, or 0 when the letters are none. */
static int64_t
cut_unit(const char *s, size_t *len, int64_t default_unit)
{
    static const char prefixes[] = "KMGTP";
    size_t n = *len;

    if (n == 0 || (s[n - 1] >= '0' && s[n - 1] <= '9'))
        return default_unit;
    if (s[n - 1] != 'B')
        return 0;
    n--;
    int64_t unit = 1;
    const char *prefix =
        n > 0 ? memchr(prefixes, s[n - 1], sizeof(prefixes) - 1) : NULL;
    if (prefix != NULL) {
        unit = INT64_C(1) << (10 * (prefix - prefixes + 1));
        n--;
    }
    while (n > 0 && s[n - 1] == ' ')
        n--;
    *len = n;
    return unit;
}

int
number_size(const char *s, size_t len, int64_t default_unit, int64_t *ret)
{
    double d;
    int64_t unit = cut_unit(s, &len, default_unit);

    if (unit == 0)
        return -EINVAL;
    int r = parse_double(s, len, &d);
    if (r < 0)
        return r;
    d *= (double)unit;
    if (!(d >= 0 && d <= exact_max))
        return -ERANGE;
    *ret = llround(d);
    return 0;
}

bool
number_is_absent(const char *s, size_t len)
{
    static const char *const names[] = {"NaN", "Infinity", "-Infinity"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strlen(names[i]) == len && memcmp(names[i], s, len) == 0)
            return true;
    }
    return false;
}
