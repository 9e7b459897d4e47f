/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of tables and regions, and the hash index of regions by encoded name. */
#include "analysis/registry.h"

#include <assert.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/table_findings.h"
#include "common/alloc.h"

enum { BUCKETS_MIN = 1024 };

/* ---- rules ---- */

const struct rule *
rule_for(const struct detection_config *d, const char *table)
{
    for (size_t i = 0; i < d->table_count; i++)
        if (fnmatch(d->tables[i].match, table, 0) == 0)
            return &d->tables[i].rule;
    return &d->rule;
}

bool
table_is_ignored(const struct detection_config *d, const char *table)
{
    for (size_t i = 0; i < d->ignore_tables.count; i++)
        if (fnmatch(d->ignore_tables.items[i], table, 0) == 0)
            return true;
    return false;
}

static void
table_configure(struct table *t, const struct detection_config *d)
{
    t->rule = rule_for(d, t->facts->name);
    t->ignored = table_is_ignored(d, t->facts->name);
}

/* Tiers whose form is another one now lose what they hold. */
static void
configure_history(struct registry *r)
{
    struct history_clock next;

    history_clock_init(&next, &r->config->history, r->config->poll.interval_ms);
    for (int t = 0; t < TIER_COUNT; t++) {
        if (!history_tier_differs(&r->history, &next, t))
            continue;
        for (uint32_t i = 0; i < r->region_slots; i++)
            history_drop(&r->regions[i].history, &r->history, t);
        for (uint32_t i = 0; i < r->server_slots; i++)
            known_slots_drop(&r->servers[i].known, t);
    }
    history_clock_adopt(&r->history, &next);
    for (uint32_t i = 0; i < r->server_slots; i++)
        if (r->servers[i].facts != NULL)
            known_slots_init(&r->servers[i].known, &r->history);
}

/* Counters and clocks of one kind of source mean nothing to the other. */
static void
change_source(struct registry *r)
{
    r->text_only = !r->text_only;
    r->listing_dt_ms = 0;
    r->cadence_ms = r->config->topology.interval_ms;
    for (uint32_t i = 0; i < r->region_slots; i++) {
        if (r->regions[i].facts == NULL)
            continue;
        r->regions[i].known = 0;
        region_restart_window(r, &r->regions[i]);
    }
}

void
registry_configure(struct registry *r, const struct config *config)
{
    r->config = config;
    if (r->text_only == config->poll.jmx)
        change_source(r);
    if (!r->text_only)
        r->cadence_ms = config->poll.interval_ms;
    for (uint32_t i = 0; i < r->table_slots; i++)
        if (r->tables[i].facts != NULL)
            table_configure(&r->tables[i], &config->detection);
    configure_history(r);
}

/* ---- life ---- */

void
registry_init(struct registry *r, const struct config *config)
{
    *r = (struct registry){
        .config = config,
        .cadence_ms =
            config->poll.jmx ? config->poll.interval_ms : config->topology.interval_ms,
        .text_only = !config->poll.jmx,
        .whole_listing_ms = NEVER,
        .free_region = NO_INDEX,
        .bucket_mask = BUCKETS_MIN - 1,
        .buckets = xcalloc(BUCKETS_MIN, sizeof(uint32_t)),
    };
    history_clock_init(&r->history, &config->history, config->poll.interval_ms);
}

void
registry_finish(struct registry *r)
{
    for (uint32_t i = 0; i < r->region_slots; i++)
        if (r->regions[i].facts != NULL)
            registry_remove_region(r, i);
    registry_expire_servers(r, INT64_MAX);
    for (uint32_t i = 0; i < r->table_slots; i++)
        r->tables[i].episode = NO_INDEX;
    registry_sweep_tables(r);
    chronicle_finish(&r->chronicle);
    name_index_finish(&r->table_names);
    name_index_finish(&r->server_names);
    free(r->tables);
    free(r->servers);
    free(r->regions);
    free(r->twins);
    free(r->buckets);
}

/* ---- times ---- */

