/* SPDX-License-Identifier: Apache-2.0 */
/* The load of tables, servers and the cluster as of an evaluation: window rates of the
 * regions and their sums. Owned by the engine; recomputed whole each time. */
#ifndef ANALYSIS_LOAD_H
#define ANALYSIS_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/distribution.h"
#include "analysis/registry.h"

/* One table in the last evaluation, by table slot. */
struct table_view {
    uint32_t known; /* regions, split parents left out */
    uint32_t fresh;
    uint32_t primaries; /* of those known */
    double rate[ACCESS_COUNT];
    double newest[ACCESS_COUNT]; /* of the newest pairs */
    double primary_rate[ACCESS_COUNT];
    double primary_newest[ACCESS_COUNT];
    struct distribution total; /* of the primaries that were judged */
    uint32_t hottest;          /* region slot; NO_INDEX */
};

/* The cluster in the last evaluation. */
struct cluster_view {
    uint32_t regions; /* known */
    uint32_t fresh;
    uint32_t active;
    double rate[ACCESS_COUNT]; /* of the judged primaries, meta left out */
    uint32_t judged[ACCESS_COUNT];
    uint32_t live_servers;   /* with fresh samples */
    double mean_server_rate; /* total rate of the live servers / their number */
};

struct load {
    struct table_view *tables; /* by table slot */
    size_t table_cap;
    struct cluster_view cluster;
};

/* Frees; a zeroed struct load is empty. */
void load_finish(struct load *load);

/* Sets rate, newest and fresh of every region, the rates of servers and the views (save
 * for table_view.total, which the detector fills). */
void load_measure(struct load *load, struct registry *r, struct moment now);

/* Can be compared now: fresh and with a rate. */
static inline bool
region_is_judged(const struct region *region)
{
    return region->fresh && region->rate[ACCESS_TOTAL] >= 0; /* false for NaN */
}

/* Has answered lately and may serve. */
static inline bool
server_is_live(const struct registry *r, const struct server *s, int64_t mono_ms)
{
    return s->facts != NULL && !s->dead && !s->replaced &&
           s->sampled_mono_ms != NEVER &&
           mono_ms - s->sampled_mono_ms <= registry_patience_ms(r);
}

/* May the region of a single-region table be compared with it? */
static inline bool
load_is_peer(const struct registry *r, const struct region *region)
{
    return region->replica == 0 && !r->tables[region->table].is_meta;
}

#endif
