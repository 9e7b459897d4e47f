/* SPDX-License-Identifier: Apache-2.0 */
/* Series for servers, tables and regions: each family is a row of a table with a
 * function that gives its value, NaN meaning "no sample". Main thread; nothing is kept.
 */
#include "daemon/metrics_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

/* A server's figures are dropped once they are older than this many intervals. */
enum { SERVER_FRESH_INTERVALS = 3 };

/* ---- servers ---- */

static double
server_load(const struct server_row *r)
{
    return r->skew;
}

static double
server_regions(const struct server_row *r)
{
    return r->regions;
}

static double
server_reads(const struct server_row *r)
{
    return (double)r->reads;
}

static double
server_writes(const struct server_row *r)
{
    return (double)r->writes;
}

static double
server_handlers(const struct server_row *r)
{
    return r->signals[SIGNAL_ACTIVE_HANDLERS];
}

static double
server_queue(const struct server_row *r)
{
    return r->signals[SIGNAL_QUEUED_CALLS];
}

static double
server_cache(const struct server_row *r)
{
    return r->cache_hit_ratio;
}

static double
server_memstore(const struct server_row *r)
{
    return r->signals[SIGNAL_MEMSTORE_BYTES];
}

static double
server_blocked(const struct server_row *r)
{
    return r->signals[SIGNAL_UPDATES_BLOCKED_MS] / 1000;
}

static double
server_compaction(const struct server_row *r)
{
    return r->signals[SIGNAL_COMPACTION_QUEUE];
}

static double
server_flush(const struct server_row *r)
{
    return r->signals[SIGNAL_FLUSH_QUEUE];
}

static double
server_blocked_requests(const struct server_row *r)
{
    return r->signals[SIGNAL_BLOCKED_REQUESTS];
}

static double
server_evictions(const struct server_row *r)
{
    return r->signals[SIGNAL_CACHE_EVICTIONS];
}

static double
server_gc(const struct server_row *r)
{
    return r->signals[SIGNAL_GC_MS] / 1000;
}

static double
server_locality(const struct server_row *r)
{
    return r->signals[SIGNAL_LOCALITY];
}

static double
server_handler_limit(const struct server_row *r)
{
    return r->handlers > 0 ? (double)r->handlers : (double)NAN;
}

static double
server_memstore_limit(const struct server_row *r)
{
    return r->memstore_limit_bytes >= 0 ? (double)r->memstore_limit_bytes : NAN;
}

static double
server_diagnoses(const struct server_row *r)
{
    return __builtin_popcount(r->diagnoses);
}

static const struct {
    enum metric_id id;
    double (*value)(const struct server_row *row);
} server_families[] = {
    {METRIC_SERVER_REGIONS, server_regions},
    {METRIC_SERVER_LOAD, server_load},
    {METRIC_SERVER_READS, server_reads},
    {METRIC_SERVER_WRITES, server_writes},
    {METRIC_SERVER_HANDLERS, server_handlers},
    {METRIC_SERVER_QUEUE, server_queue},
    {METRIC_SERVER_CACHE, server_cache},
    {METRIC_SERVER_MEMSTORE, server_memstore},
    {METRIC_SERVER_BLOCKED, server_blocked},
    {METRIC_SERVER_COMPACTION, server_compaction},
    {METRIC_SERVER_FLUSH, server_flush},
    {METRIC_SERVER_BLOCKED_REQUESTS, server_blocked_requests},
    {METRIC_SERVER_CACHE_EVICTIONS, server_evictions},
    {METRIC_SERVER_GC, server_gc},
    {METRIC_SERVER_LOCALITY, server_locality},
    {METRIC_SERVER_HANDLER_LIMIT, server_handler_limit},
    {METRIC_SERVER_MEMSTORE_LIMIT, server_memstore_limit},
    {METRIC_SERVER_DIAGNOSES, server_diagnoses},
};

/* One row for each address: a server that has restarted is there once more as dead. */
struct server_list {
    const struct server_row **rows;
    size_t count;
};

static bool
is_better(const struct server_row *a, const struct server_row *b)
{
    if (a->dead != b->dead)
        return !a->dead;
    return a->facts->start_code > b->facts->start_code;
}

