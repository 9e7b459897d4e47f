/* SPDX-License-Identifier: Apache-2.0 */
/* Codes, rings, tiers and what is said where there is no ring. */
#include <math.h>
#include <string.h>

#include "analysis/history.h"
#include "tests/unit/common/harness.h"

static const int64_t second = 1000, minute = 60000, hour = 3600000;

/* One server and a few regions on it, recorded tick by tick. */
struct recorder {
    struct history_clock clock;
    struct known_slots server;
    struct history regions[4];
    struct history_past past;
    int64_t now, wall;
};

static const struct history_config usual = {
    .raw_ms = 3600000,
    .five_minutes_ms = 86400000,
    .hours_ms = 7 * 86400000,
    .max_memory = 512 << 20,
};

static void
begin(struct recorder *r, const struct history_config *config, int64_t interval)
{
    *r = (struct recorder){.now = 5000000, .wall = 1700000000000};
    history_clock_init(&r->clock, config, interval);
    known_slots_init(&r->server, &r->clock);
    r->past = (struct history_past){&r->server, 0};
}

static void
finish(struct recorder *r)
{
    for (int i = 0; i < 4; i++)
        history_finish(&r->regions[i], &r->clock);
    known_slots_finish(&r->server);
    ck_assert_uint_eq(r->clock.bytes, 0);
}

/* A tick later, region 0 has this rate and the others none. */
static void
tick(struct recorder *r, int64_t ms, bool heard, double read, double write)
{
    int64_t slot[TIER_COUNT];

    r->now += ms;
    r->wall += ms;
    history_advance(&r->clock, r->now, r->wall, slot);
    known_slots_write(&r->server, &r->clock, slot, heard);
    for (int i = 0; i < 4; i++)
        history_write(&r->regions[i], &r->clock, slot, r->past,
                      !heard   ? NAN
                      : i == 0 ? read
                               : 0,
                      !heard   ? NAN
                      : i == 0 ? write
                               : 0);
    history_commit(&r->clock, slot);
}

static double
read_at(const struct recorder *r, int region, int tier, int64_t slot)
{
    return history_decode(
        history_read(&r->regions[region], &r->clock, tier, slot, r->past).read);
}

static void
about(double got, double wanted, double share)
{
    ck_assert_double_eq_tol(got, wanted, wanted * share + 1e-12);
}

START_TEST(codes_err_by_four_percent_at_most)
{
    struct generator g = start_generator("codes_err_by_four_percent_at_most");

    for (int i = 0; i < 200000; i++) {
        double rate = HISTORY_MIN_RATE *
                      exp((double)(next_u64(&g) >> 11) / 9007199254740992.0 * 19.5);
        about(history_decode(history_encode(rate)), rate, 0.04);
    }
    for (int code = 0; code < HISTORY_UNKNOWN; code++)
        ck_assert_int_eq(history_encode(history_decode((uint8_t)code)), code);
    ck_assert_int_eq(history_encode(NAN), HISTORY_UNKNOWN);
    ck_assert(isnan(history_decode(HISTORY_UNKNOWN)));
    ck_assert_int_eq(history_encode(0), HISTORY_NONE);
    ck_assert_int_eq(history_encode(0.0049), HISTORY_NONE);
    ck_assert_int_eq(history_encode(0.0051), 1);
    ck_assert_int_eq(history_encode(1e300), 254);
    ck_assert_int_eq(history_encode(INFINITY), 254);
}
END_TEST

START_TEST(codes_rise_with_the_rate)
{
    int last = 0;

    for (double rate = 0; rate < 4e6; rate = rate * 1.01 + 0.0001) {
        int code = history_encode(rate);
        ck_assert_int_ge(code, last);
        last = code;
    }
    ck_assert_int_eq(last, 254);
}
END_TEST

/* The n-th tick has rate n, for several rounds of the raw ring. */
START_TEST(raw_ring_driven_round_and_round)
{
    struct history_config config = usual;
    struct recorder r;

    config.raw_ms = 10 * minute; /* 20 slots */
    begin(&r, &config, 30 * second);
    for (int n = 1; n <= 130; n++) {
        tick(&r, 30 * second, true, n, 2 * n);
        ck_assert_int_eq(r.clock.head[TIER_RAW], n - 1);
        for (int age = 0; age < (int)r.clock.slots[TIER_RAW] + 3; age++) {
            double got = read_at(&r, 0, TIER_RAW, n - 1 - age);
            if (age >= (int)r.clock.slots[TIER_RAW] || n - age < 1)
                ck_assert(isnan(got));
            else
                about(got, n - age, 0.04);
        }
        ck_assert(isnan(read_at(&r, 0, TIER_RAW, n))); /* not yet */
    }
    finish(&r);
}
END_TEST

