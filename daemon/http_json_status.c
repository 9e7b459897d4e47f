/* SPDX-License-Identifier: Apache-2.0 */
/* /api/v1/status, /api/v1/targets, /api/v1/servers and /sd: how hotspotd is doing, what
 * it asks and what it knows of the RegionServers. HTTP threads; all is read from the
 * view. */
#include "daemon/http_answer.h"

#include <math.h>
#include <string.h>

#include "daemon/json_util.h"
#include "daemon/json_why.h"
#include "daemon/version.h"

static void
member_round(struct json_writer *w, const struct status *status)
{
    const struct round_summary *round = &status->last_round;

    json_key(w, "lastRound");
    if (!status->have_round) {
        json_null(w);
        return;
    }
    json_object_begin(w);
    json_member_time(w, "startedAt", round->started.wall_ms);
    json_member_i64(w, "durationMs", round->finished.mono_ms - round->started.mono_ms);
    json_member_u64(w, "ok", round->ok);
    json_member_u64(w, "failed", round->failed);
    json_member_u64(w, "skipped", round->skipped);
    json_object_end(w);
}

static void
member_counts(struct json_writer *w, const struct snapshot *s,
              const struct status *status)
{
    uint32_t alive = 0;

    for (uint32_t i = 0; i < s->server_count; i++)
        alive += !s->servers[i].dead;
    json_key(w, "servers");
    json_object_begin(w);
    json_member_u64(w, "total", alive);
    json_member_u64(w, "up", s->servers_up);
    json_object_end(w);
    json_key(w, "regions");
    json_object_begin(w);
    json_member_u64(w, "total", s->region_count);
    json_member_u64(w, "fresh", s->fresh);
    json_member_u64(w, "active", s->active);
    json_member_u64(w, "withoutServer", s->without_server);
    json_member_u64(w, "withoutMetrics", s->no_metrics);
    json_member_double(w, "inTransition", status->regions_in_transition);
    json_object_end(w);
    json_member_u64(w, "tables", s->table_count);
    json_member_figure(w, "coverage", s->coverage);
    json_key(w, "alerts");
    json_object_begin(w);
    json_member_u64(w, "firing", s->firing);
    json_member_u64(w, "pending", s->pending);
    json_member_u64(w, "suppressed", s->suppressed);
    json_object_end(w);
}

void
answer_status(const struct http_request *request, struct answer *a)
{
    const struct view *view = request->view;
    const struct status *status = &view->status;
    struct json_writer w;

    answer_data_begin(a, &w);
    json_member_string(&w, "version", HOTSPOTD_VERSION);
    json_member_string(&w, "revision", HOTSPOTD_REVISION);
    json_member_string(&w, "cluster", status->cluster[0] ? status->cluster : NULL);
    json_member_string(&w, "clusterId", status->cluster_id);
    json_member_time(&w, "startTime", status->started.wall_ms);
    json_member_double(&w, "uptimeSeconds",
                       (double)(status->made.mono_ms - status->started.mono_ms) / 1000);
    json_member_double(&w, "intervalSeconds",
                       (double)view->config->config->poll.interval_ms / 1000);
    json_member_bool(&w, "ready", status->ready);
    json_member_time(&w, "lastEvaluation", view->snapshot->at.wall_ms);
    member_round(&w, status);
    member_counts(&w, view->snapshot, status);
    json_member_u64(&w, "memoryBytes", status->memory_bytes);
    json_member_string(&w, "configHash", status->config_hash);
    json_key(&w, "problems");
    json_array_begin(&w);
    for (size_t i = 0; i < status->problems.count; i++)
        json_string(&w, status->problems.items[i]);
    json_array_end(&w);
    answer_data_end(a, &w);
}

static void
write_target(struct json_writer *w, const struct target_row *row)
{
    json_object_begin(w);
    json_member_string(w, "url", row->url);
    json_member_string(w, "kind", target_kind_name(row->kind));
    json_member_string(w, "server", row->server);
    json_member_string(w, "state", target_state_name(row->state));
    json_member_string(w, "reason",
                       row->asked ? poll_outcome_name(row->outcome) : NULL);
    json_member_time(w, "lastSuccess", row->last_success_ms);
    json_member_time(w, "lastAttempt", row->last_attempt_ms);
    json_member_string(w, "lastError", row->error);
    json_key(w, "lastDurationMs");
    if (row->last_duration_ms < 0)
        json_null(w);
    else
        json_i64(w, row->last_duration_ms);
    json_member_u64(w, "bytes", row->bytes);
    json_member_u64(w, "invalidValues", row->invalid_values);
    json_member_string(w, "firstInvalid", row->first_invalid);
    json_object_end(w);
}

void
answer_targets(const struct http_request *request, struct answer *a)
{
    const struct targets *targets = &request->view->targets;
    struct json_writer w;

    answer_data_begin(a, &w);
    json_key(&w, "targets");
    json_array_begin(&w);
    for (size_t i = 0; i < targets->count; i++)
        write_target(&w, &targets->rows[i]);
    json_array_end(&w);
    answer_data_end(a, &w);
}

static void
write_server(struct json_writer *w, const struct server_row *row)
{
    json_object_begin(w);
    json_member_server(w, "server", row->facts);
    json_member_i64(w, "startCode", row->facts->start_code);
    json_member_u64(w, "regions", row->regions);
    json_member_rates_d(w, row->rate);
    json_member_figure(w, "skew", row->skew);
    struct vitals v = vitals_of_server(row);
    json_member_vitals(w, "signals", &v, row->diagnoses);
    json_member_string(w, "state", heat_name(row->heat));
    json_member_bool(w, "up", row->up);
    json_member_bool(w, "dead", row->dead);
    json_member_time(w, "lastSuccess", row->last_success_ms);
    json_member_string(w, "url", row->url);
    json_object_end(w);
}

void
answer_servers(const struct http_request *request, struct answer *a)
{
    const struct snapshot *s = request->view->snapshot;
    struct json_writer w;

    answer_data_begin(a, &w);
    json_key(&w, "servers");
    json_array_begin(&w);
    for (uint32_t i = 0; i < s->server_count; i++)
        write_server(&w, &s->servers[i]);
    json_array_end(&w);
    answer_data_end(a, &w);
}

/* "http://rs1:16030/" to "rs1:16030". */
static void
write_authority(struct json_writer *w, const char *url)
{
    const char *scheme = strstr(url, "://");
    const char *authority = scheme != NULL ? scheme + 3 : url;

    json_string_n(w, authority, strcspn(authority, "/?#"));
}

/* Prometheus' HTTP service discovery: a bare list, not the API's envelope. */
void
answer_sd(const struct http_request *request, struct answer *a)
{
    const struct view *view = request->view;
    struct json_writer w;
    size_t count = 0;

    a->type = "application/json";
    json_init(&w, &a->body);
    json_array_begin(&w);
    for (size_t i = 0; i < view->targets.count; i++)
        count += view->targets.rows[i].kind == TARGET_REGIONSERVER;
    if (count > 0) {
        json_object_begin(&w);
        json_key(&w, "targets");
        json_array_begin(&w);
        for (size_t i = 0; i < view->targets.count; i++)
            if (view->targets.rows[i].kind == TARGET_REGIONSERVER)
                write_authority(&w, view->targets.rows[i].url);
        json_array_end(&w);
        json_key(&w, "labels");
        json_object_begin(&w);
        json_member_string(&w, "__meta_hotspotd_cluster", view->status.cluster);
        json_object_end(&w);
        json_object_end(&w);
    }
    json_array_end(&w);
    buf_addc(&a->body, '\n');
}
