/* SPDX-License-Identifier: Apache-2.0 */
/* /api/v1/regions, one region, and its series. HTTP threads; rows are read from the
 * view, history through the context's function. */
#include "daemon/http_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "daemon/http_params.h"
#include "daemon/json_alert.h"
#include "daemon/json_util.h"
#include "daemon/row_order.h"
#include "daemon/select.h"

/* ---- one row ---- */

static double
region_share(const struct snapshot *s, const struct region_row *r)
{
    double table = s->tables[r->table].rate[ACCESS_TOTAL];

    return table > 0 ? (double)r->rate[ACCESS_TOTAL] / table : NAN;
}

/* The members of a region, without the braces. */
static void
region_members(struct json_writer *w, const struct snapshot *s,
               const struct region_row *r)
{
    json_member_region(w, "region", r->facts);
    json_member_string(w, "table", s->tables[r->table].facts->name);
    json_member_u64(w, "replica", r->facts->replica);
    json_member_server(w, "server", snapshot_server(s, r->server));
    json_member_keys(w, r->facts);
    json_member_rates(w, r->rate);
    json_member_figure(w, "ratio", (double)r->ratio);
    json_member_figure(w, "share", region_share(s, r));
    json_key(w, "sizeBytes");
    if (r->size_bytes < 0)
        json_null(w);
    else
        json_i64(w, r->size_bytes);
    json_member_figure(w, "locality", (double)r->locality);
    json_member_time(w, "lastSample", r->last_sample_ms);
    json_member_bool(w, "stale", r->stale);
    json_member_bool(w, "inTransition", r->in_transition);
    json_member_bool(w, "withoutMetrics", r->no_metrics);
    json_member_string(w, "state", heat_name(r->heat));
}

/* ---- the list ---- */

struct selection {
    const struct snapshot *s;
    enum region_sort sort;
    uint32_t table;        /* NO_INDEX: any */
    const bool *on_server; /* by server index; NULL: any */
};

static bool
is_wanted(const void *data, uint32_t row)
{
    const struct selection *sel = data;
    const struct region_row *r = &sel->s->regions[row];

    if (sel->table != NO_INDEX && r->table != sel->table)
        return false;
    return sel->on_server == NULL ||
           (r->server != NO_INDEX && sel->on_server[r->server]);
}

static int
compare(const void *data, uint32_t a, uint32_t b)
{
    const struct selection *sel = data;

    return region_order(sel->s, sel->sort, a, b);
}

/* Which server rows are of the address; the caller frees. */
static bool *
mark_servers(const struct snapshot *s, const char *address)
{
    bool *marks = xcalloc(s->server_count + 1, sizeof *marks);

    for (uint32_t i = 0; i < s->server_count; i++)
        marks[i] = strcmp(s->servers[i].facts->address, address) == 0;
    return marks;
}

static uint64_t
number_or(const struct param_value *value, uint64_t otherwise)
{
    return value->set ? value->number : otherwise;
}

void
answer_regions(const struct http_request *request, struct answer *a)
{
    const struct snapshot *s = request->view->snapshot;
    const struct param_value *v = request->query.values;
    uint64_t limit = number_or(&v[REGIONS_LIMIT], DEFAULT_LIMIT);
    uint64_t offset = number_or(&v[REGIONS_OFFSET], 0);
    bool *marks =
        v[REGIONS_SERVER].set ? mark_servers(s, v[REGIONS_SERVER].text) : NULL;
    struct selection sel = {
        .s = s,
        .sort = (enum region_sort)number_or(&v[REGIONS_SORT], REGION_SORT_RATE),
        .table = v[REGIONS_TABLE].set ? snapshot_find_table(s, v[REGIONS_TABLE].text)
                                      : NO_INDEX,
        .on_server = marks,
    };
    struct select_rule rule = {is_wanted, compare, &sel};
    uint32_t *rows;
    size_t total;
    struct json_writer w;

    if (v[REGIONS_TABLE].set && sel.table == NO_INDEX) {
        answer_error(a, 404, "table '%s' is not known", v[REGIONS_TABLE].text);
        free(marks);
        return;
    }
    size_t count = select_rows(&rule, s->region_count, offset + limit, &rows, &total);
    answer_data_begin(a, &w);
    json_key(&w, "regions");
    json_array_begin(&w);
    for (size_t i = offset; i < count; i++) {
        json_object_begin(&w);
        region_members(&w, s, &s->regions[rows[i]]);
        json_object_end(&w);
    }
    json_array_end(&w);
    json_member_u64(&w, "total", total);
    answer_data_end(a, &w);
    free(rows);
    free(marks);
}

/* ---- one region ---- */

/* The alert of which the region is a part, or NULL. */
static const struct alert *
region_alert(const struct snapshot *s, struct region_id id)
{
    for (uint32_t i = 0; i < s->alert_count; i++) {
        const struct alert *a = &s->alerts[i];
        if (a->kind != ALERT_REGION && a->kind != ALERT_META)
            continue;
        if (a->region != NULL && region_id_equal(a->region->id, id))
            return a;
        for (uint32_t m = 0; m < a->member_count; m++)
            if (region_id_equal(a->members[m]->id, id))
                return a;
    }
    return NULL;
}

