/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/scenarios/stage.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "common/alloc.h"

struct dice *
dice(struct stage *s)
{
    return &s->cluster.dice;
}

/* ---- the scene ---- */

void
plan_hosts(struct stage *s, int n)
{
    struct cluster *c = &s->cluster;

    assert(n <= HOSTS_MAX);
    for (int i = c->host_count; i < n; i++) {
        struct host *h = &c->hosts[i];
        *h = (struct host){
            .start_code = 1600000000000 + i,
            .refresh_phase = dice_below(dice(s), REFRESH_MS),
            .poll_phase = dice_below(dice(s), (int)s->config->poll.interval_ms),
        };
        for (int j = 0; j < SIGNAL_COUNT; j++)
            h->signals[j] = NAN;
    }
    c->host_count = n;
}

static int
new_place(struct stage *s)
{
    struct cluster *c = &s->cluster;

    assert(c->place_count < PLACES_MAX);
    c->places[c->place_count] = (struct place){.rows_per_call = 1,
                                               .hot_to = 1,
                                               .host = -1,
                                               .size_bytes = 1 << 30,
                                               .busy_ms = 0};
    return c->place_count++;
}

int
plan_table(struct stage *s, const char *name, int regions, double read, double write,
           double spread)
{
    struct cluster *c = &s->cluster;
    int t = c->table_count++, first = dice_below(dice(s), c->host_count);

    assert(t < TABLES_MAX);
    c->tables[t] = (struct table){.period_ms = 1};
    snprintf(c->tables[t].name, sizeof(c->tables[t].name), "%s", name);
    for (int i = 0; i < regions; i++) {
        int id = new_place(s);
        struct place *p = &c->places[id];
        double times = dice_between(dice(s), 1 - spread, 1 + spread);
        p->table = t;
        p->start = (uint32_t)((uint64_t)KEYS * i / regions);
        p->end = (uint32_t)((uint64_t)KEYS * (i + 1) / regions);
        p->rate[ACCESS_READ] = read * times;
        p->rate[ACCESS_WRITE] = write * times;
        cluster_open(c, id, (first + i) % c->host_count, 0);
    }
    return t;
}

void
plan_company(struct stage *s)
{
    int n = dice_int(dice(s), 3, 5);

    for (int i = 0; i < n; i++) {
        char name[24];
        snprintf(name, sizeof(name), "company_%d", i);
        plan_table(s, name, dice_int(dice(s), 4, 30), dice_between(dice(s), 1, 60),
                   dice_between(dice(s), 1, 30), 0.3);
    }
}

int
plan_replica(struct stage *s, int place)
{
    struct cluster *c = &s->cluster;
    int id = new_place(s);

    c->places[id] = c->places[place];
    c->places[id].replica = 1;
    cluster_open(c, id, (c->places[place].host + 1) % c->host_count, 0);
    return id;
}

int
place_at(const struct stage *s, int table, int i)
{
    for (int p = 0; p < s->cluster.place_count; p++)
        if (s->cluster.places[p].table == table && i-- == 0)
            return p;
    assert(false);
    return -1;
}

int
places_of(const struct stage *s, int table)
{
    int n = 0;

    for (int p = 0; p < s->cluster.place_count; p++)
        n += s->cluster.places[p].table == table && s->cluster.places[p].number != 0;
    return n;
}

static bool
is_true_of(const struct truth *t, int place)
{
    for (int i = 0; i < t->place_count; i++)
        if (t->places[i] == place)
            return true;
    return false;
}

int
place_any(struct stage *s, int table)
{
    int n = places_of(s, table);

    for (int tries = 0; tries < 10000; tries++) {
        int p = place_at(s, table, dice_below(dice(s), n));
        bool taken = false;
        for (int i = 0; i < s->truth_count; i++)
            taken |= is_true_of(&s->truths[i], p);
        if (!taken)
            return p;
    }
    assert(false);
    return -1;
}

static double
scene_rate(const struct place *p, enum access access)
{
    if (p->number == 0)
        return 0;
    return access == ACCESS_TOTAL ? p->rate[0] + p->rate[1] : p->rate[access];
}

