/* SPDX-License-Identifier: Apache-2.0 */
/* /api/v1/alerts and its history. An alert has Prometheus' shape, plus the evidence in
 * numbers. HTTP threads; all is read from the view. */
#include "daemon/http_answer.h"

#include <assert.h>
#include <string.h>

#include "daemon/http_params.h"
#include "daemon/json_alert.h"
#include "daemon/json_util.h"
#include "daemon/json_why.h"
#include "daemon/names.h"
#include "daemon/sentence.h"

static void
member_annotations(struct json_writer *w, const struct view *view,
                   const struct alert *a)
{
    const struct config *config = view->config->config;
    int64_t now_ms = view->snapshot->at.wall_ms;
    struct buf text;

    buf_init(&text, 0);
    json_key(w, "annotations");
    json_object_begin(w);
    sentence_summary(a, now_ms, &text);
    json_member_string(w, "summary", text.data);
    buf_reset(&text);
    sentence_description(a, config->detection.window_ms, now_ms, &text);
    json_member_string(w, "description", text.data);
    if (a->why != NULL && a->why->advice != NULL)
        json_member_string(w, "advice", a->why->advice);
    if (config->runbook_url != NULL) {
        size_t len = strlen(config->runbook_url);
        buf_reset(&text);
        buf_adds(&text, config->runbook_url);
        if (len > 0 && config->runbook_url[len - 1] != '/')
            buf_addc(&text, '/');
        buf_adds(&text, alert_kind_alertname(a->kind));
        json_member_string(w, "runbook_url", text.data);
    }
    json_object_end(w);
    buf_finish(&text);
}

/* The hottest regions of the alert's table or server; of an overflow, those without an
 * alert of their own. */
static void
member_top_regions(struct json_writer *w, const struct alert *a)
{
    json_key(w, "topRegions");
    json_array_begin(w);
    for (uint32_t i = 0; i < a->top_count; i++) {
        const struct top_region *top = &a->top[i];
        json_object_begin(w);
        json_member_region(w, "region", top->region);
        json_member_string(w, "table", top->table->name);
        json_member_server(w, "server", top->server);
        json_member_figure(w, "rate", top->rate);
        json_member_figure(w, "share", top->share);
        json_object_end(w);
    }
    json_array_end(w);
}

static void
member_server_signals(struct json_writer *w, const struct alert *a)
{
    struct vitals v = vitals_of_alert(a);

    json_member_vitals(w, "serverSignals", &v, a->diagnoses);
}

static void
member_judgement(struct json_writer *w, const struct view *view, const struct alert *a)
{
    json_member_string(w, "access", access_name(a->access));
    json_member_figure(w, "rate", a->rate[a->access]);
    json_member_figure(w, "readRate", a->rate[ACCESS_READ]);
    json_member_figure(w, "writeRate", a->rate[ACCESS_WRITE]);
    json_member_figure(w, "newestRate", a->newest_rate[a->access]);
    json_member_double(w, "windowSeconds",
                       (double)view->config->config->detection.window_ms / 1000);
    json_member_figure(w, "baseline", a->baseline);
    json_member_figure(w, "ratio", a->ratio);
    json_member_figure(w, "threshold", a->threshold);
    json_member_figure(w, "minRate", a->min_rate);
    json_member_figure(w, "limit", a->limit);
}

static void
member_region_evidence(struct json_writer *w, const struct view *view,
                       const struct alert *a)
{
    json_member_region(w, "region", a->region);
    json_key(w, "regions");
    json_array_begin(w);
    for (uint32_t i = 0; i < a->member_count; i++) {
        char id[REGION_ID_TEXT_SIZE];
        json_string(w, region_id_text(a->members[i]->id, id));
    }
    json_array_end(w);
    member_judgement(w, view, a);
    json_member_string(w, "baselineKind", baseline_kind_name(a->baseline_kind));
    json_member_figure(w, "share", a->share);
    json_member_figure(w, "serverShare", a->server_share);
    json_member_u64(w, "regionsInTable", a->regions_in_table);
    json_member_u64(w, "regionsFresh", a->regions_fresh);
    json_member_figure(w, "effectiveRegions", a->effective_regions);
    json_member_server(w, "server", a->server);
    json_member_keys(w, a->region);
    json_key(w, "lineage");
    json_lineage(w, a);
    member_server_signals(w, a);
    json_member_why(w, a->why);
}

static void
member_table_evidence(struct json_writer *w, const struct view *view,
                      const struct alert *a)
{
    json_member_string(w, "table", a->table != NULL ? a->table->name : NULL);
    json_member_bool(w, "overflow", a->overflow);
    member_judgement(w, view, a);
    json_member_figure(w, "effectiveRegions", a->effective_regions);
    json_member_u64(w, "regionsInTable", a->regions_in_table);
    json_member_u64(w, "regionsFresh", a->regions_fresh);
    json_member_u64(w, "hotRegions", a->hot_regions);
    member_top_regions(w, a);
    json_member_why(w, a->why);
}

