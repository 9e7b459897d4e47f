/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/sticky.h"

#include <string.h>

#include "common/alloc.h"
#include "config/load.h"
#include "daemon/exports.h"
#include "daemon/row_order.h"
#include "daemon/select.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/fixture.h"

/* ---- selection against sorting ---- */

static int
compare_numbers(const void *data, uint32_t a, uint32_t b)
{
    const uint32_t *values = data;

    if (values[a] != values[b])
        return values[a] < values[b] ? -1 : 1;
    return (a > b) - (a < b);
}

static bool
is_odd(const void *data, uint32_t row)
{
    return ((const uint32_t *)data)[row] % 2 == 1;
}

START_TEST(selection_is_a_prefix_of_the_sorted_rows)
{
    struct generator g = start_generator("selection");
    uint32_t values[300];

    for (int round = 0; round < 300; round++) {
        uint32_t n = (uint32_t)next_below(&g, 300), *rows, *all;
        for (uint32_t i = 0; i < n; i++)
            values[i] = (uint32_t)next_below(&g, 50);
        struct select_rule rule = {next_below(&g, 2) ? is_odd : NULL, compare_numbers,
                                   values};
        size_t k = next_below(&g, 320), wanted, everything;
        size_t count = select_rows(&rule, n, k, &rows, &wanted);
        size_t total = select_rows(&rule, n, n, &all, &everything);
        ck_assert_uint_eq(total, everything);
        ck_assert_uint_eq(wanted, everything);
        ck_assert_uint_eq(count, k < wanted ? k : wanted);
        for (size_t i = 1; i < total; i++)
            ck_assert_int_lt(compare_numbers(values, all[i - 1], all[i]), 0);
        for (size_t i = 0; i < count; i++)
            ck_assert_uint_eq(rows[i], all[i]);
        free(rows);
        free(all);
    }
}
END_TEST

/* ---- sticky sets ---- */

static struct region_id
identity(const void *data, uint32_t row)
{
    (void)data;
    return (struct region_id){7, row * 31 % 1009};
}

/* Rows 0 .. n-1 by rank: order[0] is the first. */
static void
update(struct sticky *t, const uint32_t *order, size_t n, size_t k, size_t max,
       const uint32_t *hot, size_t hot_count, int64_t mono_ms)
{
    sticky_update(t, &(struct sticky_input){
                         .row_count = (uint32_t)n,
                         .key = identity,
                         .top = order,
                         .top_count = n < 2 * k ? n : 2 * k,
                         .enter = k,
                         .hot = hot,
                         .hot_count = hot_count,
                         .max = max,
                         .mono_ms = mono_ms,
                     });
}

static bool
has_row(const struct sticky *t, uint32_t row)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->items[i].row == row)
            return true;
    return false;
}

