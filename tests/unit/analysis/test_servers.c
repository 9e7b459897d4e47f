/* SPDX-License-Identifier: Apache-2.0 */
/* The server rule: a server takes a multiple of what the others take, beyond what other
 * alerts are about. */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "tests/unit/common/harness.h"

#define RS1 "rs1:16020"

static struct lab lab;

/* Even regions of 500 reads/s: `crowd` on the first of four servers, two on each of the
 * others. */
static void
begin(int crowd)
{
    lab_init(&lab, 4);
    for (int i = 0; i < crowd + 6; i++)
        lab_region(&lab, "salted", i < crowd ? 0 : 1 + i % 3, 500, 0);
    lab_start(&lab);
}

static enum alert_state
state(const char *server)
{
    const struct alert *a = lab_alert_about(&lab, server);

    return a == NULL ? ALERT_RESOLVED : a->state;
}

START_TEST(even_regions_that_sit_together)
{
    begin(7);
    lab_tick(&lab, 5);
    ck_assert_int_eq(state(RS1), ALERT_PENDING);
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(RS1), ALERT_FIRING);
    ck_assert_uint_eq(lab.last->alert_count, 1); /* no region is hot */
    const struct alert *a = lab_alert_about(&lab, RS1);
    ck_assert_int_eq(a->kind, ALERT_SERVER);
    ck_assert_int_eq(a->severity, SEVERITY_WARNING);
    ck_assert_str_eq(a->server->address, RS1);
    ck_assert_ptr_null(a->table);
    ck_assert_ptr_null(a->region);
    ck_assert_int_eq(a->access, ACCESS_READ);
    ck_assert_double_eq_tol(a->rate[ACCESS_READ], 3500, 5);
    ck_assert_double_eq_tol(a->baseline, 1000, 2);
    ck_assert_double_eq_tol(a->ratio, 3.5, 0.01);
    ck_assert_double_eq_tol(a->limit, 2000, 4);
    ck_assert_double_eq(a->threshold, 2);
    ck_assert_double_eq(a->min_rate, 1000);
    ck_assert_double_eq_tol(a->share, 3500.0 / 6500, 0.01);
    ck_assert_uint_eq(a->regions, 7);
    ck_assert_uint_eq(a->top_count, ALERT_TOP_MAX);
    for (uint32_t i = 0; i < a->top_count; i++) {
        ck_assert_str_eq(a->top[i].server->address, RS1);
        ck_assert_double_eq_tol(a->top[i].share, 1.0 / 7, 0.01);
    }
    ck_assert_int_eq(lab_server(&lab, 0)->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_server(&lab, 1)->heat, HEAT_NORMAL);
    ck_assert_int_eq(lab_table(&lab, "salted")->heat, HEAT_NORMAL);
    for (int i = 0; i < 5; i++)
        lab_move(&lab, i, 1 + i % 3);
    lab_tick(&lab, 15);
    ck_assert_str_eq(lab.events, "fired rs1:16020;resolved cooled rs1:16020;");
    lab_finish(&lab);
}
END_TEST

static bool
fires(int servers, double rate, double others, double min_rate)
{
    static const char *const tables[] = {"a", "b", "c", "d"}; /* each even */

    lab_init(&lab, servers);
    lab.config.detection.server_min_rate = min_rate;
    for (int s = 0; s < servers; s++)
        for (int i = 0; i < 4; i++)
            lab_region(&lab, tables[s], s, (s == 0 ? rate : others) / 4, 0);
    lab_start(&lab);
    lab_tick(&lab, 8);
    bool found = state(RS1) == ALERT_FIRING;
    ck_assert_uint_eq(lab.last->alert_count, found);
    lab_finish(&lab);
    return found;
}

START_TEST(limits_of_servers)
{
    ck_assert(fires(4, 2010, 1000, 1000));
    ck_assert(!fires(4, 1990, 1000, 1000));
    ck_assert(!fires(4, 990, 10, 1000));
    ck_assert(fires(4, 1010, 10, 1000));
    ck_assert(fires(4, 50, 10, 0)); /* 0: no limit */
    ck_assert(fires(2, 4000, 1000, 1000));
    ck_assert(fires(2, 4000, 0, 1000));  /* the other one is idle */
    ck_assert(!fires(1, 4000, 0, 1000)); /* nothing to compare with */
    ck_assert(!fires(4, 8000, 8000, 1000));
}
END_TEST

/* ---- one cause, one alert ---- */

START_TEST(what_a_region_explains)
{
    begin(2);
    lab.regions[0].read_rate = 20000; /* hot, and so its server's whole excess */
    lab_tick(&lab, 12);
    ck_assert_str_eq(lab.events, "fired 0;");
    ck_assert_uint_eq(lab.last->alert_count, 1);
    ck_assert_double_gt(lab_server(&lab, 0)->skew, 10);
    lab_finish(&lab);
}
END_TEST

