/* SPDX-License-Identifier: Apache-2.0 */
/* Interned strings: dense numbers, stable addresses, many of them. */
#include "common/intern.h"

#include <string.h>

#include "tests/unit/common/harness.h"

START_TEST(numbers_are_dense_and_kept)
{
    struct intern *in = intern_create();

    ck_assert_uint_eq(intern_count(in), 0);
    ck_assert_uint_eq(intern_find(in, "t1"), INTERN_NONE);
    ck_assert_uint_eq(intern_add(in, "t1"), 0);
    ck_assert_uint_eq(intern_add(in, ""), 1);
    ck_assert_uint_eq(intern_add(in, "ns:t2"), 2);
    ck_assert_uint_eq(intern_add(in, "t1"), 0);
    ck_assert_uint_eq(intern_find(in, "ns:t2"), 2);
    ck_assert_uint_eq(intern_find(in, "ns:t"), INTERN_NONE);
    ck_assert_uint_eq(intern_count(in), 3);
    ck_assert_str_eq(intern_text(in, 1), "");
    ck_assert_str_eq(intern_text(in, 2), "ns:t2");
    ck_assert_ptr_null(intern_destroy(in));
    ck_assert_ptr_null(intern_destroy(NULL));
}
END_TEST

START_TEST(part_of_a_text)
{
    struct intern *in = intern_create();

    ck_assert_uint_eq(intern_add_n(in, "orders,row", 6), 0);
    ck_assert_uint_eq(intern_add(in, "orders"), 0);
    ck_assert_uint_eq(intern_add_n(in, "a\0b", 3), 1); /* all its bytes count */
    ck_assert_uint_eq(intern_add(in, "a"), 2);
    ck_assert_mem_eq(intern_text(in, 1), "a\0b\0", 4);
    intern_destroy(in);
}
END_TEST

START_TEST(addresses_stay)
{
    enum { N = 20000 };
    static const char *where[N];
    struct intern *in = intern_create();
    char name[32];

    for (uint32_t i = 0; i < N; i++) {
        snprintf(name, sizeof name, "ns:table-%u", i * 7919u);
        ck_assert_uint_eq(intern_add(in, name), i);
        where[i] = intern_text(in, i);
    }
    for (uint32_t i = 0; i < N; i++) {
        snprintf(name, sizeof name, "ns:table-%u", i * 7919u);
        ck_assert_ptr_eq(intern_text(in, i), where[i]);
        ck_assert_str_eq(where[i], name);
        ck_assert_uint_eq(intern_find(in, name), i);
        ck_assert_uint_eq(intern_add(in, name), i);
    }
    ck_assert_uint_eq(intern_count(in), N);
    intern_destroy(in);
}
END_TEST

TEST_MAIN("intern", numbers_are_dense_and_kept, part_of_a_text, addresses_stay)