static int
compare_address(const void *a, const void *b)
{
    const struct server_row *x = *(const struct server_row *const *)a;
    const struct server_row *y = *(const struct server_row *const *)b;
    int order = strcmp(x->facts->address, y->facts->address);

    if (order != 0)
        return order;
    return (int)is_better(y, x) - (int)is_better(x, y);
}

static struct server_list
list_servers(const struct snapshot *s)
{
    struct server_list list = {xreallocarray(NULL, s->server_count, sizeof *list.rows),
                               0};

    for (uint32_t i = 0; i < s->server_count; i++)
        list.rows[i] = &s->servers[i];
    qsort(list.rows, s->server_count, sizeof *list.rows, compare_address);
    for (uint32_t i = 0; i < s->server_count; i++) {
        const char *address = list.rows[i]->facts->address;
        if (list.count == 0 ||
            strcmp(list.rows[list.count - 1]->facts->address, address) != 0)
            list.rows[list.count++] = list.rows[i];
    }
    return list;
}

/* "http://host:port/..." without what is not host and port. */
static void
url_authority(const char *url, const char **ret_text, size_t *ret_len)
{
    const char *scheme = strstr(url, "://");

    *ret_text = scheme != NULL ? scheme + 3 : url;
    *ret_len = strcspn(*ret_text, "/?#");
}

/* Whether the target is one of the servers, of which one knows the RPC port only. */
static bool
is_listed(const struct server_list *list, const char *authority, size_t len)
{
    size_t host = len;

    while (host > 0 && authority[host - 1] != ':')
        host--;
    for (size_t i = 0; i < list->count; i++)
        if (strncmp(list->rows[i]->facts->address, authority, host) == 0)
            return true;
    return false;
}

/* Targets that have never answered are servers, too, that are not up. */
static void
render_silent(struct expo *e, const struct view *view, const struct server_list *list)
{
    for (size_t i = 0; i < view->targets.count; i++) {
        const struct target_row *t = &view->targets.rows[i];
        const char *authority;
        size_t len;

        if (t->kind != TARGET_REGIONSERVER || t->server != NULL || !t->asked)
            continue;
        url_authority(t->url, &authority, &len);
        if (is_listed(list, authority, len))
            continue;
        char *name = xmemdup0(authority, len);
        expo_sample(e, &(struct expo_label){"server", name}, 1, 0);
        free(name);
    }
}

void
metrics_render_servers(struct expo *e, const struct view *view)
{
    const struct snapshot *s = view->snapshot;
    int64_t keep_ms = SERVER_FRESH_INTERVALS * view->config->config->poll.interval_ms;
    struct server_list list = list_servers(s);

    expo_family(e, METRIC_SERVER_UP);
    for (size_t i = 0; i < list.count; i++)
        expo_sample(e, &(struct expo_label){"server", list.rows[i]->facts->address}, 1,
                    list.rows[i]->up);
    render_silent(e, view, &list);
    expo_family(e, METRIC_SERVER_LAST_SUCCESS);
    for (size_t i = 0; i < list.count; i++) {
        int64_t ms = list.rows[i]->last_success_ms;
        expo_sample(e, &(struct expo_label){"server", list.rows[i]->facts->address}, 1,
                    ms < 0 ? 0 : (double)ms / 1000);
    }
    render_silent(e, view, &list);

    for (size_t f = 0; f < sizeof server_families / sizeof server_families[0]; f++) {
        expo_family(e, server_families[f].id);
        for (size_t i = 0; i < list.count; i++) {
            const struct server_row *r = list.rows[i];
            double value = server_families[f].value(r);
            bool old =
                r->last_success_ms < 0 || s->at.wall_ms - r->last_success_ms > keep_ms;
            if (!old && !isnan(value))
                expo_sample(e, &(struct expo_label){"server", r->facts->address}, 1,
                            value);
        }
    }
    free(list.rows);
}

/* ---- tables ---- */

static double
table_regions(const struct table_row *r)
{
    return r->regions;
}

static double
table_effective(const struct table_row *r)
{
    return r->effective_regions;
}

static double
table_skew(const struct table_row *r)
{
    return r->skew;
}

static double
table_reads(const struct table_row *r)
{
    return (double)r->reads;
}

static double
table_writes(const struct table_row *r)
{
    return (double)r->writes;
}

