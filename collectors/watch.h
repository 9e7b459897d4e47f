/* SPDX-License-Identifier: Apache-2.0 */
/* One RegionServer that is, or lately was, in the focus: what is asked of it beside its
 * polls, one request at a time, and what is remembered of that start of it. Collector
 * thread only. */
#ifndef COLLECTORS_WATCH_H
#define COLLECTORS_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "collectors/context.h"

struct watch;

struct watch_events {
    /* A request ended: its place is free. */
    void (*ended)(void *user, uint64_t bytes);
    /* A request was dropped: its place is free. */
    void (*dropped)(void *user);
    void *user;
};

/* events must stay. */
struct watch *watch_create(const struct context *context, const char *url,
                           const struct watch_events *events);
/* Drops what is under way. Accepts NULL; returns NULL. */
struct watch *watch_destroy(struct watch *w);

const char *watch_url(const struct watch *w);
/* Monotonic ms at which it last came into or left the focus. */
int64_t watch_changed_ms(const struct watch *w);
bool watch_in_focus(const struct watch *w);

/* It is in the focus, as told; NULL: it is not any more. A name of the server that is
 * not the one before means another start: nothing of the old one is kept. */
void watch_set_focus(struct watch *w, const struct focus_server *server,
                     struct moment now);

/* Monotonic ms of the next request; INT64_MAX while one is under way. */
int64_t watch_next_ms(const struct watch *w);
/* Sends the request that is due; false if it turned out that none is needed. */
bool watch_request(struct watch *w, struct moment now);

#endif
