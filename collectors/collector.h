/* SPDX-License-Identifier: Apache-2.0 */
/* The collector: one thread that asks the masters and RegionServers, reads the listings
 * and hands finished messages to the thread that created it. It never waits for
 * anybody: the queue is unbounded in count but each tick adds at most a few messages a
 * target. */
#ifndef COLLECTORS_COLLECTOR_H
#define COLLECTORS_COLLECTOR_H

#include <stdbool.h>

#include "collectors/sample.h"
#include "config/config.h"

struct collector;

/* Starts the thread. config must stay unchanged until collector_destroy(). NULL with
 * *ret_error (caller frees) when a resource is missing. */
struct collector *collector_create(const struct config *config, char **ret_error);
/* Ends the thread (waits for it) and frees all, messages not yet taken included.
 * Accepts NULL; returns NULL. */
struct collector *collector_destroy(struct collector *c);

/* An eventfd that is readable while messages wait; collector_take() clears it. */
int collector_fd(const struct collector *c);
/* All waiting messages, oldest first, linked by `next`; NULL when there is none. The
 * caller owns them. */
struct message *collector_take(struct collector *c);

/* Asks for a listing before topology.interval is over: regions without keys were seen
 * (honoured at most once a minute), or, if urgent, an alert's region is missing (at
 * most every 10 s). `tables` (NULL-terminated, copied) are the tables with an alert,
 * for a topology.command with "{table}"; NULL for none. Callable from the creating
 * thread. */
void collector_want_listing(struct collector *c, bool urgent,
                            const char *const *tables);

/* What to ask for in more detail from now on: the calls and limits of the servers with
 * an alert (a MESSAGE_DETAIL a tick and server), and for each new turn one session of
 * row sampling (a MESSAGE_ROWS at its end: 64 rows, 600 requests or 60 s). Takes focus
 * over; NULL: nothing. A server that leaves the focus is not asked any more. Callable
 * from the creating thread. */
void collector_set_focus(struct collector *c, struct focus *focus);

#endif
