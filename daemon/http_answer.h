/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and answers as the handlers see them: plain structs without a socket, so
 * that each handler can be tested by a call. http_server.c carries them over the wire.
 */
#ifndef DAEMON_HTTP_ANSWER_H
#define DAEMON_HTTP_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/engine.h"
#include "common/buf.h"
#include "common/json_write.h"
#include "daemon/query.h"
#include "daemon/view.h"

struct heatmap;
struct reload_gate;

/* What all requests share; filled once before the server starts. */
struct http_context {
    struct publisher *views;
    const char *telemetry_path;
    /* History of a region, as engine_series() but with its lock taken. */
    size_t (*series)(void *data, struct region_id id, int64_t from_ms, int64_t to_ms,
                     int64_t step_ms, struct series_point *points, size_t max);
    /* Makes a heat map (analysis/heatmap.h) with the lock taken in portions. */
    void (*heatmap)(void *data, struct heatmap *map);
    void *series_data;          /* of both */
    struct reload_gate *reload; /* NULL: /-/reload is switched off */
};

struct http_request {
    const struct http_context *context;
    struct view *view; /* the server holds a reference for the time of the answer */
    struct query query;
    const char *segment; /* what stands for {region}; not ended by a NUL */
    size_t segment_len;
    unsigned route; /* enum http_route, for the counters */
    /* Headers, NULL when absent. */
    const char *host;
    const char *origin;
    const char *accept_encoding;
    const char *if_none_match;
    bool has_body; /* the request announces a body */
};

struct answer {
    unsigned status;
    const char *type; /* Content-Type; static */
    struct buf body;
    const char *shared; /* instead of body: bytes that live as long as the view */
    size_t shared_len;
    bool gzip;         /* Content-Encoding */
    bool page;         /* HTML: add the Content-Security-Policy */
    bool scrape;       /* /metrics: counts against the limit on scrapes */
    const char *allow; /* Allow; static */
    const char *vary;  /* Vary; static */
    char etag[72];     /* ETag; "" without one */
};

void answer_init(struct answer *a);
void answer_finish(struct answer *a);

/* Text for people, one line. */
void answer_text(struct answer *a, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* {"status":"error","errorType":...,"error":...}; the type follows from the status. */
void answer_error(struct answer *a, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Opens {"status":"success","data":{ and closes it. */
void answer_data_begin(struct answer *a, struct json_writer *w);
void answer_data_end(struct answer *a, struct json_writer *w);

/* Whether the request takes gzip. */
bool answer_takes_gzip(const struct http_request *request);
/* Gives the answer its entity tag; true, and an empty 304, if the client holds it. The
 * second one's is of the view: what is made of nothing else changes with it alone. */
bool answer_unchanged(const struct http_request *request, struct answer *a,
                      const char *etag);
bool answer_view_unchanged(const struct http_request *request, struct answer *a);

/* ---- the handlers, in http_*.c ---- */

void answer_page(const struct http_request *request, struct answer *a);
void answer_web(const struct http_request *request, struct answer *a);
void answer_metrics(const struct http_request *request, struct answer *a);
void answer_healthy(const struct http_request *request, struct answer *a);
void answer_ready(const struct http_request *request, struct answer *a);
void answer_reload(const struct http_request *request, struct answer *a);
void answer_status(const struct http_request *request, struct answer *a);
void answer_alerts(const struct http_request *request, struct answer *a);
void answer_history(const struct http_request *request, struct answer *a);
void answer_regions(const struct http_request *request, struct answer *a);
void answer_region(const struct http_request *request, struct answer *a);
void answer_series(const struct http_request *request, struct answer *a);
void answer_heatmap(const struct http_request *request, struct answer *a);
void answer_tables(const struct http_request *request, struct answer *a);
void answer_servers(const struct http_request *request, struct answer *a);
void answer_targets(const struct http_request *request, struct answer *a);
void answer_openapi(const struct http_request *request, struct answer *a);
void answer_sd(const struct http_request *request, struct answer *a);

#endif
