/* SPDX-License-Identifier: Apache-2.0 */
/* Which beans and attributes each HBase version shows, in its order, as data: taken
 * from the answers in tests/data/captures. Beans of which no full answer was at hand
 * carry their name and the two common tags only. */
#ifndef SIM_SHAPE_H
#define SIM_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/sim/cluster.h"

enum bean_kind {
    BEAN_PLAIN,
    BEAN_REGIONS,
    BEAN_TABLES,
    BEAN_TABLE_REQUESTS, /* one bean a table of the server */
    BEAN_META_ONLY,      /* only on the server of hbase:meta */
};

struct bean_shape {
    const char *name;    /* what follows "Hadoop:service=HBase,name=" */
    const char *modeler; /* modelerType; NULL: the same as name */
    enum bean_kind kind;
    /* Blank-separated: "NAME" (the number 0), "NAME:TEXT" (as it stands),
     * "NAME=QUANTITY" (see quantity.c), "~NAME" and "~NAME=QUANTITY" (a histogram's
     * twelve attributes; the quantity is its number of operations). */
    const char *attributes;
};

enum region_value {
    REGION_ZERO,
    REGION_ZERO_DOUBLE,
    REGION_ONE,
    REGION_FILES,
    REGION_FILE_SIZE,
    REGION_MEMSTORE,
    REGION_COMPACTION_AGE,
    REGION_READS,
    REGION_WRITES,
    REGION_GETS,
    REGION_SCANS,
    REGION_REPLICA,
    REGION_STORE_READS, /* "_store_FAMILY" and the suffix; only where rows were read */
    REGION_STORE_ZERO,
};

struct region_attribute {
    const char *suffix; /* "_metric_readRequestCount" */
    enum region_value value;
};

struct shape {
    const struct bean_shape *server_beans;
    size_t server_bean_count;
    const struct bean_shape *master_beans;
    size_t master_bean_count;
    const struct region_attribute *region_attributes;
    size_t region_attribute_count;
    size_t region_tail; /* attributes from here on come after those of all regions */
    bool num_regions;   /* "numRegions" in the Regions bean */
    bool regex;         /* get=…::<regex> is understood */
    bool gzip;
    bool live_servers; /* /api/v1 is there */
    const char *agent; /* "Server:" header or NULL: a newer Jetty with its headers */
    const char *json_type; /* Content-Type of /jmx */
};

extern const struct shape shape_2_6, shape_2_4, shape_1_7;

const struct shape *shape_of(enum hbase_version version);

#define COMMON_TAGS "tag.Context:\"regionserver\" tag.Hostname=host"

#endif
