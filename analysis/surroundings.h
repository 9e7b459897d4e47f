/* SPDX-License-Identifier: Apache-2.0 */
/* What hot regions are compared with when it is asked why they are hot: sizes within
 * their tables, the other regions of their servers, the least loaded servers. Some
 * walks over the regions, in evaluations with an alert only. */
#ifndef ANALYSIS_SURROUNDINGS_H
#define ANALYSIS_SURROUNDINGS_H

#include <stdint.h>

#include "analysis/load.h"
#include "analysis/registry.h"

/* The regions of a table whose size is known and that are judged. */
struct table_sizes {
    uint32_t sized;
    int64_t median;
    double bytes;
    double rate; /* total, of them */
};

/* The regions of a server that no alert is about. */
struct server_others {
    uint32_t regions;
    double rate;
    double expected; /* were each like the others of its table */
};

struct surroundings {
    struct table_sizes *tables;    /* by table slot */
    struct server_others *servers; /* by server slot */
    uint32_t quietest[2];          /* live servers with the least load; NO_INDEX */
};

void surroundings_make(struct surroundings *s, const struct registry *r,
                       int64_t mono_ms);
void surroundings_finish(struct surroundings *s);

#endif
