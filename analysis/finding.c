/* SPDX-License-Identifier: Apache-2.0 */
/* Collects verdicts. Owns nothing; the engine's thread only. */
#include "analysis/finding.h"

#include <math.h>

void
finding_reset(struct finding *f)
{
    *f = (struct finding){.cool = true, .share = NAN, .last_sample_ms = NEVER};
    for (int a = 0; a < ACCESS_COUNT; a++)
        f->best[a].region = NO_INDEX;
}

void
finding_add(struct finding *f, uint32_t region, enum access access,
            const struct verdict *v, double rate, double newest)
{
    struct finding_entry *best = &f->best[access];

    f->judged = true;
    f->hot |= v->hot;
    f->cool &= v->cool;
    if (!best->judged || rate > best->rate)
        *best = (struct finding_entry){true, region, rate, newest, *v};
}

static bool
entry_hotter(const struct finding_entry *a, const struct finding_entry *b)
{
    if (a->verdict.hot != b->verdict.hot)
        return a->verdict.hot;
    if (a->verdict.ratio != b->verdict.ratio)
        return a->verdict.ratio > b->verdict.ratio || isnan(b->verdict.ratio);
    return a->rate > b->rate;
}

enum access
finding_hottest_access(const struct finding *f)
{
    enum access best = ACCESS_TOTAL;

    if (f->best[ACCESS_READ].judged)
        best = ACCESS_READ;
    if (f->best[ACCESS_WRITE].judged &&
        (best != ACCESS_READ ||
         entry_hotter(&f->best[ACCESS_WRITE], &f->best[ACCESS_READ])))
        best = ACCESS_WRITE;
    const struct finding_entry *total = &f->best[ACCESS_TOTAL];
    const struct verdict *v = &f->best[best].verdict;
    if (total->judged &&
        ((total->verdict.hot && !v->hot) ||
         (total->verdict.hot == v->hot && total->verdict.ratio > v->ratio)))
        best = ACCESS_TOTAL;
    return best;
}

void
hottest_offer(struct hottest *h, uint32_t region, double rate)
{
    uint32_t i = h->count;

    if (i == ALERT_TOP_MAX && !(rate > h->rate[i - 1]))
        return;
    if (i < ALERT_TOP_MAX)
        h->count++;
    else
        i--;
    for (; i > 0 && rate > h->rate[i - 1]; i--) {
        h->region[i] = h->region[i - 1];
        h->rate[i] = h->rate[i - 1];
    }
    h->region[i] = region;
    h->rate[i] = rate;
}
