/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer: content, the NUL after it, the latched limit, stealing. */
#include "common/buf.h"

#include <string.h>

#include "tests/unit/common/harness.h"

START_TEST(empty_is_a_string)
{
    struct buf b;

    buf_init(&b, 0);
    ck_assert_str_eq(b.data, "");
    buf_add(&b, NULL, 0);
    ck_assert_uint_eq(b.len, 0);
    ck_assert(!b.failed);
    buf_finish(&b);
    buf_adds(&b, "again");
    ck_assert_str_eq(b.data, "again");
    buf_finish(&b);
    ck_assert_str_eq(b.data, "");
}
END_TEST

START_TEST(appends_in_every_form)
{
    struct buf b;

    buf_init(&b, 0);
    buf_adds(&b, "a");
    buf_addc(&b, 'b');
    buf_add(&b, "c\0d", 3);
    buf_addf(&b, "%d-%s", 42, "e");
    ck_assert_uint_eq(b.len, 9);
    ck_assert_mem_eq(b.data, "abc\0d42-e\0", 10);
    buf_finish(&b);
}
END_TEST

START_TEST(limit_is_reached_exactly)
{
    struct buf b;

    buf_init(&b, 5);
    buf_adds(&b, "12345");
    ck_assert(!b.failed);
    ck_assert_str_eq(b.data, "12345");
    buf_adds(&b, "");
    ck_assert(!b.failed);
    buf_addc(&b, '6');
    ck_assert(b.failed);
    ck_assert_str_eq(b.data, "12345");
    buf_finish(&b);
}
END_TEST

START_TEST(limit_is_latched)
{
    struct buf b;

    buf_init(&b, 5);
    buf_adds(&b, "123");
    buf_addf(&b, "%s", "456");
    ck_assert(b.failed);
    buf_adds(&b, "4"); /* would fit, but the text would have a hole */
    ck_assert_str_eq(b.data, "123");
    buf_reset(&b);
    ck_assert(!b.failed);
    ck_assert_str_eq(b.data, "");
    buf_adds(&b, "54321");
    ck_assert_str_eq(b.data, "54321");
    buf_finish(&b);
    ck_assert_uint_eq(b.limit, 5);
}
END_TEST

START_TEST(absurd_length_fails)
{
    struct buf b;

    buf_init(&b, 0);
    buf_addc(&b, 'x');
    buf_add(&b, "y", SIZE_MAX - 1);
    ck_assert(b.failed);
    ck_assert_str_eq(b.data, "x");
    buf_finish(&b);
}
END_TEST

START_TEST(steal_hands_over)
{
    struct buf b;
    size_t len;

    buf_init(&b, 100);
    buf_adds(&b, "taken");
    char *taken = buf_steal(&b, &len);
    ck_assert_str_eq(taken, "taken");
    ck_assert_uint_eq(len, 5);
    ck_assert_uint_eq(b.len, 0);
    ck_assert_uint_eq(b.limit, 100);
    free(taken);

    taken = buf_steal(&b, NULL); /* of an empty one: still the caller's block */
    ck_assert_str_eq(taken, "");
    free(taken);
    buf_finish(&b);
}
END_TEST

/* Any sequence of appends is the same bytes in a flat array. */
START_TEST(random_appends)
{
    struct generator g = start_generator("buf");
    static char model[200000];

    for (int round = 0; round < 20; round++) {
        struct buf b;
        size_t len = 0;

        buf_init(&b, 0);
        for (int i = 0; i < 300; i++) {
            char piece[500];
            size_t n = next_below(&g, sizeof piece);
            for (size_t k = 0; k < n; k++)
                piece[k] = (char)next_u64(&g);
            buf_add(&b, piece, n);
            memcpy(model + len, piece, n);
            len += n;
            ck_assert_uint_eq(b.len, len);
            ck_assert_int_eq(b.data[len], '\0');
        }
        ck_assert_mem_eq(b.data, model, len);
        buf_finish(&b);
    }
}
END_TEST

TEST_MAIN("buf", empty_is_a_string, appends_in_every_form, limit_is_reached_exactly,
          limit_is_latched, absurd_length_fails, steal_hands_over, random_appends)
