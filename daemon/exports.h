/* SPDX-License-Identifier: Apache-2.0 */
/* Which regions and tables have series in /metrics: the regions with an alert and the
 * sticky top export_top, at most export_max; the sticky busiest export_tables tables.
 * Main thread. */
#ifndef DAEMON_EXPORTS_H
#define DAEMON_EXPORTS_H

#include "analysis/snapshot.h"
#include "config/config.h"
#include "daemon/sticky.h"

struct exports {
    struct sticky regions;
    struct sticky tables;
    size_t hot_left_out;    /* hot regions without a place */
    size_t tables_left_out; /* tables without a place */
};

void exports_init(struct exports *x);
void exports_finish(struct exports *x);
/* Afterwards the members' rows are valid for this snapshot. */
void exports_update(struct exports *x, const struct snapshot *s,
                    const struct metrics_config *config);

#endif
