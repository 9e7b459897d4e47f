/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis as one object: samples and listings in, snapshots and events out. Pure:
 * no I/O, no clock, no threads; the same calls give the same result, bit for bit.
 *
 * One thread calls all of it, save for engine_series() and the heat map's portions
 * (analysis/heatmap.h), which any thread may call: the
 * caller holds a read-write lock for reading around that, and for writing around every
 * call that is not const. */
#ifndef ANALYSIS_ENGINE_H
#define ANALYSIS_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/snapshot.h"
#include "collectors/sample.h"
#include "common/clock.h"
#include "config/config.h"

struct engine;

/* config is read at each call and must stay valid until the next engine_configure(). */
struct engine *engine_create(const struct config *config);
/* Accepts NULL; returns NULL. Snapshots may outlive it. */
struct engine *engine_destroy(struct engine *e);
/* A new configuration is in force. At the next evaluation alerts whose table is ignored
 * now, or whose severity or labels would be others, end with END_RULE_CHANGED; all
 * other episodes go on. A history tier whose form changed loses what it holds. */
void engine_configure(struct engine *e, const struct config *config);

/* Each takes what a message holds; nothing of it is kept. */
void engine_apply_poll(struct engine *e, const struct server_poll *poll);
void engine_apply_cluster(struct engine *e, const struct cluster_state *cluster);
void engine_apply_listing(struct engine *e, const struct listing *listing);
void engine_apply_detail(struct engine *e, const struct server_detail *detail);
void engine_apply_rows(struct engine *e, const struct row_samples *rows);

/* Rates, rules, episodes as of `now`. Returns a snapshot with one reference, the
 * caller's. */
struct snapshot *engine_evaluate(struct engine *e, struct moment now);

/* What happened in the last evaluation; valid until the next. */
struct engine_event {
    enum event_kind kind;
    int64_t time_ms; /* wall clock */
    const struct alert *alert;
};
const struct engine_event *engine_events(const struct engine *e, size_t *ret_count);

/* Writes the rates of the last evaluation into the history tiers. */
void engine_record_history(struct engine *e, struct moment now);

/* One point of a series; NaN where unknown. */
struct series_point {
    int64_t time_ms;
    float read;
    float write;
};
/* History of a region between from and to (wall ms, inclusive of slots that begin
 * there) in steps of step_ms (0: the finest tier that reaches back to `from`). Fills at
 * most max points and returns their number; SIZE_MAX if the region is not known. */
size_t engine_series(const struct engine *e, struct region_id id, int64_t from_ms,
                     int64_t to_ms, int64_t step_ms, struct series_point *points,
                     size_t max);

/* What the daemon should ask for, as of the last evaluation. */
struct engine_wants {
    bool listing;        /* regions without keys or host were seen, or on two servers */
    bool urgent_listing; /* the region of an alert is missing */
};
struct engine_wants engine_wants(const struct engine *e);

/* The servers with a pending or firing alert, to be asked in more detail; as of the
 * last evaluation. The caller frees it. */
struct focus *engine_focus(const struct engine *e);

/* Counters for the metrics, since the start. */
struct engine_counters {
    uint64_t samples;         /* region samples accepted as new */
    uint64_t repeated_polls;  /* answers from HBase's cache, overtaken, or at
                                 a second address of a server */
    uint64_t resets;          /* counters that fell */
    uint64_t baselines;       /* first samples of a (region, server start) pair */
    uint64_t invalid_samples; /* negative, fractional, too large */
    uint64_t moves, splits, merges;
    uint64_t rejected_regions; /* above the cap on regions */
    uint64_t episodes[ALERT_KIND_COUNT];
    uint64_t memory_bytes; /* held by the engine now */
};
struct engine_counters engine_counters(const struct engine *e);

#endif
