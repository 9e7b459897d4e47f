/* SPDX-License-Identifier: Apache-2.0 */
/* A region's history as points in wall-clock time. Reads only. */
#ifndef ANALYSIS_SERIES_H
#define ANALYSIS_SERIES_H

#include "analysis/engine.h"
#include "analysis/registry.h"

/* As engine_series(), of a region's slot. Any times and steps will do. */
size_t series_read(const struct registry *r, uint32_t region, int64_t from_ms,
                   int64_t to_ms, int64_t step_ms, struct series_point *points,
                   size_t max);

#endif
