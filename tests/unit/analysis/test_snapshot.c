/* SPDX-License-Identifier: Apache-2.0 */
/* What comes out: series, snapshots; and that it does at scale. */
#include <math.h>
#include <string.h>

#include "common/alloc.h"
#include "lab.h"
#include "tests/unit/common/harness.h"

static struct lab lab;

static enum alert_state
state(int region)
{
    const struct alert *a = lab_alert(&lab, region);

    return a == NULL ? ALERT_RESOLVED : a->state;
}

/* ---- series ---- */

START_TEST(series_of_a_region)
{
    struct series_point p[300];
    lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 240); /* two hours */
    int64_t now = lab.now.wall_ms;
    ck_assert_uint_eq(
        engine_series(lab.engine, (struct region_id){9, 9}, 0, now, 0, p, 9), SIZE_MAX);
    size_t n = engine_series(lab.engine, lab_id(4), now - 600000, now, 0, p, 300);
    ck_assert_uint_eq(n, 20);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(p[i].time_ms, now - 600000 + 30000 * (int64_t)i);
        ck_assert_float_eq_tol(p[i].read, 500, 20);
        ck_assert_float_eq(p[i].write, 0);
    }
    n = engine_series(lab.engine, lab_id(4), now - 600000, now, 120000, p, 300);
    ck_assert_uint_eq(n, 5);
    ck_assert_int_eq(p[1].time_ms - p[0].time_ms, 120000);
    /* Farther back than the raw tier reaches. */
    n = engine_series(lab.engine, lab_id(4), now - 7000000, now, 0, p, 300);
    ck_assert_uint_eq(n, 23);
    ck_assert_int_eq(p[1].time_ms - p[0].time_ms, 300000);
    n = engine_series(lab.engine, lab_id(4), 0, INT64_MAX, 3600000, p, 300);
    ck_assert_uint_eq(n, 2);
    ck_assert_float_eq_tol(p[1].read, 500, 40);
    /* Bounds. */
    ck_assert_uint_eq(engine_series(lab.engine, lab_id(4), now - 600000, now, 0, p, 7),
                      7);
    ck_assert_uint_eq(engine_series(lab.engine, lab_id(4), now, now - 1, 0, p, 300), 0);
    ck_assert_uint_eq(engine_series(lab.engine, lab_id(4), now + 1, now + 2, 0, p, 300),
                      0);
    ck_assert_uint_eq(engine_series(lab.engine, lab_id(4), 5, 6, 0, p, 300), 0);
    lab_finish(&lab);
}
END_TEST

START_TEST(series_of_a_young_daemon)
{
    struct series_point p[300];
    lab_even_table(&lab, 50, 10);

    ck_assert_uint_eq(engine_series(lab.engine, lab_id(4), 0, INT64_MAX, 0, p, 300),
                      SIZE_MAX);
    lab_tick(&lab, 8);
    /* All that there is, whatever time is asked for. */
    ck_assert_uint_eq(engine_series(lab.engine, lab_id(4), 0, INT64_MAX, 0, p, 300), 8);
    ck_assert(isnan(p[0].read));
    ck_assert_float_eq_tol(p[1].read, 500, 20);
    ck_assert_uint_eq(
        engine_series(lab.engine, lab_id(4), 0, INT64_MAX, 3600000, p, 300), 1);
    ck_assert_float_eq_tol(p[0].read, 500, 20);
    lab_finish(&lab);
}
END_TEST

START_TEST(series_with_any_arguments)
{
    static const int64_t any[] = {INT64_MIN, INT64_MIN + 1, -1,       0, 1,
                                  1000000,   INT64_MAX - 1, INT64_MAX};
    struct series_point p[50];
    int64_t now;

    lab_even_table(&lab, 50, 10);
    lab_tick(&lab, 300);
    now = lab.now.wall_ms;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            for (int k = 0; k < 8; k++) {
                size_t n = engine_series(lab.engine, lab_id(4), i == 8 ? now : any[i],
                                         j == 8 ? now : any[j], any[k], p, 50);
                ck_assert_uint_le(n, 50);
            }
    lab_finish(&lab);
}
END_TEST

/* People set the clock; nothing is torn, doubled or judged by it. */
START_TEST(steps_of_the_wall_clock)
{
    static const int64_t steps[] = {3600000, -3600000, 86400000, -86400000};

    for (int i = 0; i < 4; i++) {
        struct series_point p[300];
        int hot = lab_even_table(&lab, 50, 10);
        lab_tick(&lab, 20);
        lab.now.wall_ms += steps[i];
        lab.clock_skew_ms -= steps[i]; /* the servers know nothing of it */
        lab_tick(&lab, 20);
        ck_assert_str_eq(lab.events, "fired 4;");
        ck_assert_int_eq(state(hot), ALERT_FIRING);
        ck_assert_double_eq_tol(lab_row(&lab, hot)->rate[ACCESS_READ], 500, 1);
        size_t n = engine_series(lab.engine, lab_id(hot), 0, INT64_MAX, 0, p, 300);
        ck_assert_uint_eq(n, 40);
        for (size_t j = 0; j < n; j++) {
            ck_assert_int_eq(p[j].time_ms, lab.now.wall_ms - 30000 * (int64_t)(40 - j));
            if (j > 0)
                ck_assert_float_eq_tol(p[j].read, 500, 20);
        }
        lab_finish(&lab);
    }
}
END_TEST

