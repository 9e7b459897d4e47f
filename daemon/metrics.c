/* SPDX-License-Identifier: Apache-2.0 */
/* Renders the exposition, family by family in the order of metrics.def. What is about
 * tables, regions and servers is in metrics_rows.c. Main thread; nothing is kept. */
#include "daemon/metrics.h"

#include <assert.h>

#include "common/log.h"
#include "daemon/expo_text.h"
#include "daemon/http_routes.h"
#include "daemon/metrics_rows.h"
#include "daemon/names.h"
#include "daemon/version.h"

static void
render_info(struct expo *e, const struct metrics_input *in)
{
    const struct status *status = &in->view->status;
    const struct expo_label build[] = {
        {"version", HOTSPOTD_VERSION},
        {"revision", HOTSPOTD_REVISION},
        {"compiler", HOTSPOTD_COMPILER},
    };
    const struct expo_label cluster[] = {
        {"cluster", status->cluster},
        {"cluster_id", status->cluster_id},
    };

    expo_family(e, METRIC_BUILD_INFO);
    expo_sample(e, build, 3, 1);
    expo_family(e, METRIC_CLUSTER_INFO);
    expo_sample(e, cluster, 2, 1);
}

enum { FIRING_LABELS_MAX = 64 };

static void
render_firing(struct expo *e, const struct alert *alert, const char *cluster)
{
    struct expo_label labels[FIRING_LABELS_MAX];
    struct buf packed;
    size_t count = 0, at = 0;

    buf_init(&packed, 0);
    alert_labels(alert, cluster, &packed);
    while (count < FIRING_LABELS_MAX &&
           labels_next(packed.data, packed.len, &at, &labels[count].name,
                       &labels[count].value))
        count++;
    expo_sample(e, labels, count, 1);
    buf_finish(&packed);
}

static void
render_alerts(struct expo *e, const struct metrics_input *in)
{
    const struct snapshot *s = in->view->snapshot;
    uint64_t firing[ALERT_KIND_COUNT] = {0};

    expo_family(e, METRIC_ALERT_FIRING);
    for (uint32_t i = 0; i < s->alert_count; i++) {
        if (s->alerts[i].state != ALERT_FIRING)
            continue;
        firing[s->alerts[i].kind]++;
        render_firing(e, &s->alerts[i], in->view->status.cluster);
    }
    expo_family(e, METRIC_HOTSPOTS);
    for (int kind = 0; kind < ALERT_KIND_COUNT; kind++)
        expo_sample_u64(e, &(struct expo_label){"kind", alert_kind_name(kind)}, 1,
                        firing[kind]);
    expo_family(e, METRIC_HOTSPOT_EPISODES);
    for (int kind = 0; kind < ALERT_KIND_COUNT; kind++)
        expo_sample_u64(e, &(struct expo_label){"kind", alert_kind_name(kind)}, 1,
                        in->engine.episodes[kind]);
    expo_value(e, METRIC_SUPPRESSED, s->suppressed);
}

static void
render_totals(struct expo *e, const struct metrics_input *in)
{
    const struct snapshot *s = in->view->snapshot;
    uint32_t alive = 0;

    for (uint32_t i = 0; i < s->server_count; i++)
        alive += !s->servers[i].dead;
    expo_value(e, METRIC_SERVERS, alive);
    expo_value(e, METRIC_REGIONS, s->region_count);
    expo_value(e, METRIC_TABLES, s->table_count);
    expo_value(e, METRIC_COVERAGE, s->coverage);
    expo_value(e, METRIC_WITHOUT_SERVER, s->without_server);
    expo_value(e, METRIC_WITHOUT_METRICS, s->no_metrics);
}

static double
seconds(int64_t ms)
{
    return (double)ms / 1000;
}

static void
render_polls(struct expo *e, const struct metrics_input *in)
{
    const struct poll_stats *polls = in->polls;
    const struct status *status = &in->view->status;
    const struct round_summary *round = &status->last_round;

    expo_value(e, METRIC_EVALUATION_DURATION, polls->evaluation_seconds);
    expo_value(e, METRIC_LAST_EVALUATION, seconds(in->view->snapshot->at.wall_ms));
    expo_value(e, METRIC_ROUNDS, (double)polls->rounds);
    expo_value(e, METRIC_ROUND_DURATION,
               status->have_round
                   ? seconds(round->finished.mono_ms - round->started.mono_ms)
                   : 0);
    expo_value(e, METRIC_LAST_ROUND,
               status->have_round ? seconds(round->finished.wall_ms) : 0);
    expo_value(e, METRIC_POLLS, (double)polls->polls);
    expo_family(e, METRIC_POLL_FAILURES);
    for (int reason = POLL_OK + 1; reason < POLL_OUTCOME_COUNT; reason++)
        expo_sample_u64(e, &(struct expo_label){"reason", poll_outcome_name(reason)}, 1,
                        polls->failures[reason]);
    expo_value(e, METRIC_POLLS_SKIPPED, (double)polls->skipped);
    expo_value(e, METRIC_POLL_RECEIVED, (double)polls->bytes);
    expo_family(e, METRIC_POLL_DURATION);
    expo_histogram(e, NULL, &polls->duration);
    expo_family(e, METRIC_SOURCE_FAILURES);
    for (int kind = TARGET_REGIONSERVER + 1; kind < TARGET_KIND_COUNT; kind++)
        expo_sample_u64(e, &(struct expo_label){"kind", target_kind_name(kind)}, 1,
                        polls->source_failures[kind]);
    expo_value(e, METRIC_LISTING_TIME, seconds(polls->last_listing_ms));
    expo_value(e, METRIC_LISTING_SKIPPED, (double)polls->skipped_lines);
}

