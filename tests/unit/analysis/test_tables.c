/* SPDX-License-Identifier: Apache-2.0 */
/* The table rule: load on few of a table's regions, none of which stands out. */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "tests/unit/common/harness.h"

static struct lab lab;

/* A table of `n` regions on eight servers, of which the first `hot` take `rate` writes
 * each and are too small to be hot one by one, the others `rest`; a second table loads
 * the servers evenly. */
static void
begin(int n, int hot, double rate, double rest)
{
    lab_init(&lab, 8);
    for (int a = 0; a < ACCESS_COUNT; a++)
        lab.config.detection.rule.min_rate[a] = 1e6;
    lab.config.detection.server_min_rate = 1e6;
    for (int i = 0; i < n; i++)
        lab_region(&lab, "t", i % 8, 0, i < hot ? rate : rest);
    lab_start(&lab);
}

static enum alert_state
state(void)
{
    const struct alert *a = lab_alert_about(&lab, "t");

    return a == NULL ? ALERT_RESOLVED : a->state;
}

static void
set_hot(int hot, double rate)
{
    for (int i = 0; i < hot; i++)
        lab.regions[i].write_rate = rate;
}

START_TEST(fires_and_resolves)
{
    begin(64, 2, 900, 1);
    lab_tick(&lab, 5);
    ck_assert_int_eq(state(), ALERT_PENDING);
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(), ALERT_FIRING);
    const struct alert *a = lab_alert_about(&lab, "t");
    ck_assert_int_eq(a->kind, ALERT_TABLE);
    ck_assert(!a->overflow);
    ck_assert_uint_eq(a->hot_regions, 0);
    ck_assert_int_eq(a->access, ACCESS_WRITE);
    ck_assert_double_eq_tol(a->rate[ACCESS_WRITE], 1862, 2);
    ck_assert_double_eq_tol(a->effective_regions, 2.14, 0.01);
    ck_assert_double_eq_tol(a->ratio, 8 / 2.14, 0.01);
    ck_assert_double_eq(a->threshold, 3);
    ck_assert_uint_eq(a->regions_in_table, 64);
    ck_assert_uint_eq(a->top_count, ALERT_TOP_MAX);
    ck_assert(region_id_equal(a->top[0].region->id, lab_id(0)) ||
              region_id_equal(a->top[0].region->id, lab_id(1)));
    ck_assert_double_eq_tol(a->top[0].share, 900.0 / 1862, 0.01);
    ck_assert_str_eq(a->top[0].table->name, "t");
    ck_assert_ptr_null(a->region);
    ck_assert_int_eq(lab_table(&lab, "t")->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_row(&lab, 0)->heat, HEAT_NORMAL);
    set_hot(2, 1);
    lab_tick(&lab, 15);
    ck_assert_str_eq(lab.events, "fired t;resolved cooled t;");
    ck_assert_uint_eq(engine_counters(lab.engine).episodes[ALERT_TABLE], 1);
    lab_finish(&lab);
}
END_TEST

static bool
fires(int n, int hot, double rate, double table_min_rate)
{
    begin(n, hot, rate, 0);
    lab.config.detection.table_min_rate = table_min_rate;
    lab_tick(&lab, 8);
    bool found = state() == ALERT_FIRING;
    ck_assert_uint_eq(lab.last->alert_count, found);
    lab_finish(&lab);
    return found;
}

/* Effective regions <= min(N, servers) / threshold, and the table's rate. */
START_TEST(both_limits)
{
    ck_assert(fires(64, 2, 600, 1000));
    ck_assert(!fires(64, 3, 600, 1000)); /* 3 > 8 / 3 */
    ck_assert(!fires(64, 2, 499, 1000));
    ck_assert(fires(64, 2, 501, 1000));
    ck_assert(fires(64, 2, 20, 0));     /* 0: no limit */
    ck_assert(fires(6, 2, 600, 1000));  /* 2 = 6 / 3 */
    ck_assert(!fires(5, 2, 600, 1000)); /* of the few regions it has, 2 are many */
    ck_assert(!fires(64, 64, 600, 1000));
    ck_assert(!fires(1, 1, 900, 800)); /* is a single region's matter */
}
END_TEST

/* A table whose regions could not load a server each is only skewed. */
START_TEST(what_cannot_load_a_server_is_quiet)
{
    for (int busy = 0; busy < 2; busy++) {
        begin(64, 2, 600, 0);
        for (int i = 0; i < 16; i++) /* 0.25 * 2 * (1200 / 8 + rate) */
            lab_region(&lab, "other", i % 8, busy ? 1200 : 1000, 0);
        lab_tick(&lab, 8);
        ck_assert_int_eq(state(), busy ? ALERT_RESOLVED : ALERT_FIRING);
        lab_finish(&lab);
    }
}
END_TEST

START_TEST(hysteresis)
{
    begin(64, 2, 600, 0);
    lab_tick(&lab, 8);
    set_hot(2, 420); /* 840 is neither 1000 nor below 800 */
    lab_tick(&lab, 30);
    ck_assert_int_eq(state(), ALERT_FIRING);
    set_hot(3, 420); /* 8 / 3 = 2.67 is neither 3 nor below 2.4 */
    lab_tick(&lab, 30);
    ck_assert_int_eq(state(), ALERT_FIRING);
    set_hot(4, 420);
    lab_tick(&lab, 9);
    ck_assert_int_eq(state(), ALERT_FIRING); /* clear_for */
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(), ALERT_RESOLVED);
    ck_assert_str_eq(lab.events, "fired t;resolved cooled t;");
    lab_finish(&lab);
}
END_TEST

