/* SPDX-License-Identifier: Apache-2.0 */
/* Polling RegionServers with the whole collector: rhythm, rounds, failures, fallback.
 */
#include "tests/unit/common/harness.h"

#include "collectors/schedule.h"
#include "tests/unit/collectors/collector_support.h"

static struct stub *stub;

static void
setup(void)
{
    config_reset();
    stub = stub_create();
}

static void
teardown(void)
{
    if (collector != NULL)
        stop_collector();
    stub = stub_destroy(stub);
}

static void
serve_good(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    (void)user;
    (void)head;
    ck_assert(asks_combined(path));
    answer_beans(reply, "rs1,16020,1700000000001", 42);
}

static void
serve_silence(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    (void)user;
    (void)path;
    (void)head;
    reply->way = STUB_HANG;
}

static void
serve_drip(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    (void)user;
    (void)path;
    (void)head;
    answer_beans(reply, "rs1,16020,1700000000001", 42);
    reply->way = STUB_DRIP;
}

static void
serve_401(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    (void)user;
    (void)path;
    (void)head;
    stub_answer(reply, 401, "WWW-Authenticate: Negotiate\r\n", "");
}

static void
serve_endless(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    (void)user;
    (void)path;
    (void)head;
    buf_adds(&reply->bytes, "HTTP/1.1 200 OK\r\n\r\n{\"beans\":[");
    reply->way = STUB_REPEAT;
    reply->again = "{\"name\":\"x\"},";
}

START_TEST(a_poll_carries_what_was_read)
{
    unsigned port = stub_listen(stub, serve_good, NULL);

    stub_start(stub);
    add_target(port);
    start_collector();
    const struct server_poll *poll = &await(1, is_poll_of, &port, "a poll")->poll;
    ck_assert_int_eq(poll->outcome, POLL_OK);
    ck_assert_ptr_null(poll->error);
    ck_assert_str_eq(poll->server, "rs1,16020,1700000000001");
    ck_assert_uint_eq(poll->region_count, 1);
    ck_assert_uint_eq(poll->regions[0].read, 42);
    ck_assert_int_eq(poll->http_status, 200);
    ck_assert_uint_gt(poll->bytes, 200);
    ck_assert_int_ge(poll->duration_ms, 0);
    ck_assert_int_le(llabs(poll->received.mono_ms - clock_now().mono_ms), 1000);
    const struct target_set *set = &last_kind(MESSAGE_TARGETS)->targets;
    ck_assert_uint_eq(set->count, 1);
    ck_assert_str_eq(set->urls[0], poll->url);
    const struct round_summary *round = &await_kind(1, MESSAGE_ROUND)->round;
    ck_assert_uint_eq(round->ok, 1);
    ck_assert_uint_eq(round->requests, 1);
    ck_assert_uint_eq(round->bytes, poll->bytes);
    stop_collector();
}
END_TEST

/* Polls begin at the target's place in each interval of the wall clock; on a machine
 * with other work some come late. */
static void
check_rhythm(unsigned port, size_t least)
{
    size_t polls = 0;
    size_t on_the_beat = 0;

    for (size_t i = 0; i < message_count; i++) {
        if (!is_good_poll_of(messages[i], &port))
            continue;
        const struct server_poll *poll = &messages[i]->poll;
        int64_t begun = poll->received.wall_ms - poll->duration_ms;
        int64_t phase = schedule_phase(poll->url, INTERVAL_MS);
        int64_t late = (begun % INTERVAL_MS - phase + INTERVAL_MS) % INTERVAL_MS;
        polls++;
        on_the_beat += late < 40 || late >= INTERVAL_MS - 3; /* or rounded down */
    }
    ck_assert_msg(polls >= least, "%zu polls", polls);
    /* The very first one came at once. */
    ck_assert_msg(on_the_beat * 3 >= (polls - 1) * 2, "%zu of %zu", on_the_beat, polls);
}

