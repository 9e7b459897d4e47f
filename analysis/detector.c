/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the episodes: opens, steps, fires and ends them, and tells what happened. */
#include "analysis/detector.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/allot.h"
#include "analysis/judge.h"
#include "common/alloc.h"

void
detector_init(struct detector *d)
{
    *d = (struct detector){.cluster_episode = NO_INDEX};
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
    free(d->places);
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

/* A free slot; NO_INDEX if there is none before `end`. */
static uint32_t
new_episode(struct detector *d, uint32_t end)
{
    uint32_t i = d->first_free;

    while (i < d->episode_slots && d->episodes[i].used)
        i++;
    if (i >= end)
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
        if (e->used && e->alert.state != ALERT_RESOLVED && episode_has_members(e) &&
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
        detector_add_member(d, r, i, region);
        return;
    }
    i = new_episode(d, EPISODES_MAX);
    if (i == NO_INDEX)
        return;
    r->regions[region].episode = i;
    episode_begin(&d->episodes[i], r, region, kind, now);
}

void
detector_open_table(struct detector *d, struct registry *r, uint32_t table,
                    struct moment now)
{
    uint32_t i = new_episode(d, NO_INDEX);

    r->tables[table].episode = i;
    episode_begin_table(&d->episodes[i], r, table, now);
}

void
detector_open_server(struct detector *d, struct registry *r, uint32_t server,
                     struct moment now)
{
    uint32_t i = new_episode(d, NO_INDEX);

    r->servers[server].episode = i;
    episode_begin_server(&d->episodes[i], r, server, now);
}

void
detector_open_cluster(struct detector *d, const struct registry *r, struct moment now)
{
    d->cluster_episode = new_episode(d, NO_INDEX);
    episode_begin_table(&d->episodes[d->cluster_episode], r, NO_INDEX, now);
    d->episodes[d->cluster_episode].alert.overflow = true;
    d->episodes[d->cluster_episode].alert.access = ACCESS_TOTAL;
}

void
detector_end(struct detector *d, uint32_t episode, enum end_reason reason,
             struct moment now)
{
    struct alert *a = &d->episodes[episode].alert;

    if (a->state == ALERT_FIRING) {
        episode_close(&d->episodes[episode], reason, now);
        tell(d, EVENT_RESOLVED, a, now);
    }
    a->state = ALERT_RESOLVED;
}

static void
dismiss_member(struct registry *r, struct episode *e, uint32_t region)
{
    episode_remove_member(e, region);
    r->regions[region].episode = NO_INDEX;
}

bool
detector_add_member(struct detector *d, struct registry *r, uint32_t episode,
                    uint32_t region)
{
    struct episode *e = &d->episodes[episode];

    if (!episode_has_member(e, region)) {
        uint32_t coolest = episode_coolest_member(e);
        if (e->alert.member_count == ALERT_MEMBERS_MAX && coolest != NO_INDEX)
            dismiss_member(r, e, coolest);
        if (!episode_add_member(e, r, region))
            return false;
    }
    r->regions[region].episode = episode;
    return true;
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
    for (uint32_t i = 0; i < l->alert.member_count; i++)
        detector_add_member(d, r, winner, l->members[i].region);
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

static bool
is_over(const struct detector *d, uint32_t episode)
{
    return episode != NO_INDEX && d->episodes[episode].used &&
           d->episodes[episode].alert.state == ALERT_RESOLVED;
}

/* Nothing refers to the episodes that are about to go. */
static void
detach_ended(struct detector *d, struct registry *r)
{
    for (uint32_t i = 0; i < r->region_slots; i++)
        if (r->regions[i].facts != NULL && is_over(d, r->regions[i].episode))
            r->regions[i].episode = NO_INDEX;
    for (uint32_t i = 0; i < r->table_slots; i++)
        if (r->tables[i].facts != NULL && is_over(d, r->tables[i].episode))
            r->tables[i].episode = NO_INDEX;
    for (uint32_t i = 0; i < r->server_slots; i++)
        if (r->servers[i].facts != NULL && is_over(d, r->servers[i].episode))
            r->servers[i].episode = NO_INDEX;
    if (is_over(d, d->cluster_episode))
        d->cluster_episode = NO_INDEX;
}

static void
bury_ended(struct detector *d, struct registry *r)
{
    bool any = false;

    for (uint32_t i = 0; i < d->episode_slots; i++)
        any |= is_over(d, i);
    if (!any)
        return;
    detach_ended(d, r);
    for (uint32_t i = d->episode_slots; i-- > 0;) {
        if (!is_over(d, i))
            continue;
        episode_finish(&d->episodes[i]);
        if (i < d->first_free)
            d->first_free = i;
    }
}

/* The start that may serve at an address; NO_INDEX. */
static uint32_t
find_address(const struct registry *r, const char *address)
{
    for (uint32_t i = 0; i < r->server_slots; i++)
        if (r->servers[i].facts != NULL && !r->servers[i].replaced &&
            strcmp(r->servers[i].facts->address, address) == 0)
            return i;
    return NO_INDEX;
}

/* A server that restarted is another slot. */
static void
follow_servers(struct detector *d, struct registry *r)
{
    for (uint32_t i = 0; i < r->server_slots; i++)
        r->servers[i].episode = NO_INDEX;
    for (uint32_t i = 0; i < d->episode_slots; i++) {
        struct episode *e = &d->episodes[i];
        if (!e->used || e->alert.kind != ALERT_SERVER)
            continue;
        e->server = find_address(r, e->alert.server->address);
        if (e->server != NO_INDEX)
            r->servers[e->server].episode = i;
    }
}

void
detector_follow_tables(struct detector *d, const struct registry *r)
{
    for (uint32_t i = 0; i < d->episode_slots; i++) {
        struct episode *e = &d->episodes[i];
        if (!e->used || e->alert.member_count == 0)
            continue;
        uint32_t table = r->regions[e->members[0].region].table;
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
        bool ignored = e->table != NO_INDEX && r->tables[e->table].ignored;
        if (ignored || (!fits && e->alert.state == ALERT_FIRING))
            detector_end(d, i, END_RULE_CHANGED, now);
        else if (!fits)
            episode_take_rule(e, r);
    }
}

/* ---- from verdicts to alerts ---- */

void
detector_fire(struct detector *d, uint32_t episode, struct moment now,
              struct engine_counters *counters)
{
    struct episode *e = &d->episodes[episode];

    episode_fire(e, now);
    counters->episodes[e->alert.kind]++;
    tell(d, EVENT_FIRED, &e->alert, now);
}

/* A listing of the whole cluster lacks the table, and its alert had no news for so long
 * that its regions cannot have been on their way. */
static bool
table_is_gone(const struct registry *r, const struct episode *e)
{
    if (e->table == NO_INDEX)
        return false;
    return r->tables[e->table].listed_ms != NEVER &&
           r->whole_listing_ms > r->tables[e->table].listed_ms &&
           r->whole_listing_ms > episode_last_news(e, r) + registry_patience_ms(r);
}

void
detector_step(struct detector *d, struct registry *r, uint32_t episode,
              struct moment now)
{
    struct episode *e = &d->episodes[episode];

    if (!e->finding.judged && table_is_gone(r, e)) {
        detector_end(d, episode, END_DROPPED, now);
        return;
    }
    switch (episode_step(e, r, now)) {
    case STEP_HELD:
        tell(d, EVENT_HELD, &e->alert, now);
        break;
    case STEP_RESOLVED:
        tell(d, EVENT_RESOLVED, &e->alert, now);
        break;
    case STEP_NOTHING:
    case STEP_DROPPED:
        break;
    }
    if (!episode_has_members(e) || e->alert.state == ALERT_RESOLVED)
        return;
    d->missing_member |= e->unknown_since_ms != NEVER;
    /* It is about what is hot; a daughter that is not for long is like any region. */
    uint32_t stray =
        episode_stray_member(e, now.mono_ms - episode_rule(e, r)->clear_for_ms);
    if (stray != NO_INDEX)
        dismiss_member(r, e, stray);
}

/* Those of regions, or the others (the cluster's comes last, by itself). */
static void
step_episodes(struct detector *d, struct registry *r, bool regions, struct moment now)
{
    for (uint32_t i = 0; i < d->episode_slots; i++) {
        const struct episode *e = &d->episodes[i];
        if (e->used && e->alert.state != ALERT_RESOLVED &&
            episode_has_members(e) == regions && i != d->cluster_episode)
            detector_step(d, r, i, now);
    }
}

void
detector_judge(struct detector *d, struct registry *r, struct load *load,
               struct moment now, struct engine_counters *counters)
{
    struct allotment a = {d, r, load, now, counters, .left_over = 0};

    for (uint32_t i = 0; i < d->episode_slots; i++)
        if (d->episodes[i].used)
            episode_begin_evaluation(&d->episodes[i]);
    follow_servers(d, r);
    judge_tables(d, r, load, now);
    judge_servers(d, r, load, now);
    d->missing_member = false;
    step_episodes(d, r, true, now);
    allot_regions(&a);
    step_episodes(d, r, false, now);
    allot_others(&a);
    bury_ended(d, r);
}
