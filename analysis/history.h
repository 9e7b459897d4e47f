/* SPDX-License-Identifier: Apache-2.0 */
/* History of rates in tiers (raw, 5 minutes, 1 hour), one byte a value, reads and
 * writes. Slots are numbered by monotonic time, so a step of the wall clock neither
 * tears nor doubles a series. A region that was idle throughout a tier has no ring in
 * it; what was known of it then is what was known of its server (struct known_slots).
 *
 * Code: 0 none (below HISTORY_MIN_RATE / 2), 255 unknown, else
 * rate = HISTORY_MIN_RATE * 1.08^(code - 1): rounding to the nearest step errs by at
 * most 4 % from HISTORY_MIN_RATE to 3 million/s; what is above is stored as the
 * largest. */
#ifndef ANALYSIS_HISTORY_H
#define ANALYSIS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

#define HISTORY_MIN_RATE 0.01
enum { HISTORY_NONE = 0, HISTORY_UNKNOWN = 255 };
enum { TIER_RAW, TIER_FIVE_MINUTES, TIER_HOURS, TIER_COUNT };

/* NaN gives HISTORY_UNKNOWN; negative does not occur. */
uint8_t history_encode(double rate);
double history_decode(uint8_t code);

/* Geometry and position of the tiers; one for all regions. */
struct history_clock {
    int64_t slot_ms[TIER_COUNT];
    uint32_t slots[TIER_COUNT];
    int64_t head[TIER_COUNT]; /* newest slot written; -1 before the first */
    int64_t anchor_ms;        /* monotonic time at which slot 0 begins */
    int64_t wall_offset_ms;   /* wall - monotonic, as last seen */
    uint64_t bytes;           /* in rings now */
    uint64_t max_bytes;
    uint64_t refused; /* rings that the limit did not allow */
};

struct history_ring; /* opaque: one tier of one region */

struct history {
    struct history_ring *rings[TIER_COUNT]; /* NULL: idle throughout the tier */
};

/* Which slots of each tier a server was heard in; bytes of 0 and 1. */
struct known_slots {
    uint8_t *known[TIER_COUNT];
};

/* What can be said of a region where it has no ring. */
struct history_past {
    const struct known_slots *server; /* of its server now; NULL: on none */
    int64_t first_ms;                 /* monotonic; when it was first heard of */
};

/* A tier's slots are never fewer than a slot of the next tier spans, and never shorter
 * than the interval. */
void history_clock_init(struct history_clock *c, const struct history_config *config,
                        int64_t interval_ms);
/* True if the tier of one has another form than that of the other: its rings must be
 * dropped before history_clock_adopt(). */
bool history_tier_differs(const struct history_clock *a, const struct history_clock *b,
                          int tier);
/* Takes the form and the limit from `next` (just initialised), keeps the position. */
void history_clock_adopt(struct history_clock *c, const struct history_clock *next);

/* Makes the tiers that are not there yet: all, of zeroed ones. */
void known_slots_init(struct known_slots *k, const struct history_clock *c);
void known_slots_drop(struct known_slots *k, int tier);
void known_slots_finish(struct known_slots *k);

/* Frees the rings, or that of one tier. */
void history_finish(struct history *h, struct history_clock *c);
void history_drop(struct history *h, struct history_clock *c, int tier);
/* `to` inherits from a parent region: before born_ms (monotonic; when the heir was
 * first heard of) each slot is the sum of what both have, so that two parents add up;
 * afterwards its own value stands where there is one. */
void history_inherit(struct history *to, struct history_past to_past,
                     const struct history *from, struct history_past from_past,
                     int64_t born_ms, struct history_clock *c);

/* Moves the clock to the moment; *ret_slot[t] is the slot to write in tier t, or -1 if
 * its slot was written already. Coarser tiers are due when their slot is complete. */
void history_advance(struct history_clock *c, int64_t mono_ms, int64_t wall_ms,
                     int64_t ret_slot[static TIER_COUNT]);

/* Writes one region's rates into the due slots (after history_advance, before
 * history_commit). Rates NaN: unknown. A ring for which there is no room within
 * max_memory is unknown, not idle. */
void history_write(struct history *h, struct history_clock *c,
                   const int64_t slot[static TIER_COUNT], struct history_past past,
                   double read, double write);
/* Marks the server heard or not in the due slots. */
void known_slots_write(struct known_slots *k, const struct history_clock *c,
                       const int64_t slot[static TIER_COUNT], bool heard);
/* The due slots are written for all. */
void history_commit(struct history_clock *c, const int64_t slot[static TIER_COUNT]);

/* The codes of a slot; unknown outside what is kept. */
struct history_value {
    uint8_t read;
    uint8_t write;
};
struct history_value history_read(const struct history *h,
                                  const struct history_clock *c, int tier, int64_t slot,
                                  struct history_past past);

/* A run of slots cut into columns of `stride` slots each. */
struct history_span {
    int tier;
    int64_t first; /* slot */
    uint32_t stride;
    uint32_t columns;
};
/* Means of the known rates of each column: reads, writes, or their sum as `access`
 * says; NaN where none is known. rates[code] is history_decode(code), but 0
 * for unknown. Reads columns * stride slots. */
void history_means(const struct history *h, const struct history_clock *c,
                   const struct history_span *span, struct history_past past,
                   enum access access, const float rates[static 256], float *ret_means);

#endif
