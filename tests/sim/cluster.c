/* SPDX-License-Identifier: Apache-2.0 */
/* Tables, servers and masters. The cluster owns them all; dropped tables stay (marked)
 * while old samples still show their regions. One thread. */
#include "tests/sim/cluster_priv.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/md5.h"
#include "tests/sim/sample.h"

/* Creation time in the names of the first regions: fixed, so that the same scenario
 * gives the same encoded names. */
#define FIRST_REGION_ID INT64_C(1700000000000)

enum { FIRST_RPC_PORT = 16020 };

static const char *const version_names[] = {"2.6.4", "2.4.18", "1.7.2"};
static_assert(sizeof(version_names) / sizeof(*version_names) == HBASE_VERSION_COUNT,
              "a name for each version");

const char *const fault_names[FAULT_COUNT] = {
    "ok",        "fails", "hangs",        "slow", "drips",   "garbage",
    "truncates", "empty", "unauthorized", "http", "endless", "closes",
};

const char *
hbase_version_name(enum hbase_version version)
{
    assert(version < HBASE_VERSION_COUNT);
    return version_names[version];
}

int
problem_set(struct problem *p, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(p->text, sizeof(p->text), format, args);
    va_end(args);
    return -EINVAL;
}

void
cluster_init(struct cluster *c)
{
    *c = (struct cluster){
        .version = HBASE_2_6,
        .cache = 10000,
        .heartbeat = 3000,
        .empty_for = 500,
        .empty_after = 5000,
        .empty_every = 300000,
        .speed = 1000,
        .handlers = 30,
        .random = 1,
        .chance = 1,
        .reported_at = -1,
    };
    c->name = xstrdup("sim");
}

static void
table_destroy(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        region_release(table->regions[i]);
    free(table->regions);
    free(table->name);
    free(table->ns);
    free(table->family);
    free(table);
}

void
cluster_finish(struct cluster *c)
{
    for (unsigned i = 0; i < c->server_count; i++) {
        struct server *s = &c->servers[i];

        server_forget(s);
        server_thaw(s);
        while (s->override_count > 0)
            server_override(s, s->overrides[0].attribute, NULL);
        free(s->overrides);
        free(s->shown);
        free(s->frozen);
        free(s->regions);
    }
    for (unsigned i = 0; i < c->master_count; i++) {
        free(c->masters[i].live);
        free(c->masters[i].dead);
    }
    for (size_t i = 0; i < c->table_count; i++)
        table_destroy(c->tables[i]);
    free(c->tables);
    free(c->servers);
    free(c->masters);
    free(c->name);
}

int64_t
cluster_wall(const struct cluster *c, int64_t t)
{
    return c->start_wall + t * 1000 / (int64_t)c->speed;
}

uint64_t
random_below(uint64_t *state, uint64_t n)
{
    /* Xorshift64* (Vigna 2016). */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * UINT64_C(0x2545F4914F6CDD1D) >> 33) % n;
}

const char *
server_name(const struct server *s, char text[static SERVER_NAME_SIZE])
{
    snprintf(text, SERVER_NAME_SIZE, "%s,%u,%" PRId64, s->endpoint.address, s->rpc_port,
             s->start_code);
    return text;
}

const char *
master_name(const struct master *m, char text[static SERVER_NAME_SIZE])
{
    snprintf(text, SERVER_NAME_SIZE, "%s,%u,%" PRId64, m->endpoint.address,
             15999 + m->number, m->start_code);
    return text;
}

struct table *
cluster_table(const struct cluster *c, const char *name)
{
    for (size_t i = 0; i < c->table_count; i++)
        if (!c->tables[i]->dropped && strcmp(c->tables[i]->name, name) == 0)
            return c->tables[i];
    return NULL;
}

int
key_compare(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
    size_t common = a_len < b_len ? a_len : b_len;
    int order = common > 0 ? memcmp(a, b, common) : 0;

    if (order != 0)
        return order < 0 ? -1 : 1;
    return a_len == b_len ? 0 : a_len < b_len ? -1 : 1;
}

static int
region_order(const struct region *a, const struct region *b)
{
    int order = key_compare(a->start, a->start_len, b->start, b->start_len);

    return order != 0 ? order : (int)a->replica - (int)b->replica;
}

void
table_insert(struct table *table, struct region *r)
{
    size_t at = table->count;

    xgrow(&table->regions, &table->cap, table->count + 1, sizeof(struct region *));
    while (at > 0 && region_order(table->regions[at - 1], r) > 0) {
        table->regions[at] = table->regions[at - 1];
        at--;
    }
    table->regions[at] = r;
    table->count++;
}

