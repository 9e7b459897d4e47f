/* SPDX-License-Identifier: Apache-2.0 */
/* Straight from HBase: the daemon's collector and engine in this process. The collector
 * has its thread; all else runs in the caller's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/engine.h"
#include "collectors/collector.h"
#include "common/alloc.h"
#include "common/row_key.h"
#include "config/load.h"
#include "hotspotctl/live.h"

/* HBase counts anew every 10 s; two values make a rate. */
static const char configuration[] =
    "masters: [ \"%s\" ]\n"
    "poll: { interval: 5s, timeout: 4s }\n"
    "detection: { window: 20s, for: 10s, clear_for: 10s }\n"
    "history: { raw: 5m, five_minutes: 5m, hours: 1h }\n";
enum { EVALUATE_MS = 1000 };

struct live_hbase {
    struct live_source source;
    struct config *config;
    struct collector *collector;
    struct engine *engine;
    int64_t next_ms; /* evaluation */
    bool answered;
    char problem[160];
};

static struct config *
make_config(const char *url, struct buf *error)
{
    struct config_problems problems;
    struct buf text;

    buf_init(&text, 0);
    buf_addf(&text, configuration, url);
    struct config *config = config_load_text(text.data, text.len, &problems);
    buf_finish(&text);
    for (size_t i = 0; i < problems.count && config == NULL; i++)
        if (!problems.items[i].warning && error->len == 0)
            buf_adds(error, problems.items[i].text);
    config_problems_finish(&problems);
    return config;
}

static void
destroy(struct live_source *source)
{
    struct live_hbase *s = (struct live_hbase *)source;

    collector_destroy(s->collector);
    engine_destroy(s->engine);
    config_destroy(s->config);
    free(s);
}

/* ---- messages ---- */

static void
note_problem(struct live_hbase *s, const char *where, const char *error)
{
    if (error != NULL)
        snprintf(s->problem, sizeof s->problem, "%.60s: %.95s", where, error);
}

static void
apply(struct live_hbase *s, const struct message *m)
{
    switch (m->kind) {
    case MESSAGE_POLL:
        engine_apply_poll(s->engine, &m->poll);
        s->answered = s->answered || m->poll.outcome == POLL_OK;
        if (m->poll.outcome != POLL_OK && m->poll.outcome != POLL_NO_DATA)
            note_problem(s, m->poll.url, m->poll.error);
        else if (strstr(s->problem, m->poll.url) == s->problem)
            s->problem[0] = '\0';
        break;
    case MESSAGE_CLUSTER:
        engine_apply_cluster(s->engine, &m->cluster);
        if (m->cluster.url != NULL && strstr(s->problem, m->cluster.url) == s->problem)
            s->problem[0] = '\0';
        break;
    case MESSAGE_LISTING:
        engine_apply_listing(s->engine, &m->listing);
        break;
    case MESSAGE_DETAIL:
        engine_apply_detail(s->engine, &m->detail);
        break;
    case MESSAGE_SOURCE:
        note_problem(s, m->report.source, m->report.error);
        break;
    default:
        break;
    }
}

/* ---- rows ---- */

static const char *
key_of(struct live_view *v, bool known, const uint8_t *key, size_t len)
{
    struct buf text;

    if (!known)
        return NULL;
    buf_init(&text, 0);
    row_key_escape(&text, key, len);
    const char *copy = live_view_text(v, text.data);
    buf_finish(&text);
    return copy;
}

static void
add_region(struct live_view *v, const struct snapshot *s, const struct region_row *row)
{
    struct live_region *r = live_view_add(v);
    const struct region_facts *f = row->facts;

    region_id_text(f->id, r->id);
    r->table = live_view_text(v, f->table->name);
    if (row->server != NO_INDEX)
        r->server = live_view_text(v, s->servers[row->server].facts->address);
    r->start_key = key_of(v, f->start_known, region_start_key(f), f->start_len);
    r->end_key = key_of(v, f->end_known, region_end_key(f), f->end_len);
    r->read = (double)row->rate[ACCESS_READ];
    r->write = (double)row->rate[ACCESS_WRITE];
    r->ratio = (double)row->ratio;
    r->size = row->size_bytes >= 0 ? (double)row->size_bytes : (double)NAN;
    r->state = row->heat == HEAT_FIRING    ? LIVE_HOT
               : row->heat == HEAT_PENDING ? LIVE_PENDING
                                           : LIVE_NORMAL;
    v->hot += r->state == LIVE_HOT;
}

