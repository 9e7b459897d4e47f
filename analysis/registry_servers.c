/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of servers, and the copies of regions that several servers list: the part of
 * the registry that says who has what. */
#include "analysis/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

/* ---- twins ---- */

/* What points at a twin: its region, or the twin before it. */
static uint32_t *
link_to(struct registry *r, uint32_t twin)
{
    uint32_t *link = &r->regions[r->twins[twin].region].twin;

    while (*link != twin)
        link = &r->twins[*link].next;
    return link;
}

/* The last one takes the place that becomes free. */
static void
remove_twin(struct registry *r, uint32_t i)
{
    *link_to(r, i) = r->twins[i].next;
    uint32_t last = --r->twin_count;
    if (i == last)
        return;
    *link_to(r, last) = i;
    r->twins[i] = r->twins[last];
}

struct twin *
registry_find_twin(struct registry *r, uint32_t region, uint32_t server)
{
    for (uint32_t i = r->regions[region].twin; i != NO_INDEX; i = r->twins[i].next)
        if (r->twins[i].server == server)
            return &r->twins[i];
    return NULL;
}

struct twin *
registry_add_twin(struct registry *r, uint32_t region, uint32_t server)
{
    unsigned have = 0;

    for (uint32_t i = r->regions[region].twin; i != NO_INDEX; i = r->twins[i].next)
        have++;
    if (have >= TWINS_MAX)
        return NULL;
    xgrow(&r->twins, &r->twin_cap, r->twin_count + 1, sizeof(*r->twins));
    struct twin *twin = &r->twins[r->twin_count];
    *twin = (struct twin){
        .region = region, .server = server, .next = r->regions[region].twin};
    r->regions[region].twin = r->twin_count++;
    return twin;
}

void
registry_drop_twins(struct registry *r, uint32_t region)
{
    while (r->regions[region].twin != NO_INDEX)
        remove_twin(r, r->regions[region].twin);
}

void
registry_expire_twins(struct registry *r, int64_t since_ms)
{
    for (uint32_t i = 0; i < r->twin_count;) {
        if (r->twins[i].seen_mono_ms < since_ms)
            remove_twin(r, i);
        else
            i++;
    }
}

/* ---- servers ---- */

uint32_t
registry_find_server(const struct registry *r, const char *name)
{
    return name_index_find(&r->server_names, name);
}

static bool
same_address(const struct server *a, const struct server *b)
{
    return a->facts != NULL && b->facts != NULL &&
           strcmp(a->facts->address, b->facts->address) == 0;
}

/* Of two starts at one address only one can serve: until they answer, the newer. */
static void
mark_replaced(struct registry *r, uint32_t newest)
{
    struct server *n = &r->servers[newest];

    for (uint32_t i = 0; i < r->server_slots; i++) {
        struct server *s = &r->servers[i];
        if (i == newest || !same_address(s, n))
            continue;
        if (s->facts->start_code < n->facts->start_code)
            s->replaced = true;
        else
            n->replaced = true;
    }
}

void
registry_claim_address(struct registry *r, uint32_t slot, int64_t mono_ms)
{
    struct server *claimant = &r->servers[slot];

    for (uint32_t i = 0; i < r->server_slots; i++)
        if (i != slot && same_address(&r->servers[i], claimant) &&
            r->servers[i].sampled_mono_ms > mono_ms)
            return;
    for (uint32_t i = 0; i < r->server_slots; i++)
        if (i != slot && same_address(&r->servers[i], claimant))
            r->servers[i].replaced = true;
    claimant->replaced = false;
}

static uint32_t
free_server_slot(struct registry *r)
{
    uint32_t slot = 0;

    if (r->server_count == r->server_slots) {
        xgrow(&r->servers, &r->server_cap, r->server_slots + 1, sizeof(*r->servers));
        return r->server_slots++;
    }
    while (r->servers[slot].facts != NULL)
        slot++;
    return slot;
}

uint32_t
registry_server(struct registry *r, const char *name, int64_t mono_ms)
{
    uint32_t slot = registry_find_server(r, name);

    if (slot != NO_INDEX)
        return slot;
    struct server_facts *facts = server_facts_create(name);
    if (facts == NULL)
        return NO_INDEX;
    slot = free_server_slot(r);
    struct server *s = &r->servers[slot];
    *s = (struct server){
        .facts = facts,
        .abs_ms = NEVER,
        .sampled_mono_ms = NEVER,
        .answered_mono_ms = NEVER,
        .answered_wall_ms = NEVER,
        .heard_mono_ms = mono_ms,
        .cache_hit_ratio = NAN,
        .memstore_limit_bytes = -1,
        .turn_ms = NEVER,
        .episode = NO_INDEX,
    };
    for (int i = 0; i < SIGNAL_COUNT; i++)
        s->signals[i] = s->signal_rates[i] = NAN;
    known_slots_init(&s->known, &r->history);
    name_index_add(&r->server_names, facts->text, slot);
    r->server_count++;
    mark_replaced(r, slot);
    return slot;
}

static bool
is_expired(const struct registry *r, uint32_t server, int64_t since_ms)
{
    return server != NO_INDEX && r->servers[server].facts != NULL &&
           r->servers[server].heard_mono_ms < since_ms;
}

/* Nothing refers to the servers that are about to go. */
static void
detach_expired(struct registry *r, int64_t since_ms)
{
    for (uint32_t i = 0; i < r->region_slots; i++) {
        struct region *region = &r->regions[i];
        if (is_expired(r, region->server, since_ms))
            region->server = NO_INDEX;
        if (is_expired(r, region->listed_server, since_ms))
            region->listed_server = NO_INDEX;
    }
    for (uint32_t i = 0; i < r->twin_count;) {
        if (is_expired(r, r->twins[i].server, since_ms))
            remove_twin(r, i);
        else
            i++;
    }
}

void
registry_expire_servers(struct registry *r, int64_t since_ms)
{
    bool any = false;

    for (uint32_t i = 0; i < r->server_slots; i++)
        any |= is_expired(r, i, since_ms);
    if (!any)
        return;
    detach_expired(r, since_ms);
    for (uint32_t i = 0; i < r->server_slots; i++) {
        struct server *s = &r->servers[i];
        if (!is_expired(r, i, since_ms))
            continue;
        name_index_remove(&r->server_names, s->facts->text);
        s->facts = server_facts_unref(s->facts);
        free(s->url);
        s->url = NULL;
        known_slots_finish(&s->known);
        r->server_count--;
    }
}
