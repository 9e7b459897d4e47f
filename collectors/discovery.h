/* SPDX-License-Identifier: Apache-2.0 */
/* Asks every configured master who is active and which RegionServers live. Collector
 * thread only. */
#ifndef COLLECTORS_DISCOVERY_H
#define COLLECTORS_DISCOVERY_H

#include <stdbool.h>

#include "collectors/context.h"

struct discovery;

/* The active master's answer (at once, while others are still being asked); owned by
 * the receiver. NULL: all were asked, none is active. */
typedef void discovery_fn(void *user, struct message *cluster);
/* A request ended. */
typedef void discovery_count_fn(void *user, uint64_t bytes);

struct discovery *discovery_create(const struct context *context, discovery_fn *found,
                                   discovery_count_fn *counted, void *user);
/* Ends what is under way. Accepts NULL; returns NULL. */
struct discovery *discovery_destroy(struct discovery *d);

/* Asks all masters; those that are still busy with the last time are left alone. Each
 * one that cannot be asked becomes a MESSAGE_SOURCE; if none is active, each one does.
 */
void discovery_start(struct discovery *d);

/* True from discovery_start() until the active master has answered or all have. */
bool discovery_searching(const struct discovery *d);

#endif
