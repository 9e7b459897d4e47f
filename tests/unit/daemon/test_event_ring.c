/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/event_ring.h"

#include <string.h>

#include "daemon/names.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/fixture.h"

static struct fixture f;

static void
add(struct event_ring *ring, int64_t time_ms)
{
    f.s->alerts[0].rate[ACCESS_WRITE] = (double)time_ms;
    event_ring_add(ring, EVENT_FIRED, time_ms, &f.s->alerts[0], "prod");
}

/* Driven many times round: always the newest, oldest first. */
START_TEST(keeps_the_newest_in_order)
{
    fixture_orders(&f);
    for (size_t capacity = 1; capacity < 9; capacity++) {
        struct event_ring *ring = event_ring_create(capacity);
        for (int64_t n = 1; n <= 40; n++) {
            add(ring, n);
            struct event_list *list = event_ring_list(ring);
            size_t expected = (size_t)n < capacity ? (size_t)n : capacity;
            ck_assert_uint_eq(list->count, expected);
            for (size_t i = 0; i < expected; i++) {
                int64_t time_ms = n - (int64_t)(expected - 1 - i);
                ck_assert_int_eq(list->items[i]->time_ms, time_ms);
                ck_assert(list->items[i]->value == (double)time_ms);
            }
            event_list_unref(list);
        }
        event_ring_destroy(ring);
    }
    fixture_finish(&f);
}
END_TEST

START_TEST(lists_outlive_changes_and_the_ring)
{
    fixture_orders(&f);
    struct event_ring *ring = event_ring_create(2);
    add(ring, 1);
    struct event_list *one = event_ring_list(ring);
    struct event_list *same = event_ring_list(ring);
    ck_assert_ptr_eq(one, same); /* made once */
    event_list_unref(same);
    add(ring, 2);
    add(ring, 3);
    struct event_list *two = event_ring_list(ring);
    event_ring_destroy(ring);
    fixture_finish(&f);
    ck_assert_uint_eq(one->count, 1);
    ck_assert_int_eq(one->items[0]->time_ms, 1);
    ck_assert_int_eq(two->items[1]->time_ms, 3);
    event_list_unref(one);
    event_list_unref(two);
}
END_TEST

START_TEST(labels_are_packed)
{
    static const char *const expected[][2] = {
        {"alertname", "HBaseRegionHot"},
        {"severity", "warning"},
        {"cluster", "prod"},
        {"table", "orders"},
        {"region", "858a2c1f000000041122334455667788"},
    };
    const char *name, *value;
    size_t at = 0, i = 0;

    fixture_orders(&f);
    struct event_ring *ring = event_ring_create(2);
    add(ring, 1);
    struct event_list *list = event_ring_list(ring);
    const struct event *e = list->items[0];
    while (labels_next(e->labels, e->labels_len, &at, &name, &value)) {
        ck_assert_str_eq(name, expected[i][0]);
        ck_assert_str_eq(value, expected[i][1]);
        i++;
    }
    ck_assert_uint_eq(i, 5);
    event_list_unref(list);
    event_ring_destroy(ring);
    fixture_finish(&f);
}
END_TEST

TEST_MAIN("event_ring", keeps_the_newest_in_order, lists_outlive_changes_and_the_ring,
          labels_are_packed)
