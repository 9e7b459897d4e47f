/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/row_heat.h"

#include <math.h>
#include <string.h>

#include "tests/unit/common/harness.h"

static struct row_heat heat;
static struct table_facts *table;

static struct region_facts *
region(const char *start, const char *end)
{
    struct region_id id = {1, 2};

    return region_facts_create(id, table, 0, -1, start,
                               start == NULL ? 0 : strlen(start), end,
                               end == NULL ? 0 : strlen(end));
}

static void
begin(void)
{
    heat = (struct row_heat){0};
    table = table_facts_create("t");
}

static void
finish(void)
{
    row_heat_finish(&heat);
    table_facts_unref(table);
}

static void
add(const char *row, const char *client, int64_t mono_ms)
{
    row_heat_add(&heat, false, row, strlen(row), client, mono_ms);
}

static void
add_number(unsigned number, int64_t mono_ms)
{
    char row[32];

    snprintf(row, sizeof row, "row%06u", number);
    add(row, NULL, mono_ms);
}

START_TEST(frequent_strings_are_found)
{
    struct generator g = start_generator("frequent_strings_are_found");
    struct space_saving s = {0};
    uint64_t truth[8] = {0};

    for (int i = 0; i < 50000; i++) {
        char key[32];
        size_t heavy = next_below(&g, 16); /* eight strings have 1/16 each */
        int len = heavy < 8 ? snprintf(key, sizeof key, "heavy%zu", heavy)
                            : snprintf(key, sizeof key, "%" PRIx64, next_u64(&g));
        if (heavy < 8)
            truth[heavy]++;
        space_saving_add(&s, key, (size_t)len);
    }
    space_saving_sort(&s);
    ck_assert_uint_eq(s.used, SPACE_SAVING_COUNTERS);
    ck_assert_uint_eq(s.total, 50000);
    for (size_t i = 0; i < 8; i++) {
        const struct space_counter *c = &s.counters[i];
        ck_assert_uint_eq(c->len, 6);
        uint64_t t = truth[c->key[5] - '0'];
        ck_assert_uint_ge(c->count, t);
        ck_assert_uint_le(c->count - c->error, t);
    }
    space_saving_finish(&s);
    ck_assert_uint_eq(s.used, 0);
}
END_TEST

START_TEST(binary_and_empty_strings)
{
    struct space_saving s = {0};

    space_saving_add(&s, "", 0);
    space_saving_add(&s, "\0", 1);
    space_saving_add(&s, "\0\0", 2);
    space_saving_add(&s, "\0", 1);
    space_saving_sort(&s);
    ck_assert_uint_eq(s.used, 3);
    ck_assert_uint_eq(s.counters[0].len, 1);
    ck_assert_uint_eq(s.counters[0].count, 2);
    ck_assert_uint_eq(s.counters[1].len, 0);
    space_saving_finish(&s);
}
END_TEST

START_TEST(popular_row_and_clients)
{
    begin();
    for (unsigned i = 0; i < 100; i++) {
        if (i % 4 != 0)
            add("famous", "10.0.0.1", 1000);
        else
            add_number(i, 1000);
        row_heat_add(&heat, true, "", 0, "10.0.0.2", 1000);
    }
    row_heat_settle(&heat);
    ck_assert_uint_eq(row_heat_rows(&heat), 100); /* scans are no rows */
    ck_assert_uint_eq(heat.scans, 100);
    ck_assert_int_eq(memcmp(heat.rows.counters[0].key, "famous", 6), 0);
    ck_assert_double_eq_tol(row_heat_share(&heat.rows, 0), 0.75, 1e-9);
    ck_assert_str_eq((char *)heat.clients.counters[0].key, "10.0.0.2");
    ck_assert(!row_heat_rises(&heat));
    ck_assert_uint_eq(row_heat_since(&heat, 999), 100);
    ck_assert_uint_eq(row_heat_since(&heat, 1000), 0);
    finish();
}
END_TEST