/* A burst lives on in the window, but not in the newest sample. */
START_TEST(a_burst_does_not_fire)
{
    begin(64, 2, 1, 1);
    lab_tick(&lab, 6);
    set_hot(2, 50000);
    lab_tick(&lab, 3);
    ck_assert_int_eq(state(), ALERT_PENDING);
    set_hot(2, 1);
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(), ALERT_RESOLVED);
    lab_tick(&lab, 8);
    ck_assert_str_eq(lab.events, "");
    lab_finish(&lab);
}
END_TEST

/* One cause, one alert: a region that stands out tells more. */
START_TEST(not_while_a_region_is_hot)
{
    begin(64, 1, 5000, 1);
    struct config config = lab.config;
    for (int a = 0; a < ACCESS_COUNT; a++)
        config.detection.rule.min_rate[a] = 100;
    engine_configure(lab.engine, &config);
    lab_tick(&lab, 5);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    lab_tick(&lab, 20);
    ck_assert_str_eq(lab.events, "fired 0;");
    ck_assert_uint_eq(lab.last->alert_count, 1);
    lab_finish(&lab);
}
END_TEST

/* The table's alert goes on in that of the region that fires. */
START_TEST(a_region_takes_over)
{
    begin(64, 2, 900, 1);
    lab_tick(&lab, 8);
    ck_assert_int_eq(state(), ALERT_FIRING);
    struct config config = lab.config;
    for (int a = 0; a < ACCESS_COUNT; a++)
        config.detection.rule.min_rate[a] = 5000;
    engine_configure(lab.engine, &config);
    lab.regions[0].write_rate = 9000;
    lab_tick(&lab, 20);
    ck_assert_str_eq(lab.events, "fired t;fired 0;resolved merged t;");
    ck_assert_uint_eq(lab.last->alert_count, 1);
    lab_finish(&lab);
}
END_TEST

static void
lose(bool lost)
{
    for (int i = 0; i < 8; i++)
        lab.down[i] = lost;
}

START_TEST(held_while_nothing_is_known)
{
    begin(64, 2, 900, 1);
    lab_tick(&lab, 2);
    lose(true); /* while pending */
    lab_tick(&lab, 10);
    ck_assert_int_eq(state(), ALERT_PENDING);
    lose(false);
    lab_tick(&lab, 4);
    ck_assert_str_eq(lab.events, "fired t;");
    lose(true);
    lab_tick(&lab, 20);
    ck_assert_str_eq(lab.events, "fired t;held t;");
    ck_assert(lab_alert_about(&lab, "t")->stale);
    lose(false);
    lab_tick(&lab, 3);
    ck_assert(!lab_alert_about(&lab, "t")->stale);
    lose(true);
    lab_tick(&lab, 45);
    ck_assert_str_eq(lab.events, "fired t;held t;held t;resolved unknown t;");
    ck_assert_uint_eq(lab.last->table_count, 0); /* and is forgotten */
    lab_finish(&lab);
}
END_TEST

START_TEST(blind_is_no_verdict)
{
    begin(64, 2, 900, 1);
    for (int i = 0; i < 64; i++)
        lab.regions[i].server = i < 20 ? 0 : 1 + i % 7;
    lab_list(&lab);
    for (int i = 1; i < 8; i++)
        lab.down[i] = true;
    lab_tick(&lab, 10);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    lose(false);
    lab_tick(&lab, 8);
    ck_assert_int_eq(state(), ALERT_FIRING);
    lab_finish(&lab);
}
END_TEST

START_TEST(a_dropped_table)
{
    begin(64, 2, 900, 1);
    lab_region(&lab, "u", 0, 1, 0);
    lab_list(&lab);
    lab_tick(&lab, 8);
    for (int i = 0; i < 64; i++)
        lab.regions[i].server = -1;
    lab_tick(&lab, 4);
    lab_list(&lab);
    lab_tick(&lab, 1);
    ck_assert_str_eq(lab.events, "fired t;held t;resolved dropped t;");
    lab_finish(&lab);
}
END_TEST

START_TEST(rules_of_tables)
{
    static struct label team[] = {{"team", "iot"}};
    static struct table_rule rule;

    begin(64, 2, 900, 1);
    rule = (struct table_rule){.match = "t", .rule = lab.config.detection.rule};
    rule.rule.severity = SEVERITY_CRITICAL;
    rule.rule.for_ms = 300000;
    rule.rule.labels = (struct label_list){team, 1};
    struct config config = lab.config;
    config.detection.tables = &rule;
    config.detection.table_count = 1;
    engine_configure(lab.engine, &config);
    lab_tick(&lab, 11);
    ck_assert_int_eq(state(), ALERT_PENDING);
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(), ALERT_FIRING);
    ck_assert_int_eq(lab_alert_about(&lab, "t")->severity, SEVERITY_CRITICAL);
    ck_assert_str_eq(lab_alert_about(&lab, "t")->labels.items[0].value, "iot");
    engine_configure(lab.engine, &lab.config); /* the entry is gone */
    lab_tick(&lab, 1);
    ck_assert_str_eq(lab.events, "fired t;resolved rule_changed t;");
    static char *ignored[] = {"t"};
    config = lab.config;
    config.detection.ignore_tables = (struct string_list){ignored, 1};
    lab_tick(&lab, 5);
    ck_assert_int_eq(state(), ALERT_FIRING);
    engine_configure(lab.engine, &config);
    lab_tick(&lab, 10);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("tables", fires_and_resolves, both_limits, what_cannot_load_a_server_is_quiet,
          hysteresis, a_burst_does_not_fire, not_while_a_region_is_hot,
          a_region_takes_over, held_while_nothing_is_known, blind_is_no_verdict,
          a_dropped_table, rules_of_tables)