/* That of one server does not hide the skew of another. */
START_TEST(skew_beside_a_hot_region)
{
    begin(7);
    lab.regions[7].read_rate = 20000;
    lab_tick(&lab, 12);
    ck_assert_str_eq(lab.events, "fired 7;fired rs1:16020;");
    ck_assert_double_lt(lab_alert_about(&lab, RS1)->baseline, 1000);
    lab_finish(&lab);
}
END_TEST

/* On the same server: the alert is about what the region does not explain. */
START_TEST(skew_beyond_a_hot_region)
{
    begin(7);
    lab.regions[0].read_rate = 9000;
    lab_tick(&lab, 12);
    ck_assert_str_eq(lab.events, "fired 0;fired rs1:16020;");
    const struct alert *a = lab_alert_about(&lab, RS1);
    ck_assert_double_eq_tol(a->rate[ACCESS_READ], 3000, 5);
    for (uint32_t i = 0; i < a->top_count; i++)
        ck_assert(!region_id_equal(a->top[i].region->id, lab_id(0)));
    lab_finish(&lab);
}
END_TEST

/* The server was told of first, then one of its regions turns out to be hot. */
START_TEST(a_region_takes_over)
{
    begin(3);
    lab.regions[0].read_rate = 1200; /* 2.4 times the others: not hot */
    lab_tick(&lab, 12);
    ck_assert_str_eq(lab.events, "fired rs1:16020;");
    lab.regions[0].read_rate = 9000;
    lab_tick(&lab, 12);
    ck_assert_str_eq(lab.events, "fired rs1:16020;fired 0;resolved merged rs1:16020;");
    lab_finish(&lab);
}
END_TEST

START_TEST(what_a_table_explains)
{
    lab_init(&lab, 8);
    for (int a = 0; a < ACCESS_COUNT; a++)
        lab.config.detection.rule.min_rate[a] = 1e6;
    for (int i = 0; i < 64; i++)
        lab_region(&lab, "t", i % 8, i % 8 == 0 && i < 16 ? 2000 : 1, 0);
    lab_start(&lab);
    lab_tick(&lab, 12);
    ck_assert_str_eq(lab.events, "fired t;");
    lab_finish(&lab);
}
END_TEST

/* meta has a limit of its own; and what a server has besides counts. */
START_TEST(meta_on_the_server)
{
    for (int hot = 0; hot < 2; hot++)
        for (int crowd = 2; crowd <= 7; crowd += 5) {
            begin(crowd);
            int meta = lab_region(&lab, "hbase:meta", 0, hot ? 6000 : 4900, 0);
            lab_tick(&lab, 12);
            ck_assert_int_eq(state(RS1), crowd == 7 ? ALERT_FIRING : ALERT_RESOLVED);
            ck_assert((lab_alert(&lab, meta) != NULL) == hot);
            ck_assert_uint_eq(lab.last->firing, (crowd == 7) + hot);
            lab_finish(&lab);
        }
}
END_TEST

/* What is a small part of what servers take is no skew worth an alert. */
START_TEST(what_cannot_load_a_server_is_quiet)
{
    begin(7); /* rs1 takes 3500/s beyond its hot region; 0.25 * mean is 5875 */
    lab.regions[0].read_rate = 88000;
    lab_tick(&lab, 12);
    ck_assert_str_eq(lab.events, "fired 0;");
    lab_finish(&lab);
}
END_TEST

START_TEST(ignored_tables_heat_no_server)
{
    static char *globs[] = {"tmp_*"};

    begin(2);
    for (int i = 0; i < 6; i++)
        lab_region(&lab, "tmp_x", 0, 3000, 0);
    lab.config.detection.ignore_tables = (struct string_list){globs, 1};
    engine_configure(lab.engine, &lab.config);
    lab_tick(&lab, 10);
    ck_assert_uint_eq(lab.last->alert_count, 0);
    lab_finish(&lab);
}
END_TEST

/* ---- times ---- */

START_TEST(hysteresis)
{
    begin(7);
    lab_tick(&lab, 8);
    for (int i = 0; i < 7; i++)
        lab.regions[i].read_rate = 260; /* 1.82 times: neither 2 nor below 1.6 */
    lab_tick(&lab, 30);
    ck_assert_int_eq(state(RS1), ALERT_FIRING);
    for (int i = 0; i < 7; i++)
        lab.regions[i].read_rate = 220;
    lab_tick(&lab, 10);
    ck_assert_int_eq(state(RS1), ALERT_FIRING);
    lab_tick(&lab, 5);
    ck_assert_int_eq(state(RS1), ALERT_RESOLVED);
    lab_finish(&lab);
}
END_TEST

