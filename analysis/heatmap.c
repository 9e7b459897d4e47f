/* SPDX-License-Identifier: Apache-2.0 */
/* Which regions share a row. Regions are put in the order of keys; those of the same
 * start key (replicas, and a parent beside its daughter) are one unit. A unit weighs
 * the square of its peak and a little for being there. Neighbours share a row while
 * all of them are light and their weight stays below a bound, and the bound is the
 * least with which the rows suffice: so rows are few where little happens, and what
 * stands out stands alone. All memory is the map's; no registry is needed here. */
#include "analysis/heatmap_priv.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

struct heatmap *
heatmap_create(const struct heatmap_query *query)
{
    struct heatmap *h = xcalloc(1, sizeof *h);

    assert(query->columns >= 1 && query->columns <= HEATMAP_COLUMNS_MAX);
    assert(query->rows >= HEATMAP_ROWS_MIN && query->rows <= HEATMAP_ROWS_MAX);
    h->query = *query;
    h->query.table = h->table = xstrdup(query->table);
    for (int i = 0; i < HISTORY_UNKNOWN; i++)
        h->rates[i] = (float)history_decode((uint8_t)i);
    return h;
}

struct heatmap *
heatmap_destroy(struct heatmap *h)
{
    if (h == NULL)
        return NULL;
    for (uint32_t i = 0; i < h->count; i++)
        region_facts_unref(h->items[i].facts);
    free(h->items);
    free(h->rows);
    free(h->values);
    free(h->marks);
    free(h->table);
    free(h);
    return NULL;
}

void
heatmap_take(struct heatmap *h, struct region_facts *facts, uint32_t slot, float peak)
{
    xgrow(&h->items, &h->cap, h->count + 1, sizeof *h->items);
    h->items[h->count++] = (struct heatmap_item){
        .facts = region_facts_ref(facts), .slot = slot, .peak = peak};
}

/* ---- order ---- */

/* How many bytes all known start keys but the empty one begin with. */
static size_t
common_length(const struct heatmap *h)
{
    const struct region_facts *model = NULL;
    size_t len = 0;

    for (uint32_t i = 0; i < h->count; i++) {
        const struct region_facts *f = h->items[i].facts;
        if (f->start_len == 0)
            continue;
        if (model == NULL) {
            model = f;
            len = f->start_len;
        }
        size_t most = len < f->start_len ? len : f->start_len;
        for (len = 0; len < most; len++)
            if (region_start_key(f)[len] != region_start_key(model)[len])
                break;
    }
    return len;
}

/* Eight bytes from `skip` on, zeros behind the end: compares as the key does, save for
 * ties. */
static uint64_t
key_prefix(const struct region_facts *f, size_t skip)
{
    uint64_t prefix = 0;

    if (f->start_len == 0)
        return 0;
    for (size_t i = skip; i < skip + 8; i++)
        prefix = prefix << 8 | (i < f->start_len ? region_start_key(f)[i] : 0);
    return prefix;
}

static int
compare_items(const void *left, const void *right)
{
    const struct heatmap_item *a = left, *b = right;

    if (a->facts->start_known != b->facts->start_known)
        return a->facts->start_known ? -1 : 1;
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix ? -1 : 1;
    int order = region_compare_starts(a->facts, b->facts);
    if (order != 0)
        return order;
    if (a->facts->replica != b->facts->replica)
        return a->facts->replica < b->facts->replica ? -1 : 1;
    return (a->slot > b->slot) - (a->slot < b->slot);
}

static void
sort_items(struct heatmap *h)
{
    size_t skip = common_length(h);

    for (uint32_t i = 0; i < h->count; i++)
        h->items[i].prefix = key_prefix(h->items[i].facts, skip);
    if (h->count > 0)
        qsort(h->items, h->count, sizeof *h->items, compare_items);
}

/* ---- rows ---- */

/* Regions that are never parted. */
struct unit {
    uint32_t first; /* item */
    uint32_t row;
    double weight;
    bool keyed;
};

static uint32_t
make_units(const struct heatmap *h, struct unit *units)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < h->count; i++) {
        const struct region_facts *f = h->items[i].facts;
        double peak = (double)h->items[i].peak;
        if (i > 0 && f->start_known &&
            region_compare_starts(f, h->items[i - 1].facts) == 0) {
            units[n - 1].weight += peak * peak;
            continue;
        }
        units[n++] =
            (struct unit){.first = i, .weight = peak * peak, .keyed = f->start_known};
    }
    return n;
}

/* Each weighs something, so that idle stretches are cut evenly, too. */
static double
add_presence(struct unit *units, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += units[i].weight;
    double presence = sum > 0 ? 0.02 * sum / n : 1;
    for (uint32_t i = 0; i < n; i++)
        units[i].weight += presence;
    return sum + n * presence;
}

