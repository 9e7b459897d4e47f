/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts of the engine as a whole: scopes, floors, meta, limits. */
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

/* ---- verdicts ---- */

START_TEST(hot_region_fires_and_resolves)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 2); /* baseline, then the first pair */
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_ptr_nonnull(a);
    ck_assert_int_eq(a->state, ALERT_PENDING);
    int64_t active = a->active_at_ms;
    lab_tick(&lab, 4);
    a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_int_eq(a->starts_at_ms, active + 120000);
    ck_assert_int_eq(a->kind, ALERT_REGION);
    ck_assert_int_eq(a->severity, SEVERITY_WARNING);
    ck_assert_int_eq(a->access, ACCESS_READ);
    ck_assert_int_eq(a->baseline_kind, BASELINE_REST);
    ck_assert_double_eq_tol(a->rate[ACCESS_READ], 500, 0.5);
    ck_assert_double_eq_tol(a->newest_rate[ACCESS_READ], 500, 0.5);
    ck_assert_double_eq_tol(a->baseline, 50, 0.1);
    ck_assert_double_eq_tol(a->ratio, 10, 0.1);
    ck_assert_double_eq_tol(a->limit, 150, 0.3); /* 3 times 50 */
    ck_assert_double_eq_tol(a->share, 500 / 950.0, 1e-3);
    ck_assert_double_eq_tol(a->server_share, 500 / 600.0, 1e-3);
    ck_assert_double_eq(a->threshold, 3);
    ck_assert_double_eq(a->min_rate, 100);
    ck_assert_uint_eq(a->regions_in_table, 10);
    ck_assert_uint_eq(a->regions_fresh, 10);
    ck_assert_double_eq_tol(a->effective_regions, 950.0 * 950 / (250000 + 9 * 2500),
                            0.01);
    ck_assert_str_eq(a->table->name, "orders");
    ck_assert_str_eq(a->server->address, "rs2:16020");
    ck_assert_int_eq(a->last_sample_ms, lab.now.wall_ms);
    ck_assert_uint_eq(lab.last->firing, 1);
    ck_assert_uint_eq(lab.last->pending, 0);
    ck_assert_int_eq(lab_row(&lab, hot)->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_table(&lab, "orders")->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_server(&lab, 1)->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_server(&lab, 0)->heat, HEAT_NORMAL);
    ck_assert_uint_eq(engine_counters(lab.engine).episodes[ALERT_REGION], 1);

    lab.regions[hot].read_rate = 50;
    lab_tick(&lab, 30);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    ck_assert_str_eq(lab.events, "fired 4;resolved cooled 4;");
    lab_finish(&lab);
}
END_TEST

START_TEST(three_regions_of_the_example)
{
    lab_init(&lab, 3);
    int a = lab_region(&lab, "t", 0, 982341 / 120.0, 0);
    int b = lab_region(&lab, "t", 1, 1204 / 120.0, 0);
    int c = lab_region(&lab, "t", 2, 1102 / 120.0, 0);
    lab_start(&lab);
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(a), ALERT_FIRING);
    ck_assert_int_eq(state(b), ALERT_RESOLVED);
    ck_assert_int_eq(state(c), ALERT_RESOLVED);
    lab_finish(&lab);
}
END_TEST

/* One region with all the load among n, the threshold is 5. */
START_TEST(small_scopes)
{
    for (int n = 1; n <= 5; n++) {
        lab_init(&lab, 3);
        for (int a = 0; a < ACCESS_COUNT; a++)
            lab.config.detection.rule.threshold[a] = 5;
        for (int i = 0; i < n; i++)
            lab_region(&lab, "small", i % 3, i == 0 ? 600 : 0, 0);
        for (int i = 0; i < 3; i++)
            lab_region(&lab, "other", i, 10, 0);
        lab_start(&lab);
        lab_tick(&lab, 6);
        /* N = 1: only by the absolute rule, and 600 is below 1000. */
        ck_assert_int_eq(state(0), n == 1 ? ALERT_RESOLVED : ALERT_FIRING);
        ck_assert_uint_eq(lab.last->alert_count, n == 1 ? 0 : 1);
        if (n > 1)
            ck_assert(isinf(lab_alert(&lab, 0)->ratio));
        lab_finish(&lab);
    }
}
END_TEST

