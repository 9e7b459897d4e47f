/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the episodes: opens, steps, fires and ends them, and tells what happened. */
#include "analysis/detector.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge.h"
#include "common/alloc.h"

/* One evaluation's tools, handed down. */
struct pass {
    struct detector *d;
    struct registry *r;
    struct moment now;
    struct engine_counters *counters;
};

void
detector_init(struct detector *d)
{
    *d = (struct detector){0};
}

void
detector_begin(struct detector *d)
{
    for (size_t i = 0; i < d->event_count; i++) {
        alert_finish(d->event_alerts[i]);
        free(d->event_alerts[i]);
    }
    d->event_count = 0;
}

void
detector_finish(struct detector *d)
{
    detector_begin(d);
    for (uint32_t i = 0; i < d->episode_slots; i++)
        if (d->episodes[i].used)
            episode_finish(&d->episodes[i]);
    free(d->episodes);
    free(d->entries);
    free(d->begin);
    free(d->scratch);
    free(d->due);
    free(d->firing);
    free(d->events);
    free(d->event_alerts);
}

/* ---- events and episodes ---- */

static void
tell(struct detector *d, enum event_kind kind, const struct alert *alert,
     struct moment now)
{
    size_t n = d->event_count;
    struct alert *copy = xmalloc(sizeof(*copy));

    alert_copy(copy, alert);
    xgrow(&d->events, &d->event_cap, n + 1, sizeof(*d->events));
    xgrow(&d->event_alerts, &d->event_alert_cap, n + 1, sizeof(*d->event_alerts));
    d->event_alerts[n] = copy;
    d->events[n] = (struct engine_event){kind, now.wall_ms, copy};
    d->event_count = n + 1;
}

/* A free slot; NO_INDEX when there are too many. */
static uint32_t
new_episode(struct detector *d)
{
    uint32_t i = d->first_free;

    while (i < d->episode_slots && d->episodes[i].used)
        i++;
    if (i == EPISODES_MAX)
        return NO_INDEX;
    if (i == d->episode_slots) {
        xgrow(&d->episodes, &d->episode_cap, i + 1, sizeof(*d->episodes));
        d->episodes[i] = (struct episode){0};
        d->episode_slots++;
    }
    d->first_free = i + 1;
    return i;
}

/* The episode that began in this region; NO_INDEX. */
static uint32_t
begun_in(const struct detector *d, struct region_id id)
{
    for (uint32_t i = 0; i < d->episode_slots; i++) {
        const struct episode *e = &d->episodes[i];
        if (e->used && e->alert.state != ALERT_RESOLVED &&
            region_id_equal(e->alert.origin, id))
            return i;
    }
    return NO_INDEX;
}

void
detector_open(struct detector *d, struct registry *r, uint32_t region,
              enum alert_kind kind, struct moment now)
{
    uint32_t i = begun_in(d, r->regions[region].facts->id);

    if (i != NO_INDEX) {
        if (episode_add_member(&d->episodes[i], r, region))
            r->regions[region].episode = i;
        return;
    }
    i = new_episode(d);
    if (i == NO_INDEX)
        return;
    r->regions[region].episode = i;
    episode_begin(&d->episodes[i], r, region, kind, now);
}

void
detector_end(struct detector *d, uint32_t episode, enum end_reason reason,
             struct moment now)
{
    struct alert *a = &d->episodes[episode].alert;

    if (a->state == ALERT_FIRING) {
        a->state = ALERT_RESOLVED;
        a->reason = reason;
        a->resolved_at_ms = now.wall_ms;
        tell(d, EVENT_RESOLVED, a, now);
    }
    a->state = ALERT_RESOLVED;
}

/* The one that goes on: a firing one, then the older. */
static bool
goes_on(const struct episode *a, const struct episode *b)
{
    if (a->alert.state != b->alert.state)
        return a->alert.state == ALERT_FIRING;
    return a->active_mono_ms <= b->active_mono_ms;
}

uint32_t
detector_join(struct detector *d, struct registry *r, uint32_t a, uint32_t b,
              struct moment now)
{
    if (a == b)
        return a;
    uint32_t winner = goes_on(&d->episodes[a], &d->episodes[b]) ? a : b;
    struct episode *w = &d->episodes[winner], *l = &d->episodes[winner == a ? b : a];

    detector_end(d, winner == a ? b : a, END_MERGED, now);
    if (l->alert.hot_since_ms < w->alert.hot_since_ms)
        w->alert.hot_since_ms = l->alert.hot_since_ms;
    for (uint32_t i = 0; i < l->alert.member_count; i++) {
        uint32_t region = l->members[i];
        if (episode_has_member(w, region) || episode_add_member(w, r, region))
            r->regions[region].episode = winner;
    }
    return winner;
}

bool
detector_release(struct detector *d, struct registry *r, uint32_t region)
{
    uint32_t i = r->regions[region].episode;

    if (i == NO_INDEX)
        return true;
    struct episode *e = &d->episodes[i];
    if (episode_has_member(e, region) && e->alert.member_count == 1)
        return false;
    episode_remove_member(e, region);
    r->regions[region].episode = NO_INDEX;
    return true;
}

