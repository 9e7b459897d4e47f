/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/http_routes.h"

#include <string.h>

#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/fixture.h"

static enum http_route
find(const char *path)
{
    return http_route_find(path, strlen(path), "/metrics", NULL, NULL);
}

START_TEST(each_path_has_its_route)
{
    static const struct {
        const char *path;
        enum http_route route;
    } cases[] = {
        {"/", ROUTE_PAGE},
        {"/web/style.css", ROUTE_WEB},
        {"/web/", ROUTE_COUNT},
        {"/web/a/b", ROUTE_COUNT},
        {"/style.css", ROUTE_COUNT},
        {"/api/v1/openapi.json", ROUTE_OPENAPI},
        {"/metrics", ROUTE_METRICS},
        {"/-/healthy", ROUTE_HEALTHY},
        {"/-/ready", ROUTE_READY},
        {"/-/reload", ROUTE_RELOAD},
        {"/api/v1/status", ROUTE_STATUS},
        {"/api/v1/alerts", ROUTE_ALERTS},
        {"/api/v1/alerts/history", ROUTE_HISTORY},
        {"/api/v1/regions", ROUTE_REGIONS},
        {"/api/v1/regions/abc", ROUTE_REGION},
        {"/api/v1/regions/abc/series", ROUTE_SERIES},
        {"/api/v1/tables", ROUTE_TABLES},
        {"/api/v1/servers", ROUTE_SERVERS},
        {"/api/v1/targets", ROUTE_TARGETS},
        {"/sd", ROUTE_SD},
        {"", ROUTE_COUNT},
        {"//", ROUTE_COUNT},
        {"/metrics/", ROUTE_COUNT},
        {"/Metrics", ROUTE_COUNT},
        {"/%6detrics", ROUTE_COUNT},
        {"/api/v1/../v1/status", ROUTE_COUNT},
        {"/api/v1/regions/", ROUTE_COUNT},
        {"/api/v1/regions//series", ROUTE_COUNT},
        {"/api/v1/regions/a/b", ROUTE_COUNT},
        {"/api/v1/regions/a/b/series", ROUTE_COUNT},
        {"http://host/metrics", ROUTE_COUNT},
        {"/api/v1/heatmap", ROUTE_HEATMAP},
        {"/api/v1/heatmaps", ROUTE_COUNT},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_msg(find(cases[i].path) == cases[i].route, "%s", cases[i].path);
}
END_TEST

START_TEST(the_segment_is_given)
{
    static const char path[] = "/api/v1/regions/858a/series?x";
    const char *segment;
    size_t len;

    ck_assert_int_eq(
        http_route_find(path, strlen(path) - 2, "/metrics", &segment, &len),
        ROUTE_SERIES);
    ck_assert_uint_eq(len, 4);
    ck_assert_int_eq(memcmp(segment, "858a", 4), 0);
}
END_TEST

START_TEST(the_telemetry_path_moves)
{
    ck_assert_int_eq(http_route_find("/m", 2, "/m", NULL, NULL), ROUTE_METRICS);
    ck_assert_int_eq(http_route_find("/metrics", 8, "/m", NULL, NULL), ROUTE_COUNT);
}
END_TEST

START_TEST(routes_are_complete)
{
    for (int i = 0; i < ROUTE_COUNT; i++) {
        ck_assert_ptr_nonnull(http_routes[i].name);
        ck_assert_ptr_nonnull(http_routes[i].answer);
        ck_assert_ptr_nonnull(http_route_allow(http_routes[i].methods));
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(http_routes[i].name, http_routes[k].name);
    }
    ck_assert_str_eq(http_route_name(ROUTE_COUNT), "other");
}
END_TEST

START_TEST(methods_and_errors)
{
    struct fixture f;

    fixture_orders(&f);
    struct view *view = fixture_view(&f);
    static const struct {
        const char *method, *uri;
        unsigned status;
        const char *allow;
        const char *type;
    } cases[] = {
        {"GET", "/api/v1/status", 200, NULL, "application/json"},
        {"HEAD", "/api/v1/status", 200, NULL, "application/json"},
        {"POST", "/api/v1/status", 405, "GET, HEAD", "application/json"},
        {"DELETE", "/", 405, "GET, HEAD", "text/plain; charset=utf-8"},
        {"GET", "/-/reload", 405, "POST, PUT", "text/plain; charset=utf-8"},
        {"HEAD", "/-/reload", 405, "POST, PUT", "text/plain; charset=utf-8"},
        {"POST", "/-/reload", 403, NULL, "text/plain; charset=utf-8"},
        {"PUT", "/-/reload", 403, NULL, "text/plain; charset=utf-8"},
        {"GET", "/nowhere", 404, NULL, "text/plain; charset=utf-8"},
        {"GET", "/api/v2/status", 404, NULL, "application/json"},
        {"GET", "/api/v1/status?x=1", 400, NULL, "application/json"},
        {"GET", "/metrics?collect[]=x", 200, NULL,
         "text/plain; version=0.0.4; charset=utf-8"},
        {"GET", "/-/healthy?x", 200, NULL, "text/plain; charset=utf-8"},
        {"get", "/metrics", 405, "GET, HEAD", "text/plain; charset=utf-8"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture_answer a = fixture_get(view, cases[i].method, cases[i].uri);
        ck_assert_msg(a.status == cases[i].status, "%s %s: %u", cases[i].method,
                      cases[i].uri, a.status);
        ck_assert_str_eq(a.type, cases[i].type);
        if (cases[i].allow != NULL)
            ck_assert_str_eq(a.allow, cases[i].allow);
        else
            ck_assert_ptr_null(a.allow);
        if (cases[i].status >= 400 && a.json != NULL) {
            ck_assert_str_eq(fixture_string(a.json, "status"), "error");
            ck_assert_ptr_nonnull(fixture_string(a.json, "errorType"));
            ck_assert_ptr_nonnull(fixture_string(a.json, "error"));
        }
        fixture_answer_finish(&a);
    }
    view_unref(view);
    fixture_finish(&f);
}
END_TEST

TEST_MAIN("routes", each_path_has_its_route, the_segment_is_given,
          the_telemetry_path_moves, routes_are_complete, methods_and_errors)
