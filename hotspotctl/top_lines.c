/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting, filtering and drilling of top's list. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "hotspotctl/top.h"

static const char *const order_names[] = {
    [ORDER_RATE] = "rate",   [ORDER_READ] = "reads", [ORDER_WRITE] = "writes",
    [ORDER_RATIO] = "ratio", [ORDER_NAME] = "name",
};
static_assert(sizeof order_names / sizeof order_names[0] == ORDER_COUNT, "names");

const char *
top_order_name(enum top_order order)
{
    return order_names[order];
}

static double
known(double value)
{
    return isnan(value) ? 0 : value;
}

static double
figure(const struct top_line *l, enum top_order order)
{
    switch (order) {
    case ORDER_READ:
        return known(l->read);
    case ORDER_WRITE:
        return known(l->write);
    case ORDER_RATIO:
        return known(l->ratio);
    default:
        return known(l->read) + known(l->write);
    }
}

static int
compare_names(const struct live_region *x, const struct live_region *y)
{
    int order = strcmp(x->table, y->table);

    if (order == 0 && x->start_key != NULL && y->start_key != NULL)
        order = strcmp(x->start_key, y->start_key);
    return order != 0 ? order : strcmp(x->id, y->id);
}

static int
compare(const void *a, const void *b, void *state)
{
    const struct top_line *x = a, *y = b;
    const struct top_state *s = state;
    double fx = figure(x, s->order), fy = figure(y, s->order);

    if (s->order != ORDER_NAME && fx != fy)
        return fx > fy ? -1 : 1;
    return compare_names(x->region, y->region);
}

static bool
passes(const struct top_state *s, const struct live_region *r)
{
    if (s->only_hot && r->state == LIVE_NORMAL)
        return false;
    if (s->screen != TOP_TABLES && s->table[0] != '\0' &&
        strcmp(s->table, r->table) != 0)
        return false;
    return s->filter[0] == '\0' || strstr(r->table, s->filter) != NULL ||
           strstr(r->id, s->filter) != NULL || strstr(r->server, s->filter) != NULL ||
           (r->start_key != NULL && strstr(r->start_key, s->filter) != NULL);
}

static void
add_line(struct top_state *s, const struct live_region *r)
{
    xgrow(&s->lines, &s->line_capacity, s->line_count + 1, sizeof *s->lines);
    s->lines[s->line_count++] =
        (struct top_line){r, 1, r->read, r->write, r->ratio, r->state};
}

static int
by_table(const void *a, const void *b)
{
    const struct top_line *x = a, *y = b;

    return strcmp(x->region->table, y->region->table);
}

/* Lines of one table become one, with its hottest region. */
static void
sum_tables(struct top_state *s)
{
    size_t count = 0;

    if (s->line_count > 1)
        qsort(s->lines, s->line_count, sizeof *s->lines, by_table);
    for (size_t i = 0; i < s->line_count; i++) {
        struct top_line *l = &s->lines[i];
        struct top_line *t = count > 0 ? &s->lines[count - 1] : NULL;
        if (t == NULL || strcmp(t->region->table, l->region->table) != 0) {
            s->lines[count++] = *l;
            continue;
        }
        if (known(l->read) + known(l->write) >
            known(t->region->read) + known(t->region->write))
            t->region = l->region;
        t->read = known(t->read) + known(l->read);
        t->write = known(t->write) + known(l->write);
        t->ratio = fmax(t->ratio, l->ratio);
        t->regions++;
        if (l->state > t->state)
            t->state = l->state;
    }
    s->line_count = count;
}

void
top_arrange(struct top_state *s, const struct live_view *view)
{
    s->line_count = 0;
    for (size_t i = 0; i < view->count; i++)
        if (passes(s, &view->regions[i]))
            add_line(s, &view->regions[i]);
    if (s->screen == TOP_TABLES)
        sum_tables(s);
    if (s->line_count > 1)
        qsort_r(s->lines, s->line_count, sizeof *s->lines, compare, s);
    if (s->cursor >= s->line_count)
        s->cursor = s->line_count > 0 ? s->line_count - 1 : 0;
}