static const struct {
    enum metric_id id;
    double (*value)(const struct table_row *row);
} table_families[] = {
    {METRIC_TABLE_REGIONS, table_regions}, {METRIC_TABLE_EFFECTIVE, table_effective},
    {METRIC_TABLE_SKEW, table_skew},       {METRIC_TABLE_READS, table_reads},
    {METRIC_TABLE_WRITES, table_writes},
};

static int
compare_rows(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The members' rows in the order of the snapshot; the caller frees. */
static uint32_t *
member_rows(const struct sticky *members)
{
    uint32_t *rows = xreallocarray(NULL, members->count, sizeof *rows);

    for (size_t i = 0; i < members->count; i++)
        rows[i] = members->items[i].row;
    qsort(rows, members->count, sizeof *rows, compare_rows);
    return rows;
}

void
metrics_render_tables(struct expo *e, const struct snapshot *s,
                      const struct exports *exports)
{
    uint32_t *rows = member_rows(&exports->tables);

    for (size_t f = 0; f < sizeof table_families / sizeof table_families[0]; f++) {
        expo_family(e, table_families[f].id);
        for (size_t i = 0; i < exports->tables.count; i++) {
            const struct table_row *r = &s->tables[rows[i]];
            double value = table_families[f].value(r);
            if (!isnan(value))
                expo_sample(e, &(struct expo_label){"table", r->facts->name}, 1, value);
        }
    }
    free(rows);
    expo_value(e, METRIC_TABLES_NOT_EXPORTED, (double)exports->tables_left_out);
}

/* ---- regions ---- */

static double
region_hot(const struct snapshot *s, const struct region_row *r)
{
    (void)s;
    return r->heat == HEAT_FIRING;
}

/* rate / mean rate of the table's other fresh regions. */
static double
load_ratio(const struct snapshot *s, const struct region_row *r, enum access access)
{
    const struct table_row *t = &s->tables[r->table];
    double rate = (double)r->rate[access];

    if (r->stale || t->fresh < 2 || isnan(rate))
        return NAN;
    double others = (t->rate[access] - rate) / (t->fresh - 1);
    if (others <= rate * 1e-6) /* nothing but rounding is left */
        return rate > 0 ? INFINITY : NAN;
    return rate / others;
}

static double
region_read_ratio(const struct snapshot *s, const struct region_row *r)
{
    return load_ratio(s, r, ACCESS_READ);
}

static double
region_write_ratio(const struct snapshot *s, const struct region_row *r)
{
    return load_ratio(s, r, ACCESS_WRITE);
}

static double
region_reads(const struct snapshot *s, const struct region_row *r)
{
    (void)s;
    return r->has_counts ? (double)r->read_count : NAN;
}

static double
region_writes(const struct snapshot *s, const struct region_row *r)
{
    (void)s;
    return r->has_counts ? (double)r->write_count : NAN;
}

static const struct {
    enum metric_id id;
    double (*value)(const struct snapshot *s, const struct region_row *row);
} region_families[] = {
    {METRIC_REGION_HOT, region_hot},
    {METRIC_REGION_READ_RATIO, region_read_ratio},
    {METRIC_REGION_WRITE_RATIO, region_write_ratio},
    {METRIC_REGION_READS, region_reads},
    {METRIC_REGION_WRITES, region_writes},
};

static void
render_region(struct expo *e, const struct snapshot *s, const struct region_row *r,
              double value)
{
    char id[REGION_ID_TEXT_SIZE];
    const struct expo_label labels[] = {
        {"table", s->tables[r->table].facts->name},
        {"region", region_id_text(r->facts->id, id)},
        {"server", r->server == NO_INDEX ? "" : s->servers[r->server].facts->address},
    };

    expo_sample(e, labels, 3, value);
}

void
metrics_render_regions(struct expo *e, const struct snapshot *s,
                       const struct exports *exports)
{
    uint32_t *rows = member_rows(&exports->regions);

    for (size_t f = 0; f < sizeof region_families / sizeof region_families[0]; f++) {
        expo_family(e, region_families[f].id);
        for (size_t i = 0; i < exports->regions.count; i++) {
            const struct region_row *r = &s->regions[rows[i]];
            double value = region_families[f].value(s, r);
            if (!isnan(value))
                render_region(e, s, r, value);
        }
    }
    free(rows);
    expo_value(e, METRIC_EXPORTED, (double)exports->regions.count);
    expo_value(e, METRIC_NOT_EXPORTED, (double)exports->hot_left_out);
}
