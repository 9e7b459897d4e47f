/* SPDX-License-Identifier: Apache-2.0 */
/* Life and state machine of an episode.
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
#include <string.h>

#include "analysis/evidence.h"
#include "analysis/explain.h"

/* Evaluations are aligned to ticks; this much early still counts as full time. */
static int64_t
slack_ms(const struct registry *r)
{
    return r->config->poll.interval_ms / 10;
}

const struct rule *
episode_rule(const struct episode *e, const struct registry *r)
{
    return e->table == NO_INDEX ? &r->config->detection.rule : r->tables[e->table].rule;
}

bool
episode_has_members(const struct episode *e)
{
    return e->alert.kind == ALERT_REGION || e->alert.kind == ALERT_META;
}

/* ---- the rule's labels ---- */

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
    const struct rule *rule = episode_rule(e, r);

    return e->alert.severity == severity_of(e->alert.kind, r, rule) &&
           same_labels(&e->alert.labels, &rule->labels);
}

void
episode_take_rule(struct episode *e, const struct registry *r)
{
    const struct rule *rule = episode_rule(e, r);

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

/* ---- life ---- */

static void
begin(struct episode *e, const struct registry *r, enum alert_kind kind, uint32_t table,
      struct moment now)
{
    *e = (struct episode){
        .used = true,
        .table = table,
        .server = NO_INDEX,
        .active_mono_ms = now.mono_ms,
        .hot_since_ms = now.mono_ms,
        .judged_mono_ms = now.mono_ms,
        .cool_since_ms = NEVER,
        .unknown_since_ms = NEVER,
    };
    e->alert.kind = kind;
    e->alert.state = ALERT_PENDING;
    e->alert.active_at_ms = e->alert.hot_since_ms = now.wall_ms;
    e->alert.starts_at_ms = e->alert.resolved_at_ms = NEVER;
    e->alert.last_sample_ms = NEVER;
    for (int i = 0; i < SIGNAL_COUNT; i++)
        e->alert.server_signals[i] = NAN;
    if (table != NO_INDEX)
        e->alert.table = table_facts_ref(r->tables[table].facts);
    episode_take_rule(e, r);
    finding_reset(&e->finding);
}

void
episode_begin(struct episode *e, const struct registry *r, uint32_t region,
              enum alert_kind kind, struct moment now)
{
    const struct region *first = &r->regions[region];

    begin(e, r, kind, first->table, now);
    e->alert.origin = first->facts->id;
    e->alert.region = region_facts_ref(first->facts);
    episode_add_member(e, r, region);
}

void
episode_begin_table(struct episode *e, const struct registry *r, uint32_t table,
                    struct moment now)
{
    begin(e, r, ALERT_TABLE, table, now);
}

void
episode_begin_server(struct episode *e, const struct registry *r, uint32_t server,
                     struct moment now)
{
    begin(e, r, ALERT_SERVER, NO_INDEX, now);
    e->server = server;
    e->alert.server = server_facts_ref(r->servers[server].facts);
}

void
episode_finish(struct episode *e)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++)
        server_facts_unref(e->members[i].host);
    alert_finish(&e->alert);
    e->story = story_destroy(e->story);
    *e = (struct episode){0};
}

/* ---- the state machine ---- */

/* Our clock may have been set back: no alert fires or ends before it began. */
static int64_t
not_before(int64_t wall_ms, int64_t begin_ms)
{
    return wall_ms > begin_ms ? wall_ms : begin_ms;
}

void
episode_close(struct episode *e, enum end_reason reason, struct moment now)
{
    struct alert *a = &e->alert;

    a->resolved_at_ms = not_before(
        now.wall_ms, a->state == ALERT_FIRING ? a->starts_at_ms : a->active_at_ms);
    a->state = ALERT_RESOLVED;
    a->reason = reason;
}

/* Why an alert of which nothing is heard ends. */
static enum end_reason
reason_of_silence(const struct episode *e)
{
    if (episode_has_members(e) && e->alert.member_count == 0)
        return END_DROPPED;
    return e->server_lost ? END_SERVER_LOST : END_UNKNOWN;
}

static enum episode_step
resolve(struct episode *e, enum end_reason reason, struct moment now)
{
    bool pending = e->alert.state == ALERT_PENDING;

    episode_close(e, reason, now);
    return pending ? STEP_DROPPED : STEP_RESOLVED;
}

