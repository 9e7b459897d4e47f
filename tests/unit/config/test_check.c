/* SPDX-License-Identifier: Apache-2.0 */
/* config_check() on structs that were changed after loading, as flags of the program
 * do; the places of findings are tested with the samples. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "tests/unit/config/helpers.h"

/* Checks and takes the configuration; returns the findings as text. */
static char *
check_text(struct config *config, size_t errors)
{
    struct config_problems problems = {0};
    size_t n = config_check(config, &problems);
    char *found = problems_text(&problems);

    ck_assert_msg(n == errors && problems.errors == errors, "%zu errors: %s", n, found);
    config_problems_finish(&problems);
    config_destroy(config);
    return found;
}

static void
assert_check(struct config *config, size_t errors, const char *want)
{
    char *found = check_text(config, errors);

    ck_assert_msg(strcmp(found, want) == 0, "wanted %s\nfound %s", want, found);
    free(found);
}

static void
set_list(struct string_list *list, const char *item)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    list->items = xcalloc(1, sizeof *list->items);
    list->items[0] = xstrdup(item);
    list->count = 1;
}

START_TEST(the_defaults_pass)
{
    assert_check(config_create_default(), 0, "");
}
END_TEST

/* Who leaves the port out means 16010, and gets 80. */
START_TEST(a_master_without_port_is_warned_of)
{
    static const struct {
        const char *url, *want;
    } cases[] = {
        {"http://hm1",
         "0:0: warning: masters[0]: no port in 'http://hm1', so port 80 is "
         "asked; HBase's masters answer on 16010\n"},
        {"http://[::1]",
         "0:0: warning: masters[0]: no port in 'http://[::1]', so port 80 "
         "is asked; HBase's masters answer on 16010\n"},
        {"http://[::1]:16010", ""},
        {"http://hm1:80", ""},
        {"https://hm1", ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct config *c = config_create_default();
        set_list(&c->masters, cases[i].url);
        assert_check(c, 0, cases[i].want);
    }
}
END_TEST

START_TEST(positional_masters_are_checked)
{
    struct config *c = config_create_default();

    set_list(&c->masters, "http://hm1:16010");
    assert_check(c, 0, "");
    c = config_create_default();
    set_list(&c->masters, "hm1:16010");
    assert_check(c, 1,
                 "0:0: error: masters[0]: expected a URL such as http://host:port or "
                 "https://host:port, found 'hm1:16010'\n");
}
END_TEST

START_TEST(listen_addresses_of_flags_are_checked)
{
    struct config *c = config_create_default();

    set_list(&c->http.listen, "localhost");
    assert_check(c, 1,
                 "0:0: error: http.listen[0]: expected :port, host:port or [v6]:port, "
                 "found 'localhost'\n");
}
END_TEST

START_TEST(telemetry_paths_are_checked)
{
    static const char *const bad[] = {"metrics", "/",    "",         "/a b",
                                      "/a?b",    "/a#b", "/-/ready", "/api/v1/status"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct config *c = config_create_default();
        free(c->http.telemetry_path);
        c->http.telemetry_path = xstrdup(bad[i]);
        free(check_text(c, 1));
    }
    struct config *c = config_create_default();
    free(c->http.telemetry_path);
    c->http.telemetry_path = xstrdup("/hbase/metrics");
    assert_check(c, 0, "");
}
END_TEST

START_TEST(ranges_are_checked_again)
{
    struct config *c = config_create_default();

    c->poll.interval_ms = 100;
    c->poll.timeout_ms = 100;
    c->detection.window_ms = 1000;
    c->detection.rule.threshold[ACCESS_WRITE] = 1;
    c->log.level = 17;
    char *found = check_text(c, 3);
    ck_assert_ptr_nonnull(strstr(
        found, "poll.interval: expected a duration from 200ms to 1d, found 100ms\n"));
    ck_assert_ptr_nonnull(
        strstr(found, "detection.threshold: expected a number above 1, or { read: N, "
                      "write: N, total: N }, found { read: 3, write: 1, total: 3 }\n"));
    ck_assert_ptr_nonnull(strstr(found, "log.level: expected one of"));
    free(found);
    c = load_good("detection: { tables: [ { match: x } ] }");
    c->detection.tables[0].rule.clear_ratio = 2;
    c->detection.tables[0].match[0] = '\0';
    found = check_text(c, 2);
    ck_assert_ptr_nonnull(strstr(found, "detection.tables[0].clear_ratio: expected"));
    ck_assert_ptr_nonnull(strstr(found, "detection.tables[0].match: expected a glob"));
    free(found);
}
END_TEST

START_TEST(impossible_values_do_no_harm)
{
    struct config *c = config_create_default();

    c->poll.interval_ms = 0;
    c->history.raw_ms = INT64_MIN;
    c->detection.window_ms = INT64_MAX;
    c->history.hours_ms = -1;
    c->http.listen.count = 0;
    free(c->http.listen.items[0]);
    struct config_problems problems = {0};
    ck_assert_uint_gt(config_check(c, &problems), 4);
    config_problems_finish(&problems);
    config_destroy(c);
}
END_TEST

START_TEST(the_window_has_an_upper_bound)
{
    struct config *c = config_create_default();

    c->detection.window_ms = 1000 * c->poll.interval_ms;
    assert_check(c, 0, "");
    c = config_create_default();
    c->detection.window_ms = 1001 * c->poll.interval_ms;
    free(check_text(c, 1));
    c = config_create_default();
    c->detection.window_ms = c->poll.interval_ms;
    assert_check(c, 0, "");
    c = config_create_default();
    c->detection.window_ms = c->poll.interval_ms - 1;
    free(check_text(c, 1));
}
END_TEST

START_TEST(short_intervals_of_tests_are_accepted)
{
    struct config *c = config_create_default();

    c->poll.interval_ms = 200;
    c->poll.timeout_ms = 200;
    assert_check(c, 0,
                 "0:0: warning: poll.interval: 200ms is below 10s, but HBase refreshes "
                 "its numbers once in 10 s\n");
    c = config_create_default();
    c->poll.interval_ms = 10000;
    assert_check(c, 0, "");
}
END_TEST

START_TEST(a_second_check_repeats_nothing)
{
    struct config_problems problems = {0};
    struct config *c = config_create_default();

    c->poll.timeout_ms = 60000;
    set_list(&c->masters, "x");
    ck_assert_uint_eq(config_check(c, &problems), 1);
    ck_assert_uint_eq(problems.count, 2);
    ck_assert_uint_eq(config_check(c, &problems), 1);
    ck_assert_uint_eq(problems.count, 2);
    config_problems_finish(&problems);
    config_destroy(c);
}
END_TEST

START_TEST(jmx_off_needs_a_text)
{
    struct config *c = load_good("poll: { jmx: off }\ntopology: { file: /x }");
    config_destroy(c);
    c = load_good("poll: { jmx: off }\ntopology: { source: text, command: [ /x ] }");
    config_destroy(c);
    free(load_bad("poll: { jmx: off }\ntopology: { source: none, command: [ /x ] }"));
    free(load_bad("poll: { jmx: off }"));
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        the_defaults_pass,
        positional_masters_are_checked,
        a_master_without_port_is_warned_of,
        listen_addresses_of_flags_are_checked,
        telemetry_paths_are_checked,
        ranges_are_checked_again,
        impossible_values_do_no_harm,
        the_window_has_an_upper_bound,
        short_intervals_of_tests_are_accepted,
        a_second_check_repeats_nothing,
        jmx_off_needs_a_text,
    };
    return run_tests("check", tests, sizeof tests / sizeof *tests);
}
