/* SPDX-License-Identifier: Apache-2.0 */
/* The state machine of an episode and its evidence.
 *
 *            hot for `for`            cool for `clear_for`
 *   pending ──────────────▶ firing ──────────────────────▶ resolved
 *      │ not hot               │ nothing heard for HOLD_MS      ▲
 *      ▼                       └────────────────────────────────┘
 *   (forgotten)
 */
#include "analysis/episode.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

/* Evaluations are aligned to ticks; this much early still counts as full time. */
static int64_t
slack_ms(const struct registry *r)
{
    return r->config->poll.interval_ms / 10;
}

static const struct rule *
rule_of(const struct episode *e, const struct registry *r)
{
    return r->tables[e->table].rule;
}

/* ---- findings ---- */

void
finding_reset(struct finding *f)
{
    *f = (struct finding){.cool = true};
    for (int a = 0; a < ACCESS_COUNT; a++)
        f->best[a].region = NO_INDEX;
}

void
finding_add(struct finding *f, uint32_t region, enum access access,
            const struct verdict *v, double rate, double newest)
{
    struct finding_entry *best = &f->best[access];

    f->judged = true;
    f->hot |= v->hot;
    f->cool &= v->cool;
    if (best->region == NO_INDEX || rate > best->rate)
        *best = (struct finding_entry){region, rate, newest, *v};
}

/* Hot before not, then the higher ratio, then the higher rate. */
static bool
entry_hotter(const struct finding_entry *a, const struct finding_entry *b)
{
    if (a->verdict.hot != b->verdict.hot)
        return a->verdict.hot;
    if (a->verdict.ratio != b->verdict.ratio)
        return a->verdict.ratio > b->verdict.ratio || isnan(b->verdict.ratio);
    return a->rate > b->rate;
}

/* The access that says most: the total only where it beats both of its parts in ratio.
 */
static enum access
hottest_access(const struct finding *f)
{
    enum access best = ACCESS_TOTAL;

    if (f->best[ACCESS_READ].region != NO_INDEX)
        best = ACCESS_READ;
    if (f->best[ACCESS_WRITE].region != NO_INDEX &&
        (best != ACCESS_READ ||
         entry_hotter(&f->best[ACCESS_WRITE], &f->best[ACCESS_READ])))
        best = ACCESS_WRITE;
    const struct finding_entry *total = &f->best[ACCESS_TOTAL];
    const struct verdict *v = &f->best[best].verdict;
    if (total->region != NO_INDEX &&
        ((total->verdict.hot && !v->hot) ||
         (total->verdict.hot == v->hot && total->verdict.ratio > v->ratio)))
        best = ACCESS_TOTAL;
    return best;
}

/* ---- members ---- */

static void
set_facts(struct episode *e, const struct registry *r, uint32_t i)
{
    e->alert.members[i] = region_facts_ref(r->regions[e->members[i]].facts);
}

static bool
same_labels(const struct label_list *a, const struct label_list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->items[i].name, b->items[i].name) != 0 ||
            strcmp(a->items[i].value, b->items[i].value) != 0)
            return false;
    return true;
}

/* meta is critical unless a `tables:` entry is about it. */
static enum severity
severity_of(enum alert_kind kind, const struct registry *r, const struct rule *rule)
{
    bool plain = rule == &r->config->detection.rule;

    return kind == ALERT_META && plain ? SEVERITY_CRITICAL : rule->severity;
}

bool
episode_fits_rule(const struct episode *e, const struct registry *r)
{
    const struct rule *rule = rule_of(e, r);

    return e->alert.severity == severity_of(e->alert.kind, r, rule) &&
           same_labels(&e->alert.labels, &rule->labels);
}

void
episode_take_rule(struct episode *e, const struct registry *r)
{
    const struct rule *rule = rule_of(e, r);

    label_list_finish(&e->alert.labels);
    label_list_copy(&e->alert.labels, &rule->labels);
    e->alert.severity = severity_of(e->alert.kind, r, rule);
}