void
table_remove(struct table *table, struct region *r)
{
    size_t at = 0;

    while (table->regions[at] != r)
        at++;
    table->count--;
    memmove(&table->regions[at], &table->regions[at + 1],
            (table->count - at) * sizeof(struct region *));
    region_release(r);
}

void
server_add(struct server *s, struct region *r)
{
    assert(!r->server);
    xgrow(&s->regions, &s->cap, s->count + 1, sizeof(struct region *));
    s->regions[s->count++] = r;
    r->server = s;
}

void
server_remove(const struct cluster *c, int64_t t, struct server *s, struct region *r)
{
    size_t at = 0;

    assert(r->server == s);
    region_advance(c, t, r);
    s->left_calls += region_gets(r) + region_scans(r) + r->write.count;
    s->left_reads += r->read.count;
    while (s->regions[at] != r)
        at++;
    s->count--;
    memmove(&s->regions[at], &s->regions[at + 1],
            (s->count - at) * sizeof(struct region *));
    r->server = NULL;
}

struct server *
cluster_next_server(struct cluster *c)
{
    for (unsigned tried = 0; tried < c->server_count; tried++) {
        struct server *s = &c->servers[c->next_server++ % c->server_count];

        if (s->endpoint.up)
            return s;
    }
    return NULL;
}

/* Legal characters of HBase's TableName.java; bytes from 0x80 up stand for letters. */
static bool
name_ok(const char *s, size_t len, bool qualifier)
{
    if (len == 0 || (qualifier && (s[0] == '-' || s[0] == '.')))
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned char b = (unsigned char)s[i];
        bool letter = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') ||
                      (b >= '0' && b <= '9') || b == '_' || b >= 0x80;

        if (!letter && !(qualifier && (b == '-' || b == '.')))
            return false;
    }
    return true;
}

/* Frees dropped tables of which no sample shows a region any more. */
static void
bury_tables(struct cluster *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->table_count; i++) {
        if (c->tables[i]->dropped && c->tables[i]->alive == 0)
            table_destroy(c->tables[i]);
        else
            c->tables[kept++] = c->tables[i];
    }
    c->table_count = kept;
}

static struct table *
table_create(struct cluster *c, const char *name, const struct table *model)
{
    const char *colon = strchr(name, ':');
    struct table *table = xcalloc(1, sizeof(*table));
    char *ns = colon ? xmemdup0(name, (size_t)(colon - name)) : xstrdup("default");

    *table = *model;
    table->name = xstrdup(name);
    table->ns = ns;
    table->qualifier = table->name + (colon ? colon - name + 1 : 0);
    table->family = xstrdup(strcmp(ns, "hbase") == 0 ? "info" : "d");
    table->regions = NULL;
    table->count = table->cap = table->alive = 0;
    table->dropped = false;
    xgrow(&c->tables, &c->table_cap, c->table_count + 1, sizeof(struct table *));
    c->tables[c->table_count++] = table;
    return table;
}

/* The region between two split points on each replica's server. */
static void
create_regions(struct cluster *c, int64_t t, struct table *table,
               const struct split_key *start, const struct split_key *end,
               struct server *first)
{
    int64_t id = FIRST_REGION_ID + t;

    for (unsigned replica = 0; replica < table->replicas; replica++) {
        unsigned number = first->number - 1 + replica;
        struct server *s = &c->servers[number % c->server_count];
        struct region *r = region_create(c, t, table, start, end, id, replica);

        /* Secondary replicas take a tenth of the reads. */
        region_set_load(c, t, r, replica == 0 ? table->read : table->read / 10,
                        table->write);
        table_insert(table, r);
        server_add(s, r);
        if (t > 0)
            server_regions_changed(c, t, s);
    }
}

static int
check_new_table(const struct cluster *c, const char *name, const struct split_key *keys,
                size_t key_count, struct problem *p)
{
    const char *colon = strchr(name, ':');
    const char *qualifier = colon ? colon + 1 : name;

    if ((colon && !name_ok(name, (size_t)(colon - name), false)) ||
        !name_ok(qualifier, strlen(qualifier), true))
        return problem_set(p, "'%s' is no table name", name);
    if (cluster_table(c, name))
        return problem_set(p, "table %s exists already", name);
    for (size_t i = 0; i < key_count; i++)
        if (keys[i].len == 0 || (i > 0 && key_compare(keys[i - 1].key, keys[i - 1].len,
                                                      keys[i].key, keys[i].len) >= 0))
            return problem_set(p, "split key %zu of table %s is empty or there twice",
                               i + 1, name);
    return 0;
}

