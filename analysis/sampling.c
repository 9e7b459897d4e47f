/* SPDX-License-Identifier: Apache-2.0 */
/* Samples to pairs. Works on the registry only; nothing of a message is kept. */
#include "analysis/sampling.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hosting.h"
#include "common/alloc.h"

/* ---- time between two answers of a server ---- */

static int
compare_i64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Median growth of lastMajorCompactionAge over the regions probed both times; regions
 * that compacted in between shrank and are left out. False if none is left. */
static bool
probed_time(const struct server *s, const struct server_poll *p, int64_t *ret_dt)
{
    int64_t dt[AGE_PROBES];
    size_t n = 0;

    for (size_t i = 0, j = 0; i < s->probe_count && j < p->probe_count;) {
        int order = region_id_compare(s->probes[i].id, p->probes[j].id);
        if (order == 0 && s->probes[i].age_ms >= 0 &&
            p->probes[j].age_ms >= s->probes[i].age_ms)
            dt[n++] = p->probes[j].age_ms - s->probes[i].age_ms;
        i += order <= 0;
        j += order >= 0;
    }
    if (n == 0)
        return false;
    qsort(dt, n, sizeof(dt[0]), compare_i64);
    *ret_dt = dt[n / 2];
    return true;
}

/* The same regions with the same counters as before. */
static bool
nothing_moved(const struct registry *r, uint32_t server, const struct server_poll *p)
{
    for (size_t i = 0; i < p->region_count; i++) {
        const struct region_sample *sample = &p->regions[i];
        uint32_t slot = registry_find_region(r, sample->id);
        if (slot == NO_INDEX)
            return false;
        const struct region *region = &r->regions[slot];
        if (region->server != server || region->known != (sample->known & 7) ||
            region->read != sample->read || region->write != sample->write)
            return false;
    }
    return true;
}

/* Time since the server's last accepted answer; 0: this is the same answer again, or
 * one that was overtaken by a newer. */
static int64_t
elapsed(const struct registry *r, uint32_t slot, const struct server_poll *p)
{
    const struct server *s = &r->servers[slot];
    int64_t ours = p->received.mono_ms - s->sampled_mono_ms;
    int64_t theirs;

    if (ours < 0)
        return 0;
    if (s->abs_ms >= 0 && p->server_time_ms >= 0)
        theirs = p->server_time_ms - s->abs_ms;
    else if (!probed_time(s, p, &theirs))
        return ours < CACHE_MS && nothing_moved(r, slot, p) ? 0 : ours;
    if (theirs == 0)
        return 0;
    return theirs < 0 || llabs(theirs - ours) > CLOCK_TOLERANCE_MS ? ours : theirs;
}

/* ---- pairs ---- */

static unsigned
window_slots(const struct registry *r)
{
    int64_t n = registry_window_ms(r) / r->cadence_ms + 3;

    return (unsigned)(n < 4 ? 4 : n > WINDOW_PAIRS_MAX ? WINDOW_PAIRS_MAX : n);
}

/* The idle time before the first traffic, as the zero pairs that were not stored. */
static void
push_idle_past(const struct region *region, struct window *w, unsigned slots)
{
    struct pair zero = {.dt_ms = region->pair_dt_ms, .valid = region->pair_valid};

    if (region->paired_from_ms == NEVER)
        return;
    int64_t idle = region->sampled_mono_ms - region->paired_from_ms;
    int64_t n = (idle + zero.dt_ms / 2) / zero.dt_ms;
    for (n = n > slots ? slots : n; n > 0; n--) {
        zero.end_ms = region->sampled_mono_ms - (n - 1) * zero.dt_ms;
        window_push(w, &zero);
    }
}

/* The region's window with room for what detection.window holds, made if need be. */
static void
make_room(struct registry *r, struct region *region)
{
    unsigned slots = window_slots(r);

    r->window_bytes -= window_bytes(region->window);
    if (region->window == NULL) {
        region->window = window_create(slots);
        push_idle_past(region, region->window, slots);
    } else {
        region->window = window_grow(region->window, slots);
    }
    r->window_bytes += window_bytes(region->window);
}

static void
push_pair(struct registry *r, struct region *region, const struct pair *pair)
{
    bool traffic = pair->read != 0 || pair->write != 0 || pair->total != 0;

    if (traffic || region->window != NULL) {
        make_room(r, region);
        window_push(region->window, pair);
    }
    if (region->paired_from_ms == NEVER)
        region->paired_from_ms = pair->end_ms - pair->dt_ms;
    if (traffic)
        region->traffic_mono_ms = pair->end_ms;
    region->advanced = traffic;
    region->pair_dt_ms = pair->dt_ms;
    region->pair_valid = pair->valid;
}

