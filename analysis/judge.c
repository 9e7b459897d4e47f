/* SPDX-License-Identifier: Apache-2.0 */
/* Scopes and their rules: verdicts about all regions into the findings of episodes.
 * Works on the detector's scratch arrays, which grow to the number of regions once and
 * are kept. The engine's thread only. */
#include "analysis/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge_priv.h"
#include "common/alloc.h"

enum { DAY_MS = 24 * 60 * 60 * 1000 };

/* ---- rules ---- */

/* Region rule: against the scope's distribution of that access. */
static struct verdict
judge_region(const struct judge *p, const struct scope *s, const struct region *region,
             enum access access)
{
    (void)p;
    return distribution_judge(&s->by_access[access], s->rule, access,
                              region->rate[access], region->newest[access], s->floor);
}

/* Single-region rule: against the mean of the cluster's other regions. Without any, and
 * with the absolute limit off, there is nothing to judge by. */
static struct verdict
judge_single(const struct judge *p, const struct scope *s, const struct region *region,
             enum access access)
{
    const struct cluster_view *c = &p->load->cluster;
    bool counted = load_is_peer(p->r, region);
    double rate = region->rate[access];
    double sum = counted ? fmax(0, c->rate[access] - rate) : c->rate[access];
    uint32_t n = c->judged[access] - counted;
    double others = n == 0 ? NAN : sum / n;
    double limit = fmax(s->rule->threshold[access] * others,
                        p->r->config->detection.single_region_min_rate);
    struct verdict v =
        limit_judge(others, limit, s->rule->clear_ratio, rate, region->newest[access]);

    v.hot &= !(n == 0 && limit == 0);
    return v;
}

/* Meta rule: an absolute limit on all requests, since HBase itself scans meta. */
static struct verdict
judge_meta(const struct judge *p, const struct scope *s, const struct region *region,
           enum access access)
{
    double window_s = (double)registry_window_ms(p->r) / 1000.0;
    double limit = fmax(p->r->config->detection.meta_max_rate,
                        2.0 * p->load->cluster.regions / window_s);
    struct verdict v = limit_judge(NAN, limit, s->rule->clear_ratio,
                                   region->rate[access], region->newest[access]);

    if (access != ACCESS_TOTAL) {
        v.hot = false;
        v.cool = true;
    }
    return v;
}

typedef struct verdict judge_fn(const struct judge *, const struct scope *,
                                const struct region *, enum access);

static judge_fn *
rule_for_scope(const struct scope *s)
{
    if (s->is_meta)
        return judge_meta;
    return s->count == 1 ? judge_single : judge_region;
}

/* ---- scopes ---- */

/* Regions idle for a day do not count while at least two others remain for each. */
static void
decide_idle(struct scope *s)
{
    uint32_t busy = 0;

    for (uint32_t i = 0; i < s->count; i++)
        busy += s->entries[i].judged && !s->entries[i].idle;
    s->without_idle = busy >= 3;
}

static void
distribute(struct scope *s, double *rates)
{
    for (int a = 0; a < ACCESS_COUNT; a++) {
        size_t n = 0;
        for (uint32_t i = 0; i < s->count; i++) {
            const struct scope_entry *e = &s->entries[i];
            if (e->judged && !(s->without_idle && e->idle) && !isnan(e->rate[a]))
                rates[n++] = e->rate[a];
        }
        distribution_make(&s->by_access[a], rates, n, s->rule->threshold[a]);
    }
}

static enum alert_kind
kind_of(const struct scope *s)
{
    return s->is_meta ? ALERT_META : ALERT_REGION;
}

/* Of a table that is seen too little nothing can be said but whether the region is
 * still above the limit that was in force before. */
static void
judge_blind(const struct judge *p, const struct scope *s, uint32_t slot)
{
    const struct region *region = &p->r->regions[slot];
    struct episode *e = &p->d->episodes[region->episode];
    enum access access = e->alert.access;

    if (isnan(region->rate[access]))
        return;
    struct verdict v =
        limit_judge(e->alert.baseline, e->alert.limit, s->rule->clear_ratio,
                    region->rate[access], region->newest[access]);
    finding_add(&e->finding, slot, access, &v, region->rate[access],
                region->newest[access]);
    e->finding.blind = true;
    episode_note_member(e, slot, v.cool, p->now.mono_ms);
}

/* All accesses of one region; opens an episode or adds to the one it is in. Returns
 * whether it is hot. */
static bool
judge_open_eyed(const struct judge *p, const struct scope *s, uint32_t slot)
{
    struct region *region = &p->r->regions[slot];
    judge_fn *judge = rule_for_scope(s);
    struct verdict v[ACCESS_COUNT];
    bool hot = false, cool = true;

    for (int a = 0; a < ACCESS_COUNT; a++) {
        if (isnan(region->rate[a]))
            continue;
        v[a] = judge(p, s, region, a);
        hot |= v[a].hot;
        cool &= v[a].cool;
    }
    if (region->episode == NO_INDEX && hot && !s->ignored && !region->waiting)
        detector_open(p->d, p->r, slot, kind_of(s), p->now);
    if (region->episode == NO_INDEX)
        return hot;
    struct episode *e = &p->d->episodes[region->episode];
    episode_note_member(e, slot, cool, p->now.mono_ms);
    for (int a = 0; a < ACCESS_COUNT; a++)
        if (!isnan(region->rate[a]))
            finding_add(&e->finding, slot, a, &v[a], region->rate[a],
                        region->newest[a]);
    return hot;
}

