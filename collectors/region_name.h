/* SPDX-License-Identifier: Apache-2.0 */
/* Region names: TABLE,STARTKEY,ID[_REPLICA] and .ENCODED. behind it, where ENCODED is
 * the MD5 of what stands before. Source: HBase RegionInfo.java. */
#ifndef COLLECTORS_REGION_NAME_H
#define COLLECTORS_REGION_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/region_id.h"

struct region_name {
    struct region_id id;
    const char *table; /* inside the name */
    size_t table_len;
    const char *start; /* raw key bytes inside the name */
    size_t start_len;
    int64_t created_ms; /* -1 when ID is no number */
    uint16_t replica;
    bool exact; /* the MD5 of the bytes gives id: the start key is what HBase has */
};

/* Parses the raw bytes of a name (un-escaped first when it comes from text). Forms:
 * "t,key,id.<32 hex>.", "hbase:meta,,1" and "hbase:meta,,1.1588230740" (old-style
 * names, exact only for the known meta names). 0 or -EINVAL; pointers are into `name`.
 */
int region_name_parse(const char *name, size_t len, struct region_name *ret);

#endif
