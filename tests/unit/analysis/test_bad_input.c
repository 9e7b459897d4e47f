/* SPDX-License-Identifier: Apache-2.0 */
/* What explanations and rules make of sources that contradict each other, of figures
 * that cannot be and of what is not known (docs/detection.md, "Bad input"). */
#include <math.h>
#include <string.h>

#include "analysis/explain.h"
#include "lab.h"
#include "tests/unit/common/harness.h"

static struct lab lab;

static const struct explanation *
why(int region)
{
    const struct alert *a = lab_alert(&lab, region);

    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_nonnull(a->why);
    return a->why;
}

static bool
has_move(const struct explanation *x)
{
    for (size_t i = 0; i < x->command_count; i++)
        if (strncmp(x->commands[i].command, "move ", 5) == 0)
            return true;
    return false;
}

/* ---- replicas ---- */

START_TEST(replicas_are_no_split)
{
    lab_init(&lab, 3);
    for (int i = 0; i < 12; i++)
        lab_region(&lab, "other", i % 3, 30, 0);
    int single = lab_region(&lab, "one", 0, 0, 9000);
    for (uint16_t i = 1; i < 3; i++)
        lab.regions[lab_region(&lab, "one", i, 5, 0)].replica = i;
    for (int i = single; i < lab.region_count; i++)
        lab.regions[i].start = lab.regions[i].end = "";
    lab_start(&lab);
    lab_list(&lab);
    lab_tick(&lab, 6);
    ck_assert_int_eq(why(single)->heat_class, CLASS_UNSPLIT_TABLE);
    ck_assert_str_eq(why(single)->evidence,
                     "The table has one region only; the cluster has 3 live servers.");
    lab_finish(&lab);
}
END_TEST

/* One primary has all that primaries get, next to nothing; their replicas are busy. */
START_TEST(replicas_do_not_make_a_table_hot)
{
    lab_init(&lab, 8);
    for (int i = 0; i < 40; i++)
        lab_region(&lab, "orders", i % 8, i == 7 ? 20 : 0, 0);
    for (int i = 0; i < 40; i++) {
        int replica = lab_region(&lab, "orders", (i + 1) % 8, 200, 0);
        lab.regions[replica].replica = 1;
    }
    lab_start(&lab);
    lab_tick(&lab, 12);
    ck_assert_str_eq(lab.events, "");
    ck_assert_uint_eq(lab.last->alert_count, 0);
    lab_finish(&lab);
}
END_TEST

/* ---- what is not known ---- */

START_TEST(a_server_of_unknown_load_is_no_place_to_move_to)
{
    lab_even_table(&lab, 50, 1);
    lab.regions[3].read_rate = 5000;
    lab_tick(&lab, 6);
    ck_assert(!has_move(why(3))); /* it would be as hot anywhere */
    lab_restart(&lab, 2, 1900000000000);
    lab_tick(&lab, 1); /* live, and its regions have no rate yet */
    ck_assert_double_eq(lab_server(&lab, 2)->rate[ACCESS_TOTAL], 0);
    ck_assert(!has_move(why(3)));
    lab_finish(&lab);
}
END_TEST

/* ---- rows ---- */

static void
tell_rows(int region, const char *const *rows, size_t n, size_t count)
{
    struct message *m = message_create(MESSAGE_ROWS);
    struct row_samples *s = &m->rows;

    s->url = strdup("http://x");
    s->server = strdup(lab.servers[lab.regions[region].server]);
    s->received = lab.now;
    s->calls = calloc(count, sizeof *s->calls);
    s->call_count = count;
    s->arena = calloc(count, 64);
    for (size_t i = 0; i < count; i++) {
        const char *row = rows[i % n];
        s->calls[i] =
            (struct sampled_call){lab_id(region), (uint32_t)s->arena_len,
                                  (uint32_t)strlen(row), UINT32_MAX, CALL_GET};
        memcpy(s->arena + s->arena_len, row, strlen(row));
        s->arena_len += strlen(row);
    }
    engine_apply_rows(lab.engine, s);
    message_destroy(m);
}

static void
sampled_table(void)
{
    lab_even_table(&lab, 50, 1);
    lab_even_keys(&lab);
    lab.regions[4].read_rate = 5000;
    lab.config.detection.rule.row_sampling = true;
    lab_list(&lab);
    lab_tick(&lab, 4);
}

START_TEST(rows_outside_the_region_are_dropped)
{
    static const char *const rows[] = {"99", "3fffff", "50", "", "\xff\xff"};

    sampled_table(); /* region 4: from "40" up to "50" */
    tell_rows(4, rows, 5, 64);
    lab_tick(&lab, 1);
    ck_assert_uint_eq(why(4)->row_count, 0);
    ck_assert_int_eq(why(4)->heat_class, CLASS_UNKNOWN);
    tell_rows(4, (const char *const[]){"40", "4fffff"}, 2, 64);
    lab_tick(&lab, 1);
    ck_assert_uint_eq(why(4)->row_count, 2);
    ck_assert_int_eq(why(4)->heat_class, CLASS_POPULAR_KEY);
    lab_finish(&lab);
}
END_TEST

