/* SPDX-License-Identifier: Apache-2.0 */
/* Classes, evidence, commands and the focus, through the engine. */
#include <math.h>
#include <string.h>

#include "analysis/explain.h"
#include "lab.h"
#include "tests/unit/common/harness.h"

static struct lab lab;

/* Ten regions with keys, the one at `hot` taking `read` and `write` a second. */
static void
table_of_ten(int hot, double read, double write)
{
    lab_even_table(&lab, 50, 1);
    lab_even_keys(&lab);
    lab.regions[hot].read_rate = read;
    lab.regions[hot].write_rate = write;
    lab_list(&lab);
}

static const struct explanation *
why(int region)
{
    const struct alert *a = lab_alert(&lab, region);

    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_nonnull(a->why);
    return a->why;
}

static const char *
server_of(int region)
{
    return lab.servers[lab.regions[region].server];
}

/* A detail: so many gets and scanner calls since the region opened. */
static void
tell_calls(int region, uint64_t gets, uint64_t scans)
{
    struct message *m = message_create(MESSAGE_DETAIL);
    struct server_detail *d = &m->detail;

    d->url = strdup("http://x");
    d->server = strdup(server_of(region));
    d->received = lab.now;
    d->handlers = 30;
    d->memstore_limit_bytes = 400 << 20;
    d->operations = calloc(1, sizeof *d->operations);
    d->operation_count = 1;
    d->operations[0] = (struct operation_sample){
        .id = lab_id(region),
        .read = (uint64_t)lab.regions[region].read,
        .write = (uint64_t)lab.regions[region].write,
        .gets = gets,
        .scans = scans,
    };
    engine_apply_detail(lab.engine, d);
    message_destroy(m);
}

/* A session: rows "prefix" + number, as many as there are numbers. */
static void
tell_rows(int region, const char *prefix, const unsigned *numbers, size_t count,
          enum call_method method)
{
    struct message *m = message_create(MESSAGE_ROWS);
    struct row_samples *s = &m->rows;
    size_t size = strlen(prefix) + 12;

    s->url = strdup("http://x");
    s->server = strdup(server_of(region));
    s->received = lab.now;
    s->calls = calloc(count, sizeof *s->calls);
    s->call_count = count;
    s->clients = calloc(2, sizeof *s->clients);
    s->clients[0] = strdup("10.0.0.7");
    s->clients[1] = strdup("10.0.0.8");
    s->client_count = 2;
    s->arena = calloc(count, size);
    for (size_t i = 0; i < count; i++) {
        int len = snprintf(s->arena + s->arena_len, size, "%s%06u", prefix, numbers[i]);
        s->calls[i] = (struct sampled_call){lab_id(region), (uint32_t)s->arena_len,
                                            (uint32_t)len, i % 4 == 0, (uint8_t)method};
        s->arena_len += (size_t)len;
    }
    engine_apply_rows(lab.engine, s);
    message_destroy(m);
}

static bool
has_command(const struct explanation *x, const char *command)
{
    for (size_t i = 0; i < x->command_count; i++)
        if (strcmp(x->commands[i].command, command) == 0)
            return true;
    return false;
}

static char text[200];

static const char *
split_of(int region)
{
    char id[REGION_ID_TEXT_SIZE];

    snprintf(text, sizeof text, "split '%s'", region_id_text(lab_id(region), id));
    return text;
}

START_TEST(scan_by_rows_a_call)
{
    table_of_ten(4, 30000, 0);
    lab_tick(&lab, 3);
    tell_calls(4, 100, 1000);
    lab_tick(&lab, 1); /* 900,000 rows by 1,500 calls */
    tell_calls(4, 400, 2200);
    lab_tick(&lab, 4);
    const struct explanation *x = why(4);
    ck_assert_int_eq(x->heat_class, CLASS_SCAN);
    ck_assert_str_eq(x->evidence, "A call reads 600 rows on average: 29,990 rows/s by "
                                  "40 scan calls/s and 10 gets/s.");
    ck_assert(has_command(x, split_of(4)));
    ck_assert_uint_eq(lab_alert(&lab, 4)->handlers, 30);
    ck_assert_int_eq(lab_alert(&lab, 4)->server_memstore_limit_bytes, 400 << 20);
    lab_finish(&lab);
}
END_TEST

