/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor over an engine of our own, which notes what it is told and says what the
 * test wants; linked instead of analysis/engine.c. */
#include "daemon/monitor.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/engine.h"
#include "analysis/heatmap.h"
#include "common/alloc.h"
#include "common/log.h"
#include "config/load.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/fixture.h"

/* ---- the engine ---- */

struct engine {
    const struct config *config;
    int polls, clusters, listings, details, rows, evaluations, records, configured;
};

static struct engine fake;
static struct fixture f;
static struct engine_event events[2];
static size_t event_count;
static struct engine_wants wants;

struct engine *
engine_create(const struct config *config)
{
    fake = (struct engine){.config = config};
    return &fake;
}

struct engine *
engine_destroy(struct engine *e)
{
    ck_assert_ptr_eq(e, &fake);
    return NULL;
}

void
engine_configure(struct engine *e, const struct config *config)
{
    /* The old one is still there. */
    ck_assert_int_gt(e->config->poll.interval_ms, 0);
    e->config = config;
    e->configured++;
}

void
engine_apply_poll(struct engine *e, const struct server_poll *poll)
{
    (void)poll;
    e->polls++;
}

void
engine_apply_cluster(struct engine *e, const struct cluster_state *cluster)
{
    (void)cluster;
    e->clusters++;
}

void
engine_apply_listing(struct engine *e, const struct listing *listing)
{
    (void)listing;
    e->listings++;
}

void
engine_apply_detail(struct engine *e, const struct server_detail *detail)
{
    (void)detail;
    e->details++;
}

void
engine_apply_rows(struct engine *e, const struct row_samples *rows)
{
    (void)rows;
    e->rows++;
}

struct snapshot *
engine_evaluate(struct engine *e, struct moment now)
{
    e->evaluations++;
    f.s->at = now;
    return snapshot_ref(f.s);
}

const struct engine_event *
engine_events(const struct engine *e, size_t *ret_count)
{
    (void)e;
    *ret_count = event_count;
    return events;
}

void
engine_record_history(struct engine *e, struct moment now)
{
    (void)now;
    e->records++;
}

size_t
engine_series(const struct engine *e, struct region_id id, int64_t from_ms,
              int64_t to_ms, int64_t step_ms, struct series_point *points, size_t max)
{
    (void)id, (void)from_ms, (void)to_ms, (void)step_ms, (void)max;
    points[0].time_ms = e->evaluations + e->polls;
    return 1;
}

bool
engine_heatmap_collect(const struct engine *e, struct heatmap *h)
{
    (void)e, (void)h;
    return false;
}

bool
engine_heatmap_add(const struct engine *e, struct heatmap *h)
{
    (void)e, (void)h;
    return false;
}

struct engine_wants
engine_wants(const struct engine *e)
{
    (void)e;
    return wants;
}

struct focus *
engine_focus(const struct engine *e)
{
    (void)e;
    return NULL;
}

struct engine_counters
engine_counters(const struct engine *e)
{
    return (struct engine_counters){.samples = (uint64_t)e->polls, .episodes = {4}};
}

/* ---- the monitor ---- */

static struct monitor *m;
static struct shared_config *config;
static struct http_stats *stats;
static struct moment now;

static struct shared_config *
load(const char *text)
{
    struct config_problems problems;
    struct config *c = config_load_text(text, strlen(text), &problems);

    ck_assert_msg(c != NULL, "%s", problems.count ? problems.items[0].text : "");
    config_problems_finish(&problems);
    return shared_config_create(c);
}

static void
begin(const char *text)
{
    struct string_list none = {0};

    log_setup(LOG_ERROR, LOG_FORMAT_TEXT);
    fixture_orders(&f);
    event_count = 0;
    wants = (struct engine_wants){0};
    stats = xcalloc(1, sizeof *stats);
    now = (struct moment){1000000, FIXTURE_NOW_MS};
    config = load(text);
    m = monitor_create(config, &none, stats, now);
}

static void
end(void)
{
    m = monitor_destroy(m);
    ck_assert_uint_eq(atomic_load(&config->refs), 1);
    config = shared_config_unref(config);
    fixture_finish(&f);
    free(stats);
}