START_TEST(rows_are_forgotten_when_sampling_is_switched_off)
{
    sampled_table();
    tell_rows(4, (const char *const[]){"41", "42"}, 2, 64);
    lab_tick(&lab, 1);
    ck_assert_uint_eq(why(4)->row_count, 2);
    lab.config.detection.rule.row_sampling = false;
    engine_configure(lab.engine, &lab.config);
    lab_tick(&lab, 1);
    ck_assert_uint_eq(why(4)->row_count, 0);
    ck_assert_uint_eq(why(4)->samples, 0);
    ck_assert_ptr_null(why(4)->split_key);
    for (size_t i = 0; i < why(4)->command_count; i++) /* nor do commands hold one */
        ck_assert_ptr_null(strstr(why(4)->commands[i].command, "\"4"));
    lab_finish(&lab);

    sampled_table(); /* also where nothing can be judged any more */
    lab_tick(&lab, 3);
    tell_rows(4, (const char *const[]){"41", "42"}, 2, 64);
    lab_tick(&lab, 1);
    ck_assert_uint_eq(why(4)->row_count, 2);
    for (int i = 0; i < 3; i++)
        lab.down[i] = true;
    lab_tick(&lab, 4);
    ck_assert(lab_alert(&lab, 4)->stale);
    lab.config.detection.rule.row_sampling = false;
    engine_configure(lab.engine, &lab.config);
    lab_tick(&lab, 1);
    ck_assert_uint_eq(why(4)->row_count, 0);
    ck_assert_uint_eq(why(4)->command_count, 0);
    lab_finish(&lab);
}
END_TEST

/* ---- figures that cannot be ---- */

static void
tell_calls(int region, uint64_t read, uint64_t gets, uint64_t scans)
{
    struct message *m = message_create(MESSAGE_DETAIL);
    struct server_detail *d = &m->detail;

    d->url = strdup("http://x");
    d->server = strdup(lab.servers[lab.regions[region].server]);
    d->received = lab.now;
    d->operations = calloc(1, sizeof *d->operations);
    d->operation_count = 1;
    d->operations[0] = (struct operation_sample){
        .id = lab_id(region), .read = read, .gets = gets, .scans = scans};
    engine_apply_detail(lab.engine, d);
    message_destroy(m);
}

START_TEST(a_leap_of_calls_is_no_scan)
{
    lab_even_table(&lab, 50, 100);
    lab_tick(&lab, 3);
    tell_calls(4, 1000, 10, 10);
    lab_tick(&lab, 1);
    tell_calls(4, INT64_MAX, 20, 20);
    lab_tick(&lab, 4);
    ck_assert_int_eq(why(4)->heat_class, CLASS_UNKNOWN);
    lab_finish(&lab);
}
END_TEST

static void
answer(const double signals[static SIGNAL_COUNT])
{
    lab_pass(&lab, 30000);
    struct message *m = lab_answer(&lab, 0);
    memcpy(m->poll.signals, signals, sizeof m->poll.signals);
    engine_apply_poll(lab.engine, &m->poll);
    message_destroy(m);
    lab_evaluate(&lab);
}

START_TEST(signals_that_leap_or_fall_are_no_rates)
{
    double signals[SIGNAL_COUNT];

    lab_even_table(&lab, 50, 10);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        signals[i] = 7;
    for (int turn = 0; turn < 6; turn++) {
        answer(signals);
        const struct server_row *s = lab_server(&lab, 0);
        ck_assert_uint_eq(s->diagnoses, 0);
        ck_assert(isnan(s->cache_hit_ratio));
        for (int i = 0; i < SIGNAL_COUNT; i++) {
            bool counter = signal_is_counter((enum signal)i);
            ck_assert(isnan(s->signal_rates[i]) || s->signal_rates[i] == 0);
            signals[i] = !counter        ? 7
                         : turn % 3 == 0 ? 0x1p63
                         : turn % 3 == 1 ? NAN
                                         : 9;
        }
    }
    lab_finish(&lab);
}
END_TEST

/* ---- time ---- */

