/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons over snapshot rows; no state, any thread. */
#include "daemon/row_order.h"

#include <math.h>
#include <string.h>

#include "daemon/select.h"

const char *const region_sort_names[REGION_SORT_COUNT + 1] = {
    "rate", "read", "write", "ratio", "size", "name", NULL};

/* Larger first, NaN last. */
static int
compare_value(double a, double b)
{
    if (isnan(a) || isnan(b))
        return (int)isnan(a) - (int)isnan(b);
    return (a < b) - (a > b);
}

/* Unknown keys stand before known ones. */
static int
compare_start(const struct region_facts *a, const struct region_facts *b)
{
    if (!a->start_known || !b->start_known)
        return (int)a->start_known - (int)b->start_known;
    size_t shorter = a->start_len < b->start_len ? a->start_len : b->start_len;
    int order = memcmp(region_start_key(a), region_start_key(b), shorter);
    if (order != 0)
        return order;
    return (a->start_len > b->start_len) - (a->start_len < b->start_len);
}

static int
compare_name(const struct snapshot *s, uint32_t a, uint32_t b)
{
    const struct region_row *x = &s->regions[a], *y = &s->regions[b];

    if (x->table != y->table) /* tables are by name */
        return x->table < y->table ? -1 : 1;
    int order = compare_start(x->facts, y->facts);
    if (order == 0)
        order = region_id_compare(x->facts->id, y->facts->id);
    if (order == 0)
        order = (a > b) - (a < b);
    return order;
}

static double
sort_value(const struct region_row *r, enum region_sort sort)
{
    switch (sort) {
    case REGION_SORT_READ:
        return r->rate[ACCESS_READ];
    case REGION_SORT_WRITE:
        return r->rate[ACCESS_WRITE];
    case REGION_SORT_RATIO:
        return r->ratio;
    case REGION_SORT_SIZE:
        return r->size_bytes < 0 ? NAN : (double)r->size_bytes;
    case REGION_SORT_RATE:
    case REGION_SORT_NAME:
    case REGION_SORT_COUNT:
        break;
    }
    return r->rate[ACCESS_TOTAL];
}

int
region_order(const struct snapshot *s, enum region_sort sort, uint32_t a, uint32_t b)
{
    if (sort != REGION_SORT_NAME) {
        int order = compare_value(sort_value(&s->regions[a], sort),
                                  sort_value(&s->regions[b], sort));
        if (order != 0)
            return order;
    }
    return compare_name(s, a, b);
}

int
table_order(const struct snapshot *s, uint32_t a, uint32_t b)
{
    int order =
        compare_value(s->tables[a].rate[ACCESS_TOTAL], s->tables[b].rate[ACCESS_TOTAL]);

    return order != 0 ? order : (a > b) - (a < b);
}

struct place {
    const struct snapshot *s;
    uint32_t table;
    uint32_t server;
};

static bool
is_at_place(const void *data, uint32_t row)
{
    const struct place *p = data;
    const struct region_row *r = &p->s->regions[row];

    return (p->table == NO_INDEX || r->table == p->table) &&
           (p->server == NO_INDEX || r->server == p->server);
}

static int
compare_rate(const void *data, uint32_t a, uint32_t b)
{
    const struct place *p = data;

    return region_order(p->s, REGION_SORT_RATE, a, b);
}

size_t
hottest_regions(const struct snapshot *s, uint32_t table, uint32_t server, size_t k,
                uint32_t **ret_rows)
{
    struct place place = {s, table, server};
    struct select_rule rule = {is_at_place, compare_rate, &place};

    return select_rows(&rule, s->region_count, k, ret_rows, NULL);
}

uint32_t
snapshot_find_table(const struct snapshot *s, const char *name)
{
    uint32_t low = 0, high = s->table_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(s->tables[middle].facts->name, name);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NO_INDEX;
}
