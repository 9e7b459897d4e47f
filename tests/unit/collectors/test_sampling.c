/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of row sampling with the whole collector. */
#include "collectors/sampling.h"

#include "tests/unit/collectors/details_support.h"

static const struct row_samples *
await_rows(size_t count)
{
    int64_t end = clock_now().mono_ms + 15000;

    while (count_kind(MESSAGE_ROWS) < count) {
        ck_assert_int_lt(clock_now().mono_ms, end);
        take_messages(1000);
    }
    return &last_kind(MESSAGE_ROWS)->rows;
}

START_TEST(a_session)
{
    start(1);
    int64_t begun = clock_now().mono_ms;
    set_focus(1, true, 7, SERVER);
    const struct row_samples *rows = await_rows(1);
    ck_assert_str_eq(rows->server, SERVER);
    ck_assert_uint_eq(rows->turn, 7);
    ck_assert_ptr_null(rows->error);
    ck_assert_uint_eq(rows->call_count, TALLY_GOAL);
    ck_assert_uint_eq(rows->requests, SESSION);
    ck_assert_uint_eq(rows->client_count, 3);
    for (size_t i = 0; i < rows->call_count; i++) {
        const struct sampled_call *call = &rows->calls[i];
        char row[16];
        snprintf(row, sizeof row, "row%u", (unsigned)i);
        ck_assert_uint_eq(call->row_len, strlen(row));
        ck_assert_mem_eq(rows->arena + call->row, row, call->row_len);
        ck_assert_int_eq(call->method, CALL_GET);
    }
    /* About ten a second, beside the polls. */
    ck_assert_int_ge(clock_now().mono_ms - begun, (SESSION - 1) * SAMPLING_PAUSE_MS);
    /* The same turn again is no new session. */
    set_focus(1, true, 7, SERVER);
    await_kind(count_kind(MESSAGE_ROUND) + 3, MESSAGE_ROUND);
    ck_assert_uint_eq(asked(0, PAGE_RS_STATUS), SESSION);
    stop_collector();
}
END_TEST

static void
check_turn(uint32_t turn, const struct row_samples *rows, const char *error)
{
    ck_assert_uint_eq(rows->turn, turn);
    if (error == NULL) {
        ck_assert_ptr_null(rows->error);
        return;
    }
    ck_assert_ptr_nonnull(rows->error);
    ck_assert_msg(strstr(rows->error, error) != NULL, "%s", rows->error);
}

START_TEST(the_page_has_two_addresses)
{
    static const int statuses[] = {302, 404, 301, 307};

    for (size_t i = 0; i < 4; i++)
        servers[i].status[PAGE_RS_STATUS] = statuses[i];
    start(1);
    set_focus(4, true, 1, SERVER);
    await_rows(4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(asked(i, PAGE_RS_STATUS), 1);
        ck_assert_uint_eq(asked(i, PAGE_JSP), SESSION);
    }
    /* That is remembered. */
    set_focus(4, true, 2, SERVER);
    await_asked(0, PAGE_JSP, SESSION + 2);
    ck_assert_uint_eq(asked(0, PAGE_RS_STATUS), 1);
    stop_collector();
}
END_TEST

START_TEST(no_page_at_all)
{
    servers[0].status[PAGE_RS_STATUS] = servers[0].status[PAGE_JSP] = 404;
    servers[1].status[PAGE_RS_STATUS] = 401;
    servers[2].status[PAGE_RS_STATUS] = 500;
    start(1);
    set_focus(3, true, 1, SERVER);
    await_rows(3);
    for (size_t i = 0; i < message_count; i++) {
        const struct row_samples *rows = &messages[i]->rows;
        if (messages[i]->kind != MESSAGE_ROWS)
            continue;
        ck_assert_uint_eq(rows->call_count, 0);
        check_turn(1, rows, "HTTP status");
        ck_assert_uint_le(rows->requests, 2);
    }
    ck_assert_uint_eq(asked(0, PAGE_JSP), 1);
    ck_assert_uint_eq(asked(1, PAGE_JSP) + asked(2, PAGE_JSP), 0);
    /* The next turn looks again. */
    set_focus(1, true, 2, SERVER);
    await_rows(4);
    ck_assert_uint_eq(asked(0, PAGE_RS_STATUS), 2);
    stop_collector();
}
END_TEST

/* A circle of redirects, no JSON, no end, a byte now and then: told of, and no more is
 * asked than of a page that is not there. */
