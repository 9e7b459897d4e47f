/* SPDX-License-Identifier: Apache-2.0 */
/* H, baselines and verdicts against the formulas of docs/detection.md, taken word for
 * word. */
#include <math.h>
#include <string.h>

#include "analysis/distribution.h"
#include "tests/unit/common/harness.h"

enum { N_MAX = 50 };

static const struct rule defaults = {
    .threshold = {3, 3, 3},
    .min_rate = {100, 100, 100},
    .baseline = BASELINE_REST,
    .clear_ratio = 0.8,
};

static int
descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

static double
mean(const double *r, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += r[i];
    return sum / (double)n;
}

/* The largest h that fulfils the conditions, tried one by one. */
static size_t
plain_top(const double *sorted, size_t n, double threshold)
{
    for (size_t h = n - 1; h >= 1; h--)
        if ((double)h <= fmax(1, (double)n / threshold) &&
            sorted[h - 1] >= threshold * mean(sorted + h, n - h) &&
            sorted[h] < 0.9 * sorted[h - 1])
            return h;
    return 0;
}

/* Mean of those that are neither among the first H nor sorted[i]. */
static double
plain_rest(const double *sorted, size_t n, size_t top, size_t i)
{
    double sum = 0;
    size_t count = 0;

    for (size_t j = top; j < n; j++) {
        if (j == i)
            continue;
        sum += sorted[j];
        count++;
    }
    return count == 0 ? NAN : sum / (double)count;
}

static double
plain_others(const double *sorted, size_t n, size_t i)
{
    double sum = 0;

    for (size_t j = 0; j < n; j++)
        if (j != i)
            sum += sorted[j];
    return n < 2 ? NAN : sum / (double)(n - 1);
}

static void
same(double a, double b)
{
    if (isnan(b))
        ck_assert(isnan(a));
    else
        ck_assert_double_eq_tol(a, b, 1e-6 * (1 + fabs(b)));
}

static size_t
random_rates(struct generator *g, double *rates)
{
    size_t n = 1 + next_below(g, N_MAX), kind = next_below(g, 5);
    double base = (double)next_below(g, 1000) + 1;

    for (size_t i = 0; i < n; i++) {
        double any = (double)next_below(g, 1000000) / 1000;
        switch (kind) {
        case 0:
            rates[i] = any;
            break;
        case 1: /* ties */
            rates[i] = (double)next_below(g, 4) * base;
            break;
        case 2: /* mostly idle */
            rates[i] = next_below(g, 10) == 0 ? any : 0;
            break;
        case 3: /* a few far above */
            rates[i] = next_below(g, 8) == 0 ? base * 50 + any / 10 : base;
            break;
        default: /* steep */
            rates[i] = base * pow(0.5, (double)next_below(g, 12));
        }
    }
    return n;
}

START_TEST(top_and_baselines_as_defined)
{
    struct generator g = start_generator("top_and_baselines_as_defined");

    for (int round = 0; round < 6000; round++) {
        double rates[N_MAX], sorted[N_MAX];
        struct distribution d;
        double threshold = 1.01 + (double)next_below(&g, 900) / 100;
        size_t n = random_rates(&g, rates);
        memcpy(sorted, rates, sizeof(sorted));
        qsort(sorted, n, sizeof(*sorted), descending);
        distribution_make(&d, rates, n, threshold);
        size_t top = plain_top(sorted, n, threshold);
        ck_assert_uint_eq(d.top, top);
        ck_assert_uint_eq(d.n, n);
        for (size_t i = 0; i < n; i++) {
            double rest = plain_rest(sorted, n, top, i);
            double others = plain_others(sorted, n, i);
            same(distribution_baseline(&d, BASELINE_REST, sorted[i]),
                 isnan(rest) ? others : rest);
            same(distribution_baseline(&d, BASELINE_OTHERS, sorted[i]), others);
            same(distribution_baseline(&d, BASELINE_ALL, sorted[i]), mean(sorted, n));
            same(distribution_baseline(&d, BASELINE_MEDIAN, sorted[i]),
                 (sorted[(n - 1) / 2] + sorted[n / 2]) / 2);
        }
    }
}
END_TEST

