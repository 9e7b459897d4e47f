/* SPDX-License-Identifier: Apache-2.0 */
/* Choice of exported series over a snapshot. The state belongs to the main thread. */
#include "daemon/exports.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "daemon/row_order.h"
#include "daemon/select.h"

void
exports_init(struct exports *x)
{
    *x = (struct exports){0};
    sticky_init(&x->regions);
    sticky_init(&x->tables);
}

void
exports_finish(struct exports *x)
{
    sticky_finish(&x->regions);
    sticky_finish(&x->tables);
}

static struct region_id
region_key(const void *data, uint32_t row)
{
    const struct snapshot *s = data;

    return s->regions[row].facts->id;
}

/* Tables have no id: 64 bits of hash and the length do. */
static struct region_id
table_key(const void *data, uint32_t row)
{
    const struct snapshot *s = data;
    const char *name = s->tables[row].facts->name;
    size_t len = strlen(name);

    return (struct region_id){len, hash_bytes(name, len)};
}

static bool
is_busy(const void *data, uint32_t row)
{
    const struct snapshot *s = data;

    return s->regions[row].rate[ACCESS_TOTAL] > 0;
}

static bool
is_alerting(const void *data, uint32_t row)
{
    const struct snapshot *s = data;

    return s->regions[row].heat != HEAT_NORMAL;
}

static int
compare_regions(const void *data, uint32_t a, uint32_t b)
{
    return region_order(data, REGION_SORT_RATE, a, b);
}

static int
compare_tables(const void *data, uint32_t a, uint32_t b)
{
    return table_order(data, a, b);
}

static void
update_regions(struct exports *x, const struct snapshot *s,
               const struct metrics_config *config)
{
    struct select_rule busy = {is_busy, compare_regions, s};
    struct select_rule alerting = {is_alerting, compare_regions, s};
    uint32_t *top, *hot;
    size_t top_count =
        select_rows(&busy, s->region_count, 2 * (size_t)config->export_top, &top, NULL);
    size_t hot_wanted;
    size_t hot_count =
        select_rows(&alerting, s->region_count, config->export_max, &hot, &hot_wanted);

    x->hot_left_out = hot_wanted - hot_count;
    sticky_update(&x->regions, &(struct sticky_input){
                                   .row_count = s->region_count,
                                   .key = region_key,
                                   .data = s,
                                   .top = top,
                                   .top_count = top_count,
                                   .enter = config->export_top,
                                   .hot = hot,
                                   .hot_count = hot_count,
                                   .max = config->export_max,
                                   .mono_ms = s->at.mono_ms,
                               });
    free(top);
    free(hot);
}

static void
update_tables(struct exports *x, const struct snapshot *s,
              const struct metrics_config *config)
{
    struct select_rule all = {NULL, compare_tables, s};
    uint32_t *top;
    size_t top_count = select_rows(&all, s->table_count,
                                   2 * (size_t)config->export_tables, &top, NULL);

    sticky_update(&x->tables, &(struct sticky_input){
                                  .row_count = s->table_count,
                                  .key = table_key,
                                  .data = s,
                                  .top = top,
                                  .top_count = top_count,
                                  .enter = config->export_tables,
                                  .max = config->export_tables,
                                  .mono_ms = s->at.mono_ms,
                              });
    x->tables_left_out = s->table_count - x->tables.count;
    free(top);
}

void
exports_update(struct exports *x, const struct snapshot *s,
               const struct metrics_config *config)
{
    update_regions(x, s, config);
    update_tables(x, s, config);
}
