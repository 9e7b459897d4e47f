/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the tally and the request under way. From HBase 2.5.14, 2.6.5 and 3.0 on
 * /rs-status is a redirect to /regionserver.jsp that loses the query, so a redirect or
 * a 404 is the sign to ask there. Source: HBase RSStatusServlet.java. */
#include "collectors/sampling.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/error_text.h"
#include "collectors/row_tally.h"
#include "collectors/rpc_status.h"
#include "common/alloc.h"

#define QUESTION "?format=json&filter=rpc"

struct sampling {
    const struct context *context;
    char *url;
    char *server;
    uint32_t turn;
    bool *on_jsp;
    bool turned; /* to the other address, in this session: there is no third */
    struct row_tally *tally;
    int64_t next_ms;
    int64_t end_ms;
    unsigned requests;
    unsigned failures; /* in a row */
    bool refused;      /* it makes no sense to ask again */
    char *error;       /* of the last request that failed */
    struct fetch *fetch;
    sampling_done_fn *done;
    void *user;
};

struct sampling *
sampling_create(const struct context *context, const struct focus_server *server,
                bool *on_jsp, struct moment now)
{
    struct sampling *s = xcalloc(1, sizeof *s);

    s->context = context;
    s->url = xstrdup(server->url);
    s->server = xstrdup(server->server);
    s->turn = server->turn;
    s->on_jsp = on_jsp;
    s->tally = row_tally_create(server->regions, server->region_count);
    s->next_ms = now.mono_ms;
    s->end_ms = now.mono_ms + SAMPLING_MS_MAX;
    return s;
}

struct sampling *
sampling_destroy(struct sampling *s)
{
    if (s == NULL)
        return NULL;
    fetch_cancel(s->fetch);
    row_tally_destroy(s->tally);
    free(s->error);
    free(s->server);
    free(s->url);
    free(s);
    return NULL;
}

uint32_t
sampling_turn(const struct sampling *s)
{
    return s->turn;
}

int64_t
sampling_next_ms(const struct sampling *s)
{
    return s->next_ms;
}

bool
sampling_is_over(const struct sampling *s, struct moment now)
{
    return row_tally_is_full(s->tally) || s->refused ||
           s->failures >= SAMPLING_FAILURES_MAX ||
           s->requests >= SAMPLING_REQUESTS_MAX || now.mono_ms >= s->end_ms;
}

struct message *
sampling_message(struct sampling *s, const char *why, struct moment now)
{
    struct message *m = message_create(MESSAGE_ROWS);
    bool failed = s->refused || s->failures >= SAMPLING_FAILURES_MAX;

    m->rows.url = xstrdup(s->url);
    m->rows.server = xstrdup(s->server);
    m->rows.received = now;
    m->rows.turn = s->turn;
    m->rows.requests = s->requests;
    row_tally_give(s->tally, &m->rows);
    if (why != NULL) {
        m->rows.error = xstrdup(why);
    } else if (failed) {
        m->rows.error = s->error;
        s->error = NULL;
    }
    return m;
}

/* The page is elsewhere: true if it was not looked for there yet. */
static bool
turn_to_jsp(struct sampling *s, const struct fetch_result *result)
{
    bool elsewhere = result->outcome == POLL_HTTP_STATUS &&
                     ((result->http_status >= 300 && result->http_status < 400) ||
                      result->http_status == 404);

    if (!elsewhere || s->turned) {
        /* Neither address: both are looked at again by the next session. */
        *s->on_jsp = *s->on_jsp && !elsewhere;
        return false;
    }
    s->turned = true;
    bool was_there = *s->on_jsp;
    *s->on_jsp = !was_there;
    return true;
}

static void
take_failure(struct sampling *s, const struct fetch_result *result, char *error)
{
    free(s->error);
    s->error = error;
    s->failures++;
    s->refused = result->outcome == POLL_AUTH || result->outcome == POLL_HTTP_STATUS;
}

static void
on_done(void *user, const struct fetch_result *result)
{
    struct sampling *s = user;
    enum poll_outcome outcome = result->outcome;
    char *error = NULL;

    s->fetch = NULL;
    /* Also after a transfer that failed: the next one begins anew. */
    enum poll_outcome read = row_tally_end(s->tally, &error);
    if (outcome == POLL_OK)
        outcome = read;
    if (outcome == POLL_OK) {
        s->failures = 0;
    } else if (turn_to_jsp(s, result)) {
        s->next_ms = result->ended.mono_ms;
    } else if (result->error != NULL) {
        take_failure(s, result, xstrdup(result->error));
    } else {
        take_failure(s, result,
                     error_text("'%s': the handlers' calls: %s", s->url, error));
    }
    free(error);
    s->done(s->user, result->bytes);
}

static bool
on_body(void *user, const char *data, size_t len)
{
    struct sampling *s = user;

    return row_tally_feed(s->tally, data, len);
}

void
sampling_request(struct sampling *s, struct moment now, sampling_done_fn *done,
                 void *user)
{
    const struct poll_config *config = &s->context->config->poll;
    int64_t left = s->end_ms - now.mono_ms;

    assert(s->fetch == NULL);
    s->done = done;
    s->user = user;
    s->requests++;
    s->next_ms = now.mono_ms + SAMPLING_PAUSE_MS;
    s->fetch = fetch_start(
        s->context->fetcher,
        &(struct fetch_request){
            .base = s->url,
            .path = *s->on_jsp ? "/regionserver.jsp" QUESTION : "/rs-status" QUESTION,
            .timeout_ms = left < config->timeout_ms ? left : config->timeout_ms,
            .max_body =
                config->max_body < RPC_ANSWER_MAX ? config->max_body : RPC_ANSWER_MAX,
            .body = on_body,
            .done = on_done,
            .user = s,
        });
}
