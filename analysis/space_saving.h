/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the most frequent of many byte strings in bounded memory: Space-Saving
 * (Metwally, Agrawal, El Abbadi: Efficient Computation of Frequent and Top-k Elements
 * in Data Streams, 2005). A string that is in more than total / SPACE_SAVING_COUNTERS
 * of the additions is surely among the counters; a count is too high by at most its
 * `error`. Memory belongs to the caller's struct. */
#ifndef ANALYSIS_SPACE_SAVING_H
#define ANALYSIS_SPACE_SAVING_H

#include <stddef.h>
#include <stdint.h>

enum { SPACE_SAVING_COUNTERS = 64 };

struct space_counter {
    uint8_t *key;
    size_t len;
    uint64_t count; /* what was counted, or more by at most */
    uint64_t error; /* this */
};

struct space_saving {
    struct space_counter counters[SPACE_SAVING_COUNTERS];
    size_t used;
    uint64_t total; /* additions */
};

/* Frees; a zeroed struct is empty, and so it is afterwards. */
void space_saving_finish(struct space_saving *s);
/* Counts one more of these bytes (copied). */
void space_saving_add(struct space_saving *s, const void *key, size_t len);
/* Sorts the counters: highest surely counted (count - error) first, then by key. */
void space_saving_sort(struct space_saving *s);

#endif
