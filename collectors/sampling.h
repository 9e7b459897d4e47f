/* SPDX-License-Identifier: Apache-2.0 */
/* A session of row sampling on one RegionServer: its status page is asked again and
 * again, about ten times a second and never twice at a time, until enough rows of the
 * regions have been seen or a limit is reached. Collector thread only. */
#ifndef COLLECTORS_SAMPLING_H
#define COLLECTORS_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "collectors/context.h"

enum {
    SAMPLING_PAUSE_MS = 100, /* from the start of one request to the next */
    SAMPLING_REQUESTS_MAX = 600,
    SAMPLING_MS_MAX = 60000,
    SAMPLING_FAILURES_MAX = 3, /* in a row */
};

struct sampling;

/* A request ended; the struct sampling is still there. */
typedef void sampling_done_fn(void *user, uint64_t bytes);

/* *on_jsp: whether that start of the server has the page at its newer address; learned
 * and kept by the session. server is copied. */
struct sampling *sampling_create(const struct context *context,
                                 const struct focus_server *server, bool *on_jsp,
                                 struct moment now);
/* Ends what is under way. Accepts NULL; returns NULL. */
struct sampling *sampling_destroy(struct sampling *s);

/* The turn that it is for. */
uint32_t sampling_turn(const struct sampling *s);
/* Monotonic ms of the next request; not while one is under way. */
int64_t sampling_next_ms(const struct sampling *s);
void sampling_request(struct sampling *s, struct moment now, sampling_done_fn *done,
                      void *user);
/* True when there is nothing more to ask. */
bool sampling_is_over(const struct sampling *s, struct moment now);
/* The MESSAGE_ROWS, owned by the caller. why: the reason if it is ended from outside,
 * copied; NULL. Once, before sampling_destroy(). */
struct message *sampling_message(struct sampling *s, const char *why,
                                 struct moment now);

#endif
