/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of the counters as JMX shows them. A sample holds references to its regions
 * and copies of their values; the server owns it. Rules: Hadoop
 * MetricsSourceAdapter.java (cache), HBase JmxCacheBuster.java (vanishing beans). */
#include "tests/sim/sample.h"

#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/buf.h"
#include "tests/sim/cluster_priv.h"

enum {
    STAGGER_MS = 7000,      /* between the servers' regular empty moments */
    CALLS_A_HANDLER = 1000, /* a second */
};

/* The regular empty moment: does t fall into it, and when did the last one end? */
static bool
regular_empty(const struct cluster *c, int64_t t, const struct server *s,
              int64_t *ret_end)
{
    int64_t since = t - (int64_t)(s->number - 1) * STAGGER_MS;

    *ret_end = -1;
    if (c->empty_every == 0 || since < c->empty_every)
        return false;
    *ret_end = t - since % c->empty_every + c->empty_for;
    return t < *ret_end;
}

void
server_regions_changed(const struct cluster *c, int64_t t, struct server *s)
{
    if (c->empty_for == 0 || t < s->empty_until)
        return; /* one restart of the metrics system serves a burst of changes */
    s->empty_from = t + c->empty_after;
    s->empty_until = s->empty_from + c->empty_for;
}

static void
release_all(struct shown *shown, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        region_release(shown[i].region);
    *count = 0;
}

void
server_forget(struct server *s)
{
    release_all(s->shown, &s->shown_count);
    s->sample_at = -1;
    s->generation++;
}

void
server_thaw(struct server *s)
{
    release_all(s->frozen, &s->frozen_count);
    s->generation++;
}

static struct shown
show(struct cluster *c, int64_t t, struct region *r)
{
    int64_t wall = cluster_wall(c, t);

    region_advance(c, t, r);
    r->refs++;
    return (struct shown){
        .region = r,
        .read = r->read.count,
        .write = r->write.count,
        .gets = region_gets(r),
        .scans = region_scans(r),
        .compaction_age = r->compacted == COMPACTED_NEVER
                              ? wall
                              : wall - cluster_wall(c, r->compacted),
    };
}

uint64_t
region_memstore(const struct region *r, uint64_t writes)
{
    (void)r;
    return writes * 190 % (UINT64_C(128) << 20); /* a flush each 128 MiB */
}

static void
sum_up(struct cluster *c, int64_t t, struct server *s)
{
    struct server_sums sums = {
        .regions = s->count, .calls = s->left_calls, .blocks = s->left_reads};
    double calls;

    for (size_t i = 0; i < s->shown_count; i++) {
        const struct shown *shown = &s->shown[i];
        const struct region *r = shown->region;

        sums.read += shown->read;
        sums.blocks += shown->read;
        sums.write += shown->write;
        sums.gets += shown->gets;
        sums.scans += shown->scans;
        sums.calls += shown->gets + shown->scans + shown->write;
        sums.files += r->size > 0;
        sums.size += r->size;
        sums.memstore += region_memstore(r, shown->write);
        sums.read_rate += (double)flow_rate(&r->read, t, c->noise) / 1000;
        sums.write_rate += (double)flow_rate(&r->write, t, c->noise) / 1000;
    }
    calls = (sums.read_rate + sums.write_rate) / CALLS_A_HANDLER;
    sums.handlers = calls > c->handlers ? c->handlers : (uint64_t)calls;
    sums.queue = calls > c->handlers ? (uint64_t)(calls - c->handlers) : 0;
    s->sums = sums;
}

static void
take_sample(struct cluster *c, int64_t t, struct server *s)
{
    server_forget(s);
    xgrow(&s->shown, &s->shown_cap, s->count, sizeof(struct shown));
    for (size_t i = 0; i < s->count; i++)
        s->shown[s->shown_count++] = show(c, t, s->regions[i]);
    s->sample_at = t;
    s->sample_wall = cluster_wall(c, t);
    sum_up(c, t, s);
}

/* Without a cache, two samples may be of the same millisecond. */
static bool
stale(const struct cluster *c, int64_t t, int64_t sample_at)
{
    return sample_at < 0 || c->cache == 0 || t - sample_at > c->cache;
}