double
rate_for(const struct stage *s, int table, enum access access, int hot, double times)
{
    const struct cluster *c = &s->cluster;
    double all = 0, of_access = 0, mean = 0,
           share = STATED_SERVER_SHARE / c->host_count;
    int n = places_of(s, table);

    for (int p = 0; p < c->place_count; p++) {
        double rate = scene_rate(&c->places[p], access);
        all += scene_rate(&c->places[p], ACCESS_TOTAL);
        of_access += rate;
        mean += c->places[p].table == table ? rate / n : 0;
    }
    if (n == 1)
        return times * fmax(STATED_SINGLE_RATE,
                            STATED_THRESHOLD * of_access / (c->place_count - 1));
    double part = 1 - times * hot * share; /* of all that is not the hot ones' */
    assert(part > 0.05);
    double by_share = times * share * all / part;
    double by_others = times * STATED_THRESHOLD * mean;
    return fmax(times * STATED_MIN_RATE, fmax(by_others, by_share));
}

/* ---- what happens ---- */

void
plan_act(struct stage *s, struct action action)
{
    action.order = (unsigned)s->action_count;
    xgrow(&s->actions, &s->action_cap, s->action_count + 1, sizeof(*s->actions));
    s->actions[s->action_count++] = action;
}

static void
act_rate(struct stage *s, const struct action *a)
{
    cluster_count(&s->cluster, a->a, s->now);
    s->cluster.places[a->a].rate[ACCESS_READ] = a->x;
    s->cluster.places[a->a].rate[ACCESS_WRITE] = a->y;
}

void
plan_rate(struct stage *s, int64_t at, int place, double read, double write)
{
    plan_act(s, (struct action){at, 0, act_rate, place, 0, read, write});
}

void
plan_back(struct stage *s, int64_t at, int place)
{
    const struct place *p = &s->cluster.places[place];

    plan_rate(s, at, place, p->rate[ACCESS_READ], p->rate[ACCESS_WRITE]);
}

static void
act_move(struct stage *s, const struct action *a)
{
    cluster_move(&s->cluster, a->a, a->b, a->x != 0, s->now);
}

void
plan_move(struct stage *s, int64_t at, int place, int host)
{
    plan_act(s, (struct action){at, 0, act_move, place, host, 0, 0});
}

void
plan_keep_move(struct stage *s, int64_t at, int place, int host)
{
    plan_act(s, (struct action){at, 0, act_move, place, host, 1, 0});
}

void
plan_transit(struct stage *s, int64_t at, int64_t until, int place, int host)
{
    plan_move(s, at, place, -1);
    plan_move(s, until, place, host);
}

static void
act_copy(struct stage *s, const struct action *a)
{
    cluster_leave_copy(&s->cluster, a->a, a->x, (int64_t)a->y, s->now);
}

void
plan_copy(struct stage *s, int64_t at, int64_t until, int place, double creep)
{
    plan_act(s, (struct action){at, 0, act_copy, place, 0, creep, (double)until});
}

static void
act_split(struct stage *s, const struct action *a)
{
    cluster_split(&s->cluster, a->a, a->b, a->x, s->now);
}

int
plan_split(struct stage *s, int64_t at, int place, double share)
{
    int upper = new_place(s);

    s->cluster.places[upper].table = -1; /* of none until then */
    plan_act(s, (struct action){at, 0, act_split, place, upper, share, 0});
    return upper;
}

static void
act_merge(struct stage *s, const struct action *a)
{
    cluster_count(&s->cluster, a->a, s->now);
    cluster_count(&s->cluster, a->b, s->now);
    cluster_merge(&s->cluster, a->a, a->b, s->now);
}

void
plan_merge(struct stage *s, int64_t at, int place, int other)
{
    plan_act(s, (struct action){at, 0, act_merge, place, other, 0, 0});
}

static void
act_drop(struct stage *s, const struct action *a)
{
    s->cluster.places[a->a].number = 0;
}

void
plan_drop(struct stage *s, int64_t at, int place)
{
    plan_act(s, (struct action){at, 0, act_drop, place, 0, 0, 0});
}

static void
act_reopen(struct stage *s, const struct action *a)
{
    cluster_count(&s->cluster, a->a, s->now);
    s->cluster.places[a->a].count[ACCESS_WRITE] = 0;
    if (a->b == 0)
        s->cluster.places[a->a].count[ACCESS_READ] = 0;
}

void
plan_reopen(struct stage *s, int64_t at, int place, bool partly)
{
    plan_act(s, (struct action){at, 0, act_reopen, place, partly, 0, 0});
}

static void
act_silence(struct stage *s, const struct action *a)
{
    s->cluster.hosts[a->a].down_until = (int64_t)a->x;
}

void
plan_silence(struct stage *s, int64_t at, int64_t until, int host)
{
    plan_act(s, (struct action){at, 0, act_silence, host, 0, (double)until, 0});
}

static void
act_restart(struct stage *s, const struct action *a)
{
    cluster_restart(&s->cluster, a->a, s->now);
}

