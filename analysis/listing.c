/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a listing into the registry. A listing is applied whole; nothing of it is
 * kept. Runs in the engine's thread. */
#include "analysis/listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sampling.h"
#include "common/alloc.h"

/* ---- keys and places ---- */

/* A key of a region: from the row if it knows it, else what was known. */
struct known_key {
    const void *bytes; /* NULL: unknown */
    size_t len;
};

static struct known_key
better_key(bool row_knows, const char *row_key, size_t row_len, bool known,
           const uint8_t *key, size_t len)
{
    if (row_knows)
        return (struct known_key){row_key, row_len};
    return (struct known_key){known ? key : NULL, len};
}

/* The arena is NULL where all keys are empty. */
static const char *
arena_key(const struct listing *l, uint32_t at)
{
    return l->arena == NULL ? "" : l->arena + at;
}

/* True if the row says what the facts do not. */
static bool
row_teaches(const struct region_facts *f, const struct listing_row *row,
            const struct table_facts *table)
{
    return (row->start_known && !f->start_known) || (row->end_known && !f->end_known) ||
           (row->created_ms >= 0 && f->created_ms != row->created_ms) ||
           f->replica != row->replica || f->table != table;
}

/* Facts are immutable: better ones take their place. The table is certain in a listing,
 * a guess in a JMX name. */
static void
learn_facts(struct registry *r, struct region *region, const struct listing *l,
            const struct listing_row *row)
{
    struct region_facts *f = region->facts;
    struct table_facts *table = r->tables[region->table].facts;

    if (!row_teaches(f, row, table))
        return;
    struct known_key start =
        better_key(row->start_known, arena_key(l, row->start_key), row->start_len,
                   f->start_known, region_start_key(f), f->start_len);
    struct known_key end =
        better_key(row->end_known, arena_key(l, row->end_key), row->end_len,
                   f->end_known, region_end_key(f), f->end_len);
    region->facts =
        region_facts_create(f->id, table, row->replica,
                            row->created_ms >= 0 ? row->created_ms : f->created_ms,
                            start.bytes, start.len, end.bytes, end.len);
    region->replica = row->replica;
    region_facts_unref(f);
}

static void
correct_table(struct registry *r, struct region *region, uint32_t table)
{
    if (region->table == table)
        return;
    r->tables[region->table].regions--;
    r->tables[table].regions++;
    region->table = table;
}

/* A region that is on no server is where the listing has it; counters of its server
 * before are no baseline there. */
static void
learn_place(struct registry *r, struct region *region, uint32_t server)
{
    region->listed_server = server;
    if (region->server != NO_INDEX || server == NO_INDEX)
        return;
    region_restart_window(r, region);
    region->known = 0;
    region->server = server;
    region->poll = (uint32_t)r->servers[server].polls - 1; /* not in an answer of it */
}

static void
learn_row(struct registry *r, const struct listing *l, const struct listing_row *row,
          uint32_t table, uint32_t server)
{
    uint32_t slot = registry_find_region(r, row->id);

    if (slot == NO_INDEX) {
        slot =
            registry_add_region(r, row->id, table, row->replica, l->received.mono_ms);
        if (slot == NO_INDEX)
            return;
        r->regions[slot].born = r->tables[table].listed_ms != NEVER;
    }
    struct region *region = &r->regions[slot];
    correct_table(r, region, table);
    learn_facts(r, region, l, row);
    learn_place(r, region, server);
    region->listed_mono_ms = l->received.mono_ms;
    region->in_transition = row->in_transition;
    if (row->size_bytes >= 0)
        region->size_bytes = row->size_bytes;
    if (row->locality >= 0 && row->locality <= 1)
        region->locality = (float)row->locality;
}

static uint32_t
heard_server(struct registry *r, const char *name, int64_t mono_ms)
{
    uint32_t slot = registry_server(r, name, mono_ms);

    if (slot != NO_INDEX && r->servers[slot].heard_mono_ms < mono_ms)
        r->servers[slot].heard_mono_ms = mono_ms;
    return slot;
}

void
listing_learn(struct registry *r, const struct listing *l)
{
    int64_t now = l->received.mono_ms;
    uint32_t *tables = xcalloc(l->table_count, sizeof(*tables));
    uint32_t *servers = xcalloc(l->server_count, sizeof(*servers));

    for (size_t i = 0; i < l->table_count; i++)
        tables[i] = registry_table(r, l->tables[i]);
    for (size_t i = 0; i < l->server_count; i++)
        servers[i] = heard_server(r, l->servers[i], now);
    for (size_t i = 0; i < l->row_count; i++) {
        const struct listing_row *row = &l->rows[i];
        learn_row(r, l, row, tables[row->table],
                  row->server == UINT32_MAX ? NO_INDEX : servers[row->server]);
    }
    for (size_t i = 0; i < l->table_count; i++) {
        struct table *t = &r->tables[tables[i]];
        t->listed_ms = now;
        if (t->first_listed_ms == NEVER)
            t->first_listed_ms = now;
    }
    if (l->whole_cluster)
        r->whole_listing_ms = now;
    free(tables);
    free(servers);
}

