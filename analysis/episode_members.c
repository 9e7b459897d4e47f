/* SPDX-License-Identifier: Apache-2.0 */
/* The regions of an episode: who belongs to it, where they are, what became of them.
 * The members' facts and hosts are referenced by the episode. */
#include "analysis/episode.h"

#include <stdio.h>
#include <string.h>

#include "common/alloc.h"

static void
set_facts(struct episode *e, const struct registry *r, uint32_t i)
{
    e->alert.members[i] = region_facts_ref(r->regions[e->members[i].region].facts);
}

bool
episode_add_member(struct episode *e, const struct registry *r, uint32_t region)
{
    uint32_t i = e->alert.member_count;

    if (i == ALERT_MEMBERS_MAX)
        return false;
    e->members[i] = (struct member){.region = region, .cool_since_ms = NEVER};
    set_facts(e, r, i);
    e->alert.member_count++;
    return true;
}

void
episode_remove_member(struct episode *e, uint32_t region)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++) {
        if (e->members[i].region != region)
            continue;
        uint32_t last = --e->alert.member_count;
        server_facts_unref(e->members[i].host);
        region_facts_unref(e->alert.members[i]);
        e->members[i] = e->members[last];
        e->alert.members[i] = e->alert.members[last];
        e->alert.members[last] = NULL;
        return;
    }
}

bool
episode_has_member(const struct episode *e, uint32_t region)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++)
        if (e->members[i].region == region)
            return true;
    return false;
}

/* ---- hot and cool ones ---- */

void
episode_begin_evaluation(struct episode *e)
{
    finding_reset(&e->finding);
    for (uint32_t i = 0; i < e->alert.member_count; i++)
        e->members[i].judged = false;
}

void
episode_note_member(struct episode *e, uint32_t region, bool cool, int64_t mono_ms)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++) {
        struct member *m = &e->members[i];
        if (m->region != region)
            continue;
        m->judged = true;
        if (!cool)
            m->cool_since_ms = NEVER;
        else if (m->cool_since_ms == NEVER)
            m->cool_since_ms = mono_ms;
    }
}

bool
episode_misses_member(const struct episode *e)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++)
        if (!e->members[i].judged && e->members[i].cool_since_ms == NEVER)
            return true;
    return false;
}

uint32_t
episode_coolest_member(const struct episode *e)
{
    const struct member *coolest = NULL;

    for (uint32_t i = 0; i < e->alert.member_count; i++) {
        const struct member *m = &e->members[i];
        if (m->cool_since_ms != NEVER &&
            (coolest == NULL || m->cool_since_ms < coolest->cool_since_ms))
            coolest = m;
    }
    return coolest == NULL ? NO_INDEX : coolest->region;
}

uint32_t
episode_stray_member(const struct episode *e, int64_t mono_ms)
{
    bool warm = false;
    uint32_t coolest = episode_coolest_member(e);

    for (uint32_t i = 0; i < e->alert.member_count; i++)
        warm |= e->members[i].cool_since_ms == NEVER;
    for (uint32_t i = 0; i < e->alert.member_count && warm; i++)
        if (e->members[i].region == coolest && e->members[i].cool_since_ms <= mono_ms)
            return coolest;
    return NO_INDEX;
}

/* ---- what became of them ---- */

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
void
episode_follow_moves(struct episode *e, const struct registry *r, int64_t wall_ms)
{
    for (uint32_t i = 0; i < e->alert.member_count; i++) {
        const struct region *region = &r->regions[e->members[i].region];
        /* Facts may have gained keys. */
        region_facts_unref(e->alert.members[i]);
        set_facts(e, r, i);
        if (region->server == NO_INDEX)
            continue;
        struct server_facts *now = r->servers[region->server].facts;
        if (now == e->members[i].host)
            continue;
        if (e->members[i].host != NULL &&
            strcmp(e->members[i].host->address, now->address) != 0)
            episode_add_lineage(e, wall_ms, LINEAGE_MOVE, e->members[i].host->address,
                                now->address);
        server_facts_unref(e->members[i].host);
        e->members[i].host = server_facts_ref(now);
    }
}

int64_t
episode_last_news(const struct episode *e, const struct registry *r)
{
    int64_t last = NEVER;

    if (!episode_has_members(e))
        return e->judged_mono_ms;
    for (uint32_t i = 0; i < e->alert.member_count; i++)
        if (r->regions[e->members[i].region].sampled_mono_ms > last)
            last = r->regions[e->members[i].region].sampled_mono_ms;
    return last;
}
