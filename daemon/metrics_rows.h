/* SPDX-License-Identifier: Apache-2.0 */
/* The families of /metrics that have a series for each server, table or region. */
#ifndef DAEMON_METRICS_ROWS_H
#define DAEMON_METRICS_ROWS_H

#include "daemon/expo_text.h"
#include "daemon/exports.h"
#include "daemon/view.h"

void metrics_render_servers(struct expo *e, const struct view *view);
void metrics_render_tables(struct expo *e, const struct snapshot *s,
                           const struct exports *exports);
void metrics_render_regions(struct expo *e, const struct snapshot *s,
                            const struct exports *exports);

#endif