/* Remembered, since a lost server is forgotten before the alert ends. */
static void
note_lost_servers(struct episode *e, const struct registry *r)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++) {
        uint32_t server = r->regions[e->members[i].region].server;
        e->server_lost |= server != NO_INDEX && r->servers[server].dead;
    }
    if (e->server != NO_INDEX)
        e->server_lost |= r->servers[e->server].dead;
}

/* Nothing heard: the state is kept, up to HOLD_MS. A gap in which samples keep coming
 * (a move, a reset) is not worth telling while it is short. */
static enum episode_step
step_unknown(struct episode *e, const struct registry *r, struct moment now)
{
    bool was_stale = e->alert.stale;
    int64_t patience = registry_patience_ms(r);

    note_lost_servers(e, r);
    evidence_renew_place(e, r);
    if (e->unknown_since_ms == NEVER)
        e->unknown_since_ms = now.mono_ms;
    int64_t silence = now.mono_ms - e->unknown_since_ms;
    if (silence >= HOLD_MS)
        return resolve(e, reason_of_silence(e), now);
    if (silence <= patience && now.mono_ms - episode_last_news(e, r) <= patience)
        return STEP_NOTHING;
    evidence_mark_stale(e, r);
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
step_firing(struct episode *e, const struct registry *r, struct moment now)
{
    if (e->finding.superseded)
        return resolve(e, END_MERGED, now);
    e->split &= !e->finding.hot;
    if (!e->finding.cool) {
        e->cool_since_ms = NEVER;
        return STEP_NOTHING;
    }
    if (e->cool_since_ms == NEVER)
        e->cool_since_ms = now.mono_ms;
    /* What overflowed was cool for long enough in each of its regions. */
    int64_t clear_for = e->alert.overflow ? 0 : episode_rule(e, r)->clear_for_ms;
    if (now.mono_ms - e->cool_since_ms + slack_ms(r) < clear_for)
        return STEP_NOTHING;
    return resolve(e, e->split ? END_SPLIT : END_COOLED, now);
}

static enum episode_step
step_pending(struct episode *e, const struct registry *r, struct moment now)
{
    if (!e->finding.hot && e->left_over) {
        e->wants_to_fire = true;
        return step_firing(e, r, now);
    }
    if (!e->finding.hot)
        return resolve(e, END_COOLED, now);
    e->cool_since_ms = NEVER;
    int64_t hot_for = now.mono_ms - e->hot_since_ms + slack_ms(r);
    /* What overflows was hot for long enough in each of its regions. */
    e->wants_to_fire =
        e->alert.overflow ||
        (!e->finding.blind && hot_for >= registry_for_ms(r, episode_rule(e, r)));
    return STEP_NOTHING;
}

enum episode_step
episode_step(struct episode *e, const struct registry *r, struct moment now)
{
    episode_follow_moves(e, r, now.wall_ms);
    e->wants_to_fire = false;
    if (!e->finding.judged || (!e->finding.hot && episode_misses_member(e)))
        return step_unknown(e, r, now);
    end_silence(e, r, now.mono_ms);
    evidence_renew(e, r);
    return e->alert.state == ALERT_PENDING ? step_pending(e, r, now)
                                           : step_firing(e, r, now);
}

void
episode_fire(struct episode *e, struct moment now)
{
    assert(e->alert.state == ALERT_PENDING);
    e->alert.state = ALERT_FIRING;
    e->alert.starts_at_ms = not_before(now.wall_ms, e->alert.active_at_ms);
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

/* By kind, then by what it is about. */
static int
compare_subjects(const struct alert *a, const struct alert *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->kind == ALERT_SERVER)
        return strcmp(a->server->address, b->server->address);
    if (a->kind == ALERT_TABLE && a->table != NULL && b->table != NULL)
        return strcmp(a->table->name, b->table->name);
    return region_id_compare(a->origin, b->origin);
}

int
episode_order(const struct episode *a, const struct episode *b)
{
    int order = descending(a->alert.ratio, b->alert.ratio);

    if (order == 0)
        order =
            descending(a->alert.rate[a->alert.access], b->alert.rate[b->alert.access]);
    return order != 0 ? order : compare_subjects(&a->alert, &b->alert);
}