#define MASTER "masters: [ \"http://m:16010\" ]\n"

static void
send_message(struct message *message)
{
    monitor_message(m, message, now);
    message_destroy(message);
}

static void
send_poll(enum poll_outcome outcome)
{
    struct message *message = message_create(MESSAGE_POLL);

    message->poll.url = xstrdup("http://rs1:16030");
    message->poll.outcome = outcome;
    if (outcome != POLL_OK)
        message->poll.error = xstrdup("http://rs1:16030: refused");
    message->poll.bytes = 1000;
    message->poll.duration_ms = 20;
    message->poll.received = now;
    send_message(message);
}

static void
send_round(unsigned ok)
{
    struct message *message = message_create(MESSAGE_ROUND);

    message->round = (struct round_summary){
        .started = now, .finished = now, .ok = ok, .failed = 1, .skipped = 2};
    send_message(message);
}

static void
expect_line(const char *line)
{
    struct view *view = publisher_get(monitor_views(m));

    ck_assert_msg(strstr(view->metrics, line) != NULL, "no line %s", line);
    view_unref(view);
}

static bool
has_problem(const char *part)
{
    struct view *view = publisher_get(monitor_views(m));
    bool found = false;

    for (size_t i = 0; i < view->status.problems.count; i++)
        found = found || strstr(view->status.problems.items[i], part) != NULL;
    view_unref(view);
    return found;
}

static const char *
why_not_ready(void)
{
    struct view *view = publisher_get(monitor_views(m));
    const char *why = view->status.not_ready; /* static text */

    ck_assert_int_eq(view->status.ready, why == NULL);
    view_unref(view);
    return why;
}

START_TEST(there_is_a_view_at_once)
{
    begin("cluster: x\n");
    ck_assert_str_eq(why_not_ready(), "no master and no RegionServer is configured");
    ck_assert(has_problem("no master and no RegionServer is configured"));
    expect_line("\nhotspotd_servers 2\n");
    end();
}
END_TEST

START_TEST(the_first_round_makes_it_ready)
{
    struct buf line;

    begin(MASTER);
    ck_assert_str_eq(why_not_ready(), "the first round of polls is not complete");
    ck_assert(!monitor_first_round_waits(m));
    send_poll(POLL_CONNECT);
    send_round(0);
    ck_assert(monitor_first_round_waits(m));
    monitor_evaluate(m, now);
    ck_assert(!monitor_first_round_waits(m));
    ck_assert_str_eq(why_not_ready(), "no RegionServer has given usable data yet");
    send_round(1);
    ck_assert(!monitor_first_round_waits(m)); /* it is not the first */
    monitor_evaluate(m, now);
    ck_assert_ptr_null(why_not_ready());
    send_round(0);
    monitor_evaluate(m, now);
    ck_assert_ptr_null(why_not_ready()); /* once ready, ready */
    buf_init(&line, 0);
    monitor_status_line(m, &line);
    ck_assert_str_eq(line.data, "watching 2 servers, 11 regions; 1 alert firing");
    buf_finish(&line);
    ck_assert_int_eq(fake.evaluations, 4);
    ck_assert_int_eq(fake.records, 4);
    expect_line("\nhotspotd_polls_skipped_total 6\n");
    end();
}
END_TEST

