/* SPDX-License-Identifier: Apache-2.0 */
/* What never changes about a table, a server and a region: immutable once made, shared
 * by the registry and the snapshots by reference count (atomic, since snapshots are
 * dropped by HTTP threads). */
#ifndef ANALYSIS_FACTS_H
#define ANALYSIS_FACTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/region_id.h"
#include "common/row_key.h"

struct table_facts {
    atomic_uint refs;
    char name[]; /* "ns:table", or "table" in the default namespace */
};

struct server_facts {
    atomic_uint refs;
    int64_t start_code;
    const char *address; /* "host:port" (RPC port), inside text */
    char text[];         /* "host,port,startcode" NUL "host:port" NUL */
};

struct region_facts {
    atomic_uint refs;
    uint16_t replica;
    bool start_known;
    bool end_known;
    uint32_t start_len;
    uint32_t end_len;
    int64_t created_ms; /* from the region name; -1 unknown */
    struct region_id id;
    struct table_facts *table;
    uint8_t keys[]; /* start key, then end key */
};

struct table_facts *table_facts_create(const char *name);
/* text: "host,port,startcode"; cut at the last two commas, so IPv6 hosts do. NULL if it
 * is not of that form. */
struct server_facts *server_facts_create(const char *text);

/* Keys may be NULL: unknown. Takes a reference of its own on table. */
struct region_facts *region_facts_create(struct region_id id, struct table_facts *table,
                                         uint16_t replica, int64_t created_ms,
                                         const void *start, size_t start_len,
                                         const void *end, size_t end_len);

struct table_facts *table_facts_ref(struct table_facts *t);
struct server_facts *server_facts_ref(struct server_facts *s);
struct region_facts *region_facts_ref(struct region_facts *r);
/* Drop a reference; accept NULL; return NULL. */
struct table_facts *table_facts_unref(struct table_facts *t);
struct server_facts *server_facts_unref(struct server_facts *s);
struct region_facts *region_facts_unref(struct region_facts *r);

static inline const uint8_t *
region_start_key(const struct region_facts *r)
{
    return r->keys;
}

static inline const uint8_t *
region_end_key(const struct region_facts *r)
{
    return r->keys + r->start_len;
}

/* Order of the start keys; both must be known. */
static inline int
region_compare_starts(const struct region_facts *a, const struct region_facts *b)
{
    return row_key_compare(region_start_key(a), a->start_len, region_start_key(b),
                           b->start_len);
}

#endif
