/* SPDX-License-Identifier: Apache-2.0 */
/* A struct rs_poll owns its message, the reader that fills it and the request under
 * way, until done() gets the message. Collector thread only, driven by the fetcher. */
#include "collectors/rs_poll.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/error_text.h"
#include "common/alloc.h"
#include "common/parse.h"

/* Far above what a RegionServer can hold; bounds memory against a hostile one. */
enum { REGIONS_MAX = 200000 };

struct rs_poll {
    const struct context *context;
    struct rs_memory *memory;
    rs_poll_done_fn *done;
    void *user;
    struct message *message;
    struct jmx_reader *reader;
    struct fetch *fetch;
    enum jmx_mode mode;
    unsigned index; /* of the query under way */
    unsigned requests;
    size_t regions;    /* read before the query under way */
    bool has_received; /* message's `received` is that of the answer with the regions */
    struct moment started;
};

void
rs_memory_finish(struct rs_memory *m)
{
    free(m->server);
    m->server = NULL;
}

static void
rs_poll_free(struct rs_poll *p)
{
    jmx_reader_destroy(p->reader);
    message_destroy(p->message);
    free(p);
}

void
rs_poll_cancel(struct rs_poll *p)
{
    if (p == NULL)
        return;
    fetch_cancel(p->fetch);
    rs_poll_free(p);
}

static void
deliver(struct rs_poll *p, struct message *message)
{
    rs_poll_done_fn *done = p->done;
    void *user = p->user;
    unsigned requests = p->requests;

    rs_poll_free(p);
    done(user, message, requests);
}

/* Notes who answered, and what that start of the server understands. */
static void
remember(struct rs_poll *p)
{
    struct rs_memory *m = p->memory;
    const char *server = p->message->poll.server;
    bool same = m->server != NULL && server != NULL && strcmp(m->server, server) == 0;

    if (same || m->server == NULL || p->mode != m->mode) {
        m->mode = p->mode;
    } else {
        /* Another start: perhaps another version, so the better query is tried anew. */
        m->mode = JMX_COMBINED;
    }
    if (!same && server != NULL) {
        free(m->server);
        m->server = xstrdup(server);
    }
}

static void
end_well(struct rs_poll *p, struct moment ended)
{
    struct message *message = p->message;
    struct server_poll *poll = &message->poll;

    remember(p);
    poll->outcome = POLL_OK;
    if (!p->has_received)
        poll->received = ended;
    poll->duration_ms = ended.mono_ms - p->started.mono_ms;
    p->message = NULL;
    /* The reader points into the message: it goes first. */
    p->reader = jmx_reader_destroy(p->reader);
    deliver(p, message);
}

/* A failed poll carries nothing that was read, only who was asked and what went wrong.
 * Takes ownership of error. */
static void
end_badly(struct rs_poll *p, enum poll_outcome outcome, char *error,
          struct moment ended)
{
    const struct server_poll *read = &p->message->poll;
    struct message *message = message_create(MESSAGE_POLL);
    struct server_poll *poll = &message->poll;

    poll->url = xstrdup(read->url);
    poll->outcome = outcome;
    poll->error = error;
    poll->http_status = read->http_status;
    poll->bytes = read->bytes;
    poll->received = ended;
    poll->duration_ms = ended.mono_ms - p->started.mono_ms;
    deliver(p, message);
}

/* Puts where it happened before a reader's line; takes ownership of it. */
static char *
located(const struct rs_poll *p, char *error)
{
    char *text = error_text("'%s/jmx': %s", p->message->poll.url,
                            error != NULL ? error : "unusable answer");

    free(error);
    return text;
}

static bool
on_body(void *user, const char *data, size_t len)
{
    struct rs_poll *p = user;

    return jmx_reader_feed(p->reader, data, len);
}

static void on_done(void *user, const struct fetch_result *result);

/* Asks the next query, or ends the poll when there is none left. */
static void
next_query(struct rs_poll *p, struct moment now)
{
    const struct poll_config *config = &p->context->config->poll;
    const char *query = jmx_query(p->mode, p->index);
    int64_t left = config->timeout_ms - (now.mono_ms - p->started.mono_ms);
    char *error = NULL;

    if (query == NULL) {
        enum poll_outcome outcome = jmx_reader_end_poll(p->reader, &error);
        if (outcome == POLL_OK)
            end_well(p, now);
        else
            end_badly(p, outcome, located(p, error), now);
        return;
    }
    if (left <= 0) {
        char limit[DURATION_TEXT_SIZE];
        error = error_text("%u answers read, expected all within %s", p->requests,
                           duration_text(config->timeout_ms, limit));
        end_badly(p, POLL_TIMEOUT, located(p, error), now);
        return;
    }
    p->regions = p->message->poll.region_count;
    p->fetch = fetch_start(p->context->fetcher, &(struct fetch_request){
                                                    .base = p->message->poll.url,
                                                    .path = query,
                                                    .timeout_ms = left,
                                                    .max_body = config->max_body,
                                                    .body = on_body,
                                                    .done = on_done,
                                                    .user = p,
                                                });
}

static void
fall_back(struct rs_poll *p, struct moment now)
{
    jmx_reader_restart(p->reader);
    p->mode = JMX_PER_BEAN;
    p->index = 0;
    p->has_received = false;
    next_query(p, now);
}

/* Statuses with which a server may answer a query that it does not understand. */
static bool
refuses_query(const struct fetch_result *result)
{
    return result->outcome == POLL_HTTP_STATUS &&
           (result->http_status == 400 || result->http_status == 500);
}

static void
on_done(void *user, const struct fetch_result *result)
{
    struct rs_poll *p = user;
    struct server_poll *poll = &p->message->poll;
    enum poll_outcome outcome = result->outcome;
    bool not_understood = false;
    char *error = NULL;

    p->fetch = NULL;
    p->requests++;
    poll->http_status = result->http_status;
    poll->bytes += result->bytes;
    if (outcome == POLL_OK) {
        outcome = jmx_reader_end_answer(p->reader, &not_understood, &error);
        if (outcome == POLL_OK && result->stopped)
            outcome = POLL_PARSE;
    } else {
        not_understood = refuses_query(result);
    }
    if (not_understood && p->mode == JMX_COMBINED) {
        free(error);
        fall_back(p, result->ended);
        return;
    }
    if (outcome != POLL_OK) {
        error = result->error != NULL ? xstrdup(result->error) : located(p, error);
        end_badly(p, outcome, error, result->ended);
        return;
    }
    free(error);
    if (poll->region_count > p->regions) {
        poll->received = result->ended;
        p->has_received = true;
    }
    p->index++;
    next_query(p, result->ended);
}

struct rs_poll *
rs_poll_start(const struct context *context, const char *url, struct rs_memory *memory,
              rs_poll_done_fn *done, void *user)
{
    struct rs_poll *p = xcalloc(1, sizeof *p);

    p->context = context;
    p->memory = memory;
    p->done = done;
    p->user = user;
    p->mode = memory->mode;
    p->started = clock_now();
    p->message = message_create(MESSAGE_POLL);
    p->message->poll.url = xstrdup(url);
    p->reader = jmx_reader_create(&p->message->poll, REGIONS_MAX);
    assert(jmx_query(p->mode, 0) != NULL);
    next_query(p, p->started);
    return p;
}