START_TEST(bad_servers_do_not_disturb_good_ones)
{
    static stub_fn *const fns[] = {serve_silence, serve_drip, serve_401, serve_endless};
    static const enum poll_outcome outcomes[] = {POLL_TIMEOUT, POLL_TIMEOUT, POLL_AUTH,
                                                 POLL_TOO_LARGE};
    unsigned good = stub_listen(stub, serve_good, NULL);
    unsigned bad[4];

    add_target(good);
    for (size_t i = 0; i < 4; i++) {
        bad[i] = stub_listen(stub, fns[i], NULL);
        add_target(bad[i]);
    }
    stub_start(stub);
    start_collector();
    collect_for(1300);
    check_rhythm(good, 5);
    for (size_t i = 0; i < 4; i++) {
        size_t polls = count_messages(is_poll_of, &bad[i]);
        const struct message *m = last_message(is_poll_of, &bad[i]);
        ck_assert_int_eq(m->poll.outcome, outcomes[i]);
        ck_assert_uint_eq(m->poll.region_count, 0);
        ck_assert_ptr_null(m->poll.server);
        ck_assert_int_le(m->poll.duration_ms, TIMEOUT_MS + 200);
        /* Three tries an interval, or two if slow, apart; then they are spared. */
        ck_assert_uint_ge(polls, 2);
        ck_assert_uint_le(polls, 5);
    }
    const struct round_summary *round = &last_kind(MESSAGE_ROUND)->round;
    ck_assert_uint_ge(count_kind(MESSAGE_ROUND), 5);
    ck_assert_uint_le(count_kind(MESSAGE_ROUND), 8);
    ck_assert_uint_eq(round->ok, 1);
    ck_assert_uint_le(round->failed, 4);
    for (size_t i = 0; i < message_count; i++) {
        /* 401 comes at once: polled or spared, it counts in every round. */
        if (messages[i]->kind == MESSAGE_ROUND)
            ck_assert_uint_ge(messages[i]->round.failed, 1);
    }
    stop_collector();
}
END_TEST

static bool
is_round_that_skipped(const struct message *m, const void *unused)
{
    (void)unused;
    return m->kind == MESSAGE_ROUND && m->round.skipped > 0;
}

START_TEST(ticks_skip_a_busy_server)
{
    unsigned port = stub_listen(stub, serve_silence, NULL);

    stub_start(stub);
    config.poll.timeout_ms = 3 * INTERVAL_MS;
    add_target(port);
    start_collector();
    await(1, is_round_that_skipped, NULL, "rounds with a skipped poll");
    ck_assert_uint_eq(stub_requests(stub, port), 1);
    stop_collector();
}
END_TEST

START_TEST(polls_in_flight_are_bounded)
{
    unsigned good = stub_listen(stub, serve_good, NULL);
    unsigned bad[6];

    config.poll.max_in_flight = 2;
    config.poll.timeout_ms = 200;
    config.poll.interval_ms = 300;
    for (size_t i = 0; i < 6; i++) {
        bad[i] = stub_listen(stub, serve_silence, NULL);
        add_target(bad[i]);
    }
    add_target(good);
    stub_start(stub);
    start_collector();
    int64_t begun = clock_now().mono_ms;
    const struct message *m = await(1, is_good_poll_of, &good, "its turn");
    /* It is its turn in spite of the others, and they had theirs. */
    ck_assert_int_le(m->poll.received.mono_ms - begun, 4 * config.poll.timeout_ms);
    for (size_t i = 0; i < 6; i++)
        await(1, is_poll_of, &bad[i], "a poll of each");
    /* Two at a time: six timeouts take three times one. */
    ck_assert_int_ge(clock_now().mono_ms - begun, 3 * config.poll.timeout_ms - 50);
    stop_collector();
}
END_TEST

