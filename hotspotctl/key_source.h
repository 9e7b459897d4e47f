/* SPDX-License-Identifier: Apache-2.0 */
/* A stream of sample keys: from a file, standard input or a pattern. */
#ifndef HOTSPOTCTL_KEY_SOURCE_H
#define HOTSPOTCTL_KEY_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/buf.h"
#include "keys/key_list.h"

enum key_format { KEYS_LINE, KEYS_HEX, KEYS_ESCAPED, KEYS_LENGTH, KEY_FORMAT_COUNT };

/* "line", "hex", "escaped", "length"; -EINVAL else. */
int key_format_parse(const char *name, enum key_format *ret);

struct key_source;

/* path NULL or "-": standard input. NULL with a line in *error. */
struct key_source *key_source_open(const char *path, enum key_format format,
                                   struct buf *error);
/* count keys of a pattern. */
struct key_source *key_source_pattern(const char *text, uint64_t seed, uint64_t count,
                                      struct buf *error);
/* Accepts NULL; returns NULL. */
struct key_source *key_source_close(struct key_source *s);

/* The next key, good until the next call; false at the end or at an error. Empty lines
 * are passed over (see key_source_skipped()). */
bool key_source_next(struct key_source *s, struct key *ret);

/* What was wrong with the input: a line, NULL if nothing was. */
const char *key_source_error(const struct key_source *s);
uint64_t key_source_skipped(const struct key_source *s);

/* Starts anew; false where that cannot be (a pipe). */
bool key_source_rewind(struct key_source *s);

#endif
