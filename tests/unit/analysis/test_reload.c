/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of tables, and new rules under living alerts. */
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

/* ---- rules of tables, and reload ---- */

static struct label team[] = {{"team", "iot"}}, other_team[] = {{"team", "web"}};

static struct table_rule
table_rule(char *match)
{
    struct table_rule t = {.match = match, .rule = lab.config.detection.rule};

    return t;
}

START_TEST(overrides_by_table)
{
    static struct table_rule rules[2];

    lab_init(&lab, 3);
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 10; i++)
            lab_region(&lab, t == 0 ? "iot:a" : "web:b", i % 3, i == 4 ? 400 : 50, 0);
    rules[0] = table_rule("iot:*");
    for (int a = 0; a < ACCESS_COUNT; a++)
        rules[0].rule.threshold[a] = 5;
    rules[0].rule.for_ms = 300000;
    rules[0].rule.severity = SEVERITY_CRITICAL;
    rules[0].rule.labels = (struct label_list){team, 1};
    rules[1] = table_rule("*"); /* first match wins */
    lab.config.detection.tables = rules;
    lab.config.detection.table_count = 2;
    lab_start(&lab);
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(14), ALERT_FIRING);
    ck_assert_int_eq(state(4), ALERT_PENDING);
    lab_tick(&lab, 6);
    const struct alert *a = lab_alert(&lab, 4);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_int_eq(a->severity, SEVERITY_CRITICAL);
    ck_assert_uint_eq(a->labels.count, 1);
    ck_assert_str_eq(a->labels.items[0].value, "iot");
    ck_assert_double_eq(a->threshold, 5);
    ck_assert_uint_eq(lab_alert(&lab, 14)->labels.count, 0);
    lab_finish(&lab);
}
END_TEST

START_TEST(ignored_tables)
{
    static char *globs[] = {"tmp_*"};

    lab_init(&lab, 3);
    for (int i = 0; i < 10; i++)
        lab_region(&lab, "tmp_x", i % 3, i == 4 ? 500 : 50, 0);
    lab.config.detection.ignore_tables = (struct string_list){globs, 1};
    lab_start(&lab);
    lab_tick(&lab, 10);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    ck_assert(lab_table(&lab, "tmp_x")->ignored);
    ck_assert_double_eq_tol(lab_table(&lab, "tmp_x")->rate[ACCESS_READ], 950, 1);
    struct config all = lab.config;
    all.detection.ignore_tables.count = 0;
    engine_configure(lab.engine, &all);
    lab_tick(&lab, 5);
    ck_assert_int_eq(state(4), ALERT_FIRING);
    engine_configure(lab.engine, &lab.config);
    lab_evaluate(&lab);
    ck_assert_str_eq(lab.events, "fired 4;resolved rule_changed 4;");
    lab_tick(&lab, 10);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    lab_finish(&lab);
}
END_TEST

/* Thresholds and durations may change under an alert; its labels may not. */
START_TEST(reload)
{
    static struct table_rule rules[1];
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 6);
    struct config next = lab.config;
    rules[0] = table_rule("orders");
    rules[0].rule.threshold[ACCESS_READ] = 4;
    rules[0].rule.min_rate[ACCESS_READ] = 17;
    next.detection.tables = rules;
    next.detection.table_count = 1;
    next.detection.window_ms = 60000;
    engine_configure(lab.engine, &next);
    lab_tick(&lab, 1);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_double_eq(a->threshold, 4);
    ck_assert_double_eq(a->min_rate, 17);
    ck_assert_str_eq(lab.events, "fired 4;");
    rules[0].rule.labels = (struct label_list){team, 1};
    engine_configure(lab.engine, &next);
    lab_tick(&lab, 1);
    ck_assert_str_eq(lab.events, "fired 4;resolved rule_changed 4;");
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_PENDING); /* and begins anew */
    int64_t active = lab_alert(&lab, hot)->active_at_ms;
    rules[0].rule.labels = (struct label_list){other_team, 1};
    rules[0].rule.severity = SEVERITY_INFO;
    engine_configure(lab.engine, &next); /* pending: nothing was told yet */
    lab_tick(&lab, 4);
    a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_int_eq(a->active_at_ms, active);
    ck_assert_int_eq(a->severity, SEVERITY_INFO);
    ck_assert_str_eq(a->labels.items[0].value, "web");
    rules[0].rule.severity = SEVERITY_CRITICAL;
    engine_configure(lab.engine, &next);
    lab_evaluate(&lab);
    ck_assert_str_eq(
        lab.events, "fired 4;resolved rule_changed 4;fired 4;resolved rule_changed 4;");
    lab_finish(&lab);
}
END_TEST

