/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the parts together: registry (what is known), sampling (samples to pairs),
 * lineage, detector (rules and episodes), history, snapshot. Used from one thread. */
#include "analysis/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/calls.h"
#include "analysis/detector.h"
#include "analysis/diagnosis.h"
#include "analysis/explain.h"
#include "analysis/focus.h"
#include "analysis/heatmap_priv.h"
#include "analysis/lineage.h"
#include "analysis/listing.h"
#include "analysis/registry.h"
#include "analysis/sampling.h"
#include "analysis/series.h"
#include "analysis/snapshot_build.h"
#include "analysis/table_findings.h"
#include "common/alloc.h"

struct engine {
    struct registry registry;
    struct load load;
    struct detector detector;
    struct calls calls;   /* of the regions in the focus */
    bool listed;          /* since the last look at the tables */
    int64_t evaluated_ms; /* monotonic; of the last evaluation */
    struct engine_counters counters;
    struct engine_wants wants;
    uint64_t evaluations;
    bool reconfigured;
    int64_t listing_as_of_ms; /* of the last listing that gave counters; NEVER */
    int64_t listing_mono_ms;  /* receipt of the last listing; NEVER */
};

struct engine *
engine_create(const struct config *config)
{
    struct engine *e = xcalloc(1, sizeof(*e));

    registry_init(&e->registry, config);
    detector_init(&e->detector);
    e->listing_as_of_ms = e->listing_mono_ms = NEVER;
    return e;
}

struct engine *
engine_destroy(struct engine *e)
{
    if (e == NULL)
        return NULL;
    detector_finish(&e->detector);
    calls_finish(&e->calls);
    load_finish(&e->load);
    registry_finish(&e->registry);
    free(e);
    return NULL;
}

void
engine_configure(struct engine *e, const struct config *config)
{
    registry_configure(&e->registry, config);
    e->reconfigured = true;
}

void
engine_apply_poll(struct engine *e, const struct server_poll *poll)
{
    if (!e->registry.text_only)
        sampling_apply_poll(&e->registry, poll, &e->counters);
}

/* ---- the master's view ---- */

void
engine_apply_cluster(struct engine *e, const struct cluster_state *c)
{
    struct registry *r = &e->registry;

    for (size_t i = 0; i < c->live_count; i++) {
        uint32_t slot = registry_server(r, c->live[i], c->received.mono_ms);
        if (slot == NO_INDEX)
            continue;
        r->servers[slot].dead = false;
        r->servers[slot].heard_mono_ms = c->received.mono_ms;
    }
    for (size_t i = 0; i < c->dead_count; i++) {
        uint32_t slot = registry_find_server(r, c->dead[i]);
        if (slot == NO_INDEX)
            continue;
        r->servers[slot].dead = true;
        r->servers[slot].up = false;
    }
}

void
engine_apply_listing(struct engine *e, const struct listing *l)
{
    listing_learn(&e->registry, l);
    e->listed = true;
    e->listing_mono_ms = l->received.mono_ms;
    if (e->registry.text_only && l->as_of_ms >= 0)
        listing_sample(&e->registry, l, &e->counters);
}

void
engine_apply_detail(struct engine *e, const struct server_detail *detail)
{
    uint32_t slot = registry_find_server(&e->registry, detail->server);

    if (slot == NO_INDEX)
        return;
    struct server *s = &e->registry.servers[slot];
    if (detail->handlers > 0)
        s->handlers = detail->handlers;
    if (detail->memstore_limit_bytes >= 0)
        s->memstore_limit_bytes = detail->memstore_limit_bytes;
    calls_apply(&e->calls, slot, s->facts->start_code, detail);
}

void
engine_apply_rows(struct engine *e, const struct row_samples *rows)
{
    explain_rows(&e->detector, &e->registry, rows);
}

/* ---- upkeep ---- */

static int64_t
later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* How long what is not heard of is remembered: at least as long as it would be fresh.
 */
static int64_t
memory_ms(const struct registry *r)
{
    return later(HOLD_MS, registry_patience_ms(r));
}

/* Nothing was heard of it for the hold time, and listings do not have it (or do not
 * come any more). A region without news counts as one without a host until then. */
static bool
region_is_over(const struct registry *r, const struct region *region, int64_t now)
{
    int64_t heard = later(region->first_mono_ms,
                          later(region->sampled_mono_ms, region->listed_mono_ms));
    int64_t listed = later(r->whole_listing_ms, r->tables[region->table].listed_ms);

    if (region->fresh || now - heard <= memory_ms(r))
        return false;
    return region->split || listed > heard ||
           now - heard > 2 * r->config->topology.interval_ms;
}

static void
forget_the_gone(struct detector *d, struct registry *r, int64_t now)
{
    for (uint32_t i = 0; i < r->region_slots; i++)
        if (r->regions[i].facts != NULL && region_is_over(r, &r->regions[i], now) &&
            detector_release(d, r, i))
            registry_remove_region(r, i);
    registry_expire_servers(r, now - memory_ms(r));
    registry_expire_twins(r, now - memory_ms(r));
    registry_sweep_tables(r);
}

/* Two servers go on claiming a region, and no listing has said since whose it is. */
static bool
is_disputed(const struct engine *e)
{
    for (uint32_t i = 0; i < e->registry.twin_count; i++) {
        const struct twin *twin = &e->registry.twins[i];
        if (twin->poll > twin->first_poll && twin->first_mono_ms > e->listing_mono_ms)
            return true;
    }
    return false;
}

