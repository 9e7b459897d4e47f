/* SPDX-License-Identifier: Apache-2.0 */
/* The calls on a few regions of a RegionServer, from its /jmx: what to ask and how to
 * read the answer. One request brings the counters and, so that they are of a known
 * start of the server, tag.serverName. Collector thread only.
 * Formats: collectors/jmx.h. */
#ifndef COLLECTORS_OPERATIONS_H
#define COLLECTORS_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "collectors/sample.h"

/* More regions than this are asked for by asking for all. */
enum { OPERATIONS_NAMED_MAX = 32 };

enum operations_query {
    OPERATIONS_FILTERED, /* HBase 2.4 and later: these counters only */
    OPERATIONS_FULL,     /* the beans with all their attributes */
    OPERATIONS_NONE,     /* not to be had from this server */
};

/* Path and query ("/jmx?..."), URL-encoded, at most about 1.5 KB; the caller frees it.
 * Not for OPERATIONS_NONE. */
char *operations_path(enum operations_query query, const struct region_id *regions,
                      size_t count);

struct operations;

/* For these regions (copied). */
struct operations *operations_create(const struct region_id *regions, size_t count);
/* Accepts NULL; returns NULL. */
struct operations *operations_destroy(struct operations *o);

/* Feeds a piece of the answer; false once it cannot be used any more. */
bool operations_feed(struct operations *o, const char *data, size_t len);
/* The answer is complete. POLL_OK with *detail's server and operations set: those of
 * the regions asked for of which all three counters are known. Else why not;
 * *ret_not_understood: the server does not know filtered queries. */
enum poll_outcome operations_end(struct operations *o, bool *ret_not_understood,
                                 struct server_detail *detail);

#endif