/* ---- samples ---- */

enum { HOUR_MS = 60 * 60 * 1000 };

/* Time between a table's last listing and this one, by the data's own times unless they
 * went back or leapt; 0: the same data again. */
static int64_t
listing_elapsed(const struct registry *r, const struct table *t,
                const struct listing *l)
{
    int64_t theirs = l->as_of_ms - t->as_of_ms;
    int64_t ours = l->received.mono_ms - t->sampled_mono_ms;
    int64_t slack = 2 * r->config->topology.interval_ms;

    if (theirs == 0 || ours < 0)
        return 0;
    if (slack < HOUR_MS)
        slack = HOUR_MS;
    return theirs < 0 || theirs - ours > slack ? ours : theirs;
}

/* Accepts the listing for one of its tables. */
static bool
accept_listing(struct registry *r, struct table *t, const struct listing *l,
               int64_t *dt_max_ms)
{
    int64_t dt_ms = 0;

    if (t->listings > 0) {
        dt_ms = listing_elapsed(r, t, l);
        if (dt_ms <= 0)
            return false;
    }
    t->listings++;
    t->clock_ms += dt_ms;
    t->as_of_ms = l->as_of_ms;
    t->sampled_mono_ms = l->received.mono_ms;
    if (dt_ms > *dt_max_ms)
        *dt_max_ms = dt_ms;
    return true;
}

/* One extra listing in between does not make the others late. */
static void
note_cadence(struct registry *r, int64_t dt_ms)
{
    if (dt_ms == 0)
        return;
    r->cadence_ms = dt_ms > r->listing_dt_ms ? dt_ms : r->listing_dt_ms;
    r->listing_dt_ms = dt_ms;
}

static void
note_listed_servers(struct registry *r, const struct listing *l)
{
    for (size_t i = 0; i < l->server_count; i++) {
        uint32_t slot = registry_find_server(r, l->servers[i]);
        if (slot == NO_INDEX)
            continue;
        struct server *s = &r->servers[slot];
        s->up = true;
        s->dead = false;
        s->polls++;
        s->answered_mono_ms = s->sampled_mono_ms = l->received.mono_ms;
        s->answered_wall_ms = l->received.wall_ms;
        if (s->replaced)
            registry_claim_address(r, slot, l->received.mono_ms);
    }
}

static void
sample_row(struct registry *r, const struct listing *l, const struct listing_row *row,
           uint32_t table, struct engine_counters *counters)
{
    uint32_t server = row->server == UINT32_MAX
                          ? NO_INDEX
                          : registry_find_server(r, l->servers[row->server]);
    uint32_t region = registry_find_region(r, row->id);

    if (server == NO_INDEX || region == NO_INDEX || row->known == 0)
        return;
    const struct table *t = &r->tables[table];
    struct answer answer = {r, counters, server, t->listings, t->clock_ms, l->received};
    struct region_sample sample = {.id = row->id,
                                   .read = row->read,
                                   .write = row->write,
                                   .total = row->total,
                                   .known = row->known,
                                   .replica = row->replica};
    counters->invalid_samples += (row->known & SAMPLE_INVALID) != 0;
    sampling_apply_sample(&answer, region, &sample);
}

void
listing_sample(struct registry *r, const struct listing *l,
               struct engine_counters *counters)
{
    uint32_t *accepted = xcalloc(l->table_count, sizeof(*accepted));
    bool any = false;
    int64_t dt_max_ms = 0;

    for (size_t i = 0; i < l->table_count; i++) {
        uint32_t slot = registry_find_table(r, l->tables[i]);
        accepted[i] = NO_INDEX;
        if (slot == NO_INDEX || !accept_listing(r, &r->tables[slot], l, &dt_max_ms))
            continue;
        accepted[i] = slot;
        any = true;
    }
    if (any) {
        note_cadence(r, dt_max_ms);
        note_listed_servers(r, l);
        for (size_t i = 0; i < l->row_count; i++)
            if (accepted[l->rows[i].table] != NO_INDEX)
                sample_row(r, l, &l->rows[i], accepted[l->rows[i].table], counters);
    } else {
        counters->repeated_polls++;
    }
    free(accepted);
}
