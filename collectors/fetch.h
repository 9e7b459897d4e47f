/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP GETs over one curl multi handle, which is also the thread's only place to wait.
 * Every request ends in bounded time and memory, whatever the server does. All calls
 * from one thread; the functions handed in are called from fetcher_perform() only. */
#ifndef COLLECTORS_FETCH_H
#define COLLECTORS_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/sample.h"

struct fetcher;
struct fetch;
struct credentials;

struct fetch_result {
    enum poll_outcome outcome;
    bool stopped;        /* the body function returned false; outcome is POLL_OK */
    long http_status;    /* 0: there was none */
    uint64_t bytes;      /* decoded body bytes received */
    struct moment ended; /* when the last byte was there */
    const char *error;   /* NULL when POLL_OK; valid during the call */
};

/* A piece of the decoded body of a 200 answer; false to end the transfer. */
typedef bool fetch_body_fn(void *user, const char *data, size_t len);
/* The request is over; the struct fetch is gone. New ones may be started from here. */
typedef void fetch_done_fn(void *user, const struct fetch_result *result);

struct fetch_request {
    const char *base; /* "http://host:port" */
    const char *path; /* "/jmx?...", encoded; "" if base is a whole URL */
    int64_t timeout_ms;
    uint64_t max_body; /* decoded bytes */
    fetch_body_fn *body;
    fetch_done_fn *done;
    void *user;
};

/* max_connections bounds open connections. credentials must outlive it. NULL when curl
 * cannot start. */
struct fetcher *fetcher_create(unsigned max_connections, bool gzip,
                               const struct credentials *credentials);
/* Drops what is under way without calling anybody. Accepts NULL; returns NULL. */
struct fetcher *fetcher_destroy(struct fetcher *f);

/* Begins a request; base and path are copied. Never fails: what goes wrong is told to
 * done. */
struct fetch *fetch_start(struct fetcher *f, const struct fetch_request *request);
/* Ends a request; done is not called. Accepts NULL. */
void fetch_cancel(struct fetch *fetch);

/* Waits for sockets, for one of the descriptors (at most FETCH_FDS_MAX) to be readable
 * or at its end, or for timeout_ms. */
enum { FETCH_FDS_MAX = 8 };
void fetcher_wait(struct fetcher *f, const int *fds, unsigned fd_count, int timeout_ms);
/* Moves all transfers on; calls body and done functions. */
void fetcher_perform(struct fetcher *f);

#endif
