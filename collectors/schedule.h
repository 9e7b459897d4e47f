/* SPDX-License-Identifier: Apache-2.0 */
/* When to ask whom: arithmetic on given times, no clock is read here. Polls follow the
 * wall clock (so that two hotspotd meet the same 10 s cache of HBase) but wait on the
 * monotonic one: each wait is computed when the poll before it starts and lasts between
 * a quarter and five quarters of an interval, whatever the wall clock does meanwhile.
 */
#ifndef COLLECTORS_SCHEDULE_H
#define COLLECTORS_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/clock.h"

/* The place of a target within every interval, ms: in the first three quarters, so that
 * an ordinary answer is there before the next tick. */
int64_t schedule_phase(const char *url, int64_t interval_ms);

/* Monotonic ms of the next wall-clock moment that lies phase_ms after a multiple of the
 * interval, at least a quarter of an interval from now. */
int64_t schedule_next(struct moment now, int64_t interval_ms, int64_t phase_ms);

/* After so many failures in a row the next try is due in that many intervals: 1, and
 * from the third failure on 2, 4, 8, but never more than 5 minutes (or 1 interval). */
unsigned schedule_backoff(unsigned failures, int64_t interval_ms);

/* How long to wait before a poll without data is tried once more, ms. */
int64_t schedule_retry_ms(int64_t interval_ms);

/* A listing asked for between the regular ones. */
enum listing_wish {
    WISH_NONE,
    WISH_LISTING, /* at most once a minute */
    WISH_URGENT,  /* at most every 10 s */
};

/* Monotonic ms of the next listing: the regular time, or sooner if there is a wish.
 * last_start_ms: when the last one began; INT64_MIN if there was none. */
int64_t schedule_listing(int64_t regular_ms, int64_t last_start_ms,
                         enum listing_wish wish);

#endif