START_TEST(verdicts_as_defined)
{
    struct generator g = start_generator("verdicts_as_defined");

    for (int round = 0; round < 2500; round++) {
        double rates[N_MAX], sorted[N_MAX];
        struct distribution d;
        struct rule rule = defaults;
        rule.threshold[ACCESS_READ] = 1.01 + (double)next_below(&g, 900) / 100;
        rule.baseline = (enum baseline_kind)next_below(&g, BASELINE_KIND_COUNT);
        rule.min_rate[ACCESS_READ] = (double)next_below(&g, 2) * 200;
        double floor = (double)next_below(&g, 2) * (double)next_below(&g, 500);
        size_t n = random_rates(&g, rates);
        memcpy(sorted, rates, sizeof(sorted));
        qsort(sorted, n, sizeof(*sorted), descending);
        distribution_make(&d, rates, n, rule.threshold[ACCESS_READ]);
        size_t top = plain_top(sorted, n, rule.threshold[ACCESS_READ]);
        for (size_t i = 0; i < n; i++) {
            double newest = sorted[i] * (double)next_below(&g, 200) / 100;
            struct verdict v =
                distribution_judge(&d, &rule, ACCESS_READ, sorted[i], newest, floor);
            double limit = fmax(rule.threshold[ACCESS_READ] * v.baseline,
                                fmax(rule.min_rate[ACCESS_READ], floor));
            bool first = rule.baseline == BASELINE_REST ? i < top : true;
            bool hot = first && !isnan(v.baseline) && sorted[i] > 0 &&
                       sorted[i] >= limit && newest >= 0.8 * limit;
            same(v.limit, limit);
            ck_assert_int_eq(v.hot, hot);
            ck_assert_int_eq(v.cool, sorted[i] == 0 || sorted[i] < 0.8 * limit);
            ck_assert(!(v.hot && v.cool));
        }
    }
}
END_TEST

/* The example of the formula's page: three regions, counts of one window. */
START_TEST(the_example)
{
    double rates[] = {1204 / 120.0, 982341 / 120.0, 1102 / 120.0};
    const double count[] = {982341, 1204, 1102};
    struct distribution d;

    distribution_make(&d, rates, 3, 3);
    ck_assert_uint_eq(d.top, 1);
    for (int i = 0; i < 3; i++) {
        double r = count[i] / 120;
        struct verdict v = distribution_judge(&d, &defaults, ACCESS_READ, r, r, 0);
        ck_assert_int_eq(v.hot, i == 0);
        if (i == 0) {
            ck_assert_double_eq_tol(v.baseline, 1153 / 120.0, 1e-9);
            ck_assert_double_eq_tol(v.ratio, 982341 / 1153.0, 1e-6);
        }
    }
    struct rule all = defaults;
    all.baseline = BASELINE_ALL;
    double r = count[0] / 120;
    ck_assert(!distribution_judge(&d, &all, ACCESS_READ, r, r, 0).hot); /* 2.99 times */
}
END_TEST

START_TEST(equal_hot_ones_do_not_hide_each_other)
{
    for (size_t n = 3; n <= 40; n++) {
        for (size_t hot = 1; hot <= n / 3; hot++) {
            double rates[40];
            struct distribution d;
            for (size_t i = 0; i < n; i++)
                rates[i] = i % (n / hot) == 0 && i / (n / hot) < hot ? 1000 : 10;
            distribution_make(&d, rates, n, 3);
            ck_assert_uint_eq(d.top, hot);
            ck_assert(
                distribution_judge(&d, &defaults, ACCESS_READ, 1000, 1000, 0).hot);
            ck_assert(!distribution_judge(&d, &defaults, ACCESS_READ, 10, 10, 0).hot);
        }
    }
}
END_TEST

/* More than N/threshold equal ones are no hotspots: the load is spread. */
START_TEST(too_many_to_be_special)
{
    double rates[] = {1000, 1000, 1000, 1000, 10, 10, 10, 10, 10, 10};
    struct distribution d;

    distribution_make(&d, rates, 10, 3);
    ck_assert_uint_eq(d.top, 0);
    ck_assert(!distribution_judge(&d, &defaults, ACCESS_READ, 1000, 1000, 0).hot);
}
END_TEST

START_TEST(a_smooth_distribution_is_quiet)
{
    double rates[200];
    struct distribution d;

    for (size_t i = 0; i < 200; i++) /* each 5 % below the one before */
        rates[i] = 100000 * pow(0.95, (double)i);
    distribution_make(&d, rates, 200, 3);
    ck_assert_uint_eq(d.top, 0);
    /* Zipf with the exponent 0.1: smooth from the first on. */
    for (size_t i = 0; i < 200; i++)
        rates[i] = 100000 / pow((double)i + 1, 0.1);
    distribution_make(&d, rates, 200, 3);
    ck_assert_uint_eq(d.top, 0);
    /* Zipf proper: only what stands apart from the rest is in the top. */
    for (size_t i = 0; i < 200; i++)
        rates[i] = 100000 / ((double)i + 1);
    distribution_make(&d, rates, 200, 3);
    ck_assert_uint_gt(d.top, 0);
    ck_assert_uint_le(d.top, 9); /* r10 = 0.909 r9: no gap from there on */
}
END_TEST

