/* SPDX-License-Identifier: Apache-2.0 */
/* Finding RegionServers with the whole collector: masters, live_servers, files. */
#include "tests/unit/common/harness.h"

#include "collectors/live_servers.h"
#include "tests/unit/collectors/collector_support.h"
#include "tests/unit/temp_dir.h"

#define SERVER "127.0.0.1,16020,1700000000001"

static struct stub *stub;

/* A master of the test; the test changes it while it runs. */
struct fake_master {
    atomic_bool active;
    atomic_bool alone; /* its live list is empty */
    atomic_bool hang;
    atomic_uint api; /* status of live_servers */
    atomic_uint api_asked;
    atomic_uint info_port; /* of SERVER */
    double load;
    const char *name;
};

static struct fake_master one, two;

static void
serve_master(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    struct fake_master *m = user;

    (void)head;
    if (atomic_load(&m->hang)) {
        reply->way = STUB_HANG;
    } else if (strcmp(path, LIVE_SERVERS_PATH) == 0) {
        atomic_fetch_add(&m->api_asked, 1);
        if (atomic_load(&m->api) == 200)
            answer_live_servers(reply, SERVER, atomic_load(&m->info_port));
        else
            stub_answer(reply, (int)atomic_load(&m->api), "", "<html></html>");
    } else {
        answer_master(reply, path, m->name, atomic_load(&m->active),
                      atomic_load(&m->alone) ? "" : SERVER, m->load);
    }
}

static void
serve_good(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    (void)user;
    (void)path;
    (void)head;
    answer_beans(reply, SERVER, 42);
}

static void
setup(void)
{
    config_reset();
    config.poll.interval_ms = QUICK_MS;
    stub = stub_create();
    one = (struct fake_master){.name = "m1,16000,1", .api = 200, .load = 3};
    two = (struct fake_master){.name = "m2,16000,2", .api = 200, .load = 3};
}

static void
teardown(void)
{
    if (collector != NULL)
        stop_collector();
    stub = stub_destroy(stub);
    temp_dir_clear();
}

static bool
is_cluster_of(const struct message *m, const void *master)
{
    return m->kind == MESSAGE_CLUSTER && m->cluster.master != NULL &&
           strcmp(m->cluster.master, master) == 0;
}

static bool
is_set_of(const struct message *m, const void *count)
{
    return m->kind == MESSAGE_TARGETS && m->targets.count == *(const size_t *)count;
}

static bool
is_answer_of(const struct message *m, const void *source)
{
    return m->kind == MESSAGE_SOURCE && m->report.outcome == POLL_OK &&
           strcmp(m->report.source, source) == 0;
}

START_TEST(the_active_master_is_followed)
{
    unsigned port = stub_listen(stub, serve_good, NULL);

    add_master(stub_listen(stub, serve_master, &one));
    add_master(stub_listen(stub, serve_master, &two));
    config.regionservers.info_port = (uint16_t)port;
    one.active = true;
    stub_start(stub);
    start_collector();
    const struct cluster_state *c = &await(2, is_cluster_of, one.name, "one")->cluster;
    ck_assert_str_eq(c->url, masters[0]);
    ck_assert_uint_eq(c->live_count, 1);
    ck_assert_str_eq(c->live[0], SERVER);
    ck_assert_double_eq(c->region_count, 3);
    ck_assert_double_eq(c->regions_in_transition, 2);
    await(2, is_good_poll_of, &port, "polls of its server");
    /* A backup that answers is no failure, and is told. */
    ck_assert_uint_eq(count_messages(is_failure_with, ""), 0);
    await(1, is_answer_of, masters[1], "the backup's answer");
    atomic_store(&one.active, false);
    atomic_store(&two.active, true);
    c = &await(2, is_cluster_of, two.name, "two")->cluster;
    ck_assert_str_eq(c->url, masters[1]);
    /* Nobody is active for a while: each is named, the servers stay. */
    atomic_store(&two.active, false);
    const struct message *m = await(1, is_failure_with, masters[0], "master one");
    ck_assert_str_eq(m->report.source, masters[0]);
    ck_assert_int_eq(m->report.outcome, POLL_NO_DATA);
    await(1, is_failure_with, masters[1], "master two");
    size_t polls = count_messages(is_good_poll_of, &port);
    await(polls + 3, is_good_poll_of, &port, "polls without a master");
    ck_assert_uint_eq(count_kind(MESSAGE_TARGETS), 1);
}
END_TEST