static enum alert_state
single(double rate, double others, double min_rate)
{
    lab_init(&lab, 3);
    lab.config.detection.single_region_min_rate = min_rate;
    lab.config.detection.server_min_rate = 1e6; /* another rule */
    lab_region(&lab, "single", 0, rate, 0);
    for (int i = 0; i < 6; i++)
        lab_region(&lab, "other", i % 3, others, 0);
    lab_start(&lab);
    lab_tick(&lab, 6);
    enum alert_state found = state(0);
    ck_assert_uint_eq(lab.last->alert_count, found != ALERT_RESOLVED);
    lab_finish(&lab);
    return found;
}

START_TEST(a_table_of_one_region)
{
    ck_assert_int_eq(single(1000, 10, 1000), ALERT_FIRING);
    ck_assert_int_eq(single(999, 10, 1000), ALERT_RESOLVED);
    ck_assert_int_eq(single(2000, 700, 1000), ALERT_RESOLVED); /* 3 * 700 */
    ck_assert_int_eq(single(2101, 700, 1000), ALERT_FIRING);
    ck_assert_int_eq(single(31, 10, 0), ALERT_FIRING); /* 0: no absolute limit */
    ck_assert_int_eq(single(29, 10, 0), ALERT_RESOLVED);
    /* Nothing to compare with, and no limit: nothing to say. */
    lab_init(&lab, 1);
    lab.config.detection.single_region_min_rate = 0;
    lab_region(&lab, "single", 0, 5000, 0);
    lab_start(&lab);
    lab_tick(&lab, 6);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    lab_finish(&lab);
}
END_TEST

/* Each access against the same access of the others. */
START_TEST(single_regions_by_access)
{
    lab_init(&lab, 3);
    lab_region(&lab, "single", 0, 0, 1200);
    for (int i = 0; i < 6; i++)
        lab_region(&lab, "other", i % 3, 900, 1);
    lab_start(&lab);
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(0), ALERT_FIRING);
    ck_assert_int_eq(lab_alert(&lab, 0)->access, ACCESS_WRITE);
    ck_assert_double_eq_tol(lab_alert(&lab, 0)->baseline, 1, 0.1);
    lab_finish(&lab);
}
END_TEST

/* Floors; the region of the table is 20 times its others. */
static enum alert_state
with_floors(double rate, double min_rate, double share, double elsewhere)
{
    lab_init(&lab, 2);
    for (int a = 0; a < ACCESS_COUNT; a++)
        lab.config.detection.rule.min_rate[a] = min_rate;
    lab.config.detection.rule.min_server_share = share;
    for (int i = 0; i < 4; i++)
        lab_region(&lab, "t", i % 2, i == 0 ? rate : rate / 20, 0);
    for (int i = 0; i < 4; i++)
        lab_region(&lab, "big", i % 2, elsewhere, 0);
    lab_start(&lab);
    lab_tick(&lab, 6);
    enum alert_state found = state(0);
    lab_finish(&lab);
    return found;
}

START_TEST(floors)
{
    ck_assert_int_eq(with_floors(100, 100, 0, 0), ALERT_FIRING);
    ck_assert_int_eq(with_floors(99.9, 100, 0, 0), ALERT_RESOLVED);
    ck_assert_int_eq(with_floors(0.1, 0, 0, 0), ALERT_FIRING); /* 0: off */
    /* A server's mean is 2 * elsewhere and half of 1.15 * rate; a quarter of it is the
     * floor: rate >= 0.25 * (2 * elsewhere + 0.575 * rate). */
    ck_assert_int_eq(with_floors(1000, 100, 0.25, 1711), ALERT_FIRING);
    ck_assert_int_eq(with_floors(1000, 100, 0.25, 1714), ALERT_RESOLVED);
    ck_assert_int_eq(with_floors(1000, 100, 0, 5000), ALERT_FIRING);
    /* One write a minute looks hot. */
    ck_assert_int_eq(with_floors(0.02, 100, 0.25, 0), ALERT_RESOLVED);
}
END_TEST

START_TEST(idle_majority_is_quiet)
{
    lab_init(&lab, 3);
    for (int i = 0; i < 400; i++)
        lab_region(&lab, "t", i % 3, i % 100 == 0 ? 20 : 0, 0);
    lab_start(&lab);
    lab_tick(&lab, 8);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    ck_assert_uint_eq(lab.last->active, 4);
    ck_assert_uint_eq(lab.last->fresh, 400);
    ck_assert_double_eq(lab.last->coverage, 1);
    lab_finish(&lab);
}
END_TEST

