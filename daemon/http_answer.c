/* SPDX-License-Identifier: Apache-2.0 */
/* Building of answers, and the small handlers that need no file of their own. The body
 * belongs to the answer until http_server.c takes it. HTTP threads. */
#include "daemon/http_answer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/reload_gate.h"

static const char text_type[] = "text/plain; charset=utf-8";
static const char json_type[] = "application/json";

void
answer_init(struct answer *a)
{
    *a = (struct answer){.status = 200, .type = text_type};
    buf_init(&a->body, 0);
}

void
answer_finish(struct answer *a)
{
    buf_finish(&a->body);
}

void
answer_text(struct answer *a, unsigned status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    a->status = status;
    a->type = text_type;
    buf_vaddf(&a->body, format, args);
    buf_addc(&a->body, '\n');
    va_end(args);
}

static const char *
error_type(unsigned status)
{
    switch (status) {
    case 400:
        return "bad_data";
    case 403:
        return "forbidden";
    case 404:
        return "not_found";
    case 405:
        return "method_not_allowed";
    case 413:
        return "too_large";
    case 503:
        return "unavailable";
    default:
        return "internal";
    }
}

void
answer_error(struct answer *a, unsigned status, const char *format, ...)
{
    struct json_writer w;
    struct buf text;
    va_list args;

    buf_init(&text, 0);
    va_start(args, format);
    buf_vaddf(&text, format, args);
    va_end(args);
    a->status = status;
    a->type = json_type;
    buf_reset(&a->body);
    json_init(&w, &a->body);
    json_object_begin(&w);
    json_member_string(&w, "status", "error");
    json_member_string(&w, "errorType", error_type(status));
    json_member_string(&w, "error", text.data);
    json_object_end(&w);
    buf_addc(&a->body, '\n');
    buf_finish(&text);
}

void
answer_data_begin(struct answer *a, struct json_writer *w)
{
    a->type = json_type;
    json_init(w, &a->body);
    json_object_begin(w);
    json_member_string(w, "status", "success");
    json_key(w, "data");
    json_object_begin(w);
}

void
answer_data_end(struct answer *a, struct json_writer *w)
{
    json_object_end(w);
    json_object_end(w);
    buf_addc(&a->body, '\n');
    if (a->body.failed)
        answer_error(a, 503, "out of memory");
}

void
answer_healthy(const struct http_request *request, struct answer *a)
{
    (void)request;
    answer_text(a, 200, "hotspotd is healthy.");
}

void
answer_ready(const struct http_request *request, struct answer *a)
{
    const struct status *status = &request->view->status;

    if (status->ready)
        answer_text(a, 200, "hotspotd is ready.");
    else
        answer_text(a, 503, "hotspotd is not ready: %s.", status->not_ready);
}

/* Whether an Accept-Encoding header takes gzip: named with a q that is not 0. */
static bool
takes_gzip(const char *header)
{
    for (const char *s = header; s != NULL && *s != '\0';) {
        s += strspn(s, ", \t");
        size_t len = strcspn(s, ",");
        size_t name = strcspn(s, ",; \t");
        if (name == 4 && strncasecmp(s, "gzip", 4) == 0) {
            const char *q = memchr(s, '=', len);
            return q == NULL || strspn(q, "= 0.") < len - (size_t)(q - s);
        }
        s += len;
    }
    return false;
}

bool
answer_takes_gzip(const struct http_request *request)
{
    return takes_gzip(request->accept_encoding);
}

void
answer_metrics(const struct http_request *request, struct answer *a)
{
    struct view *view = request->view;

    a->type = "text/plain; version=0.0.4; charset=utf-8";
    a->vary = "Accept, Accept-Encoding";
    a->scrape = true;
    a->shared = view->metrics;
    a->shared_len = view->metrics_len;
    a->gzip = takes_gzip(request->accept_encoding) &&
              view_metrics_gzip(view, &a->shared, &a->shared_len) == 0;
}

/* Whether a browser's page of another origin sent the request: the header's authority
 * is not the one that was asked. */
static bool
is_foreign(const struct http_request *request)
{
    if (request->origin == NULL)
        return false;
    const char *authority = strstr(request->origin, "://");
    return authority == NULL || request->host == NULL ||
           strcasecmp(authority + 3, request->host) != 0;
}

void
answer_reload(const struct http_request *request, struct answer *a)
{
    struct buf text;

    if (request->context->reload == NULL) {
        answer_text(a, 403,
                    "reloading over HTTP is off; start hotspotd with "
                    "--web.enable-lifecycle or send it SIGHUP");
        return;
    }
    if (is_foreign(request)) {
        answer_text(a, 403, "requests of another origin are refused");
        return;
    }
    buf_init(&text, 0);
    switch (reload_gate_request(request->context->reload, &text)) {
    case RELOAD_DONE:
        answer_text(a, 200, "the configuration has been reloaded");
        break;
    case RELOAD_REFUSED:
        answer_text(a, 500, "the configuration was not reloaded: %s", text.data);
        break;
    case RELOAD_BUSY:
        answer_text(a, 503, "another reload is under way");
        break;
    case RELOAD_LATE:
        answer_text(a, 500, "the reload has not ended in time; see /api/v1/status");
        break;
    }
    buf_finish(&text);
}
