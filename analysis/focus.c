/* SPDX-License-Identifier: Apache-2.0 */
/* Made anew in each evaluation: alerts are few. Firing alerts come first, so that the
 * bounds cut pending ones. */
#include "analysis/focus.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/explain.h"
#include "analysis/load.h"
#include "common/alloc.h"

struct plan {
    const struct detector *d;
    const struct registry *r;
    int64_t mono_ms;
    struct focus *focus;
    uint32_t *slots; /* of the servers in the focus */
    int64_t *pause;  /* of each, from one session to the next; INT64_MAX: no need */
};

/* The entry of a server, made if there is room; NULL. */
static struct focus_server *
server_entry(struct plan *p, uint32_t slot, size_t *ret_i)
{
    struct focus *f = p->focus;
    const struct server *s = &p->r->servers[slot];

    for (size_t i = 0; i < f->count; i++) {
        if (p->slots[i] != slot)
            continue;
        *ret_i = i;
        return &f->servers[i];
    }
    if (f->count == FOCUS_SERVERS_MAX || s->url == NULL ||
        !server_is_live(p->r, s, p->mono_ms))
        return NULL;
    *ret_i = f->count;
    p->pause[f->count] = INT64_MAX;
    p->slots[f->count] = slot;
    f->servers[f->count] = (struct focus_server){
        .url = xstrdup(s->url),
        .server = xstrdup(s->facts->text),
        .regions = xcalloc(FOCUS_REGIONS_MAX, sizeof(struct region_id)),
    };
    return &f->servers[f->count++];
}

/* Handlers of an idle server are seldom seen at work: one session may not do. */
static int64_t
pause_for(const struct plan *p, const struct episode *e, const struct region *region)
{
    if (!p->r->tables[region->table].rule->row_sampling || !episode_has_members(e))
        return INT64_MAX;
    if (e->story == NULL || row_heat_rows(&e->story->heat) < ROWS_TO_JUDGE)
        return FOCUS_RETRY_MS;
    size_t young = row_heat_since(&e->story->heat, p->mono_ms - FOCUS_TURN_MS);
    return young < FOCUS_SAMPLES ? FOCUS_TURN_MS : INT64_MAX;
}

static void
add_region(struct plan *p, const struct episode *e, uint32_t slot)
{
    const struct region *region = &p->r->regions[slot];
    size_t place;
    struct focus_server *s =
        region->server == NO_INDEX ? NULL : server_entry(p, region->server, &place);

    if (s == NULL)
        return;
    int64_t pause = pause_for(p, e, region);
    if (pause < p->pause[place])
        p->pause[place] = pause;
    s->sample_rows |=
        p->r->tables[region->table].rule->row_sampling && episode_has_members(e);
    for (size_t i = 0; i < s->region_count; i++)
        if (region_id_equal(s->regions[i], region->id))
            return;
    if (s->region_count < FOCUS_REGIONS_MAX)
        s->regions[s->region_count++] = region->id;
}

static void
add_episode(struct plan *p, const struct episode *e)
{
    const struct alert *a = &e->alert;
    size_t place;

    for (uint32_t i = 0; i < a->member_count; i++)
        add_region(p, e, e->members[i].region);
    for (uint32_t i = 0; i < a->top_count; i++) {
        uint32_t slot = registry_find_region(p->r, a->top[i].region->id);
        if (slot != NO_INDEX)
            add_region(p, e, slot);
    }
    if (a->kind == ALERT_SERVER && e->server != NO_INDEX)
        (void)server_entry(p, e->server, &place);
}

static void
add_episodes(struct plan *p, enum alert_state state)
{
    for (uint32_t i = 0; i < p->d->episode_slots; i++)
        if (p->d->episodes[i].used && p->d->episodes[i].alert.state == state)
            add_episode(p, &p->d->episodes[i]);
}

/* The focus without turns. */
static void
make_plan(struct plan *p)
{
    p->focus = xcalloc(1, sizeof(*p->focus));
    p->focus->servers = xcalloc(FOCUS_SERVERS_MAX, sizeof(*p->focus->servers));
    add_episodes(p, ALERT_FIRING);
    add_episodes(p, ALERT_PENDING);
}

static void
drop(struct focus *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->servers[i].url);
        free(f->servers[i].server);
        free(f->servers[i].regions);
    }
    free(f->servers);
    free(f);
}

void
focus_give_turns(const struct detector *d, struct registry *r, int64_t mono_ms)
{
    uint32_t slots[FOCUS_SERVERS_MAX];
    int64_t pause[FOCUS_SERVERS_MAX];
    struct plan p = {d, r, mono_ms, NULL, slots, pause};

    make_plan(&p);
    for (size_t i = 0; i < p.focus->count; i++) {
        struct server *s = &r->servers[slots[i]];
        if (pause[i] != INT64_MAX &&
            (s->turn_ms == NEVER || mono_ms - s->turn_ms >= pause[i])) {
            s->turn++;
            s->turn_ms = mono_ms;
        }
    }
    drop(p.focus);
}

struct focus *
focus_make(const struct detector *d, const struct registry *r, int64_t mono_ms)
{
    uint32_t slots[FOCUS_SERVERS_MAX];
    int64_t pause[FOCUS_SERVERS_MAX];
    struct plan p = {d, r, mono_ms, NULL, slots, pause};

    make_plan(&p);
    for (size_t i = 0; i < p.focus->count; i++) {
        p.focus->servers[i].turn = r->servers[slots[i]].turn;
        p.focus->servers[i].sample_rows &= r->servers[slots[i]].turn > 0;
    }
    return p.focus;
}
