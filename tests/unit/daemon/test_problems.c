/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/problems.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "config/load.h"
#include "daemon/config_diff.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/fixture.h"

static struct fixture f;
static struct config *config;
static struct targets targets;
static struct string_list warnings;
static struct problem_input in;

static void
begin(void)
{
    char *urls[] = {(char *)"http://rs1:16030", (char *)"http://rs2:16030"};
    struct target_set set = {urls, 2};
    const struct target_row *row;

    fixture_orders(&f);
    config = config_create_default();
    config->masters.items = xcalloc(1, sizeof(char *));
    config->masters.items[0] = xstrdup("http://m:16010");
    config->masters.count = 1;
    targets_init(&targets);
    targets_configure(&targets, config);
    targets_set(&targets, &set, FIXTURE_NOW_MS);
    for (int i = 0; i < 2; i++) {
        struct server_poll poll = {.url = urls[i], .received = f.s->at};
        targets_poll(&targets, &poll, 1000, &row);
    }
    warnings = (struct string_list){0};
    in = (struct problem_input){
        .config = config,
        .snapshot = f.s,
        .targets = &targets,
        .config_warnings = &warnings,
        .have_round = true,
        .last_round = {.finished = f.s->at},
        .last_listing_ms = FIXTURE_NOW_MS,
        .started = {0, FIXTURE_NOW_MS - 1000000},
        .now = f.s->at,
    };
}

static void
end(void)
{
    targets_finish(&targets);
    config_destroy(config);
    fixture_finish(&f);
}

/* Exactly one problem, that has the part; or none. */
static void
expect(const char *part)
{
    struct string_list found;

    problems_collect(&in, &found);
    ck_assert_msg(found.count == (part ? 1 : 0), "%zu: %s", found.count,
                  found.count ? found.items[0] : "");
    if (part != NULL)
        ck_assert_msg(strstr(found.items[0], part) != NULL, "no '%s' in %s", part,
                      found.items[0]);
    for (size_t i = 0; i < found.count; i++)
        free(found.items[i]);
    free(found.items);
}

static void
fail_servers(size_t n)
{
    const struct target_row *row;
    const char *urls[] = {"http://rs1:16030", "http://rs2:16030"};

    for (size_t i = 0; i < n; i++) {
        struct server_poll poll = {.url = (char *)urls[i],
                                   .outcome = POLL_CONNECT,
                                   .error = (char *)"refused by it",
                                   .received = f.s->at};
        targets_poll(&targets, &poll, 1000, &row);
    }
}

START_TEST(all_is_well)
{
    begin();
    expect(NULL);
    end();
}
END_TEST

START_TEST(nothing_to_watch)
{
    begin();
    free(config->masters.items[0]);
    config->masters.count = 0;
    expect("no master and no RegionServer is configured");
    end();
}
END_TEST

START_TEST(servers_fail)
{
    begin();
    fail_servers(1);
    expect("1 of 2 RegionServers give no usable data: refused by it");
    fail_servers(2);
    expect("2 of 2");
    end();
}
END_TEST

START_TEST(values_that_cannot_be_used)
{
    const struct target_row *row;

    begin();
    struct server_poll poll = {.url = (char *)"http://rs1:16030",
                               .outcome = POLL_OK,
                               .invalid_values = 7,
                               .first_invalid = (char *)"expected a, found 'b'",
                               .received = f.s->at};
    targets_poll(&targets, &poll, 1000, &row);
    expect("1 RegionServers give values that cannot be used and are left out; ");
    expect(", 7 of them: expected a, found 'b'");
    poll.invalid_values = 0;
    poll.first_invalid = NULL;
    targets_poll(&targets, &poll, 1000, &row);
    expect(NULL);
    end();
}
END_TEST

START_TEST(rounds_stop)
{
    begin();
    in.now.mono_ms += 3 * config->poll.interval_ms + config->poll.timeout_ms;
    expect(NULL);
    in.now.mono_ms++;
    expect("no round of polls has been completed since 22:24:00 UTC");
    in.have_round = false;
    expect("yet");
    config->poll.jmx = false;
    expect("poll.jmx is off");
    end();
}
END_TEST

START_TEST(coverage)
{
    begin();
    f.s->coverage = 0.9;
    expect(NULL);
    f.s->coverage = 0.54;
    f.s->fresh = 6;
    expect("only 6 of 11 regions have fresh data (54 %)");
    in.have_round = false; /* nobody can be fresh yet */
    in.started = in.now;
    expect(NULL);
    end();
}
END_TEST