START_TEST(popular_rows_of_a_large_table)
{
    lab_init(&lab, 5);
    for (int i = 0; i < 400; i++)
        lab_region(&lab, "t", i % 5, i == 123 ? 600 : 1, 0);
    lab_start(&lab);
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(123), ALERT_FIRING);
    ck_assert_double_eq_tol(lab_alert(&lab, 123)->share, 0.6, 0.01);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    lab_finish(&lab);
}
END_TEST

/* Even regions that sit on one server: no region is called hot. */
START_TEST(a_hot_server_of_even_regions)
{
    lab_init(&lab, 4);
    for (int i = 0; i < 12; i++)
        lab_region(&lab, "salted", i < 9 ? 0 : i - 8, 500, 0);
    lab_start(&lab);
    lab_tick(&lab, 10);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    ck_assert_int_eq(lab.last->alerts[0].kind, ALERT_SERVER);
    ck_assert_double_eq_tol(lab_server(&lab, 0)->skew, 9, 0.05);
    ck_assert_double_eq_tol(lab_table(&lab, "salted")->effective_regions, 12, 0.1);
    lab_finish(&lab);
}
END_TEST

/* Old partitions do not make the live ones look hot; while few are busy they count. */
START_TEST(regions_idle_for_a_day)
{
    for (int busy = 2; busy <= 3; busy++) {
        lab_init(&lab, 3);
        lab.config.poll.interval_ms = 600000;
        lab.config.detection.window_ms = 1200000;
        for (int i = 0; i < 20; i++)
            lab_region(&lab, "t", i % 3, i < busy ? 200 : 0, 0);
        lab_start(&lab);
        lab_tick(&lab, 140); /* not a day yet: the idle ones count */
        ck_assert_int_eq(state(0), ALERT_FIRING);
        lab_tick(&lab, 20);
        ck_assert_int_eq(state(0), busy == 2 ? ALERT_FIRING : ALERT_RESOLVED);
        lab_finish(&lab);
    }
}
END_TEST

START_TEST(replicas_are_judged_apart)
{
    lab_init(&lab, 3);
    for (int i = 0; i < 20; i++) {
        lab_region(&lab, "t", i % 3, i < 10 ? 500 : 5, 0);
        lab.regions[i].replica = i < 10 ? 0 : 1;
    }
    lab.regions[15].read_rate = 480; /* like a primary, but 96 times its peers */
    lab_start(&lab);
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(15), ALERT_FIRING);
    ck_assert_uint_eq(lab.last->alert_count, 1); /* no primary is hot by them */
    ck_assert_uint_eq(lab_alert(&lab, 15)->regions_in_table, 10);
    ck_assert_uint_eq(lab_alert(&lab, 15)->region->replica, 1);
    ck_assert_double_eq_tol(lab_row(&lab, 3)->ratio, 1, 0.01);
    ck_assert_uint_eq(lab_table(&lab, "t")->regions, 20);
    lab_finish(&lab);
}
END_TEST

/* ---- meta ---- */

static void
with_meta(double rate)
{
    lab_init(&lab, 3);
    lab_region(&lab, "hbase:meta", 0, rate, 0);
    for (int i = 0; i < 9; i++)
        lab_region(&lab, "t", i % 3, 50, 0);
    lab_start(&lab);
}

START_TEST(meta_has_a_limit_of_its_own)
{
    with_meta(4990);
    lab_tick(&lab, 8);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    lab.regions[0].read_rate = 2600;
    lab.regions[0].write_rate = 2500; /* the total counts */
    lab_tick(&lab, 10);
    const struct alert *a = lab_alert(&lab, 0);
    ck_assert_ptr_nonnull(a);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_int_eq(a->kind, ALERT_META);
    ck_assert_int_eq(a->severity, SEVERITY_CRITICAL);
    ck_assert_int_eq(a->access, ACCESS_TOTAL);
    ck_assert_double_eq_tol(a->limit, 5000, 1);
    ck_assert_uint_eq(lab.last->alert_count, 1); /* the others are not compared */
    int64_t starts = a->starts_at_ms;
    lab_move(&lab, 0, 2);
    lab_tick(&lab, 4);
    ck_assert_int_eq(state(0), ALERT_FIRING);
    ck_assert_int_eq(lab_alert(&lab, 0)->starts_at_ms, starts);
    ck_assert_str_eq(lab.events, "fired 0;");
    lab_finish(&lab);
}
END_TEST