START_TEST(rising_rows)
{
    struct generator g = start_generator("rising_rows");

    begin();
    for (unsigned i = 0; i < ROWS_TO_JUDGE - 1; i++)
        add_number(i, 1);
    row_heat_settle(&heat);
    ck_assert(!row_heat_rises(&heat));              /* too few */
    for (unsigned i = ROWS_TO_JUDGE; i < 1000; i++) /* the ring turns */
        add_number(i * 10 + (unsigned)next_below(&g, 100), 1);
    row_heat_settle(&heat);
    ck_assert(row_heat_rises(&heat));
    ck_assert_uint_eq(row_heat_since(&heat, 0), ROW_SAMPLES_MAX);
    row_heat_finish(&heat);
    for (unsigned i = 0; i < 300; i++)
        add_number((unsigned)next_below(&g, 1000000), 1);
    row_heat_settle(&heat);
    ck_assert(!row_heat_rises(&heat));
    ck_assert_double_lt(fabs(heat.tau), 0.3);
    row_heat_finish(&heat);
    for (unsigned i = 0; i < 300; i++)
        add_number(1000 - i, 1); /* falls */
    row_heat_settle(&heat);
    ck_assert(!row_heat_rises(&heat));
    finish();
}
END_TEST

START_TEST(split_key_lies_in_the_middle_of_the_load)
{
    struct generator g = start_generator("split_key");

    for (int turn = 0; turn < 200; turn++) {
        begin();
        /* A hot range of random place and width, uniform inside. */
        unsigned width = 100 + (unsigned)next_below(&g, 100000);
        unsigned base = (unsigned)next_below(&g, 800000);
        char start[32], end[32], low[32], high[32];
        struct buf key;
        snprintf(start, sizeof start, "row%06u", base);
        snprintf(end, sizeof end, "row%06u", base + width);
        snprintf(low, sizeof low, "row%06u", base + width / 4);
        snprintf(high, sizeof high, "row%06u", base + width - width / 4 + 1);
        for (unsigned i = 0; i < 200; i++)
            add_number(base + (unsigned)next_below(&g, width), 1);
        struct region_facts *f = region(start, end);
        buf_init(&key, 0);
        ck_assert(row_heat_split_key(&heat, f, &key));
        ck_assert(row_is_split_point(f, key.data, key.len));
        ck_assert_str_gt(key.data, low);
        ck_assert_str_lt(key.data, high);
        ck_assert_uint_le(key.len, 9);
        region_facts_unref(f);
        buf_finish(&key);
        finish();
    }
}
END_TEST

START_TEST(split_key_needs_a_legal_place)
{
    struct buf key;

    begin();
    buf_init(&key, 0);
    struct region_facts *unknown = region(NULL, NULL), *half = region("a", NULL),
                        *whole = region("", ""), *elsewhere = region("x", "y");
    for (unsigned i = 0; i < 50; i++)
        add("same", NULL, 1);
    ck_assert(!row_heat_split_key(&heat, whole, &key)); /* one row */
    for (unsigned i = 0; i < 50; i++)
        add_number(i, 1);
    ck_assert(row_heat_split_key(&heat, whole, &key));
    ck_assert_str_eq(key.data, "s"); /* between row000049 and same */
    ck_assert(!row_heat_split_key(&heat, unknown, &key));
    ck_assert(!row_heat_split_key(&heat, half, &key));
    ck_assert(!row_heat_split_key(&heat, elsewhere, &key));
    ck_assert(!row_is_split_point(elsewhere, "x", 1)); /* the start itself */
    ck_assert(row_is_split_point(elsewhere, "x\0", 2));
    ck_assert(!row_is_split_point(elsewhere, "y", 1));
    ck_assert(!row_is_split_point(half, "b", 1));
    ck_assert(!row_is_split_point(whole, "", 0));
    region_facts_unref(unknown);
    region_facts_unref(half);
    region_facts_unref(whole);
    region_facts_unref(elsewhere);
    buf_finish(&key);
    finish();
}
END_TEST

TEST_MAIN("row_heat", frequent_strings_are_found, binary_and_empty_strings,
          popular_row_and_clients, rising_rows,
          split_key_lies_in_the_middle_of_the_load, split_key_needs_a_legal_place)
