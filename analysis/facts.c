/* SPDX-License-Identifier: Apache-2.0 */
/* Immutable, reference-counted descriptions. Made by the engine's thread, released by
 * any: the last reference frees. */
#include "analysis/facts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/parse.h"

struct table_facts *
table_facts_create(const char *name)
{
    size_t size = strlen(name) + 1;
    struct table_facts *t = xmalloc(sizeof(*t) + size);

    atomic_init(&t->refs, 1);
    memcpy(t->name, name, size);
    return t;
}

/* The last comma before `end`, or NULL. */
static const char *
comma_before(const char *text, const char *end)
{
    return memrchr(text, ',', (size_t)(end - text));
}

struct server_facts *
server_facts_create(const char *text)
{
    size_t len = strlen(text);
    const char *code = comma_before(text, text + len);
    const char *port = code == NULL ? NULL : comma_before(text, code);
    int64_t start_code;

    if (port == NULL || port == text || port + 1 == code ||
        parse_i64(code + 1, len - (size_t)(code + 1 - text), &start_code) < 0)
        return NULL;

    size_t address_len = (size_t)(code - text);
    struct server_facts *s = xmalloc(sizeof(*s) + len + 1 + address_len + 1);
    char *address = s->text + len + 1;
    atomic_init(&s->refs, 1);
    s->start_code = start_code;
    s->address = address;
    memcpy(s->text, text, len + 1);
    memcpy(address, text, address_len);
    address[port - text] = ':';
    address[address_len] = '\0';
    return s;
}

struct region_facts *
region_facts_create(struct region_id id, struct table_facts *table, uint16_t replica,
                    int64_t created_ms, const void *start, size_t start_len,
                    const void *end, size_t end_len)
{
    start_len = start == NULL ? 0 : start_len;
    end_len = end == NULL ? 0 : end_len;

    struct region_facts *r = xmalloc(sizeof(*r) + start_len + end_len);
    *r = (struct region_facts){
        .replica = replica,
        .start_known = start != NULL,
        .end_known = end != NULL,
        .start_len = (uint32_t)start_len,
        .end_len = (uint32_t)end_len,
        .created_ms = created_ms,
        .id = id,
        .table = table_facts_ref(table),
    };
    atomic_init(&r->refs, 1);
    if (start_len > 0)
        memcpy(r->keys, start, start_len);
    if (end_len > 0)
        memcpy(r->keys + start_len, end, end_len);
    return r;
}

/* True when this was the last reference. */
static bool
drop(atomic_uint *refs)
{
    unsigned before = atomic_fetch_sub_explicit(refs, 1, memory_order_acq_rel);

    assert(before > 0);
    return before == 1;
}

static void
take(atomic_uint *refs)
{
    atomic_fetch_add_explicit(refs, 1, memory_order_relaxed);
}

struct table_facts *
table_facts_ref(struct table_facts *t)
{
    take(&t->refs);
    return t;
}

struct server_facts *
server_facts_ref(struct server_facts *s)
{
    take(&s->refs);
    return s;
}

struct region_facts *
region_facts_ref(struct region_facts *r)
{
    take(&r->refs);
    return r;
}

struct table_facts *
table_facts_unref(struct table_facts *t)
{
    if (t != NULL && drop(&t->refs))
        free(t);
    return NULL;
}

struct server_facts *
server_facts_unref(struct server_facts *s)
{
    if (s != NULL && drop(&s->refs))
        free(s);
    return NULL;
}

struct region_facts *
region_facts_unref(struct region_facts *r)
{
    if (r != NULL && drop(&r->refs)) {
        table_facts_unref(r->table);
        free(r);
    }
    return NULL;
}
