/* SPDX-License-Identifier: Apache-2.0 */
/* A RegionServer's status page as JSON, "/rs-status?format=json&filter=rpc": the calls
 * that its handlers were just serving, and the rows that these were for.
 * Format: one array, an element a busy handler, with an object "rpcCall" whose
 * params[0] is the request (collectors/proto_text.h); blank lines around it.
 * Sources: HBase TaskMonitorTmpl.jamon, MonitoredRPCHandlerImpl.java. */
#ifndef COLLECTORS_RPC_STATUS_H
#define COLLECTORS_RPC_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/sample.h"

enum {
    RPC_ROWS_MAX = 4096,               /* of one call; the others are skipped */
    RPC_CLIENT_MAX = 255,              /* bytes of an address */
    RPC_TEXT_MAX = 4 * 1024 * 1024,    /* one call's request */
    RPC_ANSWER_MAX = 16 * 1024 * 1024, /* for whoever fetches it */
};

struct rpc_row {
    struct region_id region;
    uint32_t offset; /* into the call's bytes */
    uint32_t len;
};

/* A Get, Mutate, Scan or Multi on wanted regions. All of it is valid during the call of
 * the function only. */
struct rpc_call {
    enum call_method method;
    const char *client; /* address without port; "unknown" */
    unsigned port;      /* of the client; 0 unknown */
    int64_t start_ms;   /* as the server says; -1 unknown */
    const struct rpc_row *rows;
    size_t row_count; /* at least 1 */
    const char *bytes;
};
typedef void rpc_call_fn(void *user, const struct rpc_call *call);

struct rpc_status;

/* Calls on others than these regions are left out. regions must stay. */
struct rpc_status *rpc_status_create(const struct region_id *regions, size_t count,
                                     rpc_call_fn *fn, void *user);
/* Accepts NULL; returns NULL. */
struct rpc_status *rpc_status_destroy(struct rpc_status *r);

/* Feeds a piece of an answer; false once it cannot be used any more. */
bool rpc_status_feed(struct rpc_status *r, const char *data, size_t len);
/* The answer is complete; ready for the next one. POLL_OK, or why not with a line for
 * people in *ret_error (caller frees). Calls read before an error have been told. */
enum poll_outcome rpc_status_end(struct rpc_status *r, char **ret_error);

/* Rows that were too long or too many, and calls whose request cannot be read, since
 * rpc_status_create(). */
unsigned rpc_status_skipped(const struct rpc_status *r);

#endif
