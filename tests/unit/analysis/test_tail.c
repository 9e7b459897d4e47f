/* SPDX-License-Identifier: Apache-2.0 */
/* Writes always hit the end of the table, and the last region is split again and again:
 * one cause, one alert, however often. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab.h"
#include "tests/unit/common/harness.h"

enum { SPLITS = 24 };

static struct lab lab;
static char keys[SPLITS][8];

static bool
is_member(const struct alert *a, int region)
{
    for (uint32_t i = 0; i < a->member_count; i++)
        if (region_id_equal(a->members[i]->id, lab_id(region)))
            return true;
    return false;
}

/* Ten regions, of which the last takes nearly all. */
static int
begin(bool with_keys)
{
    lab_even_table(&lab, 20, 1);
    if (with_keys) {
        lab_even_keys(&lab);
        lab_list(&lab);
    }
    lab.regions[9].write_rate = 3000;
    return 9;
}

/* The last region is split: the upper daughter takes all, the lower one a little. */
static int
split_tail(int last, int number, bool with_keys)
{
    int server = lab.regions[last].server;
    int lower = lab_region(&lab, "orders", server, 0, 5);
    int upper = lab_region(&lab, "orders", server, 20, 3000);

    ck_assert_int_lt(number, SPLITS);
    snprintf(keys[number], sizeof(keys[number]), "91%02d", number);
    for (int i = lower; with_keys && i <= upper; i++)
        lab.regions[i].created_ms = lab.now.wall_ms;
    if (with_keys) {
        lab.regions[lower].start = lab.regions[last].start;
        lab.regions[lower].end = lab.regions[upper].start = keys[number];
        lab.regions[upper].end = "";
    }
    lab.regions[last].server = -1;
    return upper;
}

/* Splits it every `ticks` evaluations, the first time after `lead`; the listing comes
 * `late` evaluations after a split. */
static const struct alert *
chase(int splits, int lead, int ticks, int late, bool with_keys)
{
    int last = begin(with_keys);

    lab_tick(&lab, lead);
    for (int i = 0; i < splits; i++) {
        last = split_tail(last, i, with_keys);
        for (int t = 0; t < ticks; t++) {
            lab_tick(&lab, 1);
            if (t == late && with_keys)
                lab_list(&lab);
            const struct alert *a = lab_alert(&lab, 9);
            ck_assert_msg(lab.last->alert_count == 1 && a != NULL,
                          "split %d, tick %d of %d: %u alerts, %s", i, t, ticks,
                          lab.last->alert_count, lab.events);
        }
        const struct alert *a = lab_alert(&lab, 9);
        ck_assert_msg(ticks < 2 + late || is_member(a, last), "split %d, ticks %d", i,
                      ticks);
    }
    lab_tick(&lab, 6);
    ck_assert_str_eq(lab.events, "fired 9;");
    const struct alert *a = lab_alert(&lab, 9);
    ck_assert_ptr_nonnull(a);
    ck_assert(is_member(a, last));
    ck_assert(region_id_equal(a->region->id, lab_id(last)));
    ck_assert_double_gt(a->rate[ACCESS_WRITE], 2500);
    return a;
}

START_TEST(a_tail_that_splits_ten_times)
{
    for (int keyed = 0; keyed < 2; keyed++)
        for (int ticks = 4; ticks <= 20; ticks += 4) {
            const struct alert *a = chase(10, 8, ticks, 1, keyed);
            ck_assert_uint_eq(a->lineage_count, 20);
            ck_assert_uint_eq(engine_counters(lab.engine).splits, 10);
            ck_assert_int_eq(a->hot_since_ms, a->active_at_ms);
            lab_finish(&lab);
        }
}
END_TEST

/* Far more splits than an alert has members or lineage. */
START_TEST(a_tail_that_never_ends)
{
    for (int keyed = 0; keyed < 2; keyed++)
        for (int ticks = 3; ticks <= 10; ticks += 7) {
            const struct alert *a = chase(SPLITS, 8, ticks, 1, keyed);
            ck_assert_uint_eq(a->lineage_count, LINEAGE_MAX);
            ck_assert_uint_le(a->member_count, ALERT_MEMBERS_MAX);
            lab_finish(&lab);
        }
}
END_TEST

/* Before the alert fires, too: the heat has lasted, whatever the regions' names. */
START_TEST(a_tail_that_splits_before_it_fires)
{
    for (int keyed = 0; keyed < 2; keyed++)
        for (int lead = 2; lead <= 5; lead++) {
            chase(10, lead, 3, 0, keyed);
            lab_finish(&lab);
        }
}
END_TEST

/* The lower daughter is cool for good: it leaves, and may become hot by itself. */
START_TEST(a_cool_daughter_leaves)
{
    int last = begin(true);

    lab_tick(&lab, 8);
    int upper = split_tail(last, 0, true);
    lab_tick(&lab, 2);
    lab_list(&lab);
    lab_tick(&lab, 6);
    ck_assert(is_member(lab_alert(&lab, 9), upper - 1));
    ck_assert_int_eq(lab_row(&lab, upper - 1)->heat, HEAT_FIRING);
    lab_tick(&lab, 10);
    ck_assert_uint_eq(lab_alert(&lab, 9)->member_count, 1);
    ck_assert(is_member(lab_alert(&lab, 9), upper));
    ck_assert_int_eq(lab_row(&lab, upper - 1)->heat, HEAT_NORMAL);
    ck_assert_uint_eq(lab_alert(&lab, 9)->lineage_count, 2); /* the story stays */
    lab.regions[upper - 1].read_rate = 3000;
    lab_tick(&lab, 10);
    char events[64];
    snprintf(events, sizeof(events), "fired 9;fired %d;", upper - 1);
    ck_assert_str_eq(lab.events, events);
    lab_finish(&lab);
}
END_TEST

/* The hot daughter's server is silent; that her sister is cool says nothing of her. */
START_TEST(a_cool_sister_does_not_end_it)
{
    int last = begin(true);

    lab_tick(&lab, 8);
    int upper = split_tail(last, 0, true);
    lab_move(&lab, upper, 1);
    lab_tick(&lab, 2);
    lab_list(&lab);
    lab_tick(&lab, 4);
    lab.down[1] = true;
    lab_tick(&lab, 26); /* 13 minutes */
    ck_assert_str_eq(lab.events, "fired 9;held 9;");
    ck_assert(lab_alert(&lab, 9)->stale);
    lab.down[1] = false;
    lab_tick(&lab, 4);
    ck_assert(!lab_alert(&lab, 9)->stale);
    ck_assert_str_eq(lab.events, "fired 9;held 9;");
    lab.down[1] = true;
    lab_tick(&lab, 40);
    ck_assert_str_eq(lab.events, "fired 9;held 9;held 9;resolved unknown 9;");
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("tail", a_cool_daughter_leaves, a_cool_sister_does_not_end_it,
          a_tail_that_splits_ten_times, a_tail_that_never_ends,
          a_tail_that_splits_before_it_fires)