START_TEST(coarser_tiers_are_means)
{
    struct recorder r;
    double sum = 0, hours = 0;

    begin(&r, &usual, 30 * second);
    for (int n = 1; n <= 10 * 12 * 3; n++) {
        double rate = (n * 37) % 101;
        sum += rate;
        hours += rate;
        tick(&r, 30 * second, true, rate, 7);
        if (n % 10 == 0) {
            ck_assert_int_eq(r.clock.head[TIER_FIVE_MINUTES], n / 10 - 1);
            about(read_at(&r, 0, TIER_FIVE_MINUTES, n / 10 - 1), sum / 10, 0.08);
            sum = 0;
        }
        if (n % 120 == 0) {
            about(read_at(&r, 0, TIER_HOURS, n / 120 - 1), hours / 120, 0.08);
            hours = 0;
        }
    }
    about(history_decode(
              history_read(&r.regions[0], &r.clock, TIER_HOURS, 2, r.past).write),
          7, 0.08);
    finish(&r);
}
END_TEST

static void
unknown_until_next(struct recorder *r, int first, int last)
{
    ck_assert(!isnan(read_at(r, 0, TIER_RAW, first - 1)));
    ck_assert(!isnan(read_at(r, 1, TIER_RAW, first - 1)));
    for (int s = first; s <= last; s++) {
        ck_assert(isnan(read_at(r, 0, TIER_RAW, s)));
        ck_assert(isnan(read_at(r, 1, TIER_RAW, s))); /* idle: unknown, not zero */
    }
    about(read_at(r, 0, TIER_RAW, last + 1), 50, 0.04);
    ck_assert_double_eq(read_at(r, 1, TIER_RAW, last + 1), 0);
}

START_TEST(skipped_slots_are_unknown)
{
    struct recorder r;

    begin(&r, &usual, 30 * second);
    for (int n = 0; n < 5; n++)
        tick(&r, 30 * second, true, 50, 0);
    tick(&r, 5 * 30 * second, true, 50, 0); /* slots 5 to 8 were left out */
    ck_assert_int_eq(r.clock.head[TIER_RAW], 9);
    unknown_until_next(&r, 5, 8);
    /* A pause longer than the whole tier. */
    tick(&r, 3 * hour, true, 50, 0);
    for (int64_t s = r.clock.head[TIER_RAW] - 119; s < r.clock.head[TIER_RAW]; s++)
        ck_assert(isnan(read_at(&r, 0, TIER_RAW, s)) &&
                  isnan(read_at(&r, 1, TIER_RAW, s)));
    about(read_at(&r, 0, TIER_RAW, r.clock.head[TIER_RAW]), 50, 0.04);
    finish(&r);
}
END_TEST

START_TEST(a_server_that_was_out)
{
    struct recorder r;

    begin(&r, &usual, 30 * second);
    for (int n = 0; n < 20; n++)
        tick(&r, 30 * second, n < 5 || n > 14, 50, 0);
    unknown_until_next(&r, 5, 14);
    /* In the 5-minute tier the first half of slot 0 and the second of slot 1 are known.
     */
    about(read_at(&r, 0, TIER_FIVE_MINUTES, 0), 50, 0.08);
    ck_assert_double_eq(read_at(&r, 1, TIER_FIVE_MINUTES, 0), 0);
    finish(&r);
    begin(&r, &usual, 30 * second);
    for (int n = 0; n < 30; n++)
        tick(&r, 30 * second, n < 10 || n > 19, 50, 0);
    ck_assert(isnan(read_at(&r, 0, TIER_FIVE_MINUTES, 1)));
    ck_assert(isnan(read_at(&r, 1, TIER_FIVE_MINUTES, 1)));
    ck_assert_double_eq(read_at(&r, 1, TIER_FIVE_MINUTES, 2), 0);
    finish(&r);
}
END_TEST

