/* SPDX-License-Identifier: Apache-2.0 */
/* The master's /api/v1/admin/cluster_metrics/live_servers, as of the last heartbeats.
 */
#ifndef SIM_LIVE_SERVERS_H
#define SIM_LIVE_SERVERS_H

#include "common/buf.h"
#include "tests/sim/cluster.h"

#define LIVE_SERVERS_PAGE "/api/v1/admin/cluster_metrics/live_servers"

/* After cluster_heartbeat(). */
void live_servers_print(struct buf *out, const struct cluster *c);

#endif
