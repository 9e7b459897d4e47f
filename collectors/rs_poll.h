/* SPDX-License-Identifier: Apache-2.0 */
/* One poll of one RegionServer: the combined query, or one query a bean where that is
 * not understood, one after another into one message. Collector thread only. */
#ifndef COLLECTORS_RS_POLL_H
#define COLLECTORS_RS_POLL_H

#include <stdint.h>

#include "collectors/context.h"
#include "collectors/jmx.h"

/* What is remembered of a target between polls. Zeroed at first. */
struct rs_memory {
    char *server; /* "host,port,startcode" of the last good answer; NULL: none yet */
    enum jmx_mode mode; /* what that start understands */
};
void rs_memory_finish(struct rs_memory *m);

struct rs_poll;

/* The poll is over and the struct rs_poll gone; the receiver owns the message. */
typedef void rs_poll_done_fn(void *user, struct message *poll, unsigned requests);

/* Begins a poll that ends within poll.timeout. memory must stay until it is over. */
struct rs_poll *rs_poll_start(const struct context *context, const char *url,
                              struct rs_memory *memory, rs_poll_done_fn *done,
                              void *user);
/* Ends it; done is not called. Accepts NULL. */
void rs_poll_cancel(struct rs_poll *p);

#endif
