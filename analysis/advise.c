/* SPDX-License-Identifier: Apache-2.0 */
/* One function for each class that has commands; they add lines in the order in which
 * a person would type them. */
#include "analysis/advise.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/shell.h"
#include "common/alloc.h"

enum { SALTED_PARTS = 16 };

struct script {
    const struct subject *s;
    struct shell_command *commands;
    size_t count;
};

/* Takes command over; NULL: there is none. */
static void
add(struct script *c, char *command, const char *why)
{
    if (command == NULL || c->count == EXPLAIN_COMMANDS) {
        free(command);
        return;
    }
    c->commands[c->count++] = (struct shell_command){command, xstrdup(why)};
}

/* ---- split ---- */

static const char *
table_name(const struct subject *s)
{
    return s->r->tables[s->table].facts->name;
}

/* In the middle of the sampled load, or where HBase finds the middle of the bytes. */
static void
add_split(struct script *c)
{
    const struct region *region = c->s->region;
    struct buf key;

    if (region == NULL || region->replica != 0 || c->s->table == NO_INDEX ||
        c->s->r->tables[c->s->table].is_meta)
        return;
    buf_init(&key, 0);
    if (row_heat_split_key(&c->s->story->heat, region->facts, &key))
        add(c, shell_split(table_name(c->s), key.data, key.len),
            "splits the region in the middle of the sampled load");
    else
        add(c, shell_split_region(region->id),
            "splits the region where HBase finds the middle of its data");
    buf_finish(&key);
}

/* A split before the row and one behind it make a region of this row alone. */
static void
add_isolation(struct script *c)
{
    const struct row_heat *h = &c->s->story->heat;
    const struct region_facts *f = c->s->region->facts;

    if (h->rows.used == 0 || c->s->region->replica != 0)
        return;
    const struct space_counter *row = &h->rows.counters[0];
    if (row_is_split_point(f, row->key, row->len))
        add(c, shell_split(table_name(c->s), row->key, row->len),
            "begins a region with the popular row");
    /* The key's NUL at the end is there: xmemdup0(). The next key after a row is the
     * row and a zero byte. */
    if (row_is_split_point(f, row->key, row->len + 1))
        add(c, shell_split(table_name(c->s), row->key, row->len + 1),
            "once that split is done: ends this region behind the row, which is then "
            "alone in it");
}

/* ---- move ---- */

/* To the least loaded live server it is not on, if that leaves it below this one. */
static void
add_move(struct script *c, const struct region *region)
{
    const struct registry *r = c->s->r;
    uint32_t to = c->s->around->quietest[0];
    /* After a split there is no region of that name any more. */
    bool instead = c->s->a->kind != ALERT_SERVER && c->count > 0;

    if (region == NULL || region->server == NO_INDEX)
        return;
    if (to == region->server)
        to = c->s->around->quietest[1];
    if (to == NO_INDEX || to == region->server)
        return;
    if (r->servers[to].rate[ACCESS_TOTAL] + region->rate[ACCESS_TOTAL] >=
        r->servers[region->server].rate[ACCESS_TOTAL])
        return;
    add(c, shell_move(region->id, r->servers[to].facts->text),
        instead
            ? "or: moves the whole region to the least loaded live server"
            : "moves the region to the least loaded live server; look at the alerts "
              "again before you move another one");
}

/* The subject's top regions, save the first, since what is hottest is hot anywhere. */
static void
add_moves(struct script *c)
{
    const struct alert *a = c->s->a;
    size_t moves = 0;

    if (a->kind != ALERT_SERVER) {
        add_move(c, c->s->region);
        return;
    }
    for (uint32_t i = a->top_count > 1 ? 1 : 0; i < a->top_count && moves < 2; i++) {
        uint32_t slot = registry_find_region(c->s->r, a->top[i].region->id);
        size_t before = c->count;
        if (slot != NO_INDEX)
            add_move(c, &c->s->r->regions[slot]);
        moves += c->count > before;
    }
}

/* ---- classes ---- */

static void
for_unsplit(struct script *c)
{
    add_split(c);
    if (c->s->load->tables[c->s->table].primaries == 1)
        add(c, shell_create_salted(table_name(c->s), SALTED_PARTS),
            "or: a new table with split points, here for keys that begin with two "
            "hexadecimal digits; put your column families in place of 'cf'");
}

static void
for_scan(struct script *c)
{
    add_split(c);
}

static void
for_sequential(struct script *c)
{
    if (c->s->table != NO_INDEX)
        add(c, shell_create_salted(table_name(c->s), SALTED_PARTS),
            "a new table for salted keys, whose first two characters are the "
            "hexadecimal salt; put your column families in place of 'cf'");
}

static void
for_popular_key(struct script *c)
{
    add_isolation(c);
    add_moves(c);
}

static void
for_big(struct script *c)
{
    add_split(c);
    const struct table_sizes *t = &c->s->around->tables[c->s->table];
    enum { LEAST = 1 << 30 };
    if (t->median > 0)
        add(c,
            shell_max_file_size(table_name(c->s),
                                t->median * 2 > LEAST ? t->median * 2 : LEAST),
            "from now on HBase itself splits regions of this table above that size, in "
            "bytes");
}

static void
for_range(struct script *c)
{
    add_split(c);
    add_moves(c);
}

static void
for_server_wide(struct script *c)
{
    add_moves(c);
    add(c, shell_balancer(),
        "or: lets HBase's balancer spread the regions over the "
        "servers");
}

static void
for_unknown(struct script *c)
{
    if (c->s->a->kind == ALERT_REGION)
        add_moves(c);
}

static void (*const by_class[CLASS_COUNT])(struct script *c) = {
    [CLASS_UNSPLIT_TABLE] = for_unsplit,   [CLASS_SCAN] = for_scan,
    [CLASS_SEQUENTIAL] = for_sequential,   [CLASS_POPULAR_KEY] = for_popular_key,
    [CLASS_BIG_REGION] = for_big,          [CLASS_POPULAR_RANGE] = for_range,
    [CLASS_SERVER_WIDE] = for_server_wide, [CLASS_UNKNOWN] = for_unknown,
};

size_t
advise(const struct subject *s, enum heat_class heat_class,
       struct shell_command commands[static EXPLAIN_COMMANDS])
{
    struct script c = {s, commands, 0};

    if (by_class[heat_class] != NULL)
        by_class[heat_class](&c);
    return c.count;
}