static int64_t
at_least_two_listings(const struct registry *r, int64_t ms)
{
    return r->text_only && ms < 2 * r->cadence_ms ? 2 * r->cadence_ms : ms;
}

int64_t
registry_window_ms(const struct registry *r)
{
    return at_least_two_listings(r, r->config->detection.window_ms);
}

int64_t
registry_for_ms(const struct registry *r, const struct rule *rule)
{
    return at_least_two_listings(r, rule->for_ms);
}

int64_t
registry_patience_ms(const struct registry *r)
{
    return 2 * r->cadence_ms + r->config->poll.timeout_ms;
}

/* ---- tables ---- */

uint32_t
registry_find_table(const struct registry *r, const char *name)
{
    return name_index_find(&r->table_names, name);
}

/* The first free slot; looked for only if there is one. */
static uint32_t
free_table_slot(struct registry *r)
{
    uint32_t slot = 0;

    if (r->table_count == r->table_slots) {
        xgrow(&r->tables, &r->table_cap, r->table_slots + 1, sizeof(*r->tables));
        return r->table_slots++;
    }
    while (r->tables[slot].facts != NULL)
        slot++;
    return slot;
}

uint32_t
registry_table(struct registry *r, const char *name)
{
    uint32_t slot = registry_find_table(r, name);

    if (slot != NO_INDEX)
        return slot;
    slot = free_table_slot(r);
    struct table *t = &r->tables[slot];
    *t = (struct table){
        .facts = table_facts_create(name),
        .is_meta = strcmp(name, META_TABLE) == 0,
        .listed_ms = NEVER,
        .first_listed_ms = NEVER,
        .as_of_ms = NEVER,
        .episode = NO_INDEX,
    };
    table_configure(t, &r->config->detection);
    name_index_add(&r->table_names, t->facts->name, slot);
    r->table_count++;
    return slot;
}

void
registry_sweep_tables(struct registry *r)
{
    for (uint32_t i = 0; i < r->table_slots; i++) {
        struct table *t = &r->tables[i];
        if (t->facts == NULL || t->regions > 0 || t->episode != NO_INDEX)
            continue;
        name_index_remove(&r->table_names, t->facts->name);
        t->facts = table_facts_unref(t->facts);
        t->findings = table_findings_unref(t->findings);
        r->table_count--;
    }
}

/* ---- regions ---- */

/* The bucket that holds id, or the empty one where it belongs. */
static uint32_t
bucket_of(const struct registry *r, struct region_id id)
{
    uint32_t b = (uint32_t)region_id_hash(id) & r->bucket_mask;

    while (r->buckets[b] != 0 && !region_id_equal(r->regions[r->buckets[b] - 1].id, id))
        b = (b + 1) & r->bucket_mask;
    return b;
}

uint32_t
registry_find_region(const struct registry *r, struct region_id id)
{
    uint32_t entry = r->buckets[bucket_of(r, id)];

    return entry == 0 ? NO_INDEX : entry - 1;
}

/* Doubles the index when it would be more than half full. */
static void
grow_buckets(struct registry *r)
{
    if ((r->region_count + 1) * 2 <= r->bucket_mask)
        return;
    free(r->buckets);
    r->bucket_mask = r->bucket_mask * 2 + 1;
    r->buckets = xcalloc((size_t)r->bucket_mask + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < r->region_slots; i++)
        if (r->regions[i].facts != NULL)
            r->buckets[bucket_of(r, r->regions[i].id)] = i + 1;
}

static uint32_t
take_region_slot(struct registry *r)
{
    uint32_t slot = r->free_region;

    if (slot != NO_INDEX) {
        r->free_region = r->regions[slot].episode;
        return slot;
    }
    slot = r->region_slots++;
    xgrow(&r->regions, &r->region_cap, r->region_slots, sizeof(*r->regions));
    return slot;
}

