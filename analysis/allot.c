/* SPDX-License-Identifier: Apache-2.0 */
/* Places go to the hottest and are kept until their alert ends. What is due but beyond
 * max_alerts_per_table is told by one alert about its table, which takes one of the
 * max_alerts; what is beyond these, by one alert about the cluster, which takes none.
 * Both fire at once, since what they tell of was hot for long enough. */
#include "analysis/allot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge.h"
#include "common/alloc.h"

/* ---- who is due ---- */

static void
count_alerts(struct allotment *a)
{
    struct detector *d = a->d;

    xgrow(&d->places, &d->places_cap, a->r->table_slots + 1, sizeof(*d->places));
    memset(d->places, 0, (a->r->table_slots + 1) * sizeof(*d->places));
    a->firing = 0;
    for (uint32_t i = 0; i < d->episode_slots; i++) {
        const struct episode *e = &d->episodes[i];
        if (!e->used || e->alert.state == ALERT_RESOLVED || i == d->cluster_episode)
            continue;
        bool fires = e->alert.state == ALERT_FIRING;
        a->firing += fires;
        if (!episode_has_members(e))
            continue;
        d->places[e->table].firing += fires;
        d->places[e->table].pending += !fires;
    }
}

/* meta first, then the hottest. */
static int
by_heat(const void *x, const void *y, void *detector)
{
    const struct detector *d = detector;
    const struct episode *a = &d->episodes[*(const uint32_t *)x];
    const struct episode *b = &d->episodes[*(const uint32_t *)y];

    if ((a->alert.kind == ALERT_META) != (b->alert.kind == ALERT_META))
        return a->alert.kind == ALERT_META ? -1 : 1;
    return episode_order(a, b);
}

/* The pending episodes that are due: those of regions, or the others. */
static uint32_t
collect_due(struct detector *d, bool regions)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->episode_slots; i++) {
        const struct episode *e = &d->episodes[i];
        if (!e->used || e->alert.state != ALERT_PENDING || !e->wants_to_fire ||
            episode_has_members(e) != regions || i == d->cluster_episode)
            continue;
        xgrow(&d->due, &d->due_cap, n + 1, sizeof(*d->due));
        d->due[n++] = i;
    }
    if (n > 1)
        qsort_r(d->due, n, sizeof(*d->due), by_heat, d);
    return n;
}

static bool
has_place(const struct allotment *a)
{
    return a->firing < a->r->config->detection.max_alerts;
}

static void
leave_over(struct allotment *a, const struct episode *e, uint32_t count)
{
    const struct finding *f = &e->finding;

    a->left_over += count;
    if (!isnan(e->alert.ratio))
        a->left_over_ratio = fmax(a->left_over_ratio, e->alert.ratio);
    if (episode_has_members(e) && f->hot)
        hottest_offer(&a->left_over_top, f->best[e->alert.access].region,
                      e->alert.rate[ACCESS_TOTAL]);
    for (uint32_t i = 0; i < f->top.count; i++)
        hottest_offer(&a->left_over_top, f->top.region[i], f->top.rate[i]);
}

/* ---- what does not fit into a table's places ---- */

static void
overflow_table(struct allotment *a, uint32_t region_episode)
{
    struct detector *d = a->d;
    uint32_t table = d->episodes[region_episode].table;

    d->places[table].overflow++;
    d->places[table].hot += d->episodes[region_episode].finding.hot;
    if (a->r->tables[table].episode == NO_INDEX)
        detector_open_table(d, a->r, table, a->now);
    struct episode *e = &d->episodes[a->r->tables[table].episode];
    const struct episode *left = &d->episodes[region_episode];
    if (!e->alert
             .overflow) /* what else was found of the table is told by its regions */
        e->finding.top.count = 0;
    e->alert.overflow = true;
    e->alert.access = ACCESS_TOTAL;
    if (d->places[table].overflow == 1)
        e->alert.ratio = left->alert.ratio; /* the highest: they come by heat */
    if (left->finding.hot)
        hottest_offer(&e->finding.top, left->finding.best[left->alert.access].region,
                      left->alert.rate[ACCESS_TOTAL]);
}

