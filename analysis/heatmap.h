/* SPDX-License-Identifier: Apache-2.0 */
/* The load of a table over keys and time, from history: rows are key ranges, columns
 * are spans of time. Made in portions, so that whoever holds the engine's lock for
 * reading lets go of it every few thousand regions:
 *
 *     h = heatmap_create(...);
 *     while (locked engine_heatmap_collect(e, h)) ;   which regions, and their peaks
 *     heatmap_plan(h);                                without a lock: which rows
 *     while (locked engine_heatmap_add(e, h)) ;       values and marks
 *
 * Rows hold neighbours with little load together; a region with much keeps a row of its
 * own. The value of a row is the sum over its regions. */
#ifndef ANALYSIS_HEATMAP_H
#define ANALYSIS_HEATMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/facts.h"
#include "analysis/snapshot.h"
#include "config/config.h"

enum {
    HEATMAP_COLUMNS_MAX = 240,
    HEATMAP_ROWS_MIN = 2,
    HEATMAP_ROWS_MAX = 128,
    HEATMAP_MARKS_MAX = 200
};

struct heatmap_query {
    const char *table;
    int64_t from_ms, to_ms; /* wall clock; cut to what history holds */
    uint32_t columns;       /* at most; 1 to HEATMAP_COLUMNS_MAX */
    uint32_t rows;          /* at most; HEATMAP_ROWS_MIN to HEATMAP_ROWS_MAX */
    enum access access;
};

struct heatmap_row {
    struct region_facts *first;   /* by key; start_known unless keys are not known */
    struct region_facts *last;    /* by key */
    struct region_facts *hottest; /* by its highest mean of a column */
    uint32_t regions;
};

/* A move, split or merge in the table and span. */
struct heatmap_mark {
    int64_t time_ms;
    enum lineage_event event;
    struct region_id region;
};

struct heatmap; /* opaque */

/* Copies the query. */
struct heatmap *heatmap_create(const struct heatmap_query *query);
/* Accepts NULL; returns NULL. */
struct heatmap *heatmap_destroy(struct heatmap *h);

struct engine;
/* A portion of at most some milliseconds; true while there is more to do. */
bool engine_heatmap_collect(const struct engine *e, struct heatmap *h);
bool engine_heatmap_add(const struct engine *e, struct heatmap *h);
/* Between the two. */
void heatmap_plan(struct heatmap *h);

/* ---- the result ---- */

/* The table is in the registry. */
bool heatmap_table_known(const struct heatmap *h);
uint32_t heatmap_columns(const struct heatmap *h);
/* Wall-clock ms at which column i begins; i == columns: at which the last one ends. */
int64_t heatmap_time(const struct heatmap *h, uint32_t i);
/* Rows by key, those without known keys last; good until heatmap_destroy(). */
const struct heatmap_row *heatmap_rows(const struct heatmap *h, uint32_t *ret_count);
/* The end of a row: the start of the next one, so that rows have no holes. NULL: not
 * known. An empty key is the end of the table. */
const uint8_t *heatmap_row_end(const struct heatmap *h, uint32_t row, size_t *ret_len);
/* Requests/s (reads are rows/s), summed over the row's regions; NaN unknown. */
float heatmap_value(const struct heatmap *h, uint32_t row, uint32_t column);
/* Newest first. */
const struct heatmap_mark *heatmap_marks(const struct heatmap *h, uint32_t *ret_count);

#endif
