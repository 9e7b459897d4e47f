/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of scores and the figures made of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "tests/scenarios/score.h"

static unsigned
larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

void
tally_add(struct tally *sum, const struct tally *more)
{
    sum->alerts += more->alerts;
    sum->right += more->right;
    sum->wrong += more->wrong;
    sum->truths += more->truths;
    sum->wanted += more->wanted;
    sum->found += more->found;
    sum->flaps += more->flaps;
    sum->early += more->early;
    sum->late += more->late;
    sum->excess += more->excess;
    sum->most_single = larger(sum->most_single, more->most_single);
    sum->most_shared = larger(sum->most_shared, more->most_shared);
    sum->class_seen += more->class_seen;
    sum->class_right += more->class_right;
    xgrow(&sum->delays, &sum->delay_cap, sum->delay_count + more->delay_count + 1,
          sizeof(*sum->delays));
    if (more->delay_count > 0)
        memcpy(sum->delays + sum->delay_count, more->delays,
               more->delay_count * sizeof(*sum->delays));
    sum->delay_count += more->delay_count;
}

void
tally_finish(struct tally *t)
{
    free(t->delays);
    *t = (struct tally){0};
}

double
tally_precision(const struct tally *t)
{
    unsigned n = t->right + t->wrong;

    return n == 0 ? 1 : (double)t->right / n;
}

double
tally_recall(const struct tally *t)
{
    return t->wanted == 0 ? 1 : (double)t->found / t->wanted;
}

double
tally_class(const struct tally *t)
{
    return t->class_seen == 0 ? NAN : (double)t->class_right / t->class_seen;
}

static int
ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double
tally_delay(struct tally *t, double share)
{
    if (t->delay_count == 0)
        return NAN;
    qsort(t->delays, t->delay_count, sizeof(*t->delays), ascending);
    return t->delays[(size_t)((double)(t->delay_count - 1) * share + 0.5)];
}
