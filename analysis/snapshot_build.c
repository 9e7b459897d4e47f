/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the state after an evaluation into a snapshot: servers and tables sorted by
 * name, regions in slot order, alerts as people want them. Runs in the engine's thread;
 * the snapshot is not changed afterwards. */
#include "analysis/snapshot_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/table_findings.h"
#include "common/alloc.h"

/* From slots of the registry to indexes of the snapshot; NO_INDEX: not in it. */
struct maps {
    uint32_t *table;
    uint32_t *server;
    uint32_t *region;
};

struct named {
    const char *name;
    uint32_t slot;
};

static int
by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static uint32_t *
make_map(uint32_t slots)
{
    uint32_t *map = xcalloc(slots + 1, sizeof(*map));

    for (uint32_t i = 0; i < slots; i++)
        map[i] = NO_INDEX;
    return map;
}

/* ---- tables ---- */

static enum heat
heat_of(const struct detector *d, uint32_t episode)
{
    if (episode == NO_INDEX)
        return HEAT_NORMAL;
    return d->episodes[episode].alert.state == ALERT_FIRING ? HEAT_FIRING
                                                            : HEAT_PENDING;
}

static void
fill_table(struct table_row *row, const struct table *t, const struct table_view *v)
{
    *row = (struct table_row){
        .facts = table_facts_ref(t->facts),
        .regions = v->known,
        .fresh = v->fresh,
        .effective_regions = distribution_effective(&v->total),
        .skew = distribution_skew(&v->total),
        .hottest = v->hottest, /* a slot until link_hottest() */
        .reads = t->reads,
        .writes = t->writes,
        .ignored = t->ignored,
        .findings = t->findings == NULL ? NULL : table_findings_ref(t->findings),
    };
    memcpy(row->rate, v->rate, sizeof(row->rate));
}

static void
build_tables(struct snapshot *s, const struct detector *d, const struct load *load,
             const struct registry *r, struct maps *m)
{
    struct named *names = xcalloc(r->table_slots + 1, sizeof(*names));
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->table_slots; i++)
        if (r->tables[i].facts != NULL && load->tables[i].known > 0)
            names[n++] = (struct named){r->tables[i].facts->name, i};
    qsort(names, n, sizeof(*names), by_name);
    s->tables = xcalloc(n, sizeof(*s->tables));
    s->table_count = n;
    for (uint32_t i = 0; i < n; i++) {
        fill_table(&s->tables[i], &r->tables[names[i].slot],
                   &load->tables[names[i].slot]);
        s->tables[i].heat = heat_of(d, r->tables[names[i].slot].episode);
        m->table[names[i].slot] = i;
    }
    free(names);
}

/* ---- servers ---- */

static void
fill_server(struct server_row *row, const struct registry *r, const struct server *s,
            const struct cluster_view *c, int64_t now)
{
    double others =
        c->live_servers < 2
            ? NAN
            : (c->mean_server_rate * c->live_servers - s->rate[ACCESS_TOTAL]) /
                  (c->live_servers - 1);

    *row = (struct server_row){
        .facts = server_facts_ref(s->facts),
        .regions = s->regions,
        .skew = load_ratio(s->rate[ACCESS_TOTAL], fmax(0, others)),
        .reads = s->reads,
        .writes = s->writes,
        .cache_hit_ratio = s->cache_hit_ratio,
        .handlers = s->handlers,
        .memstore_limit_bytes = s->memstore_limit_bytes,
        .diagnoses = s->diagnoses,
        .last_success_ms = s->answered_wall_ms,
        .up = s->up && !s->dead && !s->replaced &&
              now - s->answered_mono_ms <= registry_patience_ms(r),
        .dead = s->dead || s->replaced,
        .url = s->url == NULL ? NULL : xstrdup(s->url),
    };
    if (isnan(others))
        row->skew = NAN;
    memcpy(row->rate, s->rate, sizeof(row->rate));
    memcpy(row->signals, s->signals, sizeof(row->signals));
    memcpy(row->signal_rates, s->signal_rates, sizeof(row->signal_rates));
}

static void
build_servers(struct snapshot *s, const struct detector *d, const struct load *load,
              const struct registry *r, struct maps *m)
{
    struct named *names = xcalloc(r->server_slots + 1, sizeof(*names));
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->server_slots; i++)
        if (r->servers[i].facts != NULL)
            names[n++] = (struct named){r->servers[i].facts->text, i};
    qsort(names, n, sizeof(*names), by_name);
    s->servers = xcalloc(n, sizeof(*s->servers));
    s->server_count = n;
    for (uint32_t i = 0; i < n; i++) {
        fill_server(&s->servers[i], r, &r->servers[names[i].slot], &load->cluster,
                    s->at.mono_ms);
        s->servers[i].heat = heat_of(d, r->servers[names[i].slot].episode);
        m->server[names[i].slot] = i;
        s->servers_up += s->servers[i].up;
    }
    free(names);
}

