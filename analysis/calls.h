/* SPDX-License-Identifier: Apache-2.0 */
/* Rows per call of the regions that are looked at closer: a scan reads many rows with
 * one call, a get one. From two details of the same server start: rows scanned / (gets
 * + scanner calls) in between. Rows scanned are the rows read without those of gets and
 * of calls that read in order to write (increment, append, check and put: HBase counts
 * them as reads, too, but neither as gets nor as scans), which are no more than the
 * rows written; so the figure is a lower bound. Bounded; owned by the engine. */
#ifndef ANALYSIS_CALLS_H
#define ANALYSIS_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "collectors/sample.h"

enum {
    CALLS_REGIONS_MAX = 1024,       /* more are not kept */
    CALLS_KEPT_MS = 15 * 60 * 1000, /* after the newest detail */
    CALLS_PAIR_MAX_MS = 5 * 60 * 1000,
};

/* One region: the newest counters and what they grew by. */
struct region_calls {
    struct region_id id;
    uint32_t server;
    int64_t start_code;
    struct operation_sample newest;
    int64_t mono_ms;
    /* Of the newest pair with calls; NaN before. Calls and rows scanned per second. */
    double rows_per_call;
    double gets_rate;
    double scans_rate;
    double rows_rate;
    int64_t pair_ms; /* its end; -1 none */
};

struct calls {
    struct region_calls *regions;
    size_t count, cap;
};

/* Frees; a zeroed struct is empty. */
void calls_finish(struct calls *c);
/* Takes in a detail of the server (its slot and start code). Counters that fell begin
 * anew. */
void calls_apply(struct calls *c, uint32_t server, int64_t start_code,
                 const struct server_detail *detail);
/* Forgets what was not heard of lately. */
void calls_expire(struct calls *c, int64_t mono_ms);
/* The region's calls with a pair, or NULL. */
const struct region_calls *calls_find(const struct calls *c, struct region_id id);

#endif
