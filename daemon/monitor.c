/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in, evaluations and log lines out. All memory is the monitor's; the main
 * thread runs everything but monitor_series(), which takes the engine's lock for
 * reading. Each call that changes the engine holds it for writing. */
#define LOG_MODULE "monitor"

#include "daemon/monitor.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/heatmap.h"
#include "common/alloc.h"
#include "daemon/monitor_priv.h"
#include "daemon/sentence.h"

/* ---- life ---- */

/* Writers first: the main thread must not wait behind a queue of readers. */
static void
init_lock(pthread_rwlock_t *lock)
{
    pthread_rwlockattr_t attributes;

    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes,
                                  PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(lock, &attributes);
    pthread_rwlockattr_destroy(&attributes);
}

static void
clear_list(struct string_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (struct string_list){0};
}

static void
take_list(struct string_list *to, struct string_list *from)
{
    clear_list(to);
    *to = *from;
    *from = (struct string_list){0};
}

struct monitor *
monitor_create(struct shared_config *config, struct string_list *warnings,
               const struct http_stats *http, struct moment now)
{
    struct monitor *m = xcalloc(1, sizeof *m);

    m->config = shared_config_ref(config);
    m->engine = engine_create(config->config);
    init_lock(&m->engine_lock);
    m->events = event_ring_create(EVENT_RING_MAX);
    exports_init(&m->exports);
    targets_init(&m->targets);
    targets_configure(&m->targets, config->config);
    publisher_init(&m->views);
    take_list(&m->warnings, warnings);
    m->http = http;
    m->started = now;
    m->regions_in_transition = NAN;
    m->stats.reload_ok = true;
    m->stats.reload_success_ms = now.wall_ms;
    monitor_evaluate(m, now);
    return m;
}

struct monitor *
monitor_destroy(struct monitor *m)
{
    if (m == NULL)
        return NULL;
    publisher_finish(&m->views);
    m->snapshot = snapshot_unref(m->snapshot);
    m->engine = engine_destroy(m->engine);
    pthread_rwlock_destroy(&m->engine_lock);
    m->events = event_ring_destroy(m->events);
    exports_finish(&m->exports);
    targets_finish(&m->targets);
    m->config = shared_config_unref(m->config);
    clear_list(&m->warnings);
    free(m->cluster_id);
    free(m->reload_error);
    free(m);
    return NULL;
}

const char *
monitor_cluster(const struct monitor *m)
{
    if (m->config->config->cluster != NULL)
        return m->config->config->cluster;
    return m->cluster_id != NULL ? m->cluster_id : "";
}

struct publisher *
monitor_views(struct monitor *m)
{
    return &m->views;
}

/* ---- lines about targets ---- */

/* Begins a new minute of lines and tells what was held back in the last. */
static void
renew_lines(struct monitor *m, int64_t mono_ms)
{
    if (mono_ms - m->lines_since_ms < 60000)
        return;
    if (m->lines_held > 0)
        log_warn("%u more lines about servers were held back", m->lines_held);
    m->lines_since_ms = mono_ms;
    m->lines = m->lines_held = 0;
}

/* Lets SERVER_LINES_MAX lines a minute through, so that a power cut is a few lines. */
static bool
may_say(struct monitor *m, int64_t mono_ms)
{
    renew_lines(m, mono_ms);
    if (m->lines < SERVER_LINES_MAX) {
        m->lines++;
        return true;
    }
    m->lines_held++;
    return false;
}

static void
say_target(struct monitor *m, const struct target_row *row, enum target_change change,
           int64_t mono_ms)
{
    char url[LOG_QUOTE_SIZE];

    if (change == TARGET_SAME || row == NULL || !may_say(m, mono_ms))
        return;
    log_quote(row->url, strlen(row->url), url);
    const char *kind = target_kind_name(row->kind);
    if (change == TARGET_CAME_BACK)
        log_info("%s %s is back", kind, url);
    else if (row->state == TARGET_AUTH)
        log_warn("%s %s wants authentication: %s", kind, url, row->error);
    else
        log_warn("%s %s went down (%s): %s", kind, url, poll_outcome_name(row->outcome),
                 row->error);
}

/* ---- messages ---- */

static void
take_poll(struct monitor *m, const struct server_poll *poll)
{
    const struct target_row *row;
    enum target_change change =
        targets_poll(&m->targets, poll, m->config->config->poll.timeout_ms, &row);

    say_target(m, row, change, poll->received.mono_ms);
    m->stats.polls++;
    m->stats.bytes += poll->bytes;
    if (poll->outcome != POLL_OK)
        m->stats.failures[poll->outcome]++;
    histogram_add_us(&m->stats.duration, poll->duration_ms * 1000);
    pthread_rwlock_wrlock(&m->engine_lock);
    engine_apply_poll(m->engine, poll);
    pthread_rwlock_unlock(&m->engine_lock);
}

