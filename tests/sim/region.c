/* SPDX-License-Identifier: Apache-2.0 */
/* Regions: names, counters, references. A region belongs to its table; each JMX sample
 * that shows it holds a reference, too, since HBase goes on showing a region that has
 * left until the next sample. */
#include "tests/sim/cluster_priv.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/buf.h"
#include "common/hash.h"
#include "common/md5.h"

static bool
is_meta(const struct table *table)
{
    return strcmp(table->name, "hbase:meta") == 0;
}

/* Encoded name of the MD5 kind: the digest of everything before the dot. */
static void
encode(const struct buf *name, char ret_text[static REGION_ID_TEXT_SIZE])
{
    uint8_t digest[16];

    md5_bytes(name->data, name->len, digest);
    for (size_t i = 0; i < sizeof(digest); i++)
        snprintf(ret_text + 2 * i, 3, "%02x", digest[i]);
}

static void
set_names(struct region *r)
{
    struct buf name;

    buf_init(&name, 0);
    buf_addf(&name, "%s,", r->table->name);
    buf_add(&name, r->start, r->start_len);
    if (is_meta(r->table)) {
        buf_adds(&name, ",1"); /* the one old-style name left */
        region_id_text(REGION_ID_META, r->encoded);
    } else {
        buf_addf(&name, ",%" PRId64, r->id);
        if (r->replica > 0)
            buf_addf(&name, "_%04X", r->replica);
        encode(&name, r->encoded);
        buf_addf(&name, ".%s.", r->encoded);
    }
    r->name = buf_steal(&name, &r->name_len);

    buf_addf(&name, "Namespace_%s_table_%s_region_%s", r->table->ns,
             r->table->qualifier, r->encoded);
    r->prefix = buf_steal(&name, &r->prefix_len);
}

struct region *
region_create(const struct cluster *c, int64_t t, struct table *table,
              const struct split_key *start, const struct split_key *end, int64_t id,
              unsigned replica)
{
    struct region *r = xcalloc(1, sizeof(*r));

    r->refs = 1;
    r->table = table;
    table->alive++;
    r->start = (uint8_t *)xmemdup0(start->key, start->len);
    r->start_len = start->len;
    r->end = (uint8_t *)xmemdup0(end->key, end->len);
    r->end_len = end->len;
    r->id = id;
    r->replica = replica;
    set_names(r);
    r->size = table->size;
    r->compacted = table->compacted;
    r->rows_per_scan = table->rows_per_scan;
    r->read.seed = hash_bytes(r->name, r->name_len) ^ c->random;
    r->write.seed = ~r->read.seed;
    r->read.at = r->write.at = t;
    return r;
}

static void
free_rows(struct region *r)
{
    for (size_t i = 0; i < r->row_count; i++)
        free(r->rows[i].key);
    free(r->rows);
}

void
region_set_rows(struct region *r, const struct split_key *rows, size_t count)
{
    free_rows(r);
    r->rows = count > 0 ? xcalloc(count, sizeof(*rows)) : NULL;
    r->row_count = count;
    for (size_t i = 0; i < count; i++) {
        r->rows[i].key = (uint8_t *)xmemdup0(rows[i].key, rows[i].len);
        r->rows[i].len = rows[i].len;
    }
}

void
region_release(struct region *r)
{
    assert(r->refs > 0);
    if (--r->refs > 0)
        return;
    r->table->alive--;
    free_rows(r);
    draw_finish(&r->draw);
    free(r->start);
    free(r->end);
    free(r->name);
    free(r->prefix);
    free(r);
}

/* Reads since the mark become calls. */
static void
fold_calls(struct region *r)
{
    r->gets = region_gets(r);
    r->scans = region_scans(r);
    r->mark = r->read.count;
}

uint64_t
region_gets(const struct region *r)
{
    return r->gets + (r->rows_per_scan == 0 ? r->read.count - r->mark : 0);
}

uint64_t
region_scans(const struct region *r)
{
    if (r->rows_per_scan == 0)
        return r->scans;
    return r->scans + (r->read.count - r->mark) / r->rows_per_scan;
}

void
region_advance(const struct cluster *c, int64_t t, struct region *r)
{
    flow_advance(&r->read, t, c->noise);
    flow_advance(&r->write, t, c->noise);
}

void
region_set_counters(const struct cluster *c, int64_t t, struct region *r,
                    const uint64_t *read, const uint64_t *write)
{
    region_advance(c, t, r);
    fold_calls(r);
    if (read) {
        r->read.count = *read;
        r->read.rest = 0;
    }
    if (write) {
        r->write.count = *write;
        r->write.rest = 0;
    }
    r->mark = r->read.count;
}

void
region_set_scan(const struct cluster *c, int64_t t, struct region *r,
                unsigned rows_per_scan)
{
    region_advance(c, t, r);
    fold_calls(r);
    r->rows_per_scan = rows_per_scan;
}

void
region_restart(struct region *r, int64_t t)
{
    flow_restart(&r->read, t);
    flow_restart(&r->write, t);
    r->gets = r->scans = r->mark = 0;
}

void
region_set_load(const struct cluster *c, int64_t t, struct region *r, uint64_t read,
                uint64_t write)
{
    flow_set_rate(&r->read, t, c->noise, read);
    flow_set_rate(&r->write, t, c->noise, write);
    r->calm_read = read;
    r->calm_write = write;
}
