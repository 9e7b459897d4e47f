/* SPDX-License-Identifier: Apache-2.0 */
/* What does not fit into max_alerts_per_table or max_alerts is told by one alert that
 * says how many. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab.h"
#include "tests/unit/common/harness.h"

static struct lab lab;

/* `n` regions of a table, the first `hot` of them with the loads 1000, 1001 ... */
static void
add_table(const char *name, int n, int hot)
{
    for (int i = 0; i < n; i++)
        lab_region(&lab, name, i % 8, i < hot ? 1000 + i : 10, 0);
}

static void
begin(unsigned per_table, unsigned overall)
{
    lab_init(&lab, 8);
    lab.config.detection.server_min_rate = 1e6;
    lab.config.detection.rule.max_alerts_per_table = per_table;
    lab.config.detection.max_alerts = overall;
}

static unsigned
count(const char *text)
{
    unsigned n = 0;

    for (const char *p = lab.events; (p = strstr(p, text)) != NULL; p++)
        n++;
    return n;
}

START_TEST(a_hot_table_of_64_regions)
{
    for (int hot = 1; hot <= 64; hot += 7) {
        begin(10, 200);
        add_table("t", 64, hot);
        lab_start(&lab);
        lab_tick(&lab, 30);
        ck_assert_uint_le(count("fired"), 11);
        ck_assert_uint_eq(count("resolved"), 0);
        ck_assert_uint_le(lab.last->firing, 11);
        if (hot <= 21) /* 64 / threshold */
            ck_assert_uint_eq(lab.last->firing, hot <= 10 ? (unsigned)hot : 11);
        const struct alert *a = lab_alert_about(&lab, "t");
        ck_assert((a != NULL) == (hot > 10 && hot <= 21));
        if (a != NULL)
            ck_assert_uint_eq(a->hot_regions, (unsigned)hot - 10);
        lab_finish(&lab);
    }
}
END_TEST

START_TEST(equal_regions_are_quiet)
{
    for (double rate = 10; rate < 1e6; rate *= 10) {
        begin(10, 200);
        for (int i = 0; i < 64; i++)
            lab_region(&lab, "t", i % 8, rate, rate);
        lab_start(&lab);
        lab_tick(&lab, 10);
        ck_assert_uint_eq(lab.last->alert_count, 0);
        lab_finish(&lab);
    }
}
END_TEST

START_TEST(it_says_how_many_and_which)
{
    begin(3, 200);
    add_table("t", 40, 8);
    lab_start(&lab);
    lab_tick(&lab, 6);
    const struct alert *a = lab_alert_about(&lab, "t");
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert(a->overflow);
    ck_assert_uint_eq(a->hot_regions, 5);
    ck_assert_uint_eq(lab.last->suppressed, 5);
    ck_assert_uint_eq(a->top_count, 5);
    for (uint32_t i = 0; i < 5; i++) /* 7, 6 and 5 have alerts of their own */
        ck_assert(region_id_equal(a->top[i].region->id, lab_id(4 - (int)i)));
    ck_assert_double_eq_tol(a->rate[ACCESS_TOTAL], 8 * 1003.5 + 320, 15);
    ck_assert_uint_eq(a->regions_in_table, 40);
    ck_assert_int_eq(a->access, ACCESS_TOTAL);
    ck_assert(isnan(a->limit));
    lab.regions[0].read_rate = lab.regions[1].read_rate = 10;
    lab_tick(&lab, 5);
    ck_assert_uint_eq(lab_alert_about(&lab, "t")->hot_regions, 3);
    lab_finish(&lab);
}
END_TEST

/* It ends when all fit for `clear_for`, and is one alert until then. */
START_TEST(it_ends_when_all_fit)
{
    begin(3, 200);
    add_table("t", 40, 4);
    lab_start(&lab);
    lab_tick(&lab, 6);
    ck_assert_str_eq(lab.events, "fired 3;fired 2;fired 1;fired t;");
    for (int k = 0; k < 3; k++) { /* the fourth one comes and goes */
        lab.regions[0].read_rate = 10;
        lab_tick(&lab, 6);
        lab.regions[0].read_rate = 1000;
        lab_tick(&lab, 7);
    }
    ck_assert_str_eq(lab.events, "fired 3;fired 2;fired 1;fired t;");
    lab.regions[3].read_rate = 10; /* its place goes to the fourth */
    lab_tick(&lab, 30);
    ck_assert_str_eq(lab.events, "fired 3;fired 2;fired 1;fired t;resolved cooled 3;"
                                 "fired 0;resolved cooled t;");
    ck_assert_uint_eq(lab.last->suppressed, 0);
    lab_finish(&lab);
}
END_TEST

