/* SPDX-License-Identifier: Apache-2.0 */
/* What one evaluation found about the subject of an episode: the verdict by each
 * access, and the figures that its evidence is made of. Plain values of the detector's.
 */
#ifndef ANALYSIS_FINDING_H
#define ANALYSIS_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/distribution.h"
#include "analysis/registry.h"
#include "analysis/snapshot.h"

/* The verdict by one access: about the hottest member, or the table or server. */
struct finding_entry {
    bool judged;
    uint32_t region; /* slot of the member; NO_INDEX: the subject is no region */
    double rate;
    double newest;
    struct verdict verdict;
};

/* Slots of the hottest regions by total rate, the hottest first. */
struct hottest {
    uint32_t count;
    uint32_t region[ALERT_TOP_MAX];
    double rate[ALERT_TOP_MAX];
};

struct finding {
    bool judged; /* the subject (some member) could be judged */
    bool blind;  /* but only by the limit of the last time that its table was seen */
    bool hot;    /* by any access */
    bool cool;   /* everything judged, by every access */
    bool superseded; /* its load is told of by other alerts that fire */
    struct finding_entry best[ACCESS_COUNT];
    /* For the evidence. */
    uint32_t regions; /* known: of the table, or on the server */
    uint32_t regions_fresh;
    uint32_t hot_regions; /* overflow: without an alert of their own */
    double effective_regions[ACCESS_COUNT];
    double rate[ACCESS_COUNT]; /* of the table or server */
    double newest[ACCESS_COUNT];
    double share;           /* of the cluster's requests, for servers */
    int64_t last_sample_ms; /* of a table or server, wall clock */
    struct hottest top;     /* of a table or server */
};

void finding_reset(struct finding *f);
/* Takes a verdict by one access into account. region: NO_INDEX for tables, servers. */
void finding_add(struct finding *f, uint32_t region, enum access access,
                 const struct verdict *v, double rate, double newest);
/* The access that says most: hot before not, then the higher ratio; the total only
 * where it beats both of its parts. */
enum access finding_hottest_access(const struct finding *f);

/* Keeps the region if it is among the ALERT_TOP_MAX hottest offered. */
void hottest_offer(struct hottest *h, uint32_t region, double rate);

#endif