uint32_t
registry_add_region(struct registry *r, struct region_id id, uint32_t table,
                    uint16_t replica, int64_t mono_ms)
{
    if (r->region_count >= REGIONS_MAX) {
        r->rejected_regions++;
        return NO_INDEX;
    }
    uint32_t slot = take_region_slot(r);
    struct region_facts *facts = region_facts_create(id, r->tables[table].facts,
                                                     replica, NEVER, NULL, 0, NULL, 0);
    r->regions[slot] = (struct region){
        .facts = facts,
        .id = id,
        .replica = replica,
        .table = table,
        .server = NO_INDEX,
        .listed_server = NO_INDEX,
        .twin = NO_INDEX,
        .episode = NO_INDEX,
        .sampled_mono_ms = NEVER,
        .sampled_wall_ms = NEVER,
        .listed_mono_ms = NEVER,
        .first_mono_ms = mono_ms,
        .traffic_mono_ms = mono_ms,
        .paired_from_ms = NEVER,
        .size_bytes = -1,
        .locality = NAN,
        .rate = {NAN, NAN, NAN},
        .newest = {NAN, NAN, NAN},
    };
    r->region_count++;
    r->tables[table].regions++;
    grow_buckets(r);
    r->buckets[bucket_of(r, id)] = slot + 1;
    return slot;
}

/* Empties a bucket and closes the gap that it leaves in its run (Knuth 6.4, R). */
static void
bucket_remove(struct registry *r, uint32_t hole)
{
    uint32_t b = hole;

    for (;;) {
        b = (b + 1) & r->bucket_mask;
        if (r->buckets[b] == 0)
            break;
        struct region_id id = r->regions[r->buckets[b] - 1].id;
        uint32_t home = (uint32_t)region_id_hash(id) & r->bucket_mask;
        if (((b - home) & r->bucket_mask) >= ((b - hole) & r->bucket_mask)) {
            r->buckets[hole] = r->buckets[b];
            hole = b;
        }
    }
    r->buckets[hole] = 0;
}

void
registry_remove_region(struct registry *r, uint32_t slot)
{
    struct region *region = &r->regions[slot];

    assert(region->facts != NULL);
    bucket_remove(r, bucket_of(r, region->id));
    registry_drop_twins(r, slot);
    region_restart_window(r, region);
    history_finish(&region->history, &r->history);
    r->tables[region->table].regions--;
    r->region_count--;
    region->facts = region_facts_unref(region->facts);
    region->server = region->listed_server = NO_INDEX;
    region->episode = r->free_region;
    r->free_region = slot;
}

void
region_restart_window(struct registry *r, struct region *region)
{
    r->window_bytes -= window_bytes(region->window);
    region->window = window_destroy(region->window);
    region->paired_from_ms = NEVER;
    region->advanced = false;
}

bool
region_in_answer(const struct registry *r, const struct region *region)
{
    if (region->server == NO_INDEX || region->sampled_mono_ms == NEVER)
        return false;
    return region->poll == (r->text_only ? r->tables[region->table].listings
                                         : (uint32_t)r->servers[region->server].polls);
}

uint32_t
region_host(const struct registry *r, const struct region *region)
{
    uint32_t host = region->server;

    /* Never sampled: what the listing says is all there is. */
    if (region->sampled_mono_ms != NEVER && !region_in_answer(r, region))
        host = region->listed_mono_ms > region->sampled_mono_ms ? region->listed_server
                                                                : NO_INDEX;
    if (host == NO_INDEX || r->servers[host].dead || r->servers[host].replaced)
        return NO_INDEX;
    return host;
}

struct pair
region_last_pair(const struct region *region)
{
    assert(region->paired_from_ms != NEVER);
    if (region->window != NULL)
        return *window_last(region->window);
    return (struct pair){.end_ms = region->sampled_mono_ms,
                         .dt_ms = region->pair_dt_ms,
                         .valid = region->pair_valid};
}

struct history_past
region_past(const struct registry *r, const struct region *region)
{
    return (struct history_past){
        .server = region->server == NO_INDEX || region->sampled_mono_ms == NEVER
                      ? NULL
                      : &r->servers[region->server].known,
        .first_ms = region->first_mono_ms,
    };
}
