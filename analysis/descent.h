/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a region's history and episode when others take its place. Who they
 * are is decided in analysis/lineage.c. One cause, one alert: where an heir became hot
 * before its origin was known, the two episodes are joined. */
#ifndef ANALYSIS_DESCENT_H
#define ANALYSIS_DESCENT_H

#include "analysis/detector.h"
#include "analysis/registry.h"

/* An evaluation's tools, handed down. */
struct descent {
    struct detector *d;
    struct registry *r;
    struct moment now;
    struct engine_counters *counters;
};

/* The daughter inherits from its parent and joins its episode; called for each daughter
 * as it is found. */
void descent_split(struct descent *m, uint32_t parent, uint32_t daughter);
/* Up to ALERT_MEMBERS_MAX parents became one: the older of their episodes goes on, the
 * other ends as merged. */
void descent_merge(struct descent *m, const uint32_t *parents, uint32_t count,
                   uint32_t merged);
/* The same keys anew: the table was truncated, or dropped and made again. What was is
 * over. */
void descent_replace(struct descent *m, uint32_t old, uint32_t heir);
/* The parent of a split that was undone is heard of again: it belongs to its episode.
 */
void descent_undo(struct descent *m, uint32_t parent);

#endif