START_TEST(masters_and_listings)
{
    const struct target_row *row;
    struct source_report failure = {
        (char *)"http://m:16010", POLL_TIMEOUT, (char *)"no answer in 10s", {1, 1}};

    begin();
    struct cluster_state cluster = {.url = (char *)"http://m:16010",
                                    .received = {0, FIXTURE_NOW_MS - 3 * 3600000}};
    targets_cluster(&targets, &cluster, &row);
    targets_report(&targets, &failure, config, &row);
    expect("master http://m:16010 fails: no answer in 10s; what it said last is 3 h 0 "
           "min old");
    targets_cluster(&targets, &cluster, &row);
    in.last_listing_ms -= 3 * config->topology.interval_ms;
    expect(NULL);
    in.last_listing_ms -= 1000;
    expect("newest listing of regions is 30 min old");
    in.last_listing_ms = 0;
    expect(NULL);
    end();
}
END_TEST

START_TEST(suppressed_alerts_reloads_and_warnings)
{
    char *text[] = {(char *)"f.yaml:1:2: warning: odd"};

    begin();
    f.s->suppressed = 7;
    expect("7 hot regions");
    f.s->suppressed = 0;
    in.reload_error = "f.yaml:3:4: bad";
    expect("the old one stays in force: f.yaml:3:4: bad");
    in.reload_error = NULL;
    warnings = (struct string_list){text, 1};
    expect("f.yaml:1:2: warning: odd");
    end();
}
END_TEST

/* ---- what a reload changes ---- */

static struct config *
load(const char *text)
{
    struct config_problems problems;
    struct config *c = config_load_text(text, strlen(text), &problems);

    ck_assert_msg(c != NULL, "%s: %s", text,
                  problems.count ? problems.items[0].text : "");
    config_problems_finish(&problems);
    return c;
}

START_TEST(the_collector_starts_anew_only_for_what_it_reads)
{
    static const struct {
        const char *text;
        bool same;
    } cases[] = {
        {"detection: { threshold: 9 }", true},
        {"cluster: x", true},
        {"http: { max_connections: 9 }", true},
        {"history: { raw: 2h }", true},
        {"masters: [ \"http://m:1\" ]", false},
        {"regionservers: { static: [ \"a:1\" ] }", false},
        {"regionservers: { file: /f }", false},
        {"regionservers: { http_sd: \"http://sd/\" }", false},
        {"regionservers: { info_port: 1 }", false},
        {"poll: { interval: 31s }", false},
        {"poll: { timeout: 11s }", false},
        {"poll: { max_in_flight: 3 }", false},
        {"poll: { max_body: 3MiB }", false},
        {"poll: { gzip: on }", false},
        {"topology: { source: none }", false},
        {"topology: { interval: 11m }", false},
        {"topology: { timeout: 3m }", false},
        {"topology: { file: /f }", false},
        {"topology: { command: [ /c ] }", false},
        {"topology: { api_max_regions: 3 }", false},
    };
    struct config *plain = config_create_default();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config *c = load(cases[i].text);
        ck_assert_msg(config_same_collection(plain, c) == cases[i].same, "%s",
                      cases[i].text);
        ck_assert(config_same_collection(c, c));
        config_destroy(c);
    }
    config_destroy(plain);
}
END_TEST

START_TEST(what_needs_a_start_is_told)
{
    struct config *plain = config_create_default();
    struct config *c = load("http: { listen: [ \":1\" ], max_connections: 9 }\n"
                            "history: { raw: 2h }\n");
    struct buf out;

    buf_init(&out, 0);
    config_fixed_changes(plain, plain, &out);
    ck_assert_str_eq(out.data, "");
    config_fixed_changes(plain, c, &out);
    ck_assert_ptr_nonnull(strstr(out.data, "http.listen:"));
    ck_assert_ptr_nonnull(strstr(out.data, "http.max_connections:"));
    ck_assert_ptr_nonnull(strstr(out.data, "history:"));
    buf_finish(&out);
    config_destroy(c);
    config_destroy(plain);
}
END_TEST

TEST_MAIN("problems", all_is_well, nothing_to_watch, servers_fail,
          values_that_cannot_be_used, rounds_stop, coverage, masters_and_listings,
          suppressed_alerts_reloads_and_warnings,
          the_collector_starts_anew_only_for_what_it_reads, what_needs_a_start_is_told)
