/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSIS_SNAPSHOT_BUILD_H
#define ANALYSIS_SNAPSHOT_BUILD_H

#include "analysis/detector.h"
#include "analysis/load.h"
#include "analysis/registry.h"
#include "analysis/snapshot.h"

/* What the detector and the registry hold after an evaluation, as a snapshot with one
 * reference. */
struct snapshot *snapshot_build(const struct detector *d, const struct load *load,
                                const struct registry *r, uint64_t number,
                                struct moment now);

#endif
