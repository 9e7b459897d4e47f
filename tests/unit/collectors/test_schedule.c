/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/common/harness.h"

#include "collectors/schedule.h"

START_TEST(phases_are_fixed_and_spread)
{
    unsigned low = 0;

    for (int i = 0; i < 1000; i++) {
        char url[64];
        snprintf(url, sizeof url, "http://rs%d.example.com:16030", i);
        int64_t phase = schedule_phase(url, 30000);
        ck_assert_int_eq(phase, schedule_phase(url, 30000));
        ck_assert_int_ge(phase, 0);
        ck_assert_int_lt(phase, 22500);
        low += phase < 11250;
    }
    ck_assert_uint_gt(low, 400);
    ck_assert_uint_lt(low, 600);
    ck_assert_int_eq(schedule_phase("http://a:1", 1), 0);
}
END_TEST

START_TEST(next_is_at_the_phase_of_the_wall_clock)
{
    struct moment now = {.mono_ms = 500, .wall_ms = 1000000 * 30000LL + 7000};

    ck_assert_int_eq(schedule_next(now, 30000, 20000), 500 + 13000);
    /* Right now, or nearly: that was the poll that is starting. */
    ck_assert_int_eq(schedule_next(now, 30000, 7000), 500 + 30000);
    ck_assert_int_eq(schedule_next(now, 30000, 7001), 500 + 30001);
    ck_assert_int_eq(schedule_next(now, 30000, 6999), 500 + 29999);
    /* Before 1970 time has phases, too. */
    now.wall_ms = -23000;
    ck_assert_int_eq(schedule_next(now, 30000, 20000), 500 + 13000);
}
END_TEST

START_TEST(clock_steps_neither_stall_nor_burst)
{
    struct generator g = start_generator("clock_steps_neither_stall_nor_burst");

    for (int run = 0; run < 200; run++) {
        int64_t interval = 200 + (int64_t)next_below(&g, 60000);
        int64_t phase = (int64_t)next_below(&g, (size_t)interval);
        struct moment now = {.mono_ms = 1000, .wall_ms = 1796070728391};
        for (int poll = 0; poll < 50; poll++) {
            int64_t next = schedule_next(now, interval, phase);
            int64_t wait = next - now.mono_ms;
            ck_assert_int_gt(wait, interval / 4);
            ck_assert_int_le(wait, interval + interval / 4 + 1);
            now.mono_ms = next;
            now.wall_ms += wait;
            if (next_below(&g, 4) == 0) /* up to ten days forth or back */
                now.wall_ms += (int64_t)next_below(&g, 1728000000) - 864000000;
        }
    }
}
END_TEST

START_TEST(a_steady_clock_gives_one_poll_an_interval)
{
    struct moment now = {.mono_ms = 0, .wall_ms = 1796070728391};
    int64_t interval = 30000;

    for (int poll = 0; poll < 100; poll++) {
        int64_t next = schedule_next(now, interval, 12345);
        if (poll > 0)
            ck_assert_int_le(llabs(next - now.mono_ms - interval), 8);
        /* Woken up to 4 ms late or early. */
        int64_t late = poll % 9 - 4;
        now.wall_ms += next - now.mono_ms + late;
        now.mono_ms = next + late;
    }
}
END_TEST

START_TEST(backoff_doubles_up_to_a_limit)
{
    const unsigned expected[] = {1, 1, 1, 2, 4, 8, 8, 8};

    for (unsigned n = 0; n < 8; n++)
        ck_assert_uint_eq(schedule_backoff(n, 30000), expected[n]);
    ck_assert_uint_eq(schedule_backoff(UINT32_MAX, 30000), 8);
    /* At least one try in five minutes, or one an interval. */
    ck_assert_uint_eq(schedule_backoff(9, 60000), 5);
    ck_assert_uint_eq(schedule_backoff(9, 299999), 1);
    ck_assert_uint_eq(schedule_backoff(9, 3600000), 1);
}
END_TEST

START_TEST(retry_comes_soon)
{
    ck_assert_int_eq(schedule_retry_ms(30000), 1500);
    ck_assert_int_eq(schedule_retry_ms(200), 100);
}
END_TEST

START_TEST(wishes_bring_listings_forward)
{
    ck_assert_int_eq(schedule_listing(600000, 1000, WISH_NONE), 600000);
    ck_assert_int_eq(schedule_listing(600000, 1000, WISH_LISTING), 61000);
    ck_assert_int_eq(schedule_listing(600000, 1000, WISH_URGENT), 11000);
    ck_assert_int_eq(schedule_listing(5000, 1000, WISH_URGENT), 5000);
    ck_assert_int_eq(schedule_listing(600000, INT64_MIN, WISH_LISTING), INT64_MIN);
}
END_TEST

TEST_MAIN("schedule", phases_are_fixed_and_spread,
          next_is_at_the_phase_of_the_wall_clock, clock_steps_neither_stall_nor_burst,
          a_steady_clock_gives_one_poll_an_interval, backoff_doubles_up_to_a_limit,
          retry_comes_soon, wishes_bring_listings_forward)
