/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/surroundings.h"

#include <math.h>
#include <stdlib.h>

#include "common/alloc.h"

/* ---- sizes ---- */

struct sized {
    uint32_t table;
    int64_t bytes;
};

static int
by_table_and_size(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;

    if (x->table != y->table)
        return x->table < y->table ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Sizes of all regions of tables that have an alert. */
static uint32_t
collect_sizes(struct surroundings *s, const struct registry *r, const bool *wanted,
              struct sized *sizes)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->region_slots; i++) {
        const struct region *region = &r->regions[i];
        if (region->facts == NULL || region->split || !wanted[region->table] ||
            region->size_bytes < 0 || region->replica != 0 || !region_is_judged(region))
            continue;
        struct table_sizes *t = &s->tables[region->table];
        t->bytes += (double)region->size_bytes;
        t->rate += region->rate[ACCESS_TOTAL];
        t->sized++;
        sizes[n++] = (struct sized){region->table, region->size_bytes};
    }
    return n;
}

static void
measure_sizes(struct surroundings *s, const struct registry *r, const bool *wanted)
{
    struct sized *sizes = xcalloc(r->region_slots + 1, sizeof(*sizes));
    uint32_t n = collect_sizes(s, r, wanted, sizes);

    if (n > 1)
        qsort(sizes, n, sizeof(*sizes), by_table_and_size);
    for (uint32_t i = 0; i < n; i += s->tables[sizes[i].table].sized) {
        struct table_sizes *t = &s->tables[sizes[i].table];
        t->median = sizes[i + t->sized / 2].bytes;
    }
    free(sizes);
}

/* ---- servers ---- */

/* Of the regions of a table that no alert is about. */
struct calm {
    uint32_t regions;
    double rate;
};

static bool
is_calm(const struct region *region)
{
    return region->facts != NULL && !region->split && region->server != NO_INDEX &&
           region->episode == NO_INDEX && region->replica == 0 &&
           region_is_judged(region);
}

/* What a region would take if it were like the calm others of its table; NaN alone. */
static double
expected_rate(const struct calm *t, const struct region *region)
{
    return t->regions < 2
               ? NAN
               : fmax(0, t->rate - region->rate[ACCESS_TOTAL]) / (t->regions - 1);
}

static void
measure_others(struct surroundings *s, const struct registry *r)
{
    struct calm *tables = xcalloc(r->table_slots + 1, sizeof(*tables));

    for (uint32_t i = 0; i < r->region_slots; i++) {
        if (!is_calm(&r->regions[i]))
            continue;
        tables[r->regions[i].table].regions++;
        tables[r->regions[i].table].rate += r->regions[i].rate[ACCESS_TOTAL];
    }
    for (uint32_t i = 0; i < r->region_slots; i++) {
        const struct region *region = &r->regions[i];
        if (!is_calm(region))
            continue;
        double expected = expected_rate(&tables[region->table], region);
        if (isnan(expected) || expected + region->rate[ACCESS_TOTAL] <= 0)
            continue;
        struct server_others *o = &s->servers[region->server];
        o->regions++;
        o->rate += region->rate[ACCESS_TOTAL];
        o->expected += expected;
    }
    free(tables);
}

static void
find_quietest(struct surroundings *s, const struct registry *r, int64_t mono_ms)
{
    s->quietest[0] = s->quietest[1] = NO_INDEX;
    for (uint32_t i = 0; i < r->server_slots; i++) {
        double rate = r->servers[i].rate[ACCESS_TOTAL];
        const struct server *server = &r->servers[i];
        /* Unknown is not zero. */
        if (!server_is_live(r, server, mono_ms) || server->judged * 2 < server->regions)
            continue;
        if (s->quietest[0] == NO_INDEX ||
            rate < r->servers[s->quietest[0]].rate[ACCESS_TOTAL]) {
            s->quietest[1] = s->quietest[0];
            s->quietest[0] = i;
        } else if (s->quietest[1] == NO_INDEX ||
                   rate < r->servers[s->quietest[1]].rate[ACCESS_TOTAL]) {
            s->quietest[1] = i;
        }
    }
}

void
surroundings_make(struct surroundings *s, const struct registry *r, int64_t mono_ms)
{
    bool *wanted = xcalloc(r->table_slots + 1, sizeof(*wanted));

    s->tables = xcalloc(r->table_slots + 1, sizeof(*s->tables));
    s->servers = xcalloc(r->server_slots + 1, sizeof(*s->servers));
    for (uint32_t i = 0; i < r->region_slots; i++)
        if (r->regions[i].facts != NULL && r->regions[i].episode != NO_INDEX)
            wanted[r->regions[i].table] = true;
    for (uint32_t i = 0; i < r->table_slots; i++)
        wanted[i] |= r->tables[i].facts != NULL && r->tables[i].episode != NO_INDEX;
    measure_sizes(s, r, wanted);
    measure_others(s, r);
    find_quietest(s, r, mono_ms);
    free(wanted);
}

void
surroundings_finish(struct surroundings *s)
{
    free(s->tables);
    free(s->servers);
    *s = (struct surroundings){0};
}
