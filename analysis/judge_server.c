/* SPDX-License-Identifier: Apache-2.0 */
/* Server rule: a server takes a multiple of what the others take, though what other
 * alerts are about (regions pending or firing, the regions of a table that is hot as a
 * table) is left out, on all servers alike: one cause, one alert. Tables that are
 * ignored and hbase:meta, which has a limit of its own, are left out, too.
 *
 *   own(s)      = rate of its regions but those
 *   baseline(s) = mean own rate of the other live servers
 *   limit(s)    = max(server_threshold * baseline, server_min_rate,
 *                     min_server_share * mean total rate of the live servers)
 *
 * A server is judged, and compared with, when at least half of its regions are. Linear
 * in regions; the engine's thread only. */
#include "analysis/judge.h"

#include <math.h>
#include <string.h>

#include "analysis/judge_priv.h"

/* ---- what is left out ---- */

void
judge_excuse(const struct judge *p, struct scope_entry *entry, bool fires)
{
    const struct region *region = &p->r->regions[entry->slot];

    if (entry->excused || !entry->judged || region->server == NO_INDEX)
        return;
    struct server *s = &p->r->servers[region->server];
    entry->excused = true;
    s->excused_fires |= fires;
    for (int a = 0; a < ACCESS_COUNT; a++) {
        s->excused[a] += isnan(region->rate[a]) ? 0 : region->rate[a];
        s->excused_newest[a] += isnan(region->newest[a]) ? 0 : region->newest[a];
    }
}

void
judge_excuse_scope(const struct judge *p, const struct scope *s, bool fires)
{
    for (uint32_t i = 0; i < s->count; i++)
        judge_excuse(p, &s->entries[i], fires);
}

/* ---- the rule ---- */

/* The servers that can be compared. */
struct peers {
    uint32_t count;
    double own[ACCESS_COUNT]; /* sums */
    double all[ACCESS_COUNT];
    double floor;
};

static double
own_rate(const struct server *s, enum access access)
{
    return fmax(0, s->rate[access] - s->excused[access]);
}

static bool
is_comparable(const struct judge *p, const struct server *s)
{
    return server_is_live(p->r, s, p->now.mono_ms) && s->judged * 2 >= s->regions;
}

static struct peers
find_peers(const struct judge *p)
{
    const struct rule *rule = &p->r->config->detection.rule;
    struct peers peers = {.floor = rule->min_server_share *
                                   p->load->cluster.mean_server_rate};

    for (uint32_t i = 0; i < p->r->server_slots; i++) {
        const struct server *s = &p->r->servers[i];
        if (!is_comparable(p, s))
            continue;
        peers.count++;
        for (int a = 0; a < ACCESS_COUNT; a++) {
            peers.own[a] += own_rate(s, a);
            peers.all[a] += s->rate[a];
        }
    }
    return peers;
}

static struct verdict
judge_server(const struct judge *p, const struct peers *peers, const struct server *s,
             enum access access)
{
    const struct detection_config *d = &p->r->config->detection;
    double own = own_rate(s, access);
    double baseline = fmax(0, peers->own[access] - own) / (peers->count - 1);
    double limit =
        fmax(d->server_threshold * baseline, fmax(d->server_min_rate, peers->floor));

    return limit_judge(baseline, limit, d->rule.clear_ratio, own,
                       fmax(0, s->newest[access] - s->excused_newest[access]));
}

static void
describe(const struct peers *peers, const struct server *s, struct finding *f)
{
    bool hot_in_all = false;

    f->regions = s->regions;
    f->regions_fresh = s->judged;
    f->last_sample_ms = s->answered_wall_ms;
    f->share = load_ratio(own_rate(s, ACCESS_TOTAL), peers->all[ACCESS_TOTAL]);
    for (int a = 0; a < ACCESS_COUNT; a++) {
        f->rate[a] = own_rate(s, a);
        f->newest[a] = fmax(0, s->newest[a] - s->excused_newest[a]);
        hot_in_all |= s->rate[a] > 0 && s->rate[a] >= f->best[a].verdict.limit;
    }
    /* What it takes beyond its limit is another alert's matter now. */
    f->superseded = f->cool && hot_in_all && s->excused_fires;
}

static void
judge_one(const struct judge *p, const struct peers *peers, uint32_t slot)
{
    struct server *s = &p->r->servers[slot];
    struct verdict v[ACCESS_COUNT];
    bool hot = false;

    for (int a = 0; a < ACCESS_COUNT; a++) {
        v[a] = judge_server(p, peers, s, a);
        hot |= v[a].hot;
    }
    if (s->episode == NO_INDEX && hot)
        detector_open_server(p->d, p->r, slot, p->now);
    if (s->episode == NO_INDEX)
        return;
    struct finding *f = &p->d->episodes[s->episode].finding;
    for (int a = 0; a < ACCESS_COUNT; a++)
        finding_add(f, NO_INDEX, a, &v[a], own_rate(s, a),
                    fmax(0, s->newest[a] - s->excused_newest[a]));
    describe(peers, s, f);
}

/* ---- its hottest regions ---- */

static bool
any_episode(const struct registry *r)
{
    for (uint32_t i = 0; i < r->server_slots; i++)
        if (r->servers[i].facts != NULL && r->servers[i].episode != NO_INDEX)
            return true;
    return false;
}

static void
find_top(const struct judge *p)
{
    for (uint32_t i = 0; i < p->d->entry_count; i++) {
        const struct scope_entry *entry = &p->d->entries[i];
        uint32_t server = p->r->regions[entry->slot].server;
        if (!entry->judged || entry->excused || server == NO_INDEX ||
            !(entry->rate[ACCESS_TOTAL] > 0))
            continue;
        uint32_t episode = p->r->servers[server].episode;
        if (episode != NO_INDEX)
            hottest_offer(&p->d->episodes[episode].finding.top, entry->slot,
                          entry->rate[ACCESS_TOTAL]);
    }
}

void
judge_servers(struct detector *d, struct registry *r, struct load *load,
              struct moment now)
{
    struct judge p = {d, r, load, now};
    struct peers peers = find_peers(&p);

    if (peers.count < 2)
        return;
    for (uint32_t i = 0; i < r->server_slots; i++)
        if (is_comparable(&p, &r->servers[i]))
            judge_one(&p, &peers, i);
    if (any_episode(r))
        find_top(&p);
}
