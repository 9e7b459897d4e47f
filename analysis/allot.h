/* SPDX-License-Identifier: Apache-2.0 */
/* Who gets an alert: hands out the places of max_alerts_per_table and max_alerts, and
 * keeps the overflow alerts, which tell how many did not get one. */
#ifndef ANALYSIS_ALLOT_H
#define ANALYSIS_ALLOT_H

#include "analysis/detector.h"
#include "analysis/load.h"
#include "analysis/registry.h"

/* Places for one table. */
struct table_places {
    uint32_t firing; /* alerts about its regions */
    uint32_t pending;
    uint32_t overflow; /* due, but beyond max_alerts_per_table */
    uint32_t hot;      /* of these, now: the others have not cooled for long enough */
};

struct allotment {
    struct detector *d;
    struct registry *r;
    const struct load *load;
    struct moment now;
    struct engine_counters *counters;
    uint32_t firing;        /* alerts, save for the cluster's overflow alert */
    uint32_t left_over;     /* due, but beyond max_alerts */
    double left_over_ratio; /* the highest of them */
    struct hottest left_over_top;
};

/* Fires region episodes that are due; after they were stepped. Finds what is beyond
 * max_alerts_per_table for the tables' overflow alerts, and ends the alerts of tables
 * of which a region fires. */
void allot_regions(struct allotment *a);
/* Fires table and server episodes that are due; after they were stepped. Keeps the
 * cluster's overflow alert. */
void allot_others(struct allotment *a);

#endif
