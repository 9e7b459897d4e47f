/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/query.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/common/harness.h"

static const char *const sorts[] = {"rate", "name", NULL};

enum { TABLE, LIMIT, OFFSET, SORT, FROM, STEP, COLUMNS };
static const struct param params[] = {
    [TABLE] = {.name = "table", .kind = PARAM_TEXT},
    [LIMIT] = {.name = "limit", .kind = PARAM_LIMIT},
    [OFFSET] = {.name = "offset", .kind = PARAM_OFFSET},
    [SORT] = {.name = "sort", .kind = PARAM_CHOICE, .choices = sorts},
    [FROM] = {.name = "from", .kind = PARAM_TIME},
    [STEP] = {.name = "step", .kind = PARAM_DURATION},
    [COLUMNS] = {.name = "columns", .kind = PARAM_COUNT, .low = 2, .high = 240},
    {0},
};

/* Parses; the error text goes to a static buffer. */
static char error_text[1024];

static int
parse(const char *text, struct query *q)
{
    struct buf error;

    buf_init(&error, 0);
    int r = query_parse(text, params, q, &error);
    snprintf(error_text, sizeof error_text, "%s", error.data);
    buf_finish(&error);
    return r;
}

START_TEST(good_values_are_read)
{
    struct query q;

    ck_assert_int_eq(parse("table=iot%3Aa+b%2Bc&limit=10000&offset=0&sort=name&"
                           "from=1796077440.5&step=1.5m&columns=240",
                           &q),
                     0);
    ck_assert_str_eq(q.values[TABLE].text, "iot:a b+c");
    ck_assert_uint_eq(q.values[LIMIT].number, 10000);
    ck_assert(q.values[OFFSET].set);
    ck_assert_uint_eq(q.values[SORT].number, 1);
    ck_assert_int_eq(q.values[FROM].ms, 1796077440500);
    ck_assert_int_eq(q.values[STEP].ms, 90000);
    ck_assert_uint_eq(q.values[COLUMNS].number, 240);
    query_finish(&q);
}
END_TEST

START_TEST(nothing_and_blanks_set_nothing)
{
    struct query q;

    ck_assert_int_eq(parse("", &q), 0);
    ck_assert_int_eq(parse("&&", &q), 0);
    for (int i = 0; i < QUERY_PARAMS_MAX; i++)
        ck_assert(!q.values[i].set);
}
END_TEST

START_TEST(errors_name_parameter_and_expected)
{
    static const struct {
        const char *query;
        const char *parts[2];
    } cases[] = {
        {"limit=0", {"limit", "1 to 10000"}},
        {"limit=10001", {"limit", "1 to 10000"}},
        {"limit=-1", {"limit", "1 to 10000"}},
        {"limit=", {"limit", "1 to 10000"}},
        {"limit=1x", {"limit", "1x"}},
        {"limit=+1", {"limit", "1 to 10000"}},
        {"limit=18446744073709551617", {"limit", "1 to 10000"}},
        {"offset=10000001", {"offset", "0 to"}},
        {"sort=cost", {"sort", "rate, name"}},
        {"table=", {"table", "UTF-8"}},
        {"table=%ff", {"table", "UTF-8"}},
        {"table=%00", {"table", "percent"}},
        {"table=%4", {"table", "percent"}},
        {"table=%zz", {"table", "percent"}},
        {"table=a&table=b", {"table", "twice"}},
        {"from=yesterday", {"from", "2026-"}},
        {"from=-1", {"from", "Unix seconds"}},
        {"from=1e300", {"from", "Unix seconds"}},
        {"from=nan", {"from", "Unix seconds"}},
        {"step=0", {"step", "above 0"}},
        {"step=0s", {"step", "above 0"}},
        {"step=-3s", {"step", "above 0"}},
        {"columns=1", {"columns", "2 to 240"}},
        {"columns=241", {"columns", "2 to 240"}},
        {"colour=red", {"colour", "table, limit, offset, sort, from, step"}},
        {"Limit=1", {"Limit", "limit"}},
        {"limit", {"limit", "1 to 10000"}},
        {"=1", {"unknown parameter", "table"}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct query q;
        ck_assert_msg(parse(cases[i].query, &q) == -EINVAL, "%s", cases[i].query);
        for (int k = 0; k < 2; k++)
            ck_assert_msg(strstr(error_text, cases[i].parts[k]) != NULL, "%s: %s",
                          cases[i].query, error_text);
        query_finish(&q);
    }
}
END_TEST

START_TEST(rfc3339_times)
{
    static const struct {
        const char *text;
        int64_t ms; /* -1: refused */
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"2026-11-30T22:24:00Z", 1796077440000},
        {"2026-11-30T23:24:00.25+01:00", 1796077440250},
        {"2026-11-30T16:54:00-05:30", 1796077440000},
        {"2024-02-29T00:00:00Z", 1709164800000},
        {"2000-03-01T00:00:00z", 951868800000},
        {"9999-12-31T23:59:59Z", 253402300799000},
        {"2023-02-29T00:00:00Z", -1},
        {"2026-13-01T00:00:00Z", -1},
        {"2026-11-31T00:00:00Z", -1},
        {"2026-11-30T24:00:00Z", -1},
        {"2026-11-30T22:24:00", -1},
        {"2026-11-30T22:24:00.Z", -1},
        {"2026-11-30T22:24:00+1:00", -1},
        {"2026-11-30T22:24:00Zx", -1},
        {"2026-11-30", -1},
        {"", -1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t ms = -1;
        (void)rfc3339_parse(cases[i].text, strlen(cases[i].text), &ms);
        ck_assert_msg(ms == cases[i].ms, "%s: %" PRId64, cases[i].text, ms);
    }
}
END_TEST

/* Whatever bytes come, nothing but 0 or an error with a text. */
START_TEST(any_bytes_are_survived)
{
    static const char alphabet[] = "limtable=&%0123456789afsortfm+Z:-.\xff\xc3\x28";
    struct generator g = start_generator("any_bytes_are_survived");

    for (int round = 0; round < 20000; round++) {
        char text[64];
        size_t len = next_below(&g, sizeof text);
        struct query q;
        for (size_t i = 0; i < len; i++)
            text[i] = alphabet[next_below(&g, sizeof alphabet - 1)];
        text[len] = '\0';
        int r = parse(text, &q);
        ck_assert(r == 0 || (r == -EINVAL && error_text[0] != '\0'));
        query_finish(&q);
    }
}
END_TEST

TEST_MAIN("query", good_values_are_read, nothing_and_blanks_set_nothing,
          errors_name_parameter_and_expected, rfc3339_times, any_bytes_are_survived)