static void
busy_meta(void)
{
    lab_init(&lab, 3);
    lab_region(&lab, "hbase:meta", 0, 9000, 0);
    for (int i = 0; i < 9; i++)
        lab_region(&lab, "t", i % 3, 50, 0);
    lab_start(&lab);
}

START_TEST(reload_of_the_severity_of_meta)
{
    static struct table_rule rules[1];

    busy_meta();
    rules[0] = table_rule("hbase:meta");
    struct config with_rule = lab.config;
    with_rule.detection.tables = rules;
    with_rule.detection.table_count = 1;
    lab_tick(&lab, 7);
    rules[0].rule.severity = SEVERITY_CRITICAL; /* what it is anyhow */
    engine_configure(lab.engine, &with_rule);
    lab_evaluate(&lab);
    ck_assert_str_eq(lab.events, "fired 0;");
    rules[0].rule.severity = SEVERITY_WARNING;
    engine_configure(lab.engine, &with_rule);
    lab_tick(&lab, 7);
    ck_assert_int_eq(lab_alert(&lab, 0)->severity, SEVERITY_WARNING);
    engine_configure(lab.engine, &lab.config); /* critical again by default */
    lab_tick(&lab, 7);
    ck_assert_int_eq(lab_alert(&lab, 0)->severity, SEVERITY_CRITICAL);
    lab_finish(&lab);
}
END_TEST

START_TEST(reload_of_the_interval)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 200);
    struct config next = lab.config;
    next.poll.interval_ms = 10000;
    engine_configure(lab.engine, &next);
    lab.config.poll.interval_ms = 10000;
    lab_tick(&lab, 90);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_str_eq(lab.events, "fired 4;");
    struct series_point points[2000];
    int64_t now = lab.now.wall_ms;
    size_t n = engine_series(lab.engine, lab_id(0), now - 600000, now, 0, points, 2000);
    ck_assert_uint_eq(n, 60);
    for (size_t i = 0; i < n; i++)
        ck_assert_float_eq_tol(points[i].read, 50, 3);
    n = engine_series(lab.engine, lab_id(0), 0, now, 300000, points, 2000);
    ck_assert_uint_ge(n, 19); /* the coarser tiers were kept */
    for (size_t i = 0; i < n; i++)
        ck_assert_float_eq_tol(points[i].read, 50, 5);
    lab_finish(&lab);
}
END_TEST

/* Listings are the only source: window and `for` are two of them at least. */
START_TEST(text_only_alerts)
{
    lab_init(&lab, 3);
    lab.config.poll.jmx = false;
    for (int i = 0; i < 10; i++) {
        lab_region(&lab, "t", i % 3, i == 4 ? 500 : 50, 0);
        lab.regions[i].known = SAMPLE_TOTAL;
    }
    lab_start(&lab);
    int64_t since = 0;
    lab_evaluate(&lab);
    for (int i = 0; i < 200 && state(4) != ALERT_FIRING; i++) {
        lab_pass(&lab, 30000);
        if (i % 20 == 0)
            lab_list(&lab);
        lab_evaluate(&lab);
        if (since == 0 && state(4) == ALERT_PENDING)
            since = lab.now.mono_ms;
    }
    ck_assert_int_eq(lab.now.mono_ms - since, 1200000);
    const struct alert *a = lab_alert(&lab, 4);
    ck_assert_int_eq(a->access, ACCESS_TOTAL);
    ck_assert_double_eq_tol(a->rate[ACCESS_TOTAL], 500, 1);
    ck_assert(isnan(a->rate[ACCESS_READ]));
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("reload", overrides_by_table, ignored_tables, reload,
          reload_of_the_severity_of_meta, reload_of_the_interval, text_only_alerts)