/* HBase itself scans meta: 2 requests a region and window are nothing. */
START_TEST(meta_of_many_regions)
{
    with_meta(20);
    lab.config.detection.meta_max_rate = 0;
    for (int i = 0; i < 300; i++)
        lab_region(&lab, "wide", i % 3, 0.1, 0);
    lab_tick(&lab, 8);
    ck_assert_int_eq(state(0), ALERT_FIRING); /* 2 * 310 / 120 = 5.2 */
    lab.regions[0].read_rate = 4;
    lab_tick(&lab, 30);
    ck_assert_int_eq(state(0), ALERT_RESOLVED);
    lab_finish(&lab);
}
END_TEST

START_TEST(replicas_of_meta)
{
    with_meta(100);
    for (int i = 1; i <= 2; i++) {
        int r = lab_region(&lab, "hbase:meta", i, i == 2 ? 9000 : 10, 0);
        lab.regions[r].replica = (uint16_t)i;
    }
    lab_tick(&lab, 7);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    ck_assert_int_eq(lab.last->alerts[0].kind, ALERT_META);
    ck_assert_uint_eq(lab.last->alerts[0].region->replica, 2);
    ck_assert_int_eq(lab.last->alerts[0].access,
                     ACCESS_TOTAL); /* though all are reads */
    lab_finish(&lab);
}
END_TEST

/* A busy meta is no measure for tables of one region. */
START_TEST(meta_distorts_no_other_scope)
{
    with_meta(100000);
    for (int i = 1; i < 10; i++)
        lab.regions[i].read_rate = 0;
    int single_region = lab_region(&lab, "single", 1, 1500, 0);
    lab_tick(&lab, 7);
    ck_assert_int_eq(state(single_region), ALERT_FIRING);
    lab_finish(&lab);
}
END_TEST

/* ---- limits ---- */

/* 40 regions, the first `hot` of them with the loads 1000, 1001 ... */
static void
many_hot(int hot, unsigned per_table, unsigned overall)
{
    lab_init(&lab, 4);
    lab.config.detection.rule.max_alerts_per_table = per_table;
    lab.config.detection.max_alerts = overall;
    for (int i = 0; i < 40; i++)
        lab_region(&lab, "t", i % 4, i < hot ? 1000 + i : 10, 0);
    lab_start(&lab);
}

START_TEST(the_hottest_get_the_slots_and_keep_them)
{
    many_hot(8, 3, 200);
    lab_tick(&lab, 6);
    ck_assert_str_eq(lab.events, "fired 7;fired 6;fired 5;fired t;");
    ck_assert_uint_eq(lab.last->suppressed, 5);
    ck_assert_uint_eq(lab.last->firing, 4);
    ck_assert_uint_eq(lab.last->pending, 5);
    for (uint32_t i = 1; i < lab.last->alert_count; i++) /* firing first, then ratio */
        ck_assert(lab.last->alerts[i - 1].state != lab.last->alerts[i].state ||
                  lab.last->alerts[i - 1].ratio >= lab.last->alerts[i].ratio);
    lab.regions[0].read_rate = 9000; /* hotter than all, but the slots are taken */
    lab_tick(&lab, 10);
    ck_assert_str_eq(lab.events, "fired 7;fired 6;fired 5;fired t;");
    lab.regions[6].read_rate = 10;
    lab_tick(&lab, 25);
    ck_assert_str_eq(lab.events,
                     "fired 7;fired 6;fired 5;fired t;resolved cooled 6;fired 0;");
    ck_assert_uint_eq(lab.last->suppressed, 4);
    lab_finish(&lab);
}
END_TEST

/* A region without a place that is now above, now a little below its limit does not
 * make an alert of each time. */
