/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of pairs against a plain list. */
#include <math.h>
#include <string.h>

#include "analysis/window.h"
#include "tests/unit/common/harness.h"

enum { ALL = PAIR_READ | PAIR_WRITE, LIST_MAX = 4096 };

static struct pair
pair(int64_t end_ms, uint32_t dt_ms, uint8_t valid, uint64_t read, uint64_t write)
{
    return (struct pair){
        .end_ms = end_ms, .dt_ms = dt_ms, .valid = valid, .read = read, .write = write};
}

static void
push(struct window *w, struct pair p)
{
    window_push(w, &p);
}

START_TEST(oldest_are_overwritten_in_order)
{
    struct window *w = window_create(4);
    double rate[ACCESS_COUNT];

    /* Several rounds; each pair's delta is its number, so the sum tells which are in.
     */
    for (int i = 1; i <= 23; i++) {
        push(w, pair(i * 1000, 1000, ALL, (uint64_t)i, 0));
        int first = i < 4 ? 1 : i - 3;
        double sum = 0;
        for (int j = first; j <= i; j++)
            sum += j;
        ck_assert(window_rates(w, INT64_MIN, rate));
        ck_assert_double_eq_tol(rate[ACCESS_READ], sum / (i - first + 1), 1e-9);
        ck_assert_double_eq(rate[ACCESS_WRITE], 0);
        ck_assert_double_eq(rate[ACCESS_TOTAL], rate[ACCESS_READ]);
    }
    window_destroy(w);
}
END_TEST

START_TEST(room_is_at_least_what_was_asked)
{
    for (unsigned n = 1; n <= 70; n++) {
        struct window *w = window_create(n);
        double rate[ACCESS_COUNT];
        for (unsigned i = 0; i < n; i++)
            push(w, pair(1000 + i, 1, ALL, i == 0, 0));
        ck_assert(window_rates(w, INT64_MIN, rate)); /* the first is still there */
        ck_assert_uint_ge(window_bytes(w), n * sizeof(struct pair));
        window_destroy(w);
    }
    ck_assert_uint_eq(window_bytes(NULL), 0);
    ck_assert_ptr_null(window_destroy(NULL));
}
END_TEST

START_TEST(a_pair_counts_while_its_middle_is_inside)
{
    struct window *w = window_create(8);
    double rate[ACCESS_COUNT];

    push(w, pair(30000, 30000, ALL, 300, 0)); /* middle 15000 */
    push(w, pair(60000, 30000, ALL, 600, 0)); /* middle 45000 */
    window_rates(w, 14999, rate);
    ck_assert_double_eq_tol(rate[ACCESS_READ], 15, 1e-9);
    window_rates(w, 15000, rate);
    ck_assert_double_eq_tol(rate[ACCESS_READ], 20, 1e-9);
    window_rates(w, 999999, rate); /* the newest always counts */
    ck_assert_double_eq_tol(rate[ACCESS_READ], 20, 1e-9);
    window_destroy(w);
}
END_TEST

START_TEST(a_middle_out_of_order_hides_no_other)
{
    struct window *w = window_create(8);
    double rate[ACCESS_COUNT];

    push(w, pair(10000, 200, ALL, 10, 0));
    push(w, pair(10200, 10200, ALL, 20, 0)); /* middle 5100: out */
    push(w, pair(10400, 200, ALL, 30, 0));
    window_rates(w, 9000, rate);
    ck_assert_double_eq_tol(rate[ACCESS_READ], 40 / 0.4, 1e-9);
    window_destroy(w);
}
END_TEST

START_TEST(a_counter_that_fell_skips_its_pair)
{
    struct window *w = window_create(8);
    double rate[ACCESS_COUNT];

    push(w, pair(1000, 1000, ALL, 10, 100));
    push(w, pair(2000, 1000, PAIR_WRITE, 0, 200));
    window_rates(w, 0, rate);
    ck_assert_double_eq(rate[ACCESS_READ], 10);
    ck_assert_double_eq(rate[ACCESS_WRITE], 150);
    ck_assert_double_eq(rate[ACCESS_TOTAL], 160);
    window_rates(w, 1000, rate); /* only the second is inside */
    ck_assert(isnan(rate[ACCESS_READ]));
    ck_assert_double_eq(rate[ACCESS_WRITE], 200);
    ck_assert(isnan(rate[ACCESS_TOTAL]));

    struct pair last = pair(2000, 1000, PAIR_WRITE, 0, 200);
    pair_rates(&last, rate);
    ck_assert(isnan(rate[ACCESS_READ]) && isnan(rate[ACCESS_TOTAL]));
    window_newest(w, rate);
    ck_assert_double_eq(rate[ACCESS_READ], 10);
    ck_assert_double_eq(rate[ACCESS_WRITE], 200);
    ck_assert_double_eq(rate[ACCESS_TOTAL], 210);
    window_destroy(w);
}
END_TEST