START_TEST(gets_are_no_scan)
{
    table_of_ten(4, 30000, 0);
    lab_tick(&lab, 3);
    tell_calls(4, 0, 1000);
    lab_tick(&lab, 1);
    tell_calls(4, 900000 / 99 + 1, 1000); /* a row each, and no call of a scanner */
    lab_tick(&lab, 4);
    ck_assert_int_eq(why(4)->heat_class, CLASS_UNKNOWN);
    lab_finish(&lab);
}
END_TEST

/* A call that counts in a row reads it and writes it, and is neither get nor scan. */
START_TEST(counting_is_no_scan)
{
    table_of_ten(4, 2100, 2000);
    lab_tick(&lab, 3);
    tell_calls(4, 10, 100);
    lab_tick(&lab, 1);
    tell_calls(4, 20, 101);
    lab_tick(&lab, 4);
    ck_assert_int_eq(why(4)->heat_class, CLASS_SCAN); /* 2,990 rows by eleven calls */
    lab_finish(&lab);
    table_of_ten(4, 2001, 2000);
    lab_tick(&lab, 3);
    tell_calls(4, 10, 100);
    lab_tick(&lab, 1);
    tell_calls(4, 20, 101);
    lab_tick(&lab, 4);
    ck_assert_int_eq(why(4)->heat_class, CLASS_UNKNOWN); /* 20 rows */
    lab_finish(&lab);
}
END_TEST

START_TEST(calls_of_another_start_are_no_pair)
{
    table_of_ten(4, 30000, 0);
    lab_tick(&lab, 3);
    tell_calls(4, 0, 1000);
    lab_restart(&lab, lab.regions[4].server, 1900000000000);
    lab_tick(&lab, 3);
    tell_calls(4, 0, 1010);
    lab_tick(&lab, 4);
    ck_assert_int_eq(why(4)->heat_class, CLASS_UNKNOWN);
    lab_finish(&lab);
}
END_TEST

START_TEST(sequential_writes_to_the_last_region)
{
    table_of_ten(9, 0, 5000);
    lab_tick(&lab, 6);
    const struct explanation *x = why(9);
    ck_assert_int_eq(x->heat_class, CLASS_SEQUENTIAL);
    ck_assert_str_eq(x->evidence,
                     "5,000 writes/s go to the last region of the table by key.");
    ck_assert_ptr_nonnull(strstr(x->advice, "a salt or hash"));
    for (size_t i = 0; i < x->command_count; i++) /* a split does not help */
        ck_assert_ptr_null(strstr(x->commands[i].command, "split "));
    ck_assert_uint_eq(x->command_count, 1);
    ck_assert_ptr_nonnull(
        strstr(x->commands[0].command, "create 'orders_salted', 'cf', SPLITS => ["));
    lab_finish(&lab);
}
END_TEST

START_TEST(reads_of_the_last_region_are_not_sequential)
{
    table_of_ten(9, 5000, 100);
    lab_tick(&lab, 6);
    ck_assert_int_eq(why(9)->heat_class, CLASS_UNKNOWN);
    lab_finish(&lab);
}
END_TEST

static unsigned numbers[200];

