/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and the names of their enums. */
#include "collectors/sample.h"

#include <math.h>

#include "common/alloc.h"
#include "parse_support.h"

START_TEST(names)
{
    ck_assert_str_eq(poll_outcome_name(POLL_OK), "ok");
    ck_assert_str_eq(poll_outcome_name(POLL_HTTP_STATUS), "http_status");
    ck_assert_str_eq(poll_outcome_name(POLL_BAD_RESPONSE), "bad_response");
    ck_assert_str_eq(signal_name(SIGNAL_ACTIVE_HANDLERS), "activeHandlers");
    ck_assert_str_eq(signal_name(SIGNAL_GC_MS), "gcMs");
    ck_assert_str_eq(listing_source_name(LISTING_API), "api");
    ck_assert_str_eq(listing_source_name(LISTING_COMMAND), "command");
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(signal_name(i), signal_name(k));
    }
}
END_TEST

START_TEST(fresh_messages_know_nothing)
{
    struct message *m = message_create(MESSAGE_POLL);
    ck_assert_int_eq(m->kind, MESSAGE_POLL);
    ck_assert_int_eq(m->poll.server_time_ms, -1);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        ck_assert(isnan(m->poll.signals[i]));
    message_destroy(m);
    m = message_create(MESSAGE_CLUSTER);
    ck_assert(isnan(m->cluster.region_count) &&
              isnan(m->cluster.regions_in_transition));
    message_destroy(m);
    m = message_create(MESSAGE_LISTING);
    ck_assert_int_eq(m->listing.as_of_ms, -1);
    message_destroy(m);
}
END_TEST

static char **
two_strings(size_t *ret_count)
{
    char **strings = xcalloc(2, sizeof(char *));

    strings[0] = xstrdup("one");
    strings[1] = xstrdup("two");
    *ret_count = 2;
    return strings;
}

/* LeakSanitizer is the judge. */
START_TEST(destroy_frees_all)
{
    struct message *m = message_create(MESSAGE_POLL);
    m->poll.url = xstrdup("u");
    m->poll.server = xstrdup("s");
    m->poll.error = xstrdup("e");
    m->poll.tables = two_strings(&m->poll.table_count);
    m->poll.regions = xcalloc(3, sizeof(*m->poll.regions));
    ck_assert_ptr_null(message_destroy(m));

    m = message_create(MESSAGE_CLUSTER);
    m->cluster.url = xstrdup("u");
    m->cluster.master = xstrdup("m");
    m->cluster.cluster_id = xstrdup("c");
    m->cluster.live = two_strings(&m->cluster.live_count);
    m->cluster.dead = two_strings(&m->cluster.dead_count);
    message_destroy(m);

    m = message_create(MESSAGE_LISTING);
    m->listing.tables = two_strings(&m->listing.table_count);
    m->listing.servers = two_strings(&m->listing.server_count);
    m->listing.rows = xcalloc(3, sizeof(*m->listing.rows));
    m->listing.arena = xstrdup("keys");
    message_destroy(m);

    m = message_create(MESSAGE_SOURCE);
    m->report.source = xstrdup("f");
    m->report.error = xstrdup("e");
    message_destroy(m);

    m = message_create(MESSAGE_TARGETS);
    m->targets.urls = two_strings(&m->targets.count);
    message_destroy(m);

    message_destroy(message_create(MESSAGE_ROUND));
    ck_assert_ptr_null(message_destroy(NULL));
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("sample");
    TCase *c = tcase_create("all");

    tcase_add_test(c, names);
    tcase_add_test(c, fresh_messages_know_nothing);
    tcase_add_test(c, destroy_frees_all);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