static void
serve_no_beans_at_first(void *user, const char *path, const char *head,
                        struct stub_reply *reply)
{
    atomic_uint *asked = user;

    (void)path;
    (void)head;
    if (atomic_fetch_add(asked, 1) % 2 == 0)
        answer_no_beans(reply);
    else
        answer_beans(reply, "rs1,16020,1700000000001", 1);
}

static void
serve_no_beans(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    (void)user;
    (void)path;
    (void)head;
    answer_no_beans(reply);
}

START_TEST(missing_beans_are_asked_for_once_more)
{
    atomic_uint asked = 0;
    unsigned first = stub_listen(stub, serve_no_beans_at_first, &asked);
    unsigned never = stub_listen(stub, serve_no_beans, NULL);

    stub_start(stub);
    config.poll.interval_ms = QUICK_MS;
    add_target(first);
    add_target(never);
    start_collector();
    await(3, is_poll_of, &never, "polls");
    await(3, is_poll_of, &first, "polls");
    ck_assert_uint_eq(count_messages(is_poll_of, &first),
                      count_messages(is_good_poll_of, &first));
    ck_assert_uint_eq(count_messages(is_good_poll_of, &never), 0);
    ck_assert_int_eq(last_message(is_poll_of, &never)->poll.outcome, POLL_NO_DATA);
    ck_assert_uint_ge(stub_requests(stub, never), 6);
    /* That is no reason to slow down. */
    await(6, is_poll_of, &never, "polls");
    stop_collector();
}
END_TEST

/* A server that knows no combined query, in one of the ways they have. */
struct old_server {
    int status;
    const char *body;
    atomic_uint combined;
    atomic_uint per_bean;
    atomic_uint start_code;
};

static void
serve_old(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    struct old_server *old = user;
    char server[64];

    (void)head;
    if (asks_combined(path)) {
        atomic_fetch_add(&old->combined, 1);
        stub_answer(reply, old->status, "", old->body);
        return;
    }
    ck_assert_int_eq(strncmp(path, "/jmx?qry=", 9), 0);
    atomic_fetch_add(&old->per_bean, 1);
    snprintf(server, sizeof server, "rs1,16020,%u", atomic_load(&old->start_code));
    answer_beans(reply, server, 42);
}

static bool
is_poll_of_start(const struct message *m, const void *server)
{
    return m->kind == MESSAGE_POLL && m->poll.server != NULL &&
           strcmp(m->poll.server, server) == 0;
}

static void
check_fallback(int status, const char *body)
{
    struct old_server old = {.status = status, .body = body, .start_code = 1};

    config_reset();
    config.poll.interval_ms = QUICK_MS;
    stub = stub_create();
    add_target(stub_listen(stub, serve_old, &old));
    stub_start(stub);
    start_collector();
    const struct message *m = await(3, is_poll_of_start, "rs1,16020,1", "polls");
    ck_assert_int_eq(m->poll.outcome, POLL_OK);
    ck_assert_uint_eq(m->poll.region_count, 1);
    ck_assert_uint_eq(atomic_load(&old.combined), 1); /* remembered */
    ck_assert_uint_ge(atomic_load(&old.per_bean), 6);
    /* Another start may be another version: the combined query is tried once more. */
    atomic_store(&old.start_code, 2);
    await(3, is_poll_of_start, "rs1,16020,2", "polls of the next start");
    ck_assert_uint_eq(atomic_load(&old.combined), 2);
    for (size_t i = 0; i < message_count; i++)
        ck_assert(messages[i]->kind != MESSAGE_POLL ||
                  messages[i]->poll.outcome == POLL_OK);
    stop_collector();
    stub = stub_destroy(stub);
}

START_TEST(old_servers_are_asked_bean_by_bean)
{
    teardown();
    check_fallback(200,
                   "{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=RegionServer,"
                   "sub=Regions\",\"modelerType\":\"x\",\"result\":\"ERROR\","
                   "\"message\":\"No attribute with name _metric_ was found.\"}]}");
    check_fallback(500, "<html>error</html>");
    check_fallback(400, "");
    setup();
}
END_TEST

