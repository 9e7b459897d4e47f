/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/daemon/fixture.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/heatmap_priv.h"
#include "common/alloc.h"
#include "config/load.h"
#include "daemon/http_routes.h"

enum { ROWS_MAX = 4096 };

void
fixture_begin(struct fixture *f)
{
    struct snapshot *s = xcalloc(1, sizeof *s);

    s->refs = 1;
    s->number = 7;
    s->at = (struct moment){.mono_ms = 1000000, .wall_ms = FIXTURE_NOW_MS};
    s->window_seconds = 120;
    s->regions = xcalloc(ROWS_MAX, sizeof *s->regions);
    s->tables = xcalloc(ROWS_MAX, sizeof *s->tables);
    s->servers = xcalloc(ROWS_MAX, sizeof *s->servers);
    s->alerts = xcalloc(64, sizeof *s->alerts);
    f->s = s;
}

uint32_t
fixture_table(struct fixture *f, const char *name)
{
    uint32_t i = f->s->table_count++;

    f->s->tables[i] = (struct table_row){
        .facts = table_facts_create(name),
        .hottest = NO_INDEX,
        .skew = NAN,
    };
    return i;
}

uint32_t
fixture_server(struct fixture *f, const char *text)
{
    uint32_t i = f->s->server_count++;
    struct server_row *row = &f->s->servers[i];

    *row = (struct server_row){
        .facts = server_facts_create(text),
        .skew = 1.5,
        .cache_hit_ratio = 0.97,
        .last_success_ms = FIXTURE_NOW_MS - 4000,
        .up = true,
    };
    ck_assert_ptr_nonnull(row->facts);
    for (int k = 0; k < SIGNAL_COUNT; k++)
        row->signals[k] = NAN;
    row->signals[SIGNAL_ACTIVE_HANDLERS] = 12;
    return i;
}

uint32_t
fixture_region(struct fixture *f, uint32_t table, uint32_t server, unsigned number,
               const char *start, const char *end, double read, double write)
{
    uint32_t i = f->s->region_count++;
    struct region_id id = {0x858a2c1f00000000 + number, 0x1122334455667788};

    ck_assert_uint_lt(i, ROWS_MAX);
    f->s->regions[i] = (struct region_row){
        .facts =
            region_facts_create(id, f->s->tables[table].facts, 0, 1700000000000, start,
                                start ? strlen(start) : 0, end, end ? strlen(end) : 0),
        .table = table,
        .server = server,
        .rate = {(float)read, (float)write, (float)(read + write)},
        .ratio = 1,
        .locality = 0.5f,
        .size_bytes = 1 << 20,
        .last_sample_ms = FIXTURE_NOW_MS - 5000,
        .read_count = UINT64_C(9007199254740993), /* 2^53 + 1 */
        .write_count = 12,
        .has_counts = true,
    };
    return i;
}

static void
fill_alert(struct alert *a, const struct snapshot *s, uint32_t region)
{
    const struct region_row *r = &s->regions[region];

    a->table = table_facts_ref(s->tables[r->table].facts);
    a->region = region_facts_ref(r->facts);
    a->members[0] = region_facts_ref(r->facts);
    a->member_count = 1;
    a->origin = r->facts->id;
    if (r->server != NO_INDEX)
        a->server = server_facts_ref(s->servers[r->server].facts);
    a->access = ACCESS_WRITE;
    for (int i = 0; i < ACCESS_COUNT; i++)
        a->rate[i] = a->newest_rate[i] = (double)r->rate[i];
    for (int i = 0; i < SIGNAL_COUNT; i++)
        a->server_signals[i] = a->server_signal_rates[i] = NAN;
    a->server_cache_hit_ratio = NAN;
    a->server_memstore_limit_bytes = -1;
    a->server_signals[SIGNAL_QUEUED_CALLS] = 3;
}

