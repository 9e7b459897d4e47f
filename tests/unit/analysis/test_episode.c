/* SPDX-License-Identifier: Apache-2.0 */
/* From hot to alert to its end: `for`, the newest sample, hysteresis, the access. */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "tests/unit/common/harness.h"

static struct lab lab;

static enum alert_state
state(int region)
{
    const struct alert *a = lab_alert(&lab, region);

    return a == NULL ? ALERT_RESOLVED : a->state;
}

/* An alert that fires about region 4; the next evaluation is a tick away. */
static int
firing(void)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 6);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_str_eq(lab.events, "fired 4;");
    return hot;
}

/* ---- for ---- */

START_TEST(fires_exactly_after_for)
{
    static const int64_t durations[] = {0, 4000, 30000, 45000, 120000, 600000};

    for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++) {
        int hot = lab_even_table(&lab, 50, 10);
        lab.config.detection.rule.for_ms = durations[i];
        int ticks = (int)((durations[i] + 29999) / 30000);
        lab_tick(&lab, 1 + ticks);
        ck_assert_int_eq(state(hot), ticks == 0 ? ALERT_RESOLVED : ALERT_PENDING);
        lab_tick(&lab, 1);
        ck_assert_int_eq(state(hot), ALERT_FIRING);
        const struct alert *a = lab_alert(&lab, hot);
        ck_assert_int_eq(a->starts_at_ms, a->active_at_ms + 30000 * ticks);
        ck_assert_int_eq(a->hot_since_ms, a->active_at_ms);
        ck_assert_int_eq(a->resolved_at_ms, -1);
        lab_finish(&lab);
    }
}
END_TEST

/* The duration is time, not a number of samples. */
START_TEST(for_at_another_interval)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab.config.poll.interval_ms = 10000;
    engine_configure(lab.engine, &lab.config);
    lab_tick(&lab, 13);
    ck_assert_int_eq(state(hot), ALERT_PENDING);
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_finish(&lab);
}
END_TEST

START_TEST(one_quiet_evaluation_resets)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 5);
    ck_assert_int_eq(state(hot), ALERT_PENDING);
    int64_t active = lab_alert(&lab, hot)->active_at_ms;
    lab.regions[hot].read_rate = 0;
    lab_tick(&lab, 1); /* the window is still hot, the newest sample is not */
    ck_assert_double_gt(lab_row(&lab, hot)->rate[ACCESS_READ], 200);
    ck_assert_int_eq(state(hot), ALERT_RESOLVED);
    lab.regions[hot].read_rate = 500;
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_PENDING);
    ck_assert_int_gt(lab_alert(&lab, hot)->active_at_ms, active);
    lab_tick(&lab, 3);
    ck_assert_int_eq(state(hot), ALERT_PENDING);
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

/* A burst of one sample, however large, lives on in the window for two minutes. */
START_TEST(a_short_burst_never_fires)
{
    int spot = lab_even_table(&lab, 50, 1);

    for (int i = 0; i < 10; i++) {
        lab_tick(&lab, 4);
        lab.regions[spot].read_rate = 50000;
        lab_tick(&lab, 1 + i % 3); /* at most 90 s */
        lab.regions[spot].read_rate = 50;
    }
    lab_tick(&lab, 10);
    ck_assert_str_eq(lab.events, "");
    lab_finish(&lab);
}
END_TEST

START_TEST(newest_sample_at_both_sides_of_the_edge)
{
    for (int above = 0; above < 2; above++) {
        int hot = lab_even_table(&lab, 50, 10);
        lab_tick(&lab, 4);
        /* limit = 3 * 50; 0.8 of it is 120 */
        lab.regions[hot].read_rate = above ? 120.5 : 119.5;
        lab_tick(&lab, 1);
        ck_assert_int_eq(state(hot), above ? ALERT_PENDING : ALERT_RESOLVED);
        lab_finish(&lab);
    }
}
END_TEST

/* ---- the end ---- */