void
episode_set_table(struct episode *e, const struct registry *r, uint32_t table)
{
    e->table = table;
    if (e->alert.state != ALERT_PENDING)
        return;
    table_facts_unref(e->alert.table);
    e->alert.table = table_facts_ref(r->tables[table].facts);
    episode_take_rule(e, r);
}

void
episode_begin(struct episode *e, const struct registry *r, uint32_t region,
              enum alert_kind kind, struct moment now)
{
    const struct region *first = &r->regions[region];

    *e = (struct episode){
        .used = true,
        .table = first->table,
        .active_mono_ms = now.mono_ms,
        .hot_since_ms = now.mono_ms,
        .judged_mono_ms = now.mono_ms,
        .cool_since_ms = NEVER,
        .unknown_since_ms = NEVER,
    };
    e->alert.kind = kind;
    e->alert.state = ALERT_PENDING;
    episode_take_rule(e, r);
    e->alert.origin = first->facts->id;
    e->alert.table = table_facts_ref(r->tables[first->table].facts);
    e->alert.active_at_ms = e->alert.hot_since_ms = now.wall_ms;
    e->alert.starts_at_ms = e->alert.resolved_at_ms = NEVER;
    e->alert.region = region_facts_ref(first->facts);
    finding_reset(&e->finding);
    episode_add_member(e, r, region);
}

void
episode_finish(struct episode *e)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++)
        server_facts_unref(e->hosts[i]);
    alert_finish(&e->alert);
    *e = (struct episode){0};
}

bool
episode_add_member(struct episode *e, const struct registry *r, uint32_t region)
{
    uint32_t i = e->alert.member_count;

    if (i == ALERT_MEMBERS_MAX)
        return false;
    e->members[i] = region;
    e->hosts[i] = NULL;
    set_facts(e, r, i);
    e->alert.member_count++;
    return true;
}

void
episode_remove_member(struct episode *e, uint32_t region)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++) {
        if (e->members[i] != region)
            continue;
        uint32_t last = --e->alert.member_count;
        server_facts_unref(e->hosts[i]);
        region_facts_unref(e->alert.members[i]);
        e->members[i] = e->members[last];
        e->hosts[i] = e->hosts[last];
        e->alert.members[i] = e->alert.members[last];
        e->alert.members[last] = NULL;
        return;
    }
}

bool
episode_has_member(const struct episode *e, uint32_t region)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++)
        if (e->members[i] == region)
            return true;
    return false;
}

int64_t
episode_last_sample(const struct episode *e, const struct registry *r)
{
    int64_t last = NEVER;

    for (uint32_t i = 0; i < e->alert.member_count; i++)
        if (r->regions[e->members[i]].sampled_mono_ms > last)
            last = r->regions[e->members[i]].sampled_mono_ms;
    return last;
}

void
episode_add_lineage(struct episode *e, int64_t time_ms, enum lineage_event event,
                    const char *from, const char *to)
{
    struct alert *a = &e->alert;

    if (a->lineage_count == LINEAGE_MAX) {
        memmove(a->lineage, a->lineage + 1, (LINEAGE_MAX - 1) * sizeof(a->lineage[0]));
        a->lineage_count--;
    } else {
        a->lineage =
            xreallocarray(a->lineage, a->lineage_count + 1, sizeof(a->lineage[0]));
    }
    struct lineage_entry *entry = &a->lineage[a->lineage_count++];
    *entry = (struct lineage_entry){.time_ms = time_ms, .event = event};
    snprintf(entry->from, sizeof(entry->from), "%s", from);
    snprintf(entry->to, sizeof(entry->to), "%s", to);
}

/* Notes members that changed their server since the last evaluation. */
static void
follow_moves(struct episode *e, const struct registry *r, int64_t wall_ms)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++) {
        const struct region *region = &r->regions[e->members[i]];
        /* Facts may have gained keys. */
        region_facts_unref(e->alert.members[i]);
        set_facts(e, r, i);
        if (region->server == NO_INDEX)
            continue;
        struct server_facts *now = r->servers[region->server].facts;
        if (now == e->hosts[i])
            continue;
        if (e->hosts[i] != NULL && strcmp(e->hosts[i]->address, now->address) != 0)
            episode_add_lineage(e, wall_ms, LINEAGE_MOVE, e->hosts[i]->address,
                                now->address);
        server_facts_unref(e->hosts[i]);
        e->hosts[i] = server_facts_ref(now);
    }
}

