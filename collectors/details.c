/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the watches, those of servers that left the focus included: what was learned of
 * a start of a server is not asked again when it comes back. */
#include "collectors/details.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/watch.h"
#include "common/alloc.h"

struct details {
    const struct context *context;
    struct details_events events;
    struct watch_events watch_events;
    struct watch *watches[DETAILS_MEMORY_MAX];
    size_t count;
    size_t cursor;      /* whose turn it is, when places are few */
    bool without_place; /* somebody waits for one */
};

static void
on_ended(void *user, uint64_t bytes)
{
    struct details *d = user;

    d->events.give_place(d->events.user);
    d->events.counted(d->events.user, bytes);
    d->without_place = false;
}

static void
on_dropped(void *user)
{
    struct details *d = user;

    d->events.give_place(d->events.user);
    d->without_place = false;
}

struct details *
details_create(const struct context *context, const struct details_events *events)
{
    struct details *d = xcalloc(1, sizeof *d);

    d->context = context;
    d->events = *events;
    d->watch_events = (struct watch_events){on_ended, on_dropped, d};
    return d;
}

struct details *
details_destroy(struct details *d)
{
    if (d == NULL)
        return NULL;
    for (size_t i = 0; i < d->count; i++)
        watch_destroy(d->watches[i]);
    free(d);
    return NULL;
}

/* ---- the focus ---- */

static bool
is_usable(const struct focus_server *server)
{
    return server->url != NULL && server->server != NULL;
}

/* The first servers of the focus, each URL once; returns how many. */
static size_t
choose(const struct focus *focus, const struct focus_server **chosen)
{
    size_t count = 0;

    for (size_t i = 0; focus != NULL && i < focus->count; i++) {
        const struct focus_server *server = &focus->servers[i];
        bool known = !is_usable(server);
        for (size_t k = 0; !known && k < count; k++)
            known = strcmp(chosen[k]->url, server->url) == 0;
        if (!known && count < DETAILS_FOCUS_MAX)
            chosen[count++] = server;
    }
    return count;
}

static const struct focus_server *
find_chosen(const struct focus_server *const *chosen, size_t count, const char *url)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(chosen[i]->url, url) == 0)
            return chosen[i];
    }
    return NULL;
}

/* A slot for a new watch: that which has been out of the focus for longest goes, when
 * there are too many. */
static size_t
free_slot(struct details *d)
{
    size_t oldest = d->count;

    if (d->count < DETAILS_MEMORY_MAX)
        return d->count++;
    for (size_t i = 0; i < d->count; i++) {
        const struct watch *w = d->watches[i];
        if (!watch_in_focus(w) &&
            (oldest == d->count ||
             watch_changed_ms(w) < watch_changed_ms(d->watches[oldest])))
            oldest = i;
    }
    static_assert(DETAILS_FOCUS_MAX < DETAILS_MEMORY_MAX, "one is out of the focus");
    d->watches[oldest] = watch_destroy(d->watches[oldest]);
    return oldest;
}

static struct watch *
find_watch(struct details *d, const char *url)
{
    for (size_t i = 0; i < d->count; i++) {
        if (strcmp(watch_url(d->watches[i]), url) == 0)
            return d->watches[i];
    }
    size_t slot = free_slot(d);
    d->watches[slot] = watch_create(d->context, url, &d->watch_events);
    return d->watches[slot];
}

void
details_set_focus(struct details *d, const struct focus *focus, struct moment now)
{
    const struct focus_server *chosen[DETAILS_FOCUS_MAX];
    size_t count = d->context->config->poll.jmx ? choose(focus, chosen) : 0;

    for (size_t i = 0; i < d->count; i++) {
        struct watch *w = d->watches[i];
        if (watch_in_focus(w) && find_chosen(chosen, count, watch_url(w)) == NULL)
            watch_set_focus(w, NULL, now);
    }
    for (size_t i = 0; i < count; i++)
        watch_set_focus(find_watch(d, chosen[i]->url), chosen[i], now);
}

/* ---- steps ---- */

/* False when there is no place for its request. */
static bool
serve(struct details *d, struct watch *w, struct moment now)
{
    while (watch_next_ms(w) <= now.mono_ms) {
        if (!d->events.take_place(d->events.user))
            return false;
        if (!watch_request(w, now))
            d->events.give_place(d->events.user);
    }
    return true;
}

void
details_step(struct details *d, struct moment now)
{
    size_t start = d->cursor;

    d->without_place = false;
    for (size_t n = 0; n < d->count && !d->without_place; n++) {
        size_t i = (start + n) % d->count;
        if (!serve(d, d->watches[i], now)) {
            d->without_place = true;
            d->cursor = i;
        }
    }
}

int64_t
details_next_ms(const struct details *d)
{
    int64_t next = INT64_MAX;

    if (d->without_place)
        return next; /* looked at again when something ends */
    for (size_t i = 0; i < d->count; i++) {
        int64_t due = watch_next_ms(d->watches[i]);
        next = due < next ? due : next;
    }
    return next;
}