/* It lives on in the window, but not in the newest sample. */
START_TEST(a_burst_does_not_fire)
{
    begin(2);
    for (int i = 0; i < 4; i++) /* equals: none of them is hot */
        lab_region(&lab, "burst", 0, 10, 0);
    lab_tick(&lab, 6);
    for (int k = 0; k < 4; k++) {
        for (int i = 8; i < 12; i++)
            lab.regions[i].read_rate = 9000;
        lab_tick(&lab, 3);
        ck_assert_int_eq(state(RS1), ALERT_PENDING);
        for (int i = 8; i < 12; i++)
            lab.regions[i].read_rate = 10;
        lab_tick(&lab, 1);
        ck_assert_double_gt(lab_server(&lab, 0)->rate[ACCESS_TOTAL], 10000);
        ck_assert_int_eq(state(RS1), ALERT_RESOLVED);
        lab_tick(&lab, 6);
    }
    ck_assert_str_eq(lab.events, "");
    lab_finish(&lab);
}
END_TEST

/* The server is its address: a new start code goes on with the alert. */
START_TEST(a_restart_keeps_the_alert)
{
    begin(7);
    lab_tick(&lab, 8);
    int64_t starts = lab_alert_about(&lab, RS1)->starts_at_ms;
    lab.down[0] = true;
    lab_tick(&lab, 5);
    ck_assert(lab_alert_about(&lab, RS1)->stale);
    lab.down[0] = false;
    lab_restart(&lab, 0, 1700000000999);
    lab_tick(&lab, 4);
    const struct alert *a = lab_alert_about(&lab, RS1);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert(!a->stale);
    ck_assert_int_eq(a->starts_at_ms, starts);
    ck_assert_int_eq(a->server->start_code, 1700000000999);
    ck_assert_str_eq(lab.events, "fired rs1:16020;held rs1:16020;");
    lab_finish(&lab);
}
END_TEST

START_TEST(a_lost_server)
{
    begin(7);
    lab_tick(&lab, 8);
    lab.down[0] = lab.dead[0] = true;
    for (int i = 0; i < 40; i++) {
        lab_cluster(&lab);
        lab_tick(&lab, 1);
    }
    ck_assert_ptr_nonnull(strstr(lab.events, "held rs1:16020;"));
    ck_assert_ptr_nonnull(strstr(lab.events, "resolved server_lost rs1:16020;"));
    lab_finish(&lab);
}
END_TEST

START_TEST(silence_while_pending_and_firing)
{
    begin(7);
    lab_tick(&lab, 2);
    lab.down[0] = true;
    lab_tick(&lab, 10);
    ck_assert_int_eq(state(RS1), ALERT_PENDING); /* kept, and does not fire */
    lab.down[0] = false;
    lab_tick(&lab, 6);
    ck_assert_str_eq(lab.events, "fired rs1:16020;");
    for (int s = 1; s < 4; s++)
        lab.down[s] = true; /* nothing to compare with */
    lab_tick(&lab, 40);
    ck_assert_str_eq(lab.events, "fired rs1:16020;held rs1:16020;"
                                 "resolved unknown rs1:16020;");
    lab_finish(&lab);
}
END_TEST

START_TEST(new_rules)
{
    begin(7);
    lab_tick(&lab, 8);
    struct config config = lab.config;
    config.detection.server_threshold = 3; /* still above */
    engine_configure(lab.engine, &config);
    lab_tick(&lab, 2);
    ck_assert_str_eq(lab.events, "fired rs1:16020;");
    config.detection.rule.severity = SEVERITY_CRITICAL;
    engine_configure(lab.engine, &config);
    lab_tick(&lab, 1);
    ck_assert_str_eq(lab.events, "fired rs1:16020;resolved rule_changed rs1:16020;");
    lab_tick(&lab, 5);
    ck_assert_int_eq(lab_alert_about(&lab, RS1)->severity, SEVERITY_CRITICAL);
    lab_finish(&lab);
}
END_TEST

/* Of four servers three have just started: those have no rates, which is not zero. */
START_TEST(unknown_is_not_zero)
{
    begin(2);
    lab_tick(&lab, 8);
    for (int k = 0; k < 8; k++) {
        for (int s = 1; s < 4; s++)
            lab_restart(&lab, s, 1700000001000 + 10 * k + s);
        lab_tick(&lab, 1);
        ck_assert_uint_eq(lab.last->alert_count, 0);
    }
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("servers", even_regions_that_sit_together, limits_of_servers,
          what_a_region_explains, skew_beside_a_hot_region, skew_beyond_a_hot_region,
          a_region_takes_over, what_a_table_explains, meta_on_the_server,
          what_cannot_load_a_server_is_quiet, ignored_tables_heat_no_server, hysteresis,
          a_burst_does_not_fire, a_restart_keeps_the_alert, a_lost_server,
          silence_while_pending_and_firing, new_rules, unknown_is_not_zero)
