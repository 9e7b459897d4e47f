/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of one scope. Owns nothing; the caller's array is sorted in place. */
#include "analysis/distribution.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int
descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* Finds H from the sorted rates. The rest is summed from the lowest up, not as a
 * difference: what is left beside the hot ones may be a millionth of them, or zero. */
static void
find_top(struct distribution *d, const double *sorted, double threshold)
{
    size_t most = (size_t)fmax(1, (double)d->n / threshold);
    double rest = 0;

    d->rest_sum = d->sum;
    for (size_t h = d->n - 1; h >= 1; h--) {
        double r = sorted[h - 1];
        rest += sorted[h];
        if (h <= most && r >= threshold * (rest / (double)(d->n - h)) &&
            sorted[h] < GAP_RATIO * r) {
            d->top = h;
            d->top_floor = r;
            d->rest_sum = rest;
            return;
        }
    }
}

void
distribution_make(struct distribution *d, double *rates, size_t n, double threshold)
{
    assert(threshold > 1);
    *d = (struct distribution){.n = n, .median = NAN, .top_floor = INFINITY};
    if (n == 0)
        return;
    qsort(rates, n, sizeof(rates[0]), descending);
    for (size_t i = n; i-- > 0;) {
        d->sum += rates[i];
        d->sum_of_squares += rates[i] * rates[i];
    }
    d->max = rates[0];
    d->median = n % 2 == 1 ? rates[n / 2] : (rates[n / 2 - 1] + rates[n / 2]) / 2;
    find_top(d, rates, threshold);
}

static double
mean_without(double sum, size_t n, double rate)
{
    return n < 2 ? NAN : fmax(0, sum - rate) / (double)(n - 1);
}

double
distribution_baseline(const struct distribution *d, enum baseline_kind kind,
                      double rate)
{
    switch (kind) {
    case BASELINE_ALL:
        return d->n == 0 ? NAN : d->sum / (double)d->n;
    case BASELINE_MEDIAN:
        return d->median;
    case BASELINE_REST:
        if (d->top > 0 && rate >= d->top_floor)
            return d->rest_sum / (double)(d->n - d->top);
        if (d->n - d->top >= 2)
            return mean_without(d->rest_sum, d->n - d->top, rate);
        break;
    case BASELINE_OTHERS:
    case BASELINE_KIND_COUNT:
        break;
    }
    return mean_without(d->sum, d->n, rate);
}

double
distribution_effective(const struct distribution *d)
{
    return d->sum_of_squares > 0 ? d->sum * d->sum / d->sum_of_squares : 0;
}

double
distribution_skew(const struct distribution *d)
{
    return load_ratio(d->max, mean_without(d->sum, d->n, d->max));
}

double
load_ratio(double rate, double baseline)
{
    if (baseline == 0)
        return rate > 0 ? INFINITY : NAN;
    return rate / baseline;
}

struct verdict
limit_judge(double baseline, double limit, double clear_ratio, double rate,
            double newest)
{
    return (struct verdict){
        .hot = rate > 0 && rate >= limit && newest >= clear_ratio * limit,
        .cool = rate < clear_ratio * limit || rate == 0,
        .baseline = baseline,
        .ratio = load_ratio(rate, baseline),
        .limit = limit,
    };
}

struct verdict
distribution_judge(const struct distribution *d, const struct rule *rule,
                   enum access access, double rate, double newest, double floor)
{
    double baseline = distribution_baseline(d, rule->baseline, rate);
    double limit =
        fmax(rule->threshold[access] * baseline, fmax(rule->min_rate[access], floor));
    struct verdict v = limit_judge(baseline, limit, rule->clear_ratio, rate, newest);

    if (isnan(baseline) || (rule->baseline == BASELINE_REST && rate < d->top_floor))
        v.hot = false;
    return v;
}
