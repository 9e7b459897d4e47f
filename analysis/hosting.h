/* SPDX-License-Identifier: Apache-2.0 */
/* Which server a region is on, when answers disagree: after a move the old server may
 * list it for some polls more, a closed copy may linger for days, and an alert must not
 * follow either. */
#ifndef ANALYSIS_HOSTING_H
#define ANALYSIS_HOSTING_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/engine.h"
#include "analysis/registry.h"

/* What the handling of one answer needs to know. */
struct answer {
    struct registry *r;
    struct engine_counters *counters;
    uint32_t server;  /* that the regions are listed on */
    uint32_t number;  /* of the answer of its source */
    int64_t clock_ms; /* of its source */
    struct moment received;
};

/* Is the answer's server the host of the region, perhaps from now on? The listing's
 * word counts until something newer speaks against it; then the copy that advances
 * while the other stands still. A region that changes its server has no counters any
 * more, save those that its new server told in the answer before. Otherwise the sample
 * is kept as a twin's. */
bool hosting_accepts(const struct answer *a, uint32_t region,
                     const struct region_sample *sample);

#endif