/* Reads {region}; false with an error in the answer if it is no encoded name. */
static bool
requested_region(const struct http_request *request, struct answer *a,
                 struct region_id *ret_id)
{
    if (region_id_parse(request->segment, request->segment_len, ret_id))
        return true;
    answer_error(a, 400,
                 "region: expected an encoded region name, 32 lower-case hexadecimal "
                 "digits or a decimal number such as 1588230740");
    return false;
}

static void
region_unknown(struct answer *a, struct region_id id)
{
    char text[REGION_ID_TEXT_SIZE];

    answer_error(a, 404, "region %s is not known", region_id_text(id, text));
}

void
answer_region(const struct http_request *request, struct answer *a)
{
    const struct snapshot *s = request->view->snapshot;
    struct region_id id;
    struct json_writer w;

    if (!requested_region(request, a, &id))
        return;
    uint32_t row = snapshot_find_region(s, id);
    if (row == NO_INDEX) {
        region_unknown(a, id);
        return;
    }
    const struct region_row *r = &s->regions[row];
    const struct alert *alert = region_alert(s, id);
    answer_data_begin(a, &w);
    region_members(&w, s, r);
    json_member_time(&w, "created", r->facts->created_ms);
    json_key(&w, "readRequestCount");
    if (r->has_counts)
        json_u64(&w, r->read_count);
    else
        json_null(&w);
    json_key(&w, "writeRequestCount");
    if (r->has_counts)
        json_u64(&w, r->write_count);
    else
        json_null(&w);
    json_member_string(&w, "class",
                       alert != NULL && alert->why != NULL
                           ? heat_class_name(alert->why->heat_class)
                           : NULL);
    json_key(&w, "lineage");
    if (alert != NULL) {
        json_lineage(&w, alert);
    } else {
        json_array_begin(&w);
        json_array_end(&w);
    }
    json_key(&w, "alert");
    if (alert != NULL)
        json_alert(&w, request->view, alert);
    else
        json_null(&w);
    answer_data_end(a, &w);
}

/* ---- series ---- */

enum { SERIES_POINTS_MAX = 11000 };

static void
write_point(struct json_writer *w, const struct series_point *p)
{
    const double rates[] = {(double)p->read, (double)p->write};

    json_array_begin(w);
    json_i64(w, p->time_ms);
    for (int i = 0; i < 2; i++) {
        if (isfinite(rates[i]))
            json_double(w, round(rates[i] * 1000) / 1000);
        else
            json_null(w);
    }
    json_array_end(w);
}

static void
write_series(struct answer *a, const struct series_point *points, size_t count,
             struct region_id id)
{
    char text[REGION_ID_TEXT_SIZE];
    struct json_writer w;

    answer_data_begin(a, &w);
    json_member_string(&w, "region", region_id_text(id, text));
    json_key(&w, "points");
    json_array_begin(&w);
    for (size_t i = 0; i < count; i++)
        write_point(&w, &points[i]);
    json_array_end(&w);
    answer_data_end(a, &w);
}

/* Without `from`: what the finest tier of the history surely holds. */
static int64_t
default_span_ms(const struct config *config)
{
    int64_t interval_ms = config->poll.interval_ms;
    int64_t kept_ms = config->history.raw_ms - 2 * interval_ms;
    int64_t most_ms = (SERIES_POINTS_MAX - 1) * interval_ms;

    if (kept_ms < 2 * interval_ms)
        return 2 * interval_ms;
    return kept_ms < most_ms ? kept_ms : most_ms;
}

void
answer_series(const struct http_request *request, struct answer *a)
{
    const struct http_context *context = request->context;
    const struct param_value *v = request->query.values;
    int64_t now_ms = request->view->status.made.wall_ms;
    int64_t to_ms = v[SERIES_TO].set ? v[SERIES_TO].ms : now_ms;
    int64_t from_ms = v[SERIES_FROM].set
                          ? v[SERIES_FROM].ms
                          : to_ms - default_span_ms(request->view->config->config);
    int64_t step_ms = v[SERIES_STEP].set ? v[SERIES_STEP].ms : 0;
    struct region_id id;

    if (!requested_region(request, a, &id))
        return;
    if (from_ms > to_ms) {
        answer_error(a, 400, "parameter from: expected a time not after `to`");
        return;
    }
    if (step_ms > 0 && (to_ms - from_ms) / step_ms >= SERIES_POINTS_MAX) {
        answer_error(a, 400,
                     "parameter step: expected at most %d points between from and to",
                     SERIES_POINTS_MAX);
        return;
    }
    struct series_point *points =
        xreallocarray(NULL, SERIES_POINTS_MAX, sizeof *points);
    size_t count = context->series(context->series_data, id, from_ms, to_ms, step_ms,
                                   points, SERIES_POINTS_MAX);
    if (count == SIZE_MAX)
        region_unknown(a, id);
    else
        write_series(a, points, count, id);
    free(points);
}