START_TEST(popular_row)
{
    table_of_ten(4, 5000, 0);
    lab.config.detection.rule.row_sampling = true;
    lab_tick(&lab, 3);
    for (unsigned i = 0; i < 40; i++)
        numbers[i] = i % 5 == 0 ? i : 777;
    tell_rows(4, "45", numbers, 40, CALL_GET);
    lab_tick(&lab, 3);
    const struct explanation *x = why(4);
    ck_assert_int_eq(x->heat_class, CLASS_POPULAR_KEY);
    ck_assert_str_eq(x->evidence,
                     "80 % of the 40 sampled rows are one and the same row.");
    ck_assert_uint_eq(x->samples, 40);
    ck_assert_uint_eq(x->row_count, EXPLAIN_ROWS);
    ck_assert_uint_eq(x->rows[0].row_len, 8);
    ck_assert_int_eq(memcmp(x->rows[0].row, "45000777", 8), 0);
    ck_assert_double_eq_tol(x->rows[0].share, 0.8, 1e-9);
    ck_assert_uint_eq(x->client_count, 2);
    ck_assert_str_eq(x->clients[0].address, "10.0.0.7");
    ck_assert_double_eq_tol(x->clients[0].share, 0.75, 1e-9);
    ck_assert(has_command(x, "split 'orders', \"45000777\""));
    ck_assert(has_command(x, "split 'orders', \"45000777\\x00\""));
    ck_assert_ptr_null(strstr(x->advice, "45000777"));
    lab_finish(&lab);
}
END_TEST

START_TEST(popular_range_and_its_middle)
{
    struct generator g = start_generator("popular_range");

    table_of_ten(4, 5000, 0);
    lab.config.detection.rule.row_sampling = true;
    lab_tick(&lab, 3);
    for (unsigned i = 0; i < 120; i++)
        numbers[i] = 300000 + (unsigned)next_below(&g, 100000);
    tell_rows(4, "4", numbers, 120, CALL_GET);
    lab_tick(&lab, 3);
    const struct explanation *x = why(4);
    ck_assert_int_eq(x->heat_class, CLASS_POPULAR_RANGE);
    ck_assert_ptr_nonnull(x->split_key);
    ck_assert_int_ge(memcmp(x->split_key, "4325", 4), 0); /* the middle half */
    ck_assert_int_lt(memcmp(x->split_key, "4375", 4), 0);
    snprintf(text, sizeof text, "split 'orders', \"%.*s\"", (int)x->split_key_len,
             (const char *)x->split_key);
    ck_assert(has_command(x, text));
    ck_assert(!x->rows_rise);
    lab_finish(&lab);
}
END_TEST

START_TEST(rows_tell_whether_the_end_is_sequential)
{
    struct generator g = start_generator("end_of_table");

    table_of_ten(9, 0, 5000);
    lab.config.detection.rule.row_sampling = true;
    lab_tick(&lab, 3);
    for (unsigned i = 0; i < 64; i++)
        numbers[i] = (unsigned)next_below(&g, 1000000);
    tell_rows(9, "95", numbers, 64, CALL_MUTATE);
    lab_tick(&lab, 4);
    ck_assert_int_eq(why(9)->heat_class, CLASS_POPULAR_RANGE);
    lab_finish(&lab);

    table_of_ten(3, 0, 5000); /* rises in the middle of the table */
    lab.config.detection.rule.row_sampling = true;
    lab_tick(&lab, 3);
    for (unsigned i = 0; i < 64; i++)
        numbers[i] = 1000 * i;
    tell_rows(3, "35", numbers, 64, CALL_MUTATE);
    lab_tick(&lab, 3);
    ck_assert_int_eq(why(3)->heat_class, CLASS_SEQUENTIAL);
    ck_assert(why(3)->rows_rise);
    ck_assert_str_eq(
        why(3)->evidence,
        "5,000 writes/s go to one place. The keys of the 64 sampled rows rise "
        "with time.");
    lab_finish(&lab);
}
END_TEST

START_TEST(rows_without_leave_are_dropped)
{
    table_of_ten(4, 5000, 0);
    lab_tick(&lab, 3);
    for (unsigned i = 0; i < 64; i++)
        numbers[i] = 7;
    tell_rows(4, "45", numbers, 64, CALL_GET);
    lab_tick(&lab, 3);
    ck_assert_int_eq(why(4)->heat_class, CLASS_UNKNOWN);
    ck_assert_uint_eq(why(4)->samples, 0);
    ck_assert_uint_eq(why(4)->row_count, 0);
    lab_finish(&lab);
}
END_TEST

