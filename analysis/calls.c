/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of operation counters. A plain array: regions of alerts are few. */
#include "analysis/calls.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/sampling.h"
#include "common/alloc.h"

void
calls_finish(struct calls *c)
{
    free(c->regions);
    *c = (struct calls){0};
}

static struct region_calls *
find(const struct calls *c, struct region_id id)
{
    for (size_t i = 0; i < c->count; i++)
        if (region_id_equal(c->regions[i].id, id))
            return &c->regions[i];
    return NULL;
}

static struct region_calls *
add(struct calls *c, struct region_id id)
{
    if (c->count == CALLS_REGIONS_MAX)
        return NULL;
    xgrow(&c->regions, &c->cap, c->count + 1, sizeof(*c->regions));
    struct region_calls *r = &c->regions[c->count++];
    *r = (struct region_calls){.id = id, .pair_ms = -1, .mono_ms = -1};
    r->rows_per_call = r->gets_rate = r->scans_rate = r->rows_rate = NAN;
    return r;
}

/* The counters of one pair; a pair without calls tells nothing. */
static void
pair(struct region_calls *r, const struct operation_sample *o, int64_t mono_ms)
{
    double dt = (double)(mono_ms - r->mono_ms) / 1000;

    if (o->read < r->newest.read || o->write < r->newest.write ||
        o->gets < r->newest.gets || o->scans < r->newest.scans || dt <= 0 ||
        dt * 1000 > CALLS_PAIR_MAX_MS)
        return;
    double gets = (double)(o->gets - r->newest.gets);
    double scans = (double)(o->scans - r->newest.scans);
    double writes = (double)(o->write - r->newest.write);
    double reads = (double)(o->read - r->newest.read);
    double rows = fmax(0, reads - gets - writes);
    if (gets + scans <= 0 ||
        fmax(fmax(reads, writes), fmax(gets, scans)) / dt > RATE_IMPLAUSIBLE)
        return;
    r->rows_per_call = rows / (gets + scans);
    r->gets_rate = gets / dt;
    r->scans_rate = scans / dt;
    r->rows_rate = rows / dt;
    r->pair_ms = mono_ms;
}

void
calls_apply(struct calls *c, uint32_t server, int64_t start_code,
            const struct server_detail *detail)
{
    int64_t now = detail->received.mono_ms;

    for (size_t i = 0; i < detail->operation_count; i++) {
        const struct operation_sample *o = &detail->operations[i];
        struct region_calls *r = find(c, o->id);
        if (r == NULL)
            r = add(c, o->id);
        if (r == NULL || (r->mono_ms >= now))
            continue;
        if (r->mono_ms >= 0 && r->server == server && r->start_code == start_code)
            pair(r, o, now);
        r->server = server;
        r->start_code = start_code;
        r->newest = *o;
        r->mono_ms = now;
    }
}

void
calls_expire(struct calls *c, int64_t mono_ms)
{
    for (size_t i = c->count; i-- > 0;)
        if (mono_ms - c->regions[i].mono_ms > CALLS_KEPT_MS)
            c->regions[i] = c->regions[--c->count];
}

const struct region_calls *
calls_find(const struct calls *c, struct region_id id)
{
    const struct region_calls *r = find(c, id);

    return r != NULL && r->pair_ms >= 0 ? r : NULL;
}
