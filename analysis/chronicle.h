/* SPDX-License-Identifier: Apache-2.0 */
/* What happened to regions lately: moves, splits and merges of all tables, the newest
 * CHRONICLE_MAX of them, for the marks on a heat map. Part of the registry. */
#ifndef ANALYSIS_CHRONICLE_H
#define ANALYSIS_CHRONICLE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/facts.h"
#include "analysis/snapshot.h"

enum { CHRONICLE_MAX = 4096 };

struct chronicle_entry {
    int64_t time_ms; /* wall clock */
    enum lineage_event event;
    struct region_facts *region; /* that moved, was split, or is the merged one */
};

/* Zeroed is empty. */
struct chronicle {
    struct chronicle_entry *entries; /* made with the first; then a ring */
    uint32_t count;                  /* in it */
    uint32_t next;                   /* place to write */
};

void chronicle_finish(struct chronicle *c);
/* Takes a reference of its own on region. */
void chronicle_add(struct chronicle *c, int64_t time_ms, enum lineage_event event,
                   struct region_facts *region);
/* The i-th newest, i < count. */
const struct chronicle_entry *chronicle_newest(const struct chronicle *c, uint32_t i);

#endif
