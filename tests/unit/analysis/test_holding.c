/* SPDX-License-Identifier: Apache-2.0 */
/* Alerts of regions that are not heard of, in tables that are seen too little, and of
 * tables that are gone. */
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

/* ---- holding ---- */

START_TEST(held_told_once_and_ends_unknown)
{
    int hot = firing();

    lab.down[1] = true;
    int64_t last = lab.now.mono_ms;
    lab_tick(&lab, 2); /* 60 s: fresh for 70 */
    ck_assert(!lab_alert(&lab, hot)->stale);
    lab_tick(&lab, 1);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert(a->stale);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_int_eq(a->last_sample_ms, lab.now.wall_ms - 90000);
    ck_assert_str_eq(lab.events, "fired 4;held 4;");
    ck_assert(engine_wants(lab.engine).urgent_listing);
    while (state(hot) == ALERT_FIRING)
        lab_tick(&lab, 1);
    /* 15 minutes after it was found stale */
    ck_assert_int_eq(lab.now.mono_ms - last, 90000 + 15 * 60000);
    ck_assert_str_eq(lab.events, "fired 4;held 4;resolved unknown 4;");
    ck_assert(!engine_wants(lab.engine).urgent_listing);
    lab_tick(&lab, 100);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    lab_finish(&lab);
}
END_TEST

START_TEST(held_and_back)
{
    int hot = firing();

    for (int i = 0; i < 3; i++) {
        lab.down[1] = true;
        lab_tick(&lab, 10);
        ck_assert(lab_alert(&lab, hot)->stale);
        lab.down[1] = false;
        lab_tick(&lab, 2);
        ck_assert(!lab_alert(&lab, hot)->stale);
        ck_assert_int_eq(state(hot), ALERT_FIRING);
    }
    ck_assert_str_eq(lab.events, "fired 4;held 4;held 4;held 4;"); /* once a hold */
    lab_finish(&lab);
}
END_TEST

START_TEST(short_gaps_are_not_worth_telling)
{
    int hot = firing();

    for (int i = 0; i < 10; i++) {
        lab.down[1] = i % 2 == 0;
        lab.empty[1] = i % 2 == 1;
        lab_tick(&lab, 2);
        lab.down[1] = lab.empty[1] = false;
        lab_tick(&lab, 1);
    }
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

START_TEST(ends_as_server_lost_when_the_master_says_so)
{
    int hot = firing();

    lab.down[1] = lab.dead[1] = true;
    for (int i = 0; i < 60 && state(hot) == ALERT_FIRING; i++) {
        lab_cluster(&lab);
        lab_tick(&lab, 1);
    }
    ck_assert_str_eq(lab.events, "fired 4;held 4;resolved server_lost 4;");
    lab_finish(&lab);
}
END_TEST

START_TEST(a_dead_servers_region_opens_elsewhere)
{
    int hot = firing();

    lab.down[1] = lab.dead[1] = true;
    for (int i = 0; i < 6; i++) {
        lab_cluster(&lab);
        lab_tick(&lab, 1);
    }
    ck_assert(lab_alert(&lab, hot)->stale);
    for (int i = 0; i < 10; i++)
        if (lab.regions[i].server == 1)
            lab_move(&lab, i, i % 2 == 0 ? 0 : 2);
    lab_cluster(&lab);
    lab_tick(&lab, 5);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert(!a->stale);
    ck_assert_str_eq(a->server->address, "rs1:16020");
    ck_assert_str_eq(lab.events, "fired 4;held 4;");
    lab.down[0] = true; /* silent, but nobody says that it is dead */
    lab_tick(&lab, 40);
    ck_assert_str_eq(lab.events, "fired 4;held 4;held 4;resolved unknown 4;");
    lab_finish(&lab);
}
END_TEST

START_TEST(a_restarted_server_holds_its_alerts)
{
    int hot = firing();

    lab_restart(&lab, 1, 1700000077777);
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_tick(&lab, 3);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_uint_eq(a->lineage_count, 0); /* it moved nowhere */
    ck_assert_int_eq(a->server->start_code, 1700000077777);
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

/* The time without news is neither hot nor cool. */
START_TEST(silence_counts_for_nothing)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 3); /* pending for 30 s */
    lab.down[1] = true;
    lab_tick(&lab, 12);
    ck_assert_int_eq(state(hot), ALERT_PENDING);
    lab.down[1] = false;
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_PENDING);
    lab_tick(&lab, 3);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab.regions[hot].read_rate = 50;
    lab_tick(&lab, 6);
    lab.down[1] = true;
    lab_tick(&lab, 12);
    lab.down[1] = false;
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_tick(&lab, 12);
    ck_assert_int_eq(state(hot), ALERT_RESOLVED);
    lab_finish(&lab);
}
END_TEST

START_TEST(a_pending_alert_is_forgotten_without_an_event)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 3);
    lab.down[1] = true;
    lab_tick(&lab, 40);
    ck_assert_int_eq(state(hot), ALERT_RESOLVED);
    ck_assert_str_eq(lab.events, "");
    lab_finish(&lab);
}
END_TEST

/* ---- a table seen too little ---- */

/* Nine regions on three servers, number 3 hot. */
static void
nine(double rate)
{
    lab_init(&lab, 3);
    for (int i = 0; i < 9; i++)
        lab_region(&lab, "t", i % 3, i == 3 ? rate : 50, 0);
    lab_start(&lab);
}