START_TEST(a_hanging_master_delays_nothing)
{
    unsigned port = stub_listen(stub, serve_good, NULL);

    add_master(stub_listen(stub, serve_master, &one));
    add_master(stub_listen(stub, serve_master, &two));
    config.regionservers.info_port = (uint16_t)port;
    one.hang = true;
    two.active = true;
    stub_start(stub);
    start_collector();
    int64_t begun = clock_now().mono_ms;
    await(1, is_good_poll_of, &port, "a poll");
    await(3, is_cluster_of, two.name, "two");
    ck_assert_int_lt(clock_now().mono_ms - begun, TIMEOUT_MS);
    const struct message *m = await(1, is_failure_with, "no answer", "one's failure");
    ck_assert_str_eq(m->report.source, masters[0]);
    ck_assert_int_eq(m->report.outcome, POLL_TIMEOUT);
}
END_TEST

START_TEST(an_empty_live_list_changes_nothing)
{
    unsigned port = stub_listen(stub, serve_good, NULL);

    add_master(stub_listen(stub, serve_master, &one));
    config.regionservers.info_port = (uint16_t)port;
    one.active = true;
    stub_start(stub);
    start_collector();
    await(1, is_good_poll_of, &port, "a poll");
    atomic_store(&one.alone, true);
    size_t clusters = count_kind(MESSAGE_CLUSTER);
    await_kind(clusters + 3, MESSAGE_CLUSTER);
    size_t polls = count_messages(is_good_poll_of, &port);
    await(polls + 2, is_good_poll_of, &port, "polls");
    ck_assert_uint_eq(count_kind(MESSAGE_TARGETS), 1);
}
END_TEST

START_TEST(info_ports_come_from_live_servers)
{
    unsigned port = stub_listen(stub, serve_good, NULL);

    add_master(stub_listen(stub, serve_master, &one));
    config.topology.source = TOPOLOGY_AUTO;
    one.active = true;
    one.info_port = port;
    stub_start(stub);
    start_collector();
    await(2, is_good_poll_of, &port, "polls");
    /* The configured port was never tried, nor was an empty first round told. */
    ck_assert_uint_eq(count_kind(MESSAGE_TARGETS), 1);
    ck_assert_uint_eq(atomic_load(&one.api_asked), 1);
    const struct listing *l = &last_kind(MESSAGE_LISTING)->listing;
    ck_assert_int_eq(l->source, LISTING_API);
    ck_assert(l->whole_cluster);
    ck_assert_uint_eq(l->row_count, 1);
    for (size_t i = 0; i < message_count; i++) {
        if (messages[i]->kind == MESSAGE_ROUND) {
            ck_assert_uint_eq(messages[i]->round.ok, 1);
            break;
        }
    }
}
END_TEST

START_TEST(a_master_without_live_servers_is_told_of_once)
{
    unsigned port = stub_listen(stub, serve_good, NULL);

    add_master(stub_listen(stub, serve_master, &one));
    config.topology.source = TOPOLOGY_API;
    config.topology.interval_ms = QUICK_MS;
    config.regionservers.info_port = (uint16_t)port;
    one.active = true;
    one.api = 404;
    stub_start(stub);
    start_collector();
    const struct message *m = await(1, is_failure_with, "404", "a failure");
    ck_assert_int_eq(m->report.outcome, POLL_HTTP_STATUS);
    ck_assert_ptr_nonnull(strstr(m->report.source, LIVE_SERVERS_PATH));
    await(2, is_good_poll_of, &port, "polls by the configured port");
    int64_t begun = clock_now().mono_ms;
    while (atomic_load(&one.api_asked) < 3)
        take_messages(20);
    /* Six intervals apart, and in silence; wishes change nothing. */
    ck_assert_int_ge(clock_now().mono_ms - begun, 6 * QUICK_MS);
    collector_want_listing(collector, true, NULL);
    ck_assert_uint_eq(count_messages(is_failure_with, "404"), 1);
    ck_assert_uint_eq(count_kind(MESSAGE_LISTING), 0);
}
END_TEST

START_TEST(another_master_is_another_program)
{
    add_master(stub_listen(stub, serve_master, &one));
    add_master(stub_listen(stub, serve_master, &two));
    config.topology.source = TOPOLOGY_API;
    one.active = true;
    one.api = 404;
    stub_start(stub);
    start_collector();
    await(1, is_failure_with, "404", "a failure");
    /* The next regular try is an hour away. */
    atomic_store(&one.active, false);
    atomic_store(&two.active, true);
    await_kind(1, MESSAGE_LISTING);
    ck_assert_uint_eq(atomic_load(&one.api_asked), 1);
}
END_TEST

