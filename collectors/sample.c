/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and frees the messages of collectors/sample.h and names their enums. Holds no
 * state; a message belongs to one thread at a time. */
#include "collectors/sample.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "common/alloc.h"

static const char *const outcome_names[] = {
    [POLL_OK] = "ok",
    [POLL_DNS] = "dns",
    [POLL_CONNECT] = "connect",
    [POLL_TIMEOUT] = "timeout",
    [POLL_TLS] = "tls",
    [POLL_AUTH] = "auth",
    [POLL_HTTP_STATUS] = "http_status",
    [POLL_TOO_LARGE] = "too_large",
    [POLL_PARSE] = "parse",
    [POLL_NO_DATA] = "no_data",
    [POLL_BAD_RESPONSE] = "bad_response",
};
static_assert(sizeof(outcome_names) / sizeof(outcome_names[0]) == POLL_OUTCOME_COUNT,
              "a name for each outcome");

static const char *const signal_names[] = {
    [SIGNAL_ACTIVE_HANDLERS] = "activeHandlers",
    [SIGNAL_QUEUED_CALLS] = "queuedCalls",
    [SIGNAL_QUEUE_BYTES] = "queueBytes",
    [SIGNAL_CACHE_HITS] = "cacheHits",
    [SIGNAL_CACHE_MISSES] = "cacheMisses",
    [SIGNAL_CACHE_EVICTIONS] = "cacheEvictions",
    [SIGNAL_MEMSTORE_BYTES] = "memstoreBytes",
    [SIGNAL_UPDATES_BLOCKED_MS] = "updatesBlockedMs",
    [SIGNAL_BLOCKED_REQUESTS] = "blockedRequests",
    [SIGNAL_COMPACTION_QUEUE] = "compactionQueue",
    [SIGNAL_FLUSH_QUEUE] = "flushQueue",
    [SIGNAL_REGION_COUNT] = "regionCount",
    [SIGNAL_LOCALITY] = "locality",
    [SIGNAL_GC_MS] = "gcMs",
};
static_assert(sizeof(signal_names) / sizeof(signal_names[0]) == SIGNAL_COUNT,
              "a name for each signal");

static const char *const source_names[] = {
    [LISTING_API] = "api",
    [LISTING_FILE] = "file",
    [LISTING_COMMAND] = "command",
};
static_assert(sizeof(source_names) / sizeof(source_names[0]) == LISTING_SOURCE_COUNT,
              "a name for each source");

const char *
poll_outcome_name(enum poll_outcome outcome)
{
    assert((unsigned)outcome < POLL_OUTCOME_COUNT);
    return outcome_names[outcome];
}

const char *
signal_name(enum signal signal)
{
    assert((unsigned)signal < SIGNAL_COUNT);
    return signal_names[signal];
}

const char *
listing_source_name(enum listing_source source)
{
    assert((unsigned)source < LISTING_SOURCE_COUNT);
    return source_names[source];
}

struct message *
message_create(enum message_kind kind)
{
    assert((unsigned)kind < MESSAGE_KIND_COUNT);
    struct message *m = xcalloc(1, sizeof(*m));
    m->kind = kind;
    if (kind == MESSAGE_POLL) {
        m->poll.server_time_ms = -1;
        for (size_t i = 0; i < SIGNAL_COUNT; i++)
            m->poll.signals[i] = NAN;
    } else if (kind == MESSAGE_CLUSTER) {
        m->cluster.region_count = NAN;
        m->cluster.regions_in_transition = NAN;
    } else if (kind == MESSAGE_LISTING) {
        m->listing.as_of_ms = -1;
    } else if (kind == MESSAGE_DETAIL) {
        m->detail.memstore_limit_bytes = -1;
    }
    return m;
}

static void
free_strings(char **strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(strings[i]);
    free(strings);
}

static void
finish_poll(struct server_poll *poll)
{
    free(poll->url);
    free(poll->server);
    free(poll->error);
    free(poll->first_invalid);
    free_strings(poll->tables, poll->table_count);
    free(poll->regions);
}

static void
finish_cluster(struct cluster_state *cluster)
{
    free(cluster->url);
    free(cluster->master);
    free(cluster->cluster_id);
    free_strings(cluster->live, cluster->live_count);
    free_strings(cluster->dead, cluster->dead_count);
}

static void
finish_listing(struct listing *listing)
{
    free_strings(listing->tables, listing->table_count);
    free_strings(listing->servers, listing->server_count);
    free(listing->rows);
    free(listing->arena);
}

struct focus *
focus_destroy(struct focus *focus)
{
    if (focus == NULL)
        return NULL;
    for (size_t i = 0; i < focus->count; i++) {
        free(focus->servers[i].url);
        free(focus->servers[i].server);
        free(focus->servers[i].regions);
    }
    free(focus->servers);
    free(focus);
    return NULL;
}

static void
finish_detail(struct server_detail *detail)
{
    free(detail->url);
    free(detail->server);
    free(detail->operations);
}

static void
finish_rows(struct row_samples *rows)
{
    free(rows->url);
    free(rows->server);
    free(rows->calls);
    free_strings(rows->clients, rows->client_count);
    free(rows->arena);
    free(rows->error);
}

struct message *
message_destroy(struct message *message)
{
    if (message == NULL)
        return NULL;
    switch (message->kind) {
    case MESSAGE_POLL:
        finish_poll(&message->poll);
        break;
    case MESSAGE_CLUSTER:
        finish_cluster(&message->cluster);
        break;
    case MESSAGE_LISTING:
        finish_listing(&message->listing);
        break;
    case MESSAGE_DETAIL:
        finish_detail(&message->detail);
        break;
    case MESSAGE_ROWS:
        finish_rows(&message->rows);
        break;
    case MESSAGE_SOURCE:
        free(message->report.source);
        free(message->report.error);
        break;
    case MESSAGE_TARGETS:
        free_strings(message->targets.urls, message->targets.count);
        break;
    case MESSAGE_ROUND:
    case MESSAGE_KIND_COUNT:
        break;
    }
    free(message);
    return NULL;
}