/* What is left beside the hot must be exact: it may be a millionth of them, or none. */
START_TEST(an_idle_rest_is_zero)
{
    double rates[] = {0.1, 0, 0.3, 0, 0, 0.2, 0, 0, 0, 0, 0, 0};
    struct distribution d;

    distribution_make(&d, rates, 12, 3);
    ck_assert_uint_eq(d.top, 3);
    double baseline = distribution_baseline(&d, BASELINE_REST, 0.3);
    ck_assert_double_eq(baseline, 0);
    ck_assert(isinf(load_ratio(0.3, baseline)));
}
END_TEST

START_TEST(small_scopes)
{
    struct rule rule = defaults;
    rule.threshold[ACCESS_READ] = 5;

    for (size_t n = 2; n <= 5; n++) {
        double rates[5] = {0};
        struct distribution d;
        rates[n / 2] = 500;
        distribution_make(&d, rates, n, 5);
        ck_assert_uint_eq(d.top, 1);
        ck_assert(distribution_judge(&d, &rule, ACCESS_READ, 500, 500, 0).hot);
        ck_assert(!distribution_judge(&d, &rule, ACCESS_READ, 0, 0, 0).hot);
    }
    double one[] = {500};
    struct distribution d;
    distribution_make(&d, one, 1, 5);
    ck_assert_uint_eq(d.top, 0);
    ck_assert(isnan(distribution_baseline(&d, BASELINE_REST, 500)));
    ck_assert(!distribution_judge(&d, &rule, ACCESS_READ, 500, 500, 0).hot);
    distribution_make(&d, one, 0, 5);
    ck_assert(isnan(distribution_baseline(&d, BASELINE_ALL, 1)));
    ck_assert(isnan(d.median));
    ck_assert_double_eq(distribution_effective(&d), 0);
}
END_TEST

START_TEST(edges_of_the_floors)
{
    double rates[] = {100, 1, 1, 1};
    struct distribution d;
    struct rule rule = defaults;

    distribution_make(&d, rates, 4, 3);
    ck_assert(distribution_judge(&d, &rule, ACCESS_READ, 100, 100, 0).hot);
    rule.min_rate[ACCESS_READ] = 100.001;
    ck_assert(!distribution_judge(&d, &rule, ACCESS_READ, 100, 100, 0).hot);
    rule.min_rate[ACCESS_READ] = 0;
    ck_assert(distribution_judge(&d, &rule, ACCESS_READ, 100, 100, 100).hot);
    ck_assert(!distribution_judge(&d, &rule, ACCESS_READ, 100, 100, 100.001).hot);
    rule.min_rate[ACCESS_READ] = 100;
    ck_assert(distribution_judge(&d, &rule, ACCESS_READ, 100, 80, 0).hot);
    ck_assert(!distribution_judge(&d, &rule, ACCESS_READ, 100, 79.9, 0).hot);
    ck_assert(!distribution_judge(&d, &rule, ACCESS_READ, 100, NAN, 0).hot);
    ck_assert(!distribution_judge(&d, &rule, ACCESS_READ, 80, 80, 0).cool);
    ck_assert(distribution_judge(&d, &rule, ACCESS_READ, 79.9, 0, 0).cool);
}
END_TEST

START_TEST(ratios_and_shapes)
{
    double even[] = {5, 5, 5, 5}, skewed[] = {97, 1, 1, 1};
    struct distribution d;

    ck_assert(isnan(load_ratio(0, 0)));
    ck_assert(isinf(load_ratio(1, 0)));
    ck_assert(isnan(load_ratio(1, NAN)));
    distribution_make(&d, even, 4, 3);
    ck_assert_double_eq_tol(distribution_effective(&d), 4, 1e-9);
    ck_assert_double_eq_tol(distribution_skew(&d), 1, 1e-9);
    distribution_make(&d, skewed, 4, 3);
    ck_assert_double_eq_tol(distribution_effective(&d), 10000.0 / (97 * 97 + 3), 1e-9);
    ck_assert_double_eq_tol(distribution_skew(&d), 97, 1e-9);
    distribution_make(&d, skewed, 1, 3);
    ck_assert(isnan(distribution_skew(&d)));
    struct verdict v = limit_judge(NAN, 0, 0.8, 0, 0);
    ck_assert(!v.hot && v.cool); /* no load is never hot, even with all limits off */
}
END_TEST

TEST_MAIN("distribution", top_and_baselines_as_defined, verdicts_as_defined,
          the_example, equal_hot_ones_do_not_hide_each_other, too_many_to_be_special,
          a_smooth_distribution_is_quiet, an_idle_rest_is_zero, small_scopes,
          edges_of_the_floors, ratios_and_shapes)