static void
take_cluster(struct monitor *m, const struct cluster_state *cluster)
{
    const struct target_row *row;
    enum target_change change = targets_cluster(&m->targets, cluster, &row);

    say_target(m, row, change, cluster->received.mono_ms);
    if (cluster->cluster_id != NULL &&
        (m->cluster_id == NULL || strcmp(m->cluster_id, cluster->cluster_id) != 0)) {
        free(m->cluster_id);
        m->cluster_id = xstrdup(cluster->cluster_id);
    }
    m->regions_in_transition = cluster->regions_in_transition;
    pthread_rwlock_wrlock(&m->engine_lock);
    engine_apply_cluster(m->engine, cluster);
    pthread_rwlock_unlock(&m->engine_lock);
}

static void
take_listing(struct monitor *m, const struct listing *listing)
{
    const struct target_row *row;
    enum target_change change =
        targets_listing(&m->targets, listing, m->config->config, &row);

    say_target(m, row, change, listing->received.mono_ms);
    m->stats.last_listing_ms = listing->received.wall_ms;
    m->stats.skipped_lines += listing->skipped_lines;
    if (!m->config->config->poll.jmx && listing->row_count > 0)
        m->ready = true;
    log_debug("listing by %s: %zu regions", listing_source_name(listing->source),
              listing->row_count);
    pthread_rwlock_wrlock(&m->engine_lock);
    engine_apply_listing(m->engine, listing);
    pthread_rwlock_unlock(&m->engine_lock);
}

static void
take_report(struct monitor *m, const struct source_report *report)
{
    const struct target_row *row;
    enum target_change change =
        targets_report(&m->targets, report, m->config->config, &row);

    say_target(m, row, change, report->at.mono_ms);
    if (report->outcome != POLL_OK)
        m->stats.source_failures[row->kind]++;
}

static void
take_round(struct monitor *m, const struct round_summary *round)
{
    m->first_round_waits = !m->have_round;
    m->have_round = true;
    m->last_round = *round;
    m->stats.rounds++;
    m->stats.skipped += round->skipped;
    m->ready = m->ready || round->ok > 0;
    log_debug("round: %u ok, %u failed, %u skipped, %" PRId64 " ms", round->ok,
              round->failed, round->skipped,
              round->finished.mono_ms - round->started.mono_ms);
}

static void
take_rows(struct monitor *m, const struct row_samples *rows)
{
    log_debug("row sampling on '%s': %zu rows of %zu clients in %u requests, %u "
              "skipped%s%s",
              rows->url, rows->call_count, rows->client_count, rows->requests,
              rows->skipped, rows->error != NULL ? ": " : "",
              rows->error != NULL ? rows->error : "");
    pthread_rwlock_wrlock(&m->engine_lock);
    engine_apply_rows(m->engine, rows);
    pthread_rwlock_unlock(&m->engine_lock);
}

void
monitor_message(struct monitor *m, const struct message *message, struct moment now)
{
    switch (message->kind) {
    case MESSAGE_POLL:
        take_poll(m, &message->poll);
        break;
    case MESSAGE_CLUSTER:
        take_cluster(m, &message->cluster);
        break;
    case MESSAGE_LISTING:
        take_listing(m, &message->listing);
        break;
    case MESSAGE_DETAIL:
        pthread_rwlock_wrlock(&m->engine_lock);
        engine_apply_detail(m->engine, &message->detail);
        pthread_rwlock_unlock(&m->engine_lock);
        break;
    case MESSAGE_ROWS:
        take_rows(m, &message->rows);
        break;
    case MESSAGE_SOURCE:
        take_report(m, &message->report);
        break;
    case MESSAGE_TARGETS:
        log_info("polling %zu RegionServers", message->targets.count);
        targets_set(&m->targets, &message->targets, now.wall_ms);
        break;
    case MESSAGE_ROUND:
        take_round(m, &message->round);
        break;
    case MESSAGE_KIND_COUNT:
        assert(false);
    }
}

bool
monitor_first_round_waits(const struct monitor *m)
{
    return m->first_round_waits;
}

/* ---- evaluation ---- */

static void
say_event(const struct engine_event *event)
{
    struct buf text;
    const struct alert *a = event->alert;

    buf_init(&text, 0);
    if (event->kind == EVENT_RESOLVED)
        sentence_end(a, event->time_ms, &text);
    else
        sentence_summary(a, event->time_ms, &text);
    if (event->kind == EVENT_RESOLVED)
        log_info("%s resolved (%s): %s", alert_kind_alertname(a->kind),
                 end_reason_name(a->reason), text.data);
    else
        log_warn("%s %s: %s", alert_kind_alertname(a->kind),
                 event_kind_name(event->kind), text.data);
    buf_finish(&text);
}

