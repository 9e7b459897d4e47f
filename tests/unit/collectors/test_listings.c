/* SPDX-License-Identifier: Apache-2.0 */
/* Listings from files and commands with the whole collector. */
#include "tests/unit/common/harness.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "collectors/live_servers.h"
#include "tests/unit/collectors/collector_support.h"
#include "tests/unit/temp_dir.h"

enum { ROWS = 52 };
static char capture[512]; /* a list_regions text of so many regions */
static char *argv_items[8];

static void
setup(void)
{
    config_reset();
    config.poll.interval_ms = QUICK_MS;
    config.topology.source = TOPOLOGY_TEXT;
    config.topology.command.items = argv_items;
}

static void
teardown(void)
{
    if (collector != NULL)
        stop_collector();
    temp_dir_clear();
}

static void
set_command(const char *a, const char *b, const char *c, const char *d)
{
    const char *const items[] = {a, b, c, d};

    config.topology.command.count = 0;
    for (size_t i = 0; i < 4 && items[i] != NULL; i++)
        argv_items[config.topology.command.count++] = (char *)items[i];
}

static bool
is_listing_from(const struct message *m, const void *source)
{
    return m->kind == MESSAGE_LISTING &&
           m->listing.source == *(const enum listing_source *)source;
}

static const enum listing_source from_file = LISTING_FILE;
static const enum listing_source from_command = LISTING_COMMAND;

static char *
read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    struct buf b;
    int c;

    ck_assert_msg(f != NULL, "%s", path);
    buf_init(&b, 0);
    while ((c = getc(f)) != EOF)
        buf_addc(&b, (char)c);
    fclose(f);
    return buf_steal(&b, NULL);
}

START_TEST(a_file_is_read_when_it_changes)
{
    char *text = read_file(capture);
    struct timespec times[2] = {{.tv_sec = 1796070000}, {.tv_sec = 1796070000}};

    config.topology.file = (char *)temp_path("regions.txt");
    start_collector();
    const struct message *m = await(1, is_failure_with, "regions.txt", "a failure");
    ck_assert_str_eq(m->report.source, config.topology.file);
    temp_file("beside-regions", text);
    ck_assert_int_eq(utimensat(AT_FDCWD, temp_path("beside-regions"), times, 0), 0);
    rename(temp_path("beside-regions"), config.topology.file);
    const struct listing *l = &await(1, is_listing_from, &from_file, "it")->listing;
    ck_assert_uint_eq(l->row_count, ROWS);
    ck_assert(!l->whole_cluster);
    ck_assert_int_eq(l->as_of_ms, 1796070000000);
    ck_assert_int_le(llabs(l->received.mono_ms - clock_now().mono_ms), 1000);
    /* Not read again as it is; a bad one replaces nothing and is said once. */
    temp_file("regions.txt",
              "Took 0.7 secondsERROR RuntimeError: Unknown table nosuch!\n");
    await(1, is_failure_with, "nosuch", "a failure");
    await_kind(count_kind(MESSAGE_ROUND) + 4, MESSAGE_ROUND);
    ck_assert_uint_eq(count_messages(is_failure_with, "nosuch"), 1);
    ck_assert_uint_eq(count_messages(is_listing_from, &from_file), 1);
    free(text);
}
END_TEST

START_TEST(a_file_being_written_is_left_alone)
{
    char *text = read_file(capture);
    size_t half = strlen(text) - 40; /* the footer is not there */
    FILE *f;

    config.topology.file = (char *)temp_path("regions.txt");
    f = fopen(config.topology.file, "w");
    fwrite(text, 1, half, f);
    fflush(f);
    start_collector();
    collect_for(300);
    ck_assert_uint_eq(count_kind(MESSAGE_LISTING), 0);
    ck_assert_uint_eq(count_messages(is_failure_with, ""), 0);
    fwrite(text + half, 1, strlen(text) - half, f);
    fclose(f);
    int64_t begun = clock_now().mono_ms;
    await(1, is_listing_from, &from_file, "the whole file");
    ck_assert_int_lt(clock_now().mono_ms - begun, 500); /* the footer is proof enough */
    ck_assert_uint_eq(count_messages(is_failure_with, ""), 0);
    free(text);
}
END_TEST

START_TEST(a_command_is_run_each_interval)
{
    config.topology.interval_ms = 100;
    set_command("/bin/cat", capture, NULL, NULL);
    int64_t begun = clock_now().wall_ms;
    start_collector();
    const struct listing *l = &await(3, is_listing_from, &from_command, "it")->listing;
    ck_assert_uint_eq(l->row_count, ROWS);
    ck_assert_int_ge(l->as_of_ms, begun + 150);
    ck_assert_int_le(l->as_of_ms, clock_now().wall_ms);
    ck_assert_uint_eq(count_messages(is_failure_with, ""), 0);
}
END_TEST