static void
serve_half_old(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    atomic_uint *asked = user;

    (void)head;
    if (asks_combined(path))
        stub_answer(reply, 500, "", "");
    else if (atomic_fetch_add(asked, 1) == 0) {
        answer_beans(reply, "rs1,16020,1", 1);
        reply->way = STUB_LATE;
    } else
        reply->way = STUB_HANG;
}

START_TEST(the_time_limit_is_for_the_whole_poll)
{
    atomic_uint asked = 0;
    unsigned port = stub_listen(stub, serve_half_old, &asked);

    stub_start(stub);
    add_target(port);
    start_collector();
    const struct server_poll *poll = &await(1, is_poll_of, &port, "a poll")->poll;
    ck_assert_int_eq(poll->outcome, POLL_TIMEOUT);
    ck_assert_int_ge(poll->duration_ms, TIMEOUT_MS - 20);
    ck_assert_int_lt(poll->duration_ms, TIMEOUT_MS + 100);
    ck_assert_uint_eq(poll->region_count, 0); /* half an answer is none */
    stop_collector();
}
END_TEST

static void
serve_page(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    (void)user;
    (void)path;
    (void)head;
    stub_answer(reply, 200, "", "<html>another service</html>");
}

START_TEST(what_is_not_hbase_is_named)
{
    unsigned port = stub_listen(stub, serve_page, NULL);

    stub_start(stub);
    add_target(port);
    start_collector();
    const struct server_poll *poll = &await(1, is_poll_of, &port, "a poll")->poll;
    ck_assert_int_eq(poll->outcome, POLL_PARSE);
    ck_assert_msg(strstr(poll->error, "/jmx'") != NULL, "%s", poll->error);
    stop_collector();
}
END_TEST

START_TEST(it_stops_at_once)
{
    unsigned port = stub_listen(stub, serve_silence, NULL);
    char *command[] = {"/bin/sh", "-c", "trap '' TERM; sleep 60 & wait; sleep 60"};

    stub_start(stub);
    config.poll.timeout_ms = 60000;
    config.topology.timeout_ms = 60000;
    config.topology.source = TOPOLOGY_TEXT;
    config.topology.command = (struct string_list){command, 3};
    add_target(port);
    add_master(port);
    start_collector();
    while (stub_requests(stub, port) < 2)
        poll(NULL, 0, 1);
    int64_t begun = clock_now().mono_ms;
    stop_collector();
    ck_assert_int_lt(clock_now().mono_ms - begun, 500);
}
END_TEST

START_TEST(without_jmx_nothing_is_polled)
{
    unsigned port = stub_listen(stub, serve_good, NULL);

    stub_start(stub);
    config.poll.jmx = false;
    config.poll.interval_ms = QUICK_MS;
    add_target(port);
    start_collector();
    const struct round_summary *round = &await_kind(2, MESSAGE_ROUND)->round;
    ck_assert_uint_eq(round->ok + round->failed, 0);
    ck_assert_uint_eq(stub_requests(stub, port), 0);
    ck_assert_uint_eq(count_kind(MESSAGE_TARGETS), 0);
    stop_collector();
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        a_poll_carries_what_was_read,
        bad_servers_do_not_disturb_good_ones,
        ticks_skip_a_busy_server,
        polls_in_flight_are_bounded,
        missing_beans_are_asked_for_once_more,
        old_servers_are_asked_bean_by_bean,
        the_time_limit_is_for_the_whole_poll,
        what_is_not_hbase_is_named,
        it_stops_at_once,
        without_jmx_nothing_is_polled,
    };
    Suite *suite = suite_create("collector");
    TCase *tcase = tcase_create("collector");

    tcase_add_checked_fixture(tcase, setup, teardown);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
