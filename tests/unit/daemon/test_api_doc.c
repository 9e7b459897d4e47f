/* SPDX-License-Identifier: Apache-2.0 */
/* docs/api.md and the route table say the same: a heading "### `PATH`" for each path
 * and no other, and below it a table that begins with "| parameter |" with a row for
 * each parameter, its choices in it, and no other. */
#include <limits.h>
#include <string.h>

#include "common/file.h"
#include "daemon/http_routes.h"
#include "tests/unit/common/harness.h"

static struct buf doc;

static void
read_doc(void)
{
    char path[PATH_MAX];

    buf_init(&doc, 0);
    snprintf(path, sizeof path, "%s/docs/api.md", getenv("SOURCE_ROOT"));
    ck_assert_int_eq(file_read_whole(path, &doc, NULL), 0);
}

static void
drop_doc(void)
{
    buf_finish(&doc);
}

static const char *
route_path(int route)
{
    return http_routes[route].path != NULL ? http_routes[route].path : "/metrics";
}

static const char *
next_line(const char *line)
{
    const char *end = strchr(line, '\n');

    return end != NULL ? end + 1 : line + strlen(line);
}

static bool
begins(const char *line, const char *text)
{
    return strncmp(line, text, strlen(text)) == 0;
}

/* Whether `text` stands in the line between backquotes. */
static bool
line_names(const char *line, const char *text)
{
    char quoted[128];

    snprintf(quoted, sizeof quoted, "`%s`", text);
    const char *found = strstr(line, quoted);
    return found != NULL && found < next_line(line);
}

/* The first line of the section of a path, or NULL. */
static const char *
find_section(const char *path)
{
    for (const char *line = doc.data; *line != '\0'; line = next_line(line))
        if (begins(line, "### ") && line_names(line, path))
            return next_line(line);
    return NULL;
}

/* The first row of the table of parameters, or NULL. */
static const char *
find_rows(const char *section)
{
    for (const char *line = section; *line != '\0'; line = next_line(line)) {
        if (begins(line, "#"))
            return NULL;
        if (begins(line, "| parameter |"))
            return next_line(next_line(line));
    }
    return NULL;
}

static const char *
find_row(const char *rows, const char *parameter)
{
    char begin[64];

    snprintf(begin, sizeof begin, "| `%s` |", parameter);
    for (const char *line = rows; begins(line, "|"); line = next_line(line))
        if (begins(line, begin))
            return line;
    return NULL;
}

static size_t
count_rows(const char *rows)
{
    size_t n = 0;

    for (const char *line = rows; begins(line, "|"); line = next_line(line))
        n++;
    return n;
}

static void
check_parameters(int route, const char *section)
{
    const struct param *params = http_routes[route].params;
    const char *rows = find_rows(section);
    size_t n = 0;

    for (; params != NULL && params[n].name != NULL; n++) {
        ck_assert_msg(rows != NULL, "%s: no table of parameters", route_path(route));
        const char *row = find_row(rows, params[n].name);
        ck_assert_msg(row != NULL, "%s: no parameter %s", route_path(route),
                      params[n].name);
        for (size_t i = 0; params[n].choices != NULL && params[n].choices[i]; i++)
            ck_assert_msg(line_names(row, params[n].choices[i]), "%s: %s: no choice %s",
                          route_path(route), params[n].name, params[n].choices[i]);
    }
    ck_assert_msg((rows == NULL && n == 0) || (rows != NULL && count_rows(rows) == n),
                  "%s: another number of parameters", route_path(route));
}

START_TEST(each_route_is_documented)
{
    for (int i = 0; i < ROUTE_COUNT; i++) {
        const char *section = find_section(route_path(i));
        ck_assert_msg(section != NULL, "docs/api.md lacks ### `%s`", route_path(i));
        check_parameters(i, section);
    }
}
END_TEST

START_TEST(each_documented_path_is_a_route)
{
    size_t headings = 0;

    for (const char *line = doc.data; *line != '\0'; line = next_line(line)) {
        bool known = false;
        if (!begins(line, "### "))
            continue;
        headings++;
        for (int i = 0; i < ROUTE_COUNT; i++)
            known = known || line_names(line, route_path(i));
        ck_assert_msg(known, "no route: %.60s", line);
    }
    ck_assert_uint_eq(headings, ROUTE_COUNT);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("api_doc");
    TCase *tcase = tcase_create("api_doc");

    tcase_add_checked_fixture(tcase, read_doc, drop_doc);
    tcase_add_test(tcase, each_route_is_documented);
    tcase_add_test(tcase, each_documented_path_is_a_route);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