START_TEST(keys_not_known_give_no_split_key)
{
    lab_even_table(&lab, 50, 100);
    lab.config.detection.rule.row_sampling = true;
    lab_tick(&lab, 3);
    for (unsigned i = 0; i < 64; i++)
        numbers[i] = i * 7919 % 64;
    tell_rows(4, "45", numbers, 64, CALL_GET);
    lab_tick(&lab, 3);
    const struct explanation *x = why(4);
    ck_assert_int_eq(x->heat_class, CLASS_POPULAR_RANGE);
    ck_assert_ptr_null(x->split_key);
    ck_assert(has_command(x, split_of(4)));
    lab_finish(&lab);
}
END_TEST

START_TEST(unsplit_tables)
{
    lab_init(&lab, 3);
    int single = lab_region(&lab, "one", 0, 9000, 0);
    for (int i = 0; i < 12; i++)
        lab_region(&lab, "other", i % 3, 30, 0);
    lab_start(&lab);
    lab_tick(&lab, 6);
    const struct explanation *x = why(single);
    ck_assert_int_eq(x->heat_class, CLASS_UNSPLIT_TABLE);
    ck_assert_str_eq(x->evidence,
                     "The table has one region only; the cluster has 3 live servers.");
    ck_assert(has_command(x, split_of(single)));
    lab_finish(&lab);
}
END_TEST

START_TEST(meta)
{
    lab_init(&lab, 3);
    int m = lab_region(&lab, "hbase:meta", 0, 20000, 0);
    lab_start(&lab);
    lab_tick(&lab, 6);
    ck_assert_int_eq(why(m)->heat_class, CLASS_META);
    ck_assert_uint_eq(why(m)->command_count, 0);
    lab_finish(&lab);
}
END_TEST

START_TEST(others_of_the_server_are_hot_too)
{
    lab_init(&lab, 3);
    for (int i = 0; i < 30; i++)
        lab_region(&lab, "orders", i % 3, 50, 0);
    for (int i = 0; i < 30; i++)
        lab_region(&lab, "users", i % 3, i % 3 == 1 ? 120 : 30, 0);
    lab.regions[4].read_rate = 900;
    lab_start(&lab);
    lab_tick(&lab, 6);
    const struct explanation *x = why(4);
    ck_assert_int_eq(x->heat_class, CLASS_SERVER_WIDE);
    ck_assert_ptr_nonnull(
        strstr(x->evidence, "19 regions without an alert on rs2:16020 take "));
    ck_assert(has_command(x, "balancer"));
    char id[REGION_ID_TEXT_SIZE];
    snprintf(text, sizeof text, "move '%s', '%s'", region_id_text(lab_id(4), id),
             lab.servers[0]);
    ck_assert(has_command(x, text));
    lab_finish(&lab);
}
END_TEST

START_TEST(a_class_does_not_flap)
{
    table_of_ten(9, 0, 5000);
    lab_tick(&lab, 6);
    ck_assert_int_eq(why(9)->heat_class, CLASS_SEQUENTIAL);
    char *evidence = strdup(why(9)->evidence);
    for (int i = 0; i < 6; i++) { /* now reads, now writes */
        lab.regions[9].read_rate = i % 2 == 0 ? 40000 : 0;
        lab_tick(&lab, 1);
        ck_assert_int_eq(why(9)->heat_class, CLASS_SEQUENTIAL);
    }
    lab.regions[9].read_rate = 40000; /* unknown never replaces what was known */
    lab_tick(&lab, 8);
    ck_assert_int_eq(why(9)->heat_class, CLASS_SEQUENTIAL);
    ck_assert_ptr_nonnull(strstr(why(9)->evidence, "writes/s"));
    tell_calls(9, 0, 1);
    lab_tick(&lab, 1);
    tell_calls(9, 0, 300);
    lab_tick(&lab, 2);
    ck_assert_int_eq(why(9)->heat_class, CLASS_SEQUENTIAL);
    lab_tick(&lab, 1);
    ck_assert_int_eq(why(9)->heat_class, CLASS_SCAN);
    free(evidence);
    lab_finish(&lab);
}
END_TEST

