/* SPDX-License-Identifier: Apache-2.0 */
/* The class of a hot subject: the first row of an ordered table whose test holds.
 * Thresholds stand in one table; docs/detection.md explains them. Pure. */
#ifndef ANALYSIS_CLASSIFY_H
#define ANALYSIS_CLASSIFY_H

#include "analysis/explain.h"
#include "common/buf.h"

struct class_limits {
    double scan_rows_a_call;
    double access_share;     /* "reads" or "writes" are at least this part of all */
    double popular_share;    /* of the sampled rows */
    double daughter_share;   /* of the heat of both daughters */
    unsigned wandering;      /* splits in which the heat went to the upper daughter */
    double big_size;         /* times the median of the table */
    double same_density;     /* requests per byte differ by no more than this factor */
    double server_others;    /* times what their tables' others take */
    unsigned server_regions; /* so many of them at least */
};
extern const struct class_limits class_limits;

/* Appends what speaks for the class to evidence. */
enum heat_class classify(const struct subject *s, struct buf *evidence);
/* What to do about it, in words, without row keys. */
const char *class_advice(const struct subject *s, enum heat_class heat_class);

#endif
