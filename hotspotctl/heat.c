/* SPDX-License-Identifier: Apache-2.0 */
/* The regions of all inputs. One owner. */
#include "hotspotctl/heat.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/id_map.h"
#include "common/alloc.h"
#include "common/buf.h"
#include "common/intern.h"
#include "hotspotctl/heat_priv.h"

struct heat *
heat_create(void)
{
    struct heat *h = xcalloc(1, sizeof *h);

    h->ids = id_map_create();
    h->tables = intern_create();
    h->servers = intern_create();
    buf_init(&h->keys, UINT32_MAX);
    return h;
}

struct heat *
heat_destroy(struct heat *h)
{
    if (h == NULL)
        return NULL;
    id_map_destroy(h->ids);
    intern_destroy(h->tables);
    intern_destroy(h->servers);
    buf_finish(&h->keys);
    free(h->regions);
    free(h);
    return NULL;
}

/* The row of the region, and whether it was there already. */
static struct heat_region *
region_row(struct heat *h, struct region_id id, bool *ret_seen)
{
    uint32_t row = id_map_add(h->ids, id, (uint32_t)h->count);

    *ret_seen = row < h->count;
    if (!*ret_seen) {
        xgrow(&h->regions, &h->capacity, h->count + 1, sizeof *h->regions);
        h->regions[h->count++] = (struct heat_region){
            .id = id, .server = INTERN_NONE, .rate = {NAN, NAN, NAN}};
    }
    return &h->regions[row];
}

struct sighting {
    uint32_t table, server;
    uint16_t replica;
    uint8_t known;
    uint64_t read, write, total;
    int64_t time_ms, forced_ms;
};

static bool
counter_of(const struct sighting *s, enum access access, uint64_t *ret)
{
    bool both = (s->known & SAMPLE_READ) != 0 && (s->known & SAMPLE_WRITE) != 0;

    switch (access) {
    case ACCESS_READ:
        *ret = s->read;
        return (s->known & SAMPLE_READ) != 0;
    case ACCESS_WRITE:
        *ret = s->write;
        return (s->known & SAMPLE_WRITE) != 0;
    default:
        *ret = both ? s->read + s->write : s->total;
        return both || (s->known & SAMPLE_TOTAL) != 0;
    }
}

/* Rates between what is known of the region and the new sighting. A counter belongs to
 * a region on a server: after a move, a restart or a fall there is none. */
static int
add_sighting(struct heat_region *r, const struct sighting *s, bool seen)
{
    bool before = seen && r->time_ms > 0;
    bool same_place = before && r->server == s->server;
    int64_t passed = s->forced_ms > 0 ? s->forced_ms : s->time_ms - r->time_ms;
    uint8_t known = 0;

    if ((s->known & SAMPLE_INVALID) != 0 || s->known == 0)
        return 0;
    if (before && passed <= 0)
        return -EINVAL;
    for (int a = 0; a < ACCESS_COUNT; a++) {
        uint64_t now;
        r->rate[a] = NAN;
        if (!counter_of(s, a, &now))
            continue;
        if (same_place && (r->known & 1U << a) != 0 && now >= r->counter[a])
            r->rate[a] = (double)(now - r->counter[a]) * 1000 / (double)passed;
        r->counter[a] = now;
        known |= (uint8_t)(1U << a);
    }
    r->known = known;
    r->time_ms = s->time_ms > 0 ? s->time_ms : 1;
    r->server = s->server;
    r->table = s->table;
    r->replica = s->replica;
    return 0;
}

static void
take_key(struct heat *h, const struct listing *l, uint32_t offset, uint32_t len,
         uint32_t *ret_offset, uint32_t *ret_len)
{
    *ret_offset = (uint32_t)h->keys.len;
    *ret_len = len;
    buf_add(&h->keys, l->arena + offset, len);
}

static void
take_keys(struct heat *h, struct heat_region *r, const struct listing *l,
          const struct listing_row *row)
{
    if (row->start_known && !r->start_known) {
        take_key(h, l, row->start_key, row->start_len, &r->start_key, &r->start_len);
        r->start_known = true;
    }
    if (row->end_known && !r->end_known) {
        take_key(h, l, row->end_key, row->end_len, &r->end_key, &r->end_len);
        r->end_known = true;
    }
}

/* Numbers of the listing's names in `all`. */
static uint32_t *
map_names(struct intern *all, char *const *names, size_t count)
{
    uint32_t *numbers = xcalloc(count + 1, sizeof *numbers);

    for (size_t i = 0; i < count; i++)
        numbers[i] = intern_add(all, names[i]);
    return numbers;
}

int
heat_add_listing(struct heat *h, const struct listing *listing, int64_t time_ms,
                 int64_t forced_ms)
{
    uint32_t *tables = map_names(h->tables, listing->tables, listing->table_count);
    uint32_t *servers = map_names(h->servers, listing->servers, listing->server_count);
    int result = 0;

    for (size_t i = 0; i < listing->row_count && result == 0; i++) {
        const struct listing_row *row = &listing->rows[i];
        struct sighting s = {
            .table = tables[row->table],
            .server = row->server == UINT32_MAX ? INTERN_NONE : servers[row->server],
            .replica = row->replica,
            .known = row->known,
            .read = row->read,
            .write = row->write,
            .total = row->total,
            .time_ms = time_ms,
            .forced_ms = forced_ms,
        };
        bool seen;
        struct heat_region *r = region_row(h, row->id, &seen);
        if (!seen)
            r->table = s.table;
        take_keys(h, r, listing, row);
        result = add_sighting(r, &s, seen);
    }
    free(tables);
    free(servers);
    return h->keys.failed ? -ENOMEM : result;
}

int
heat_add_poll(struct heat *h, const struct server_poll *poll, int64_t time_ms,
              int64_t forced_ms)
{
    uint32_t *tables = map_names(h->tables, poll->tables, poll->table_count);
    uint32_t server =
        poll->server != NULL ? intern_add(h->servers, poll->server) : INTERN_NONE;
    int result = 0;

    for (size_t i = 0; i < poll->region_count && result == 0; i++) {
        const struct region_sample *sample = &poll->regions[i];
        struct sighting s = {
            .table = tables[sample->table],
            .server = server,
            .replica = sample->replica,
            .known = sample->known,
            .read = sample->read,
            .write = sample->write,
            .total = sample->total,
            .time_ms = time_ms,
            .forced_ms = forced_ms,
        };
        bool seen;
        struct heat_region *r = region_row(h, sample->id, &seen);
        if (!seen)
            r->table = s.table;
        result = add_sighting(r, &s, seen);
    }
    free(tables);
    return result;
}

const struct heat_region *
heat_region(const struct heat *h, uint32_t region)
{
    return &h->regions[region];
}

size_t
heat_count(const struct heat *h)
{
    return h->count;
}

const char *
heat_table_name(const struct heat *h, uint32_t table)
{
    return intern_text(h->tables, table);
}

const char *
heat_server_name(const struct heat *h, const struct heat_region *r)
{
    return r->server == INTERN_NONE ? NULL : intern_text(h->servers, r->server);
}

struct key
heat_start_key(const struct heat *h, const struct heat_region *r)
{
    return (struct key){(const uint8_t *)h->keys.data + r->start_key, r->start_len};
}

struct key
heat_end_key(const struct heat *h, const struct heat_region *r)
{
    return (struct key){(const uint8_t *)h->keys.data + r->end_key, r->end_len};
}