START_TEST(idle_regions_cost_nothing)
{
    struct recorder r;

    begin(&r, &usual, 30 * second);
    for (int n = 0; n < 300; n++)
        tick(&r, 30 * second, true, 0, 0);
    ck_assert_uint_eq(r.clock.bytes, 0);
    ck_assert_double_eq(read_at(&r, 0, TIER_RAW, 299), 0);
    ck_assert(isnan(read_at(&r, 0, TIER_RAW, 179))); /* longer ago than is kept */
    tick(&r, 30 * second, true, 5, 0);
    uint64_t raw = r.clock.bytes;
    ck_assert_uint_gt(raw, 0);
    ck_assert_double_eq(read_at(&r, 0, TIER_RAW, 299), 0); /* its past stays known */
    about(read_at(&r, 0, TIER_RAW, 300), 5, 0.04);
    ck_assert_uint_le(raw, 300);
    finish(&r);
}
END_TEST

START_TEST(a_ring_is_freed_after_an_idle_round)
{
    struct recorder r;

    begin(&r, &usual, 30 * second);
    for (int n = 0; n < 10; n++)
        tick(&r, 30 * second, true, 5, 0);
    for (int n = 0; n < 119; n++)
        tick(&r, 30 * second, true, 0, 0);
    ck_assert_ptr_nonnull(r.regions[0].rings[TIER_RAW]);
    about(read_at(&r, 0, TIER_RAW, 9), 5, 0.04); /* the oldest slot kept */
    tick(&r, 30 * second, true, 0, 0);
    ck_assert_ptr_null(r.regions[0].rings[TIER_RAW]);
    ck_assert_double_eq(read_at(&r, 0, TIER_RAW, 129), 0);
    ck_assert_ptr_nonnull(r.regions[0].rings[TIER_FIVE_MINUTES]);
    about(read_at(&r, 0, TIER_FIVE_MINUTES, 0), 5, 0.08);
    for (int n = 0; n < 2 * 24 * 60 * 4; n++)
        tick(&r, 30 * second, true, 0, 0);
    ck_assert_ptr_null(r.regions[0].rings[TIER_FIVE_MINUTES]);
    ck_assert_ptr_nonnull(r.regions[0].rings[TIER_HOURS]);
    for (int n = 0; n < 7 * 24 * 60 * 2; n++)
        tick(&r, 30 * second, true, 0, 0);
    ck_assert_uint_eq(r.clock.bytes, 0);
    finish(&r);
}
END_TEST

/* Busy regions for which there is no room are unknown; an idle one is still idle. */
START_TEST(a_limit_on_memory)
{
    struct history_config config = usual;
    struct recorder r;

    config.max_memory = 700; /* one raw ring and a bit */
    begin(&r, &config, 30 * second);
    for (int n = 0; n < 30; n++) {
        int64_t slot[TIER_COUNT];
        r.now += 30 * second;
        history_advance(&r.clock, r.now, r.now, slot);
        known_slots_write(&r.server, &r.clock, slot, true);
        for (int i = 0; i < 4; i++)
            history_write(&r.regions[i], &r.clock, slot, r.past, i == 3 ? 0 : 10, 0);
        history_commit(&r.clock, slot);
    }
    ck_assert_uint_le(r.clock.bytes, 700);
    ck_assert_uint_gt(r.clock.refused, 0);
    about(read_at(&r, 0, TIER_RAW, 29), 10, 0.04);
    ck_assert(isnan(read_at(&r, 2, TIER_RAW, 29)));
    ck_assert(isnan(read_at(&r, 2, TIER_FIVE_MINUTES, 2)));
    ck_assert_double_eq(read_at(&r, 3, TIER_RAW, 29), 0);
    /* Room again: what comes is kept, what was is not made up. */
    r.clock.max_bytes = 1 << 20;
    uint64_t refused = r.clock.refused;
    for (int n = 0; n < 40; n++) {
        int64_t slot[TIER_COUNT];
        r.now += 30 * second;
        history_advance(&r.clock, r.now, r.now, slot);
        known_slots_write(&r.server, &r.clock, slot, true);
        for (int i = 0; i < 4; i++)
            history_write(&r.regions[i], &r.clock, slot, r.past, i == 2 ? 10 : 0, 0);
        history_commit(&r.clock, slot);
    }
    ck_assert_uint_eq(r.clock.refused, refused);
    ck_assert(isnan(read_at(&r, 2, TIER_RAW, 29)));
    about(read_at(&r, 2, TIER_RAW, 69), 10, 0.04);
    about(read_at(&r, 2, TIER_FIVE_MINUTES, 6), 10, 0.08);
    ck_assert(isnan(read_at(&r, 2, TIER_FIVE_MINUTES, 2)));
    finish(&r);
}
END_TEST

