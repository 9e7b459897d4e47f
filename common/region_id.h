/* SPDX-License-Identifier: Apache-2.0 */
/* A region's encoded name as a value of 128 bits. HBase prints either 32 lower-case hex
 * digits (the MD5 of the region name) or, for old-style names such as hbase:meta's
 * 1588230740, up to 10 decimal digits. Decimal names have hi == 0 and lo <= 9999999999;
 * an MD5 of that form does not occur (chance 2^-94).
 * Source: HBase RegionInfo.java (encodeRegionName). */
#ifndef COMMON_REGION_ID_H
#define COMMON_REGION_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct region_id {
    uint64_t hi;
    uint64_t lo;
};

enum { REGION_ID_TEXT_SIZE = 33 };

/* Encoded name of hbase:meta's default replica. */
#define REGION_ID_META ((struct region_id){0, 1588230740})

/* Reads 32 lower-case hex digits or 1 to 10 decimal digits; false for anything else. */
bool region_id_parse(const char *s, size_t len, struct region_id *ret);
/* Writes the encoded name and returns it. */
const char *region_id_text(struct region_id id, char text[static REGION_ID_TEXT_SIZE]);

static inline bool
region_id_equal(struct region_id a, struct region_id b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

/* < 0, 0, > 0 in the order of (hi, lo). */
int region_id_compare(struct region_id a, struct region_id b);

/* A well mixed 64-bit hash; hex names are MD5 values already, decimal ones are mixed.
 */
uint64_t region_id_hash(struct region_id id);

#endif
