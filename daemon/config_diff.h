/* SPDX-License-Identifier: Apache-2.0 */
/* What a reload changes between two configurations. Pure. */
#ifndef DAEMON_CONFIG_DIFF_H
#define DAEMON_CONFIG_DIFF_H

#include <stdbool.h>

#include "config/config.h"

struct buf;

/* Whether everything that the collector reads is the same: masters, RegionServers,
 * polls, authentication, topology. */
bool config_same_collection(const struct config *a, const struct config *b);

/* Appends a line for each setting that differs but is only read at a start. */
void config_fixed_changes(const struct config *old, const struct config *new,
                          struct buf *out);

#endif
