/* SPDX-License-Identifier: Apache-2.0 */
/* Details and limits of servers in the focus, and what others are spared. */
#include "collectors/details.h"

#include "collectors/poller.h"
#include "tests/unit/collectors/details_support.h"

START_TEST(details_of_a_server_in_the_focus)
{
    start(2);
    await_kind(2, MESSAGE_POLL);
    set_focus(1, false, 0, SERVER);
    const struct server_detail *detail = &await_kind(3, MESSAGE_DETAIL)->detail;
    ck_assert_str_eq(detail->server, SERVER);
    ck_assert_uint_eq(detail->operation_count, 1);
    ck_assert_uint_eq(detail->operations[0].read, 500);
    ck_assert_uint_eq(detail->operations[0].write, 70);
    ck_assert_uint_eq(detail->operations[0].gets, 100);
    ck_assert_uint_eq(detail->operations[0].scans, 4);
    ck_assert_uint_eq(detail->handlers, 40);
    ck_assert_int_eq(detail->memstore_limit_bytes, 512LL << 20);
    /* Limits once; rows, and other servers, not at all. */
    ck_assert_uint_eq(asked(0, PAGE_CONF), 1);
    ck_assert_uint_eq(asked(0, PAGE_HEAP), 1);
    ck_assert_uint_eq(asked(0, PAGE_RS_STATUS) + asked(0, PAGE_JSP), 0);
    for (unsigned page = PAGE_FILTERED; page < PAGE_COUNT; page++)
        ck_assert_uint_eq(asked(1, page), 0);
    /* One a tick. */
    ck_assert_uint_le(asked(0, PAGE_FILTERED), asked(0, PAGE_POLL) + 1);
    stop_collector();
}
END_TEST

START_TEST(a_server_that_leaves_the_focus_is_left_alone)
{
    start(1);
    set_focus(1, false, 0, SERVER);
    await_kind(1, MESSAGE_DETAIL);
    set_focus(0, false, 0, SERVER);
    size_t rounds = count_kind(MESSAGE_ROUND);
    await_kind(rounds + 2, MESSAGE_ROUND); /* the hand-over is behind us */
    unsigned before = asked(0, PAGE_FILTERED);
    await_kind(rounds + 5, MESSAGE_ROUND);
    ck_assert_uint_eq(asked(0, PAGE_FILTERED), before);
    /* It comes back: its limits are still known. */
    size_t details = count_kind(MESSAGE_DETAIL);
    set_focus(1, false, 0, SERVER);
    ck_assert_uint_eq(await_kind(details + 1, MESSAGE_DETAIL)->detail.handlers, 40);
    ck_assert_uint_eq(asked(0, PAGE_CONF), 1);
    /* Another start of it. */
    servers[0].restarted = true;
    set_focus(1, false, 0, "rs1,16020,1700000000002");
    await_asked(0, PAGE_CONF, 2);
    collector_set_focus(collector, NULL);
    stop_collector();
}
END_TEST

START_TEST(details_are_of_who_answers)
{
    servers[0].restarted = true;
    start(1);
    set_focus(1, false, 0, SERVER);
    const struct server_detail *detail = &await_kind(1, MESSAGE_DETAIL)->detail;
    ck_assert_str_eq(detail->server, "rs1,16020,1700000000002");
    ck_assert_uint_eq(detail->handlers, 0);
    ck_assert_int_eq(detail->memstore_limit_bytes, -1);
    stop_collector();
}
END_TEST

START_TEST(servers_without_filtered_queries)
{
    servers[0].old = true;
    servers[1].old = servers[1].large = true;
    servers[2].status[PAGE_FILTERED] = 500;
    start(3);
    set_focus(3, false, 0, SERVER);
    for (int i = 0; i < 9; i++)
        await_kind((size_t)i + 1, MESSAGE_DETAIL);
    for (size_t i = 0; i < 3; i++) {
        await_asked(i, PAGE_FULL, 1);
        ck_assert_uint_eq(asked(i, PAGE_FILTERED), 1);
    }
    /* The full answer is too large: once, then limits only. */
    ck_assert_uint_eq(asked(1, PAGE_FULL), 1);
    for (size_t i = 0; i < message_count; i++) {
        const struct server_detail *detail = &messages[i]->detail;
        char part[32];
        if (messages[i]->kind != MESSAGE_DETAIL)
            continue;
        snprintf(part, sizeof part, ":%u", servers[1].port);
        bool none = strstr(detail->url, part) != NULL;
        ck_assert_uint_eq(detail->operation_count, none ? 0 : 1);
        ck_assert_uint_eq(detail->handlers, 40);
    }
    stop_collector();
}
END_TEST

START_TEST(unknown_limits)
{
    servers[0].status[PAGE_CONF] = 404;
    servers[1].status[PAGE_HEAP] = 401;
    start(2);
    set_focus(2, false, 0, SERVER);
    await_kind(6, MESSAGE_DETAIL);
    for (size_t i = 0; i < message_count; i++) {
        const struct server_detail *detail = &messages[i]->detail;
        char part[32];
        if (messages[i]->kind != MESSAGE_DETAIL)
            continue;
        snprintf(part, sizeof part, ":%u", servers[0].port);
        bool first = strstr(detail->url, part) != NULL;
        ck_assert_uint_eq(detail->handlers, first ? 0 : 40);
        ck_assert_int_eq(detail->memstore_limit_bytes, -1);
        ck_assert_uint_eq(detail->operation_count, 1);
    }
    /* Not asked again for a minute. */
    ck_assert_uint_eq(asked(0, PAGE_CONF), 1);
    ck_assert_uint_eq(asked(1, PAGE_HEAP), 1);
    stop_collector();
}
END_TEST

