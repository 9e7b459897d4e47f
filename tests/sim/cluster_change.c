/* SPDX-License-Identifier: Apache-2.0 */
/* Moves, splits, merges, restarts, failover, as HBase does them: a moved region and,
 * from 2.0 on, daughters start at 0; a region reopened on its own server keeps its
 * request counts from 2.3 on; in 1.x each daughter starts with half of the parent's
 * counts and a merged region with the sum. Source: HRegion.java, HRegionServer.java
 * (removeRegion). */
#include "tests/sim/cluster_priv.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "tests/sim/sample.h"

#define LATER_REGION_ID INT64_C(1700001000000)

/* Gets, scans and so on are never kept when a region opens, request counts sometimes.
 */
static void
reopen(struct region *r, int64_t t, bool keep)
{
    uint64_t read = r->read.count;
    uint64_t write = r->write.count;

    region_restart(r, t);
    if (keep) {
        r->read.count = r->mark = read;
        r->write.count = write;
    }
}

int
cluster_move(struct cluster *c, int64_t t, struct region *r, struct server *to,
             struct problem *p)
{
    struct server *from = r->server;

    if (!from)
        return problem_set(p, "region %s is not open", r->encoded);
    if (!to->endpoint.up)
        return problem_set(p, "server %u is down", to->number);
    server_remove(c, t, from, r);
    reopen(r, t, from == to && c->version != HBASE_1_7);
    server_add(to, r);
    server_regions_changed(c, t, from);
    server_regions_changed(c, t, to);
    c->operations++;
    return 0;
}

/* Half of the sum of both keys, as fractions of n bytes. */
static void
middle_key(const struct region *r, size_t n, uint8_t *ret_key)
{
    unsigned carry = 0;

    for (size_t i = n; i-- > 0;) {
        unsigned low = i < r->start_len ? r->start[i] : 0;
        unsigned high = i < r->end_len ? r->end[i] : r->end_len == 0 ? 255 : 0;

        carry += low + high;
        ret_key[i] = (uint8_t)carry;
        carry >>= 8;
    }
    for (size_t i = 0; i < n; i++) {
        unsigned b = ret_key[i];

        ret_key[i] = (uint8_t)(carry << 7 | b >> 1);
        carry = b & 1;
    }
}

static bool
inside(const struct region *r, const uint8_t *key, size_t len)
{
    return key_compare(r->start, r->start_len, key, len) < 0 &&
           (r->end_len == 0 || key_compare(key, len, r->end, r->end_len) < 0);
}

/* A key in the middle, as short as it can be; the caller frees it. */
static struct split_key
find_middle(const struct region *r)
{
    size_t n = (r->start_len > r->end_len ? r->start_len : r->end_len) + 1;
    struct split_key key = {xmalloc(n), 1};

    middle_key(r, n, key.key);
    while (key.len < n && !inside(r, key.key, key.len))
        key.len++;
    return key;
}

/* Region names must differ from those of regions with the same start key. */
static int64_t
later_id(int64_t t, int64_t above)
{
    return LATER_REGION_ID + t > above ? LATER_REGION_ID + t : above + 1;
}

static void
open_daughter(struct cluster *c, int64_t t, const struct region *parent,
              struct server *s, const struct split_key *start,
              const struct split_key *end, unsigned share)
{
    struct region *r = region_create(c, t, parent->table, start, end,
                                     later_id(t, parent->id), parent->replica);

    region_set_load(c, t, r, flow_rate(&parent->read, t, 0) * share / 1000,
                    flow_rate(&parent->write, t, 0) * share / 1000);
    r->calm_read = parent->calm_read * share / 1000;
    r->calm_write = parent->calm_write * share / 1000;
    r->size = parent->size * share / 1000;
    r->compacted = parent->compacted;
    r->rows_per_scan = parent->rows_per_scan;
    r->draw = draw_copy(&parent->draw);
    if (c->version == HBASE_1_7) {
        r->read.count = r->mark = parent->read.count / 2;
        r->write.count = parent->write.count / 2;
    }
    table_insert(parent->table, r);
    if (s)
        server_add(s, r);
}

/* Takes r from its server and table, keeping it alive; returns the server. */
static struct server *
close_region(struct cluster *c, int64_t t, struct region *r)
{
    struct server *s = r->server;

    r->refs++;
    region_advance(c, t, r);
    if (s) {
        server_remove(c, t, s, r);
        server_regions_changed(c, t, s);
    }
    table_remove(r->table, r);
    return s;
}

static void
split_one(struct cluster *c, int64_t t, struct region *parent,
          const struct split_key *key, unsigned lower)
{
    const struct split_key start = {parent->start, parent->start_len};
    const struct split_key end = {parent->end, parent->end_len};
    struct server *s = close_region(c, t, parent);

    open_daughter(c, t, parent, s, &start, key, lower);
    open_daughter(c, t, parent, s, key, &end, 1000 - lower);
    region_release(parent);
}

/* The replica of r with that number; NULL if there is none. */
static struct region *
find_replica(const struct region *r, unsigned replica)
{
    for (size_t i = 0; i < r->table->count; i++) {
        struct region *other = r->table->regions[i];

        if (other->replica == replica && other->start_len == r->start_len &&
            memcmp(other->start, r->start, r->start_len) == 0)
            return other;
    }
    return NULL;
}