/* ---- evidence ---- */

static void
set_region(struct alert *a, const struct registry *r, uint32_t slot)
{
    const struct region *region = &r->regions[slot];

    region_facts_unref(a->region);
    a->region = region_facts_ref(region->facts);
    a->last_sample_ms = region->sampled_wall_ms;
    a->server = server_facts_unref(a->server);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        a->server_signals[i] = NAN;
    if (region->server == NO_INDEX)
        return;
    const struct server *s = &r->servers[region->server];
    a->server = server_facts_ref(s->facts);
    memcpy(a->server_signals, s->signals, sizeof(a->server_signals));
}

/* What part of its server's load a judged region is. */
static double
server_share(const struct registry *r, const struct region *region)
{
    if (region->server == NO_INDEX)
        return NAN;
    double all = r->servers[region->server].rate[ACCESS_TOTAL];
    return all > 0 ? region->rate[ACCESS_TOTAL] / all : NAN;
}

/* Renews the figures from what was found. The access stays once it fired; while nothing
 * is known of it the figures stay, too. */
static void
set_evidence(struct episode *e, const struct registry *r)
{
    struct alert *a = &e->alert;
    const struct finding *f = &e->finding;
    const struct rule *rule = rule_of(e, r);

    if (a->state == ALERT_PENDING)
        a->access = hottest_access(f);
    const struct finding_entry *best = &f->best[a->access];
    if (best->region == NO_INDEX)
        return;
    set_region(a, r, best->region);
    for (int i = 0; i < ACCESS_COUNT; i++) {
        a->rate[i] = r->regions[best->region].rate[i];
        a->newest_rate[i] = r->regions[best->region].newest[i];
    }
    a->baseline = best->verdict.baseline;
    a->baseline_kind = rule->baseline;
    a->ratio = best->verdict.ratio;
    a->limit = best->verdict.limit;
    a->threshold = rule->threshold[a->access];
    a->min_rate = rule->min_rate[a->access];
    a->share = load_ratio(best->rate, f->table_rate[a->access]);
    a->server_share = server_share(r, &r->regions[best->region]);
    a->regions_in_table = f->regions_known;
    a->regions_fresh = f->regions_fresh;
    a->effective_regions = f->effective_regions;
}

/* While nothing can be judged: where the region is and how old its sample is. */
static void
set_stale_evidence(struct episode *e, const struct registry *r)
{
    int64_t last = episode_last_sample(e, r);

    for (uint32_t i = 0; i < e->alert.member_count; i++) {
        if (r->regions[e->members[i]].sampled_mono_ms != last)
            continue;
        set_region(&e->alert, r, e->members[i]);
        break;
    }
    e->alert.stale = true;
}

/* ---- the state machine ---- */

/* Why an alert of which nothing is heard ends. */
static enum end_reason
reason_of_silence(const struct episode *e)
{
    if (e->alert.member_count == 0)
        return END_DROPPED;
    return e->server_lost ? END_SERVER_LOST : END_UNKNOWN;
}

static enum episode_step
resolve(struct episode *e, enum end_reason reason, struct moment now)
{
    bool pending = e->alert.state == ALERT_PENDING;

    e->alert.state = ALERT_RESOLVED;
    e->alert.reason = reason;
    e->alert.resolved_at_ms = now.wall_ms;
    return pending ? STEP_DROPPED : STEP_RESOLVED;
}

/* Remembered, since a lost server is forgotten before the alert ends. */
static void
note_lost_servers(struct episode *e, const struct registry *r)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++) {
        uint32_t server = r->regions[e->members[i]].server;
        e->server_lost |= server != NO_INDEX && r->servers[server].dead;
    }
}

