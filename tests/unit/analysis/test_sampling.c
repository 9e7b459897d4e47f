/* SPDX-License-Identifier: Apache-2.0 */
/* From answers to rates: what is a new sample, how long it took, what its counters
 * are worth. */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "tests/unit/common/harness.h"

static struct lab lab;

/* Two servers with two regions each: 0 and 2 on the first, 1 and 3 on the second, with
 * 10, 20, 30, 40 reads/s and half the writes. */
static void
four_regions(void)
{
    lab_init(&lab, 2);
    for (int i = 0; i < 4; i++)
        lab_region(&lab, "t", i % 2, 10 * (i + 1), 5 * (i + 1));
    lab_start(&lab);
}

static struct engine_counters
counters(void)
{
    return engine_counters(lab.engine);
}

static double
read_rate(int region)
{
    return lab_row(&lab, region)->rate[ACCESS_READ];
}

static double
write_rate(int region)
{
    return lab_row(&lab, region)->rate[ACCESS_WRITE];
}

static void
about(double got, double wanted)
{
    ck_assert_double_eq_tol(got, wanted, 1e-3 * wanted + 0.06); /* counters are whole */
}

static void
rates_are_right(void)
{
    for (int i = 0; i < 4; i++) {
        about(read_rate(i), 10 * (i + 1));
        about(write_rate(i), 5 * (i + 1));
        about(lab_row(&lab, i)->rate[ACCESS_TOTAL], 15 * (i + 1));
    }
}

/* ---- what is a new sample ---- */

START_TEST(first_value_is_a_baseline)
{
    four_regions();
    for (int i = 0; i < 4; i++)
        lab.regions[i].read = 1e6;
    lab_tick(&lab, 1);
    ck_assert(isnan(read_rate(0)));
    ck_assert(!lab_row(&lab, 0)->stale);
    ck_assert_uint_eq(counters().baselines, 4);
    lab_tick(&lab, 1);
    rates_are_right();
    ck_assert_uint_eq(counters().samples, 8);
    ck_assert_uint_eq(counters().baselines, 4);
    lab_finish(&lab);
}
END_TEST

/* Polls every 3 s; the server's numbers change every 12 s. */
static void
cached_answers(enum lab_clock clock)
{
    four_regions();
    lab.clock = clock;
    lab.config.poll.interval_ms = 3000;
    engine_configure(lab.engine, &lab.config);
    struct message *cached[2] = {NULL, NULL};
    for (int i = 0; i < 41; i++) {
        lab_pass(&lab, 3000);
        for (int s = 0; s < 2; s++) {
            if (i % 4 == 0) {
                message_destroy(cached[s]);
                cached[s] = lab_answer(&lab, s);
            }
            cached[s]->poll.received = lab.now;
            engine_apply_poll(lab.engine, &cached[s]->poll);
        }
        lab_evaluate(&lab);
        if (i >= 4)
            rates_are_right();
    }
    ck_assert_uint_eq(counters().repeated_polls, 60);
    ck_assert_uint_eq(counters().samples, 44);
    message_destroy(cached[0]);
    message_destroy(cached[1]);
    lab_finish(&lab);
}

START_TEST(cached_answers_by_absolute_time)
{
    cached_answers(LAB_CLOCK_ABSOLUTE);
}
END_TEST

START_TEST(cached_answers_by_relative_ages)
{
    cached_answers(LAB_CLOCK_AGES);
}
END_TEST

START_TEST(cached_answers_without_a_clock)
{
    cached_answers(LAB_CLOCK_NONE);
}
END_TEST

START_TEST(without_a_clock_idle_is_a_sample_after_the_cache_time)
{
    four_regions();
    lab.clock = LAB_CLOCK_NONE;
    for (int i = 0; i < 4; i++)
        lab.regions[i].read_rate = lab.regions[i].write_rate = 0;
    lab_tick(&lab, 1);
    lab_pass(&lab, 10499);
    lab_poll(&lab, 0);
    ck_assert_uint_eq(counters().repeated_polls, 1);
    lab_pass(&lab, 1);
    lab_poll(&lab, 0);
    ck_assert_uint_eq(counters().repeated_polls, 1);
    lab_evaluate(&lab);
    ck_assert_double_eq(read_rate(0), 0);
    lab_finish(&lab);
}
END_TEST

START_TEST(the_same_time_with_other_numbers_is_no_sample)
{
    four_regions();
    lab_tick(&lab, 2);
    struct message *m = lab_answer(&lab, 0);
    m->poll.received.mono_ms += 9000;
    m->poll.regions[0].read += 100000;
    engine_apply_poll(lab.engine, &m->poll);
    message_destroy(m);
    ck_assert_uint_eq(counters().repeated_polls, 1);
    lab_evaluate(&lab);
    rates_are_right();
    lab_finish(&lab);
}
END_TEST

