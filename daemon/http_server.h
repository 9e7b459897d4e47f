/* SPDX-License-Identifier: Apache-2.0 */
/* The HTTP server: libmicrohttpd with a pool of two threads for each listening address,
 * limits on connections, time, bodies and memory. Created and destroyed by the main
 * thread. */
#ifndef DAEMON_HTTP_SERVER_H
#define DAEMON_HTTP_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "daemon/http_answer.h"
#include "daemon/http_conn.h"
#include "daemon/http_stats.h"

struct http_server;

struct http_server_options {
    const struct string_list *listen;
    unsigned max_connections; /* over all addresses; a quarter of it from one client */
    unsigned max_scrapes;     /* answers of /metrics under way; more get 503 */
    size_t max_answer_bytes;  /* memory of answers under way; more get 503 */
    struct http_deadlines deadlines;
};

/* What the daemon uses: idle 30 s, head 10 s, request 60 s, 40 scrapes, 64 MiB. */
struct http_server_options http_server_defaults(const struct http_config *config);

/* Listens and serves; says each address in the log ("listening on http://..."). A view
 * must have been published. context and stats must outlive the server. NULL with the
 * reason appended to *error. */
struct http_server *http_server_create(const struct http_server_options *options,
                                       const struct http_context *context,
                                       struct http_stats *stats, struct buf *error);
/* Ends its threads and closes all connections. Accepts NULL; returns NULL. */
struct http_server *http_server_destroy(struct http_server *s);

/* Cuts connections past their deadline; to be called about once a second. */
void http_server_sweep(struct http_server *s, int64_t mono_ms);

/* "http://host:port" of address i, or NULL. */
const char *http_server_url(const struct http_server *s, size_t i);
/* Connections open now. */
size_t http_server_connections(struct http_server *s);

#endif
