/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/targets.h"

#include <string.h>

#include "common/alloc.h"
#include "config/load.h"
#include "tests/unit/common/harness.h"

static struct targets t;
static const struct target_row *row;

static void
set(char *const *urls, size_t count)
{
    struct target_set s = {(char **)urls, count};

    targets_set(&t, &s, 1000);
}

static enum target_change
poll(const char *url, enum poll_outcome outcome, int64_t duration_ms)
{
    struct server_poll p = {
        .url = (char *)url,
        .server =
            (char *)(outcome == POLL_OK ? "rs1.example,16020,1700000000000" : NULL),
        .outcome = outcome,
        .error = outcome == POLL_OK ? NULL : (char *)"why",
        .bytes = 42,
        .duration_ms = duration_ms,
        .received = {5000, 7000},
    };

    return targets_poll(&t, &p, 10000, &row);
}

START_TEST(states_follow_the_outcomes)
{
    static const struct {
        enum poll_outcome outcome;
        int64_t ms;
        enum target_state state;
    } cases[] = {
        {POLL_OK, 10, TARGET_UP},
        {POLL_OK, 5000, TARGET_UP},
        {POLL_OK, 5001, TARGET_SLOW},
        {POLL_DNS, 1, TARGET_DOWN},
        {POLL_CONNECT, 1, TARGET_DOWN},
        {POLL_TIMEOUT, 10000, TARGET_DOWN},
        {POLL_AUTH, 1, TARGET_AUTH},
        {POLL_NO_DATA, 1, TARGET_NO_DATA},
        {POLL_TOO_LARGE, 1, TARGET_DOWN},
        {POLL_PARSE, 1, TARGET_DOWN},
        {POLL_BAD_RESPONSE, 1, TARGET_DOWN},
    };

    targets_init(&t);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        poll("http://rs1:16030", cases[i].outcome, cases[i].ms);
        ck_assert_msg(row->state == cases[i].state, "%zu", i);
        ck_assert_int_eq(row->last_duration_ms, cases[i].ms);
        ck_assert_int_eq(row->outcome == POLL_OK, row->error == NULL);
        ck_assert_int_eq(row->last_success_ms, 7000); /* kept through failures */
        ck_assert_str_eq(row->server, "rs1.example:16020");
    }
    ck_assert_uint_eq(t.count, 1);
    targets_finish(&t);
}
END_TEST

START_TEST(going_down_and_coming_back_are_told_once)
{
    static const char url[] = "http://rs1:16030";

    targets_init(&t);
    ck_assert_int_eq(poll(url, POLL_OK, 1), TARGET_SAME);
    ck_assert_int_eq(poll(url, POLL_CONNECT, 1), TARGET_WENT_DOWN);
    ck_assert_int_eq(poll(url, POLL_TIMEOUT, 1), TARGET_SAME);
    ck_assert_int_eq(poll(url, POLL_OK, 1), TARGET_CAME_BACK);
    ck_assert_int_eq(poll(url, POLL_OK, 1), TARGET_SAME);
    /* The metrics system restarts: two empty answers are nothing, three are. */
    ck_assert_int_eq(poll(url, POLL_NO_DATA, 1), TARGET_SAME);
    ck_assert_int_eq(poll(url, POLL_NO_DATA, 1), TARGET_SAME);
    ck_assert_int_eq(poll(url, POLL_OK, 1), TARGET_SAME);
    ck_assert_int_eq(poll(url, POLL_NO_DATA, 1), TARGET_SAME);
    ck_assert_int_eq(poll(url, POLL_NO_DATA, 1), TARGET_SAME);
    ck_assert_int_eq(poll(url, POLL_NO_DATA, 1), TARGET_WENT_DOWN);
    ck_assert_int_eq(poll(url, POLL_NO_DATA, 1), TARGET_SAME);
    ck_assert_int_eq(poll(url, POLL_CONNECT, 1), TARGET_SAME);
    ck_assert_int_eq(poll(url, POLL_OK, 1), TARGET_CAME_BACK);
    targets_finish(&t);
}
END_TEST

START_TEST(the_set_decides_who_is_there)
{
    static char *const both[] = {(char *)"http://b:1", (char *)"http://a:1"};

    targets_init(&t);
    set(both, 2);
    ck_assert_str_eq(t.rows[0].url, "http://a:1"); /* sorted */
    poll("http://b:1", POLL_OK, 1);
    set(both, 1);
    ck_assert_uint_eq(t.count, 1);
    ck_assert_int_eq(t.rows[0].last_success_ms, 7000); /* kept */
    /* A late answer of one that has gone makes no row. */
    ck_assert_int_eq(poll("http://a:1", POLL_CONNECT, 1), TARGET_SAME);
    ck_assert_ptr_null(row);
    ck_assert_uint_eq(t.count, 1);
    set(NULL, 0);
    ck_assert_uint_eq(t.count, 0);
    targets_finish(&t);
}
END_TEST

