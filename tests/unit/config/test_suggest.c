/* SPDX-License-Identifier: Apache-2.0 */
/* Which key is taken to have been meant. */
#include <string.h>

#include "config/schema.h"
#include "config/suggest.h"
#include "tests/unit/config/helpers.h"

static void
assert_nearest(const char *section, const char *key, const char *want)
{
    const char *keys[SCHEMA_KEYS_MAX];
    const char *found = suggest_nearest(key, keys, schema_keys(section, keys));

    if (want)
        ck_assert_msg(found && strcmp(found, want) == 0, "%s: %s", key,
                      found ? found : "nothing");
    else
        ck_assert_msg(!found, "%s: %s", key, found);
}

START_TEST(near_keys_are_found)
{
    assert_nearest("detection", "min_rat", "min_rate");
    assert_nearest("detection", "min-rate", "min_rate");
    assert_nearest("detection", "threshodl", "threshold");
    assert_nearest("detection", "foor", "for");
    assert_nearest("detection", "baesilne", "baseline"); /* two swaps */
    assert_nearest("poll", "intreval", "interval");
    assert_nearest("poll", "max_inflight", "max_in_flight");
    assert_nearest("hbase_auth", "password", "password_file");
    assert_nearest(NULL, "master", "masters");
    assert_nearest(NULL, "region_servers", "regionservers");
}
END_TEST

START_TEST(far_keys_are_not)
{
    char longest[200];

    assert_nearest("poll", "severity", NULL);
    assert_nearest("poll", "", NULL);
    assert_nearest("poll", "x", NULL);
    assert_nearest("http", "telemetry_path", NULL);
    memset(longest, 'a', sizeof longest);
    longest[199] = '\0';
    assert_nearest("poll", longest, NULL);
}
END_TEST

START_TEST(keys_of_other_sections_are_found_by_name)
{
    ck_assert_str_eq(suggest_elsewhere("min_rate"), "detection.min_rate");
    ck_assert_str_eq(suggest_elsewhere("severity"), "detection.tables.severity");
    ck_assert_str_eq(suggest_elsewhere("listen"), "http.listen");
    ck_assert_ptr_null(suggest_elsewhere("telemetry_path"));
    ck_assert_ptr_null(suggest_elsewhere("nothing"));
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {near_keys_are_found, far_keys_are_not,
                                  keys_of_other_sections_are_found_by_name};
    return run_tests("suggest", tests, sizeof tests / sizeof *tests);
}