/* Regions first heard of after the last listing may stand in the next one. */
static struct engine_wants
find_wants(const struct engine *e)
{
    const struct registry *r = &e->registry;
    struct engine_wants wants = {.listing = is_disputed(e),
                                 .urgent_listing = e->detector.missing_member};

    for (uint32_t i = 0; i < r->region_slots && !wants.listing; i++) {
        const struct region *region = &r->regions[i];
        wants.listing = region->facts != NULL && !region->facts->start_known &&
                        region->listed_mono_ms == NEVER &&
                        region->first_mono_ms > e->listing_mono_ms;
    }
    return wants;
}

/* ---- evaluation ---- */

struct snapshot *
engine_evaluate(struct engine *e, struct moment now)
{
    struct registry *r = &e->registry;
    struct detector *d = &e->detector;

    detector_begin(d);
    detector_follow_tables(d, r);
    if (e->reconfigured)
        detector_configure(d, r, now);
    e->reconfigured = false;
    lineage_update(d, r, now, &e->counters);
    load_measure(&e->load, r, now);
    calls_expire(&e->calls, now.mono_ms);
    diagnosis_update(r, &e->calls, now.mono_ms);
    detector_judge(d, r, &e->load, now, &e->counters);
    explain_update(d, r, &e->load, &e->calls, now);
    if (e->listed || e->evaluations % FINDINGS_EVALUATIONS == 0)
        table_findings_update(r, e->load.cluster.live_servers, now.mono_ms);
    e->listed = false;
    focus_give_turns(d, r, now.mono_ms);
    e->evaluated_ms = now.mono_ms;
    e->wants = find_wants(e);
    struct snapshot *s = snapshot_build(d, &e->load, r, ++e->evaluations, now);
    forget_the_gone(d, r, now.mono_ms);
    return s;
}

const struct engine_event *
engine_events(const struct engine *e, size_t *ret_count)
{
    *ret_count = e->detector.event_count;
    return e->detector.events;
}

struct engine_wants
engine_wants(const struct engine *e)
{
    return e->wants;
}

struct focus *
engine_focus(const struct engine *e)
{
    return focus_make(&e->detector, &e->registry, e->evaluated_ms);
}

static uint64_t
memory_bytes(const struct engine *e)
{
    const struct registry *r = &e->registry;
    const struct detector *d = &e->detector;
    uint64_t known_slots = 0;

    for (int t = 0; t < TIER_COUNT; t++)
        known_slots += r->history.slots[t];
    return r->window_bytes + r->history.bytes +
           r->region_slots * sizeof(struct region) +
           ((uint64_t)r->bucket_mask + 1) * sizeof(uint32_t) +
           r->region_count * sizeof(struct region_facts) +
           r->twin_count * sizeof(struct twin) +
           r->server_slots * sizeof(struct server) + r->server_count * known_slots +
           r->table_slots * sizeof(struct table) +
           d->episode_slots * sizeof(struct episode);
}

struct engine_counters
engine_counters(const struct engine *e)
{
    struct engine_counters c = e->counters;
    const struct registry *r = &e->registry;

    c.rejected_regions = r->rejected_regions;
    c.memory_bytes = memory_bytes(e);
    return c;
}

/* ---- history ---- */

/* What goes into a slot: the rates of the newest pair, unknown unless they are fresh.
 */
static void
write_region(struct registry *r, struct region *region,
             const int64_t slot[static TIER_COUNT])
{
    double rate[ACCESS_COUNT] = {NAN, NAN, NAN};

    if (region_is_judged(region)) {
        struct pair last = region_last_pair(region);
        pair_rates(&last, rate);
    }
    history_write(&region->history, &r->history, slot, region_past(r, region),
                  rate[ACCESS_READ], rate[ACCESS_WRITE]);
}

static bool
is_heard(const struct registry *r, const struct server *s, int64_t now)
{
    return s->sampled_mono_ms != NEVER &&
           now - s->sampled_mono_ms <= registry_patience_ms(r);
}

void
engine_record_history(struct engine *e, struct moment now)
{
    struct registry *r = &e->registry;
    int64_t slot[TIER_COUNT];

    history_advance(&r->history, now.mono_ms, now.wall_ms, slot);
    for (uint32_t i = 0; i < r->server_slots; i++) {
        struct server *s = &r->servers[i];
        if (s->facts != NULL)
            known_slots_write(&s->known, &r->history, slot,
                              is_heard(r, s, now.mono_ms));
    }
    for (uint32_t i = 0; i < r->region_slots; i++)
        if (r->regions[i].facts != NULL)
            write_region(r, &r->regions[i], slot);
    history_commit(&r->history, slot);
}

size_t
engine_series(const struct engine *e, struct region_id id, int64_t from_ms,
              int64_t to_ms, int64_t step_ms, struct series_point *points, size_t max)
{
    uint32_t slot = registry_find_region(&e->registry, id);

    if (slot == NO_INDEX)
        return SIZE_MAX;
    return series_read(&e->registry, slot, from_ms, to_ms, step_ms, points, max);
}

bool
engine_heatmap_collect(const struct engine *e, struct heatmap *h)
{
    return heatmap_collect(h, &e->registry);
}

bool
engine_heatmap_add(const struct engine *e, struct heatmap *h)
{
    return heatmap_add(h, &e->registry);
}