int
cluster_create_table(struct cluster *c, int64_t t, const char *name,
                     const struct table *model, const struct split_key *keys,
                     size_t key_count, const unsigned *on, size_t on_count,
                     struct problem *p)
{
    static const struct split_key open;
    struct table *table;
    int r = check_new_table(c, name, keys, key_count, p);

    if (r < 0)
        return r;
    for (size_t i = 0; i < on_count; i++)
        if (on[i] == 0 || on[i] > c->server_count || !c->servers[on[i] - 1].endpoint.up)
            return problem_set(p, "there is no live server %u", on[i]);
    if (!cluster_next_server(c))
        return problem_set(p, "no server is up");
    c->next_server--;
    bury_tables(c);
    table = table_create(c, name, model);
    for (size_t i = 0; i <= key_count; i++) {
        struct server *s =
            on_count > 0 ? &c->servers[on[i % on_count] - 1] : cluster_next_server(c);

        create_regions(c, t, table, i > 0 ? &keys[i - 1] : &open,
                       i < key_count ? &keys[i] : &open, s);
    }
    return 0;
}

void
cluster_drop_table(struct cluster *c, int64_t t, struct table *table)
{
    while (table->count > 0) {
        struct region *r = table->regions[table->count - 1];
        struct server *s = r->server;

        if (s) {
            server_remove(c, t, s, r);
            server_regions_changed(c, t, s);
        }
        table_remove(table, r);
    }
    table->dropped = true;
}

/* "b4a0b1e9-7ee0-4c86-9dd7-ba8be3f711cd", from the cluster's name. */
static void
set_cluster_id(struct cluster *c)
{
    uint8_t d[16];

    md5_bytes(c->name, strlen(c->name), d);
    snprintf(c->id, sizeof(c->id),
             "%02x%02x%02x%02x-%02x%02x-4%x%02x-9%x%02x-%02x%02x%02x%02x%02x%02x", d[0],
             d[1], d[2], d[3], d[4], d[5], d[6] & 15, d[7], d[8] & 15, d[9], d[10],
             d[11], d[12], d[13], d[14], d[15]);
}

static void
start_servers(struct cluster *c)
{
    for (unsigned i = 0; i < c->server_count; i++) {
        struct server *s = &c->servers[i];
        unsigned host = c->by_host ? i + 2 : 1;

        s->number = i + 1;
        snprintf(s->endpoint.address, sizeof(s->endpoint.address), "127.0.%u.%u",
                 host / 250, host % 250);
        s->endpoint.up = true;
        s->rpc_port = FIRST_RPC_PORT + (c->by_host ? 0 : s->number);
        s->start_code = c->start_wall - 60000 + i;
        s->sample_at = -1;
        s->empty_from = s->empty_until = -1;
    }
}

static void
start_masters(struct cluster *c)
{
    for (unsigned i = 0; i < c->master_count; i++) {
        struct master *m = &c->masters[i];

        m->number = i + 1;
        snprintf(m->endpoint.address, sizeof(m->endpoint.address), "127.0.0.1");
        m->endpoint.up = true;
        m->active = i == 0;
        m->start_code = c->start_wall - 62000 + i;
        m->active_since = m->active ? m->start_code + 4000 : 0;
        m->sample_at = -1;
    }
}

void
cluster_start(struct cluster *c, unsigned servers, unsigned masters)
{
    const struct table meta = {
        .replicas = 1, .read = 400, .write = 50, .compacted = COMPACTED_NEVER};
    const struct table namespaces = {
        .replicas = 1, .read = 20, .write = 0, .compacted = COMPACTED_NEVER};
    struct problem p;

    assert(servers > 0 && masters > 0);
    c->servers = xcalloc(servers, sizeof(*c->servers));
    c->server_count = servers;
    c->masters = xcalloc(masters, sizeof(*c->masters));
    c->master_count = masters;
    set_cluster_id(c);
    start_servers(c);
    start_masters(c);
    (void)cluster_create_table(c, 0, "hbase:meta", &meta, NULL, 0, NULL, 0, &p);
    (void)cluster_create_table(c, 0, "hbase:namespace", &namespaces, NULL, 0, NULL, 0,
                               &p);
}
