/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, durations, sizes: limits, forms that are refused, round trips. */
#include "common/parse.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/unit/common/harness.h"

#define N_ROWS(rows) (sizeof(rows) / sizeof(rows)[0])

/* The row's text in a block of exactly its length, so that a sanitizer sees a read
 * behind it. */
static char *
exact(const char *text)
{
    size_t len = strlen(text);
    char *copy = malloc(len > 0 ? len : 1);

    memcpy(copy, text, len);
    return copy;
}

START_TEST(u64)
{
    static const struct {
        const char *text;
        int result;
        uint64_t value;
    } rows[] = {
        {"0", 0, 0},
        {"7", 0, 7},
        {"007", 0, 7},
        {"9223372036854775808", 0, UINT64_C(9223372036854775808)},
        {"18446744073709551615", 0, UINT64_MAX},
        {"000018446744073709551615", 0, UINT64_MAX},
        {"18446744073709551616", -ERANGE, 0},
        {"18446744073709551620", -ERANGE, 0},
        {"99999999999999999999", -ERANGE, 0},
        {"184467440737095516150", -ERANGE, 0},
        {"1000000000000000000000000000000", -ERANGE, 0},
        {"", -EINVAL, 0},
        {"-1", -EINVAL, 0},
        {"+1", -EINVAL, 0},
        {" 1", -EINVAL, 0},
        {"1 ", -EINVAL, 0},
        {"1.0", -EINVAL, 0},
        {"1e3", -EINVAL, 0},
        {"0x10", -EINVAL, 0},
        {"1,000", -EINVAL, 0},
        {"99999999999999999999x", -EINVAL, 0},
        {"/", -EINVAL, 0},
        {":", -EINVAL, 0},
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        uint64_t v = 4711;
        char *text = exact(rows[i].text);
        int r = parse_u64(text, strlen(rows[i].text), &v);
        ck_assert_msg(r == rows[i].result, "'%s': %d", rows[i].text, r);
        ck_assert_uint_eq(v, r == 0 ? rows[i].value : 4711);
        free(text);
    }
}
END_TEST

START_TEST(i64)
{
    static const struct {
        const char *text;
        int result;
        int64_t value;
    } rows[] = {
        {"0", 0, 0},
        {"-0", 0, 0},
        {"-1", 0, -1},
        {"9223372036854775807", 0, INT64_MAX},
        {"-9223372036854775808", 0, INT64_MIN},
        {"9223372036854775808", -ERANGE, 0},
        {"-9223372036854775809", -ERANGE, 0},
        {"18446744073709551615", -ERANGE, 0},
        {"18446744073709551616", -ERANGE, 0},
        {"", -EINVAL, 0},
        {"-", -EINVAL, 0},
        {"--1", -EINVAL, 0},
        {"+1", -EINVAL, 0},
        {"- 1", -EINVAL, 0},
        {"1-", -EINVAL, 0},
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        int64_t v = 4711;
        char *text = exact(rows[i].text);
        int r = parse_i64(text, strlen(rows[i].text), &v);
        ck_assert_msg(r == rows[i].result, "'%s': %d", rows[i].text, r);
        ck_assert_int_eq(v, r == 0 ? rows[i].value : 4711);
        free(text);
    }
}
END_TEST

START_TEST(integers_round_trip)
{
    struct generator g = start_generator("parse, integers");

    for (int i = 0; i < 3000; i++) {
        uint64_t u = next_wide(&g), u_back;
        int64_t s = (int64_t)next_u64(&g) >> next_below(&g, 64), s_back;
        char text[32];

        int len = snprintf(text, sizeof text, "%" PRIu64, u);
        ck_assert_int_eq(parse_u64(text, len, &u_back), 0);
        ck_assert_uint_eq(u, u_back);
        len = snprintf(text, sizeof text, "%" PRId64, s);
        ck_assert_int_eq(parse_i64(text, len, &s_back), 0);
        ck_assert_int_eq(s, s_back);
    }
}
END_TEST