START_TEST(large_clusters_are_not_listed)
{
    unsigned port = stub_listen(stub, serve_good, NULL);

    add_master(stub_listen(stub, serve_master, &one));
    config.topology.source = TOPOLOGY_AUTO;
    config.topology.interval_ms = QUICK_MS;
    config.topology.api_max_regions = 1000;
    config.regionservers.info_port = (uint16_t)port;
    one.active = true;
    one.load = 1000.5;
    stub_start(stub);
    start_collector();
    const struct message *m = await(1, is_failure_with, "api_max_regions", "a failure");
    ck_assert_int_eq(m->report.outcome, POLL_TOO_LARGE);
    await(8, is_good_poll_of, &port, "polls");
    ck_assert_uint_eq(count_messages(is_failure_with, "api_max_regions"), 1);
    ck_assert_uint_eq(atomic_load(&one.api_asked), 0);
}
END_TEST

START_TEST(targets_follow_a_file)
{
    char sd[256];
    size_t both = 2, single = 1;
    unsigned first = stub_listen(stub, serve_good, NULL);
    unsigned second = stub_listen(stub, serve_good, NULL);

    stub_start(stub);
    add_target(first);
    config.regionservers.file = (char *)temp_path("sd.json");
    snprintf(sd, sizeof sd, "[{\"targets\":[\"127.0.0.1:%u\",\"127.0.0.1:%u\"]}]",
             first, second);
    temp_file("sd.json", sd);
    start_collector();
    await(1, is_set_of, &both, "both targets"); /* the first is not there twice */
    await(2, is_good_poll_of, &second, "polls of the second");
    temp_file("sd.json", "[{\"targets\":");
    const struct message *m = await(1, is_failure_with, "line 1", "a failure");
    ck_assert_str_eq(m->report.source, config.regionservers.file);
    size_t polls = count_messages(is_good_poll_of, &second);
    await(polls + 2, is_good_poll_of, &second, "polls by the last good list");
    temp_file("sd.json", "[]");
    await(1, is_set_of, &single, "one target");
    polls = count_messages(is_poll_of, &second);
    size_t others = count_messages(is_poll_of, &first);
    await(others + 3, is_poll_of, &first, "polls of the first");
    ck_assert_uint_eq(count_messages(is_poll_of, &second), polls);
    ck_assert_uint_eq(count_messages(is_failure_with, ""), 1);
}
END_TEST

static void
serve_text(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    (void)path;
    (void)head;
    stub_answer(reply, 200, "", user);
}

START_TEST(targets_come_over_http)
{
    char sd[256];
    unsigned first = stub_listen(stub, serve_good, NULL);

    snprintf(sd, sizeof sd, "[{\"targets\":[\"127.0.0.1:%u\"],\"labels\":{}}]", first);
    config.regionservers.http_sd =
        address_text("http://127.0.0.1", stub_listen(stub, serve_text, sd));
    stub_start(stub);
    start_collector();
    await(2, is_good_poll_of, &first, "polls");
    ck_assert_uint_eq(count_messages(is_failure_with, ""), 0);
}
END_TEST

START_TEST(a_bad_http_list_is_a_failure)
{
    config.regionservers.http_sd =
        address_text("http://127.0.0.1", stub_listen(stub, serve_text, "{}"));
    stub_start(stub);
    start_collector();
    const struct message *m =
        await(2, is_failure_with, "expected an array", "failures");
    ck_assert_str_eq(m->report.source, config.regionservers.http_sd);
    ck_assert_int_eq(m->report.outcome, POLL_PARSE);
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        the_active_master_is_followed,
        a_hanging_master_delays_nothing,
        an_empty_live_list_changes_nothing,
        info_ports_come_from_live_servers,
        a_master_without_live_servers_is_told_of_once,
        another_master_is_another_program,
        large_clusters_are_not_listed,
        targets_follow_a_file,
        targets_come_over_http,
        a_bad_http_list_is_a_failure,
    };
    Suite *suite = suite_create("discovery");
    TCase *tcase = tcase_create("discovery");

    temp_dir_create();
    tcase_add_checked_fixture(tcase, setup, teardown);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    temp_dir_remove();
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
