/* SPDX-License-Identifier: Apache-2.0 */
/* Makes views: status, problems, targets, events and the rendered metrics around the
 * last snapshot. Main thread. */
#define LOG_MODULE "monitor"

#include "daemon/monitor_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "config/load.h"
#include "daemon/problems.h"

static const char *
not_ready(const struct monitor *m)
{
    const struct config *c = m->config->config;

    if (m->ready)
        return NULL;
    if (c->masters.count == 0 && c->regionservers.static_targets.count == 0 &&
        c->regionservers.file == NULL && c->regionservers.http_sd == NULL)
        return "no master and no RegionServer is configured";
    if (!m->have_round)
        return "the first round of polls is not complete";
    return "no RegionServer has given usable data yet";
}

static struct problem_input
problem_input(const struct monitor *m, struct moment now)
{
    return (struct problem_input){
        .config = m->config->config,
        .snapshot = m->snapshot,
        .targets = &m->targets,
        .config_warnings = &m->warnings,
        .reload_error = m->reload_error,
        .have_round = m->have_round,
        .last_round = m->last_round,
        .last_listing_ms = m->stats.last_listing_ms,
        .started = m->started,
        .now = now,
    };
}

/* A line when something begins or ends, not while it lasts. */
static void
say_changes(struct monitor *m, const struct problem_input *in)
{
    bool stalled = m->have_round && rounds_stalled(in);
    bool low = coverage_low(in);

    if (stalled && !m->said_stalled)
        log_error("rounds of polls have stopped; verdicts are not renewed");
    else if (!stalled && m->said_stalled)
        log_info("rounds of polls go on");
    m->said_stalled = stalled;
    if (low && !m->said_coverage)
        log_warn("only %.0f %% of the regions have fresh data",
                 m->snapshot->coverage * 100);
    else if (!low && m->said_coverage)
        log_info("%.0f %% of the regions have fresh data again",
                 m->snapshot->coverage * 100);
    m->said_coverage = low;
}

static void
fill_status(struct monitor *m, struct status *status,
            const struct process_stats *process, struct moment now)
{
    struct problem_input in = problem_input(m, now);

    *status = (struct status){
        .started = m->started,
        .made = now,
        .cluster = xstrdup(monitor_cluster(m)),
        .cluster_id = m->cluster_id != NULL ? xstrdup(m->cluster_id) : NULL,
        .have_round = m->have_round,
        .last_round = m->last_round,
        .ready = m->ready,
        .not_ready = not_ready(m),
        .regions_in_transition = m->regions_in_transition,
        .memory_bytes =
            isfinite(process->resident_bytes) ? (uint64_t)process->resident_bytes : 0,
    };
    config_hash(m->config->config, status->config_hash);
    problems_collect(&in, &status->problems);
    say_changes(m, &in);
}

static void
render(struct monitor *m, struct view *view, const struct process_stats *process)
{
    struct buf text;

    buf_init(&text, 0);
    (void)metrics_render(
        &(struct metrics_input){
            .view = view,
            .exports = &m->exports,
            .polls = &m->stats,
            .http = m->http,
            .engine = engine_counters(m->engine),
            .process = *process,
        },
        &text);
    view->metrics = buf_steal(&text, &view->metrics_len);
}

void
monitor_publish(struct monitor *m, struct moment now)
{
    struct process_stats process = process_stats_read();
    struct view *view = view_create();

    targets_expire(&m->targets, m->config->config, now.wall_ms);
    view->config = shared_config_ref(m->config);
    view->snapshot = snapshot_ref(m->snapshot);
    view->events = event_ring_list(m->events);
    targets_copy(&view->targets, &m->targets);
    fill_status(m, &view->status, &process, now);
    render(m, view, &process);
    publisher_set(&m->views, view);
}