START_TEST(enters_within_k_and_leaves_below_2k_for_an_hour)
{
    static const uint32_t first[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint32_t third[] = {1, 2, 0, 3, 4, 5, 6, 7}; /* 0 at rank 3 of K 2 */
    static const uint32_t last[] = {1, 2, 3, 4, 5, 6, 7, 0};
    struct sticky t;

    sticky_init(&t);
    update(&t, first, 8, 2, 100, NULL, 0, 0);
    ck_assert_uint_eq(t.count, 2);
    ck_assert(has_row(&t, 0) && has_row(&t, 1));
    update(&t, third, 8, 2, 100, NULL, 0, 1000);
    ck_assert_uint_eq(t.count, 3);
    ck_assert(has_row(&t, 0) && has_row(&t, 2) && !has_row(&t, 3));
    /* Within 2K it stays for ever. */
    update(&t, third, 8, 2, 100, NULL, 0, 10 * STICKY_STAY_MS);
    ck_assert(has_row(&t, 0));
    int64_t t0 = 11 * (int64_t)STICKY_STAY_MS;
    update(&t, last, 8, 2, 100, NULL, 0, t0);
    update(&t, last, 8, 2, 100, NULL, 0, t0 + STICKY_STAY_MS - 1);
    ck_assert(has_row(&t, 0));
    /* Back within 2K once: the hour begins anew. */
    update(&t, third, 8, 2, 100, NULL, 0, t0 + STICKY_STAY_MS);
    update(&t, last, 8, 2, 100, NULL, 0, t0 + STICKY_STAY_MS + 1);
    update(&t, last, 8, 2, 100, NULL, 0, t0 + 2 * STICKY_STAY_MS);
    ck_assert(has_row(&t, 0));
    update(&t, last, 8, 2, 100, NULL, 0, t0 + 2 * STICKY_STAY_MS + 1);
    ck_assert(!has_row(&t, 0));
    sticky_finish(&t);
}
END_TEST

START_TEST(what_is_gone_leaves_at_once)
{
    static const uint32_t order[] = {3, 2, 1, 0};
    static const uint32_t shorter[] = {2, 1, 0};
    struct sticky t;

    sticky_init(&t);
    update(&t, order, 4, 2, 100, NULL, 0, 0);
    ck_assert(has_row(&t, 3));
    update(&t, shorter, 3, 2, 100, NULL, 0, 1);
    ck_assert(!has_row(&t, 3));
    sticky_finish(&t);
}
END_TEST

START_TEST(hot_ones_displace_others)
{
    static const uint32_t order[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint32_t hot[] = {7, 6, 5, 4};
    struct sticky t;

    sticky_init(&t);
    update(&t, order, 8, 3, 3, NULL, 0, 0);
    update(&t, order, 8, 3, 3, hot, 1, 1);
    ck_assert(has_row(&t, 7) && !has_row(&t, 2)); /* the worst rank gave way */
    ck_assert_uint_eq(t.count, 3);
    /* More hot ones than places: the hottest. */
    update(&t, order, 8, 3, 3, hot, 3, 2);
    ck_assert(has_row(&t, 7) && has_row(&t, 6) && has_row(&t, 5));
    sticky_finish(&t);
}
END_TEST

START_TEST(never_above_the_maximum)
{
    struct generator g = start_generator("never_above_the_maximum");
    uint32_t order[60], hot[60];
    struct sticky t;

    sticky_init(&t);
    for (int round = 0; round < 2000; round++) {
        size_t n = next_below(&g, 60), hot_count = 0;
        for (uint32_t i = 0; i < n; i++)
            order[i] = i;
        for (size_t i = n; i > 1; i--) {
            size_t k = next_below(&g, i);
            uint32_t swap = order[i - 1];
            order[i - 1] = order[k];
            order[k] = swap;
        }
        size_t max = next_below(&g, 20);
        for (size_t i = 0; i < n && hot_count < max; i++)
            if (next_below(&g, 4) == 0)
                hot[hot_count++] = order[i];
        update(&t, order, n, next_below(&g, 10), max, hot, hot_count,
               (int64_t)round * 600000);
        ck_assert_uint_le(t.count, max);
        for (size_t i = 0; i < hot_count; i++)
            ck_assert(has_row(&t, hot[i]));
        for (size_t i = 1; i < t.count; i++)
            ck_assert_int_lt(region_id_compare(t.items[i - 1].key, t.items[i].key), 0);
    }
    sticky_finish(&t);
}
END_TEST

/* ---- what is exported ---- */

START_TEST(three_hundred_and_fifty_hot_regions)
{
    struct metrics_config config = {
        .export_top = 20, .export_max = 200, .export_tables = 200};
    struct exports x;
    struct fixture f;

    fixture_begin(&f);
    uint32_t table = fixture_table(&f, "t");
    uint32_t server = fixture_server(&f, "rs,1,2");
    for (unsigned i = 0; i < 400; i++) {
        fixture_region(&f, table, server, i, "", "", i, 0);
        f.s->regions[i].heat = i >= 50 ? HEAT_FIRING : HEAT_NORMAL;
    }
    exports_init(&x);
    exports_update(&x, f.s, &config);
    ck_assert_uint_eq(x.regions.count, 200);
    ck_assert_uint_eq(x.hot_left_out, 150);
    for (size_t i = 0; i < x.regions.count; i++)
        ck_assert_uint_ge(x.regions.items[i].row, 200);
    exports_finish(&x);
    fixture_finish(&f);
}
END_TEST

START_TEST(idle_regions_and_surplus_tables_have_no_series)
{
    struct metrics_config config = {
        .export_top = 3, .export_max = 200, .export_tables = 2};
    struct exports x;
    struct fixture f;

    fixture_begin(&f);
    uint32_t server = fixture_server(&f, "rs,1,2");
    for (unsigned i = 0; i < 5; i++) {
        char name[8];
        snprintf(name, sizeof name, "t%u", i);
        uint32_t table = fixture_table(&f, name);
        fixture_region(&f, table, server, i, "", "", i == 4 ? 10 : 0, 0);
    }
    fixture_sum(&f);
    exports_init(&x);
    exports_update(&x, f.s, &config);
    ck_assert_uint_eq(x.regions.count, 1);
    ck_assert_uint_eq(x.tables.count, 2);
    ck_assert_uint_eq(x.tables_left_out, 3);
    exports_finish(&x);
    fixture_finish(&f);
}
END_TEST

TEST_MAIN("sticky", selection_is_a_prefix_of_the_sorted_rows,
          enters_within_k_and_leaves_below_2k_for_an_hour, what_is_gone_leaves_at_once,
          hot_ones_displace_others, never_above_the_maximum,
          three_hundred_and_fifty_hot_regions,
          idle_regions_and_surplus_tables_have_no_series)
