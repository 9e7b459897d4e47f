/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the rows until row_tally_give(). Calls seen are remembered as 128-bit digests in
 * a keyed map. Everything is bounded by the constants of the header. One thread. */
#include "collectors/row_tally.h"

#include <stdlib.h>
#include <string.h>

#include "collectors/id_map.h"
#include "collectors/rpc_status.h"
#include "common/alloc.h"
#include "common/hash.h"

struct row_tally {
    struct region_id *regions;
    struct rpc_status *status;
    struct id_map *seen; /* in the session, with how many-th it was in its answer */
    uint32_t seen_count;
    struct id_map *here; /* in the answer at hand: index into times */
    uint32_t here_count;
    uint32_t *times; /* that it stood in the answer */
    size_t times_cap;
    size_t goal; /* rows that count for it */
    struct row_samples rows;
    size_t call_cap;
    size_t client_cap;
    size_t arena_cap;
    unsigned skipped;
};

static void on_call(void *user, const struct rpc_call *call);

struct row_tally *
row_tally_create(const struct region_id *regions, size_t count)
{
    struct row_tally *t = xcalloc(1, sizeof *t);

    t->regions = xreallocarray(NULL, count, sizeof t->regions[0]);
    if (count > 0)
        memcpy(t->regions, regions, count * sizeof t->regions[0]);
    t->status = rpc_status_create(t->regions, count, on_call, t);
    t->seen = id_map_create();
    t->here = id_map_create();
    return t;
}

struct row_tally *
row_tally_destroy(struct row_tally *t)
{
    if (t == NULL)
        return NULL;
    for (size_t i = 0; i < t->rows.client_count; i++)
        free(t->rows.clients[i]);
    free(t->rows.clients);
    free(t->rows.calls);
    free(t->rows.arena);
    id_map_destroy(t->seen);
    id_map_destroy(t->here);
    free(t->times);
    rpc_status_destroy(t->status);
    free(t->regions);
    free(t);
    return NULL;
}

bool
row_tally_feed(struct row_tally *t, const char *data, size_t len)
{
    return rpc_status_feed(t->status, data, len);
}

enum poll_outcome
row_tally_end(struct row_tally *t, char **ret_error)
{
    id_map_clear(t->here);
    t->here_count = 0;
    return rpc_status_end(t->status, ret_error);
}

bool
row_tally_is_full(const struct row_tally *t)
{
    return t->goal >= TALLY_GOAL || t->rows.call_count == TALLY_CALLS_MAX;
}

void
row_tally_give(struct row_tally *t, struct row_samples *rows)
{
    rows->calls = t->rows.calls;
    rows->call_count = t->rows.call_count;
    rows->clients = t->rows.clients;
    rows->client_count = t->rows.client_count;
    rows->arena = t->rows.arena;
    rows->arena_len = t->rows.arena_len;
    rows->skipped = t->skipped + rpc_status_skipped(t->status);
    t->rows = (struct row_samples){0};
}

static struct region_id
digest_of(const struct rpc_call *call, const struct rpc_row *row)
{
    struct {
        struct region_id region;
        uint64_t client;
        int64_t start_ms;
        uint64_t row;
        uint64_t port;
        uint64_t method;
    } key = {
        .region = row->region,
        .client = hash_bytes(call->client, strlen(call->client)),
        .start_ms = call->start_ms,
        .row = hash_bytes(call->bytes + row->offset, row->len),
        .port = call->port,
        .method = call->method,
    };
    struct region_id digest;

    digest.lo = hash_bytes(&key, sizeof key);
    key.method = ~key.method;
    digest.hi = hash_bytes(&key, sizeof key);
    return digest;
}

/* How often it stood in the answer before; UINT32_MAX when the answer is too long. */
static uint32_t
count_here(struct row_tally *t, struct region_id digest)
{
    uint32_t i = id_map_find(t->here, digest);

    if (i == UINT32_MAX) {
        if (t->here_count == TALLY_CALLS_MAX)
            return UINT32_MAX;
        i = id_map_add(t->here, digest, t->here_count++);
        xgrow(&t->times, &t->times_cap, t->here_count, sizeof t->times[0]);
        t->times[i] = 0;
    }
    return t->times[i]++;
}

/* True the first time that this row of this call comes. */
static bool
is_new(struct row_tally *t, const struct rpc_call *call, const struct rpc_row *row)
{
    struct region_id digest = digest_of(call, row);
    uint32_t before = count_here(t, digest);

    if (before == UINT32_MAX) {
        t->skipped++;
        return false;
    }
    digest.lo += before;
    bool is_new = id_map_add(t->seen, digest, t->seen_count) == t->seen_count;
    t->seen_count += is_new;
    return is_new;
}

/* The index of the client; UINT32_MAX when there are too many. */
static uint32_t
client_index(struct row_tally *t, const char *client)
{
    struct row_samples *rows = &t->rows;

    for (size_t i = 0; i < rows->client_count; i++) {
        if (strcmp(rows->clients[i], client) == 0)
            return (uint32_t)i;
    }
    if (rows->client_count == TALLY_CLIENTS_MAX)
        return UINT32_MAX;
    xgrow(&rows->clients, &t->client_cap, rows->client_count + 1, sizeof(char *));
    rows->clients[rows->client_count] = xstrdup(client);
    return (uint32_t)rows->client_count++;
}

static void
add_call(struct row_tally *t, const struct rpc_call *call, const struct rpc_row *row,
         uint32_t client)
{
    struct row_samples *rows = &t->rows;

    xgrow(&rows->calls, &t->call_cap, rows->call_count + 1, sizeof rows->calls[0]);
    xgrow(&rows->arena, &t->arena_cap, rows->arena_len + row->len + 1, 1);
    rows->calls[rows->call_count++] = (struct sampled_call){
        .region = row->region,
        .row = (uint32_t)rows->arena_len,
        .row_len = row->len,
        .client = client,
        .method = (uint8_t)call->method,
    };
    memcpy(rows->arena + rows->arena_len, call->bytes + row->offset, row->len);
    rows->arena_len += row->len;
}

static void
on_call(void *user, const struct rpc_call *call)
{
    struct row_tally *t = user;
    size_t added = 0;

    for (size_t i = 0; i < call->row_count; i++) {
        if (t->rows.call_count == TALLY_CALLS_MAX) {
            t->skipped++;
            continue;
        }
        uint32_t client = client_index(t, call->client);
        if (client == UINT32_MAX) {
            t->skipped++;
            continue;
        }
        if (!is_new(t, call, &call->rows[i]))
            continue;
        add_call(t, call, &call->rows[i], client);
        added++;
    }
    t->goal += added < TALLY_PER_CALL ? added : TALLY_PER_CALL;
}
