/* SPDX-License-Identifier: Apache-2.0 */
/* Master /api/v1/admin/cluster_metrics/live_servers (HBase 2.5+), read as a stream:
 * about 1.05 kB a region. Gives a listing and, beside it, the servers' info ports.
 * Source: HBase ClusterMetricsResource.java, GsonFactory.java. */
#ifndef COLLECTORS_LIVE_SERVERS_H
#define COLLECTORS_LIVE_SERVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/sample.h"

#define LIVE_SERVERS_PATH "/api/v1/admin/cluster_metrics/live_servers"

/* A live server; info_port 0 when the API does not know it. */
struct live_server {
    char *name; /* "host,port,startcode" */
    uint16_t info_port;
    int64_t report_ms; /* report_timestamp; -1 unknown */
};

struct live_servers_reader;

/* Reads into *listing (of message_create(MESSAGE_LISTING)): source LISTING_API, whole
 * cluster, rows with the keys known only where the name is exact; end keys are the next
 * region's start key of the same table and replica, where known. */
struct live_servers_reader *live_servers_reader_create(struct listing *listing,
                                                       size_t max_regions);
/* Accepts NULL; returns NULL. */
struct live_servers_reader *live_servers_reader_destroy(struct live_servers_reader *r);
/* False once the answer cannot be used any more. */
bool live_servers_reader_feed(struct live_servers_reader *r, const char *data,
                              size_t len);
/* As in jmx.h. Completes the end keys (the rules, also for splits and merges under way:
 * listing_build.h) and as_of_ms, the median of the servers' report times. A region that
 * two servers list is on the one that reported last. */
enum poll_outcome live_servers_reader_end(struct live_servers_reader *r,
                                          char **ret_error);
/* The servers read; valid until the reader is destroyed. */
const struct live_server *
live_servers_reader_servers(const struct live_servers_reader *r, size_t *ret_count);

#endif