/* One counter's growth; false (and counted) if it fell or leapt beyond belief. */
static bool
growth(const struct answer *a, uint64_t before, uint64_t now, uint32_t dt_ms,
       uint64_t *ret_delta)
{
    if (now < before) {
        a->counters->resets++;
        return false;
    }
    if ((double)(now - before) / dt_ms * 1000.0 > RATE_IMPLAUSIBLE) {
        a->counters->invalid_samples++;
        return false;
    }
    *ret_delta = now - before;
    return true;
}

/* The pair between what the region has and the new sample. */
static struct pair
make_pair(const struct answer *a, const struct region *region,
          const struct region_sample *sample, int64_t dt_ms)
{
    struct pair pair = {.end_ms = a->received.mono_ms};
    uint8_t both = region->known & sample->known;

    pair.dt_ms = dt_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)dt_ms;
    if ((both & SAMPLE_READ) &&
        growth(a, region->read, sample->read, pair.dt_ms, &pair.read))
        pair.valid |= PAIR_READ;
    if ((both & SAMPLE_WRITE) &&
        growth(a, region->write, sample->write, pair.dt_ms, &pair.write))
        pair.valid |= PAIR_WRITE;
    if ((both & SAMPLE_TOTAL) &&
        growth(a, region->total, sample->total, pair.dt_ms, &pair.total))
        pair.valid |= PAIR_TOTAL;
    return pair;
}

static void
account(const struct answer *a, const struct region *region, const struct pair *pair)
{
    struct server *s = &a->r->servers[a->server];
    struct table *t = &a->r->tables[region->table];

    s->reads += pair->read;
    s->writes += pair->write;
    t->reads += pair->read;
    t->writes += pair->write;
}

static void
store_counters(struct region *region, const struct region_sample *sample,
               int64_t clock_ms)
{
    region->read = sample->read;
    region->write = sample->write;
    region->total = sample->total;
    region->known = sample->known & 7;
    region->clock_ms = clock_ms;
}

/* Answers lay in between that did not list it: it may have been elsewhere and be back
 * with counters that began anew. */
static bool
was_away(const struct answer *a, const struct region *region)
{
    return region->poll != a->number && region->poll + 1 != a->number;
}

/* Only listed so far: its time begins now. */
static void
note_first_sample(struct region *region, int64_t now)
{
    if (region->traffic_mono_ms == region->first_mono_ms)
        region->traffic_mono_ms = now;
    region->first_mono_ms = now;
}

/* The region is on the answer's server: pair the sample with the one before. */
static void
measure(const struct answer *a, struct region *region,
        const struct region_sample *sample)
{
    int64_t dt_ms = a->clock_ms - region->clock_ms;

    if (was_away(a, region)) {
        region_restart_window(a->r, region);
        region->known = 0;
    }
    region->poll = a->number;
    region->split = false;
    if ((sample->known & SAMPLE_INVALID) || (sample->known & 7) == 0)
        return;
    if (region->known == 0) {
        a->counters->baselines++;
    } else if (dt_ms > 0) {
        struct pair pair = make_pair(a, region, sample, dt_ms);
        if (pair.valid == 0) {
            region_restart_window(a->r, region);
        } else {
            push_pair(a->r, region, &pair);
            account(a, region, &pair);
        }
    }
    if (region->sampled_mono_ms == NEVER)
        note_first_sample(region, a->received.mono_ms);
    store_counters(region, sample, a->clock_ms);
    region->sampled_mono_ms = a->received.mono_ms;
    region->sampled_wall_ms = a->received.wall_ms;
    a->counters->samples++;
}

void
sampling_apply_sample(const struct answer *a, uint32_t region,
                      const struct region_sample *sample)
{
    if (hosting_accepts(a, region, sample))
        measure(a, &a->r->regions[region], sample);
}

/* The tables of a message; a slot is looked up when a new region asks for it. */
struct table_names {
    char **names;
    uint32_t *slots;
};

static uint32_t
table_slot(struct registry *r, const struct table_names *t, uint32_t i)
{
    if (t->slots[i] == NO_INDEX)
        t->slots[i] = registry_table(r, t->names[i]);
    return t->slots[i];
}

static void
apply_sample(const struct answer *a, const struct table_names *tables,
             const struct region_sample *sample)
{
    struct registry *r = a->r;
    uint32_t slot = registry_find_region(r, sample->id);

    if (slot == NO_INDEX) {
        slot = registry_add_region(r, sample->id, table_slot(r, tables, sample->table),
                                   sample->replica, a->received.mono_ms);
        if (slot == NO_INDEX)
            return;
        r->regions[slot].born = r->servers[a->server].polls > 1;
    }
    sampling_apply_sample(a, slot, sample);
}

