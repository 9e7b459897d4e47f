/* SPDX-License-Identifier: Apache-2.0 */
/* A small HTTP server on loopback that behaves as a test wants: one thread, any number
 * of ports, each with a function that answers. Only what the tests need of HTTP. */
#ifndef TESTS_UNIT_COLLECTORS_HTTP_STUB_H
#define TESTS_UNIT_COLLECTORS_HTTP_STUB_H

#include "common/buf.h"

enum stub_way {
    STUB_CLOSE,  /* send the bytes, then close */
    STUB_HANG,   /* send the bytes, then say nothing more */
    STUB_LATE,   /* wait 150 ms, send the bytes, then close */
    STUB_DRIP,   /* one byte every 100 ms */
    STUB_REPEAT, /* send the bytes, then `again` for ever */
};

struct stub_reply {
    struct buf bytes;
    enum stub_way way;
    const char *again;
};

/* Answers the request for a path (with its query). head is the whole request. Called by
 * the stub's thread. */
typedef void stub_fn(void *user, const char *path, const char *head,
                     struct stub_reply *reply);

struct stub;

struct stub *stub_create(void);
/* Opens a port on 127.0.0.1 and returns its number; before stub_start(). */
unsigned stub_listen(struct stub *s, stub_fn *fn, void *user);
void stub_start(struct stub *s);
/* Ends the thread and closes everything. Returns NULL. */
struct stub *stub_destroy(struct stub *s);

/* Requests answered on a port so far. Any thread. */
unsigned stub_requests(struct stub *s, unsigned port);
/* Stops to accept on a port: connections are refused from now on. Any thread. */
void stub_refuse(struct stub *s, unsigned port);

/* A whole answer with Content-Length. */
void stub_answer(struct stub_reply *reply, int status, const char *headers,
                 const char *body);

#endif
