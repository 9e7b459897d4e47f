/* SPDX-License-Identifier: Apache-2.0 */
/* Which servers are to be looked at closer: those with a pending or firing alert, and
 * on which of them rows are to be sampled. */
#ifndef ANALYSIS_FOCUS_H
#define ANALYSIS_FOCUS_H

#include "analysis/detector.h"
#include "analysis/registry.h"
#include "collectors/sample.h"

enum {
    FOCUS_SERVERS_MAX = 64,
    FOCUS_REGIONS_MAX = 64,         /* of one server */
    FOCUS_TURN_MS = 10 * 60 * 1000, /* between two sessions on a server; less */
    FOCUS_RETRY_MS =
        2 * 60 * 1000,  /* while an alert has too few rows to be judged by */
    FOCUS_SAMPLES = 64, /* younger than a turn are enough */
};

/* After an evaluation: gives each server whose alerts need samples a new turn. */
void focus_give_turns(const struct detector *d, struct registry *r, int64_t mono_ms);
/* The focus as of the evaluation at mono_ms. The caller frees it. */
struct focus *focus_make(const struct detector *d, const struct registry *r,
                         int64_t mono_ms);

#endif
