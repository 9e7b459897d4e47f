/* SPDX-License-Identifier: Apache-2.0 */
/* Every sample with something to say, against its expected messages: tests/data/config/
 * bad/X.yaml is refused with exactly what X.expected holds; a file of good/ is
 * accepted, with the warnings of its X.expected if there is one. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/buf.h"
#include "config/problems.h"
#include "tests/unit/config/helpers.h"

static char *
expected_path(const char *path)
{
    struct buf out;

    buf_init(&out, 0);
    buf_add(&out, path, strlen(path) - strlen("yaml"));
    buf_adds(&out, "expected");
    return buf_steal(&out, NULL);
}

static void
check_file(const char *path, bool good)
{
    struct config_problems problems;
    struct config *config = config_load_file(path, &problems);
    char *found = problems_text(&problems);
    char *expected = expected_path(path);

    ck_assert_msg((config != NULL) == good, "%s: %s", path, found);
    ck_assert_msg((problems.errors == 0) == good, "%s: %s", path, found);
    if (!good || problems.count > 0 || access(expected, F_OK) == 0)
        assert_same_as_file(expected, found);
    free(expected);
    free(found);
    config_destroy(config);
    config_problems_finish(&problems);
}

static void
check_folder(const char *folder, bool good)
{
    char **names = yaml_files(folder);
    size_t n = 0;

    for (; names[n]; n++)
        check_file(names[n], good);
    ck_assert_uint_gt(n, 5);
    free_names(names);
}

START_TEST(bad_samples_are_refused_with_these_messages)
{
    check_folder("bad", false);
}
END_TEST

START_TEST(good_samples_are_accepted)
{
    check_folder("good", true);
}
END_TEST

START_TEST(passwords_are_not_repeated)
{
    static const char *const texts[] = {
        "masters: [ \"http://u:hunter2@h:1\" ]",
        "regionservers: { static: [ \"u:hunter2@h:1\" ] }",
        "http: { external_url: \"https://u:hunter2@h/\" }",
        "alertmanager: { urls: [ \"http://u:hunter2@h\" ] }",
        "alertmanager: { proxy_url: \"socks://u:hunter2@h\" }",
        "webhook: { url: \"hooks.example.com/hunter2\" }",
        "hbase_auth: { password: hunter2 }",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *found = load_bad(texts[i]);
        ck_assert_msg(!strstr(found, "hunter2"), "%s", found);
        free(found);
    }
}
END_TEST

START_TEST(findings_are_sorted_and_bounded)
{
    struct config_problems p = {0};

    problem_add(&p, true, (struct place){0}, "no place");
    problem_add(&p, false, (struct place){2, 1}, "c");
    problem_add(&p, false, (struct place){1, 9}, "b");
    problem_add(&p, false, (struct place){1, 2}, "a");
    problem_add(&p, false, (struct place){1, 9}, "b2");
    problem_add(&p, true, (struct place){0}, "no place");
    problems_sort(&p);
    char *found = problems_text(&p);
    ck_assert_str_eq(found, "1:2: error: a\n1:9: error: b\n1:9: error: b2\n"
                            "2:1: error: c\n0:0: warning: no place\n");
    free(found);
    for (unsigned i = 0; i < 1000; i++) {
        problem_add(&p, true, (struct place){i + 1, 1}, "w");
        problem_add(&p, false, (struct place){i + 1, 1}, "e");
    }
    ck_assert_uint_eq(p.errors, PROBLEMS_MAX);
    ck_assert_uint_eq(p.count, 2 * PROBLEMS_MAX);
    config_problems_finish(&p);
    ck_assert_uint_eq(p.count, 0);
    ck_assert_ptr_null(p.items);
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        bad_samples_are_refused_with_these_messages,
        good_samples_are_accepted,
        passwords_are_not_repeated,
        findings_are_sorted_and_bounded,
    };
    return run_tests("problems", tests, sizeof tests / sizeof *tests);
}