/* Why, and the lines for the HBase shell. */
static const char *
explain(struct live_view *v, const struct explanation *why)
{
    struct buf text;

    buf_init(&text, 0);
    if (why->evidence != NULL)
        buf_addf(&text, "%s\n", why->evidence);
    if (why->advice != NULL)
        buf_addf(&text, "%s\n", why->advice);
    for (size_t i = 0; i < why->command_count; i++)
        buf_addf(&text, "\n# %s\n%s\n", why->commands[i].why, why->commands[i].command);
    const char *copy = live_view_text(v, text.data);
    buf_finish(&text);
    return copy;
}

static void
add_alert(struct live_view *v, const struct alert *alert)
{
    char id[REGION_ID_TEXT_SIZE];

    if (alert->region == NULL || alert->why == NULL)
        return;
    region_id_text(alert->region->id, id);
    for (size_t i = 0; i < v->count; i++) {
        struct live_region *r = &v->regions[i];
        if (strcmp(r->id, id) != 0)
            continue;
        r->heat_class = heat_class_name(alert->why->heat_class);
        r->why = explain(v, alert->why);
        return;
    }
}

static void
make_view(struct live_hbase *s, const struct snapshot *snapshot, struct live_view *v)
{
    live_view_finish(v);
    for (uint32_t i = 0; i < snapshot->region_count; i++)
        add_region(v, snapshot, &snapshot->regions[i]);
    for (uint32_t i = 0; i < snapshot->alert_count; i++)
        add_alert(v, &snapshot->alerts[i]);
    v->servers = snapshot->server_count;
    v->servers_up = snapshot->servers_up;
    v->coverage = snapshot->region_count > 0 ? snapshot->coverage : (double)NAN;
    if (s->problem[0] != '\0')
        snprintf(v->message, sizeof v->message, "%s", s->problem);
    else if (snapshot->region_count == 0 || snapshot->active == 0)
        snprintf(v->message, sizeof v->message, "%s",
                 s->answered ? "waiting for a second value: HBase makes one in 10 s"
                             : "waiting for the first answer");
}

static bool
update(struct live_source *source, struct live_view *view)
{
    struct live_hbase *s = (struct live_hbase *)source;
    struct moment now = clock_now();
    struct message *m = collector_take(s->collector);
    bool news = m != NULL;

    while (m != NULL) {
        struct message *next = m->next;
        apply(s, m);
        message_destroy(m);
        m = next;
    }
    if (!news && now.mono_ms < s->next_ms)
        return false;
    s->next_ms = now.mono_ms + EVALUATE_MS;
    struct snapshot *snapshot = engine_evaluate(s->engine, now);
    struct engine_wants wants = engine_wants(s->engine);
    if (wants.listing || wants.urgent_listing)
        collector_want_listing(s->collector, wants.urgent_listing, NULL);
    collector_set_focus(s->collector, engine_focus(s->engine));
    make_view(s, snapshot, view);
    snapshot_unref(snapshot);
    return true;
}

struct live_source *
live_hbase_create(const char *url, struct buf *error)
{
    static const struct live_source_ops ops = {update, destroy};
    struct live_hbase *s = xcalloc(1, sizeof *s);
    char *what = NULL;

    s->source.ops = &ops;
    s->config = make_config(url, error);
    if (s->config != NULL) {
        s->engine = engine_create(s->config);
        s->collector = collector_create(s->config, &what);
        if (s->collector == NULL)
            buf_adds(error, what != NULL ? what : "the collector does not start");
        free(what);
    }
    if (s->collector != NULL)
        return &s->source;
    destroy(&s->source);
    return NULL;
}
