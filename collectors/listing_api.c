/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the request under way with its reader and message, and what is known of the
 * master. Collector thread only. */
#include "collectors/listing_api.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/error_text.h"
#include "common/alloc.h"

enum {
    RETRY_MS = 60 * 1000,     /* after a failure that may pass */
    NOT_FOUND_INTERVALS = 6,  /* a master that does not know live_servers */
    FAILURES_UNTIL_FAILS = 2, /* of an API that worked */
    BYTES_A_REGION = 4096,    /* about 1 kB is usual */
};

struct listing_api {
    const struct context *context;
    struct listing_api_events events;
    char *url;       /* of the active master; NULL: none */
    char *start;     /* url and server name: another one is another program */
    char *old_start; /* the one that answered 404; NULL: none */
    double region_count;
    enum listing_api_state state;
    unsigned failures;   /* in a row */
    unsigned masterless; /* times in a row without an active master */
    bool told_too_many;
    int64_t regular_ms;    /* of the next regular listing */
    int64_t last_start_ms; /* INT64_MIN: none yet */
    enum listing_wish wish;
    struct fetch *fetch;
    struct message *message;
    struct live_servers_reader *reader;
};

struct listing_api *
listing_api_create(const struct context *context,
                   const struct listing_api_events *events)
{
    struct listing_api *a = xcalloc(1, sizeof *a);

    a->context = context;
    a->events = *events;
    a->regular_ms = INT64_MIN;
    a->last_start_ms = INT64_MIN;
    return a;
}

static void
drop_request(struct listing_api *a)
{
    fetch_cancel(a->fetch);
    a->fetch = NULL;
    a->reader = live_servers_reader_destroy(a->reader);
    a->message = message_destroy(a->message);
}

struct listing_api *
listing_api_destroy(struct listing_api *a)
{
    if (a == NULL)
        return NULL;
    drop_request(a);
    free(a->url);
    free(a->start);
    free(a->old_start);
    free(a);
    return NULL;
}

enum listing_api_state
listing_api_state(const struct listing_api *a)
{
    return a->state;
}

static void
fails(struct listing_api *a)
{
    a->failures++;
    if (a->state != LISTING_API_WORKS || a->failures >= FAILURES_UNTIL_FAILS)
        a->state = LISTING_API_FAILS;
}

static void
lose_master(struct listing_api *a)
{
    free(a->url);
    a->url = NULL;
    a->masterless++;
    if (a->state == LISTING_API_UNTRIED || a->masterless > FAILURES_UNTIL_FAILS)
        a->state = LISTING_API_FAILS;
}

void
listing_api_set_master(struct listing_api *a, const struct cluster_state *cluster,
                       struct moment now)
{
    if (cluster == NULL) {
        lose_master(a);
        return;
    }
    char *start = error_text("%s %s", cluster->url,
                             cluster->master != NULL ? cluster->master : "");
    bool other = a->start == NULL || strcmp(a->start, start) != 0;

    free(a->url);
    a->url = xstrdup(cluster->url);
    free(a->start);
    a->start = start;
    a->masterless = 0;
    a->region_count = cluster->region_count;
    if (other && a->state != LISTING_API_WORKS)
        a->regular_ms = now.mono_ms;
}

void
listing_api_wish(struct listing_api *a, enum listing_wish wish)
{
    if (wish > a->wish)
        a->wish = wish;
}

static int64_t
interval_of(const struct listing_api *a)
{
    return a->context->config->topology.interval_ms;
}

static bool
master_is_old(const struct listing_api *a)
{
    return a->old_start != NULL && strcmp(a->old_start, a->start) == 0;
}

int64_t
listing_api_next_ms(const struct listing_api *a)
{
    if (a->url == NULL || a->fetch != NULL)
        return INT64_MAX;
    /* Wishes cannot help with a master that has no live_servers. */
    return schedule_listing(a->regular_ms, a->last_start_ms,
                            master_is_old(a) ? WISH_NONE : a->wish);
}

static void
tell(struct listing_api *a, enum poll_outcome outcome, char *error)
{
    char *source = error_text("%s%s", a->url, LIVE_SERVERS_PATH);

    outbox_failure(a->context->outbox, source, outcome, error);
    free(source);
}