START_TEST(never_judge_blind)
{
    nine(500);
    lab.down[1] = lab.down[2] = true; /* never seen: N is 3 of 3, all fresh */
    lab_tick(&lab, 8);
    ck_assert_int_eq(state(3), ALERT_FIRING);
    lab_finish(&lab);

    nine(50);
    lab_tick(&lab, 4);
    lab.down[1] = lab.down[2] = true;
    lab_tick(&lab, 5); /* 3 of 9 are fresh */
    lab.regions[3].read_rate = 5000;
    lab_tick(&lab, 10);
    ck_assert_uint_eq(lab_table(&lab, "t")->fresh, 3);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    lab.down[1] = false; /* 6 of 9 */
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(3), ALERT_FIRING);
    const struct alert *a = lab_alert(&lab, 3);
    ck_assert_uint_eq(a->regions_in_table, 9);
    ck_assert_uint_eq(a->regions_fresh, 6);
    ck_assert_double_eq_tol(a->baseline, 50, 1); /* of those that are known */
    lab_finish(&lab);
}
END_TEST

START_TEST(exactly_half_is_not_blind)
{
    lab_init(&lab, 2);
    for (int i = 0; i < 8; i++)
        lab_region(&lab, "t", i % 2, 50, 0);
    lab_start(&lab);
    lab_tick(&lab, 4);
    lab.down[1] = true;
    lab.regions[0].read_rate = 5000;
    lab_tick(&lab, 8);
    ck_assert_uint_eq(lab_table(&lab, "t")->fresh, 4);
    ck_assert_int_eq(state(0), ALERT_FIRING);
    lab_finish(&lab);
}
END_TEST

/* Of an alert whose region answers, blindness makes neither an unknown nor an end. */
START_TEST(an_alert_goes_on_in_a_blind_table)
{
    nine(500);
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(3), ALERT_FIRING);
    double limit = lab_alert(&lab, 3)->limit;
    lab.down[1] = lab.down[2] = true;
    lab_tick(&lab, 60);
    const struct alert *a = lab_alert(&lab, 3);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert(!a->stale);
    ck_assert_double_eq_tol(a->limit, limit, 1);
    ck_assert_double_eq_tol(a->rate[ACCESS_READ], 500, 1);
    ck_assert_uint_eq(a->regions_fresh, 3);
    lab.regions[3].read_rate = 10; /* it cools by the limit that it was seen with */
    lab_tick(&lab, 15);
    ck_assert_str_eq(lab.events, "fired 3;resolved cooled 3;");
    lab_finish(&lab);
}
END_TEST

START_TEST(a_pending_one_does_not_fire_blind)
{
    nine(500);
    lab_tick(&lab, 3);
    lab.down[1] = lab.down[2] = true;
    lab_tick(&lab, 20);
    ck_assert_int_eq(state(3), ALERT_PENDING);
    lab.down[1] = lab.down[2] = false;
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(3), ALERT_FIRING);
    lab_finish(&lab);
}
END_TEST

/* ---- a table that goes ---- */

static void
drop(int except)
{
    for (int i = 0; i < 10; i++)
        if (i != except)
            lab.regions[i].server = -1;
}

START_TEST(a_dropped_table)
{
    int hot = firing();

    int other = lab_region(&lab, "other", 0, 1, 0);
    lab_list(&lab);
    drop(other);
    lab_tick(&lab, 1);
    lab_list(&lab); /* gone from the listing, but perhaps only on its way */
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_RESOLVED);
    ck_assert_str_eq(lab.events, "fired 4;held 4;resolved dropped 4;");
    for (int i = 0; i < 30; i++) { /* the hold time, though listings come rarely */
        lab_list(&lab);
        lab_tick(&lab, 1);
    }
    ck_assert_ptr_null(lab_table(&lab, "orders"));
    ck_assert_uint_eq(lab.last->region_count, 1);
    ck_assert_ptr_nonnull(lab_row(&lab, other));
    lab_finish(&lab);
}
END_TEST

/* Listed nowhere for a minute while it moves: its alert holds. */
START_TEST(in_transition_is_not_dropped)
{
    lab_init(&lab, 3);
    int hot = lab_region(&lab, "one", 1, 5000, 0);
    lab_region(&lab, "other", 0, 1, 0);
    lab_region(&lab, "other", 2, 1, 0);
    lab_start(&lab);
    lab_list(&lab);
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_move(&lab, hot, -1);
    for (int i = 0; i < 2; i++) {
        lab_tick(&lab, 1);
        lab_list(&lab);
    }
    lab_move(&lab, hot, 2);
    lab_tick(&lab, 3);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_str_eq(lab.events, "fired 0;");
    lab_finish(&lab);
}
END_TEST

/* Its server is silent, and listings show the table's other regions. */
START_TEST(a_missing_region_of_a_listed_table)
{
    int hot = firing();

    lab.down[1] = true;
    for (int i = 0; i < 31; i++) {
        struct message *m = lab_listing(&lab, NULL);
        size_t n = 0;
        for (size_t j = 0; j < m->listing.row_count; j++)
            if (!region_id_equal(m->listing.rows[j].id, lab_id(hot)))
                m->listing.rows[n++] = m->listing.rows[j];
        m->listing.row_count = n;
        engine_apply_listing(lab.engine, &m->listing);
        message_destroy(m);
        lab_tick(&lab, 1);
    }
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_str_eq(lab.events, "fired 4;held 4;");
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("holding", held_told_once_and_ends_unknown, held_and_back,
          short_gaps_are_not_worth_telling, ends_as_server_lost_when_the_master_says_so,
          a_dead_servers_region_opens_elsewhere, a_restarted_server_holds_its_alerts,
          silence_counts_for_nothing, a_pending_alert_is_forgotten_without_an_event,
          never_judge_blind, exactly_half_is_not_blind,
          an_alert_goes_on_in_a_blind_table, a_pending_one_does_not_fire_blind,
          a_dropped_table, in_transition_is_not_dropped,
          a_missing_region_of_a_listed_table)
