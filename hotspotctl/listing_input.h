/* SPDX-License-Identifier: Apache-2.0 */
/* Whole inputs of people: files and pipes; list_regions and status texts. */
#ifndef HOTSPOTCTL_LISTING_INPUT_H
#define HOTSPOTCTL_LISTING_INPUT_H

#include "common/buf.h"

struct message;

enum { INPUT_MAX = 1 << 30, LISTING_ROWS_MAX = 4000000 };

/* The whole of a file ("-": standard input), appended to *out. -errno with a line in
 * *error. */
int input_read(const char *path, struct buf *out, struct buf *error);

/* A listing read from text (MESSAGE_LISTING), which the caller destroys. NULL with a
 * line in *error. name: of the input, for messages. */
struct message *listing_input_parse(const char *name, const struct buf *text,
                                    struct buf *error);

#endif
