/* SPDX-License-Identifier: Apache-2.0 */
/* The master's JMX: who is active, which RegionServers live.
 * Source: HBase MetricsMasterSource.java, MetricsMasterWrapperImpl.java. */
#ifndef COLLECTORS_MASTER_H
#define COLLECTORS_MASTER_H

#include <stdbool.h>
#include <stddef.h>

#include "collectors/sample.h"

/* "/jmx?qry=..." for the Server and AssignmentManager beans of the master. */
const char *master_query(unsigned i); /* NULL when there are no more */

/* Reads one answer (all of it) into *state; may be called once for each query's answer.
 * *ret_active: this master is the active one; untouched if the answer does not say. Of
 * a backup master only the cluster's id is taken. POLL_OK, POLL_NO_DATA, POLL_PARSE,
 * POLL_BAD_RESPONSE with a line in *ret_error (caller frees). */
enum poll_outcome master_read(const char *text, size_t len, struct cluster_state *state,
                              bool *ret_active, char **ret_error);

#endif
