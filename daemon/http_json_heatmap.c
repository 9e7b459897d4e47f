/* SPDX-License-Identifier: Apache-2.0 */
/* /api/v1/heatmap. HTTP threads; history is read through the context's function, which
 * takes the lock in portions; servers and alerts are those of the view. */
#include "daemon/http_answer.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/heatmap.h"
#include "common/row_key.h"
#include "daemon/http_params.h"
#include "daemon/json_util.h"
#include "daemon/names.h"
#include "daemon/row_order.h"

enum {
    COLUMNS_USUAL = 180,
    ROWS_USUAL = 120,
    KEY_SHOWN_MAX = 96 /* bytes of a boundary; keys may have 32 KiB */
};

/* ---- rows ---- */

/* What the snapshot says of the hottest region of a row. */
struct standing {
    struct region_id id;
    uint32_t row;                    /* of the heat map */
    const struct region_row *region; /* NULL: not in the snapshot */
};

static int
compare_standing(const void *left, const void *right)
{
    const struct standing *a = left, *b = right;

    if (a->id.hi != b->id.hi)
        return a->id.hi < b->id.hi ? -1 : 1;
    return (a->id.lo > b->id.lo) - (a->id.lo < b->id.lo);
}

/* One pass over the snapshot for all rows; ret is by row. */
static void
find_standing(const struct snapshot *s, const struct heatmap_row *rows, uint32_t count,
              const struct region_row *ret[static HEATMAP_ROWS_MAX])
{
    struct standing all[HEATMAP_ROWS_MAX];

    for (uint32_t i = 0; i < count; i++)
        all[i] = (struct standing){.id = rows[i].hottest->id, .row = i};
    qsort(all, count, sizeof all[0], compare_standing);
    for (uint32_t i = 0; i < s->region_count && count > 0; i++) {
        struct standing key = {.id = s->regions[i].facts->id};
        struct standing *found =
            bsearch(&key, all, count, sizeof all[0], compare_standing);
        if (found != NULL)
            found->region = &s->regions[i];
    }
    for (uint32_t i = 0; i < count; i++)
        ret[all[i].row] = all[i].region;
}

static void
member_boundary(struct json_writer *w, const char *name, const uint8_t *key, size_t len)
{
    struct buf text;

    if (key == NULL) {
        json_member_null(w, name);
        return;
    }
    buf_init(&text, 0);
    row_key_escape(&text, key, len < KEY_SHOWN_MAX ? len : KEY_SHOWN_MAX);
    if (len > KEY_SHOWN_MAX)
        buf_adds(&text, "…");
    json_key(w, name);
    json_string_n(w, text.data, text.len);
    buf_finish(&text);
}

static void
write_row(struct json_writer *w, const struct snapshot *s, const struct heatmap *map,
          uint32_t i, const struct region_row *hottest)
{
    uint32_t count;
    size_t end_len;
    const struct heatmap_row *row = &heatmap_rows(map, &count)[i];
    const struct region_facts *f = row->first;
    const uint8_t *end = heatmap_row_end(map, i, &end_len);

    json_object_begin(w);
    member_boundary(w, "startKey", f->start_known ? region_start_key(f) : NULL,
                    f->start_len);
    member_boundary(w, "endKey", end, end_len);
    json_member_u64(w, "regions", row->regions);
    json_member_region(w, "region", row->hottest);
    json_member_server(w, "server",
                       hottest != NULL ? snapshot_server(s, hottest->server) : NULL);
    json_member_figure(w, "ratio", hottest != NULL ? (double)hottest->ratio : NAN);
    json_member_string(w, "state", hottest != NULL ? heat_name(hottest->heat) : NULL);
    json_object_end(w);
}

static void
write_rows(struct json_writer *w, const struct snapshot *s, const struct heatmap *map)
{
    const struct region_row *standing[HEATMAP_ROWS_MAX];
    uint32_t count;
    const struct heatmap_row *rows = heatmap_rows(map, &count);

    assert(count <= HEATMAP_ROWS_MAX);
    find_standing(s, rows, count, standing);
    json_key(w, "rows");
    json_array_begin(w);
    for (uint32_t i = 0; i < count; i++)
        write_row(w, s, map, i, standing[i]);
    json_array_end(w);
}

/* ---- values ---- */

static void
write_times(struct json_writer *w, const struct heatmap *map)
{
    uint32_t columns = heatmap_columns(map);

    json_key(w, "times");
    json_array_begin(w);
    for (uint32_t i = 0; i < columns; i++)
        json_time(w, heatmap_time(map, i));
    json_array_end(w);
    json_member_double(
        w, "columnSeconds",
        columns > 0 ? (double)(heatmap_time(map, 1) - heatmap_time(map, 0)) / 1000 : 0);
}