/* Numbers the rows for a bound; returns how many there are. */
static uint32_t
cut(struct unit *units, uint32_t n, double bound)
{
    uint32_t rows = 0;
    double sum = 0;
    bool open = false; /* the row takes more */

    for (uint32_t i = 0; i < n; i++) {
        double weight = units[i].weight;
        bool light = weight <= bound / 4;
        if (!open || !light || sum + weight > bound ||
            units[i].keyed != units[i - 1].keyed) {
            rows++;
            sum = 0;
        }
        sum += weight;
        open = light;
        units[i].row = rows - 1;
    }
    return rows;
}

/* The least bound that leaves at most so many rows; the rows are numbered for it. */
static uint32_t
choose_rows(struct unit *units, uint32_t n, uint32_t most)
{
    double sum = add_presence(units, n);
    double low = 0, high = 4.1 * sum; /* all light: a row, or two */

    if (n <= most)
        return cut(units, n, 0);
    for (int i = 0; i < 40; i++) {
        double middle = i < 20 && low > 0 ? sqrt(low * high) : (low + high) / 2;
        if (cut(units, n, middle) <= most)
            high = middle;
        else
            low = middle;
    }
    return cut(units, n, high);
}

static void
fill_row(struct heatmap *h, uint32_t item)
{
    struct heatmap_row *row = &h->rows[h->items[item].row];
    struct region_facts *facts = h->items[item].facts;

    row->last = facts;
    if (row->regions++ == 0)
        row->first = facts;
}

/* Regions of a row, the hottest of them. */
static void
fill_rows(struct heatmap *h)
{
    float peak[HEATMAP_ROWS_MAX];

    for (uint32_t i = 0; i < h->count; i++) {
        const struct heatmap_item *item = &h->items[i];
        struct heatmap_row *row = &h->rows[item->row];
        fill_row(h, i);
        if (row->hottest == NULL || item->peak > peak[item->row]) {
            row->hottest = item->facts;
            peak[item->row] = item->peak;
        }
    }
}

static void
assign_rows(struct heatmap *h)
{
    struct unit *units = xcalloc((size_t)h->count + 1, sizeof *units);
    uint32_t n = make_units(h, units);

    h->row_count = choose_rows(units, n, h->query.rows);
    for (uint32_t u = 0; u < n; u++) {
        uint32_t end = u + 1 < n ? units[u + 1].first : h->count;
        for (uint32_t i = units[u].first; i < end; i++)
            h->items[i].row = units[u].row;
    }
    free(units);
}

void
heatmap_plan(struct heatmap *h)
{
    sort_items(h);
    assign_rows(h);
    h->rows = xcalloc((size_t)h->row_count + 1, sizeof *h->rows);
    fill_rows(h);
    size_t cells = (size_t)h->row_count * h->span.columns;
    h->values = xreallocarray(NULL, cells + 1, sizeof *h->values);
    for (size_t i = 0; i < cells; i++)
        h->values[i] = NAN;
    h->next = 0;
}

void
heatmap_sum(struct heatmap *h, uint32_t item, const float *means)
{
    float *row = &h->values[(size_t)h->items[item].row * h->span.columns];

    for (uint32_t k = 0; k < h->span.columns; k++)
        if (!isnan(means[k]))
            row[k] = isnan(row[k]) ? means[k] : row[k] + means[k];
}

/* ---- the result ---- */

bool
heatmap_table_known(const struct heatmap *h)
{
    return h->table_known;
}

uint32_t
heatmap_columns(const struct heatmap *h)
{
    return h->span.columns;
}

int64_t
heatmap_time(const struct heatmap *h, uint32_t i)
{
    return h->begin_ms + i * h->column_ms;
}

const struct heatmap_row *
heatmap_rows(const struct heatmap *h, uint32_t *ret_count)
{
    *ret_count = h->row_count;
    return h->rows;
}

const uint8_t *
heatmap_row_end(const struct heatmap *h, uint32_t row, size_t *ret_len)
{
    const struct region_facts *next =
        row + 1 < h->row_count ? h->rows[row + 1].first : NULL;
    const struct region_facts *last = h->rows[row].last;

    if (next != NULL && next->start_known) {
        *ret_len = next->start_len;
        return region_start_key(next);
    }
    *ret_len = last->end_len;
    return last->end_known ? region_end_key(last) : NULL;
}

float
heatmap_value(const struct heatmap *h, uint32_t row, uint32_t column)
{
    assert(row < h->row_count && column < h->span.columns);
    return h->values[(size_t)row * h->span.columns + column];
}

const struct heatmap_mark *
heatmap_marks(const struct heatmap *h, uint32_t *ret_count)
{
    *ret_count = h->mark_count;
    return h->marks;
}