START_TEST(time_going_backwards)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 7);
    lab.now.mono_ms -= 500000;
    lab.now.wall_ms -= 500000;
    lab_evaluate(&lab);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_poll(&lab, 1);
    lab_evaluate(&lab);
    lab.now.mono_ms += 500000;
    lab.now.wall_ms += 500000;
    lab_tick(&lab, 3);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

/* ---- snapshots ---- */

START_TEST(nothing_known_yet)
{
    lab_init(&lab, 1);
    lab_start(&lab);
    lab_evaluate(&lab);
    ck_assert_uint_eq(lab.last->number, 1);
    ck_assert_uint_eq(lab.last->region_count + lab.last->table_count, 0);
    ck_assert_uint_eq(lab.last->server_count + lab.last->alert_count, 0);
    ck_assert_double_eq(lab.last->coverage, 0);
    ck_assert_ptr_null(engine_destroy(NULL));
    ck_assert_ptr_null(snapshot_unref(NULL));
    lab_finish(&lab);
}
END_TEST

START_TEST(snapshots_outlive_the_engine)
{
    lab_even_table(&lab, 50, 10);
    lab_even_keys(&lab);
    lab_list(&lab);
    lab_tick(&lab, 6);
    struct snapshot *s = snapshot_ref(lab.last);
    lab_finish(&lab);
    ck_assert_uint_eq(atomic_load(&s->refs), 1);
    ck_assert_uint_eq(s->region_count, 10);
    ck_assert_str_eq(s->tables[s->regions[3].table].facts->name, "orders");
    ck_assert_str_eq(s->alerts[0].server->address, "rs2:16020");
    ck_assert_mem_eq(region_start_key(s->alerts[0].region), "40", 2);
    ck_assert_uint_eq(atomic_load(&s->servers[0].facts->refs), 1);
    snapshot_unref(s);
}
END_TEST

static void
same_doubles(const double *a, const double *b, size_t n)
{
    ck_assert_mem_eq(a, b, n * sizeof(*a));
}

static void
same_rows(const struct snapshot *a, const struct snapshot *b)
{
    ck_assert_uint_eq(a->region_count, b->region_count);
    for (uint32_t i = 0; i < a->region_count; i++) {
        const struct region_row *x = &a->regions[i], *y = &b->regions[i];
        ck_assert(region_id_equal(x->facts->id, y->facts->id));
        ck_assert_mem_eq(x->rate, y->rate, sizeof(x->rate));
        ck_assert_mem_eq(&x->ratio, &y->ratio, sizeof(x->ratio));
        ck_assert_uint_eq(x->server, y->server);
        ck_assert_uint_eq(x->table, y->table);
        ck_assert_uint_eq(x->heat, y->heat);
        ck_assert_uint_eq(x->read_count, y->read_count);
    }
    ck_assert_uint_eq(a->table_count, b->table_count);
    for (uint32_t i = 0; i < a->table_count; i++) {
        ck_assert_str_eq(a->tables[i].facts->name, b->tables[i].facts->name);
        same_doubles(a->tables[i].rate, b->tables[i].rate, ACCESS_COUNT);
        same_doubles(&a->tables[i].effective_regions, &b->tables[i].effective_regions,
                     1);
        ck_assert_uint_eq(a->tables[i].hottest, b->tables[i].hottest);
    }
    ck_assert_uint_eq(a->server_count, b->server_count);
    for (uint32_t i = 0; i < a->server_count; i++) {
        ck_assert_str_eq(a->servers[i].facts->text, b->servers[i].facts->text);
        same_doubles(a->servers[i].rate, b->servers[i].rate, ACCESS_COUNT);
        same_doubles(&a->servers[i].skew, &b->servers[i].skew, 1);
    }
}

static void
same_alerts(const struct snapshot *a, const struct snapshot *b)
{
    ck_assert_uint_eq(a->alert_count, b->alert_count);
    for (uint32_t i = 0; i < a->alert_count; i++) {
        const struct alert *x = &a->alerts[i], *y = &b->alerts[i];
        ck_assert(region_id_equal(x->origin, y->origin));
        ck_assert_int_eq(x->state, y->state);
        ck_assert_int_eq(x->active_at_ms, y->active_at_ms);
        same_doubles(x->rate, y->rate, ACCESS_COUNT);
        same_doubles(&x->ratio, &y->ratio, 1);
        same_doubles(&x->limit, &y->limit, 1);
        ck_assert_uint_eq(x->member_count, y->member_count);
    }
}

