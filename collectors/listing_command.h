/* SPDX-License-Identifier: Apache-2.0 */
/* Listings from topology.command: once for the whole cluster at each interval, or, with
 * "{table}" in it, for the tables that are asked for, one after another. Collector
 * thread only. */
#ifndef COLLECTORS_LISTING_COMMAND_H
#define COLLECTORS_LISTING_COMMAND_H

#include <stdbool.h>

#include "collectors/command.h"
#include "collectors/context.h"
#include "collectors/schedule.h"

struct listing_command;

/* context->config->topology.command must not be empty. */
struct listing_command *listing_command_create(const struct context *context);
/* Kills what runs. Accepts NULL; returns NULL. */
struct listing_command *listing_command_destroy(struct listing_command *c);

/* tables (NULL-terminated, copied; may be NULL) are for a command with "{table}". */
void listing_command_wish(struct listing_command *c, enum listing_wish wish,
                          char *const *tables);

/* Attends to what runs; begins a run that is due, if allowed. */
void listing_command_step(struct listing_command *c, bool allowed, struct moment now);
int64_t listing_command_next_ms(const struct listing_command *c, bool allowed);
/* Descriptors that tell when a step is worthwhile. */
unsigned listing_command_fds(const struct listing_command *c,
                             int fds[static COMMAND_FDS]);

#endif
