/* SPDX-License-Identifier: Apache-2.0 */
/* The HTTP server on loopback with a hand-made view behind it, and clients for it: curl
 * for what is proper, plain sockets for what is not. One server at a time. */
#ifndef TESTS_UNIT_DAEMON_BENCH_H
#define TESTS_UNIT_DAEMON_BENCH_H

#include "daemon/http_server.h"
#include "tests/unit/daemon/fixture.h"

extern struct fixture f;
extern struct publisher views;
extern struct http_context context;
extern struct http_stats *stats;
extern struct http_server *server;
extern const char *url; /* of its first address */

/* 127.0.0.1, a port of the kernel's choice. */
extern const struct string_list one_address;
/* The defaults with 64 connections. */
struct http_server_options test_options(const struct string_list *listen);

void begin(void);
void begin_with(const struct http_server_options *options, struct reload_gate *gate);
/* All references must have come back: fixture_finish() asserts that one is left. */
void end(void);

struct ask {
    const char *method; /* NULL: GET */
    const char *path;
    const char *header; /* NULL: none more */
    const char *body;   /* NULL: none */
    bool gzip;          /* undone by curl */
};

struct reply {
    long status;
    struct buf head;
    struct buf body;
};

/* A request by curl; failing to get an answer fails the test. */
struct reply ask(struct ask a);
void reply_finish(struct reply *r);
long status_of(struct ask a);
bool has_header(const struct reply *r, const char *line);

/* A plain connection to the server. */
int dial(void);
void say(int fd, const char *text);
/* Reads until the other side closes; what came is in out. False when it does not within
 * 10 s. With sweeps, the deadlines are looked after meanwhile. */
bool read_to_end(int fd, struct buf *out, bool sweeps);

#endif