static void
render_engine(struct expo *e, const struct engine_counters *c)
{
    const struct {
        enum metric_id id;
        uint64_t value;
    } counters[] = {
        {METRIC_SAMPLES, c->samples},
        {METRIC_REPEATED, c->repeated_polls},
        {METRIC_RESETS, c->resets},
        {METRIC_BASELINES, c->baselines},
        {METRIC_INVALID, c->invalid_samples},
        {METRIC_MOVES, c->moves},
        {METRIC_SPLITS, c->splits},
        {METRIC_MERGES, c->merges},
        {METRIC_REJECTED, c->rejected_regions},
        {METRIC_ENGINE_MEMORY, c->memory_bytes},
    };

    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        expo_family(e, counters[i].id);
        expo_sample_u64(e, NULL, 0, counters[i].value);
    }
}

static void
render_http(struct expo *e, const struct http_stats *http)
{
    static_assert(HTTP_STATS_HANDLERS == ROUTE_COUNT + 1, "one for each route");
    static const char *const codes[HTTP_CODES] = {"200", "304", "400", "403", "404",
                                                  "405", "413", "500", "503", "other"};

    expo_family(e, METRIC_HTTP_REQUESTS);
    for (int route = 0; route <= ROUTE_COUNT; route++) {
        for (int i = 0; i < HTTP_CODES; i++) {
            uint64_t count = atomic_load(&http->handlers[route].codes[i]);
            const struct expo_label labels[] = {
                {"handler", http_route_name(route)},
                {"code", codes[i]},
            };
            if (count > 0 || (http_codes[i] == 200 && route != ROUTE_COUNT))
                expo_sample_u64(e, labels, 2, count);
        }
    }
    expo_family(e, METRIC_HTTP_DURATION);
    for (int route = 0; route <= ROUTE_COUNT; route++)
        expo_histogram(e, &(struct expo_label){"handler", http_route_name(route)},
                       &http->handlers[route].duration);
    expo_family(e, METRIC_HTTP_CUT);
    expo_sample_u64(e, NULL, 0, atomic_load(&http->cut));
}

static void
render_self(struct expo *e, const struct metrics_input *in)
{
    expo_value(e, METRIC_RELOAD_OK, in->polls->reload_ok);
    expo_value(e, METRIC_RELOAD_TIME, seconds(in->polls->reload_success_ms));
    expo_value(e, METRIC_PROBLEMS, (double)in->view->status.problems.count);
    render_http(e, in->http);
    expo_family(e, METRIC_LOG_MESSAGES);
    for (int level = 0; level < LOG_LEVEL_COUNT; level++)
        expo_sample_u64(e, &(struct expo_label){"level", log_level_name(level)}, 1,
                        log_count(level));
}

static void
render_process(struct expo *e, const struct metrics_input *in)
{
    const struct {
        enum metric_id id;
        double value;
    } values[] = {
        {METRIC_CPU, in->process.cpu_seconds},
        {METRIC_RESIDENT, in->process.resident_bytes},
        {METRIC_VIRTUAL, in->process.virtual_bytes},
        {METRIC_VIRTUAL_MAX, in->process.virtual_max_bytes},
        {METRIC_OPEN_FDS, in->process.open_fds},
        {METRIC_MAX_FDS, in->process.max_fds},
        {METRIC_START_TIME, seconds(in->view->status.started.wall_ms)},
    };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (values[i].value == values[i].value) /* not NaN */
            expo_value(e, values[i].id, values[i].value);
}

uint64_t
metrics_render(const struct metrics_input *in, struct buf *out)
{
    struct expo e;

    expo_init(&e, out);
    render_info(&e, in);
    render_alerts(&e, in);
    render_totals(&e, in);
    render_polls(&e, in);
    render_engine(&e, &in->engine);
    metrics_render_servers(&e, in->view);
    metrics_render_tables(&e, in->view->snapshot, in->exports);
    metrics_render_regions(&e, in->view->snapshot, in->exports);
    render_self(&e, in);
    render_process(&e, in);
    expo_finish(&e);
    return e.samples;
}