START_TEST(before_it_was_first_heard_of)
{
    struct recorder r;

    begin(&r, &usual, 30 * second);
    for (int n = 0; n < 10; n++)
        tick(&r, 30 * second, true, 5, 0);
    int64_t born = r.now - 10 * second; /* inside slot 9 */
    tick(&r, 30 * second, true, 5, 0);
    struct history_past late = {&r.server, born};
    struct history none = {0};
    ck_assert_int_eq(history_read(&none, &r.clock, TIER_RAW, 9, late).read,
                     HISTORY_UNKNOWN);
    ck_assert_int_eq(history_read(&none, &r.clock, TIER_RAW, 10, late).read,
                     HISTORY_NONE);
    struct history_past nowhere = {NULL, 0};
    ck_assert_int_eq(history_read(&none, &r.clock, TIER_RAW, 10, nowhere).read,
                     HISTORY_UNKNOWN);
    ck_assert_int_eq(history_read(&none, &r.clock, TIER_RAW, -1, late).read,
                     HISTORY_UNKNOWN);
    finish(&r);
}
END_TEST

static void
run_at(struct generator *g, int64_t interval, int64_t wobble)
{
    struct recorder r;
    int64_t ticks = 26 * hour / interval, jitter = 0;

    if (ticks > 30000)
        ticks = 30000;
    begin(&r, &usual, interval);
    for (int64_t n = 1; n <= ticks; n++) {
        int64_t next = wobble == 0 ? 0 : (int64_t)next_below(g, (size_t)wobble);
        tick(&r, interval + next - jitter, true, 100, 10);
        jitter = next;
    }
    for (int t = 0; t < TIER_COUNT; t++) {
        int64_t head = r.clock.head[t];
        int64_t due = ticks * interval / r.clock.slot_ms[t] - 1;
        ck_assert_int_ge(head, due - 1);
        ck_assert_int_le(head, due);
        for (int64_t s = head; s > head - r.clock.slots[t] && s > 0; s--)
            about(read_at(&r, 0, t, s), 100, 0.12); /* no holes */
    }
    finish(&r);
}

START_TEST(intervals_from_fifth_of_a_second_to_hours)
{
    static const int64_t intervals[] = {200,    1000,   5000,    7000,
                                        30000,  45000,  60000,   300000,
                                        420000, 900000, 3600000, 7200000};

    struct generator g = start_generator("intervals_from_fifth_of_a_second_to_hours");
    for (size_t i = 0; i < sizeof(intervals) / sizeof(intervals[0]); i++) {
        run_at(&g, intervals[i], 0);
        run_at(&g, intervals[i], intervals[i] / 3);
    }
}
END_TEST

/* A raw tier shorter than a slot of the next one would leave nothing to average. */
START_TEST(tiers_feed_one_another)
{
    struct history_config config = usual;
    struct recorder r;

    config.raw_ms = 200;
    config.five_minutes_ms = 300000;
    begin(&r, &config, 30 * second);
    for (int n = 0; n < 240; n++)
        tick(&r, 30 * second, true, (n % 10 < 5 ? 10 : 30) + (n < 120 ? 0 : 100), 0);
    about(read_at(&r, 0, TIER_FIVE_MINUTES, 23), 120, 0.08);
    about(read_at(&r, 0, TIER_HOURS, 0), 20, 0.12);
    about(read_at(&r, 0, TIER_HOURS, 1), 120, 0.12);
    finish(&r);
}
END_TEST

START_TEST(time_that_stands_or_goes_back_writes_nothing)
{
    struct recorder r;
    int64_t slot[TIER_COUNT];

    begin(&r, &usual, 30 * second);
    for (int n = 0; n < 10; n++)
        tick(&r, 30 * second, true, 5, 0);
    history_advance(&r.clock, r.now, r.wall, slot);
    ck_assert_int_eq(slot[TIER_RAW], -1);
    history_advance(&r.clock, r.now - hour, r.wall, slot);
    for (int t = 0; t < TIER_COUNT; t++)
        ck_assert_int_eq(slot[t], -1);
    finish(&r);
}
END_TEST