/* Replaces the finding by the verdict on the overflow. */
static void
judge_overflow(struct episode *e, uint32_t count, uint32_t hot, double ratio)
{
    struct finding *f = &e->finding;
    struct verdict v = {.hot = count > 0,
                        .cool = count == 0,
                        .baseline = NAN,
                        .ratio = ratio,
                        .limit = NAN};

    f->hot_regions = hot;
    f->hot = false;
    f->cool = true;
    memset(f->best, 0, sizeof(f->best));
    finding_add(f, NO_INDEX, ACCESS_TOTAL, &v, f->rate[ACCESS_TOTAL],
                f->newest[ACCESS_TOTAL]);
}

/* A table too little of which is seen may still have them. */
static void
settle_table(struct allotment *a, uint32_t table)
{
    uint32_t i = a->r->tables[table].episode;
    const struct table_places *places = &a->d->places[table];

    if (i == NO_INDEX)
        return;
    struct episode *e = &a->d->episodes[i];
    if (!e->alert.overflow) {
        if (places->firing > 0)
            detector_end(a->d, i, END_MERGED, a->now);
        return;
    }
    judge_describe_table(a->r, a->load, table, &e->finding);
    if (e->finding.judged || places->overflow > 0)
        judge_overflow(e, places->overflow, places->hot, e->alert.ratio);
}

void
allot_regions(struct allotment *a)
{
    struct detector *d = a->d;

    count_alerts(a);
    d->suppressed = 0;
    for (uint32_t i = 0, due = collect_due(d, true); i < due; i++) {
        struct episode *e = &d->episodes[d->due[i]];
        struct table_places *places = &d->places[e->table];
        bool table_full =
            places->firing >= a->r->tables[e->table].rule->max_alerts_per_table;
        if (!table_full && has_place(a)) {
            if (!e->finding.hot)
                continue;
            detector_fire(d, d->due[i], a->now, a->counters);
            places->firing++;
            places->pending--;
            a->firing++;
            continue;
        }
        d->suppressed++;
        e->left_over = true;
        if (table_full)
            overflow_table(a, d->due[i]);
        else
            leave_over(a, e, 1);
    }
    for (uint32_t t = 0; t < a->r->table_slots; t++)
        if (a->r->tables[t].facts != NULL)
            settle_table(a, t);
}

/* ---- what does not fit at all ---- */

/* A table's own alert waits while a region of it may become one. */
static bool
waits_for_region(const struct allotment *a, const struct episode *e)
{
    return e->alert.kind == ALERT_TABLE && !e->alert.overflow &&
           a->d->places[e->table].pending + a->d->places[e->table].firing > 0;
}

static void
describe_cluster(const struct allotment *a, struct finding *f)
{
    const struct cluster_view *c = &a->load->cluster;

    f->regions = c->regions;
    f->regions_fresh = c->fresh;
    f->last_sample_ms = a->now.wall_ms;
    f->top = a->left_over_top;
    for (int i = 0; i < ACCESS_COUNT; i++) {
        f->rate[i] = c->rate[i];
        f->newest[i] = NAN;
        f->effective_regions[i] = NAN;
    }
}

static void
settle_cluster(struct allotment *a)
{
    struct detector *d = a->d;
    const struct cluster_view *c = &a->load->cluster;

    if (d->cluster_episode == NO_INDEX && a->left_over > 0)
        detector_open_cluster(d, a->r, a->now);
    if (d->cluster_episode == NO_INDEX)
        return;
    struct episode *e = &d->episodes[d->cluster_episode];
    if (e->alert.state == ALERT_RESOLVED) /* by a new configuration */
        return;
    describe_cluster(a, &e->finding);
    if (c->fresh * 2 >= c->regions || a->left_over > 0)
        judge_overflow(e, a->left_over, a->left_over,
                       a->left_over > 0 ? a->left_over_ratio : e->alert.ratio);
    detector_step(d, a->r, d->cluster_episode, a->now);
    if (e->wants_to_fire)
        detector_fire(d, d->cluster_episode, a->now, a->counters);
}

void
allot_others(struct allotment *a)
{
    struct detector *d = a->d;

    for (uint32_t i = 0, due = collect_due(d, false); i < due; i++) {
        struct episode *e = &d->episodes[d->due[i]];
        if (waits_for_region(a, e))
            continue;
        if (has_place(a)) {
            detector_fire(d, d->due[i], a->now, a->counters);
            a->firing++;
            continue;
        }
        d->suppressed += !e->alert.overflow; /* else counted by region */
        leave_over(a, e, e->alert.overflow ? e->finding.hot_regions : 1);
    }
    settle_cluster(a);
}
