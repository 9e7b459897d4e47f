/* SPDX-License-Identifier: Apache-2.0 */
/* What each test program of this folder needs: a main() in one line and a generator
 * whose seed is printed; TEST_SEED=n in the environment repeats a run. */
#ifndef TESTS_UNIT_COMMON_HARNESS_H
#define TESTS_UNIT_COMMON_HARNESS_H

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct generator {
    uint64_t state;
};

static inline uint64_t
next_u64(struct generator *g)
{
    uint64_t x = g->state += 0x9e3779b97f4a7c15; /* SplitMix64 */

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static inline size_t
next_below(struct generator *g, size_t n)
{
    return (size_t)(next_u64(g) % n);
}

/* A number of 1 to 64 bits, each width as likely as the others. */
static inline uint64_t
next_wide(struct generator *g)
{
    return next_u64(g) >> next_below(g, 64);
}

static inline struct generator
start_generator(const char *test)
{
    const char *given = getenv("TEST_SEED");
    struct generator g;

    g.state = given != NULL ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    printf("%s: TEST_SEED=%" PRIu64 "\n", test, g.state);
    fflush(stdout);
    return g;
}

static inline int
run_tests(const char *name, const TTest *const tests[], size_t n_tests)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);

    for (size_t i = 0; i < n_tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#define TEST_MAIN(name, ...)                                                           \
    int main(void)                                                                     \
    {                                                                                  \
        const TTest *const tests[] = {__VA_ARGS__};                                    \
        return run_tests(name, tests, sizeof tests / sizeof tests[0]);                 \
    }

#endif