START_TEST(the_total_of_its_own)
{
    struct pair p = {.end_ms = 500, .dt_ms = 500, .valid = PAIR_TOTAL, .total = 50};
    double rate[ACCESS_COUNT];

    pair_rates(&p, rate);
    ck_assert(isnan(rate[ACCESS_READ]) && isnan(rate[ACCESS_WRITE]));
    ck_assert_double_eq(rate[ACCESS_TOTAL], 100);
    struct window *w = window_create(2);
    push(w, p);
    ck_assert(window_rates(w, 0, rate));
    ck_assert_double_eq(rate[ACCESS_TOTAL], 100);
    window_newest(w, rate);
    ck_assert_double_eq(rate[ACCESS_TOTAL], 100);
    window_destroy(w);
}
END_TEST

START_TEST(only_zeros_left)
{
    struct window *w = window_create(4);
    double rate[ACCESS_COUNT];

    push(w, pair(1000, 1000, ALL, 5, 0));
    push(w, pair(2000, 1000, ALL, 0, 0));
    ck_assert(window_rates(w, 0, rate));
    ck_assert(!window_rates(w, 600, rate));
    ck_assert_double_eq(rate[ACCESS_TOTAL], 0);
    window_destroy(w);
}
END_TEST

START_TEST(growing_keeps_the_pairs_in_order)
{
    struct window *w = window_create(4);
    double rate[ACCESS_COUNT];

    for (int i = 1; i <= 6; i++) /* 3 4 5 6 are left */
        push(w, pair(i * 1000, 1000, ALL, (uint64_t)i, 0));
    ck_assert_ptr_eq(window_grow(w, 3), w);
    w = window_grow(w, 9);
    window_rates(w, INT64_MIN, rate);
    ck_assert_double_eq_tol(rate[ACCESS_READ], 4.5, 1e-9);
    for (int i = 7; i <= 14; i++)
        push(w, pair(i * 1000, 1000, ALL, (uint64_t)i, 0));
    window_rates(w, INT64_MIN, rate); /* 3 to 14 fit into 16 */
    ck_assert_double_eq_tol(rate[ACCESS_READ], 8.5, 1e-9);
    window_rates(w, 13400, rate);
    ck_assert_double_eq_tol(rate[ACCESS_READ], 14, 1e-9);
    window_destroy(w);
}
END_TEST

START_TEST(counters_at_their_largest)
{
    struct window *w = window_create(2);
    double rate[ACCESS_COUNT];

    push(w,
         (struct pair){INT64_MAX, UINT32_MAX, 7, UINT64_MAX, UINT64_MAX, UINT64_MAX});
    push(w,
         (struct pair){INT64_MAX, UINT32_MAX, 7, UINT64_MAX, UINT64_MAX, UINT64_MAX});
    ck_assert(window_rates(w, 0, rate));
    ck_assert_double_eq_tol(rate[ACCESS_READ], 18446744073709551615.0 / 4294967.295,
                            1e6);
    window_destroy(w);
}
END_TEST

/* ---- against a list ---- */

struct list {
    struct pair pairs[LIST_MAX]; /* oldest first */
    size_t count;
};

static double
list_rate(const struct list *l, size_t room, int64_t from, uint8_t bit)
{
    size_t oldest = l->count > room ? l->count - room : 0;
    double delta = 0, ms = 0;

    for (size_t i = oldest; i < l->count; i++) {
        const struct pair *p = &l->pairs[i];
        bool inside = p->end_ms - p->dt_ms / 2 > from || i == l->count - 1;
        if (!inside || !(p->valid & bit))
            continue;
        delta += (double)(bit == PAIR_READ ? p->read : p->write);
        ms += p->dt_ms;
    }
    return ms > 0 ? delta * 1000 / ms : NAN;
}

static void
same(double a, double b)
{
    if (isnan(b))
        ck_assert(isnan(a));
    else
        ck_assert_double_eq_tol(a, b, 1e-9 * (1 + fabs(b)));
}

START_TEST(as_a_plain_list)
{
    static struct list list;
    struct generator g = start_generator("as_a_plain_list");

    for (int round = 0; round < 60; round++) {
        unsigned room = 1u << next_below(&g, 8);
        struct window *w = window_create(room);
        int64_t now = 1000000;
        list.count = 0;
        for (size_t i = 0; i < room * 4 + 10; i++) {
            double rate[ACCESS_COUNT];
            now += 1 + (int64_t)next_below(&g, 40000);
            struct pair p =
                pair(now, 1 + (uint32_t)next_below(&g, 50000), next_u64(&g) & ALL,
                     next_below(&g, 3) * next_below(&g, 1000), next_below(&g, 1000));
            push(w, p);
            list.pairs[list.count++] = p;
            int64_t from = now - (int64_t)next_below(&g, 400000);
            window_rates(w, from, rate);
            double read = list_rate(&list, room, from, PAIR_READ);
            double write = list_rate(&list, room, from, PAIR_WRITE);
            same(rate[ACCESS_READ], read);
            same(rate[ACCESS_WRITE], write);
            same(rate[ACCESS_TOTAL], read + write);
        }
        window_destroy(w);
    }
}
END_TEST

TEST_MAIN("window", oldest_are_overwritten_in_order, room_is_at_least_what_was_asked,
          a_pair_counts_while_its_middle_is_inside,
          a_middle_out_of_order_hides_no_other, a_counter_that_fell_skips_its_pair,
          the_total_of_its_own, only_zeros_left, growing_keeps_the_pairs_in_order,
          counters_at_their_largest, as_a_plain_list)
