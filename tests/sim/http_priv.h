/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the web server share: sites, connections, and who does what.
 *
 *   READING ──request──▶ WAITING (slow) ──▶ WRITING ──▶ READING or ENDED
 *                └─────▶ HANGING (never answered) */
#ifndef SIM_HTTP_PRIV_H
#define SIM_HTTP_PRIV_H

#include "tests/sim/http.h"
#include "tests/sim/reply.h"

enum { HEAD_MAX = 16384 };

/* Where a connection or a listening socket belongs; first in both structs. */
struct watch {
    bool listens;
};

struct site {
    struct watch watch;
    struct endpoint *endpoint;
    struct server *server; /* or NULL */
    struct master *master; /* or NULL */
    int guard;  /* bound, never listens: keeps the port ours while we refuse */
    int listen; /* -1: refusing connections */
    struct store store;
};

enum state { READING, WAITING, WRITING, HANGING, ENDED };

struct conn {
    struct watch watch;
    struct conn *next, *prev;
    struct site *site;
    int fd;
    enum state state;
    char in[HEAD_MAX + 1];
    size_t in_len;
    char *target; /* of the request being answered */
    bool gzip, close;
    struct buf head;
    struct body *body;
    size_t sent;       /* of head and body */
    size_t stop_after; /* bytes, then the connection ends; SIZE_MAX: all */
    bool drips, endless;
    bool wants_out;
    int64_t wake; /* monotonic ms: idle limit, end of a delay, next drip */
};

/* Owns sites and connections. */
struct http {
    struct cluster *cluster;
    int epoll;
    struct site *sites;
    size_t site_count;
    struct conn *conns;
    struct conn *ended; /* to be freed at the end of the turn */
    int64_t idle_ms;
    int64_t next_wake; /* none of the connections wakes before this */
    int64_t next_sweep;
    int64_t t, now;
    bool complained;
};

/* conn.c: bytes in and out */
void conn_add(struct http *http, struct site *site, int fd);
/* Closes it; freed at the end of the turn, since epoll may still name it. */
void conn_end(struct http *http, struct conn *conn);
void conn_free_ended(struct http *http);
/* The socket can be read. */
void conn_read(struct http *http, struct conn *conn);
/* The socket can be written, or a delay is over. */
void conn_write(struct http *http, struct conn *conn);
/* Its time has come: conn->wake. */
void conn_wake(struct http *http, struct conn *conn);
void conn_wake_at(struct http *http, struct conn *conn, int64_t when);
/* Sends head and body of conn until the socket is full, a drip is out, or all is said.
 */
void conn_send(struct http *http, struct conn *conn);
/* The next chunk of an answer without end, into conn->head. */
void endless_refill(struct conn *conn);

/* answer.c: requests to answers, true or false ones */
/* Takes a complete head (ends in a NUL) apart and answers. */
void answer_head(struct http *http, struct conn *conn, char *head);
/* The delay of a slow answer is over. */
void answer_now(struct http *http, struct conn *conn);
/* An error page; the connection ends after it. */
void answer_error(struct http *http, struct conn *conn, int status);

#endif
