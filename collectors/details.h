/* SPDX-License-Identifier: Apache-2.0 */
/* The servers in the focus (struct focus): which are asked in more detail, and that
 * this leaves the polls alone: it takes at most half of poll.max_in_flight, and only
 * what the polls leave. Collector thread only. */
#ifndef COLLECTORS_DETAILS_H
#define COLLECTORS_DETAILS_H

#include <stdbool.h>
#include <stdint.h>

#include "collectors/context.h"

enum {
    DETAILS_FOCUS_MAX = 16,  /* servers at a time, the first ones of the focus */
    DETAILS_MEMORY_MAX = 64, /* servers remembered, in the focus or not */
};

struct details;

struct details_events {
    /* A place for a request; false if there is none now. */
    bool (*take_place)(void *user);
    void (*give_place)(void *user);
    /* A request ended. */
    void (*counted)(void *user, uint64_t bytes);
    void *user;
};

struct details *details_create(const struct context *context,
                               const struct details_events *events);
/* Ends what is under way. Accepts NULL; returns NULL. */
struct details *details_destroy(struct details *d);

/* The focus from now on; NULL: nothing. What it does not name any more ends. */
void details_set_focus(struct details *d, const struct focus *focus, struct moment now);

/* Starts what is due. */
void details_step(struct details *d, struct moment now);
/* Monotonic ms at which details_step() is needed again, unless a place gets free
 * before. */
int64_t details_next_ms(const struct details *d);

#endif