START_TEST(held_while_blind)
{
    begin(3, 200);
    add_table("t", 40, 8);
    lab_start(&lab);
    lab_tick(&lab, 6);
    for (int i = 0; i < 8; i++)
        lab.down[i] = true;
    lab_tick(&lab, 20);
    ck_assert(lab_alert_about(&lab, "t")->stale);
    ck_assert_uint_eq(count("held"), 4);
    for (int i = 0; i < 8; i++)
        lab.down[i] = false;
    lab_tick(&lab, 12);
    ck_assert_uint_eq(lab_alert_about(&lab, "t")->hot_regions, 5);
    ck_assert_uint_eq(count("fired"), 4);
    ck_assert_uint_eq(count("resolved"), 0);
    lab_finish(&lab);
}
END_TEST

/* ---- in all ---- */

START_TEST(beyond_the_cluster)
{
    begin(10, 5);
    add_table("t", 40, 4);
    add_table("u", 40, 4);
    lab_start(&lab);
    lab_tick(&lab, 6);
    const struct alert *a = lab_alert_about(&lab, "cluster");
    ck_assert_int_eq(a->kind, ALERT_TABLE);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert(a->overflow);
    ck_assert_ptr_null(a->table);
    ck_assert_uint_eq(a->hot_regions, 3);
    ck_assert_uint_eq(a->top_count, 3);
    ck_assert_uint_eq(lab.last->firing, 6); /* takes no place itself */
    for (int i = 0; i < lab.region_count; i++)
        lab.regions[i].read_rate = 10;
    lab_tick(&lab, 20);
    ck_assert_uint_eq(count("resolved cooled cluster;"), 1);
    ck_assert_uint_eq(count("resolved"), 6);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    lab_finish(&lab);
}
END_TEST

/* The overflow alert of a table takes a place; without one its regions count there. */
START_TEST(overflow_of_a_table_beyond_the_cluster)
{
    for (unsigned places = 3; places <= 4; places++) {
        begin(3, places);
        add_table("t", 40, 8);
        lab_start(&lab);
        lab_tick(&lab, 6);
        bool fits = places == 4;
        ck_assert_uint_eq(lab.last->firing, 4);
        ck_assert_int_eq(lab_alert_about(&lab, "t")->state,
                         fits ? ALERT_FIRING : ALERT_PENDING);
        const struct alert *a = lab_alert_about(&lab, "cluster");
        ck_assert((a == NULL) == fits);
        if (a != NULL)
            ck_assert_uint_eq(a->hot_regions, 5);
        ck_assert_uint_eq(lab.last->suppressed, 5);
        lab_finish(&lab);
    }
}
END_TEST

/* meta comes first, however hot the others are. */
START_TEST(meta_before_all)
{
    begin(10, 2);
    add_table("t", 40, 6);
    int meta = lab_region(&lab, "hbase:meta", 0, 5100, 0);
    lab_start(&lab);
    lab_tick(&lab, 6);
    ck_assert_int_eq(lab_alert(&lab, meta)->state, ALERT_FIRING);
    lab_finish(&lab);
}
END_TEST

/* More places after a reload: the overflow alert ends, as cooled. */
START_TEST(more_places)
{
    begin(3, 200);
    add_table("t", 40, 8);
    lab_start(&lab);
    lab_tick(&lab, 6);
    struct config config = lab.config;
    config.detection.rule.max_alerts_per_table = 20;
    engine_configure(lab.engine, &config);
    lab_tick(&lab, 15);
    ck_assert_uint_eq(count("fired"), 9);
    ck_assert_uint_eq(count("resolved cooled t;"), 1);
    ck_assert_uint_eq(lab.last->firing, 8);
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("overflow", a_hot_table_of_64_regions, equal_regions_are_quiet,
          it_says_how_many_and_which, it_ends_when_all_fit, held_while_blind,
          beyond_the_cluster, overflow_of_a_table_beyond_the_cluster, meta_before_all,
          more_places)
