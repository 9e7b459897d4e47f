/* SPDX-License-Identifier: Apache-2.0 */
/* What the listings from a file and from a command have in common. Collector thread
 * only. */
#ifndef COLLECTORS_TEXT_SOURCE_H
#define COLLECTORS_TEXT_SOURCE_H

#include <stdbool.h>

#include "collectors/context.h"
#include "common/buf.h"

enum { TEXT_SOURCE_MAX = 512 * 1024 * 1024 }; /* bytes of one text */

/* Reads the text and puts a MESSAGE_LISTING into the outbox, or a MESSAGE_SOURCE of
 * the source `name` (path or argv[0]). as_of_ms: wall clock. */
void text_source_deliver(const struct context *context, enum listing_source source,
                         const char *name, const struct buf *text, int64_t as_of_ms);

/* True if the last `len` bytes of a text end with what the shell prints behind a whole
 * table ("N rows", "Took N seconds"). */
bool text_source_complete(const char *tail, size_t len);

#endif