/* ---- answers ---- */

/* Block-cache hits of the time between two answers; NaN without reads. */
static double
hit_ratio(const double rates[static SIGNAL_COUNT])
{
    double hits = rates[SIGNAL_CACHE_HITS], misses = rates[SIGNAL_CACHE_MISSES];

    return hits + misses > 0 ? hits / (hits + misses) : NAN;
}

/* Counters as rates per second of the server's own time; NaN for what is none, was not
 * in both answers, fell, or leapt beyond belief. */
static void
signal_rates(struct server *s, const double now[SIGNAL_COUNT], int64_t dt_ms)
{
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        double rate = (now[i] - s->signals[i]) * 1000 / (double)dt_ms;
        bool known = signal_is_counter((enum signal)i) && dt_ms > 0 && rate >= 0 &&
                     rate <= RATE_IMPLAUSIBLE;
        s->signal_rates[i] = known ? rate : NAN;
    }
}

/* The server is known by another address that still answers, or is about to: what two
 * of them show need not be of the same time, so that one is read. */
static bool
is_second_address(const struct registry *r, const struct server *s,
                  const struct server_poll *p)
{
    return s->up && s->url != NULL && p->url != NULL && strcmp(s->url, p->url) != 0 &&
           p->received.mono_ms - s->answered_mono_ms <=
               r->config->poll.interval_ms / 4 * 5;
}

static void
note_answer(struct server *s, const struct server_poll *p)
{
    if (p->received.mono_ms < s->answered_mono_ms)
        return;
    if (p->url != NULL && (s->url == NULL || strcmp(s->url, p->url) != 0)) {
        free(s->url);
        s->url = xstrdup(p->url);
    }
    s->up = true;
    s->dead = false;
    s->answered_mono_ms = s->heard_mono_ms = p->received.mono_ms;
    s->answered_wall_ms = p->received.wall_ms;
}

/* The new answer becomes what the next one is compared with. */
static void
accept_answer(struct registry *r, uint32_t slot, const struct server_poll *p,
              int64_t dt_ms)
{
    struct server *s = &r->servers[slot];

    assert(p->probe_count <= AGE_PROBES);
    s->clock_ms += dt_ms;
    s->polls++;
    s->abs_ms = p->server_time_ms;
    s->sampled_mono_ms = p->received.mono_ms;
    memcpy(s->probes, p->probes, p->probe_count * sizeof(p->probes[0]));
    s->probe_count = p->probe_count;
    signal_rates(s, p->signals, dt_ms);
    s->cache_hit_ratio = hit_ratio(s->signal_rates);
    memcpy(s->signals, p->signals, sizeof(s->signals));
    if (s->replaced)
        registry_claim_address(r, slot, p->received.mono_ms);
}

/* A target without data: the server it was last known as is not up. */
static void
note_failure(struct registry *r, const struct server_poll *p)
{
    for (uint32_t i = 0; i < r->server_slots && p->url != NULL; i++) {
        struct server *s = &r->servers[i];
        if (s->facts != NULL && s->url != NULL && strcmp(s->url, p->url) == 0)
            s->up = p->outcome == POLL_NO_DATA && s->up;
    }
}

static void
apply_regions(const struct answer *a, const struct server_poll *p)
{
    struct table_names tables = {p->tables,
                                 xcalloc(p->table_count, sizeof(*tables.slots))};

    for (size_t i = 0; i < p->table_count; i++)
        tables.slots[i] = NO_INDEX;
    for (size_t i = 0; i < p->region_count; i++) {
        assert(p->regions[i].table < p->table_count);
        apply_sample(a, &tables, &p->regions[i]);
    }
    free(tables.slots);
}

void
sampling_apply_poll(struct registry *r, const struct server_poll *p,
                    struct engine_counters *counters)
{
    if (p->outcome != POLL_OK || p->server == NULL) {
        note_failure(r, p);
        return;
    }
    uint32_t slot = registry_server(r, p->server, p->received.mono_ms);
    if (slot == NO_INDEX)
        return;
    struct server *s = &r->servers[slot];
    if (is_second_address(r, s, p)) {
        counters->repeated_polls++;
        return;
    }
    note_answer(s, p);

    bool first = s->sampled_mono_ms == NEVER;
    int64_t dt_ms = first ? 0 : elapsed(r, slot, p);
    if (!first && dt_ms <= 0) {
        counters->repeated_polls++;
        return;
    }
    accept_answer(r, slot, p, dt_ms);
    counters->invalid_samples += p->invalid_values;
    struct answer answer = {r,           counters,   slot, (uint32_t)s->polls,
                            s->clock_ms, p->received};
    apply_regions(&answer, p);
}
