/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the sources that the configuration names. Collector thread only. */
#include "collectors/listings.h"

#include <stdlib.h>

#include "collectors/listing_api.h"
#include "collectors/listing_command.h"
#include "collectors/listing_file.h"
#include "common/alloc.h"

struct listings {
    struct listings_events events;
    struct listing_api *api;         /* NULL: not wanted */
    struct listing_file *file;       /* likewise */
    struct listing_command *command; /* likewise */
};

static void
on_listed(void *user, int64_t as_of_ms, const struct live_server *servers, size_t count)
{
    struct listings *l = user;

    if (l->file != NULL)
        listing_file_set_newest(l->file, as_of_ms);
    l->events.servers(l->events.user, servers, count);
}

static void
on_counted(void *user, uint64_t bytes)
{
    struct listings *l = user;

    l->events.counted(l->events.user, bytes);
}

struct listings *
listings_create(const struct context *context, const struct listings_events *events)
{
    const struct topology_config *config = &context->config->topology;
    bool automatic = config->source == TOPOLOGY_AUTO;
    struct listings *l = xcalloc(1, sizeof *l);

    l->events = *events;
    if ((automatic || config->source == TOPOLOGY_API) &&
        context->config->masters.count > 0)
        l->api = listing_api_create(
            context, &(struct listing_api_events){on_listed, on_counted, l});
    if (!automatic && config->source != TOPOLOGY_TEXT)
        return l;
    if (config->file != NULL)
        l->file = listing_file_create(context);
    if (config->command.count > 0)
        l->command = listing_command_create(context);
    return l;
}

struct listings *
listings_destroy(struct listings *l)
{
    if (l == NULL)
        return NULL;
    listing_api_destroy(l->api);
    listing_file_destroy(l->file);
    listing_command_destroy(l->command);
    free(l);
    return NULL;
}

void
listings_set_master(struct listings *l, const struct cluster_state *cluster,
                    struct moment now)
{
    if (l->api != NULL)
        listing_api_set_master(l->api, cluster, now);
}

void
listings_wish(struct listings *l, enum listing_wish wish, char *const *tables)
{
    if (l->api != NULL)
        listing_api_wish(l->api, wish);
    if (l->command != NULL)
        listing_command_wish(l->command, wish, tables);
}

void
listings_wish_ports(struct listings *l)
{
    if (l->api != NULL)
        listing_api_wish(l->api, WISH_LISTING);
}

bool
listings_api_pending(const struct listings *l)
{
    return l->api != NULL && listing_api_state(l->api) == LISTING_API_UNTRIED;
}

/* Only where the API is not to be had are the texts asked. */
static bool
texts_allowed(const struct listings *l)
{
    return l->api == NULL || listing_api_state(l->api) == LISTING_API_FAILS;
}

void
listings_step(struct listings *l, struct moment now)
{
    if (l->api != NULL)
        listing_api_step(l->api, now);
    if (l->file != NULL && texts_allowed(l))
        listing_file_step(l->file, now);
    if (l->command != NULL)
        listing_command_step(l->command, texts_allowed(l), now);
}

int64_t
listings_next_ms(const struct listings *l)
{
    int64_t next = INT64_MAX;
    bool texts = texts_allowed(l);

    if (l->api != NULL)
        next = listing_api_next_ms(l->api);
    if (l->file != NULL && texts && listing_file_next_ms(l->file) < next)
        next = listing_file_next_ms(l->file);
    if (l->command != NULL && listing_command_next_ms(l->command, texts) < next)
        next = listing_command_next_ms(l->command, texts);
    return next;
}

unsigned
listings_fds(const struct listings *l, int fds[static COMMAND_FDS])
{
    return l->command != NULL ? listing_command_fds(l->command, fds) : 0;
}