START_TEST(no_alert_ends_before_it_began)
{
    int hot = lab_even_table(&lab, 50, 10);
    size_t count, ends = 0;

    lab_tick(&lab, 7);
    ck_assert_int_eq(lab_alert(&lab, hot)->state, ALERT_FIRING);
    lab.now.wall_ms -= 7200000;
    lab.clock_skew_ms += 7200000;
    lab.regions[hot].read_rate = 50;
    while (ends == 0) {
        lab_tick(&lab, 1);
        const struct engine_event *events = engine_events(lab.engine, &count);
        for (size_t i = 0; i < count; i++) {
            const struct alert *a = events[i].alert;
            if (events[i].kind != EVENT_RESOLVED)
                continue;
            ends++;
            ck_assert_int_ge(a->resolved_at_ms, a->starts_at_ms);
            ck_assert_int_ge(a->starts_at_ms, a->active_at_ms);
        }
    }
    lab_finish(&lab);
}
END_TEST

START_TEST(no_alert_fires_before_it_was_active)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 3);
    ck_assert_int_eq(lab_alert(&lab, hot)->state, ALERT_PENDING);
    lab.now.wall_ms -= 7200000;
    lab.clock_skew_ms += 7200000;
    lab_tick(&lab, 7);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_int_ge(a->starts_at_ms, a->active_at_ms);
    lab_finish(&lab);
}
END_TEST

/* ---- sources that contradict each other ---- */

/* A second address shows the server as it was a minute ago. */
START_TEST(one_server_at_two_addresses)
{
    int hot = lab_even_table(&lab, 50, 1);

    (void)hot;
    lab_tick(&lab, 3);
    for (int i = 0; i < 20; i++) {
        lab_tick(&lab, 1);
        struct message *m = lab_answer(&lab, 1);
        m->poll.url[7] = 'x';
        m->poll.received.mono_ms += 5000;
        m->poll.server_time_ms -= 60000;
        for (size_t k = 0; k < m->poll.region_count; k++)
            m->poll.regions[k].read -= 50 * 60;
        engine_apply_poll(lab.engine, &m->poll);
        message_destroy(m);
        ck_assert_str_eq(lab_server(&lab, 1)->url, "http://rsb:16030");
        ck_assert_double_eq_tol((double)lab_row(&lab, 1)->rate[ACCESS_READ], 50, 1);
    }
    ck_assert_str_eq(lab.events, "");
    lab_finish(&lab);
}
END_TEST

START_TEST(a_server_that_moved_to_another_address)
{
    lab_even_table(&lab, 50, 1);
    lab_tick(&lab, 3);
    for (int i = 0; i < 5; i++) {
        lab.down[1] = true; /* the old address */
        lab_tick(&lab, 1);
        lab.down[1] = false;
        struct message *m = lab_answer(&lab, 1);
        m->poll.url[7] = 'x';
        engine_apply_poll(lab.engine, &m->poll);
        message_destroy(m);
        lab_evaluate(&lab);
    }
    ck_assert_str_eq(lab_server(&lab, 1)->url, "http://xsb:16030");
    ck_assert(!lab_row(&lab, 1)->stale);
    lab_finish(&lab);
}
END_TEST

/* A new configuration names the server in another way: nobody is told of a gap. */
START_TEST(a_target_renamed)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 7);
    ck_assert_int_eq(lab.regions[hot].server, 1);
    for (int i = 0; i < 8; i++) {
        lab_pass(&lab, i == 0 ? 5000 : 15000);
        lab_evaluate(&lab);
        ck_assert(!lab_row(&lab, hot)->stale);
        lab_pass(&lab, i == 0 ? 0 : 15000);
        lab_poll(&lab, 0);
        lab_poll(&lab, 2);
        struct message *m = lab_answer(&lab, 1);
        m->poll.url[7] = 'x';
        engine_apply_poll(lab.engine, &m->poll);
        message_destroy(m);
        lab_evaluate(&lab);
        ck_assert(!lab_row(&lab, hot)->stale);
    }
    ck_assert_str_eq(lab_server(&lab, 1)->url, "http://xsb:16030");
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

/* ---- a region alone ---- */

START_TEST(a_region_alone_tells_its_own_limits)
{
    lab_init(&lab, 3);
    int single = lab_region(&lab, "one", 0, 9000, 0);
    for (int i = 0; i < 12; i++)
        lab_region(&lab, "other", i % 3, 30, 0);
    lab.config.detection.single_region_min_rate = 4321;
    lab_start(&lab);
    lab_tick(&lab, 6);
    const struct alert *a = lab_alert(&lab, single);
    ck_assert_double_eq(a->min_rate, 4321);
    ck_assert_double_eq(a->limit, 4321);
    ck_assert_uint_eq(a->regions_in_table, 1);
    lab_finish(&lab);
}
END_TEST

/* ---- anything ---- */

static const double odd_figures[] = {0,      1,     7,      1e3,  1e9, 0x1p53,
                                     0x1p63, 1e300, 4e-320, -0.0, NAN};
