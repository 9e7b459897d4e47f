/* SPDX-License-Identifier: Apache-2.0 */
/* What the sampled calls of an alert's regions tell of its rows and clients: the most
 * popular rows, whether rows rise with time, the row in the middle of the load, the
 * busiest clients. Bounded: Space-Saving for the shares, and the newest ROW_SAMPLES_MAX
 * rows as they are. Rows only, never values. Scans count for clients, not for rows: a
 * scan's row is only where it starts. */
#ifndef ANALYSIS_ROW_HEAT_H
#define ANALYSIS_ROW_HEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/facts.h"
#include "analysis/space_saving.h"
#include "common/buf.h"

enum {
    ROW_SAMPLES_MAX = 256,
    ROW_LENGTH_MAX = 4096, /* longer rows are left out */
    CLIENT_LENGTH_MAX = 255,
    ROWS_TO_JUDGE = 20, /* fewer say nothing */
};

/* Kendall's tau of rows against the order in which they were seen: 1 when each is above
 * all before it, 0 at random. Above this the rows rise. */
#define ROWS_RISE_TAU 0.6

struct timed_row {
    uint8_t *row;
    size_t len;
    int64_t mono_ms; /* when its session ended */
};

struct row_heat {
    struct space_saving rows;
    struct space_saving clients;
    struct timed_row newest[ROW_SAMPLES_MAX]; /* ring */
    size_t added;                             /* to it, ever */
    uint64_t scans;
    double tau;      /* NaN: too few different rows; as of row_heat_settle() */
    uint64_t number; /* of changes */
};

/* Frees; a zeroed struct is empty. */
void row_heat_finish(struct row_heat *h);

/* One call of a session that ended at mono_ms, in the order in which they were seen.
 * client: an address, or NULL. */
void row_heat_add(struct row_heat *h, bool scan, const void *row, size_t len,
                  const char *client, int64_t mono_ms);
/* After the calls of a session: sorts the counters and takes the rank statistic. */
void row_heat_settle(struct row_heat *h);

/* Rows that were seen after mono_ms, among the newest. */
size_t row_heat_since(const struct row_heat *h, int64_t mono_ms);
/* Of the newest rows, those inside the region; all when its keys are not known. */
size_t row_heat_inside(const struct row_heat *h, const struct region_facts *region);
/* Rows counted in all (scans left out). */
static inline uint64_t
row_heat_rows(const struct row_heat *h)
{
    return h->rows.total;
}
/* A counter's share that is sure, by its place after row_heat_settle(). */
double row_heat_share(const struct space_saving *s, size_t place);
bool row_heat_rises(const struct row_heat *h);

/* The load-weighted middle of the newest rows inside the region: the shortest key that
 * parts them as evenly as it goes. Appends it to ret_key and says true; false when the
 * region's keys are not known, or less than ROWS_TO_JUDGE rows or only one lie inside
 * it. Start key < split key < end key. */
bool row_heat_split_key(const struct row_heat *h, const struct region_facts *region,
                        struct buf *ret_key);

/* False if the row is known to be none of the region's; its keys may be unknown. */
bool row_may_be_inside(const struct region_facts *region, const void *row, size_t len);

/* A key at which the region can be split: above its start and below its end, both
 * known. */
bool row_is_split_point(const struct region_facts *region, const void *key, size_t len);

#endif