START_TEST(heirs)
{
    struct recorder r;

    begin(&r, &usual, 30 * second);
    struct history *parent = &r.regions[0], *other = &r.regions[1];
    for (int n = 0; n < 20; n++) {
        int64_t slot[TIER_COUNT];
        r.now += 30 * second;
        history_advance(&r.clock, r.now, r.now, slot);
        known_slots_write(&r.server, &r.clock, slot, true);
        history_write(parent, &r.clock, slot, r.past, n < 18 && n != 15 ? 100 : NAN, 0);
        history_write(other, &r.clock, slot, r.past, n < 15 ? 50 : NAN, 3);
        /* The heir was busy before anyone knew whose it is. */
        if (n >= 16)
            history_write(&r.regions[2], &r.clock, slot,
                          (struct history_past){&r.server, r.now - 30 * second}, 70, 0);
        history_commit(&r.clock, slot);
    }
    int64_t born = r.now - 4 * 30 * second;
    struct history_past heir = {&r.server, born};
    history_inherit(&r.regions[2], heir, parent, r.past, born, &r.clock);
    about(read_at(&r, 2, TIER_RAW, 3), 100, 0.04);
    ck_assert(isnan(read_at(&r, 2, TIER_RAW, 15)));
    about(read_at(&r, 2, TIER_RAW, 17), 70, 0.04);
    about(read_at(&r, 2, TIER_FIVE_MINUTES, 0), 100, 0.08);
    history_inherit(&r.regions[2], heir, other, r.past, born, &r.clock);
    about(read_at(&r, 2, TIER_RAW, 3), 150, 0.08); /* two parents add up */
    about(read_at(&r, 2, TIER_RAW, 17), 70, 0.04);
    /* Idle parents leave nothing, and cost nothing. */
    uint64_t bytes = r.clock.bytes;
    struct history idle = {0};
    history_inherit(&r.regions[3], heir, &idle, r.past, born, &r.clock);
    ck_assert_uint_eq(r.clock.bytes, bytes);
    finish(&r);
}
END_TEST

START_TEST(another_form)
{
    struct history_config config = usual;
    struct history_clock next;
    struct recorder r;

    begin(&r, &usual, 30 * second);
    for (int n = 0; n < 120; n++)
        tick(&r, 30 * second, true, 5, 0);
    config.max_memory = 1 << 20;
    history_clock_init(&next, &config, 10 * second);
    ck_assert(history_tier_differs(&r.clock, &next, TIER_RAW));
    ck_assert(!history_tier_differs(&r.clock, &next, TIER_HOURS));
    for (int i = 0; i < 4; i++)
        history_drop(&r.regions[i], &r.clock, TIER_RAW);
    known_slots_drop(&r.server, TIER_RAW);
    history_clock_adopt(&r.clock, &next);
    known_slots_init(&r.server, &r.clock);
    ck_assert_uint_eq(r.clock.max_bytes, 1 << 20);
    ck_assert_int_eq(r.clock.head[TIER_RAW], 359); /* the same time */
    ck_assert(isnan(read_at(&r, 0, TIER_RAW, 359)));
    about(read_at(&r, 0, TIER_FIVE_MINUTES, 3), 5, 0.08);
    for (int n = 0; n < 60; n++)
        tick(&r, 10 * second, true, 8, 0);
    ck_assert_int_eq(r.clock.head[TIER_RAW], 419);
    about(read_at(&r, 0, TIER_RAW, 360), 8, 0.04);
    about(read_at(&r, 0, TIER_FIVE_MINUTES, 13), 8, 0.08);
    finish(&r);
}
END_TEST

TEST_MAIN("history", codes_err_by_four_percent_at_most, codes_rise_with_the_rate,
          raw_ring_driven_round_and_round, coarser_tiers_are_means,
          skipped_slots_are_unknown, a_server_that_was_out, idle_regions_cost_nothing,
          a_ring_is_freed_after_an_idle_round, a_limit_on_memory,
          before_it_was_first_heard_of, intervals_from_fifth_of_a_second_to_hours,
          tiers_feed_one_another, time_that_stands_or_goes_back_writes_nothing, heirs,
          another_form)
