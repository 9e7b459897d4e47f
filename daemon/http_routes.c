/* SPDX-License-Identifier: Apache-2.0 */
/* Route table and dispatch. No state; the HTTP threads run it. */
#include "daemon/http_routes.h"

#include <assert.h>
#include <string.h>

#include "analysis/heatmap.h"
#include "daemon/http_params.h"
#include "daemon/row_order.h"

#define ANY(n, k)                                                                      \
    {                                                                                  \
        .name = (n), .kind = PARAM_##k                                                 \
    }
#define CHOICE(n, c)                                                                   \
    {                                                                                  \
        .name = (n), .kind = PARAM_CHOICE, .choices = (c)                              \
    }
#define COUNT(n, l, h)                                                                 \
    {                                                                                  \
        .name = (n), .kind = PARAM_COUNT, .low = (l), .high = (h)                      \
    }

static const char *const alert_states[] = {"pending", "firing", NULL};

const struct param no_params[] = {{0}};

const struct param alerts_params[] = {
    [ALERTS_STATE] = CHOICE("state", alert_states),
    [ALERTS_TABLE] = ANY("table", TEXT),
    [ALERTS_LIMIT] = ANY("limit", LIMIT),
    {0},
};

const struct param history_params[] = {
    [HISTORY_SINCE] = ANY("since", TIME),
    [HISTORY_LIMIT] = ANY("limit", LIMIT),
    {0},
};

const struct param regions_params[] = {
    [REGIONS_TABLE] = ANY("table", TEXT),
    [REGIONS_SERVER] = ANY("server", TEXT),
    [REGIONS_SORT] = CHOICE("sort", region_sort_names),
    [REGIONS_LIMIT] = ANY("limit", LIMIT),
    [REGIONS_OFFSET] = ANY("offset", OFFSET),
    {0},
};

const struct param series_params[] = {
    [SERIES_FROM] = ANY("from", TIME),
    [SERIES_TO] = ANY("to", TIME),
    [SERIES_STEP] = ANY("step", DURATION),
    {0},
};

static const char *const accesses[] = {
    [ACCESS_READ] = "read",
    [ACCESS_WRITE] = "write",
    [ACCESS_TOTAL] = "total",
    [ACCESS_COUNT] = NULL,
};

const struct param heatmap_params[] = {
    [HEATMAP_TABLE] = ANY("table", TEXT),
    [HEATMAP_FROM] = ANY("from", TIME),
    [HEATMAP_TO] = ANY("to", TIME),
    [HEATMAP_COLUMNS] = COUNT("columns", 1, HEATMAP_COLUMNS_MAX),
    [HEATMAP_ROWS] = COUNT("rows", HEATMAP_ROWS_MIN, HEATMAP_ROWS_MAX),
    [HEATMAP_ACCESS] = CHOICE("access", accesses),
    {0},
};

#define API "/api/v1/"

const struct route http_routes[ROUTE_COUNT] = {
    [ROUTE_PAGE] = {"/", "page", METHOD_GET, NULL, answer_page},
    [ROUTE_WEB] = {"/web/{file}", "web", METHOD_GET, NULL, answer_web},
    [ROUTE_METRICS] = {NULL, "metrics", METHOD_GET, NULL, answer_metrics},
    [ROUTE_HEALTHY] = {"/-/healthy", "healthy", METHOD_GET, NULL, answer_healthy},
    [ROUTE_READY] = {"/-/ready", "ready", METHOD_GET, NULL, answer_ready},
    [ROUTE_RELOAD] = {"/-/reload", "reload", METHOD_POST | METHOD_PUT, NULL,
                      answer_reload},
    [ROUTE_STATUS] = {API "status", "status", METHOD_GET, no_params, answer_status},
    [ROUTE_ALERTS] = {API "alerts", "alerts", METHOD_GET, alerts_params, answer_alerts},
    [ROUTE_HISTORY] = {API "alerts/history", "history", METHOD_GET, history_params,
                       answer_history},
    [ROUTE_REGIONS] = {API "regions", "regions", METHOD_GET, regions_params,
                       answer_regions},
    [ROUTE_REGION] = {API "regions/{region}", "region", METHOD_GET, no_params,
                      answer_region},
    [ROUTE_SERIES] = {API "regions/{region}/series", "series", METHOD_GET,
                      series_params, answer_series},
    [ROUTE_HEATMAP] = {API "heatmap", "heatmap", METHOD_GET, heatmap_params,
                       answer_heatmap},
    [ROUTE_TABLES] = {API "tables", "tables", METHOD_GET, no_params, answer_tables},
    [ROUTE_SERVERS] = {API "servers", "servers", METHOD_GET, no_params, answer_servers},
    [ROUTE_TARGETS] = {API "targets", "targets", METHOD_GET, no_params, answer_targets},
    [ROUTE_OPENAPI] = {API "openapi.json", "openapi", METHOD_GET, no_params,
                       answer_openapi},
    [ROUTE_SD] = {"/sd", "sd", METHOD_GET, NULL, answer_sd},
};

