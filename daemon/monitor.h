/* SPDX-License-Identifier: Apache-2.0 */
/* The daemon's state between messages: engine, targets, events, counters, and the view
 * that HTTP threads see. Fed and asked by the main thread; monitor_series() and
 * monitor_heatmap() alone are for any thread. Time comes as a parameter (clocks are
 * read only to measure durations). */
#ifndef DAEMON_MONITOR_H
#define DAEMON_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/engine.h"
#include "common/buf.h"
#include "daemon/http_stats.h"
#include "daemon/shared_config.h"
#include "daemon/view.h"

struct heatmap;
struct monitor;

/* Makes the engine, evaluates once (there is nothing yet) and publishes the first view.
 * Takes a reference of its own on config; `warnings` (texts of the configuration's
 * warnings) is taken over. http must outlive it. */
struct monitor *monitor_create(struct shared_config *config,
                               struct string_list *warnings,
                               const struct http_stats *http, struct moment now);
/* Accepts NULL; returns NULL. No HTTP thread may use it any more. */
struct monitor *monitor_destroy(struct monitor *m);

/* Takes in a message of the collector; it stays the caller's. */
void monitor_message(struct monitor *m, const struct message *message,
                     struct moment now);
/* True when the first round of polls is complete and has not been evaluated. */
bool monitor_first_round_waits(const struct monitor *m);
/* Evaluates, records history and events, publishes. */
void monitor_evaluate(struct monitor *m, struct moment now);

/* What the collector should ask for, as of the last evaluation; *ret_tables is a
 * NULL-terminated array of the tables with an alert (the caller frees the array, not
 * the names, which are good until the next evaluation). */
struct engine_wants monitor_wants(const struct monitor *m, const char ***ret_tables);

/* What to ask for in more detail, as of the last evaluation; the caller's. */
struct focus *monitor_focus(const struct monitor *m);

/* A reload: the new configuration is in force; or it was refused, and why. Publishes.
 */
void monitor_reconfigure(struct monitor *m, struct shared_config *config,
                         struct string_list *warnings, struct moment now);
void monitor_reload_failed(struct monitor *m, const char *error, struct moment now);

struct publisher *monitor_views(struct monitor *m);
/* struct http_context.series; data is the monitor. */
size_t monitor_series(void *data, struct region_id id, int64_t from_ms, int64_t to_ms,
                      int64_t step_ms, struct series_point *points, size_t max);
/* struct http_context.heatmap; data is the monitor. */
void monitor_heatmap(void *data, struct heatmap *map);

/* "watching 3 servers, 54 regions; 1 alert firing" */
void monitor_status_line(const struct monitor *m, struct buf *out);

#endif