/* Polls go on as if nothing were, even with one place for all. */
START_TEST(details_that_hang_cost_nothing_else)
{
    servers[0].hangs[PAGE_CONF] = servers[0].hangs[PAGE_FILTERED] = true;
    servers[0].hangs[PAGE_RS_STATUS] = true;
    config.poll.max_in_flight = 2;
    start(2);
    set_focus(2, true, 1, SERVER);
    for (size_t i = 0; i < 2; i++)
        await(6, is_good_poll_of, &servers[i].port, "good polls");
    await_kind(3, MESSAGE_DETAIL); /* of the other one */
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(count_messages(is_poll_of, &servers[i].port),
                          count_messages(is_good_poll_of, &servers[i].port));
    }
    ck_assert_uint_le(asked(0, PAGE_FILTERED), 4); /* spared, as polls are */
    stop_collector();
}
END_TEST

START_TEST(polls_keep_half_of_the_places)
{
    static const unsigned most[][2] = {{1, 1}, {2, 1}, {3, 2}, {64, 32}};
    struct context context = {.config = &config};

    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        config.poll.max_in_flight = most[i][0];
        struct poller *p = poller_create(&context);
        for (unsigned n = 0; n < most[i][1]; n++)
            ck_assert(poller_take_place(p));
        ck_assert(!poller_take_place(p));
        poller_give_place(p);
        ck_assert(poller_take_place(p));
        poller_destroy(p);
    }
}
END_TEST

START_TEST(one_place_is_shared)
{
    config.poll.max_in_flight = 1;
    start(3);
    set_focus(3, false, 0, SERVER);
    for (size_t i = 0; i < 3; i++) {
        await_asked(i, PAGE_FILTERED, 2);
        await(2, is_good_poll_of, &servers[i].port, "good polls");
    }
    stop_collector();
}
END_TEST

START_TEST(the_focus_is_bounded)
{
    start(1);
    set_focus(20, false, 0, SERVER);
    for (size_t i = 0; i < DETAILS_FOCUS_MAX; i++)
        await_asked(i, PAGE_FILTERED, 2);
    for (size_t i = DETAILS_FOCUS_MAX; i < 20; i++)
        ck_assert_uint_eq(asked(i, PAGE_CONF) + asked(i, PAGE_FILTERED), 0);
    stop_collector();
}
END_TEST

/* Of a server in the focus for itself, only the limits are asked. */
START_TEST(no_region_in_the_focus)
{
    focus_regions = 0;
    start(1);
    set_focus(1, false, 0, SERVER);
    const struct server_detail *detail = &await_kind(2, MESSAGE_DETAIL)->detail;
    ck_assert_str_eq(detail->server, SERVER);
    ck_assert_uint_eq(detail->operation_count, 0);
    ck_assert_uint_eq(detail->handlers, 40);
    ck_assert_uint_eq(asked(0, PAGE_FILTERED) + asked(0, PAGE_FULL), 0);
    stop_collector();
}
END_TEST

START_TEST(credentials_are_those_of_polls)
{
    config.hbase_auth.type = AUTH_BASIC;
    config.hbase_auth.username = xstrdup("watcher");
    start(1);
    set_focus(1, true, 1, SERVER);
    await_kind(2, MESSAGE_DETAIL);
    await_asked(0, PAGE_RS_STATUS, 2);
    ck_assert_uint_eq(atomic_load(&servers[0].anonymous), 0);
    stop_collector();
    free(config.hbase_auth.username);
}
END_TEST

START_TEST(requests_count_in_the_round)
{
    start(1);
    set_focus(1, false, 0, SERVER);
    await_kind(2, MESSAGE_DETAIL);
    await_kind(count_kind(MESSAGE_ROUND) + 2, MESSAGE_ROUND);
    uint64_t requests = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < message_count; i++) {
        if (messages[i]->kind == MESSAGE_ROUND) {
            requests += messages[i]->round.requests;
            bytes += messages[i]->round.bytes;
        }
        if (messages[i]->kind == MESSAGE_POLL)
            bytes -= messages[i]->poll.bytes;
    }
    ck_assert_uint_ge(requests, count_kind(MESSAGE_POLL) - 1 + 4);
    ck_assert_uint_ge(bytes, 500);
    ck_assert_uint_lt(bytes, 100000);
    stop_collector();
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        details_of_a_server_in_the_focus,
        a_server_that_leaves_the_focus_is_left_alone,
        details_are_of_who_answers,
        servers_without_filtered_queries,
        unknown_limits,
        details_that_hang_cost_nothing_else,
        polls_keep_half_of_the_places,
        one_place_is_shared,
        the_focus_is_bounded,
        no_region_in_the_focus,
        credentials_are_those_of_polls,
        requests_count_in_the_round,
    };

    return run_details_tests("details", tests, sizeof tests / sizeof tests[0]);
}