/* The region named in the evidence is where it is, also while it has no rate yet. */
static void
renew_place(struct alert *a, const struct episode *e, const struct registry *r)
{
    for (uint32_t i = 0; i < a->member_count; i++) {
        const struct region *region = &r->regions[e->members[i]];
        if (region_id_equal(region->facts->id, a->region->id) &&
            region->server != NO_INDEX)
            set_region(a, r, e->members[i]);
    }
}

/* Nothing heard: the state is kept, up to HOLD_MS. A gap in which samples keep coming
 * (a move, a reset) is not worth telling while it is short. */
static enum episode_step
step_unknown(struct episode *e, const struct registry *r, struct moment now)
{
    bool was_stale = e->alert.stale;
    int64_t patience = registry_patience_ms(r);

    note_lost_servers(e, r);
    renew_place(&e->alert, e, r);
    if (e->unknown_since_ms == NEVER)
        e->unknown_since_ms = now.mono_ms;
    int64_t silence = now.mono_ms - e->unknown_since_ms;
    if (silence >= HOLD_MS)
        return resolve(e, reason_of_silence(e), now);
    if (silence <= patience && now.mono_ms - episode_last_sample(e, r) <= patience)
        return STEP_NOTHING;
    set_stale_evidence(e, r);
    return !was_stale && e->alert.state == ALERT_FIRING ? STEP_HELD : STEP_NOTHING;
}

/* News again: longer times without any do not count as hot or cool. */
static void
end_silence(struct episode *e, const struct registry *r, int64_t now)
{
    int64_t gap = now - e->judged_mono_ms;

    e->judged_mono_ms = now;
    if (e->unknown_since_ms != NEVER && gap > registry_patience_ms(r)) {
        e->hot_since_ms += gap;
        if (e->cool_since_ms != NEVER)
            e->cool_since_ms += gap;
    }
    e->unknown_since_ms = NEVER;
    e->server_lost = false;
    e->alert.stale = false;
}

static enum episode_step
step_pending(struct episode *e, const struct registry *r, struct moment now)
{
    if (!e->finding.hot)
        return resolve(e, END_COOLED, now);
    e->wants_to_fire =
        !e->finding.blind && now.mono_ms - e->hot_since_ms + slack_ms(r) >=
                                 registry_for_ms(r, rule_of(e, r));
    return STEP_NOTHING;
}

static enum episode_step
step_firing(struct episode *e, const struct registry *r, struct moment now)
{
    e->split &= !e->finding.hot;
    if (!e->finding.cool) {
        e->cool_since_ms = NEVER;
        return STEP_NOTHING;
    }
    if (e->cool_since_ms == NEVER)
        e->cool_since_ms = now.mono_ms;
    if (now.mono_ms - e->cool_since_ms + slack_ms(r) < rule_of(e, r)->clear_for_ms)
        return STEP_NOTHING;
    return resolve(e, e->split ? END_SPLIT : END_COOLED, now);
}

enum episode_step
episode_step(struct episode *e, const struct registry *r, struct moment now)
{
    follow_moves(e, r, now.wall_ms);
    e->wants_to_fire = false;
    if (!e->finding.judged)
        return step_unknown(e, r, now);
    end_silence(e, r, now.mono_ms);
    set_evidence(e, r);
    return e->alert.state == ALERT_PENDING ? step_pending(e, r, now)
                                           : step_firing(e, r, now);
}

void
episode_fire(struct episode *e, struct moment now)
{
    assert(e->alert.state == ALERT_PENDING);
    e->alert.state = ALERT_FIRING;
    e->alert.starts_at_ms = now.wall_ms;
    e->wants_to_fire = false;
}

/* Descending; unknown counts as 0. */
static int
descending(double x, double y)
{
    x = isnan(x) ? 0 : x;
    y = isnan(y) ? 0 : y;
    return (x < y) - (x > y);
}

int
episode_order(const struct episode *a, const struct episode *b)
{
    int order = descending(a->alert.ratio, b->alert.ratio);

    if (order == 0)
        order =
            descending(a->alert.rate[a->alert.access], b->alert.rate[b->alert.access]);
    return order != 0 ? order : region_id_compare(a->alert.origin, b->alert.origin);
}
