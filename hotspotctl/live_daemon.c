/* SPDX-License-Identifier: Apache-2.0 */
/* From a hotspotd: its regions and alerts, asked for every few seconds. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/clock.h"
#include "hotspotctl/api_client.h"
#include "hotspotctl/live.h"

struct live_daemon {
    struct live_source source;
    struct api_client *client;
    int64_t interval_ms;
    int64_t next_ms;
};

static void
destroy(struct live_source *source)
{
    struct live_daemon *s = (struct live_daemon *)source;

    api_client_destroy(s->client);
    free(s);
}

static double
number(const struct cJSON *row, const char *name)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(row, name);

    return cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
}

/* NULL if it is no text. */
static const char *
text(struct live_view *v, const struct cJSON *row, const char *path)
{
    const cJSON *value = api_member(row, path);

    return cJSON_IsString(value) ? live_view_text(v, value->valuestring) : NULL;
}

static const char *
or_empty(const char *s)
{
    return s != NULL ? s : "";
}

static void
add_region(struct live_view *v, const struct cJSON *row)
{
    struct live_region *r = live_view_add(v);
    const char *state = text(v, row, "state");

    snprintf(r->id, sizeof r->id, "%s", or_empty(text(v, row, "region")));
    r->table = or_empty(text(v, row, "table"));
    r->server = or_empty(text(v, row, "server"));
    r->start_key = text(v, row, "startKey");
    r->end_key = text(v, row, "endKey");
    r->read = number(row, "readRate");
    r->write = number(row, "writeRate");
    r->ratio = number(row, "ratio");
    r->size = number(row, "sizeBytes");
    if (state != NULL && strcmp(state, "firing") == 0)
        r->state = LIVE_HOT;
    else if (state != NULL && strcmp(state, "pending") == 0)
        r->state = LIVE_PENDING;
    v->hot += r->state == LIVE_HOT;
}

static const char *
explain(struct live_view *v, const struct cJSON *alert)
{
    static const char *const parts[] = {"annotations.summary", "evidence.classEvidence",
                                        "annotations.advice"};
    const cJSON *command;
    struct buf out;

    buf_init(&out, 0);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *part = text(v, alert, parts[i]);
        if (part != NULL)
            buf_addf(&out, "%s\n", part);
    }
    cJSON_ArrayForEach(command, api_member(alert, "evidence.commands"))
    {
        buf_addf(&out, "\n# %s\n%s\n", or_empty(text(v, command, "why")),
                 or_empty(text(v, command, "command")));
    }
    const char *copy = live_view_text(v, out.data);
    buf_finish(&out);
    return copy;
}

static void
add_alerts(struct live_view *v, const struct cJSON *alerts)
{
    const cJSON *alert;

    cJSON_ArrayForEach(alert, alerts)
    {
        const char *id = text(v, alert, "evidence.region");
        for (size_t i = 0; id != NULL && i < v->count; i++) {
            if (strcmp(v->regions[i].id, id) != 0)
                continue;
            v->regions[i].heat_class = or_empty(text(v, alert, "evidence.class"));
            v->regions[i].why = explain(v, alert);
        }
    }
}

/* One GET into the view; its problem becomes the message. */
static bool
ask(struct live_daemon *s, const char *path, struct live_view *v,
    void (*take)(struct live_view *, const struct cJSON *))
{
    struct api_answer answer;
    struct buf error;

    buf_init(&error, 0);
    bool good = api_get(s->client, path, &answer, &error) == 0;
    if (good)
        take(v, answer.data);
    else
        snprintf(v->message, sizeof v->message, "%s", error.data);
    api_answer_finish(&answer);
    buf_finish(&error);
    return good;
}

static void
take_regions(struct live_view *v, const struct cJSON *data)
{
    const cJSON *row;

    cJSON_ArrayForEach(row, api_member(data, "regions"))
    {
        add_region(v, row);
    }
}

static void
take_alerts(struct live_view *v, const struct cJSON *data)
{
    add_alerts(v, api_member(data, "alerts"));
}

static void
take_status(struct live_view *v, const struct cJSON *data)
{
    const cJSON *up = api_member(data, "servers.up");
    const cJSON *total = api_member(data, "servers.total");

    v->servers_up = cJSON_IsNumber(up) ? (unsigned)up->valueint : 0;
    v->servers = cJSON_IsNumber(total) ? (unsigned)total->valueint : 0;
    v->coverage = number(data, "coverage");
}

static bool
update(struct live_source *source, struct live_view *view)
{
    struct live_daemon *s = (struct live_daemon *)source;
    int64_t now = clock_now().mono_ms;
    struct live_view fresh;

    if (now < s->next_ms)
        return false;
    s->next_ms = now + s->interval_ms;
    live_view_init(&fresh);
    if (ask(s, "/api/v1/status", &fresh, take_status) &&
        ask(s, "/api/v1/regions?limit=10000", &fresh, take_regions) &&
        ask(s, "/api/v1/alerts", &fresh, take_alerts)) {
        live_view_finish(view);
        *view = fresh;
        return true;
    }
    /* What was shown stays, with the problem. */
    memcpy(view->message, fresh.message, sizeof view->message);
    live_view_finish(&fresh);
    return true;
}

struct live_source *
live_daemon_create(const char *url, unsigned interval_s, bool *ret_other,
                   struct buf *error)
{
    static const struct live_source_ops ops = {update, destroy};
    struct live_daemon *s = xcalloc(1, sizeof *s);
    struct api_answer answer;

    s->source.ops = &ops;
    s->interval_ms = (int64_t)interval_s * 1000;
    s->client = api_client_create(url, error);
    *ret_other = false;
    if (s->client != NULL) {
        bool good = api_get(s->client, "/api/v1/status", &answer, error) == 0;
        *ret_other = !good && answer.status != 0;
        api_answer_finish(&answer);
        if (good)
            return &s->source;
    }
    destroy(&s->source);
    return NULL;
}