const char *
http_route_name(enum http_route route)
{
    return route < ROUTE_COUNT ? http_routes[route].name : "other";
}

/* Whether path is of the pattern. */
static bool
matches(const char *pattern, const char *path, size_t len, const char **ret_segment,
        size_t *ret_segment_len)
{
    const char *open = strchr(pattern, '{');

    *ret_segment = NULL;
    *ret_segment_len = 0;
    if (open == NULL)
        return strlen(pattern) == len && memcmp(pattern, path, len) == 0;
    size_t before = (size_t)(open - pattern);
    const char *after = strchr(open, '}') + 1;
    size_t after_len = strlen(after);
    if (len <= before + after_len || memcmp(pattern, path, before) != 0 ||
        memcmp(after, path + len - after_len, after_len) != 0)
        return false;
    *ret_segment = path + before;
    *ret_segment_len = len - before - after_len;
    return memchr(*ret_segment, '/', *ret_segment_len) == NULL;
}

enum http_route
http_route_find(const char *path, size_t len, const char *telemetry_path,
                const char **ret_segment, size_t *ret_segment_len)
{
    const char *segment;
    size_t segment_len;
    enum http_route found = ROUTE_COUNT;

    for (int i = 0; i < ROUTE_COUNT && found == ROUTE_COUNT; i++) {
        const char *pattern =
            http_routes[i].path != NULL ? http_routes[i].path : telemetry_path;
        if (matches(pattern, path, len, &segment, &segment_len))
            found = (enum http_route)i;
    }
    if (ret_segment != NULL && found != ROUTE_COUNT) {
        *ret_segment = segment;
        *ret_segment_len = segment_len;
    }
    return found;
}

const char *
http_route_allow(unsigned methods)
{
    switch (methods) {
    case METHOD_GET:
        return "GET, HEAD";
    case METHOD_POST | METHOD_PUT:
        return "POST, PUT";
    default:
        assert(methods == METHOD_POST);
        return "POST";
    }
}

static unsigned
method_bit(const char *method)
{
    if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
        return METHOD_GET;
    if (strcmp(method, "POST") == 0)
        return METHOD_POST;
    if (strcmp(method, "PUT") == 0)
        return METHOD_PUT;
    return 0;
}

static bool
is_api(const char *uri)
{
    return strncmp(uri, "/api/", 5) == 0;
}

static void
refuse(struct answer *answer, const char *uri, unsigned status, const char *text)
{
    if (is_api(uri))
        answer_error(answer, status, "%s", text);
    else
        answer_text(answer, status, "%s", text);
}

void
http_respond(struct http_request *request, const char *method, const char *uri,
             struct answer *answer)
{
    size_t len = strcspn(uri, "?");
    const char *query = uri[len] == '?' ? uri + len + 1 : "";
    enum http_route route = http_route_find(uri, len, request->context->telemetry_path,
                                            &request->segment, &request->segment_len);

    request->route = route;
    if (request->has_body) {
        refuse(answer, uri, 413, "requests with a body are not taken");
        return;
    }
    if (route == ROUTE_COUNT) {
        refuse(answer, uri, 404,
               "no such page; docs/api.md lists those that there are");
        return;
    }
    const struct route *r = &http_routes[route];
    if ((method_bit(method) & r->methods) == 0) {
        refuse(answer, uri, 405, "method not allowed here");
        answer->allow = http_route_allow(r->methods);
        return;
    }
    if (r->params != NULL) {
        struct buf error;
        buf_init(&error, 0);
        int bad = query_parse(query, r->params, &request->query, &error);
        if (bad < 0)
            answer_error(answer, 400, "%s", error.data);
        buf_finish(&error);
        if (bad < 0)
            return;
    }
    if (is_api(uri) && route != ROUTE_OPENAPI && answer_view_unchanged(request, answer))
        return;
    r->answer(request, answer);
    if (answer->status != 200)
        answer->etag[0] = '\0';
}