START_TEST(an_answer_that_was_overtaken)
{
    for (int clock = LAB_CLOCK_ABSOLUTE; clock <= LAB_CLOCK_NONE; clock++) {
        four_regions();
        lab.clock = (enum lab_clock)clock;
        lab_tick(&lab, 2);
        lab_pass(&lab, 15000);
        struct message *late = lab_answer(&lab, 0);
        lab_pass(&lab, 15000);
        lab_poll(&lab, 0);
        lab_poll(&lab, 1);
        engine_apply_poll(lab.engine, &late->poll);
        message_destroy(late);
        lab_evaluate(&lab);
        rates_are_right();
        ck_assert_uint_eq(counters().resets, 0);
        ck_assert_int_eq(lab_server(&lab, 0)->last_success_ms, lab.now.wall_ms);
        lab_tick(&lab, 1);
        rates_are_right();
        lab_finish(&lab);
    }
}
END_TEST

/* By its own word newer, but received before the one that was applied. */
START_TEST(an_answer_from_before)
{
    four_regions();
    lab_tick(&lab, 3);
    struct message *m = lab_answer(&lab, 0);
    m->poll.received.mono_ms -= 5000;
    m->poll.server_time_ms += 5000;
    engine_apply_poll(lab.engine, &m->poll);
    message_destroy(m);
    ck_assert_uint_eq(counters().repeated_polls, 1);
    lab_tick(&lab, 1);
    rates_are_right();
    lab_finish(&lab);
}
END_TEST

/* ---- how long it took ---- */

/* The answer is up to 10 s late, but says when it was made. */
START_TEST(receipt_jitter_does_not_matter)
{
    for (int clock = LAB_CLOCK_ABSOLUTE; clock <= LAB_CLOCK_AGES; clock++) {
        struct generator g = start_generator("receipt_jitter_does_not_matter");
        four_regions();
        lab.clock = (enum lab_clock)clock;
        lab.clock_skew_ms = 5000000; /* only differences count */
        lab_tick(&lab, 1);
        for (int i = 0; i < 40; i++) {
            lab_pass(&lab, 30000);
            for (int s = 0; s < 2; s++) {
                lab.receipt_late_ms = (int64_t)next_below(&g, 10000);
                lab_poll(&lab, s);
            }
            lab.now.mono_ms += 10000;
            lab.now.wall_ms += 10000;
            lab_evaluate(&lab);
            lab.now.mono_ms -= 10000;
            lab.now.wall_ms -= 10000;
            for (int r = 0; r < 4; r++)
                ck_assert_double_eq_tol(read_rate(r), 10 * (r + 1), 1e-4);
        }
        lab_finish(&lab);
    }
}
END_TEST

START_TEST(a_clock_beyond_15_s_is_not_believed)
{
    static const struct {
        int64_t step_ms;
        double rate; /* of region 0, which has 10/s */
    } cases[] = {{15000, 300.0 / 45}, {15001, 10},   {-15000, 300.0 / 15}, {-15001, 10},
                 {-30001, 10},        {3600000, 10}, {INT64_MAX / 2, 10}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        four_regions();
        lab_tick(&lab, 1);
        lab.clock_skew_ms = cases[i].step_ms;
        lab_tick(&lab, 1);
        ck_assert_double_eq_tol(read_rate(0), cases[i].rate, 1e-3);
        lab_finish(&lab);
    }
}
END_TEST

START_TEST(hostile_clocks)
{
    static const int64_t times[] = {INT64_MIN, INT64_MIN + 1, -2,       -1, 0,
                                    1,         INT64_MAX - 1, INT64_MAX};
    enum { N = sizeof(times) / sizeof(times[0]) };

    four_regions();
    for (int i = 0; i < N * N; i++) {
        lab_pass(&lab, 30000);
        struct message *m = lab_answer(&lab, 0);
        m->poll.server_time_ms = times[i % N];
        m->poll.probe_count = 2;
        for (size_t j = 0; j < 2; j++)
            m->poll.probes[j] =
                (struct age_probe){lab_id((int)j * 2), times[(i / N + j) % N]};
        engine_apply_poll(lab.engine, &m->poll);
        message_destroy(m);
        lab_evaluate(&lab);
        ck_assert(!(read_rate(0) < 0));
    }
    lab_finish(&lab);
}
END_TEST