static struct config *
sources_config(void)
{
    static const char text[] =
        "masters: [ \"http://m1:16010\", \"http://m2:16010\" ]\n"
        "regionservers: { file: /etc/sd.json }\n"
        "topology: { file: /var/list.txt, command: [ /bin/list ] }\n";
    struct config_problems problems;
    struct config *config = config_load_text(text, strlen(text), &problems);

    ck_assert_msg(config != NULL, "%s", problems.count ? problems.items[0].text : "");
    config_problems_finish(&problems);
    return config;
}

static enum target_change
source_fails(const struct config *config, const char *source)
{
    struct source_report f = {(char *)source, POLL_TIMEOUT, (char *)"late", {1, 2000}};

    return targets_report(&t, &f, config, &row);
}

START_TEST(sources_have_their_kinds)
{
    struct config *config = sources_config();
    struct cluster_state cluster = {.url = (char *)"http://m1:16010",
                                    .received = {1, 9000}};
    struct listing listing = {.source = LISTING_FILE, .received = {1, 9500}};

    targets_init(&t);
    targets_configure(&t, config);
    ck_assert_uint_eq(t.count, 5);
    ck_assert_int_eq(source_fails(config, "http://m1:16010"), TARGET_WENT_DOWN);
    ck_assert_int_eq(row->kind, TARGET_MASTER);
    ck_assert_int_eq(source_fails(config, "http://m1:16010"), TARGET_SAME);
    ck_assert_int_eq(targets_cluster(&t, &cluster, &row), TARGET_CAME_BACK);
    ck_assert_int_eq(row->last_success_ms, 9000);
    source_fails(config, "/var/list.txt");
    ck_assert_int_eq(row->kind, TARGET_FILE);
    ck_assert_int_eq(targets_listing(&t, &listing, config, &row), TARGET_CAME_BACK);
    source_fails(config, "/bin/list");
    ck_assert_int_eq(row->kind, TARGET_COMMAND);
    source_fails(config, "/etc/sd.json");
    ck_assert_int_eq(row->kind, TARGET_FILE_SD);
    ck_assert_uint_eq(t.count, 5);
    /* A new set of servers shows that discovery works again. */
    set(NULL, 0);
    for (size_t i = 0; i < t.count; i++)
        if (t.rows[i].kind == TARGET_FILE_SD)
            ck_assert_int_eq(t.rows[i].state, TARGET_UP);
    targets_finish(&t);
    config_destroy(config);
}
END_TEST

START_TEST(parts_of_a_master_fail_by_themselves)
{
    struct config *config = sources_config();
    struct listing listing = {.source = LISTING_API, .received = {1, 9500}};

    targets_init(&t);
    targets_configure(&t, config);
    ck_assert_int_eq(source_fails(config, "http://m1:16010/api/v1/live"),
                     TARGET_WENT_DOWN);
    ck_assert_uint_eq(t.count, 6);
    targets_listing(&t, &listing, config, &row);
    ck_assert_ptr_null(row);
    ck_assert_uint_eq(t.count, 5); /* it works again */
    source_fails(config, "/etc/secret");
    ck_assert_uint_eq(t.count, 6);
    targets_expire(&t, config, 2000 + 3 * config->poll.interval_ms);
    ck_assert_uint_eq(t.count, 6);
    targets_expire(&t, config, 2001 + 3 * config->poll.interval_ms);
    ck_assert_uint_eq(t.count, 5);
    targets_finish(&t);
    config_destroy(config);
}
END_TEST

START_TEST(a_reload_keeps_what_is_known)
{
    struct config *config = sources_config();
    struct config *none = config_create_default();
    static char *const urls[] = {(char *)"http://a:1"};

    targets_init(&t);
    targets_configure(&t, config);
    set(urls, 1);
    poll("http://a:1", POLL_OK, 1);
    targets_configure(&t, none);
    ck_assert_uint_eq(t.count, 1);
    ck_assert_int_eq(t.rows[0].kind, TARGET_REGIONSERVER);
    ck_assert_int_eq(t.rows[0].last_success_ms, 7000);
    targets_finish(&t);
    config_destroy(config);
    config_destroy(none);
}
END_TEST

START_TEST(copies_are_deep)
{
    struct targets copy;

    targets_init(&t);
    struct server_poll p = {
        .url = (char *)"http://a:1",
        .outcome = POLL_AUTH,
        .error = (char *)"why",
        .invalid_values = 3,
        .first_invalid = (char *)"expected a counter",
        .received = {5000, 7000},
    };
    targets_poll(&t, &p, 10000, &row);
    targets_copy(&copy, &t);
    p.invalid_values = 0;
    p.first_invalid = NULL;
    targets_poll(&t, &p, 10000, &row);
    ck_assert_ptr_null(t.rows[0].first_invalid);
    targets_finish(&t);
    ck_assert_str_eq(copy.rows[0].url, "http://a:1");
    ck_assert_str_eq(copy.rows[0].error, "why");
    ck_assert_uint_eq(copy.rows[0].invalid_values, 3);
    ck_assert_str_eq(copy.rows[0].first_invalid, "expected a counter");
    targets_finish(&copy);
}
END_TEST

TEST_MAIN("targets", states_follow_the_outcomes,
          going_down_and_coming_back_are_told_once, the_set_decides_who_is_there,
          sources_have_their_kinds, parts_of_a_master_fail_by_themselves,
          a_reload_keeps_what_is_known, copies_are_deep)