/* Whatever happens in the cluster, by a generator. */
static void
stir(struct lab *l, struct generator *g)
{
    for (int i = 0; i < 40; i++) {
        if (next_below(g, 20) == 0)
            lab_move(l, i, (int)next_below(g, 4));
        if (next_below(g, 30) == 0)
            l->regions[i].read_rate = (double)next_below(g, 10) * 200;
    }
    l->down[next_below(g, 4)] = next_below(g, 3) == 0;
}

START_TEST(the_same_calls_give_the_same)
{
    static struct lab one, two;
    struct generator g = start_generator("the_same_calls_give_the_same"), h = g;
    struct lab *const labs[] = {&one, &two};

    for (int k = 0; k < 2; k++) {
        lab_init(labs[k], 4);
        for (int i = 0; i < 40; i++)
            lab_region(labs[k], i % 3 == 0 ? "a" : "b", i % 4, i % 7 == 0 ? 900 : 30,
                       5);
        lab_start(labs[k]);
    }
    for (int i = 0; i < 200; i++) {
        stir(&one, &g);
        stir(&two, &h);
        lab_tick(&one, 1);
        lab_tick(&two, 1);
        same_rows(one.last, two.last);
        same_alerts(one.last, two.last);
    }
    ck_assert_str_eq(one.events, two.events);
    ck_assert_ptr_nonnull(strstr(one.events, "resolved"));
    lab_finish(&one);
    lab_finish(&two);
}
END_TEST

/* ---- scale ---- */

enum { MANY_TABLES = 10000, MANY_SERVERS = 1000, A_SERVER = 30 };

static char *
many_server(uint32_t i)
{
    char name[64];

    snprintf(name, sizeof(name), "regionserver%04u,16020,1700000000000", i);
    return xstrdup(name);
}

static void
poll_many(uint32_t server)
{
    struct message *m = message_create(MESSAGE_POLL);
    struct server_poll *p = &m->poll;

    p->url = many_server(server);
    p->server = many_server(server);
    p->received = lab.now;
    p->server_time_ms = lab.now.wall_ms;
    p->tables = xcalloc(A_SERVER, sizeof(*p->tables));
    p->table_count = p->region_count = A_SERVER;
    p->regions = xcalloc(A_SERVER, sizeof(*p->regions));
    for (uint32_t i = 0; i < A_SERVER; i++) {
        uint32_t region = server * A_SERVER + i;
        bool hot = region < MANY_TABLES && region % 80 == 0;
        char name[64];
        snprintf(name, sizeof(name), "namespace:table_%u", region % MANY_TABLES);
        p->tables[i] = xstrdup(name);
        p->regions[i] = (struct region_sample){
            .id = {region, region * 77u},
            .table = i,
            .read = (uint64_t)lab.now.mono_ms / 1000 * (hot ? 1000 : 1),
            .known = SAMPLE_READ | SAMPLE_WRITE,
        };
    }
    engine_apply_poll(lab.engine, p);
    message_destroy(m);
}

/* The master's list. */
static void
tell_many(void)
{
    struct message *m = message_create(MESSAGE_CLUSTER);
    struct cluster_state *c = &m->cluster;

    c->received = lab.now;
    c->live = xcalloc(MANY_SERVERS, sizeof(*c->live));
    for (; c->live_count < MANY_SERVERS; c->live_count++)
        c->live[c->live_count] = many_server((uint32_t)c->live_count);
    engine_apply_cluster(lab.engine, c);
    message_destroy(m);
}

START_TEST(ten_thousand_tables_on_a_thousand_servers)
{
    lab_init(&lab, 0);
    lab.config.detection.max_alerts = 100;
    lab_start(&lab);
    for (int i = 0; i < 7; i++) {
        lab_pass(&lab, 30000);
        tell_many();
        for (uint32_t s = 0; s < MANY_SERVERS; s++)
            poll_many(s);
        snapshot_unref(lab.last);
        lab.last = engine_evaluate(lab.engine, lab.now);
        engine_record_history(lab.engine, lab.now);
    }
    ck_assert_uint_eq(lab.last->region_count, MANY_SERVERS * A_SERVER);
    ck_assert_uint_eq(lab.last->table_count, MANY_TABLES);
    ck_assert_uint_eq(lab.last->server_count, MANY_SERVERS);
    ck_assert_uint_eq(lab.last->firing, 101); /* and that there are more */
    ck_assert_uint_eq(lab.last->suppressed, 25);
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("snapshot", series_of_a_region, series_of_a_young_daemon,
          series_with_any_arguments, steps_of_the_wall_clock, time_going_backwards,
          nothing_known_yet, snapshots_outlive_the_engine, the_same_calls_give_the_same,
          ten_thousand_tables_on_a_thousand_servers)