/* Frees ended episodes and the regions' references to them. */
static void
bury_ended(struct detector *d, struct registry *r)
{
    bool any = false;

    for (uint32_t i = 0; i < d->episode_slots; i++)
        any |= d->episodes[i].used && d->episodes[i].alert.state == ALERT_RESOLVED;
    if (!any)
        return;
    for (uint32_t i = 0; i < r->region_slots; i++) {
        struct region *region = &r->regions[i];
        if (region->facts != NULL && region->episode != NO_INDEX &&
            d->episodes[region->episode].alert.state == ALERT_RESOLVED)
            region->episode = NO_INDEX;
    }
    for (uint32_t i = d->episode_slots; i-- > 0;) {
        if (!d->episodes[i].used || d->episodes[i].alert.state != ALERT_RESOLVED)
            continue;
        episode_finish(&d->episodes[i]);
        if (i < d->first_free)
            d->first_free = i;
    }
}

void
detector_follow_tables(struct detector *d, const struct registry *r)
{
    for (uint32_t i = 0; i < d->episode_slots; i++) {
        struct episode *e = &d->episodes[i];
        if (!e->used || e->alert.member_count == 0)
            continue;
        uint32_t table = r->regions[e->members[0]].table;
        if (table != e->table)
            episode_set_table(e, r, table);
    }
}

void
detector_configure(struct detector *d, const struct registry *r, struct moment now)
{
    for (uint32_t i = 0; i < d->episode_slots; i++) {
        struct episode *e = &d->episodes[i];
        if (!e->used)
            continue;
        bool fits = episode_fits_rule(e, r);
        if (r->tables[e->table].ignored || (!fits && e->alert.state == ALERT_FIRING))
            detector_end(d, i, END_RULE_CHANGED, now);
        else if (!fits)
            episode_take_rule(e, r);
    }
}

/* ---- from verdicts to alerts ---- */

/* How many alerts fire: of each table (by slot) and in all. */
static uint32_t
count_firing(struct detector *d, const struct registry *r)
{
    uint32_t all = 0;

    xgrow(&d->firing, &d->firing_cap, r->table_slots + 1, sizeof(*d->firing));
    memset(d->firing, 0, r->table_slots * sizeof(*d->firing));
    for (uint32_t i = 0; i < d->episode_slots; i++) {
        const struct episode *e = &d->episodes[i];
        if (!e->used || e->alert.state != ALERT_FIRING)
            continue;
        d->firing[e->table]++;
        all++;
    }
    return all;
}

static int
by_heat(const void *a, const void *b, void *detector)
{
    const struct detector *d = detector;

    return episode_order(&d->episodes[*(const uint32_t *)a],
                         &d->episodes[*(const uint32_t *)b]);
}

/* The pending episodes that are due, the hottest first. */
static uint32_t
collect_due(struct detector *d)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->episode_slots; i++) {
        const struct episode *e = &d->episodes[i];
        if (!e->used || e->alert.state != ALERT_PENDING || !e->wants_to_fire)
            continue;
        xgrow(&d->due, &d->due_cap, n + 1, sizeof(*d->due));
        d->due[n++] = i;
    }
    if (n > 1)
        qsort_r(d->due, n, sizeof(*d->due), by_heat, d);
    return n;
}

/* Gives free slots to the hottest; a slot is kept until its alert ends. */
static void
fire_due(struct pass *p)
{
    struct detector *d = p->d;
    uint32_t due = collect_due(d), firing = count_firing(d, p->r);

    d->suppressed = 0;
    for (uint32_t i = 0; i < due; i++) {
        struct episode *e = &d->episodes[d->due[i]];
        const struct rule *rule = p->r->tables[e->table].rule;
        if (firing >= p->r->config->detection.max_alerts ||
            d->firing[e->table] >= rule->max_alerts_per_table) {
            d->suppressed++;
            continue;
        }
        episode_fire(e, p->now);
        firing++;
        d->firing[e->table]++;
        p->counters->episodes[e->alert.kind]++;
        tell(d, EVENT_FIRED, &e->alert, p->now);
    }
}

/* A listing of the whole cluster lacks the table, and the alert's regions had not been
 * heard of for so long that they cannot have been on their way. */
static bool
table_is_gone(const struct registry *r, const struct episode *e)
{
    return r->tables[e->table].listed_ms != NEVER &&
           r->whole_listing_ms > r->tables[e->table].listed_ms &&
           r->whole_listing_ms > episode_last_sample(e, r) + registry_patience_ms(r);
}

static void
step_episode(struct pass *p, uint32_t i)
{
    struct detector *d = p->d;
    struct episode *e = &d->episodes[i];

    if (!e->finding.judged && table_is_gone(p->r, e)) {
        detector_end(d, i, END_DROPPED, p->now);
        return;
    }
    switch (episode_step(e, p->r, p->now)) {
    case STEP_HELD:
        tell(d, EVENT_HELD, &e->alert, p->now);
        break;
    case STEP_RESOLVED:
        tell(d, EVENT_RESOLVED, &e->alert, p->now);
        break;
    case STEP_NOTHING:
    case STEP_DROPPED:
        break;
    }
    d->missing_member |= e->alert.state != ALERT_RESOLVED && !e->finding.judged;
}

void
detector_judge(struct detector *d, struct registry *r, struct load *load,
               struct moment now, struct engine_counters *counters)
{
    struct pass p = {d, r, now, counters};

    for (uint32_t i = 0; i < d->episode_slots; i++)
        if (d->episodes[i].used)
            finding_reset(&d->episodes[i].finding);
    judge_tables(d, r, load, now);
    d->missing_member = false;
    for (uint32_t i = 0; i < d->episode_slots; i++)
        if (d->episodes[i].used && d->episodes[i].alert.state != ALERT_RESOLVED)
            step_episode(&p, i);
    fire_due(&p);
    bury_ended(d, r);
}
