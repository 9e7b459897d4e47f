/* SPDX-License-Identifier: Apache-2.0 */
/* The bounded sample: everything while it fits, order kept, even over the stream, no
 * rhythm of the input taken for a pattern. */
#include "keys/sampler.h"

#include "tests/unit/keys/support.h"

static void
feed(struct sampler *s, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ck_assert_int_eq(sampler_add(s, (struct key){(const uint8_t *)&i, sizeof i}),
                         0);
}

static uint32_t
number(const struct sampler *s, size_t i)
{
    uint32_t value;

    memcpy(&value, key_list_get(&s->kept, i).data, sizeof value);
    return value;
}

START_TEST(all_while_they_fit)
{
    struct sampler s;

    sampler_init(&s, 1000, 1 << 20);
    feed(&s, 1000);
    ck_assert_uint_eq(s.kept.count, 1000);
    for (size_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(number(&s, i), i);
    sampler_finish(&s);
}
END_TEST

START_TEST(even_and_in_order)
{
    enum { N = 100000, CAP = 1024, PARTS = 8 };
    struct sampler s;
    size_t parts[PARTS] = {0};
    size_t rhythm[16] = {0};

    sampler_init(&s, CAP, 1 << 20);
    feed(&s, N);
    ck_assert_uint_eq(s.seen, N);
    ck_assert_uint_le(s.kept.count, CAP);
    ck_assert_uint_ge(s.kept.count, CAP / 2);
    for (size_t i = 0; i < s.kept.count; i++) {
        ck_assert(i == 0 || number(&s, i) > number(&s, i - 1));
        parts[number(&s, i) * (uint64_t)PARTS / N]++;
        rhythm[number(&s, i) % 16]++;
    }
    for (size_t i = 0; i < PARTS; i++) {
        ck_assert_uint_ge(parts[i], s.kept.count / PARTS - 2);
        ck_assert_uint_le(parts[i], s.kept.count / PARTS + 2);
    }
    for (size_t i = 0; i < 16; i++)
        ck_assert_uint_ge(rhythm[i], s.kept.count / 16 / 2);
    sampler_finish(&s);
}
END_TEST

START_TEST(bounded_in_bytes)
{
    struct sampler s;

    sampler_init(&s, 1 << 20, 1000);
    feed(&s, 5000);
    ck_assert_uint_le(s.kept.used, 1000);
    ck_assert_uint_ge(s.kept.used, 400);
    sampler_finish(&s);
}
END_TEST

TEST_MAIN("keys/sampler", all_while_they_fit, even_and_in_order, bounded_in_bytes)