static void
judge_one(const struct judge *p, struct scope *s, struct scope_entry *entry)
{
    const struct region *region = &p->r->regions[entry->slot];
    bool hot = false;

    if (!s->blind)
        hot = judge_open_eyed(p, s, entry->slot);
    else if (region->episode != NO_INDEX)
        judge_blind(p, s, entry->slot);
    if (region->episode == NO_INDEX) {
        if (hot) /* waits to be told whose heir it is */
            judge_excuse(p, entry, false);
        s->alerting |= hot;
        return;
    }
    struct episode *e = &p->d->episodes[region->episode];
    s->alerting = true;
    judge_excuse(p, entry, e->alert.state == ALERT_FIRING);
    e->finding.regions = s->count;
    e->finding.regions_fresh = s->judged;
    e->finding.effective_regions[ACCESS_TOTAL] =
        distribution_effective(&s->by_access[ACCESS_TOTAL]);
    memcpy(e->finding.rate, s->view->rate, sizeof(e->finding.rate));
}

/* A look at the rates tells of most that there is nothing to judge. */
static bool
needs_judging(const struct scope *s, const struct scope_entry *e)
{
    bool among_first = false;

    if (!e->judged || e->followed)
        return e->judged;
    if (rule_for_scope(s) != judge_region || s->rule->baseline != BASELINE_REST)
        return true;
    for (int a = 0; a < ACCESS_COUNT; a++)
        among_first |= e->rate[a] >= s->by_access[a].top_floor;
    return among_first;
}

static void
judge_scope(const struct judge *p, uint32_t table, struct scope_entry *entries,
            uint32_t count, bool primaries)
{
    const struct table *t = &p->r->tables[table];
    struct scope s = {
        .rule = t->rule,
        .ignored = t->ignored,
        .is_meta = t->is_meta,
        .entries = entries,
        .count = count,
        .floor = t->rule->min_server_share * p->load->cluster.mean_server_rate,
        .view = &p->load->tables[table],
    };

    for (uint32_t i = 0; i < count; i++)
        s.judged += entries[i].judged;
    s.blind = !s.is_meta && (s.judged * 2 < count || (s.judged < 2 && count > 1));
    decide_idle(&s);
    distribute(&s, p->d->scratch);
    if (primaries)
        p->load->tables[table].total = s.by_access[ACCESS_TOTAL];
    for (uint32_t i = 0; i < count; i++) {
        s.alerting |= entries[i].followed;
        if (needs_judging(&s, &entries[i]))
            judge_one(p, &s, &entries[i]);
    }
    if (s.ignored || s.is_meta)
        judge_excuse_scope(p, &s, false);
    if (primaries)
        judge_table_rule(p, &s, table);
}

static int
by_replica(const void *a, const void *b)
{
    const struct scope_entry *x = a, *y = b;

    if (x->replica != y->replica)
        return x->replica < y->replica ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

/* Each replica number of a table is a scope of its own: replicas are not others. */
static void
judge_table(const struct judge *p, uint32_t table, struct scope_entry *entries,
            uint32_t count)
{
    bool replicas = false;

    for (uint32_t i = 1; i < count; i++)
        replicas |= entries[i].replica != entries[0].replica;
    if (replicas)
        qsort(entries, count, sizeof(*entries), by_replica);
    for (uint32_t i = 0, n; i < count; i += n) {
        n = 1;
        while (i + n < count && entries[i + n].replica == entries[i].replica)
            n++;
        judge_scope(p, table, entries + i, n, i == 0);
    }
}

static struct scope_entry
make_entry(const struct region *region, uint32_t slot, int64_t now)
{
    struct scope_entry e = {
        .slot = slot,
        .replica = region->replica,
        .judged = region_is_judged(region),
        .idle = now - region->traffic_mono_ms >= DAY_MS,
        .followed = region->episode != NO_INDEX,
    };

    memcpy(e.rate, region->rate, sizeof(e.rate));
    return e;
}

/* Counting sort of the regions by table: one walk over the large structs, so that all
 * that follows works on small ones. */
static void
group_by_table(const struct judge *p)
{
    struct detector *d = p->d;
    const struct registry *r = p->r;

    xgrow(&d->entries, &d->entry_cap, r->region_slots + 1, sizeof(*d->entries));
    xgrow(&d->scratch, &d->scratch_cap, r->region_slots + 1, sizeof(*d->scratch));
    xgrow(&d->begin, &d->begin_cap, r->table_slots + 2, sizeof(*d->begin));
    memset(d->begin, 0, (r->table_slots + 2) * sizeof(*d->begin));
    for (uint32_t i = 0; i < r->table_slots; i++)
        d->begin[i + 2] = d->begin[i + 1] + p->load->tables[i].known;
    for (uint32_t i = 0; i < r->region_slots; i++) {
        const struct region *region = &r->regions[i];
        if (region->facts != NULL && !region->split)
            d->entries[d->begin[region->table + 1]++] =
                make_entry(region, i, p->now.mono_ms);
    }
}

void
judge_tables(struct detector *d, struct registry *r, struct load *load,
             struct moment now)
{
    struct judge j = {d, r, load, now};

    group_by_table(&j);
    d->entry_count = load->cluster.regions;
    for (uint32_t t = 0; t < r->table_slots; t++)
        if (r->tables[t].facts != NULL && load->tables[t].known > 0)
            judge_table(&j, t, d->entries + d->begin[t], load->tables[t].known);
}
