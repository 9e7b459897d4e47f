/* SPDX-License-Identifier: Apache-2.0 */
/* Where listings come from: topology.source decides between the master's API and the
 * shell's texts; auto takes the API while it works, else the texts. Collector thread
 * only. */
#ifndef COLLECTORS_LISTINGS_H
#define COLLECTORS_LISTINGS_H

#include <stdbool.h>

#include "collectors/command.h"
#include "collectors/context.h"
#include "collectors/live_servers.h"
#include "collectors/schedule.h"

struct listings;

struct listings_events {
    /* live_servers was read; valid during the call. */
    void (*servers)(void *user, const struct live_server *servers, size_t count);
    /* A request ended. */
    void (*counted)(void *user, uint64_t bytes);
    void *user;
};

struct listings *listings_create(const struct context *context,
                                 const struct listings_events *events);
/* Ends what is under way. Accepts NULL; returns NULL. */
struct listings *listings_destroy(struct listings *l);

/* What the active master said; NULL: there is none. */
void listings_set_master(struct listings *l, const struct cluster_state *cluster,
                         struct moment now);
/* tables: NULL-terminated, copied; may be NULL. */
void listings_wish(struct listings *l, enum listing_wish wish, char *const *tables);
/* The info ports of new servers are wanted: live_servers only. */
void listings_wish_ports(struct listings *l);

void listings_step(struct listings *l, struct moment now);
int64_t listings_next_ms(const struct listings *l);
unsigned listings_fds(const struct listings *l, int fds[static COMMAND_FDS]);

/* True while it is not known yet whether live_servers can be had. */
bool listings_api_pending(const struct listings *l);

#endif
