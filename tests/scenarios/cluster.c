/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/scenarios/cluster.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void
begin_counters(struct cluster *c, struct place *p, bool carried, int64_t now)
{
    for (int a = 0; a < 2; a++)
        p->count[a] = carried && c->carried > 0
                          ? floor(dice_between(&c->dice, 0, c->carried))
                          : 0;
    p->gets = p->scans = 0;
    p->counted_ms = now;
}

void
cluster_open(struct cluster *c, int place, int host, int64_t now)
{
    struct place *p = &c->places[place];

    assert(c->numbers + 1 < NUMBERS_MAX);
    p->number = ++c->numbers;
    p->host = host;
    p->visited = host < 0 ? 0 : 1u << host;
    p->left_host = -1;
    c->place_of[p->number] = place;
    begin_counters(c, p, true, now);
}

double
cluster_rate(const struct cluster *c, int place, int a, int64_t now)
{
    const struct place *p = &c->places[place];
    const struct table *t = &c->tables[p->table];

    if (t->swing == 0 || p->rate[a] == 0)
        return p->rate[a];
    double turn = (double)now / (double)t->period_ms + t->phase;
    return p->rate[a] * (1 + t->swing * sin(2 * M_PI * turn));
}

void
cluster_count(struct cluster *c, int place, int64_t now)
{
    struct place *p = &c->places[place];
    double seconds = (double)(now - p->counted_ms) / 1000;
    int64_t middle = p->counted_ms + (now - p->counted_ms) / 2;

    p->counted_ms = now;
    if (p->host < 0 || p->number == 0 || seconds <= 0)
        return;
    for (int a = 0; a < 2; a++) {
        double mean = cluster_rate(c, place, a, middle) * seconds;
        if (mean <= 0)
            continue;
        double spread = sqrt(mean) * dice_normal(&c->dice) +
                        c->jitter * mean * dice_normal(&c->dice);
        double more = floor(fmax(0, mean + spread) + dice_unit(&c->dice));
        p->count[a] += more;
        p->busy_ms = now;
        if (a == ACCESS_READ && p->rows_per_call > 1)
            p->scans += more / p->rows_per_call;
        else if (a == ACCESS_READ)
            p->gets += more;
    }
}

void
cluster_count_host(struct cluster *c, int host, int64_t now)
{
    for (int i = 0; i < c->place_count; i++)
        if (c->places[i].host == host && c->places[i].number != 0)
            cluster_count(c, i, now);
}

static void
arrive(struct cluster *c, struct place *p, int host, bool keep, int64_t now)
{
    const double left[2] = {p->left_count[0], p->left_count[1]};
    bool back = keep && host >= 0 && host == p->left_host;

    if (p->host >= 0) {
        p->left_host = p->host;
        memcpy(p->left_count, p->count, sizeof(p->left_count));
    }
    p->host = host;
    if (back)
        memcpy(p->count, left, sizeof(left));
    else if (!keep && host >= 0)
        begin_counters(c, p, !(p->visited & 1u << host), now);
    if (host >= 0)
        p->visited |= 1u << host;
    p->counted_ms = now;
}

void
cluster_move(struct cluster *c, int place, int host, bool keep, int64_t now)
{
    struct place *p = &c->places[place];

    cluster_count(c, place, now);
    arrive(c, p, host, keep, now);

    for (int i = 0; i < c->copy_count; i++)
        if (c->copies[i].place == place && c->copies[i].host == host)
            c->copies[i].until_ms = now; /* opened there: the copy is no more */
}

void
cluster_leave_copy(struct cluster *c, int place, double creep, int64_t until_ms,
                   int64_t now)
{
    struct place *p = &c->places[place];

    cluster_count(c, place, now);
    assert(c->copy_count < COPIES_MAX);
    c->copies[c->copy_count++] = (struct copy){
        .place = place,
        .host = p->host,
        .number = p->number,
        .count = {p->count[0], p->count[1]},
        .creep = creep,
        .since_ms = now,
        .until_ms = until_ms,
    };
}

void
cluster_split(struct cluster *c, int place, int upper, double share, int64_t now)
{
    struct place *p = &c->places[place], *u = &c->places[upper];

    assert(p->end - p->start >= 2);
    cluster_count(c, place, now);
    struct place parent = *p;
    *u = parent;
    u->start = p->end = parent.start + (parent.end - parent.start) / 2;
    u->size_bytes = p->size_bytes = parent.size_bytes / 2;
    for (int a = 0; a < 2; a++) {
        u->rate[a] = parent.rate[a] * share;
        p->rate[a] = parent.rate[a] - u->rate[a];
    }
    cluster_open(c, place, parent.host, now);
    cluster_open(c, upper, parent.host, now);
    for (int a = 0; a < 2 && c->half_counts != 0; a++)
        p->count[a] = u->count[a] = floor(parent.count[a] / 2);
}

void
cluster_merge(struct cluster *c, int place, int other, int64_t now)
{
    struct place *p = &c->places[place], *o = &c->places[other];

    assert(p->end == o->start && p->table == o->table);
    p->end = o->end;
    p->size_bytes += o->size_bytes;
    for (int a = 0; a < 2; a++)
        p->rate[a] += o->rate[a];
    o->number = 0;
    cluster_open(c, place, p->host, now);
}

void
cluster_restart(struct cluster *c, int host, int64_t now)
{
    c->hosts[host].start_code += 1000 + now;
    c->hosts[host].dead = false;
    for (int i = 0; i < c->place_count; i++)
        if (c->places[i].host == host && c->places[i].number != 0)
            begin_counters(c, &c->places[i], true, now);
    for (int i = 0; i < c->copy_count; i++)
        if (c->copies[i].host == host)
            c->copies[i].until_ms = now;
}