START_TEST(compacted_regions_do_not_turn_the_clock_back)
{
    four_regions();
    lab.clock = LAB_CLOCK_AGES;
    lab_tick(&lab, 1);
    lab_pass(&lab, 30000);
    struct message *m = lab_answer(&lab, 0);
    m->poll.probes[0].age_ms = 17; /* just compacted */
    m->poll.received.mono_ms += 4000;
    engine_apply_poll(lab.engine, &m->poll);
    message_destroy(m);
    lab_evaluate(&lab);
    ck_assert_double_eq_tol(read_rate(0), 10, 1e-3);
    lab_finish(&lab);
}
END_TEST

START_TEST(a_lost_poll_widens_the_pair)
{
    four_regions();
    lab_tick(&lab, 3);
    lab.down[0] = true;
    lab_tick(&lab, 1);
    ck_assert(!lab_server(&lab, 0)->up);
    rates_are_right(); /* the last ones, still fresh */
    lab.down[0] = false;
    lab_tick(&lab, 1);
    ck_assert(lab_server(&lab, 0)->up);
    rates_are_right();
    lab.down[0] = true;
    lab_tick(&lab, 2);
    ck_assert(!lab_row(&lab, 0)->stale);
    lab_tick(&lab, 1);
    ck_assert(lab_row(&lab, 0)->stale && isnan(read_rate(0)));
    ck_assert(!lab_row(&lab, 1)->stale);
    lab_finish(&lab);
}
END_TEST

START_TEST(an_empty_answer_changes_nothing)
{
    four_regions();
    lab_tick(&lab, 3);
    lab.empty[0] = true;
    lab_tick(&lab, 1);
    ck_assert(lab_server(&lab, 0)->up); /* not a failure of the server */
    rates_are_right();
    lab.empty[0] = false;
    lab_tick(&lab, 1);
    rates_are_right();
    ck_assert_uint_eq(counters().baselines, 4);
    lab_finish(&lab);
}
END_TEST

/* ---- counters that lie ---- */

START_TEST(a_reset_gives_no_rate)
{
    four_regions();
    for (int i = 0; i < 4; i++)
        lab.regions[i].read = lab.regions[i].write = 5000000;
    lab_tick(&lab, 3);
    lab.regions[0].read = 12000;
    lab.regions[0].write = 11000;
    lab_tick(&lab, 1);
    ck_assert(isnan(read_rate(0)) && isnan(write_rate(0)));
    ck_assert(!lab_row(&lab, 0)->stale);
    about(read_rate(1), 20);
    ck_assert_uint_eq(counters().resets, 2);
    lab_tick(&lab, 1);
    rates_are_right();
    lab_finish(&lab);
}
END_TEST

START_TEST(each_counter_by_itself)
{
    four_regions();
    for (int i = 0; i < 4; i++)
        lab.regions[i].read = lab.regions[i].write = 5000000;
    lab_tick(&lab, 6);
    lab.regions[0].write = 100;
    lab_tick(&lab, 1);
    rates_are_right(); /* reads go on, writes skip one pair of several */
    ck_assert_uint_eq(counters().resets, 1);
    ck_assert_uint_eq(counters().baselines, 4);
    lab_tick(&lab, 1);
    rates_are_right();
    lab_finish(&lab);
}
END_TEST

static void
wrap(double before, double after)
{
    four_regions();
    lab_tick(&lab, 1);
    lab.regions[0].read_rate = 0;
    lab.regions[0].read = before;
    lab_tick(&lab, 1);
    lab.regions[0].read = after;
    lab.regions[0].write = 0;
    lab_tick(&lab, 1);
    ck_assert(isnan(read_rate(0)) || read_rate(0) == 0);
    lab_tick(&lab, 1);
    ck_assert_double_eq(read_rate(0), 0);
    lab_finish(&lab);
}

START_TEST(wraps_are_no_rates)
{
    wrap(2147483600, 150);
    wrap(4294967290, 3);
    wrap(9.2e18, 12);
}
END_TEST

START_TEST(a_leap_beyond_belief_is_no_rate)
{
    four_regions();
    lab_tick(&lab, 2);
    lab.regions[0].read += 1e15;
    lab.regions[0].write += 30 * 2.0e6; /* two million a second is a rate */
    lab_tick(&lab, 1);
    ck_assert_double_lt(read_rate(0), 20);
    ck_assert_uint_eq(counters().invalid_samples, 1);
    ck_assert_double_gt(write_rate(0), 9e5);
    lab_tick(&lab, 1);
    about(read_rate(0), 10);
    lab_finish(&lab);
}
END_TEST

