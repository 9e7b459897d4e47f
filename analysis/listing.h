/* SPDX-License-Identifier: Apache-2.0 */
/* What a listing of regions teaches the registry: keys, places, sizes; and counters,
 * where listings are the only source. */
#ifndef ANALYSIS_LISTING_H
#define ANALYSIS_LISTING_H

#include "analysis/engine.h"
#include "analysis/registry.h"

/* Takes in all rows but their counters. Regions of a table that was listed before are
 * `born`. */
void listing_learn(struct registry *r, const struct listing *listing);

/* The counters of a listing that was learnt. Each table in it has a clock of its own,
 * since listings may be of single tables; as_of_ms >= 0, the same one is no sample. */
void listing_sample(struct registry *r, const struct listing *listing,
                    struct engine_counters *counters);

#endif