START_TEST(messages_reach_engine_targets_and_counters)
{
    struct message *message;

    begin(MASTER);
    message = message_create(MESSAGE_TARGETS);
    message->targets.urls = xcalloc(1, sizeof(char *));
    message->targets.urls[0] = xstrdup("http://rs1:16030");
    message->targets.count = 1;
    send_message(message);
    send_poll(POLL_OK);
    send_poll(POLL_CONNECT);
    send_poll(POLL_CONNECT);
    message = message_create(MESSAGE_CLUSTER);
    message->cluster.url = xstrdup("http://m:16010");
    message->cluster.cluster_id = xstrdup("id-1");
    message->cluster.regions_in_transition = 3;
    send_message(message);
    message = message_create(MESSAGE_LISTING);
    message->listing.received = now;
    message->listing.skipped_lines = 5;
    send_message(message);
    message = message_create(MESSAGE_SOURCE);
    message->report.source = xstrdup("http://m:16010");
    message->report.outcome = POLL_AUTH;
    message->report.error = xstrdup("http://m:16010: 401");
    send_message(message);
    monitor_evaluate(m, now);
    ck_assert_int_eq(fake.polls, 3);
    ck_assert_int_eq(fake.clusters, 1);
    ck_assert_int_eq(fake.listings, 1);
    expect_line("\nhotspotd_polls_total 3\n");
    expect_line("\nhotspotd_poll_failures_total{reason=\"connect\"} 2\n");
    expect_line("\nhotspotd_poll_failures_total{reason=\"timeout\"} 0\n");
    expect_line("\nhotspotd_poll_received_bytes_total 3000\n");
    expect_line("\nhotspotd_poll_duration_seconds_count 3\n");
    expect_line("\nhotspotd_source_failures_total{kind=\"master\"} 1\n");
    expect_line("\nhotspotd_last_listing_timestamp_seconds 1796077440\n");
    expect_line("\nhotspotd_listing_skipped_lines_total 5\n");
    expect_line("\nhotspotd_region_samples_total 3\n");
    expect_line("\nhotspotd_hotspot_episodes_total{kind=\"region\"} 4\n");
    /* Without a name of its own the cluster is called by its id. */
    expect_line("\nhotspotd_cluster_info{cluster=\"id-1\",cluster_id=\"id-1\"} 1\n");
    ck_assert(has_problem("1 of 1 RegionServers give no usable data"));
    ck_assert(has_problem("master http://m:16010 fails"));
    struct view *view = publisher_get(monitor_views(m));
    ck_assert_uint_eq(view->targets.count, 2);
    ck_assert(view->status.regions_in_transition == 3);
    view_unref(view);
    end();
}
END_TEST

START_TEST(events_become_history)
{
    begin("cluster: prod\n");
    events[0] = (struct engine_event){EVENT_FIRED, FIXTURE_NOW_MS, &f.s->alerts[0]};
    event_count = 1;
    monitor_evaluate(m, now);
    event_count = 0;
    monitor_evaluate(m, now);
    struct view *view = publisher_get(monitor_views(m));
    ck_assert_uint_eq(view->events->count, 1);
    ck_assert_int_eq(view->events->items[0]->kind, EVENT_FIRED);
    ck_assert_int_eq(view->events->items[0]->time_ms, FIXTURE_NOW_MS);
    view_unref(view);
    end();
}
END_TEST

START_TEST(wishes_name_each_table_once)
{
    const char **tables;

    begin(MASTER);
    fixture_alert(&f, ALERT_TABLE, 5);
    fixture_alert(&f, ALERT_REGION, 0);
    wants.urgent_listing = true;
    monitor_evaluate(m, now);
    ck_assert(monitor_wants(m, &tables).urgent_listing);
    ck_assert_str_eq(tables[0], "orders");
    ck_assert_str_eq(tables[1], "iot:events");
    ck_assert_ptr_null(tables[2]);
    free(tables);
    end();
}
END_TEST