int
cluster_split(struct cluster *c, int64_t t, struct region *r, const uint8_t *key,
              size_t key_len, unsigned lower, struct problem *p)
{
    struct split_key at = {(uint8_t *)key, key_len};
    unsigned replicas = r->table->replicas;
    struct region *siblings[16];

    assert(replicas <= 16 && lower <= 1000);
    if (strcmp(r->table->name, "hbase:meta") == 0)
        return problem_set(p, "hbase:meta cannot be split");
    if (!r->server)
        return problem_set(p, "region %s is not open", r->encoded);
    if (key_len > 0 && !inside(r, key, key_len))
        return problem_set(p, "the split key is not inside region %s", r->encoded);
    if (key_len == 0)
        at = find_middle(r);
    for (unsigned i = 0; i < replicas; i++)
        siblings[i] = find_replica(r, i);
    for (unsigned i = 0; i < replicas; i++)
        if (siblings[i])
            split_one(c, t, siblings[i], &at, lower);
    if (key_len == 0)
        free(at.key);
    c->operations++;
    return 0;
}

static void
merge_one(struct cluster *c, int64_t t, struct region *a, struct region *b)
{
    const struct split_key start = {a->start, a->start_len};
    const struct split_key end = {b->end, b->end_len};
    struct table *table = a->table;
    struct server *s = close_region(c, t, a);
    struct server *other = close_region(c, t, b);
    struct region *r =
        region_create(c, t, table, &start, &end,
                      later_id(t, a->id > b->id ? a->id : b->id), a->replica);

    region_set_load(c, t, r, flow_rate(&a->read, t, 0) + flow_rate(&b->read, t, 0),
                    flow_rate(&a->write, t, 0) + flow_rate(&b->write, t, 0));
    r->calm_read = a->calm_read + b->calm_read;
    r->calm_write = a->calm_write + b->calm_write;
    r->size = a->size + b->size;
    r->rows_per_scan = a->rows_per_scan;
    r->draw = draw_copy(&a->draw);
    if (c->version == HBASE_1_7) {
        r->read.count = r->mark = a->read.count + b->read.count;
        r->write.count = a->write.count + b->write.count;
    }
    table_insert(table, r);
    if (!s)
        s = other;
    if (s)
        server_add(s, r);
    region_release(a);
    region_release(b);
}

int
cluster_merge(struct cluster *c, int64_t t, struct region *a, struct region *b,
              struct problem *p)
{
    struct region *firsts[16], *seconds[16];
    unsigned replicas = a->table->replicas;

    if (a->table != b->table || a->end_len == 0 ||
        key_compare(a->end, a->end_len, b->start, b->start_len) != 0)
        return problem_set(p, "region %s does not end where %s begins", a->encoded,
                           b->encoded);
    for (unsigned i = 0; i < replicas; i++) {
        firsts[i] = find_replica(a, i);
        seconds[i] = find_replica(b, i);
    }
    for (unsigned i = 0; i < replicas; i++)
        if (firsts[i] && seconds[i])
            merge_one(c, t, firsts[i], seconds[i]);
    c->operations++;
    return 0;
}

static void
reassign(struct cluster *c, int64_t t, struct server *s)
{
    while (s->count > 0) {
        struct region *r = s->regions[0];
        struct server *to = cluster_next_server(c);

        server_remove(c, t, s, r);
        region_restart(r, t);
        server_add(to, r);
        server_regions_changed(c, t, to);
    }
}

int
cluster_stop_server(struct cluster *c, int64_t t, struct server *s, bool keep,
                    struct problem *p)
{
    bool others = false;

    if (!s->endpoint.up)
        return problem_set(p, "server %u is down already", s->number);
    for (unsigned i = 0; i < c->server_count; i++)
        others |= &c->servers[i] != s && c->servers[i].endpoint.up;
    s->endpoint.up = false;
    s->dead_code = s->start_code;
    server_forget(s);
    server_thaw(s);
    c->topology++;
    if (!keep && others)
        reassign(c, t, s);
    return 0;
}

void
cluster_start_server(struct cluster *c, int64_t t, struct server *s)
{
    if (s->endpoint.up)
        return;
    s->endpoint.up = true;
    s->dead_code = 0;
    s->start_code = cluster_wall(c, t);
    s->left_calls = s->left_reads = 0;
    for (size_t i = 0; i < s->override_count; i++) {
        s->overrides[i].grown = 0;
        s->overrides[i].since = t;
    }
    s->empty_from = s->empty_until = -1;
    for (size_t i = 0; i < s->count; i++)
        region_restart(s->regions[i], t);
    if (s->count > 0)
        server_regions_changed(c, t, s);
    c->topology++;
}

int
cluster_failover(struct cluster *c, int64_t t, struct problem *p)
{
    struct master *old = NULL;
    struct master *next = NULL;

    for (unsigned i = 0; i < c->master_count; i++) {
        struct master *m = &c->masters[i];

        if (m->active)
            old = m;
        else if (!next && m->endpoint.up)
            next = m;
    }
    if (!next)
        return problem_set(p, "no other master is up");
    if (old) {
        old->active = false;
        old->endpoint.up = false;
        old->active_since = 0;
    }
    next->active = true;
    next->active_since = cluster_wall(c, t);
    next->sample_at = -1;
    return 0;
}

void
cluster_start_master(struct cluster *c, int64_t t, struct master *m)
{
    if (m->endpoint.up)
        return;
    m->endpoint.up = true;
    m->start_code = cluster_wall(c, t);
    m->sample_at = -1;
}
