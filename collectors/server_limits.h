/* SPDX-License-Identifier: Apache-2.0 */
/* The limits of a RegionServer that its metrics lack: handlers and the memory of all
 * memstores together. From "/conf?format=json" (all of its configuration, about 215 kB)
 * and the largest heap in its JMX. Collector thread only.
 * Sources: Hadoop Configuration.dumpConfiguration; HBase MemorySizeUtil.java
 * (getGlobalMemStoreSize, getGlobalMemStoreHeapPercent), HConstants.java (defaults);
 * Hadoop JvmMetrics.java. */
#ifndef COLLECTORS_SERVER_LIMITS_H
#define COLLECTORS_SERVER_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONF_MAX = 4 * 1024 * 1024, HEAP_MAX = 64 * 1024 }; /* bytes of the answers */
#define CONF_PATH "/conf?format=json"
#define HEAP_PATH "/jmx?get=Hadoop:service=HBase,name=JvmMetrics::MemHeapMaxM"

struct server_limits {
    unsigned handlers;        /* hbase.regionserver.handler.count; 0 unknown */
    double memstore_fraction; /* of the heap; 0 unknown */
    int64_t offheap_bytes;    /* memstores outside of the heap, instead; 0 none */
    int64_t heap_bytes;       /* 0 unknown */
};

/* -1 if what is known does not tell. */
int64_t server_limits_memstore(const struct server_limits *limits);

struct conf_reader;

struct conf_reader *conf_reader_create(void);
/* Accepts NULL; returns NULL. */
struct conf_reader *conf_reader_destroy(struct conf_reader *r);
/* Feeds a piece of /conf; false once it cannot be used any more. */
bool conf_reader_feed(struct conf_reader *r, const char *data, size_t len);
/* The answer is complete: 0 with *limits's handlers, fraction and off-heap bytes set (a
 * key that is missing has HBase's default, one without a sensible value is unknown), or
 * -EINVAL when it is no configuration. */
int conf_reader_end(struct conf_reader *r, struct server_limits *limits);

/* The answer to HEAP_PATH: 0 with *limits's heap_bytes set, or -EINVAL. */
int heap_read(const char *body, size_t len, struct server_limits *limits);

#endif
