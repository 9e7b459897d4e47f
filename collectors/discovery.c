/* SPDX-License-Identifier: Apache-2.0 */
/* Owns one struct master for each configured one, with its request and half-read
 * message. Collector thread only. */
#include "collectors/discovery.h"

#include <stdlib.h>
#include <string.h>

#include "collectors/address.h"
#include "collectors/error_text.h"
#include "collectors/master.h"
#include "common/alloc.h"
#include "common/buf.h"

enum { BODY_MAX = 8 * 1024 * 1024 };

struct master {
    struct discovery *discovery;
    const char *name; /* as configured: how it is called in messages */
    char *url;        /* NULL: the configured text is no address */
    struct fetch *fetch;
    struct message *cluster; /* what it said so far */
    struct buf body;
    unsigned index; /* of the query under way */
    bool asking;
    bool active;
    int64_t started_ms;
    enum poll_outcome outcome; /* of this time */
    char *error;
};

struct discovery {
    const struct context *context;
    discovery_fn *found;
    discovery_count_fn *counted;
    void *user;
    struct master *masters;
    size_t count;
    size_t asking;  /* masters not finished */
    bool delivered; /* the active one was found this time */
};

struct discovery *
discovery_create(const struct context *context, discovery_fn *found,
                 discovery_count_fn *counted, void *user)
{
    const struct string_list *names = &context->config->masters;
    struct discovery *d = xcalloc(1, sizeof *d);

    d->context = context;
    d->found = found;
    d->counted = counted;
    d->user = user;
    d->masters = xcalloc(names->count, sizeof d->masters[0]);
    d->count = names->count;
    for (size_t i = 0; i < d->count; i++) {
        struct master *m = &d->masters[i];
        m->discovery = d;
        m->name = names->items[i];
        if (address_parse(m->name, strlen(m->name), &m->url) < 0)
            m->url = NULL;
        buf_init(&m->body, BODY_MAX);
    }
    return d;
}

struct discovery *
discovery_destroy(struct discovery *d)
{
    if (d == NULL)
        return NULL;
    for (size_t i = 0; i < d->count; i++) {
        struct master *m = &d->masters[i];
        fetch_cancel(m->fetch);
        message_destroy(m->cluster);
        buf_finish(&m->body);
        free(m->error);
        free(m->url);
    }
    free(d->masters);
    free(d);
    return NULL;
}

bool
discovery_searching(const struct discovery *d)
{
    return d->asking > 0 && !d->delivered;
}

/* All were asked: tells what there is to tell of each. */
static void
conclude(struct discovery *d)
{
    for (size_t i = 0; i < d->count; i++) {
        struct master *m = &d->masters[i];
        if (m->outcome == POLL_OK && !m->active && !d->delivered) {
            m->outcome = POLL_NO_DATA;
            m->error = error_text("%s: not active, and neither is another of the %zu "
                                  "configured masters; expected one to be",
                                  quoted(m->name).text, d->count);
        }
        if (m->outcome == POLL_OK && !m->active)
            outbox_answered(d->context->outbox, m->name);
        if (m->outcome != POLL_OK && m->error != NULL)
            outbox_failure(d->context->outbox, m->name, m->outcome, m->error);
        m->error = NULL;
    }
    if (!d->delivered)
        d->found(d->user, NULL);
}

/* Takes ownership of error. */
static void
finish(struct master *m, enum poll_outcome outcome, char *error)
{
    struct discovery *d = m->discovery;

    m->outcome = outcome;
    free(m->error);
    m->error = error;
    m->asking = false;
    d->asking--;
    buf_finish(&m->body);
    if (outcome == POLL_OK && m->active && !d->delivered) {
        struct message *cluster = m->cluster;
        m->cluster = NULL;
        d->delivered = true;
        d->found(d->user, cluster);
    }
    m->cluster = message_destroy(m->cluster);
    if (d->asking == 0)
        conclude(d);
}

static bool
on_body(void *user, const char *data, size_t len)
{
    struct master *m = user;

    buf_add(&m->body, data, len);
    return !m->body.failed;
}

static void on_done(void *user, const struct fetch_result *result);

/* Asks the next query; false when there is none left. */
static bool
ask(struct master *m, struct moment now)
{
    const struct context *context = m->discovery->context;
    const char *query = master_query(m->index);
    int64_t left = context->config->poll.timeout_ms - (now.mono_ms - m->started_ms);

    if (query == NULL)
        return false;
    buf_reset(&m->body);
    m->fetch = fetch_start(context->fetcher, &(struct fetch_request){
                                                 .base = m->url,
                                                 .path = query,
                                                 .timeout_ms = left < 1 ? 1 : left,
                                                 .max_body = BODY_MAX,
                                                 .body = on_body,
                                                 .done = on_done,
                                                 .user = m,
                                             });
    return true;
}

static void
on_done(void *user, const struct fetch_result *result)
{
    struct master *m = user;
    char *error = NULL;

    m->fetch = NULL;
    m->discovery->counted(m->discovery->user, result->bytes);
    if (result->outcome != POLL_OK || m->body.failed) {
        enum poll_outcome outcome =
            result->outcome != POLL_OK ? result->outcome : POLL_TOO_LARGE;
        error = result->error != NULL
                    ? xstrdup(result->error)
                    : error_text("%s: too long an answer", quoted(m->name).text);
        finish(m, outcome, error);
        return;
    }
    bool active = false;
    enum poll_outcome outcome =
        master_read(m->body.data, m->body.len, &m->cluster->cluster, &active, &error);
    m->active = m->active || active;
    if (outcome != POLL_OK) {
        char *text = error_text("%s: %s", quoted(m->name).text,
                                error != NULL ? error : "unusable answer");
        free(error);
        finish(m, outcome, text);
        return;
    }
    free(error);
    m->index++;
    m->cluster->cluster.received = result->ended;
    /* What a backup says beyond that it is one is of no use. */
    if (!m->active || !ask(m, result->ended))
        finish(m, POLL_OK, NULL);
}

static void
start(struct master *m, struct moment now)
{
    struct discovery *d = m->discovery;

    m->asking = true;
    m->active = false;
    m->index = 0;
    m->outcome = POLL_OK;
    m->started_ms = now.mono_ms;
    m->cluster = message_create(MESSAGE_CLUSTER);
    m->cluster->cluster.url = xstrdup(m->name);
    d->asking++;
    if (m->url != NULL && ask(m, now))
        return;
    finish(m, POLL_BAD_RESPONSE,
           error_text("%s: expected http://host:port", quoted(m->name).text));
}

void
discovery_start(struct discovery *d)
{
    struct moment now = clock_now();

    d->delivered = false;
    d->asking++; /* keeps the end away until all are started */
    for (size_t i = 0; i < d->count; i++) {
        if (!d->masters[i].asking)
            start(&d->masters[i], now);
    }
    d->asking--;
    if (d->asking == 0)
        conclude(d);
}
