/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks and the printed form of a time. */
#include "common/clock.h"

#include <string.h>

#include "tests/unit/common/harness.h"

START_TEST(prints_known_times)
{
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {1, "1970-01-01T00:00:00.001Z"},
        {951782400000, "2000-02-29T00:00:00.000Z"},
        {1700000000123, "2023-11-14T22:13:20.123Z"},
        {1796076624999, "2026-11-30T22:10:24.999Z"},
        {4102444800000, "2100-01-01T00:00:00.000Z"},
        {253402300799999, "9999-12-31T23:59:59.999Z"},
    };
    char text[RFC3339_SIZE];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_ptr_eq(rfc3339_format(rows[i].ms, text), text);
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

START_TEST(clamps_what_has_no_form)
{
    char text[RFC3339_SIZE];

    ck_assert_str_eq(rfc3339_format(-1, text), "1970-01-01T00:00:00.000Z");
    ck_assert_str_eq(rfc3339_format(INT64_MIN, text), "1970-01-01T00:00:00.000Z");
    ck_assert_str_eq(rfc3339_format(253402300800000, text), "9999-12-31T23:59:59.999Z");
    ck_assert_str_eq(rfc3339_format(INT64_MAX, text), "9999-12-31T23:59:59.999Z");
}
END_TEST

START_TEST(local_time_zone_does_not_matter)
{
    char text[RFC3339_SIZE];

    setenv("TZ", "Asia/Kolkata", 1);
    tzset();
    ck_assert_str_eq(rfc3339_format(1700000000123, text), "2023-11-14T22:13:20.123Z");
    unsetenv("TZ");
    tzset();
}
END_TEST

START_TEST(reads_both_clocks)
{
    struct timespec mono, wall;

    struct moment a = clock_now();
    clock_gettime(CLOCK_MONOTONIC, &mono);
    clock_gettime(CLOCK_REALTIME, &wall);
    struct moment b = clock_now();
    ck_assert_int_le(a.mono_ms, mono.tv_sec * INT64_C(1000) + mono.tv_nsec / 1000000);
    ck_assert_int_ge(b.mono_ms, mono.tv_sec * INT64_C(1000) + mono.tv_nsec / 1000000);
    ck_assert_int_le(llabs(b.wall_ms - wall.tv_sec * INT64_C(1000)), 5000);
}
END_TEST

TEST_MAIN("clock", prints_known_times, clamps_what_has_no_form,
          local_time_zone_does_not_matter, reads_both_clocks)
