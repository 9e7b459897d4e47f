/* SPDX-License-Identifier: Apache-2.0 */
/* What the heat map takes from the registry, in portions bounded by regions and by
 * values. Between two portions the registry may change: a region that went is left out,
 * one that came after its turn is missing. Readers hold the daemon's lock. */
#include "analysis/heatmap_priv.h"

#include <math.h>
#include <string.h>

#include "analysis/registry.h"
#include "analysis/series.h"
#include "common/alloc.h"

enum { PORTION_REGIONS = 20000, PORTION_VALUES = 250000 };

/* ---- columns ---- */

/* Columns of whole slots of one tier, begun at a multiple of their width, so that the
 * next answer has the same ones. */
static void
choose_columns(struct heatmap *h, const struct registry *r)
{
    const struct history_clock *c = &r->history;
    const struct heatmap_query *q = &h->query;

    if (c->head[TIER_RAW] < 0 || q->to_ms < q->from_ms)
        return;
    int64_t from = series_offset(c, q->from_ms), to = series_offset(c, q->to_ms);
    if (to < 0)
        return;
    int64_t oldest = series_oldest(c, TIER_HOURS) * c->slot_ms[TIER_HOURS];
    from = from < oldest ? oldest : from;
    int tier = series_tier(c, from, (to - from) / q->columns);
    int64_t slot_ms = c->slot_ms[tier], least = series_oldest(c, tier);
    int64_t first = from / slot_ms < least ? least : from / slot_ms;
    int64_t last = to / slot_ms > c->head[tier] ? c->head[tier] : to / slot_ms;
    if (last < first)
        return;
    int64_t parts = q->columns > 1 ? q->columns - 1 : 1;
    int64_t stride = (last - first + parts) / parts;
    if (q->columns > 1)
        first -= first % stride;
    h->span = (struct history_span){
        .tier = tier,
        .first = first,
        .stride = (uint32_t)stride,
        .columns = (uint32_t)((last - first) / stride + 1),
    };
    h->begin_ms = c->anchor_ms + c->wall_offset_ms + first * slot_ms;
    h->column_ms = stride * slot_ms;
}

/* ---- regions ---- */

static void
read_means(const struct heatmap *h, const struct registry *r,
           const struct region *region, float *ret_means)
{
    history_means(&region->history, &r->history, &h->span, region_past(r, region),
                  h->query.access, h->rates, ret_means);
}

static float
peak_of(const float *means, uint32_t count)
{
    float peak = 0;

    for (uint32_t i = 0; i < count; i++)
        if (means[i] > peak) /* false for NaN */
            peak = means[i];
    return peak;
}

/* Values that one region costs. */
static uint64_t
values_each(const struct heatmap *h)
{
    return (uint64_t)h->span.columns * h->span.stride + 1;
}

bool
heatmap_collect(struct heatmap *h, const struct registry *r)
{
    float means[HEATMAP_COLUMNS_MAX];
    uint32_t table = registry_find_table(r, h->table);
    uint64_t values = 0;
    uint32_t end = h->next + PORTION_REGIONS;

    if (!h->begun)
        choose_columns(h, r);
    h->begun = true;
    if (table == NO_INDEX)
        return false;
    h->table_known = true;
    end = end < r->region_slots ? end : r->region_slots;
    for (; h->next < end && values < PORTION_VALUES; h->next++) {
        const struct region *region = &r->regions[h->next];
        if (region->facts == NULL || region->table != table || region->split)
            continue;
        read_means(h, r, region, means);
        heatmap_take(h, region->facts, h->next, peak_of(means, h->span.columns));
        values += values_each(h);
    }
    return h->next < r->region_slots;
}

/* ---- values and marks ---- */

static void
take_marks(struct heatmap *h, const struct registry *r)
{
    int64_t end_ms = heatmap_time(h, h->span.columns);

    h->marks = xcalloc(HEATMAP_MARKS_MAX, sizeof *h->marks);
    for (uint32_t i = 0; i < r->chronicle.count; i++) {
        const struct chronicle_entry *e = chronicle_newest(&r->chronicle, i);
        if (h->mark_count == HEATMAP_MARKS_MAX)
            return;
        if (e->time_ms < h->begin_ms || e->time_ms >= end_ms + h->column_ms ||
            strcmp(e->region->table->name, h->table) != 0)
            continue;
        h->marks[h->mark_count++] =
            (struct heatmap_mark){e->time_ms, e->event, e->region->id};
    }
}

bool
heatmap_add(struct heatmap *h, const struct registry *r)
{
    float means[HEATMAP_COLUMNS_MAX];
    uint64_t values = 0;

    for (; h->next < h->count && values < PORTION_VALUES; h->next++) {
        const struct heatmap_item *item = &h->items[h->next];
        values += values_each(h);
        if (item->slot >= r->region_slots)
            continue;
        const struct region *region = &r->regions[item->slot];
        if (region->facts == NULL || !region_id_equal(region->id, item->facts->id))
            continue;
        read_means(h, r, region, means);
        heatmap_sum(h, h->next, means);
    }
    if (h->next < h->count)
        return true;
    if (h->marks == NULL)
        take_marks(h, r);
    return false;
}
