/* SPDX-License-Identifier: Apache-2.0 */
/* Splits and merges: which new regions come from which vanished ones. Daughters inherit
 * history and the episode; of two merged regions the older episode goes on.
 *
 * With keys: a new region that begins inside a vanished, older one and ends in it is
 * its daughter; one that spans two or more vanished ones is their merge; one with the
 * very keys of a vanished one takes its place and inherits nothing. Without keys
 * (no listing, or names that the source prints lossily): one region of a table vanished
 * and two new ones came is a split; two and one a merge. */
#ifndef ANALYSIS_LINEAGE_H
#define ANALYSIS_LINEAGE_H

#include "analysis/detector.h"
#include "analysis/registry.h"

/* Looks at the regions first seen lately; call before load_measure(). */
void lineage_update(struct detector *d, struct registry *r, struct moment now,
                    struct engine_counters *counters);

#endif
