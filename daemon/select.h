/* SPDX-License-Identifier: Apache-2.0 */
/* The first k of n rows in some order without sorting all n: one pass over the rows
 * with a heap of k, O(n log k). Pure. */
#ifndef DAEMON_SELECT_H
#define DAEMON_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct select_rule {
    /* Whether the row takes part; NULL: all do. */
    bool (*wanted)(const void *data, uint32_t row);
    /* < 0 when a stands before b; never 0 for two rows (a total order). */
    int (*compare)(const void *data, uint32_t a, uint32_t b);
    const void *data;
};

/* The first k wanted rows of 0 .. n-1, in order; the caller frees *ret_rows. Returns
 * their number; *ret_wanted (may be NULL) is that of all wanted rows. */
size_t select_rows(const struct select_rule *rule, uint32_t n, size_t k,
                   uint32_t **ret_rows, size_t *ret_wanted);

#endif
