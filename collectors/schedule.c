/* SPDX-License-Identifier: Apache-2.0 */
/* Pure functions of their arguments; hold nothing, run on any thread. */
#include "collectors/schedule.h"

#include <assert.h>
#include <string.h>

#include "common/hash.h"

enum {
    FAILURES_BEFORE_BACKOFF = 3,
    BACKOFF_MAX = 8, /* intervals */
    BACKOFF_MAX_MS = 300 * 1000,
    RETRY_MS = 1500,
    WISH_MS = 60 * 1000,
    WISH_URGENT_MS = 10 * 1000,
};

int64_t
schedule_phase(const char *url, int64_t interval_ms)
{
    assert(interval_ms > 0);
    uint64_t span = (uint64_t)interval_ms - (uint64_t)interval_ms / 4;

    return (int64_t)(hash_bytes(url, strlen(url)) % span);
}

int64_t
schedule_next(struct moment now, int64_t interval_ms, int64_t phase_ms)
{
    assert(interval_ms > 0 && phase_ms >= 0 && phase_ms < interval_ms);
    int64_t place = now.wall_ms % interval_ms;

    if (place < 0)
        place += interval_ms;
    int64_t wait = phase_ms - place;
    if (wait < 0)
        wait += interval_ms;
    if (wait <= interval_ms / 4)
        wait += interval_ms;
    return now.mono_ms + wait;
}

unsigned
schedule_backoff(unsigned failures, int64_t interval_ms)
{
    assert(interval_ms > 0);
    unsigned factor = 1;
    int64_t most = BACKOFF_MAX_MS / interval_ms;

    for (unsigned n = FAILURES_BEFORE_BACKOFF; n <= failures && factor < BACKOFF_MAX;
         n++)
        factor *= 2;
    if (most < 1)
        most = 1;
    return factor < most ? factor : (unsigned)most;
}

int64_t
schedule_retry_ms(int64_t interval_ms)
{
    return interval_ms / 2 < RETRY_MS ? interval_ms / 2 : RETRY_MS;
}

int64_t
schedule_listing(int64_t regular_ms, int64_t last_start_ms, enum listing_wish wish)
{
    if (wish == WISH_NONE)
        return regular_ms;
    if (last_start_ms == INT64_MIN)
        return INT64_MIN;
    int64_t soonest = last_start_ms + (wish == WISH_URGENT ? WISH_URGENT_MS : WISH_MS);
    return soonest < regular_ms ? soonest : regular_ms;
}
