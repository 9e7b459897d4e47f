/* SPDX-License-Identifier: Apache-2.0 */
/* /metrics as one text, rendered by the main thread at each evaluation. */
#ifndef DAEMON_METRICS_H
#define DAEMON_METRICS_H

#include <stdint.h>

#include "analysis/engine.h"
#include "common/buf.h"
#include "daemon/exports.h"
#include "daemon/histogram.h"
#include "daemon/http_stats.h"
#include "daemon/procfs.h"
#include "daemon/targets.h"
#include "daemon/view.h"

/* What the main thread counts itself. */
struct poll_stats {
    uint64_t rounds;
    uint64_t polls;
    uint64_t failures[POLL_OUTCOME_COUNT];
    uint64_t skipped;
    uint64_t bytes;
    uint64_t source_failures[TARGET_KIND_COUNT];
    struct histogram duration;
    double evaluation_seconds;
    int64_t last_listing_ms; /* wall clock; 0 never */
    uint64_t skipped_lines;  /* of listings */
    bool reload_ok;
    int64_t reload_success_ms; /* wall clock */
};

struct metrics_input {
    const struct view *view; /* config, snapshot, targets and status are filled */
    const struct exports *exports;
    const struct poll_stats *polls;
    const struct http_stats *http;
    struct engine_counters engine;
    struct process_stats process;
};

/* Appends the exposition to *out. Returns the number of samples. */
uint64_t metrics_render(const struct metrics_input *in, struct buf *out);

#endif
