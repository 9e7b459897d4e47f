/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the rows of a struct listing, whatever they are read from, and completes the
 * end keys. Used by live_servers.c and the text readers. */
#ifndef COLLECTORS_LISTING_BUILD_H
#define COLLECTORS_LISTING_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/region_name.h"
#include "collectors/sample.h"

struct listing_build;

/* Builds into *listing, which is empty. max_rows bounds listing->row_count. */
struct listing_build *listing_build_create(struct listing *listing, size_t max_rows);
/* Accepts NULL; returns NULL. */
struct listing_build *listing_build_destroy(struct listing_build *b);

/* A row for the region of that name: id, table, replica, created_ms, and the start key
 * if the name is exact; all else unknown, on no server. Index of the row in *ret_row
 * (valid until listing_build_finish()). -EINVAL: the table's name cannot be used;
 * -E2BIG: more rows, or more bytes of keys, than allowed. */
int listing_build_add(struct listing_build *b, const struct region_name *name,
                      size_t *ret_row);
/* The same for a region of which only the encoded name is known: no keys. */
int listing_build_add_id(struct listing_build *b, struct region_id id,
                         const char *table, size_t table_len, size_t *ret_row);
struct listing_row *listing_build_row(struct listing_build *b, size_t row);
size_t listing_build_count(const struct listing_build *b);

/* The number of a server, whose name is server_name_valid(). */
uint32_t listing_build_server(struct listing_build *b, const char *name);

/* What the source itself says of the row's end key: the escaped key without leading and
 * trailing blanks, empty for the end of the table. The text must stay until
 * listing_build_finish(). */
void listing_build_end_text(struct listing_build *b, size_t row, const char *text,
                            size_t len);
/* The region is between servers, whether it has a row or not. */
void listing_build_in_transition(struct listing_build *b, struct region_id id);

/* A region of unknown name is missing: no end key can be told from a neighbour. */
void listing_build_incomplete(struct listing_build *b);

/* Completes the listing:
 *
 * - Of several rows with one id one stays: an exact name before a damaged one, then the
 *   one from the server with the highest freshness[] (by server number), then the last;
 *   freshness NULL: all equal.
 * - The end key of a region is the start key of the next region of the same table and
 *   replica; that of the last one is empty. It stays unknown in a group with a start
 * key that is not known, everywhere if a region in transition has no row (its place
 * cannot be told), and where the source's own text (above) says something else: then
 * the listing lacks a neighbour.
 * - While a split or merge is under way, parent and daughter are both listed and share
 * a start key. Then only the youngest of them (created_ms) gets an end key, and only if
 *   the region behind it is not older than it: a daughter is followed by her sister, of
 *   the same age; a merged region by the older one that it has swallowed.
 *
 * Fills listing->tables, servers, rows and arena; nothing may be added after. */
void listing_build_finish(struct listing_build *b, const int64_t *freshness);

#endif