void
plan_restart(struct stage *s, int64_t at, int64_t until, int host)
{
    plan_silence(s, at, until, host);
    plan_act(s, (struct action){until, 0, act_restart, host, 0, 0, 0});
}

static void
act_death(struct stage *s, const struct action *a)
{
    struct cluster *c = &s->cluster;

    c->hosts[a->a].dead = true;
    for (int i = 0; i < c->place_count; i++)
        if (c->places[i].host == a->a && c->places[i].number != 0)
            cluster_move(c, i, -1, false, s->now);
}

/* All regions that are on no host. */
static void
act_assign(struct stage *s, const struct action *a)
{
    struct cluster *c = &s->cluster;

    for (int i = 0; i < c->place_count; i++)
        if (c->places[i].host == -1 && c->places[i].number != 0)
            cluster_move(c, i, (a->a + 1 + i % (c->host_count - 1)) % c->host_count,
                         false, s->now);
}

void
plan_death(struct stage *s, int64_t at, int host)
{
    plan_act(s, (struct action){at, 0, act_death, host, 0, 0, 0});
    plan_act(s, (struct action){at + MINUTES(1), 0, act_assign, host, 0, 0, 0});
}

static void
act_empty(struct stage *s, const struct action *a)
{
    s->cluster.hosts[a->a].empty_until = (int64_t)a->x;
}

void
plan_empty(struct stage *s, int64_t at, int64_t until, int host)
{
    plan_act(s, (struct action){at, 0, act_empty, host, 0, (double)until, 0});
}

static void
act_clock_step(struct stage *s, const struct action *a)
{
    s->cluster.wall_step_ms += (int64_t)a->x;
}

void
plan_clock_step(struct stage *s, int64_t at, int64_t by_ms)
{
    plan_act(s, (struct action){at, 0, act_clock_step, 0, 0, (double)by_ms, 0});
}

static void
act_skew(struct stage *s, const struct action *a)
{
    s->cluster.hosts[a->a].skew_ms = (int64_t)a->x;
}

void
plan_skew(struct stage *s, int64_t at, int host, int64_t skew_ms)
{
    plan_act(s, (struct action){at, 0, act_skew, host, 0, (double)skew_ms, 0});
}

static void
act_loss(struct stage *s, const struct action *a)
{
    s->lost = a->x;
    s->delayed = a->y;
}

void
plan_loss(struct stage *s, int64_t at, double lost, double delayed)
{
    plan_act(s, (struct action){at, 0, act_loss, 0, 0, lost, delayed});
}

/* ---- the truth ---- */

static int
new_truth(struct stage *s, enum alert_kind kind, int table, int64_t from, int64_t to)
{
    assert(s->truth_count < TRUTHS_MAX && from < to);
    s->truths[s->truth_count] = (struct truth){
        .kind = kind,
        .table = table,
        .host = -1,
        .from_ms = from,
        .to_ms = to,
        .cause = s->causes++,
        .heat_class = CLASS_COUNT,
    };
    return s->truth_count++;
}

int
truth_region(struct stage *s, int place, int64_t from, int64_t to)
{
    int table = s->cluster.places[place].table;
    bool meta = strcmp(s->cluster.tables[table].name, "hbase:meta") == 0;
    int t = new_truth(s, meta ? ALERT_META : ALERT_REGION, table, from, to);

    truth_also(s, t, place);
    return t;
}

int
plan_hot(struct stage *s, int place, int64_t from, int64_t to, enum access access,
         double rate)
{
    double rates[2] = {s->cluster.places[place].rate[0],
                       s->cluster.places[place].rate[1]};
    int t = truth_region(s, place, from, to);

    rates[access] = rate;
    plan_rate(s, from, place, rates[ACCESS_READ], rates[ACCESS_WRITE]);
    plan_back(s, to, place);
    return t;
}

int
truth_table(struct stage *s, int table, int64_t from, int64_t to)
{
    return new_truth(s, ALERT_TABLE, table, from, to);
}

int
truth_server(struct stage *s, int host, int64_t from, int64_t to)
{
    int t = new_truth(s, ALERT_SERVER, -1, from, to);

    s->truths[t].host = host;
    return t;
}

void
truth_also(struct stage *s, int truth, int place)
{
    struct truth *t = &s->truths[truth];

    assert(t->place_count < TRUTH_PLACES);
    t->places[t->place_count++] = place;
}

void
truth_joins(struct stage *s, int truth, int other)
{
    s->truths[truth].cause = s->truths[other].cause;
}