START_TEST(clears_after_clear_for_below_the_ratio)
{
    int hot = firing();

    lab.regions[hot].read_rate = 121; /* between 0.8 * 150 and 150: neither */
    lab_tick(&lab, 60);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab.regions[hot].read_rate = 119;
    lab_tick(&lab, 9); /* the mean comes down below 120 in the first of these */
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(hot), ALERT_RESOLVED);
    ck_assert_str_eq(lab.events, "fired 4;resolved cooled 4;");
    lab_finish(&lab);
}
END_TEST

START_TEST(exactly_clear_for_of_cool_evaluations)
{
    int hot = firing(), cool = 0;

    lab.regions[hot].read_rate = 0;
    while (state(hot) == ALERT_FIRING) {
        lab_tick(&lab, 1);
        cool += lab_row(&lab, hot)->rate[ACCESS_READ] < 120;
    }
    ck_assert_int_eq(cool, 11); /* 300 s lie between the first and the last */
    lab_finish(&lab);
}
END_TEST

START_TEST(one_warm_evaluation_restarts_clear_for)
{
    int hot = firing();

    lab.regions[hot].read_rate = 0;
    lab_tick(&lab, 11);
    lab.regions[hot].read_rate = 2000;
    lab_tick(&lab, 1);
    lab.regions[hot].read_rate = 0;
    lab_tick(&lab, 12);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_tick(&lab, 8);
    ck_assert_int_eq(state(hot), ALERT_RESOLVED);
    ck_assert_str_eq(lab.events, "fired 4;resolved cooled 4;");
    lab_finish(&lab);
}
END_TEST

START_TEST(hot_again_is_a_new_alert)
{
    int hot = firing();
    int64_t first = lab_alert(&lab, hot)->starts_at_ms;

    lab.regions[hot].read_rate = 50;
    lab_tick(&lab, 20);
    lab.regions[hot].read_rate = 5000;
    lab_tick(&lab, 5);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_int_gt(lab_alert(&lab, hot)->starts_at_ms, first);
    ck_assert_str_eq(lab.events, "fired 4;resolved cooled 4;fired 4;");
    lab_finish(&lab);
}
END_TEST

/* ---- which access ---- */

static enum access
access_of(double read, double write)
{
    lab_init(&lab, 3);
    for (int i = 0; i < 10; i++)
        lab_region(&lab, "t", i % 3, 100, 10);
    lab.regions[3].read_rate = read;
    lab.regions[3].write_rate = write;
    lab_start(&lab);
    lab_tick(&lab, 6);
    const struct alert *a = lab_alert(&lab, 3);
    ck_assert_ptr_nonnull(a);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    enum access access = a->access;
    ck_assert_double_eq_tol(a->rate[access],
                            access == ACCESS_READ    ? read
                            : access == ACCESS_WRITE ? write
                                                     : read + write,
                            2);
    ck_assert_double_eq_tol(a->ratio, a->rate[access] / a->baseline, 0.01);
    lab_finish(&lab);
    return access;
}

START_TEST(the_access_with_the_highest_ratio)
{
    ck_assert_int_eq(access_of(1000, 10), ACCESS_READ);
    ck_assert_int_eq(access_of(100, 500), ACCESS_WRITE);
    ck_assert_int_eq(access_of(2000, 500), ACCESS_WRITE); /* 50 times against 20 */
    ck_assert_int_eq(access_of(2000, 150), ACCESS_READ);
}
END_TEST

START_TEST(the_access_stays_while_it_fires)
{
    lab_init(&lab, 3);
    for (int i = 0; i < 10; i++)
        lab_region(&lab, "t", i % 3, 100, 100);
    lab.regions[3].read_rate = 1000;
    lab_start(&lab);
    lab_tick(&lab, 6);
    lab.regions[3].read_rate = 100;
    lab.regions[3].write_rate = 9000;
    lab_tick(&lab, 30);
    const struct alert *a = lab_alert(&lab, 3);
    ck_assert_int_eq(a->state, ALERT_FIRING); /* one episode: any access keeps it */
    ck_assert_int_eq(a->access, ACCESS_READ);
    ck_assert_double_eq_tol(a->rate[ACCESS_WRITE], 9000, 1);
    ck_assert_double_eq_tol(a->rate[ACCESS_READ], 100, 1);
    ck_assert_str_eq(lab.events, "fired 3;");
    lab_finish(&lab);
}
END_TEST

