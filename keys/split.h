/* SPDX-License-Identifier: Apache-2.0 */
/* Split points: the start keys of a table's regions but the first, in key order.
 * Source of the fixed ones: HBase RegionSplitter.java (HexStringSplit, UniformSplit,
 * DecimalStringSplit), whose points these are to the byte. */
#ifndef KEYS_SPLIT_H
#define KEYS_SPLIT_H

#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "keys/key_list.h"
#include "keys/scheme.h"

enum split_algo {
    SPLIT_HEX,
    SPLIT_UNIFORM,
    SPLIT_DECIMAL,
    SPLIT_SALT,    /* at the values that a scheme puts in front */
    SPLIT_SAMPLES, /* so that each region gets as many of the sample keys */
    SPLIT_ALGO_COUNT
};

enum { REGIONS_MAX = 1000000 };

const char *split_algo_name(enum split_algo algo);
/* -EINVAL for an unknown name. */
int split_algo_parse(const char *name, enum split_algo *ret);

/* HEX, UNIFORM, DECIMAL: regions - 1 points appended to *out, 1 <= regions <=
 * REGIONS_MAX. -ENOMEM. */
int split_fixed(enum split_algo algo, uint32_t regions, struct key_list *out);

/* Points at the scheme's own prefixes: as even as its buckets allow. -ERANGE: it has
 * fewer buckets than regions, or none. */
int split_buckets(const struct scheme *s, uint32_t regions, struct key_list *out);

/* Points at the quantiles of the samples, each cut to the shortest key that still
 * parts its neighbours. Fewer than regions - 1 where the samples have too few different
 * keys. -ENOMEM. */
int split_samples(const struct key_list *samples, uint32_t regions,
                  struct key_list *out);

/* HBase's guide: 10 to 30 regions a server; not larger than region_bytes each while
 * that leaves no more than 30 a server. 0 bytes: not known. */
uint32_t split_guide(uint32_t servers, uint64_t table_bytes, uint64_t region_bytes);

/* True if the points are not empty and ascend; else the index of the first that does
 * not in *ret_wrong. */
bool split_valid(const struct key_list *points, size_t *ret_wrong);

#endif