static void
member_server_evidence(struct json_writer *w, const struct view *view,
                       const struct alert *a)
{
    json_member_server(w, "server", a->server);
    member_judgement(w, view, a);
    json_member_figure(w, "share", a->share);
    json_member_u64(w, "regions", a->regions);
    member_top_regions(w, a);
    member_server_signals(w, a);
    json_member_why(w, a->why);
}

typedef void (*evidence_writer)(struct json_writer *w, const struct view *view,
                                const struct alert *a);
static const evidence_writer evidence_writers[] = {
    [ALERT_REGION] = member_region_evidence,
    [ALERT_TABLE] = member_table_evidence,
    [ALERT_SERVER] = member_server_evidence,
    [ALERT_META] = member_region_evidence,
};
static_assert(sizeof evidence_writers / sizeof evidence_writers[0] == ALERT_KIND_COUNT,
              "evidence for each kind");

void
json_alert(struct json_writer *w, const struct view *view, const struct alert *a)
{
    struct buf labels;

    buf_init(&labels, 0);
    alert_labels(a, view->status.cluster, &labels);
    json_object_begin(w);
    json_member_labels(w, labels.data, labels.len);
    member_annotations(w, view, a);
    json_member_string(w, "state", alert_state_name(a->state));
    json_member_time(w, "activeAt", a->active_at_ms);
    json_member_figure_text(w, "value", a->rate[a->access]);
    json_key(w, "evidence");
    json_object_begin(w);
    evidence_writers[a->kind](w, view, a);
    json_member_time(w, "hotSince", a->hot_since_ms);
    json_member_time(w, "startsAt", a->starts_at_ms);
    json_member_bool(w, "stale", a->stale);
    json_member_time(w, "lastSample", a->last_sample_ms);
    json_object_end(w);
    json_object_end(w);
    buf_finish(&labels);
}

void
json_lineage(struct json_writer *w, const struct alert *a)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < a->lineage_count; i++) {
        const struct lineage_entry *entry = &a->lineage[i];
        json_object_begin(w);
        json_member_time(w, "time", entry->time_ms);
        json_member_string(w, "event", lineage_event_name(entry->event));
        json_member_string(w, "from", entry->from);
        json_member_string(w, "to", entry->to);
        json_object_end(w);
    }
    json_array_end(w);
}

static bool
is_wanted(const struct alert *a, const struct query *q)
{
    static const enum alert_state states[] = {ALERT_PENDING, ALERT_FIRING};

    if (q->values[ALERTS_STATE].set &&
        a->state != states[q->values[ALERTS_STATE].number])
        return false;
    if (!q->values[ALERTS_TABLE].set)
        return true;
    return a->table != NULL &&
           strcmp(a->table->name, q->values[ALERTS_TABLE].text) == 0;
}

void
answer_alerts(const struct http_request *request, struct answer *a)
{
    const struct snapshot *s = request->view->snapshot;
    const struct query *q = &request->query;
    uint64_t limit =
        q->values[ALERTS_LIMIT].set ? q->values[ALERTS_LIMIT].number : QUERY_LIMIT_MAX;
    uint64_t total = 0;
    struct json_writer w;

    answer_data_begin(a, &w);
    json_key(&w, "alerts");
    json_array_begin(&w);
    for (uint32_t i = 0; i < s->alert_count; i++) {
        if (!is_wanted(&s->alerts[i], q))
            continue;
        if (total++ < limit)
            json_alert(&w, request->view, &s->alerts[i]);
    }
    json_array_end(&w);
    json_member_u64(&w, "total", total);
    answer_data_end(a, &w);
}

static void
write_event(struct json_writer *w, const struct event *event)
{
    json_object_begin(w);
    json_member_time(w, "time", event->time_ms);
    json_member_string(w, "kind", event_kind_name(event->kind));
    if (event->reason == END_NONE)
        json_member_null(w, "reason");
    else
        json_member_string(w, "reason", end_reason_name(event->reason));
    json_member_labels(w, event->labels, event->labels_len);
    json_member_figure_text(w, "value", event->value);
    json_object_end(w);
}

void
answer_history(const struct http_request *request, struct answer *a)
{
    const struct event_list *events = request->view->events;
    const struct query *q = &request->query;
    uint64_t limit =
        q->values[HISTORY_LIMIT].set ? q->values[HISTORY_LIMIT].number : DEFAULT_LIMIT;
    struct json_writer w;

    answer_data_begin(a, &w);
    json_key(&w, "events");
    json_array_begin(&w);
    for (size_t i = events->count; i-- > 0 && limit > 0;) {
        const struct event *event = events->items[i];
        if (q->values[HISTORY_SINCE].set &&
            event->time_ms < q->values[HISTORY_SINCE].ms)
            continue;
        write_event(&w, event);
        limit--;
    }
    json_array_end(&w);
    answer_data_end(a, &w);
}
