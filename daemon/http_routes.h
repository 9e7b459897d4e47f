/* SPDX-License-Identifier: Apache-2.0 */
/* The one table of what the HTTP server answers: path, methods, parameters, handler and
 * the name under which requests are counted. Paths are compared as they were sent, byte
 * by byte: nothing is decoded, no file is ever opened by a path. */
#ifndef DAEMON_HTTP_ROUTES_H
#define DAEMON_HTTP_ROUTES_H

#include <stddef.h>

#include "daemon/http_answer.h"
#include "daemon/query.h"

enum http_method {
    METHOD_GET = 1, /* HEAD, too */
    METHOD_POST = 2,
    METHOD_PUT = 4,
};

enum http_route {
    ROUTE_PAGE,
    ROUTE_WEB,
    ROUTE_METRICS,
    ROUTE_HEALTHY,
    ROUTE_READY,
    ROUTE_RELOAD,
    ROUTE_STATUS,
    ROUTE_ALERTS,
    ROUTE_HISTORY,
    ROUTE_REGIONS,
    ROUTE_REGION,
    ROUTE_SERIES,
    ROUTE_HEATMAP,
    ROUTE_TABLES,
    ROUTE_SERVERS,
    ROUTE_TARGETS,
    ROUTE_OPENAPI,
    ROUTE_SD,
    ROUTE_COUNT, /* also: a path that is none of these */
};

struct route {
    const char *path; /* "{…}" stands for one path segment; NULL: telemetry path */
    const char *name; /* label `handler` */
    unsigned methods; /* of METHOD_* */
    const struct param *params; /* ends with a NULL name; NULL: the query is ignored */
    void (*answer)(const struct http_request *request, struct answer *answer);
};

extern const struct route http_routes[ROUTE_COUNT];

/* Name for the metrics; "other" for ROUTE_COUNT. */
const char *http_route_name(enum http_route route);

/* The route of a path or ROUTE_COUNT. *ret_segment (may be NULL) is what stands for
 * {region}, *ret_segment_len its length; 0 without one. */
enum http_route http_route_find(const char *path, size_t len,
                                const char *telemetry_path, const char **ret_segment,
                                size_t *ret_segment_len);

/* "GET, HEAD" and the like, for the Allow header. */
const char *http_route_allow(unsigned methods);

/* Answers one request: finds the route, checks method and parameters, calls the
 * handler. Sets request->route. */
void http_respond(struct http_request *request, const char *method, const char *uri,
                  struct answer *answer);

#endif