START_TEST(a_page_gone_mad)
{
    servers[0].status[PAGE_RS_STATUS] = servers[0].status[PAGE_JSP] = 302;
    servers[1].status[PAGE_RS_STATUS] = 203; /* "<html>" */
    servers[2].endless[PAGE_RS_STATUS] = true;
    servers[3].drips[PAGE_RS_STATUS] = true;
    config.poll.max_body = 64 * 1024;
    start(1);
    set_focus(4, true, 1, SERVER);
    await_rows(4);
    for (size_t i = 0; i < message_count; i++) {
        if (messages[i]->kind != MESSAGE_ROWS)
            continue;
        ck_assert_uint_eq(messages[i]->rows.call_count, 0);
        ck_assert_ptr_nonnull(messages[i]->rows.error);
        ck_assert_uint_le(messages[i]->rows.requests, SAMPLING_FAILURES_MAX);
    }
    ck_assert_uint_eq(asked(0, PAGE_RS_STATUS), 1);
    ck_assert_uint_eq(asked(0, PAGE_JSP), 1);
    stop_collector();
}
END_TEST

START_TEST(a_page_that_hangs)
{
    servers[0].hangs[PAGE_RS_STATUS] = true;
    start(1);
    set_focus(1, true, 1, SERVER);
    const struct row_samples *rows = await_rows(1);
    check_turn(1, rows, "no answer");
    ck_assert_uint_eq(rows->requests, SAMPLING_FAILURES_MAX);
    stop_collector();
}
END_TEST

START_TEST(the_focus_changes_during_a_session)
{
    servers[0].one_row = true; /* never enough */
    start(1);
    set_focus(1, true, 1, SERVER);
    await_asked(0, PAGE_RS_STATUS, 3);
    set_focus(0, true, 1, SERVER);
    const struct row_samples *rows = await_rows(1);
    check_turn(1, rows, "no alert");
    ck_assert_uint_eq(rows->call_count, CALLS); /* the same ones each time */
    unsigned before = asked(0, PAGE_RS_STATUS);
    await_kind(count_kind(MESSAGE_ROUND) + 2, MESSAGE_ROUND);
    ck_assert_uint_eq(asked(0, PAGE_RS_STATUS), before);

    set_focus(1, true, 2, SERVER);
    await_asked(0, PAGE_RS_STATUS, before + 2);
    set_focus(1, false, 2, SERVER);
    check_turn(2, await_rows(2), "switched off");

    set_focus(1, true, 3, SERVER);
    await_asked(0, PAGE_RS_STATUS, asked(0, PAGE_RS_STATUS) + 2);
    set_focus(1, true, 1, "rs1,16020,1700000000002");
    check_turn(3, await_rows(3), "started anew");
    await_asked(0, PAGE_RS_STATUS, asked(0, PAGE_RS_STATUS) + 2);

    /* A new turn waits for the end of the one before. */
    set_focus(1, true, 2, "rs1,16020,1700000000002");
    await_asked(0, PAGE_RS_STATUS, asked(0, PAGE_RS_STATUS) + 2);
    ck_assert_uint_eq(count_kind(MESSAGE_ROWS), 3);
    servers[0].one_row = false;
    check_turn(1, await_rows(4), NULL);
    check_turn(2, await_rows(5), NULL);
    stop_collector();
}
END_TEST

/* With the clock in hand: a minute, whatever comes. */
START_TEST(a_session_ends_after_a_minute)
{
    struct focus_server server = {
        .url = xstrdup("http://127.0.0.1:1"), .server = xstrdup(SERVER), .turn = 5};
    struct context context = {.config = &config};
    struct moment now = clock_now();
    bool on_jsp = false;
    struct sampling *s = sampling_create(&context, &server, &on_jsp, now);

    ck_assert_int_eq(sampling_next_ms(s), now.mono_ms);
    now.mono_ms += SAMPLING_MS_MAX - 1;
    ck_assert(!sampling_is_over(s, now));
    now.mono_ms += 1;
    ck_assert(sampling_is_over(s, now));
    struct message *m = sampling_message(s, NULL, now);
    ck_assert_uint_eq(m->rows.turn, 5);
    ck_assert_ptr_null(m->rows.error);
    message_destroy(m);
    sampling_destroy(s);
    free(server.url);
    free(server.server);
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        a_session,
        the_page_has_two_addresses,
        no_page_at_all,
        a_page_gone_mad,
        a_page_that_hangs,
        the_focus_changes_during_a_session,
        a_session_ends_after_a_minute,
    };

    return run_details_tests("sampling", tests, sizeof tests / sizeof tests[0]);
}
