/* SPDX-License-Identifier: Apache-2.0 */
/* A region's history as points in wall-clock time. Reads only. */
#ifndef ANALYSIS_SERIES_H
#define ANALYSIS_SERIES_H

#include "analysis/engine.h"
#include "analysis/registry.h"

/* Milliseconds since the clock's anchor for a wall-clock time; between -1 (before it)
 * and the end of the newest raw slot. */
int64_t series_offset(const struct history_clock *c, int64_t wall_ms);
/* The finest tier that reaches back to `from` (since the anchor) and is not finer than
 * asked. A tier that still holds all since the start reaches back as far as any. */
int series_tier(const struct history_clock *c, int64_t from, int64_t step_ms);
/* The oldest slot that the tier keeps. */
int64_t series_oldest(const struct history_clock *c, int tier);

/* As engine_series(), of a region's slot. Any times and steps will do. */
size_t series_read(const struct registry *r, uint32_t region, int64_t from_ms,
                   int64_t to_ms, int64_t step_ms, struct series_point *points,
                   size_t max);

#endif