START_TEST(reloads_swap_or_are_refused)
{
    struct string_list warnings = {xcalloc(1, sizeof(char *)), 1};

    begin(MASTER);
    warnings.items[0] = xstrdup("f.yaml:1:1: warning: odd");
    struct view *view = publisher_get(monitor_views(m));
    char before[17];
    memcpy(before, view->status.config_hash, sizeof before);
    view_unref(view);

    now.wall_ms += 5000;
    monitor_reload_failed(m, "f.yaml:2:3: bad", now);
    ck_assert(has_problem("f.yaml:2:3: bad"));
    expect_line("\nhotspotd_config_last_reload_successful 0\n");
    expect_line("\nhotspotd_config_last_reload_success_timestamp_seconds 1796077440\n");
    ck_assert_int_eq(fake.configured, 0);

    struct shared_config *new = load(MASTER "cluster: other\n");
    monitor_reconfigure(m, new, &warnings, now);
    ck_assert_ptr_null(warnings.items);
    ck_assert(!has_problem("f.yaml:2:3: bad"));
    ck_assert(has_problem("f.yaml:1:1: warning: odd"));
    expect_line("\nhotspotd_config_last_reload_successful 1\n");
    expect_line("\nhotspotd_config_last_reload_success_timestamp_seconds 1796077445\n");
    ck_assert_int_eq(fake.configured, 1);
    ck_assert_ptr_eq(fake.config, new->config);
    view = publisher_get(monitor_views(m));
    ck_assert_str_ne(view->status.config_hash, before);
    ck_assert_str_eq(view->status.cluster, "other");
    view_unref(view);
    ck_assert_uint_eq(atomic_load(&config->refs), 1); /* the old one is ours alone */
    end();
    ck_assert_uint_eq(atomic_load(&new->refs), 1);
    shared_config_unref(new);
}
END_TEST

START_TEST(stopped_rounds_are_told)
{
    begin(MASTER);
    struct message *message = message_create(MESSAGE_TARGETS);
    message->targets.urls = xcalloc(1, sizeof(char *));
    message->targets.urls[0] = xstrdup("http://rs1:16030");
    message->targets.count = 1;
    send_message(message);
    send_round(1);
    monitor_evaluate(m, now);
    ck_assert(!has_problem("no round of polls"));
    uint64_t errors = log_count(LOG_ERROR);
    now.mono_ms += 200000;
    now.wall_ms += 200000;
    monitor_evaluate(m, now);
    monitor_evaluate(m, now);
    ck_assert(has_problem("no round of polls has been completed since 22:24:00 UTC"));
    ck_assert_uint_eq(log_count(LOG_ERROR), errors + 1); /* once */
    end();
}
END_TEST

/* A power cut is a few lines, not one a server. */
START_TEST(lines_about_servers_are_limited)
{
    char url[64];

    begin(MASTER);
    log_setup(LOG_WARN, LOG_FORMAT_TEXT);
    uint64_t before = log_count(LOG_WARN);
    for (int i = 0; i < 300; i++) {
        struct message *message = message_create(MESSAGE_POLL);
        snprintf(url, sizeof url, "http://rs%d:16030", i);
        message->poll.url = xstrdup(url);
        message->poll.outcome = POLL_CONNECT;
        message->poll.error = xstrdup("refused");
        message->poll.received = now;
        send_message(message);
    }
    ck_assert_uint_eq(log_count(LOG_WARN) - before, 20);
    now.mono_ms += 61000;
    send_poll(POLL_TIMEOUT); /* still down: no line */
    ck_assert_uint_eq(log_count(LOG_WARN) - before, 20);
    monitor_evaluate(m, now);
    ck_assert_uint_eq(log_count(LOG_WARN) - before, 21); /* "280 more lines ..." */
    log_setup(LOG_ERROR, LOG_FORMAT_TEXT);
    end();
}
END_TEST

static atomic_bool over;

static void *
read_series(void *data)
{
    struct series_point point;

    (void)data;
    while (!atomic_load(&over))
        ck_assert_uint_eq(
            monitor_series(m, (struct region_id){1, 2}, 0, 1, 1, &point, 1), 1);
    return NULL;
}

/* Under ThreadSanitizer this shows that the engine is locked. */
START_TEST(series_are_read_while_the_engine_works)
{
    pthread_t threads[2];

    begin(MASTER);
    atomic_store(&over, false);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, read_series, NULL);
    for (int i = 0; i < 200; i++) {
        send_poll(POLL_OK);
        monitor_evaluate(m, now);
    }
    atomic_store(&over, true);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    end();
}
END_TEST

TEST_MAIN("monitor", there_is_a_view_at_once, the_first_round_makes_it_ready,
          messages_reach_engine_targets_and_counters, events_become_history,
          wishes_name_each_table_once, reloads_swap_or_are_refused,
          stopped_rounds_are_told, lines_about_servers_are_limited,
          series_are_read_while_the_engine_works)