/* ---- the focus ---- */

START_TEST(focus_follows_alerts)
{
    table_of_ten(4, 5000, 0);
    lab_tick(&lab, 1);
    struct focus *f = engine_focus(lab.engine);
    ck_assert_uint_eq(f->count, 0);
    focus_destroy(f);
    lab_tick(&lab, 2);
    f = engine_focus(lab.engine);
    ck_assert_uint_eq(f->count, 1);
    ck_assert_str_eq(f->servers[0].server, server_of(4));
    ck_assert_ptr_nonnull(f->servers[0].url);
    ck_assert_uint_eq(f->servers[0].region_count, 1);
    ck_assert(region_id_equal(f->servers[0].regions[0], lab_id(4)));
    ck_assert(!f->servers[0].sample_rows); /* off by default */
    focus_destroy(f);
    lab.regions[4].read_rate = 50;
    lab_tick(&lab, 30);
    f = engine_focus(lab.engine);
    ck_assert_uint_eq(f->count, 0);
    focus_destroy(f);
    lab_finish(&lab);
}
END_TEST

static uint32_t
turn_now(void)
{
    struct focus *f = engine_focus(lab.engine);
    uint32_t turn = f->count == 1 && f->servers[0].sample_rows ? f->servers[0].turn : 0;

    focus_destroy(f);
    return turn;
}

static void
tell_different_rows(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        numbers[i] = i;
    tell_rows(4, "4", numbers, count, CALL_GET);
}

START_TEST(sampling_takes_turns)
{
    table_of_ten(4, 5000, 0);
    lab.config.detection.rule.row_sampling = true;
    lab_tick(&lab, 3);
    ck_assert_uint_eq(turn_now(), 1);
    tell_different_rows(ROWS_TO_JUDGE);
    lab_tick(&lab, 18); /* not before ten minutes are over */
    ck_assert_uint_eq(turn_now(), 1);
    lab_tick(&lab, 2);
    ck_assert_uint_eq(turn_now(), 2);
    lab_tick(&lab, 1);
    tell_different_rows(64);
    lab_tick(&lab, 18); /* 64 samples are younger than ten minutes */
    ck_assert_uint_eq(turn_now(), 2);
    lab_tick(&lab, 3);
    ck_assert_uint_eq(turn_now(), 3);
    lab_finish(&lab);
}
END_TEST

START_TEST(too_few_rows_are_sampled_again_soon)
{
    table_of_ten(4, 5000, 0);
    lab.config.detection.rule.row_sampling = true;
    lab_tick(&lab, 3);
    ck_assert_uint_eq(turn_now(), 1);
    tell_different_rows(ROWS_TO_JUDGE - 1);
    lab_tick(&lab, 2);
    ck_assert_uint_eq(turn_now(), 1);
    lab_tick(&lab, 2);
    ck_assert_uint_eq(turn_now(), 2);
    tell_different_rows(1);
    lab_tick(&lab, 16);
    ck_assert_uint_eq(turn_now(), 2);
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("explain", scan_by_rows_a_call, gets_are_no_scan, counting_is_no_scan,
          calls_of_another_start_are_no_pair, sequential_writes_to_the_last_region,
          reads_of_the_last_region_are_not_sequential, popular_row,
          popular_range_and_its_middle, rows_tell_whether_the_end_is_sequential,
          rows_without_leave_are_dropped, keys_not_known_give_no_split_key,
          unsplit_tables, meta, others_of_the_server_are_hot_too, a_class_does_not_flap,
          focus_follows_alerts, sampling_takes_turns,
          too_few_rows_are_sampled_again_soon)