/* Three significant digits: history holds no more, and there are many values. */
static void
add_value(struct buf *out, float value)
{
    double v = (double)value;

    if (isnan(v))
        buf_adds(out, "null");
    else if (v >= 99.95)
        buf_addf(out, "%.0f", v >= 1000 ? round(v / 10) * 10 : v);
    else
        buf_addf(out, "%.3g", v);
}

static void
write_values(struct json_writer *w, const struct heatmap *map)
{
    uint32_t rows, columns = heatmap_columns(map);

    (void)heatmap_rows(map, &rows);
    json_key(w, "values");
    json_array_begin(w);
    for (uint32_t i = 0; i < rows; i++) {
        json_array_begin(w);
        for (uint32_t k = 0; k < columns; k++) {
            if (k > 0)
                buf_addc(w->out, ',');
            add_value(w->out, heatmap_value(map, i, k));
        }
        json_array_end(w);
    }
    json_array_end(w);
}

/* ---- marks ---- */

static void
write_mark(struct json_writer *w, int64_t time_ms, const char *kind, const char *region)
{
    json_object_begin(w);
    json_member_time(w, "time", time_ms);
    json_member_string(w, "kind", kind);
    json_member_string(w, "region", region);
    json_object_end(w);
}

/* The mark of an event if it is of the table; returns whether it is. */
static bool
write_event(struct json_writer *w, const struct event *e, const char *table)
{
    const char *name, *value, *region = NULL;
    bool of_table = false;

    for (size_t at = 0; labels_next(e->labels, e->labels_len, &at, &name, &value);) {
        if (strcmp(name, "table") == 0)
            of_table = strcmp(value, table) == 0;
        else if (strcmp(name, "region") == 0)
            region = value;
    }
    if (of_table)
        write_mark(w, e->time_ms, event_kind_name(e->kind), region);
    return of_table;
}

static void
write_marks(struct json_writer *w, const struct view *view, const struct heatmap *map,
            const char *table)
{
    char text[REGION_ID_TEXT_SIZE];
    uint32_t count, events = 0, columns = heatmap_columns(map);
    const struct heatmap_mark *marks = heatmap_marks(map, &count);
    int64_t begin = columns > 0 ? heatmap_time(map, 0) : INT64_MAX;
    int64_t end = columns > 0 ? heatmap_time(map, columns + 1) : INT64_MAX;

    json_key(w, "marks");
    json_array_begin(w);
    for (uint32_t i = 0; i < count; i++)
        write_mark(w, marks[i].time_ms, lineage_event_name(marks[i].event),
                   region_id_text(marks[i].region, text));
    for (size_t i = view->events->count; i-- > 0 && events < HEATMAP_MARKS_MAX;) {
        const struct event *e = view->events->items[i];
        if (e->time_ms >= begin && e->time_ms < end)
            events += write_event(w, e, table);
    }
    json_array_end(w);
}

/* ---- the answer ---- */

static void
write_heatmap(struct answer *a, const struct view *view, const struct heatmap *map,
              const struct heatmap_query *query)
{
    struct json_writer w;

    answer_data_begin(a, &w);
    json_member_string(&w, "table", query->table);
    json_member_string(&w, "access", access_name(query->access));
    write_times(&w, map);
    write_rows(&w, view->snapshot, map);
    write_values(&w, map);
    write_marks(&w, view, map, query->table);
    answer_data_end(a, &w);
}

static uint32_t
number_or(const struct param_value *value, uint32_t otherwise)
{
    return value->set ? (uint32_t)value->number : otherwise;
}

void
answer_heatmap(const struct http_request *request, struct answer *a)
{
    const struct http_context *context = request->context;
    const struct param_value *v = request->query.values;
    const struct config *config = request->view->config->config;
    int64_t to_ms =
        v[HEATMAP_TO].set ? v[HEATMAP_TO].ms : request->view->status.made.wall_ms;
    struct heatmap_query query = {
        .table = v[HEATMAP_TABLE].text,
        .from_ms =
            v[HEATMAP_FROM].set ? v[HEATMAP_FROM].ms : to_ms - config->history.raw_ms,
        .to_ms = to_ms,
        .columns = number_or(&v[HEATMAP_COLUMNS], COLUMNS_USUAL),
        .rows = number_or(&v[HEATMAP_ROWS], ROWS_USUAL),
        .access = v[HEATMAP_ACCESS].set ? (enum access)v[HEATMAP_ACCESS].number
                                        : ACCESS_TOTAL,
    };

    if (!v[HEATMAP_TABLE].set) {
        answer_error(a, 400, "parameter table: expected the name of a table");
        return;
    }
    if (query.from_ms > query.to_ms) {
        answer_error(a, 400, "parameter from: expected a time not after `to`");
        return;
    }
    if (snapshot_find_table(request->view->snapshot, query.table) == NO_INDEX) {
        answer_error(a, 404, "table '%s' is not known", query.table);
        return;
    }
    struct heatmap *map = heatmap_create(&query);
    context->heatmap(context->series_data, map);
    write_heatmap(a, request->view, map, &query);
    heatmap_destroy(map);
}
