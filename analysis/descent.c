/* SPDX-License-Identifier: Apache-2.0 */
/* Hands history and episodes from parents to heirs. Works on registry and detector in
 * the engine's thread; owns nothing. */
#include "analysis/descent.h"

#include <assert.h>

/* born_ms: when the heir was first heard of, before it inherited anything. */
static void
inherit(struct descent *m, uint32_t heir, uint32_t from, int64_t born_ms)
{
    struct region *to = &m->r->regions[heir];
    const struct region *parent = &m->r->regions[from];

    history_inherit(&to->history, region_past(m->r, to), &parent->history,
                    region_past(m->r, parent), born_ms, &m->r->history);
    if (parent->first_mono_ms < to->first_mono_ms)
        to->first_mono_ms = parent->first_mono_ms;
}

/* An heir without traffic of its own was as idle as the busiest of its parents. */
static void
inherit_idleness(struct descent *m, uint32_t heir, const uint32_t *parents, uint32_t n,
                 int64_t born_ms)
{
    struct region *to = &m->r->regions[heir];

    if (to->traffic_mono_ms != born_ms)
        return;
    to->traffic_mono_ms = m->r->regions[parents[0]].traffic_mono_ms;
    for (uint32_t i = 1; i < n; i++)
        if (m->r->regions[parents[i]].traffic_mono_ms > to->traffic_mono_ms)
            to->traffic_mono_ms = m->r->regions[parents[i]].traffic_mono_ms;
}

static const char *
id_text(const struct descent *m, uint32_t slot, char text[static REGION_ID_TEXT_SIZE])
{
    return region_id_text(m->r->regions[slot].facts->id, text);
}

/* Its episode if it goes on, else NO_INDEX. */
static uint32_t
episode_of(const struct descent *m, uint32_t slot)
{
    uint32_t i = m->r->regions[slot].episode;

    if (i == NO_INDEX || m->d->episodes[i].alert.state == ALERT_RESOLVED)
        return NO_INDEX;
    return i;
}

/* Gives a region's place in the episode to its heir. The parent keeps the reference,
 * for the case that it comes back. */
static void
hand_over(struct descent *m, uint32_t episode, uint32_t parent, uint32_t heir,
          enum lineage_event event)
{
    struct episode *e = &m->d->episodes[episode];
    char from[REGION_ID_TEXT_SIZE], to[REGION_ID_TEXT_SIZE];

    episode_remove_member(e, parent);
    m->r->regions[parent].episode = episode;
    if (!detector_add_member(m->d, m->r, episode, heir))
        return;
    e->split |= event == LINEAGE_SPLIT;
    episode_add_lineage(e, m->now.wall_ms, event, id_text(m, parent, from),
                        id_text(m, heir, to));
}

void
descent_split(struct descent *m, uint32_t parent, uint32_t daughter)
{
    struct region *p = &m->r->regions[parent], *b = &m->r->regions[daughter];
    int64_t born_ms = b->first_mono_ms;
    uint32_t episode = episode_of(m, parent), own = episode_of(m, daughter);

    inherit(m, daughter, parent, born_ms);
    inherit_idleness(m, daughter, &parent, 1, born_ms);
    if (!p->split) {
        m->counters->splits++;
        chronicle_add(&m->r->chronicle, m->now.wall_ms, LINEAGE_SPLIT, p->facts);
    }
    p->split = true;
    b->born = false;
    if (episode == NO_INDEX)
        return;
    if (own != NO_INDEX)
        episode = detector_join(m->d, m->r, episode, own, m->now);
    hand_over(m, episode, parent, daughter, LINEAGE_SPLIT);
}

void
descent_merge(struct descent *m, const uint32_t *parents, uint32_t count,
              uint32_t merged)
{
    struct region *b = &m->r->regions[merged];
    int64_t born_ms = b->first_mono_ms;
    uint32_t episode = episode_of(m, merged);
    bool had[ALERT_MEMBERS_MAX];

    assert(count <= ALERT_MEMBERS_MAX);
    m->counters->merges++;
    chronicle_add(&m->r->chronicle, m->now.wall_ms, LINEAGE_MERGE, b->facts);
    b->born = false;
    inherit_idleness(m, merged, parents, count, born_ms);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t theirs = episode_of(m, parents[i]);
        inherit(m, merged, parents[i], born_ms);
        m->r->regions[parents[i]].split = true;
        had[i] = theirs != NO_INDEX;
        if (had[i])
            episode = episode == NO_INDEX
                          ? theirs
                          : detector_join(m->d, m->r, episode, theirs, m->now);
    }
    for (uint32_t i = 0; i < count; i++)
        if (had[i])
            hand_over(m, episode, parents[i], merged, LINEAGE_MERGE);
}

void
descent_replace(struct descent *m, uint32_t old, uint32_t heir)
{
    struct region *o = &m->r->regions[old];
    uint32_t episode = episode_of(m, old);

    o->split = true;
    m->r->regions[heir].born = false;
    if (episode == NO_INDEX)
        return;
    struct episode *e = &m->d->episodes[episode];
    episode_remove_member(e, old);
    o->episode = NO_INDEX;
    if (e->alert.member_count == 0)
        detector_end(m->d, episode, END_DROPPED, m->now);
}

void
descent_undo(struct descent *m, uint32_t slot)
{
    uint32_t episode = episode_of(m, slot);

    if (episode != NO_INDEX)
        detector_add_member(m->d, m->r, episode, slot);
}
