/* SPDX-License-Identifier: Apache-2.0 */
/* openapi.json and the route table say the same: paths, methods, parameters with their
 * choices and ranges. Answers are held against it in tests/system. */
#include <cjson/cJSON.h>
#include <string.h>

#include "daemon/http_routes.h"
#include "daemon/web_files.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/fixture.h"

static cJSON *document;

static void
begin(void)
{
    for (const struct web_file *w = web_files; w->name != NULL; w++)
        if (strcmp(w->name, "openapi.json") == 0)
            document = cJSON_ParseWithLength(w->data, w->len);
    ck_assert_ptr_nonnull(document);
}

static const char *
path_of(int route)
{
    return http_routes[route].path != NULL ? http_routes[route].path : "/metrics";
}

static const cJSON *
get(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static void
check_methods(int route, const cJSON *path)
{
    static const struct {
        const char *name;
        unsigned bit;
    } methods[] = {{"get", METHOD_GET}, {"post", METHOD_POST}, {"put", METHOD_PUT}};

    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        ck_assert_msg((get(path, methods[i].name) != NULL) ==
                          ((http_routes[route].methods & methods[i].bit) != 0),
                      "%s: %s", path_of(route), methods[i].name);
}

static const cJSON *
find_parameter(const cJSON *list, const char *name)
{
    const cJSON *p;

    cJSON_ArrayForEach(p,
                       list) if (strcmp(fixture_string(p, "name"), name) == 0) return p;
    return NULL;
}

static void
check_schema(const char *path, const struct param *p, const cJSON *schema)
{
    int choices = 0;

    for (; p->choices != NULL && p->choices[choices] != NULL; choices++)
        ck_assert_msg(
            strcmp(cJSON_GetArrayItem(get(schema, "enum"), choices)->valuestring,
                   p->choices[choices]) == 0,
            "%s: %s: choice %s", path, p->name, p->choices[choices]);
    ck_assert_int_eq(cJSON_GetArraySize(get(schema, "enum")), choices);
    if (p->kind == PARAM_COUNT || p->kind == PARAM_LIMIT) {
        bool count = p->kind == PARAM_COUNT;
        ck_assert_msg(fixture_number(schema, "minimum") ==
                              (double)(count ? p->low : 1) &&
                          fixture_number(schema, "maximum") ==
                              (double)(count ? p->high : QUERY_LIMIT_MAX),
                      "%s: %s: another range", path, p->name);
    }
}

static void
check_parameters(int route, const cJSON *list)
{
    const struct param *params = http_routes[route].params;
    const char *path = path_of(route);
    int n = strchr(path, '{') != NULL;

    for (size_t i = 0; params != NULL && params[i].name != NULL; i++, n++) {
        const cJSON *p = find_parameter(list, params[i].name);
        ck_assert_msg(p != NULL, "%s: no parameter %s", path, params[i].name);
        check_schema(path, &params[i], get(p, "schema"));
    }
    ck_assert_msg(cJSON_GetArraySize(list) == n, "%s: other parameters", path);
}

START_TEST(routes_and_paths_are_equal)
{
    begin();
    const cJSON *paths = get(document, "paths");
    for (int i = 0; i < ROUTE_COUNT; i++) {
        const cJSON *path = get(paths, path_of(i));
        ck_assert_msg(path != NULL, "openapi.json lacks %s", path_of(i));
        check_methods(i, path);
        if (http_routes[i].methods == METHOD_GET)
            check_parameters(i, get(get(path, "get"), "parameters"));
    }
    ck_assert_int_eq(cJSON_GetArraySize(paths), ROUTE_COUNT);
    cJSON_Delete(document);
}
END_TEST

/* Follows every $ref. */
static void
check_references(const cJSON *value)
{
    const cJSON *item;
    const char *ref =
        cJSON_IsString(get(value, "$ref")) ? get(value, "$ref")->valuestring : NULL;

    if (ref != NULL) {
        char path[128];
        ck_assert_int_eq(strncmp(ref, "#/", 2), 0);
        snprintf(path, sizeof path, "%s", ref + 2);
        for (char *c = path; *c != '\0'; c++)
            *c = *c == '/' ? '.' : *c;
        (void)fixture_at(document, path);
    }
    cJSON_ArrayForEach(item, value) check_references(item);
}

START_TEST(references_lead_somewhere)
{
    begin();
    ck_assert_str_eq(fixture_string(document, "openapi"), "3.0.3");
    check_references(document);
    cJSON_Delete(document);
}
END_TEST

TEST_MAIN("openapi", routes_and_paths_are_equal, references_lead_somewhere)