static const uint64_t odd_counts[] = {0, 1, 1000, 1000000, INT64_MAX, UINT64_MAX};

static double
odd_figure(struct generator *g)
{
    return odd_figures[next_below(g, sizeof odd_figures / sizeof odd_figures[0])];
}

static uint64_t
odd_count(struct generator *g)
{
    return odd_counts[next_below(g, sizeof odd_counts / sizeof odd_counts[0])];
}

static void
odd_poll(struct generator *g)
{
    struct message *m = lab_answer(&lab, (int)next_below(g, 3));

    for (int i = 0; i < SIGNAL_COUNT; i++)
        m->poll.signals[i] = odd_figure(g);
    if (next_below(g, 4) == 0)
        m->poll.server_time_ms += (int64_t)next_below(g, 1000000) - 500000;
    if (next_below(g, 4) == 0)
        m->poll.url[7] = 'x';
    for (size_t i = 0; i < m->poll.region_count; i++) {
        struct region_sample *s = &m->poll.regions[i];
        if (next_below(g, 20) == 0)
            s->read = odd_count(g);
        if (next_below(g, 20) == 0)
            s->known = (uint8_t)next_below(g, 16);
    }
    engine_apply_poll(lab.engine, &m->poll);
    message_destroy(m);
}

static void
odd_rows(struct generator *g)
{
    static char row[64][3];
    const char *rows[64];

    for (int i = 0; i < 64; i++) {
        for (int k = 0; k < 2; k++)
            row[i][k] = (char)(next_below(g, 3) == 0 ? next_below(g, 256)
                                                     : '0' + next_below(g, 10));
        rows[i] = row[i];
    }
    tell_rows((int)next_below(g, 10), rows, 64, 64);
}

static void
odd_step(struct generator *g)
{
    switch (next_below(g, 8)) {
    case 0:
        lab.now.wall_ms += (int64_t)next_below(g, 7200000) - 3600000;
        break;
    case 1:
        odd_rows(g);
        break;
    case 2:
        tell_calls((int)next_below(g, 10), odd_count(g), odd_count(g), odd_count(g));
        break;
    case 3:
        lab.config.detection.rule.row_sampling = next_below(g, 2);
        lab.config.detection.max_alerts = (unsigned)next_below(g, 4);
        engine_configure(lab.engine, &lab.config);
        break;
    case 4:
        lab_list(&lab);
        break;
    case 5:
        lab_move(&lab, (int)next_below(g, 10), (int)next_below(g, 3));
        break;
    case 6:
        lab.regions[next_below(g, 10)].read_rate = (double)next_below(g, 9000);
        break;
    default:
        odd_poll(g);
        break;
    }
}

static void
check_alert(const struct alert *a)
{
    for (int i = 0; i < ACCESS_COUNT; i++)
        ck_assert(isnan(a->rate[i]) || (a->rate[i] >= 0 && a->rate[i] <= 1e9));
    for (int i = 0; i < SIGNAL_COUNT; i++)
        ck_assert(!isinf(a->server_signal_rates[i]));
    ck_assert(a->state == ALERT_PENDING || a->starts_at_ms >= a->active_at_ms);
    if (a->why == NULL)
        return;
    ck_assert_ptr_null(strstr(a->why->evidence, "nan"));
    ck_assert_ptr_null(strstr(a->why->evidence, "inf"));
    ck_assert(lab.config.detection.rule.row_sampling || a->why->row_count == 0);
    for (size_t i = 0; i < a->why->row_count; i++)
        ck_assert(a->why->rows[i].share >= 0 && a->why->rows[i].share <= 1);
}

START_TEST(anything_at_all)
{
    struct generator g = start_generator("anything_at_all");

    lab_even_table(&lab, 50, 100);
    lab_even_keys(&lab);
    lab_list(&lab);
    for (int turn = 0; turn < 1500; turn++) {
        for (uint64_t n = next_below(&g, 4); n > 0; n--)
            odd_step(&g);
        lab_tick(&lab, 1);
        for (uint32_t i = 0; i < lab.last->alert_count; i++)
            check_alert(&lab.last->alerts[i]);
        focus_destroy(engine_focus(lab.engine));
        lab.events[0] = '\0';
    }
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("bad_input", anything_at_all, replicas_are_no_split,
          replicas_do_not_make_a_table_hot,
          a_server_of_unknown_load_is_no_place_to_move_to,
          rows_outside_the_region_are_dropped,
          rows_are_forgotten_when_sampling_is_switched_off, a_leap_of_calls_is_no_scan,
          signals_that_leap_or_fall_are_no_rates, no_alert_ends_before_it_began,
          no_alert_fires_before_it_was_active, one_server_at_two_addresses,
          a_server_that_moved_to_another_address, a_target_renamed,
          a_region_alone_tells_its_own_limits)
