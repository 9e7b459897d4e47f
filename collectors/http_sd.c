/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the request under way and its body. Collector thread only. */
#include "collectors/http_sd.h"

#include <stdlib.h>

#include "collectors/error_text.h"
#include "common/alloc.h"
#include "common/buf.h"

struct http_sd {
    const struct context *context;
    struct http_sd_events events;
    struct fetch *fetch;
    struct buf body;
};

struct http_sd *
http_sd_create(const struct context *context, const struct http_sd_events *events)
{
    struct http_sd *h = xcalloc(1, sizeof *h);

    h->context = context;
    h->events = *events;
    buf_init(&h->body, FILE_SD_BYTES_MAX);
    return h;
}

struct http_sd *
http_sd_destroy(struct http_sd *h)
{
    if (h == NULL)
        return NULL;
    fetch_cancel(h->fetch);
    buf_finish(&h->body);
    free(h);
    return NULL;
}

bool
http_sd_busy(const struct http_sd *h)
{
    return h->fetch != NULL;
}

static bool
on_body(void *user, const char *data, size_t len)
{
    struct http_sd *h = user;

    buf_add(&h->body, data, len);
    return !h->body.failed;
}

static void
on_done(void *user, const struct fetch_result *result)
{
    struct http_sd *h = user;
    const char *source = h->context->config->regionservers.http_sd;
    enum poll_outcome outcome = result->outcome;
    struct url_list urls;
    char *error = NULL;
    char *why = NULL;

    h->fetch = NULL;
    h->events.counted(h->events.user, result->bytes);
    if (outcome != POLL_OK) {
        error = xstrdup(result->error);
    } else if (file_sd_parse(h->body.data, h->body.len, &urls, &why) < 0) {
        outcome = POLL_PARSE;
        error = error_text("%s: %s", quoted(source).text, why);
        free(why);
    }
    buf_finish(&h->body);
    if (outcome == POLL_OK) {
        h->events.found(h->events.user, &urls);
        return;
    }
    outbox_failure(h->context->outbox, source, outcome, error);
    h->events.missed(h->events.user);
}

void
http_sd_start(struct http_sd *h)
{
    if (h->fetch != NULL)
        return;
    h->fetch = fetch_start(h->context->fetcher,
                           &(struct fetch_request){
                               .base = h->context->config->regionservers.http_sd,
                               .path = "",
                               .timeout_ms = h->context->config->poll.timeout_ms,
                               .max_body = FILE_SD_BYTES_MAX,
                               .body = on_body,
                               .done = on_done,
                               .user = h,
                           });
}
