/* SPDX-License-Identifier: Apache-2.0 */
/* Moves and twins. Works on the registry; the engine's thread only. */
#include "analysis/hosting.h"

#include <string.h>

/* In this answer or the one before, so that there was no time to be elsewhere. */
static bool
is_continued(const struct answer *a, const struct twin *twin)
{
    return twin->poll == a->number || twin->poll + 1 == a->number;
}

/* It appeared on its server in the answer before. An older copy may be one that was
 * left behind and is opened anew now: what it told is no baseline. */
static bool
is_baseline(const struct answer *a, const struct twin *twin)
{
    return is_continued(a, twin) && twin->first_poll == twin->poll;
}

/* The region is on the answer's server from now on. */
static void
adopt(const struct answer *a, uint32_t slot)
{
    struct registry *r = a->r;
    struct region *region = &r->regions[slot];
    const struct server *to = &r->servers[a->server];

    if (region->server != NO_INDEX &&
        strcmp(r->servers[region->server].facts->address, to->facts->address) != 0) {
        a->counters->moves++;
        chronicle_add(&r->chronicle, a->received.wall_ms, LINEAGE_MOVE, region->facts);
    }
    region_restart_window(r, region);
    region->server = a->server;
    region->known = 0;
    region->poll = a->number;
    if (region->listed_server != a->server)
        region->listed_server = NO_INDEX; /* outdated: it would call the region back */
    const struct twin *twin = registry_find_twin(r, slot, a->server);
    if (twin != NULL && is_baseline(a, twin)) {
        region->read = twin->read;
        region->write = twin->write;
        region->total = twin->total;
        region->known = twin->known;
        region->clock_ms = twin->clock_ms;
        a->counters->baselines++;
    }
    registry_drop_twins(r, slot);
}

/* The server that has the region can no longer be believed to have it. */
static bool
host_lost_it(const struct registry *r, const struct region *region, int64_t now)
{
    const struct server *host = &r->servers[region->server];

    return host->dead || host->replaced || host->sampled_mono_ms == NEVER ||
           now - host->sampled_mono_ms > registry_patience_ms(r) ||
           !region_in_answer(r, region);
}

/* Another server lists the region, too: takes that copy for the region when it advances
 * and the copy held so far stands still; else remembers it. */
static bool
twin_wins(const struct answer *a, uint32_t slot, const struct region_sample *sample)
{
    struct region *region = &a->r->regions[slot];
    struct twin *twin = registry_find_twin(a->r, slot, a->server);

    if ((sample->known & SAMPLE_INVALID) || (sample->known & 7) == 0)
        return false;
    if (twin != NULL && is_continued(a, twin) && !region->advanced &&
        twin->known == (sample->known & 7) &&
        (sample->read > twin->read || sample->write > twin->write ||
         sample->total > twin->total))
        return true;
    if (twin == NULL) {
        twin = registry_add_twin(a->r, slot, a->server);
        if (twin == NULL)
            return false;
        twin->first_poll = a->number;
        twin->first_mono_ms = a->received.mono_ms;
    } else if (!is_continued(a, twin)) {
        twin->first_poll = a->number;
        twin->first_mono_ms = a->received.mono_ms;
    }
    twin->read = sample->read;
    twin->write = sample->write;
    twin->total = sample->total;
    twin->known = sample->known & 7;
    twin->poll = a->number;
    twin->clock_ms = a->clock_ms;
    twin->seen_mono_ms = a->received.mono_ms;
    return false;
}

bool
hosting_accepts(const struct answer *a, uint32_t slot,
                const struct region_sample *sample)
{
    const struct region *region = &a->r->regions[slot];

    if (region->server == a->server)
        return true;
    if (region->server == NO_INDEX || region->listed_server == a->server ||
        host_lost_it(a->r, region, a->received.mono_ms) || twin_wins(a, slot, sample)) {
        adopt(a, slot);
        return true;
    }
    return false;
}