/* Soon again after what may pass, but not more often than configured. */
static void
retry_later(struct listing_api *a, struct moment now)
{
    a->regular_ms =
        now.mono_ms + (interval_of(a) < RETRY_MS ? interval_of(a) : RETRY_MS);
}

static bool
too_many_regions(struct listing_api *a, struct moment now)
{
    unsigned most = a->context->config->topology.api_max_regions;

    if (!(a->region_count > most)) {
        a->told_too_many = false;
        return false;
    }
    a->state = LISTING_API_FAILS;
    a->wish = WISH_NONE;
    retry_later(a, now);
    if (!a->told_too_many)
        tell(a, POLL_TOO_LARGE,
             error_text("%s: not asked for the regions' keys: the cluster has %.0f "
                        "regions, expected at most topology.api_max_regions = %u",
                        quoted(a->url).text, a->region_count, most));
    a->told_too_many = true;
    return true;
}

static bool
on_body(void *user, const char *data, size_t len)
{
    struct listing_api *a = user;

    return live_servers_reader_feed(a->reader, data, len);
}

static void
succeed(struct listing_api *a, const struct fetch_result *result)
{
    size_t count;
    const struct live_server *servers = live_servers_reader_servers(a->reader, &count);
    struct message *message = a->message;

    a->state = LISTING_API_WORKS;
    a->failures = 0;
    free(a->old_start);
    a->old_start = NULL;
    a->regular_ms = a->last_start_ms + interval_of(a);
    message->listing.source = LISTING_API;
    message->listing.received = result->ended;
    a->events.listed(a->events.user, message->listing.as_of_ms, servers, count);
    a->message = NULL;
    a->reader = live_servers_reader_destroy(a->reader);
    outbox_put(a->context->outbox, message);
}

/* The master is older than 2.5: said once, tried again seldom. Takes error. */
static void
not_found(struct listing_api *a, char *error)
{
    a->state = LISTING_API_FAILS;
    a->regular_ms = a->last_start_ms + NOT_FOUND_INTERVALS * interval_of(a);
    if (master_is_old(a)) {
        free(error);
        return;
    }
    free(a->old_start);
    a->old_start = xstrdup(a->start);
    tell(a, POLL_HTTP_STATUS, error);
}

static void
on_done(void *user, const struct fetch_result *result)
{
    struct listing_api *a = user;
    enum poll_outcome outcome = result->outcome;
    char *error = NULL;

    a->fetch = NULL;
    a->events.counted(a->events.user, result->bytes);
    if (outcome == POLL_OK)
        outcome = live_servers_reader_end(a->reader, &error);
    if (outcome == POLL_OK && result->stopped)
        outcome = POLL_PARSE;
    if (outcome == POLL_OK) {
        free(error);
        succeed(a, result);
        return;
    }
    char *text =
        result->error != NULL
            ? xstrdup(result->error)
            : error_text("'%s%s': %s", a->url != NULL ? a->url : "", LIVE_SERVERS_PATH,
                         error != NULL ? error : "unusable answer");
    free(error);
    drop_request(a);
    if (a->url == NULL) { /* the master went away meanwhile, which is told elsewhere */
        free(text);
    } else if (result->http_status == 404) {
        not_found(a, text);
    } else {
        fails(a);
        retry_later(a, result->ended);
        tell(a, outcome, text);
    }
}

static void
start_request(struct listing_api *a, struct moment now)
{
    const struct config *config = a->context->config;
    uint64_t regions = config->topology.api_max_regions;

    /* The count is that of the last tick; some may have come since. */
    regions += regions / 10 + 100;
    uint64_t bytes = regions * BYTES_A_REGION;
    a->wish = WISH_NONE;
    a->last_start_ms = now.mono_ms;
    a->message = message_create(MESSAGE_LISTING);
    a->reader = live_servers_reader_create(&a->message->listing, regions);
    a->fetch = fetch_start(
        a->context->fetcher,
        &(struct fetch_request){
            .base = a->url,
            .path = LIVE_SERVERS_PATH,
            .timeout_ms = config->topology.timeout_ms,
            .max_body = bytes > config->poll.max_body ? bytes : config->poll.max_body,
            .body = on_body,
            .done = on_done,
            .user = a,
        });
}

void
listing_api_step(struct listing_api *a, struct moment now)
{
    if (now.mono_ms >= listing_api_next_ms(a) && !too_many_regions(a, now))
        start_request(a, now);
}
