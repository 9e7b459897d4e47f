/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/scenarios/rivals.h"

#include <assert.h>
#include <math.h>

#include "common/alloc.h"

static double
rate_of(const struct region_row *r)
{
    double rate = r->rate[ACCESS_TOTAL];

    return r->stale || isnan(rate) ? -1 : rate;
}

static void
judge_sorted(const struct snapshot *s, bool *ret_hot)
{
    double most = 0;
    uint32_t top = NO_INDEX;

    for (uint32_t i = 0; i < s->region_count; i++) {
        ret_hot[i] = false;
        if (rate_of(&s->regions[i]) <= most)
            continue;
        most = rate_of(&s->regions[i]);
        top = i;
    }
    if (top != NO_INDEX)
        ret_hot[top] = true;
}

void
rivals_judge(enum judge judge, const struct snapshot *s, bool *ret_hot)
{
    static double sum[TABLES_MAX];
    static unsigned count[TABLES_MAX];

    if (judge == JUDGE_SORTED) {
        judge_sorted(s, ret_hot);
        return;
    }
    assert(s->table_count <= TABLES_MAX);
    for (uint32_t i = 0; i < s->table_count; i++)
        sum[i] = count[i] = 0;
    for (uint32_t i = 0; i < s->region_count; i++) {
        double rate = rate_of(&s->regions[i]);
        if (rate < 0)
            continue;
        sum[s->regions[i].table] += rate;
        count[s->regions[i].table]++;
    }
    for (uint32_t i = 0; i < s->region_count; i++) {
        double rate = rate_of(&s->regions[i]), all = sum[s->regions[i].table];
        unsigned n = count[s->regions[i].table];
        double mean = judge == JUDGE_PLAIN ? all / n : (all - rate) / (n - 1);
        ret_hot[i] = rate > 0 && n > 1 && rate > 3 * mean * (1 + 1e-6);
    }
}
