/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, durations and sizes. Digits are read by hand; only parse_double() and
 * double_text() use strtod() and printf's %g, whose decimal point depends on
 * LC_NUMERIC: this program never calls setlocale() (tests/lint checks that), so it is
 * always '.'. Holds no state; any thread may call it. */
#include "common/parse.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t
count_digits(const char *s, size_t len)
{
    size_t n = 0;

    while (n < len && s[n] >= '0' && s[n] <= '9')
        n++;
    return n;
}

int
parse_u64(const char *s, size_t len, uint64_t *ret)
{
    uint64_t v = 0;

    if (len == 0 || count_digits(s, len) != len)
        return -EINVAL;
    for (size_t i = 0; i < len; i++) {
        if (__builtin_mul_overflow(v, (uint64_t)10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(s[i] - '0'), &v))
            return -ERANGE;
    }
    *ret = v;
    return 0;
}

int
parse_i64(const char *s, size_t len, int64_t *ret)
{
    bool negative = len > 0 && s[0] == '-';
    uint64_t v;

    int r = parse_u64(s + negative, len - negative, &v);
    if (r < 0)
        return r;
    if (v > (uint64_t)INT64_MAX + negative)
        return -ERANGE;
    /* -1 - (v - 1) reaches INT64_MIN without leaving the type. */
    *ret = negative && v > 0 ? -1 - (int64_t)(v - 1) : (int64_t)v;
    return 0;
}

/* [sign] digits ["." digits] [("e"|"E") [sign] digits] */
static bool
has_double_form(const char *s, size_t len)
{
    size_t at = len > 0 && (s[0] == '-' || s[0] == '+');
    size_t n = count_digits(s + at, len - at);

    if (n == 0)
        return false;
    at += n;
    if (at < len && s[at] == '.') {
        at++;
        n = count_digits(s + at, len - at);
        if (n == 0)
            return false;
        at += n;
    }
    if (at < len && (s[at] == 'e' || s[at] == 'E')) {
        at++;
        at += at < len && (s[at] == '-' || s[at] == '+');
        n = count_digits(s + at, len - at);
        if (n == 0)
            return false;
        at += n;
    }
    return at == len;
}

int
parse_double(const char *s, size_t len, double *ret)
{
    char text[PARSE_DOUBLE_MAX_LEN + 1];

    if (!has_double_form(s, len))
        return -EINVAL;
    if (len > PARSE_DOUBLE_MAX_LEN)
        return -ERANGE;
    memcpy(text, s, len);
    text[len] = '\0';
    double v = strtod(text, NULL);
    if (!isfinite(v))
        return -ERANGE;
    *ret = v;
    return 0;
}

struct unit {
    const char *name;
    uint64_t factor;
};

static const struct unit duration_units[] = {
    {"d", 86400000}, {"h", 3600000}, {"m", 60000}, {"s", 1000}, {"ms", 1},
};

static const struct unit size_units[] = {
    {"B", 1},
    {"KiB", UINT64_C(1) << 10},
    {"MiB", UINT64_C(1) << 20},
    {"GiB", UINT64_C(1) << 30},
    {"TiB", UINT64_C(1) << 40},
    {"kB", 1000},
    {"MB", 1000000},
    {"GB", 1000000000},
    {"TB", 1000000000000},
};

#define N_ELEMENTS(array) (sizeof(array) / sizeof(array)[0])

static const struct unit *
find_unit(const struct unit *units, size_t n_units, const char *s, size_t len)
{
    for (size_t i = 0; i < n_units; i++) {
        if (strlen(units[i].name) == len && memcmp(units[i].name, s, len) == 0)
            return &units[i];
    }
    return NULL;
}

/* 0.ddd as a number; digits that a double cannot hold do not matter. */
static double
fraction_of(const char *digits, size_t n)
{
    double v = 0;

    while (n > 0)
        v = (v + (digits[--n] - '0')) / 10;
    return v;
}

/* Digits, perhaps a fraction, a unit. The whole part stays an integer, so that large
 * values are exact; a fraction times a factor (at most 2^40) fits a double. */
static int
parse_with_unit(const char *s, size_t len, const struct unit *units, size_t n_units,
                uint64_t *ret)
{
    size_t whole = count_digits(s, len);
    size_t number = whole; /* length of the number */
    double fraction = 0;
    uint64_t v;

    if (len == 1 && s[0] == '0') {
        *ret = 0;
        return 0;
    }
    if (whole < len && s[whole] == '.') {
        size_t digits = count_digits(s + whole + 1, len - whole - 1);
        if (digits == 0)
            return -EINVAL;
        fraction = fraction_of(s + whole + 1, digits);
        number += 1 + digits;
    }
    const struct unit *unit = find_unit(units, n_units, s + number, len - number);
    if (unit == NULL)
        return -EINVAL;
    int r = parse_u64(s, whole, &v);
    if (r < 0)
        return r;
    if (__builtin_mul_overflow(v, unit->factor, &v) ||
        __builtin_add_overflow(v, (uint64_t)(fraction * (double)unit->factor + 0.5),
                               &v))
        return -ERANGE;
    *ret = v;
    return 0;
}

int
parse_duration_ms(const char *s, size_t len, int64_t *ret)
{
    uint64_t v;

    int r = parse_with_unit(s, len, duration_units, N_ELEMENTS(duration_units), &v);
    if (r < 0)
        return r;
    if (v > INT64_MAX)
        return -ERANGE;
    *ret = (int64_t)v;
    return 0;
}

int
parse_size(const char *s, size_t len, uint64_t *ret)
{
    return parse_with_unit(s, len, size_units, N_ELEMENTS(size_units), ret);
}

const char *
double_text(double v, char text[static DOUBLE_TEXT_SIZE])
{
    if (isnan(v) || isinf(v)) {
        snprintf(text, DOUBLE_TEXT_SIZE, "%s",
                 isnan(v) ? "NaN"
                 : v > 0  ? "+Inf"
                          : "-Inf");
        return text;
    }
    /* Every number of 15 digits survives a double; only subnormal ones have fewer. */
    int digits = fabs(v) < DBL_MIN ? 1 : DBL_DIG;
    for (;; digits++) {
        snprintf(text, DOUBLE_TEXT_SIZE, "%.*g", digits, v);
        if (digits >= DBL_DECIMAL_DIG || strtod(text, NULL) == v)
            return text;
    }
}

const char *
duration_text(int64_t ms, char text[static DURATION_TEXT_SIZE])
{
    const char *sign = ms < 0 ? "-" : "";
    uint64_t v = ms < 0 ? -(uint64_t)ms : (uint64_t)ms;

    if (v == 0) {
        snprintf(text, DURATION_TEXT_SIZE, "0");
        return text;
    }
    /* The last unit, 1 ms, divides everything. */
    const struct unit *unit = duration_units;
    while (v < unit->factor || (unit->factor > 1 && v % (unit->factor / 10) != 0))
        unit++;
    uint64_t tenths = unit->factor > 1 ? v % unit->factor / (unit->factor / 10) : 0;
    char decimal[4] = "";
    if (tenths != 0)
        snprintf(decimal, sizeof decimal, ".%d", (int)tenths);
    snprintf(text, DURATION_TEXT_SIZE, "%s%" PRIu64 "%s%s", sign, v / unit->factor,
             decimal, unit->name);
    return text;
}