START_TEST(doubles)
{
    static const struct {
        const char *text;
        int result;
        double value;
    } rows[] = {
        {"0", 0, 0},
        {"-0", 0, 0},
        {"1", 0, 1},
        {"+1", 0, 1},
        {"-2.5", 0, -2.5},
        {"0.1", 0, 0.1},
        {"00.1", 0, 0.1},
        {"1.048576E9", 0, 1048576000},
        {"1e3", 0, 1000},
        {"1e+3", 0, 1000},
        {"1e-3", 0, 0.001},
        {"1.7976931348623157e308", 0, DBL_MAX},
        {"5e-324", 0, 5e-324},
        {"1e-400", 0, 0},
        {"18446744073709551615", 0, 18446744073709551616.0},
        {"1e309", -ERANGE, 0},
        {"-1e309", -ERANGE, 0},
        {"1e99999999999999999999", -ERANGE, 0},
        {"", -EINVAL, 0},
        {"+", -EINVAL, 0},
        {"-", -EINVAL, 0},
        {".5", -EINVAL, 0},
        {"5.", -EINVAL, 0},
        {"1.e3", -EINVAL, 0},
        {"1e", -EINVAL, 0},
        {"1e+", -EINVAL, 0},
        {"1e3.5", -EINVAL, 0},
        {"1.2.3", -EINVAL, 0},
        {"1,5", -EINVAL, 0},
        {" 1", -EINVAL, 0},
        {"1 ", -EINVAL, 0},
        {"+-1", -EINVAL, 0},
        {"0x1p3", -EINVAL, 0},
        {"NaN", -EINVAL, 0},
        {"inf", -EINVAL, 0},
        {"Infinity", -EINVAL, 0},
        {"1f", -EINVAL, 0},
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        double v = 4711;
        char *text = exact(rows[i].text);
        int r = parse_double(text, strlen(rows[i].text), &v);
        ck_assert_msg(r == rows[i].result, "'%s': %d", rows[i].text, r);
        ck_assert_double_eq(v, r == 0 ? rows[i].value : 4711);
        free(text);
    }
    double v;
    ck_assert_int_eq(parse_double("1\0", 2, &v), -EINVAL);
}
END_TEST

START_TEST(long_doubles_are_bounded)
{
    char text[PARSE_DOUBLE_MAX_LEN + 1];
    double v = 4711;

    memset(text, '0', sizeof text);
    text[0] = '1';
    text[1] = '.';
    ck_assert_int_eq(parse_double(text, PARSE_DOUBLE_MAX_LEN, &v), 0);
    ck_assert_double_eq(v, 1);
    ck_assert_int_eq(parse_double(text, PARSE_DOUBLE_MAX_LEN + 1, &v), -ERANGE);
    text[PARSE_DOUBLE_MAX_LEN] = 'x';
    ck_assert_int_eq(parse_double(text, PARSE_DOUBLE_MAX_LEN + 1, &v), -EINVAL);
}
END_TEST

START_TEST(durations)
{
    static const struct {
        const char *text;
        int result;
        int64_t value;
    } rows[] = {
        {"0", 0, 0},
        {"0s", 0, 0},
        {"300ms", 0, 300},
        {"30s", 0, 30000},
        {"1.5m", 0, 90000},
        {"2h", 0, 7200000},
        {"7d", 0, 604800000},
        {"0.5ms", 0, 1},
        {"0.4ms", 0, 0},
        {"1.0004s", 0, 1000},
        {"1.0006s", 0, 1001},
        {"0.1d", 0, 8640000},
        {"0.3333333333333333333333333333333333333333333s", 0, 333},
        {"9223372036854775807ms", 0, INT64_MAX},
        {"106751991167d", 0, INT64_C(106751991167) * 86400000},
        {"9223372036854775808ms", -ERANGE, 0},
        {"9223372036854775807.5ms", -ERANGE, 0},
        {"18446744073709551615.5ms", -ERANGE, 0},
        {"106751991168d", -ERANGE, 0},
        {"99999999999999999999d", -ERANGE, 0},
        {"", -EINVAL, 0},
        {"30", -EINVAL, 0},
        {"00", -EINVAL, 0},
        {"s", -EINVAL, 0},
        {".5s", -EINVAL, 0},
        {"5.s", -EINVAL, 0},
        {"-1s", -EINVAL, 0},
        {"+1s", -EINVAL, 0},
        {"1 s", -EINVAL, 0},
        {"1s ", -EINVAL, 0},
        {"1S", -EINVAL, 0},
        {"1M", -EINVAL, 0},
        {"1h30m", -EINVAL, 0},
        {"1sec", -EINVAL, 0},
        {"1us", -EINVAL, 0},
        {"1w", -EINVAL, 0},
        {"1e3s", -EINVAL, 0},
        {"1.5.5s", -EINVAL, 0},
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        int64_t v = 4711;
        char *text = exact(rows[i].text);
        int r = parse_duration_ms(text, strlen(rows[i].text), &v);
        ck_assert_msg(r == rows[i].result, "'%s': %d", rows[i].text, r);
        ck_assert_msg(v == (r == 0 ? rows[i].value : 4711), "'%s'", rows[i].text);
        free(text);
    }
}
END_TEST

