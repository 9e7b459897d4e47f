/* SPDX-License-Identifier: Apache-2.0 */
/* What a session of row sampling has seen so far: the answers of one RegionServer's
 * status page in, one struct row_samples out. A call that stands in several answers is
 * taken once: the same client address and port, start, method, region and row. What
 * stands twice in one answer are two calls, or a batch with that row twice. */
#ifndef COLLECTORS_ROW_TALLY_H
#define COLLECTORS_ROW_TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "collectors/sample.h"

enum {
    TALLY_GOAL = 64,     /* rows after which a session has seen enough, ... */
    TALLY_PER_CALL = 16, /* ... of which one call counts for so many at most */
    TALLY_CALLS_MAX = 4096,
    TALLY_CLIENTS_MAX = 256,
};

struct row_tally;

/* For rows of these regions (copied). */
struct row_tally *row_tally_create(const struct region_id *regions, size_t count);
/* Accepts NULL; returns NULL. */
struct row_tally *row_tally_destroy(struct row_tally *t);

/* One answer in pieces, as rpc_status_feed() and rpc_status_end(). */
bool row_tally_feed(struct row_tally *t, const char *data, size_t len);
enum poll_outcome row_tally_end(struct row_tally *t, char **ret_error);

/* So much has been seen that the goal is reached, or no more fits. */
bool row_tally_is_full(const struct row_tally *t);

/* Moves what was seen into *rows: calls, clients, arena, skipped. Once only. */
void row_tally_give(struct row_tally *t, struct row_samples *rows);

#endif