struct alert *
fixture_alert(struct fixture *f, enum alert_kind kind, uint32_t region)
{
    struct alert *a = &f->s->alerts[f->s->alert_count++];

    *a = (struct alert){
        .kind = kind,
        .state = ALERT_FIRING,
        .severity = SEVERITY_WARNING,
        .active_at_ms = FIXTURE_NOW_MS - 816000, /* 22:10:24 */
        .starts_at_ms = FIXTURE_NOW_MS - 696000,
        .hot_since_ms = FIXTURE_NOW_MS - 816000,
        .resolved_at_ms = -1,
        .baseline = 199.4,
        .ratio = 9.7,
        .share = 0.71,
        .server_share = 0.64,
        .threshold = 3,
        .min_rate = 100,
        .limit = 598.2,
        .regions_in_table = 10,
        .regions_fresh = 9,
        .effective_regions = 1.9,
        .last_sample_ms = FIXTURE_NOW_MS - 5000,
    };
    fill_alert(a, f->s, region);
    f->s->regions[region].heat = HEAT_FIRING;
    f->s->firing++;
    return a;
}

void
fixture_sum(struct fixture *f)
{
    struct snapshot *s = f->s;

    for (uint32_t i = 0; i < s->region_count; i++) {
        const struct region_row *r = &s->regions[i];
        struct table_row *t = &s->tables[r->table];
        t->regions++;
        t->fresh += !r->stale;
        s->fresh += !r->stale;
        s->active += r->rate[ACCESS_TOTAL] > 0;
        s->without_server += r->server == NO_INDEX;
        for (int k = 0; k < ACCESS_COUNT; k++) {
            t->rate[k] += (double)r->rate[k];
            if (r->server != NO_INDEX)
                s->servers[r->server].rate[k] += (double)r->rate[k];
        }
        if (r->server != NO_INDEX)
            s->servers[r->server].regions++;
        if (t->hottest == NO_INDEX ||
            r->rate[ACCESS_TOTAL] > s->regions[t->hottest].rate[ACCESS_TOTAL])
            t->hottest = i;
    }
    for (uint32_t i = 0; i < s->server_count; i++)
        s->servers_up += s->servers[i].up;
    s->coverage = s->region_count > 0 ? (double)s->fresh / s->region_count : 0;
}

void
fixture_orders(struct fixture *f)
{
    fixture_begin(f);
    uint32_t iot = fixture_table(f, "iot:events");
    uint32_t orders = fixture_table(f, "orders");
    uint32_t rs1 = fixture_server(f, "rs1,16020,1700000000001");
    uint32_t rs2 = fixture_server(f, "rs2,16020,1700000000002");
    char start[2] = "0", end[2] = "1";

    fixture_region(f, iot, rs1, 100, "", "", 5, 5);
    for (unsigned i = 0; i < 10; i++) {
        start[0] = (char)('0' + i);
        end[0] = (char)('1' + i);
        fixture_region(f, orders, i % 2 ? rs1 : rs2, i, i == 0 ? "" : start,
                       i == 9 ? "" : end, i == 4 ? 20 : 10 + i, i == 4 ? 1934 : 90);
    }
    f->s->regions[5].ratio = 9.7f;
    fixture_alert(f, ALERT_REGION, 5);
    fixture_sum(f);
}

static void
render(struct view *view)
{
    struct exports exports;
    struct poll_stats *polls = xcalloc(1, sizeof *polls);
    struct http_stats *http = xcalloc(1, sizeof *http);
    struct buf text;

    exports_init(&exports);
    exports_update(&exports, view->snapshot, &view->config->config->metrics);
    buf_init(&text, 0);
    polls->reload_ok = true;
    (void)metrics_render(&(struct metrics_input){.view = view,
                                                 .exports = &exports,
                                                 .polls = polls,
                                                 .http = http,
                                                 .process = process_stats_read()},
                         &text);
    view->metrics = buf_steal(&text, &view->metrics_len);
    exports_finish(&exports);
    free(polls);
    free(http);
}

struct view *
fixture_view(struct fixture *f)
{
    struct view *view = view_create();
    struct event_ring *ring = event_ring_create(10);

    view->config = shared_config_create(config_create_default());
    view->snapshot = snapshot_ref(f->s);
    view->events = event_ring_list(ring);
    event_ring_destroy(ring);
    view->status = (struct status){
        .started = {.mono_ms = 900000, .wall_ms = FIXTURE_NOW_MS - 100000},
        .made = f->s->at,
        .cluster = xstrdup("prod"),
        .ready = true,
        .regions_in_transition = NAN,
    };
    render(view);
    return view;
}

