/* SPDX-License-Identifier: Apache-2.0 */
/* Fills alerts. A region's is about its hottest member; a table's and a server's name
 * their hottest regions. */
#include "analysis/evidence.h"

#include <math.h>
#include <string.h>

/* ---- where ---- */

static void
set_server(struct alert *a, const struct registry *r, uint32_t slot)
{
    const struct server *s = &r->servers[slot];

    server_facts_unref(a->server);
    a->server = server_facts_ref(s->facts);
    memcpy(a->server_signals, s->signals, sizeof(a->server_signals));
    memcpy(a->server_signal_rates, s->signal_rates, sizeof(a->server_signal_rates));
    a->server_cache_hit_ratio = s->cache_hit_ratio;
    a->server_memstore_limit_bytes = s->memstore_limit_bytes;
    a->handlers = s->handlers;
    a->diagnoses = s->diagnoses;
}

/* On no server now. */
static void
forget_server(struct alert *a)
{
    a->handlers = 0;
    a->diagnoses = 0;
    a->server_cache_hit_ratio = NAN;
    a->server_memstore_limit_bytes = -1;
    for (int i = 0; i < SIGNAL_COUNT; i++)
        a->server_signals[i] = a->server_signal_rates[i] = NAN;
}

static void
set_region(struct alert *a, const struct registry *r, uint32_t slot)
{
    const struct region *region = &r->regions[slot];

    region_facts_unref(a->region);
    a->region = region_facts_ref(region->facts);
    a->last_sample_ms = region->sampled_wall_ms;
    a->server = server_facts_unref(a->server);
    forget_server(a);
    if (region->server != NO_INDEX)
        set_server(a, r, region->server);
}

void
evidence_renew_place(struct episode *e, const struct registry *r)
{
    struct alert *a = &e->alert;

    if (a->kind == ALERT_SERVER && e->server != NO_INDEX)
        set_server(a, r, e->server);
    for (uint32_t i = 0; i < a->member_count; i++) {
        const struct region *region = &r->regions[e->members[i].region];
        if (region_id_equal(region->facts->id, a->region->id) &&
            region->server != NO_INDEX)
            set_region(a, r, e->members[i].region);
    }
}

void
evidence_mark_stale(struct episode *e, const struct registry *r)
{
    int64_t last = episode_last_news(e, r);

    for (uint32_t i = 0; i < e->alert.member_count; i++) {
        if (r->regions[e->members[i].region].sampled_mono_ms != last)
            continue;
        set_region(&e->alert, r, e->members[i].region);
        break;
    }
    e->alert.stale = true;
}

/* ---- what ---- */

/* What part of its server's load a judged region is. */
static double
server_share(const struct registry *r, const struct region *region)
{
    if (region->server == NO_INDEX)
        return NAN;
    double all = r->servers[region->server].rate[ACCESS_TOTAL];
    return all > 0 ? region->rate[ACCESS_TOTAL] / all : NAN;
}

static void
renew_region(struct episode *e, const struct registry *r)
{
    struct alert *a = &e->alert;
    const struct finding *f = &e->finding;
    const struct finding_entry *best = &f->best[a->access];
    const struct region *region = &r->regions[best->region];

    set_region(a, r, best->region);
    for (int i = 0; i < ACCESS_COUNT; i++) {
        a->rate[i] = region->rate[i];
        a->newest_rate[i] = region->newest[i];
    }
    a->share = load_ratio(best->rate, f->rate[a->access]);
    a->server_share = server_share(r, region);
    a->effective_regions = f->effective_regions[ACCESS_TOTAL];
}

static void
renew_top(struct episode *e, const struct registry *r)
{
    struct alert *a = &e->alert;
    const struct finding *f = &e->finding;

    alert_clear_top(a);
    for (uint32_t i = 0; i < f->top.count; i++) {
        const struct region *region = &r->regions[f->top.region[i]];
        a->top[i] = (struct top_region){
            .region = region_facts_ref(region->facts),
            .table = table_facts_ref(r->tables[region->table].facts),
            .server = region->server == NO_INDEX
                          ? NULL
                          : server_facts_ref(r->servers[region->server].facts),
            .rate = f->top.rate[i],
            .share = load_ratio(f->top.rate[i], f->rate[ACCESS_TOTAL]),
        };
    }
    a->top_count = f->top.count;
}

/* A table, a server or the cluster: the figures are its own. */
static void
renew_whole(struct episode *e, const struct registry *r)
{
    struct alert *a = &e->alert;
    const struct finding *f = &e->finding;

    memcpy(a->rate, f->rate, sizeof(a->rate));
    memcpy(a->newest_rate, f->newest, sizeof(a->newest_rate));
    a->share = f->share;
    a->server_share = NAN;
    a->effective_regions = f->effective_regions[a->access];
    a->hot_regions = f->hot_regions;
    a->regions = f->regions;
    a->last_sample_ms = f->last_sample_ms;
    if (e->server != NO_INDEX)
        set_server(a, r, e->server);
    renew_top(e, r);
}

/* The absolute limit that the rule in force has. */
static double
minimum_rate(const struct alert *a, const struct detection_config *d,
             const struct rule *rule)
{
    switch (a->kind) {
    case ALERT_REGION:
        return a->regions_in_table == 1 ? d->single_region_min_rate
                                        : rule->min_rate[a->access];
    case ALERT_META:
        return d->meta_max_rate;
    case ALERT_SERVER:
        return d->server_min_rate;
    case ALERT_TABLE:
    case ALERT_KIND_COUNT:
        break;
    }
    return d->table_min_rate;
}

void
evidence_renew(struct episode *e, const struct registry *r)
{
    struct alert *a = &e->alert;
    const struct finding *f = &e->finding;
    const struct rule *rule = episode_rule(e, r);

    if (a->state == ALERT_PENDING)
        a->access = finding_hottest_access(f);
    const struct finding_entry *best = &f->best[a->access];
    if (!best->judged)
        return;
    a->baseline = best->verdict.baseline;
    a->baseline_kind = rule->baseline;
    a->ratio = best->verdict.ratio;
    a->limit = best->verdict.limit;
    a->threshold = rule->threshold[a->access];
    a->regions_in_table = f->regions;
    a->regions_fresh = f->regions_fresh;
    const struct detection_config *d = &r->config->detection;
    a->min_rate = minimum_rate(a, d, rule);
    if (episode_has_members(e)) {
        renew_region(e, r);
        return;
    }
    if (a->kind == ALERT_SERVER)
        a->threshold = d->server_threshold;
    renew_whole(e, r);
}