START_TEST(a_failed_command_says_why)
{
    set_command("/bin/sh", "-c", "cat '$0'; echo 'no ticket' >&2; exit 1", NULL);
    start_collector();
    const struct message *m = await(1, is_failure_with, "no ticket", "a failure");
    ck_assert_int_eq(m->report.outcome, POLL_BAD_RESPONSE);
    ck_assert_str_eq(m->report.source, "/bin/sh");
    ck_assert_uint_eq(count_kind(MESSAGE_LISTING), 0);
}
END_TEST

START_TEST(a_missing_command_is_named)
{
    set_command("/nonexistent/list-regions", NULL, NULL, NULL);
    start_collector();
    const struct message *m =
        await(1, is_failure_with, "cannot be started", "a failure");
    ck_assert_str_eq(m->report.source, "/nonexistent/list-regions");
}
END_TEST

START_TEST(a_hanging_command_is_ended)
{
    config.topology.timeout_ms = 100;
    set_command("/bin/sleep", "60", NULL, NULL);
    start_collector();
    const struct message *m = await(1, is_failure_with, "did not end", "a failure");
    ck_assert_int_eq(m->report.outcome, POLL_TIMEOUT);
}
END_TEST

START_TEST(tables_are_listed_when_asked_for)
{
    const char *const tables[] = {"--help", "ns:it;$(rm)", "two words",
                                  "a\nb",   "plain",       NULL};
    char script[900];

    snprintf(script, sizeof script, "printf '%%s\\n' \"$0\" >>'%s/log'; cat '%s'",
             temp_dir, capture);
    config.topology.interval_ms = QUICK_MS;
    set_command("/bin/sh", "-c", script, "table={table}");
    start_collector();
    await_kind(4, MESSAGE_ROUND);
    ck_assert_uint_eq(count_kind(MESSAGE_LISTING), 0); /* nobody asked */
    collector_want_listing(collector, true, tables);
    await(2, is_listing_from, &from_command, "two tables");
    await(1, is_failure_with, "'--help'", "the option refused");
    await(1, is_failure_with, "'a\\x0Ab'", "the control character refused");
    char *log = read_file(temp_path("log"));
    ck_assert_str_eq(log, "table=ns:it;$(rm)\ntable=plain\n");
    free(log);
    /* The next wish has to wait. */
    collector_want_listing(collector, true, tables);
    await_kind(count_kind(MESSAGE_ROUND) + 4, MESSAGE_ROUND);
    ck_assert_uint_eq(count_messages(is_listing_from, &from_command), 2);
}
END_TEST

static void
serve_master(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    atomic_uint *status = user;

    (void)head;
    if (strcmp(path, LIVE_SERVERS_PATH) != 0)
        answer_master(reply, path, "m1,16000,1", true, "rs1,16020,1", 1);
    else if (atomic_load(status) == 200)
        answer_live_servers(reply, "rs1,16020,1", 1);
    else
        stub_answer(reply, (int)atomic_load(status), "", "");
}

/* Runs with topology.source auto until a listing has come; returns its source. */
static enum listing_source
first_source(unsigned api_status)
{
    atomic_uint status = api_status;
    struct stub *stub = stub_create();

    config.poll.jmx = false;
    config.topology.source = TOPOLOGY_AUTO;
    config.topology.file = (char *)capture;
    set_command("/bin/cat", capture, NULL, NULL);
    add_master(stub_listen(stub, serve_master, &status));
    stub_start(stub);
    start_collector();
    await_kind(1, MESSAGE_LISTING);
    await_kind(count_kind(MESSAGE_ROUND) + 4, MESSAGE_ROUND);
    enum listing_source source = last_kind(MESSAGE_LISTING)->listing.source;
    if (api_status == 200) /* the texts are left alone meanwhile */
        ck_assert_uint_eq(count_kind(MESSAGE_LISTING), 1);
    stop_collector();
    stub_destroy(stub);
    return source;
}

START_TEST(auto_takes_the_api_while_it_works)
{
    ck_assert_int_eq(first_source(200), LISTING_API);
    config_reset();
    config.topology.command.items = argv_items;
    ck_assert_int_ne(first_source(404), LISTING_API);
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        a_file_is_read_when_it_changes,   a_file_being_written_is_left_alone,
        a_command_is_run_each_interval,   a_failed_command_says_why,
        a_missing_command_is_named,       a_hanging_command_is_ended,
        tables_are_listed_when_asked_for, auto_takes_the_api_while_it_works,
    };
    Suite *suite = suite_create("listings");
    TCase *tcase = tcase_create("listings");
    const char *data = getenv("TEST_DATA");

    if (data == NULL) {
        fprintf(stderr, "TEST_DATA is not set\n");
        return EXIT_FAILURE;
    }
    snprintf(capture, sizeof capture, "%s/captures/hbase-2.6.4/list_regions-a.txt",
             data);
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