bool
server_refresh(struct cluster *c, int64_t t, struct server *s)
{
    int64_t regular_end;
    bool regular = regular_empty(c, t, s, &regular_end);
    bool empty = regular || (t >= s->empty_from && t < s->empty_until);
    bool emptied = (s->empty_until > s->sample_at && t >= s->empty_until) ||
                   regular_end > s->sample_at;

    if (empty != s->was_empty)
        s->generation++;
    s->was_empty = empty;
    if (empty)
        return false;
    if (stale(c, t, s->sample_at) || emptied)
        take_sample(c, t, s);
    return true;
}

void
server_freeze(struct cluster *c, int64_t t, struct server *s, struct region *r)
{
    xgrow(&s->frozen, &s->frozen_cap, s->frozen_count + 1, sizeof(struct shown));
    s->frozen[s->frozen_count++] = show(c, t, r);
    s->generation++;
}

static char *
list_servers(const struct cluster *c, bool live, unsigned *ret_count)
{
    char name[SERVER_NAME_SIZE];
    struct buf list;
    size_t length;

    buf_init(&list, 0);
    *ret_count = 0;
    for (unsigned i = 0; i < c->server_count; i++) {
        struct server s = c->servers[i];

        if (live ? !s.endpoint.up : s.dead_code == 0)
            continue;
        if (!live)
            s.start_code = s.dead_code;
        buf_addf(&list, "%s%s", *ret_count > 0 ? ";" : "", server_name(&s, name));
        ++*ret_count;
    }
    buf_addc(&list, '\0');
    return buf_steal(&list, &length);
}

/* Sums over all regions, as the heartbeats brought them. */
static void
count_requests(const struct cluster *c, struct master *m)
{
    m->requests = 0;
    m->region_count = 0;
    for (unsigned i = 0; i < c->server_count; i++) {
        const struct server *s = &c->servers[i];

        m->region_count += s->endpoint.up ? s->count : 0;
        for (size_t k = 0; k < s->count; k++)
            m->requests += s->regions[k]->reported_read + s->regions[k]->reported_write;
    }
}

void
master_refresh(struct cluster *c, int64_t t, struct master *m)
{
    if (!stale(c, t, m->sample_at))
        return;
    m->sample_at = t;
    m->generation++;
    m->shown_active = m->active;
    free(m->live);
    free(m->dead);
    m->live = list_servers(c, true, &m->live_count);
    m->dead = list_servers(c, false, &m->dead_count);
    cluster_heartbeat(c, t);
    count_requests(c, m);
}

void
cluster_heartbeat(struct cluster *c, int64_t t)
{
    if (c->reported_at >= 0 && t - c->reported_at < c->heartbeat)
        return;
    c->reported_before = c->reported_at < 0 ? t - c->heartbeat : c->reported_at;
    c->reported_at = t;
    c->reports++;
    for (size_t i = 0; i < c->table_count; i++) {
        for (size_t k = 0; k < c->tables[i]->count; k++) {
            struct region *r = c->tables[i]->regions[k];

            region_advance(c, t, r);
            r->reported_read = r->read.count;
            r->reported_write = r->write.count;
        }
    }
}

static struct override *
find_override(struct server *s, const char *attribute)
{
    for (size_t i = 0; i < s->override_count; i++)
        if (strcmp(s->overrides[i].attribute, attribute) == 0)
            return &s->overrides[i];
    return NULL;
}

static struct override *
add_override(struct server *s, const char *attribute)
{
    xgrow(&s->overrides, &s->override_cap, s->override_count + 1,
          sizeof(struct override));
    s->overrides[s->override_count] =
        (struct override){.attribute = xstrdup(attribute)};
    return &s->overrides[s->override_count++];
}

void
server_override(struct server *s, const char *attribute, const char *value)
{
    struct override *old = find_override(s, attribute);

    s->generation++;
    if (old) {
        free(old->attribute);
        free(old->value);
        *old = s->overrides[--s->override_count];
    }
    if (value)
        add_override(s, attribute)->value = xstrdup(value);
}

uint64_t
override_grown(const struct override *o, int64_t t)
{
    int64_t elapsed = t > o->since ? t - o->since : 0;

    return o->grown + (uint64_t)elapsed * o->growth / 1000000;
}

void
server_grow(struct server *s, int64_t t, const char *attribute, uint64_t growth)
{
    struct override *o = find_override(s, attribute);

    s->generation++;
    if (!o || o->value) {
        server_override(s, attribute, NULL);
        o = add_override(s, attribute);
    }
    o->grown = override_grown(o, t);
    o->growth = growth;
    o->since = t;
}
