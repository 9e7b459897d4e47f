/* SPDX-License-Identifier: Apache-2.0 */
/* The region rule (analysis/distribution.c) over regions of one look or two. Tables of
 * one region, secondary replicas and hbase:meta have no others to be compared with. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/distribution.h"
#include "common/alloc.h"
#include "common/intern.h"
#include "config/load.h"
#include "hotspotctl/heat_priv.h"

struct judging {
    const struct heat *h;
    enum heat_basis basis;
    struct rule rule;
    double floor;    /* min_server_share of a mean server */
    uint32_t *order; /* primaries with a value, by table */
    size_t count;
    double *scratch;
    struct heat_result *result;
    size_t hot_capacity;
};

static double
value_of(const struct judging *j, const struct heat_region *r, enum access access)
{
    if (j->basis == HEAT_RATE)
        return r->rate[access];
    return (r->known & 1U << access) != 0 ? (double)r->counter[access] : NAN;
}

static int
by_table(const void *a, const void *b, void *heat)
{
    const struct heat *h = heat;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t tx = h->regions[x].table, ty = h->regions[y].table;

    if (tx != ty)
        return strcmp(intern_text(h->tables, tx), intern_text(h->tables, ty));
    return (x > y) - (x < y);
}

/* The primaries with a value; server sums for the floor; regions that lack a rate. */
static void
collect(struct judging *j, uint32_t wanted)
{
    const struct heat *h = j->h;
    size_t servers = intern_count(h->servers);
    double sum = 0;

    j->order = xcalloc(h->count + 1, sizeof *j->order);
    j->scratch = xcalloc(h->count + 1, sizeof *j->scratch);
    for (size_t i = 0; i < h->count; i++) {
        const struct heat_region *r = &h->regions[i];
        double total = value_of(j, r, ACCESS_TOTAL);
        if (isnan(total)) {
            j->result->without_rate += j->basis == HEAT_RATE;
            continue;
        }
        sum += total;
        if (r->replica == 0 && (wanted == INTERN_NONE || r->table == wanted))
            j->order[j->count++] = (uint32_t)i;
    }
    j->floor = servers > 0 ? j->rule.min_server_share * sum / (double)servers : 0;
    qsort_r(j->order, j->count, sizeof *j->order, by_table, (void *)h);
}

static void
add_hot(struct judging *j, uint32_t region, enum access access, const struct verdict *v,
        double value, double sum)
{
    struct heat_hot hot = {region,      access,   value,
                           v->baseline, v->ratio, sum > 0 ? value / sum : NAN};

    xgrow(&j->result->hot, &j->hot_capacity, j->result->hot_count + 1, sizeof hot);
    j->result->hot[j->result->hot_count++] = hot;
}

/* One table: its regions are order[begin, end). A region is hot once, by the access
 * with the highest ratio. */
static void
judge_regions(struct judging *j, size_t begin, size_t end,
              const struct distribution by_access[ACCESS_COUNT])
{
    for (size_t i = begin; i < end; i++) {
        const struct heat_region *r = &j->h->regions[j->order[i]];
        struct verdict best = {.ratio = -1};
        enum access access = ACCESS_TOTAL;
        for (int a = 0; a < ACCESS_COUNT; a++) {
            double value = value_of(j, r, a);
            if (isnan(value))
                continue;
            struct verdict v =
                distribution_judge(&by_access[a], &j->rule, a, value, value, j->floor);
            if (!v.hot || v.ratio <= best.ratio)
                continue;
            best = v;
            access = a;
        }
        if (best.hot)
            add_hot(j, j->order[i], access, &best, value_of(j, r, access),
                    by_access[access].sum);
    }
}

static void
judge_table(struct judging *j, size_t begin, size_t end, struct heat_table *table)
{
    struct distribution by_access[ACCESS_COUNT];
    double top = 0;

    *table = (struct heat_table){.table = j->h->regions[j->order[begin]].table,
                                 .regions = (uint32_t)(end - begin),
                                 .hottest = UINT32_MAX};
    for (int a = 0; a < ACCESS_COUNT; a++) {
        size_t n = 0;
        for (size_t i = begin; i < end; i++) {
            double value = value_of(j, &j->h->regions[j->order[i]], a);
            if (!isnan(value))
                j->scratch[n++] = value;
            if (a != ACCESS_TOTAL || isnan(value) || value <= top)
                continue;
            top = value;
            table->hottest = j->order[i];
        }
        distribution_make(&by_access[a], j->scratch, n, j->rule.threshold[a]);
    }
    table->value = by_access[ACCESS_TOTAL].sum;
    table->effective = distribution_effective(&by_access[ACCESS_TOTAL]);
    table->skew = distribution_skew(&by_access[ACCESS_TOTAL]);
    if (strcmp(heat_table_name(j->h, table->table), "hbase:meta") != 0)
        judge_regions(j, begin, end, by_access);
}

static int
by_ratio(const void *a, const void *b)
{
    const struct heat_hot *x = a, *y = b;

    if (x->ratio != y->ratio)
        return x->ratio > y->ratio ? -1 : 1;
    return (x->value < y->value) - (x->value > y->value);
}

static void
judge_all(struct judging *j)
{
    struct heat_result *r = j->result;

    r->tables = xcalloc(intern_count(j->h->tables) + 1, sizeof *r->tables);
    for (size_t begin = 0, end; begin < j->count; begin = end) {
        uint32_t table = j->h->regions[j->order[begin]].table;
        for (end = begin + 1; end < j->count; end++)
            if (j->h->regions[j->order[end]].table != table)
                break;
        judge_table(j, begin, end, &r->tables[r->table_count++]);
    }
    if (r->hot_count > 1)
        qsort(r->hot, r->hot_count, sizeof *r->hot, by_ratio);
}

static enum heat_basis
basis_of(const struct heat *h)
{
    for (size_t i = 0; i < h->count; i++)
        if (!isnan(h->regions[i].rate[ACCESS_TOTAL]))
            return HEAT_RATE;
    return HEAT_LIFETIME;
}

/* The default rule of the configuration, with what the options change. */
static void
set_rule(struct judging *j, const struct heat_options *options)
{
    struct config *config = config_create_default();

    j->rule = config->detection.rule;
    j->rule.labels = (struct label_list){0};
    config_destroy(config);
    for (int a = 0; a < ACCESS_COUNT; a++) {
        j->rule.threshold[a] = options->threshold;
        j->rule.min_rate[a] = j->basis == HEAT_RATE ? options->min_rate : 0;
    }
}

int
heat_judge(const struct heat *h, const struct heat_options *options,
           struct heat_result *ret)
{
    struct judging j = {.h = h, .basis = basis_of(h), .result = ret};
    uint32_t wanted = INTERN_NONE;

    *ret = (struct heat_result){.basis = j.basis};
    if (options->table != NULL) {
        wanted = intern_find(h->tables, options->table);
        if (wanted == INTERN_NONE)
            return -ENOENT;
    }
    set_rule(&j, options);
    collect(&j, wanted);
    if (j.count > 0)
        judge_all(&j);
    free(j.order);
    free(j.scratch);
    return j.count > 0 ? 0 : -ENODATA;
}

void
heat_result_finish(struct heat_result *r)
{
    free(r->tables);
    free(r->hot);
    *r = (struct heat_result){0};
}
