/* SPDX-License-Identifier: Apache-2.0 */
/* Listings from topology.file, which somebody else writes now and then. Collector
 * thread only. */
#ifndef COLLECTORS_LISTING_FILE_H
#define COLLECTORS_LISTING_FILE_H

#include <stdint.h>

#include "collectors/context.h"

struct listing_file;

/* context->config->topology.file must be set. */
struct listing_file *listing_file_create(const struct context *context);
/* Accepts NULL; returns NULL. */
struct listing_file *listing_file_destroy(struct listing_file *f);

/* A listing of this time (wall clock) is known from elsewhere; a file that is older is
 * passed over. */
void listing_file_set_newest(struct listing_file *f, int64_t as_of_ms);

/* Looks, once a second, and reads a file that changed and is not being written to. */
void listing_file_step(struct listing_file *f, struct moment now);
int64_t listing_file_next_ms(const struct listing_file *f);

#endif
