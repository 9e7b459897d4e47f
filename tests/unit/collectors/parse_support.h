/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the readers share: captured answers, a seeded generator, random
 * piece sizes. Included by one program each, so all of it is static. */
#ifndef TESTS_UNIT_COLLECTORS_PARSE_SUPPORT_H
#define TESTS_UNIT_COLLECTORS_PARSE_SUPPORT_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define UNUSED __attribute__((unused))

static uint64_t rng_state;

/* Seeds from TEST_SEED or the clock and says so, for a re-run. */
static UNUSED void
rng_start(void)
{
    const char *fixed = getenv("TEST_SEED");

    rng_state = fixed != NULL ? strtoull(fixed, NULL, 10) : (uint64_t)time(NULL);
    printf("TEST_SEED=%llu\n", (unsigned long long)rng_state);
    fflush(stdout);
}

static UNUSED uint64_t
rng_next(void)
{
    rng_state += 0x9e3779b97f4a7c15;
    uint64_t x = rng_state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static UNUSED size_t
rng_below(size_t n)
{
    return (size_t)(rng_next() % n);
}

/* The file "captures/..." below the test data; the caller frees. */
static UNUSED char *
read_capture(const char *name, size_t *ret_len)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/captures/%s", getenv("TEST_DATA"), name);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "cannot open %s", path);
    ck_assert_int_eq(fseek(f, 0, SEEK_END), 0);
    size_t len = (size_t)ftell(f);
    rewind(f);
    char *text = malloc(len + 1);
    ck_assert_uint_eq(fread(text, 1, len, f), len);
    text[len] = '\0';
    fclose(f);
    *ret_len = len;
    return text;
}

/* A copy in a block of exactly len bytes, so that AddressSanitizer sees a read beyond.
 */
static UNUSED char *
exact_copy(const char *text, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);

    memcpy(copy, text, len);
    return copy;
}

/* Damages 1 to 4 places of a text: bytes changed, doubled, dropped, runs cut out. */
static UNUSED void
mutate(char *text, size_t *len)
{
    static const char nasty[] =
        "\"\\{}[],:.-+eE0179 \n\t\0|,_'#NIntfu\x80\xff\xc3;()=>%";

    for (size_t n = 1 + rng_below(4); n > 0 && *len > 1; n--) {
        size_t at = rng_below(*len);
        size_t cut = 1 + rng_below(*len - at < 40 ? *len - at : 40);
        switch (rng_below(4)) {
        case 0:
            text[at] = (char)rng_next();
            break;
        case 1:
            text[at] = nasty[rng_below(sizeof(nasty) - 1)];
            break;
        case 2:
            memmove(text + at, text + at + cut, *len - at - cut);
            *len -= cut;
            break;
        default:
            /* a run of the text over another place */
            memmove(text + rng_below(*len - cut + 1), text + at, cut);
            break;
        }
    }
}

static UNUSED int
run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);

    rng_start();
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}

#endif