START_TEST(thresholds_of_each_access)
{
    lab_init(&lab, 3);
    for (int i = 0; i < 10; i++)
        lab_region(&lab, "t", i % 3, 100, 100);
    lab.config.detection.rule.threshold[ACCESS_READ] = 10;
    lab.config.detection.rule.threshold[ACCESS_TOTAL] = 10;
    lab.regions[1].read_rate = 900;
    lab.regions[2].write_rate = 900;
    lab_start(&lab);
    lab_tick(&lab, 8);
    ck_assert_int_eq(state(1), ALERT_RESOLVED);
    ck_assert_int_eq(state(2), ALERT_FIRING);
    ck_assert_int_eq(lab_alert(&lab, 2)->access, ACCESS_WRITE);
    ck_assert_double_eq(lab_alert(&lab, 2)->threshold, 3);
    lab_finish(&lab);
}
END_TEST

/* Reads and writes are each below the rule, the sum is above it. */
START_TEST(hot_by_the_total_alone)
{
    lab_init(&lab, 3);
    for (int i = 0; i < 9; i++)
        lab_region(&lab, "t", i % 3, i % 2 == 0 ? 40 : 0, i % 2 == 0 ? 0 : 40);
    lab.regions[3].read_rate = lab.regions[3].write_rate = 70;
    lab_start(&lab);
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(3), ALERT_FIRING);
    ck_assert_int_eq(lab_alert(&lab, 3)->access, ACCESS_TOTAL);
    lab_finish(&lab);
}
END_TEST

/* ---- resets and invalid values ---- */

START_TEST(an_invalid_sample_neither_raises_nor_clears)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 4);
    lab.regions[hot].known |= SAMPLE_INVALID;
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_PENDING);
    lab.regions[hot].known &= (uint8_t)~SAMPLE_INVALID;
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab.regions[hot].known |= SAMPLE_INVALID;
    lab_tick(&lab, 20);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert(lab_alert(&lab, hot)->stale);
    ck_assert_str_eq(lab.events, "fired 4;held 4;");
    lab_finish(&lab);
}
END_TEST

START_TEST(a_reset_of_one_counter_does_not_reset_pending)
{
    int hot = lab_even_table(&lab, 50, 10);

    for (int i = 0; i < 10; i++)
        lab.regions[i].write = 1000;
    lab_tick(&lab, 4);
    lab.regions[hot].read = 0; /* reads begin anew, writes go on */
    lab.regions[hot].write += 1;
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_PENDING);
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_finish(&lab);
}
END_TEST

START_TEST(a_full_reset_does_not_reset_pending)
{
    int hot = lab_even_table(&lab, 50, 10);

    for (int i = 0; i < 10; i++)
        lab.regions[i].write = 1000;
    lab_tick(&lab, 4);
    lab.regions[hot].read = lab.regions[hot].write = 0;
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_PENDING);
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("episode", fires_exactly_after_for, for_at_another_interval,
          one_quiet_evaluation_resets, a_short_burst_never_fires,
          newest_sample_at_both_sides_of_the_edge,
          clears_after_clear_for_below_the_ratio, exactly_clear_for_of_cool_evaluations,
          one_warm_evaluation_restarts_clear_for, hot_again_is_a_new_alert,
          the_access_with_the_highest_ratio, the_access_stays_while_it_fires,
          thresholds_of_each_access, hot_by_the_total_alone,
          an_invalid_sample_neither_raises_nor_clears,
          a_reset_of_one_counter_does_not_reset_pending,
          a_full_reset_does_not_reset_pending)