void
fixture_finish(struct fixture *f)
{
    ck_assert_uint_eq(atomic_load(&f->s->refs), 1);
    f->s = snapshot_unref(f->s);
}

static size_t
series(void *data, struct region_id id, int64_t from_ms, int64_t to_ms, int64_t step_ms,
       struct series_point *points, size_t max)
{
    (void)data;
    if (id.hi == 0)
        return SIZE_MAX;
    ck_assert_uint_ge(max, 3);
    points[0] = (struct series_point){from_ms, 1.5f, NAN};
    points[1] = (struct series_point){from_ms + step_ms, 2, 3};
    points[2] = (struct series_point){to_ms, 0, 0.25f};
    return 3;
}

/* As many columns as asked for, and a row a region of the table in the view: 1234.5 in
 * the first column, unknown in the second, then large. */
static void
heatmap(void *data, struct heatmap *h)
{
    const struct view *view = data;
    float means[HEATMAP_COLUMNS_MAX] = {1234.5f, NAN};

    for (int i = 2; i < HEATMAP_COLUMNS_MAX; i++)
        means[i] = 12345;
    h->span = (struct history_span){.columns = h->query.columns, .stride = 1};
    h->begin_ms = FIXTURE_NOW_MS - 60000;
    h->column_ms = 30000;
    for (uint32_t i = 0; i < view->snapshot->region_count; i++)
        if (strcmp(view->snapshot->regions[i].facts->table->name, h->table) == 0)
            heatmap_take(h, view->snapshot->regions[i].facts, i, 10);
    heatmap_plan(h);
    for (uint32_t i = 0; i < h->count; i++)
        heatmap_sum(h, i, means);
}

struct fixture_answer
fixture_get(struct view *view, const char *method, const char *uri)
{
    return fixture_ask(view, method, uri, (struct fixture_headers){0});
}

struct fixture_answer
fixture_ask(struct view *view, const char *method, const char *uri,
            struct fixture_headers headers)
{
    struct http_context context = {.telemetry_path = "/metrics",
                                   .series = series,
                                   .heatmap = heatmap,
                                   .series_data = view};
    struct http_request request = {.context = &context,
                                   .view = view,
                                   .accept_encoding = headers.accept_encoding,
                                   .if_none_match = headers.if_none_match};
    struct fixture_answer result = {0};
    struct answer a;

    answer_init(&a);
    http_respond(&request, method, uri, &a);
    result.status = a.status;
    result.type = xstrdup(a.type);
    result.allow = a.allow;
    result.gzip = a.gzip;
    snprintf(result.etag, sizeof result.etag, "%s", a.etag);
    result.len = a.shared != NULL ? a.shared_len : a.body.len;
    result.body = xmemdup0(a.shared != NULL ? a.shared : a.body.data, result.len);
    result.json = cJSON_ParseWithLengthOpts(result.body, result.len + 1, NULL, 1);
    result.data = cJSON_GetObjectItemCaseSensitive(result.json, "data");
    answer_finish(&a);
    query_finish(&request.query);
    return result;
}

void
fixture_answer_finish(struct fixture_answer *a)
{
    free(a->type);
    free(a->body);
    cJSON_Delete(a->json);
    *a = (struct fixture_answer){0};
}

const cJSON *
fixture_at(const cJSON *data, const char *path)
{
    const cJSON *at = data;
    char name[64];

    for (const char *s = path; *s != '\0';) {
        size_t len = strcspn(s, ".");
        ck_assert_uint_lt(len, sizeof name);
        memcpy(name, s, len);
        name[len] = '\0';
        at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(name))
                               : cJSON_GetObjectItemCaseSensitive(at, name);
        ck_assert_msg(at != NULL, "%s: no member %s", path, name);
        s += len + (s[len] == '.');
    }
    return at;
}

double
fixture_number(const cJSON *data, const char *path)
{
    const cJSON *at = fixture_at(data, path);

    ck_assert_msg(cJSON_IsNumber(at), "%s is no number", path);
    return at->valuedouble;
}

const char *
fixture_string(const cJSON *data, const char *path)
{
    const cJSON *at = fixture_at(data, path);

    ck_assert_msg(cJSON_IsString(at), "%s is no string", path);
    return at->valuestring;
}
