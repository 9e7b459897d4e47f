/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/scenarios/truth.h"

#include <math.h>

bool
truth_lasts(const struct truth *t, int64_t now)
{
    return now >= t->from_ms && now < t->to_ms;
}

/* All that is planted now, and who is called hot. */
struct view {
    const struct stage *s;
    bool hot[PLACES_MAX];
    /* By access; cool: without the hot. */
    double host_cool[ACCESS_COUNT][HOSTS_MAX];
    double all;
    int regions, live_hosts;
};

static double
rate_of(const struct view *v, int place, enum access access)
{
    const struct cluster *c = &v->s->cluster;

    if (access != ACCESS_TOTAL)
        return cluster_rate(c, place, access, v->s->now);
    return cluster_rate(c, place, ACCESS_READ, v->s->now) +
           cluster_rate(c, place, ACCESS_WRITE, v->s->now);
}

static void
see_hot(struct view *v)
{
    for (int i = 0; i < v->s->truth_count; i++) {
        const struct truth *t = &v->s->truths[i];
        for (int j = 0; j < t->place_count && truth_lasts(t, v->s->now); j++)
            v->hot[t->places[j]] = true;
    }
}

static void
see(struct view *v)
{
    const struct cluster *c = &v->s->cluster;

    see_hot(v);
    for (int i = 0; i < c->place_count; i++) {
        const struct place *p = &c->places[i];
        if (p->number == 0)
            continue;
        double rate = rate_of(v, i, ACCESS_TOTAL);
        v->all += rate;
        v->regions++;
        if (p->host < 0)
            continue;
        for (int a = 0; a < ACCESS_COUNT; a++) {
            v->host_cool[a][p->host] += v->hot[i] ? 0 : rate_of(v, i, a);
        }
    }
    for (int i = 0; i < c->host_count; i++)
        v->live_hosts += !c->hosts[i].dead;
}

/* A part of a table that has been without load for a day tells nothing of the others.
 */
static bool
counts(const struct view *v, const struct place *p, const struct place *of)
{
    return p->number != 0 && p->table == of->table && p->replica == of->replica &&
           v->s->now - p->busy_ms < HOURS(24);
}

/* What the table's other keys get, region for region. */
static double
mean_of_others(const struct view *v, int place, enum access access, int *ret_count)
{
    const struct cluster *c = &v->s->cluster;
    double sum = 0;
    int n = 0, known = 0;

    for (int i = 0; i < c->place_count; i++) {
        const struct place *p = &c->places[i];
        known += p->number != 0 && p->table == c->places[place].table;
        if (i == place || v->hot[i] || !counts(v, p, &c->places[place]))
            continue;
        sum += rate_of(v, i, access);
        n++;
    }
    *ret_count = known;
    return n == 0 ? 0 : sum / n;
}

static double
place_factor(const struct view *v, int place)
{
    double share = STATED_SERVER_SHARE * v->all / v->live_hosts, most = 0;
    int regions;

    for (int a = 0; a < ACCESS_COUNT; a++) {
        double others = mean_of_others(v, place, a, &regions);
        double limit = fmax(STATED_THRESHOLD * others, fmax(STATED_MIN_RATE, share));
        double rate = rate_of(v, place, a);
        if (regions == 1)
            limit = fmax(STATED_SINGLE_RATE,
                         STATED_THRESHOLD * (v->all - rate) / (v->regions - 1));
        most = fmax(most, rate / limit);
    }
    return most;
}

static double
table_factor(const struct view *v, int table)
{
    const struct cluster *c = &v->s->cluster;
    double sum = 0, squares = 0, n = 0;

    for (int i = 0; i < c->place_count; i++) {
        if (c->places[i].number == 0 || c->places[i].table != table)
            continue;
        double rate = rate_of(v, i, ACCESS_TOTAL);
        sum += rate;
        squares += rate * rate;
        n++;
    }
    if (squares == 0)
        return 0;
    double effective = sum * sum / squares;
    return fmin(fmin(n, v->live_hosts) / STATED_THRESHOLD / effective,
                sum / STATED_TABLE_RATE);
}

static double
server_factor(const struct view *v, int host)
{
    double share = STATED_SERVER_SHARE * v->all / v->live_hosts, most = 0;

    for (int a = 0; a < ACCESS_COUNT; a++) {
        double others = 0;
        for (int i = 0; i < v->s->cluster.host_count; i++)
            others += i == host ? 0 : v->host_cool[a][i];
        others /= v->live_hosts - 1;
        double limit =
            fmax(STATED_SERVER_THRESHOLD * others, fmax(STATED_SERVER_RATE, share));
        most = fmax(most, v->host_cool[a][host] / limit);
    }
    return most;
}

static double
factor_of(const struct view *v, const struct truth *t)
{
    double most = 0;

    if (t->kind == ALERT_TABLE)
        return table_factor(v, t->table);
    if (t->kind == ALERT_SERVER)
        return server_factor(v, t->host);
    for (int i = 0; i < t->place_count; i++) {
        int place = t->places[i];
        if (v->s->cluster.places[place].number == 0)
            continue;
        most = fmax(most, t->kind == ALERT_META
                              ? rate_of(v, place, ACCESS_TOTAL) /
                                    fmax(STATED_META_RATE,
                                         2000.0 * v->regions / STATED_WINDOW_MS)
                              : place_factor(v, place));
    }
    return most;
}

void
truth_measure(struct stage *s)
{
    struct view v = {.s = s};
    bool any = false;

    for (int i = 0; i < s->truth_count; i++)
        any |= truth_lasts(&s->truths[i], s->now);
    if (!any)
        return;
    see(&v);
    for (int i = 0; i < s->truth_count; i++) {
        struct truth *t = &s->truths[i];
        if (!truth_lasts(t, s->now))
            continue;
        t->factor_sum += factor_of(&v, t);
        t->factor_count++;
    }
}

double
truth_server_factor(const struct stage *s, int host)
{
    struct view v = {.s = s};

    see(&v);
    return server_factor(&v, host);
}

double
truth_factor(const struct truth *t)
{
    return t->factor_count == 0 ? 0 : t->factor_sum / t->factor_count;
}

bool
truth_is_wanted(const struct truth *t, int64_t interval_ms)
{
    return truth_factor(t) >= 1.25 &&
           t->to_ms - t->from_ms >= STATED_FOR_MS + STATED_WINDOW_MS + 2 * interval_ms;
}
