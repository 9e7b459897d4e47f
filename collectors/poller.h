/* SPDX-License-Identifier: Apache-2.0 */
/* Polls the RegionServers in turn: who is due, how many at once, what a failing one is
 * spared, and the rounds. Collector thread only. */
#ifndef COLLECTORS_POLLER_H
#define COLLECTORS_POLLER_H

#include <stdbool.h>
#include <stddef.h>

#include "collectors/context.h"

struct poller;

/* The first round begins with the first poller_step(). context must outlive it. */
struct poller *poller_create(const struct context *context);
/* Ends what is under way. Accepts NULL; returns NULL. */
struct poller *poller_destroy(struct poller *p);

/* The targets from now on: distinct URLs in strcmp() order. New ones are due at once,
 * polls of those that are gone end without a message. */
void poller_set_targets(struct poller *p, char *const *urls, size_t count,
                        struct moment now);

/* True in the step in which a tick began: others have their turn, too. */
bool poller_step(struct poller *p, struct moment now);

/* A round waits (but not beyond the next tick) while targets may still be found. */
void poller_expect_targets(struct poller *p, bool expected);

/* Monotonic ms at which poller_step() is needed again. */
int64_t poller_next_ms(const struct poller *p);

/* Counts a request of others (masters, listings, details) into the round. */
void poller_count_request(struct poller *p, uint64_t bytes);

/* One of poll.max_in_flight for a request to a RegionServer that is no poll. False when
 * all are in use, or half of them (one, if there is only one) by such requests. */
bool poller_take_place(struct poller *p);
/* Ends that. */
void poller_give_place(struct poller *p);

#endif
