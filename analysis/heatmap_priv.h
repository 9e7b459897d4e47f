/* SPDX-License-Identifier: Apache-2.0 */
/* The heat map from inside: heatmap.c decides on rows, heatmap_read.c reads the
 * registry. */
#ifndef ANALYSIS_HEATMAP_PRIV_H
#define ANALYSIS_HEATMAP_PRIV_H

#include "analysis/heatmap.h"
#include "analysis/history.h"

struct registry;

/* One region of the table. */
struct heatmap_item {
    struct region_facts *facts; /* a reference */
    uint32_t slot;              /* in the registry, while that has the region there */
    uint32_t row;
    float peak;      /* highest mean of a column; 0 when nothing is known */
    uint64_t prefix; /* of the start key, behind what all keys begin with */
};

struct heatmap {
    struct heatmap_query query;
    char *table;
    bool table_known;
    bool begun;                  /* the columns are chosen */
    struct history_span span;    /* columns 0: there is no history yet */
    int64_t begin_ms, column_ms; /* wall clock */
    float rates[256];            /* of history's codes */
    struct heatmap_item *items;  /* by key after heatmap_plan() */
    uint32_t count;
    size_t cap;
    uint32_t next; /* slot to collect, then item to add */
    struct heatmap_row *rows;
    uint32_t row_count;
    float *values; /* row by row */
    struct heatmap_mark *marks;
    uint32_t mark_count;
};

/* A portion of the work on a registry: see engine_heatmap_collect() and _add(). */
bool heatmap_collect(struct heatmap *h, const struct registry *r);
bool heatmap_add(struct heatmap *h, const struct registry *r);
/* Adds a region before the plan; takes a reference of its own. */
void heatmap_take(struct heatmap *h, struct region_facts *facts, uint32_t slot,
                  float peak);
/* Adds what a region had in each column to its row, after the plan. */
void heatmap_sum(struct heatmap *h, uint32_t item, const float *means);

#endif