static void
take_events(struct monitor *m)
{
    size_t count;
    const struct engine_event *events = engine_events(m->engine, &count);

    for (size_t i = 0; i < count; i++) {
        say_event(&events[i]);
        event_ring_add(m->events, events[i].kind, events[i].time_ms, events[i].alert,
                       monitor_cluster(m));
    }
}

void
monitor_evaluate(struct monitor *m, struct moment now)
{
    struct moment begun = clock_now();

    pthread_rwlock_wrlock(&m->engine_lock);
    struct snapshot *snapshot = engine_evaluate(m->engine, now);
    engine_record_history(m->engine, now);
    pthread_rwlock_unlock(&m->engine_lock);
    snapshot_unref(m->snapshot);
    m->snapshot = snapshot;
    m->first_round_waits = false;
    renew_lines(m, now.mono_ms);
    take_events(m);
    exports_update(&m->exports, snapshot, &m->config->config->metrics);
    m->stats.evaluation_seconds = (double)(clock_now().mono_ms - begun.mono_ms) / 1000;
    monitor_publish(m, now);
}

struct engine_wants
monitor_wants(const struct monitor *m, const char ***ret_tables)
{
    const struct snapshot *s = m->snapshot;
    const char **tables = xreallocarray(NULL, s->alert_count + 1, sizeof *tables);
    size_t count = 0;

    for (uint32_t i = 0; i < s->alert_count; i++) {
        bool known = s->alerts[i].table == NULL;
        for (size_t k = 0; !known && k < count; k++)
            known = strcmp(tables[k], s->alerts[i].table->name) == 0;
        if (!known)
            tables[count++] = s->alerts[i].table->name;
    }
    tables[count] = NULL;
    *ret_tables = tables;
    return engine_wants(m->engine);
}

struct focus *
monitor_focus(const struct monitor *m)
{
    return engine_focus(m->engine);
}

/* ---- reload ---- */

void
monitor_reconfigure(struct monitor *m, struct shared_config *config,
                    struct string_list *warnings, struct moment now)
{
    struct shared_config *old = m->config;

    m->config = shared_config_ref(config);
    pthread_rwlock_wrlock(&m->engine_lock);
    engine_configure(m->engine, config->config);
    pthread_rwlock_unlock(&m->engine_lock);
    shared_config_unref(old);
    targets_configure(&m->targets, config->config);
    take_list(&m->warnings, warnings);
    free(m->reload_error);
    m->reload_error = NULL;
    m->stats.reload_ok = true;
    m->stats.reload_success_ms = now.wall_ms;
    monitor_publish(m, now);
}

void
monitor_reload_failed(struct monitor *m, const char *error, struct moment now)
{
    free(m->reload_error);
    m->reload_error = xstrdup(error);
    m->stats.reload_ok = false;
    monitor_publish(m, now);
}

/* ---- questions ---- */

size_t
monitor_series(void *data, struct region_id id, int64_t from_ms, int64_t to_ms,
               int64_t step_ms, struct series_point *points, size_t max)
{
    struct monitor *m = data;

    pthread_rwlock_rdlock(&m->engine_lock);
    size_t count = engine_series(m->engine, id, from_ms, to_ms, step_ms, points, max);
    pthread_rwlock_unlock(&m->engine_lock);
    return count;
}

/* Runs one kind of portion to its end; between two the main thread may write. */
static void
run_portions(struct monitor *m, struct heatmap *map,
             bool (*portion)(const struct engine *e, struct heatmap *map))
{
    bool more;

    do {
        pthread_rwlock_rdlock(&m->engine_lock);
        more = portion(m->engine, map);
        pthread_rwlock_unlock(&m->engine_lock);
    } while (more);
}

void
monitor_heatmap(void *data, struct heatmap *map)
{
    struct monitor *m = data;

    run_portions(m, map, engine_heatmap_collect);
    heatmap_plan(map);
    run_portions(m, map, engine_heatmap_add);
}

void
monitor_status_line(const struct monitor *m, struct buf *out)
{
    const struct snapshot *s = m->snapshot;

    if (!m->ready) {
        buf_addf(out, "not ready: %s",
                 m->have_round ? "no RegionServer has given usable data yet"
                               : "waiting for the servers' first answers");
        return;
    }
    buf_addf(out, "watching %u servers, %u regions; %u alert%s firing", s->servers_up,
             s->region_count, s->firing, s->firing == 1 ? "" : "s");
}
