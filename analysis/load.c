/* SPDX-License-Identifier: Apache-2.0 */
/* Walks all regions once: rates, freshness, and the sums of tables, servers and
 * cluster. */
#include "analysis/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

void
load_finish(struct load *load)
{
    free(load->tables);
    *load = (struct load){0};
}

/* The newest rates; a counter that skipped its newest pair keeps the one before. */
static void
newest_rates(const struct region *region, double ret_rate[static ACCESS_COUNT])
{
    double before[ACCESS_COUNT];

    struct pair last = region_last_pair(region);
    pair_rates(&last, ret_rate);
    if (region->window == NULL || !isnan(ret_rate[ACCESS_TOTAL]))
        return;
    window_newest(region->window, before);
    for (int a = 0; a < ACCESS_COUNT; a++)
        if (isnan(ret_rate[a]))
            ret_rate[a] = before[a];
}

/* The mean rates over the window, which is freed when only zeros are left in it. */
static void
window_means(struct registry *r, struct region *region, int64_t now,
             double rate[static ACCESS_COUNT])
{
    int64_t from = now - registry_window_ms(r);

    if (window_rates(region->window, from, rate))
        return;
    r->window_bytes -= window_bytes(region->window);
    region->window = window_destroy(region->window);
    if (region->paired_from_ms < from)
        region->paired_from_ms = from;
}

/* A region that its server lists no more is unknown at once; one whose server is silent
 * after the patience. */
static void
measure_region(struct registry *r, struct region *region, int64_t now)
{
    double rate[ACCESS_COUNT] = {NAN, NAN, NAN}, newest[ACCESS_COUNT] = {NAN, NAN, NAN};

    region->fresh = !region->split && region_in_answer(r, region) &&
                    now - region->sampled_mono_ms <= registry_patience_ms(r);
    if (region->paired_from_ms != NEVER) {
        newest_rates(region, newest);
        memcpy(rate, newest, sizeof(rate));
    }
    if (region->window != NULL)
        window_means(r, region, now, rate);
    for (int a = 0; a < ACCESS_COUNT; a++) {
        region->rate[a] = (float)rate[a];
        region->newest[a] = (float)newest[a];
    }
}

static void
measure_servers(struct load *load, struct registry *r, int64_t now)
{
    double sum = 0;

    for (uint32_t i = 0; i < r->server_slots; i++) {
        const struct server *s = &r->servers[i];
        if (!server_is_live(r, s, now))
            continue;
        load->cluster.live_servers++;
        sum += s->rate[ACCESS_TOTAL];
    }
    load->cluster.mean_server_rate =
        load->cluster.live_servers == 0 ? 0 : sum / load->cluster.live_servers;
}

static void
add_rates(double to[static ACCESS_COUNT], const float rate[static ACCESS_COUNT])
{
    for (int a = 0; a < ACCESS_COUNT; a++)
        if (!isnan(rate[a]))
            to[a] += rate[a];
}

/* One region into the sums of its table, its server and the cluster. */
static void
sum_region(struct load *load, struct registry *r, uint32_t slot)
{
    const struct region *region = &r->regions[slot];
    struct table_view *t = &load->tables[region->table];

    t->known++;
    t->primaries += region->replica == 0;
    load->cluster.regions++;
    uint32_t host = region_host(r, region);
    if (host != NO_INDEX)
        r->servers[host].regions++;
    if (region->fresh) {
        t->fresh++;
        load->cluster.fresh++;
    }
    if (!region_is_judged(region))
        return;
    add_rates(t->rate, region->rate);
    load->cluster.active += region->rate[ACCESS_TOTAL] > 0;
    add_rates(t->newest, region->newest);
    if (region->replica == 0) {
        add_rates(t->primary_rate, region->rate);
        add_rates(t->primary_newest, region->newest);
    }
    if (region->server != NO_INDEX) {
        struct server *s = &r->servers[region->server];
        s->judged++;
        add_rates(s->rate, region->rate);
        add_rates(s->newest, region->newest);
    }
    if (t->hottest == NO_INDEX ||
        region->rate[ACCESS_TOTAL] > r->regions[t->hottest].rate[ACCESS_TOTAL])
        t->hottest = slot;
    for (int a = 0; a < ACCESS_COUNT && load_is_peer(r, region); a++) {
        if (isnan(region->rate[a]))
            continue;
        load->cluster.rate[a] += region->rate[a];
        load->cluster.judged[a]++;
    }
}

static void
forget_load(struct server *s)
{
    s->regions = s->judged = 0;
    for (int a = 0; a < ACCESS_COUNT; a++)
        s->rate[a] = s->newest[a] = s->excused[a] = s->excused_newest[a] = 0;
    s->excused_fires = false;
}

void
load_measure(struct load *load, struct registry *r, struct moment now)
{
    load->cluster = (struct cluster_view){0};
    xgrow(&load->tables, &load->table_cap, r->table_slots + 1, sizeof(*load->tables));
    for (uint32_t i = 0; i < r->table_slots; i++)
        load->tables[i] = (struct table_view){.hottest = NO_INDEX};
    for (uint32_t i = 0; i < r->server_slots; i++)
        forget_load(&r->servers[i]);
    for (uint32_t i = 0; i < r->region_slots; i++) {
        if (r->regions[i].facts == NULL)
            continue;
        measure_region(r, &r->regions[i], now.mono_ms);
        if (!r->regions[i].split)
            sum_region(load, r, i);
    }
    measure_servers(load, r, now.mono_ms);
}
