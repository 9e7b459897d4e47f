/* SPDX-License-Identifier: Apache-2.0 */
/* Table rule: the load of a table sits on so few of its regions that it could be spread
 * over `threshold` times as many servers, though no single region stands out.
 *
 *   ratio = min(N, live servers) / effective regions        effective = (sum r)^2 / sum
 * r^2 limit = max(table_min_rate, effective * floor)          floor: see the region
 * rule hot   : ratio >= threshold, rate >= limit, newest >= clear_ratio * limit cool  :
 * ratio < clear_ratio * threshold, or rate < clear_ratio * limit
 *
 * Works on the scope that judge.c made; the engine's thread only. */
#include <math.h>
#include <string.h>

#include "analysis/judge.h"
#include "analysis/judge_priv.h"

static struct verdict
judge_concentration(const struct judge *p, const struct scope *s, enum access access)
{
    const struct distribution *d = &s->by_access[access];
    double effective = distribution_effective(d);
    double spread = fmin((double)d->n, p->load->cluster.live_servers);
    double threshold = s->rule->threshold[access], clear = s->rule->clear_ratio;
    double limit = fmax(p->r->config->detection.table_min_rate, effective * s->floor);
    struct verdict v = limit_judge(NAN, limit, clear, s->view->primary_rate[access],
                                   s->view->primary_newest[access]);

    v.ratio = effective > 0 ? spread / effective : NAN;
    v.hot &= v.ratio >= threshold;
    v.cool |= !(v.ratio >= clear * threshold);
    return v;
}

void
judge_describe_table(const struct registry *r, const struct load *load, uint32_t table,
                     struct finding *f)
{
    const struct table_view *view = &load->tables[table];

    f->regions = view->known;
    f->regions_fresh = view->fresh;
    memcpy(f->rate, view->rate, sizeof(f->rate));
    memcpy(f->newest, view->newest, sizeof(f->newest));
    for (int a = 0; a < ACCESS_COUNT; a++)
        f->effective_regions[a] = distribution_effective(&view->total);
    if (view->hottest != NO_INDEX)
        f->last_sample_ms = r->regions[view->hottest].sampled_wall_ms;
}

static void
find_top(const struct scope *s, struct finding *f)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->entries[i].judged && s->entries[i].rate[ACCESS_TOTAL] > 0)
            hottest_offer(&f->top, s->entries[i].slot,
                          s->entries[i].rate[ACCESS_TOTAL]);
}

/* An overflow alert ends when its regions fit (analysis/allot.c), whatever the
 * concentration. */
static void
find_about(const struct judge *p, const struct scope *s, struct episode *e,
           const struct verdict v[static ACCESS_COUNT])
{
    struct finding *f = &e->finding;

    f->judged = true;
    if (e->alert.overflow)
        return;
    judge_describe_table(p->r, p->load, e->table, f);
    f->regions = s->count;
    f->regions_fresh = s->judged;
    for (int a = 0; a < ACCESS_COUNT; a++) {
        f->rate[a] = s->view->primary_rate[a];
        f->newest[a] = s->view->primary_newest[a];
        f->effective_regions[a] = distribution_effective(&s->by_access[a]);
        finding_add(f, NO_INDEX, a, &v[a], f->rate[a], f->newest[a]);
    }
    find_top(s, f);
    judge_excuse_scope(p, s, e->alert.state == ALERT_FIRING);
}

void
judge_table_rule(const struct judge *p, const struct scope *s, uint32_t table)
{
    struct table *t = &p->r->tables[table];
    struct verdict v[ACCESS_COUNT];
    bool hot = false;

    if (s->blind || s->is_meta || s->count < 2)
        return;
    for (int a = 0; a < ACCESS_COUNT; a++) {
        v[a] = judge_concentration(p, s, a);
        hot |= v[a].hot;
    }
    if (t->episode == NO_INDEX && hot && !s->ignored && !s->alerting)
        detector_open_table(p->d, p->r, table, p->now);
    if (t->episode != NO_INDEX)
        find_about(p, s, &p->d->episodes[t->episode], v);
}
