/* SPDX-License-Identifier: Apache-2.0 */
/* Listings from the active master's live_servers (HBase 2.5+), and with them the info
 * ports. Collector thread only. */
#ifndef COLLECTORS_LISTING_API_H
#define COLLECTORS_LISTING_API_H

#include <stdbool.h>
#include <stddef.h>

#include "collectors/context.h"
#include "collectors/live_servers.h"
#include "collectors/schedule.h"

struct listing_api;

struct listing_api_events {
    /* A listing was read (and put into the outbox); servers are valid during the call.
     */
    void (*listed)(void *user, int64_t as_of_ms, const struct live_server *servers,
                   size_t count);
    /* A request ended. */
    void (*counted)(void *user, uint64_t bytes);
    void *user;
};

struct listing_api *listing_api_create(const struct context *context,
                                       const struct listing_api_events *events);
/* Ends what is under way. Accepts NULL; returns NULL. */
struct listing_api *listing_api_destroy(struct listing_api *a);

/* What the active master said; NULL: there is none. */
void listing_api_set_master(struct listing_api *a, const struct cluster_state *cluster,
                            struct moment now);

void listing_api_wish(struct listing_api *a, enum listing_wish wish);
void listing_api_step(struct listing_api *a, struct moment now);
int64_t listing_api_next_ms(const struct listing_api *a);

enum listing_api_state {
    LISTING_API_UNTRIED,
    LISTING_API_WORKS,
    LISTING_API_FAILS, /* too old a master, too large a cluster, no master, errors */
};
enum listing_api_state listing_api_state(const struct listing_api *a);

#endif