START_TEST(an_invalid_sample_keeps_what_was_known)
{
    four_regions();
    lab_tick(&lab, 3);
    lab.regions[0].known |= SAMPLE_INVALID;
    lab_tick(&lab, 1);
    rates_are_right();
    ck_assert(!lab_row(&lab, 0)->stale);
    ck_assert_uint_eq(counters().invalid_samples, 1);
    lab.regions[0].known &= (uint8_t)~SAMPLE_INVALID;
    lab_tick(&lab, 1);
    rates_are_right(); /* the pair spans both intervals */
    ck_assert_uint_eq(counters().resets, 0);
    /* From the first on. */
    lab_region(&lab, "t", 0, 7, 0);
    lab.regions[4].known = SAMPLE_INVALID;
    lab_tick(&lab, 3);
    ck_assert(isnan(read_rate(4)));
    ck_assert(!lab_row(&lab, 4)->has_counts);
    lab.regions[4].known = SAMPLE_READ | SAMPLE_WRITE;
    lab_tick(&lab, 2);
    about(read_rate(4), 7);
    lab_finish(&lab);
}
END_TEST

static void
set_counts(struct message *m, uint64_t read, uint64_t write)
{
    m->poll.regions[0].read = read;
    m->poll.regions[0].write = write;
    engine_apply_poll(lab.engine, &m->poll);
    message_destroy(m);
    lab_evaluate(&lab);
}

START_TEST(counters_are_exact_to_64_bits)
{
    const uint64_t odd = 9007199254740993; /* 2^53 + 1 */

    four_regions();
    lab_pass(&lab, 30000);
    set_counts(lab_answer(&lab, 0), odd, UINT64_MAX - 30);
    ck_assert(lab_row(&lab, 0)->has_counts);
    ck_assert_uint_eq(lab_row(&lab, 0)->read_count, odd);
    lab_pass(&lab, 30000);
    set_counts(lab_answer(&lab, 0), odd + 30, UINT64_MAX);
    ck_assert_uint_eq(lab_row(&lab, 0)->read_count, odd + 30);
    ck_assert_uint_eq(lab_row(&lab, 0)->write_count, UINT64_MAX);
    ck_assert_double_eq(read_rate(0), 1);
    ck_assert_double_eq(write_rate(0), 1);
    ck_assert_uint_eq(lab_server(&lab, 0)->reads, 30 + 900);
    lab_finish(&lab);
}
END_TEST

/* ---- windows ---- */

/* Idle, then busy: the window's mean counts the idle time before. */
START_TEST(idle_time_before_traffic_counts)
{
    four_regions();
    lab.regions[0].read_rate = lab.regions[0].write_rate = 0;
    lab_tick(&lab, 10);
    ck_assert_double_eq(read_rate(0), 0);
    lab.regions[0].read_rate = 120;
    lab_tick(&lab, 1);
    ck_assert_double_eq_tol(read_rate(0), 30, 0.1); /* one of four pairs */
    lab_tick(&lab, 1);
    ck_assert_double_eq_tol(read_rate(0), 60, 0.1);
    lab.regions[0].read_rate = 0;
    lab_tick(&lab, 6);
    ck_assert_double_eq(read_rate(0), 0);
    lab.regions[0].read_rate = 120;
    lab_tick(&lab, 1);
    ck_assert_double_eq_tol(read_rate(0), 30, 0.1); /* once more */
    lab_finish(&lab);
}
END_TEST

START_TEST(a_longer_window_by_reload)
{
    four_regions();
    lab_tick(&lab, 10);
    struct config longer = lab.config;
    longer.detection.window_ms = 20 * 60 * 1000;
    engine_configure(lab.engine, &longer);
    lab_tick(&lab, 50);
    lab.regions[0].read_rate = 1210;
    lab_tick(&lab, 4);
    ck_assert_double_eq_tol(read_rate(0), 10 + 1200 * 4 / 40.0, 1);
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("sampling", first_value_is_a_baseline, cached_answers_by_absolute_time,
          cached_answers_by_relative_ages, cached_answers_without_a_clock,
          without_a_clock_idle_is_a_sample_after_the_cache_time,
          the_same_time_with_other_numbers_is_no_sample, an_answer_that_was_overtaken,
          an_answer_from_before, receipt_jitter_does_not_matter,
          a_clock_beyond_15_s_is_not_believed, hostile_clocks,
          compacted_regions_do_not_turn_the_clock_back, a_lost_poll_widens_the_pair,
          an_empty_answer_changes_nothing, a_reset_gives_no_rate,
          each_counter_by_itself, wraps_are_no_rates, a_leap_beyond_belief_is_no_rate,
          an_invalid_sample_keeps_what_was_known, counters_are_exact_to_64_bits,
          idle_time_before_traffic_counts, a_longer_window_by_reload)