/* ---- regions ---- */

static float
ratio_of(const struct load *load, const struct registry *r, const struct region *region)
{
    double rate = region->rate[ACCESS_TOTAL];
    const struct rule *rule = r->tables[region->table].rule;

    if (!region_is_judged(region))
        return NAN;
    return (float)load_ratio(rate,
                             distribution_baseline(&load->tables[region->table].total,
                                                   rule->baseline, rate));
}

static void
fill_region(struct region_row *row, const struct detector *d, const struct load *load,
            const struct registry *r, const struct region *region, const struct maps *m)
{
    uint32_t host = region_host(r, region);

    *row = (struct region_row){
        .facts = region_facts_ref(region->facts),
        .table = m->table[region->table],
        .server = host == NO_INDEX ? NO_INDEX : m->server[host],
        .ratio = ratio_of(load, r, region),
        .locality = region->locality,
        .size_bytes = region->size_bytes,
        .last_sample_ms = region->sampled_wall_ms,
        .read_count = region->read,
        .write_count = region->write,
        .heat = (uint8_t)heat_of(d, region->episode),
        .stale = !region->fresh,
        .has_counts = (region->known & (SAMPLE_READ | SAMPLE_WRITE)) ==
                      (SAMPLE_READ | SAMPLE_WRITE),
        .in_transition = region->in_transition,
        .no_metrics = region->sampled_mono_ms == NEVER,
    };
    for (int a = 0; a < ACCESS_COUNT; a++)
        row->rate[a] = region_is_judged(region) ? region->rate[a] : NAN;
}

static void
raise_heat(enum heat *heat, uint8_t to)
{
    if (to > *heat)
        *heat = to;
}

static void
build_regions(struct snapshot *s, const struct detector *d, const struct load *load,
              const struct registry *r, struct maps *m)
{
    uint32_t n = 0;

    s->regions = xcalloc(load->cluster.regions, sizeof(*s->regions));
    for (uint32_t i = 0; i < r->region_slots; i++) {
        const struct region *region = &r->regions[i];
        if (region->facts == NULL || region->split)
            continue;
        struct region_row *row = &s->regions[n];
        fill_region(row, d, load, r, region, m);
        raise_heat(&s->tables[row->table].heat, row->heat);
        if (row->server == NO_INDEX)
            s->without_server++;
        else
            raise_heat(&s->servers[row->server].heat, row->heat);
        s->no_metrics += row->no_metrics;
        m->region[i] = n++;
    }
    s->region_count = n;
    for (uint32_t i = 0; i < s->table_count; i++)
        if (s->tables[i].hottest != NO_INDEX)
            s->tables[i].hottest = m->region[s->tables[i].hottest];
}

/* ---- alerts ---- */

static int
as_people_want(const void *a, const void *b)
{
    const struct episode *x = *(const struct episode *const *)a;
    const struct episode *y = *(const struct episode *const *)b;

    if (x->alert.state != y->alert.state)
        return x->alert.state == ALERT_FIRING ? -1 : 1;
    return episode_order(x, y);
}

static void
build_alerts(struct snapshot *s, const struct detector *d)
{
    const struct episode **list = xcalloc(d->episode_slots, sizeof(*list));
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->episode_slots; i++)
        if (d->episodes[i].used)
            list[n++] = &d->episodes[i];
    qsort(list, n, sizeof(*list), as_people_want);
    s->alerts = xcalloc(n, sizeof(*s->alerts));
    s->alert_count = n;
    for (uint32_t i = 0; i < n; i++) {
        alert_copy(&s->alerts[i], &list[i]->alert);
        s->firing += s->alerts[i].state == ALERT_FIRING;
        s->pending += s->alerts[i].state == ALERT_PENDING;
    }
    free(list);
}

struct snapshot *
snapshot_build(const struct detector *d, const struct load *load,
               const struct registry *r, uint64_t number, struct moment now)
{
    struct snapshot *s = xcalloc(1, sizeof(*s));
    struct maps m = {make_map(r->table_slots), make_map(r->server_slots),
                     make_map(r->region_slots)};

    atomic_init(&s->refs, 1);
    s->number = number;
    s->at = now;
    s->window_seconds = (double)registry_window_ms(r) / 1000.0;
    build_tables(s, d, load, r, &m);
    build_servers(s, d, load, r, &m);
    build_regions(s, d, load, r, &m);
    build_alerts(s, d);
    s->fresh = load->cluster.fresh;
    s->active = load->cluster.active;
    s->coverage = s->region_count == 0 ? 0 : (double)s->fresh / s->region_count;
    s->suppressed = d->suppressed;
    free(m.table);
    free(m.server);
    free(m.region);
    return s;
}
