/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines of connections, which libmicrohttpd does not have (its timeout is idle
 * time, and one byte a second defeats it): each connection is registered here, and a
 * sweep shuts down those past their time. A mutex guards the list, so that no
 * descriptor is shut down after the server has closed it. */
#ifndef DAEMON_HTTP_CONN_H
#define DAEMON_HTTP_CONN_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_deadlines {
    int64_t idle_ms;    /* what the server itself allows between bytes */
    int64_t head_ms;    /* from the connection to the end of the first head */
    int64_t request_ms; /* from the end of the head to the end of the answer */
};

struct http_conn {
    struct http_conn *prev, *next;
    int fd;
    int64_t deadline_ms; /* monotonic */
    bool cut;
};

struct http_conns {
    pthread_mutex_t lock;
    struct http_deadlines deadlines;
    struct http_conn *first;
    size_t count;
};

void http_conns_init(struct http_conns *c, const struct http_deadlines *deadlines);
/* Frees entries that are left. */
void http_conns_finish(struct http_conns *c);

/* A connection was accepted: its head must come within head_ms. */
struct http_conn *http_conns_add(struct http_conns *c, int fd, int64_t mono_ms);
/* It is about to be closed. Accepts NULL. */
void http_conns_remove(struct http_conns *c, struct http_conn *conn);

/* The head of a request is complete. */
void http_conns_begin(struct http_conns *c, struct http_conn *conn, int64_t mono_ms);
/* Its answer is out: the next head must come within the idle time and head_ms. */
void http_conns_end(struct http_conns *c, struct http_conn *conn, int64_t mono_ms);

/* Shuts down what is past its deadline; returns how many were. */
size_t http_conns_sweep(struct http_conns *c, int64_t mono_ms);
size_t http_conns_count(struct http_conns *c);

#endif