START_TEST(what_is_left_over_ends_as_slowly_as_an_alert)
{
    many_hot(4, 3, 200);
    lab_tick(&lab, 6);
    for (int i = 0; i < 3; i++) {
        lab.regions[0].read_rate = 200; /* the limit is 223 */
        lab_tick(&lab, 25);
        ck_assert_uint_eq(lab.last->suppressed, 1);
        lab.regions[0].read_rate = 1000;
        lab_tick(&lab, 8);
    }
    ck_assert_str_eq(lab.events, "fired 3;fired 2;fired 1;fired t;");
    lab.regions[0].read_rate = 10;
    lab_tick(&lab, 13);
    ck_assert_uint_eq(lab.last->suppressed, 1); /* clear_for */
    lab_tick(&lab, 3);
    ck_assert_str_eq(lab.events, "fired 3;fired 2;fired 1;fired t;resolved cooled t;");
    lab_finish(&lab);
}
END_TEST

START_TEST(a_limit_over_all_tables)
{
    many_hot(4, 10, 5);
    for (int i = 0; i < 30; i++)
        lab_region(&lab, "u", i % 4, i < 4 ? 2000 + i : 10, 0);
    lab_tick(&lab, 6);
    ck_assert_uint_eq(lab.last->firing, 6); /* and one that says so */
    ck_assert_uint_eq(lab.last->suppressed, 3);
    ck_assert_str_eq(lab.events,
                     "fired 43;fired 42;fired 41;fired 40;fired 3;fired cluster;");
    lab_finish(&lab);
}
END_TEST

START_TEST(no_slots_at_all)
{
    many_hot(2, 0, 200);
    lab_tick(&lab, 8);
    ck_assert_str_eq(lab.events, "fired t;");
    ck_assert_uint_eq(lab.last->suppressed, 2);
    lab_finish(&lab);
}
END_TEST

/* Reads and writes have limits of their own. */
START_TEST(minimum_rates_of_each_access)
{
    for (int write = 0; write < 2; write++)
        for (int above = 0; above < 2; above++) {
            lab_init(&lab, 3);
            lab.config.detection.rule.min_rate[ACCESS_READ] = 200;
            lab.config.detection.rule.min_rate[ACCESS_WRITE] = 600;
            lab.config.detection.rule.min_rate[ACCESS_TOTAL] = 1e6;
            double rate = (write ? 600 : 200) + (above ? 5 : -5);
            for (int i = 0; i < 10; i++)
                lab_region(&lab, "t", i % 3, 1, 1);
            lab.regions[4].read_rate = write ? 1 : rate;
            lab.regions[4].write_rate = write ? rate : 1;
            lab_start(&lab);
            lab_tick(&lab, 6);
            ck_assert_int_eq(state(4), above ? ALERT_FIRING : ALERT_RESOLVED);
            if (above)
                ck_assert_int_eq(lab_alert(&lab, 4)->access,
                                 write ? ACCESS_WRITE : ACCESS_READ);
            lab_finish(&lab);
        }
}
END_TEST

/* Four of ten are too many to be set apart from the rest, but not from the median. */
START_TEST(other_baselines)
{
    static const int hot[BASELINE_KIND_COUNT] = {[BASELINE_MEDIAN] = 4};

    for (int kind = 0; kind < BASELINE_KIND_COUNT; kind++) {
        lab_init(&lab, 3);
        lab.config.detection.rule.baseline = (enum baseline_kind)kind;
        for (int i = 0; i < 10; i++)
            lab_region(&lab, "t", i % 3, i < 4 ? 500 : 50, 0);
        lab_start(&lab);
        lab_tick(&lab, 6);
        ck_assert_uint_eq(lab.last->firing, hot[kind]);
        if (hot[kind] > 0)
            ck_assert_int_eq(lab.last->alerts[0].baseline_kind, kind);
        lab_finish(&lab);
    }
}
END_TEST

TEST_MAIN("engine", hot_region_fires_and_resolves, three_regions_of_the_example,
          small_scopes, a_table_of_one_region, single_regions_by_access, floors,
          idle_majority_is_quiet, popular_rows_of_a_large_table,
          a_hot_server_of_even_regions, regions_idle_for_a_day,
          replicas_are_judged_apart, meta_has_a_limit_of_its_own, meta_of_many_regions,
          replicas_of_meta, meta_distorts_no_other_scope,
          the_hottest_get_the_slots_and_keep_them,
          what_is_left_over_ends_as_slowly_as_an_alert, a_limit_over_all_tables,
          no_slots_at_all, minimum_rates_of_each_access, other_baselines)
