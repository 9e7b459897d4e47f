/* SPDX-License-Identifier: Apache-2.0 */
/* See helpers.h. Single-threaded, as all unit tests are. */
#include "tests/unit/config/helpers.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/buf.h"

static char *
path_under(const char *variable, const char *folder, const char *name)
{
    const char *root = getenv(variable);
    struct buf path;

    ck_assert_msg(root != NULL, "%s is not set", variable);
    buf_init(&path, 0);
    buf_addf(&path, "%s/%s%s", root, folder, name);
    return buf_steal(&path, NULL);
}

char *
data_path(const char *name)
{
    return path_under("TEST_DATA", "config/", name);
}

char *
source_path(const char *name)
{
    return path_under("SOURCE_ROOT", "", name);
}

char *
read_file(const char *path, size_t *ret_len)
{
    char chunk[4096];
    struct buf text;
    size_t n;
    FILE *file = fopen(path, "rb");

    ck_assert_msg(file != NULL, "cannot open %s", path);
    buf_init(&text, 0);
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0)
        buf_add(&text, chunk, n);
    fclose(file);
    return buf_steal(&text, ret_len);
}

char **
yaml_files(const char *folder)
{
    char *pattern = path_under("TEST_DATA", "config/", folder);
    struct buf full;
    glob_t found;

    buf_init(&full, 0);
    buf_addf(&full, "%s/*.yaml", pattern);
    ck_assert_int_eq(glob(full.data, 0, NULL, &found), 0);
    char **names = xcalloc(found.gl_pathc + 1, sizeof *names);
    for (size_t i = 0; i < found.gl_pathc; i++)
        names[i] = xstrdup(found.gl_pathv[i]);
    globfree(&found);
    buf_finish(&full);
    free(pattern);
    return names;
}

void
free_names(char **names)
{
    for (size_t i = 0; names[i]; i++)
        free(names[i]);
    free(names);
}

char *
problems_text(const struct config_problems *problems)
{
    struct buf text;

    buf_init(&text, 0);
    for (size_t i = 0; i < problems->count; i++) {
        const struct config_problem *p = &problems->items[i];
        buf_addf(&text, "%u:%u: %s: %s\n", p->line, p->column,
                 p->warning ? "warning" : "error", p->text);
    }
    return buf_steal(&text, NULL);
}

struct config *
load_good(const char *text)
{
    struct config_problems problems;
    struct config *config = config_load_text(text, strlen(text), &problems);
    char *found = problems_text(&problems);

    ck_assert_msg(config != NULL, "expected no errors in\n%s\nfound\n%s", text, found);
    ck_assert_uint_eq(problems.errors, 0);
    free(found);
    config_problems_finish(&problems);
    return config;
}

char *
load_bad(const char *text)
{
    struct config_problems problems;
    struct config *config = config_load_text(text, strlen(text), &problems);

    ck_assert_msg(config == NULL, "expected errors in\n%s", text);
    ck_assert_uint_gt(problems.errors, 0);
    char *found = problems_text(&problems);
    config_problems_finish(&problems);
    return found;
}

void
assert_same_as_file(const char *path, const char *have)
{
    if (getenv("CONFIG_TEST_UPDATE")) {
        FILE *file = fopen(path, "wb");
        ck_assert(file != NULL);
        fputs(have, file);
        fclose(file);
        return;
    }
    char *want = read_file(path, NULL);
    ck_assert_msg(strcmp(want, have) == 0, "%s holds\n%s\nbut found was\n%s", path,
                  want, have);
    free(want);
}

int
run_tests(const char *name, const TTest *const *tests, size_t n)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);

    tcase_set_timeout(tcase, 60);
    for (size_t i = 0; i < n; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