START_TEST(sizes)
{
    static const struct {
        const char *text;
        int result;
        uint64_t value;
    } rows[] = {
        {"0", 0, 0},
        {"512B", 0, 512},
        {"1KiB", 0, 1024},
        {"64MiB", 0, 67108864},
        {"1.5GiB", 0, 1610612736},
        {"1TiB", 0, UINT64_C(1099511627776)},
        {"1kB", 0, 1000},
        {"2MB", 0, 2000000},
        {"3GB", 0, 3000000000},
        {"4TB", 0, UINT64_C(4000000000000)},
        {"18446744073709551615B", 0, UINT64_MAX},
        {"16777215TiB", 0, UINT64_C(16777215) << 40},
        {"16777216TiB", -ERANGE, 0},
        {"18446744073709551615.5B", -ERANGE, 0},
        {"18446744073709551616B", -ERANGE, 0},
        {"1", -EINVAL, 0},
        {"1K", -EINVAL, 0},
        {"1KB", -EINVAL, 0},
        {"1kib", -EINVAL, 0},
        {"1Mi", -EINVAL, 0},
        {"1 MiB", -EINVAL, 0},
        {"-1B", -EINVAL, 0},
        {"MiB", -EINVAL, 0},
        {"1MiBs", -EINVAL, 0},
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        uint64_t v = 4711;
        char *text = exact(rows[i].text);
        int r = parse_size(text, strlen(rows[i].text), &v);
        ck_assert_msg(r == rows[i].result, "'%s': %d", rows[i].text, r);
        ck_assert_msg(v == (r == 0 ? rows[i].value : 4711), "'%s'", rows[i].text);
        free(text);
    }
}
END_TEST

START_TEST(double_texts)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0, "0"},
        {-0.0, "-0"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {100, "100"},
        {1e300, "1e+300"},
        {123456789012345, "123456789012345"},
        {9007199254740992, "9007199254740992"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {5e-324, "5e-324"},
        {-2.5, "-2.5"},
        {INFINITY, "+Inf"},
        {-INFINITY, "-Inf"},
        {NAN, "NaN"},
        {-NAN, "NaN"},
    };
    char text[DOUBLE_TEXT_SIZE];

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        ck_assert_ptr_eq(double_text(rows[i].value, text), text);
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

static int
significant_digits(const char *text)
{
    int n = 0;

    for (const char *p = text; *p != '\0' && *p != 'e'; p++)
        n += *p >= '0' && *p <= '9' && (n > 0 || *p != '0');
    return n;
}

/* Any bit pattern reads back as itself, and one digit less would not do. */
START_TEST(double_text_is_shortest)
{
    struct generator g = start_generator("parse, double_text");

    for (int i = 0; i < 20000; i++) {
        uint64_t bits = i % 4 == 0 ? next_wide(&g) : next_u64(&g);
        double v, back;
        char text[DOUBLE_TEXT_SIZE], shorter[320];

        memcpy(&v, &bits, sizeof v);
        if (i % 4 == 1) /* rates: few decimals */
            v = (double)(bits % 100000000) / 1000;
        if (!isfinite(v))
            continue;
        double_text(v, text);
        ck_assert_int_eq(parse_double(text, strlen(text), &back), 0);
        ck_assert_mem_eq(&v, &back, sizeof v);

        int digits = significant_digits(text);
        if (digits < 2 || text[strlen(text) - 1] == '0')
            continue;
        snprintf(shorter, sizeof shorter, "%.*g", digits - 1, v);
        ck_assert_msg(strtod(shorter, NULL) != v, "%s is longer than %s", text,
                      shorter);
    }
}
END_TEST

START_TEST(duration_texts)
{
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = {
        {0, "0"},
        {1, "1ms"},
        {300, "300ms"},
        {1000, "1s"},
        {1500, "1.5s"},
        {1550, "1550ms"},
        {30000, "30s"},
        {90000, "1.5m"},
        {120000, "2m"},
        {61000, "61s"},
        {3600000, "1h"},
        {9000000, "2.5h"},
        {86400000, "1d"},
        {604800000, "7d"},
        {-90000, "-1.5m"},
        {INT64_MAX, "9223372036854775807ms"},
        {INT64_MIN, "-9223372036854775808ms"},
    };
    char text[DURATION_TEXT_SIZE];

    for (size_t i = 0; i < N_ROWS(rows); i++)
        ck_assert_str_eq(duration_text(rows[i].ms, text), rows[i].text);
}
END_TEST

START_TEST(durations_round_trip)
{
    struct generator g = start_generator("parse, durations");
    static const int64_t grid[] = {1,     100,    1000,    6000,
                                   60000, 360000, 3600000, 86400000};

    for (int i = 0; i < 3000; i++) {
        int64_t step = grid[next_below(&g, N_ROWS(grid))];
        int64_t ms = (int64_t)(next_wide(&g) % (uint64_t)(INT64_MAX / step)) * step,
                back;
        char text[DURATION_TEXT_SIZE];

        duration_text(ms, text);
        ck_assert_int_eq(parse_duration_ms(text, strlen(text), &back), 0);
        ck_assert_int_eq(back, ms);
    }
}
END_TEST

TEST_MAIN("parse", u64, i64, integers_round_trip, doubles, long_doubles_are_bounded,
          durations, sizes, double_texts, double_text_is_shortest, duration_texts,
          durations_round_trip)
