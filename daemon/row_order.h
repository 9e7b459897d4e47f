/* SPDX-License-Identifier: Apache-2.0 */
/* Orders over the rows of a snapshot, stable on ties: rows of equal value stand by
 * table name, start key and encoded name. Pure. */
#ifndef DAEMON_ROW_ORDER_H
#define DAEMON_ROW_ORDER_H

#include <stdint.h>

#include "analysis/snapshot.h"

enum region_sort {
    REGION_SORT_RATE,
    REGION_SORT_READ,
    REGION_SORT_WRITE,
    REGION_SORT_RATIO, /* against a zero baseline first */
    REGION_SORT_SIZE,
    REGION_SORT_NAME, /* by table and key */
    REGION_SORT_COUNT
};
extern const char *const region_sort_names[REGION_SORT_COUNT + 1]; /* ends in NULL */

/* < 0 when region row a stands before b: largest first, unknown values last; by name
 * ascending. 0 only for a == b. */
int region_order(const struct snapshot *s, enum region_sort sort, uint32_t a,
                 uint32_t b);
/* Tables by total rate, the busiest first; then by name. */
int table_order(const struct snapshot *s, uint32_t a, uint32_t b);

/* The hottest regions by rate: those of a table (NO_INDEX: any) on a server (NO_INDEX:
 * any), at most k; the caller frees *ret_rows. Returns their number. */
size_t hottest_regions(const struct snapshot *s, uint32_t table, uint32_t server,
                       size_t k, uint32_t **ret_rows);

/* Index of a table or NO_INDEX (binary search: tables are by name). */
uint32_t snapshot_find_table(const struct snapshot *s, const char *name);

#endif
