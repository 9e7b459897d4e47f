/* SPDX-License-Identifier: Apache-2.0 */
/* From samples to pairs: decides whether an answer is new, how much time lies between
 * two samples, which server a region is on, and what its counters grew by.
 *
 * A counter belongs to a (region, server start): the first value of a pair is a
 * baseline, never a rate; a counter that fell skips the pair. Time between two answers
 * of a server is taken from its own clock (HBase's lastMajorCompactionAge; hbase
 * MetricsRegionWrapperImpl.java) when that agrees with ours within 15 s. */
#ifndef ANALYSIS_SAMPLING_H
#define ANALYSIS_SAMPLING_H

#include "analysis/engine.h"
#include "analysis/hosting.h"
#include "analysis/registry.h"

/* A region's rate above this is taken for a counter that was replaced, not for load. */
#define RATE_IMPLAUSIBLE 1e8

/* An answer without any clock counts as repeated for this long when nothing in it
 * moved: HBase's metrics cache (10,001 ms) and some slack. */
enum { CACHE_MS = 10500, CLOCK_TOLERANCE_MS = 15000 };

void sampling_apply_poll(struct registry *r, const struct server_poll *poll,
                         struct engine_counters *counters);

/* One region's counters in an answer or a listing that is new: a pair, if its server is
 * the region's host and there is something to pair them with. */
void sampling_apply_sample(const struct answer *answer, uint32_t region,
                           const struct region_sample *sample);

#endif
