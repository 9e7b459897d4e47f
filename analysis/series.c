/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses a tier and averages its slots. No state; readers hold the daemon's lock. */
#include "analysis/series.h"

#include <math.h>

int64_t
series_offset(const struct history_clock *c, int64_t wall_ms)
{
    int64_t begin = c->anchor_ms + c->wall_offset_ms;
    int64_t span = (c->head[TIER_RAW] + 1) * c->slot_ms[TIER_RAW];

    if (wall_ms < begin)
        return -1;
    return wall_ms >= begin + span ? span : wall_ms - begin;
}

int64_t
series_oldest(const struct history_clock *c, int tier)
{
    int64_t slot = c->head[tier] - c->slots[tier] + 1;

    return slot < 0 ? 0 : slot;
}

int
series_tier(const struct history_clock *c, int64_t from, int64_t step_ms)
{
    for (int t = 0; t < TIER_COUNT - 1; t++) {
        bool fine_enough =
            step_ms <= 0 || c->slot_ms[t + 1] > step_ms || c->head[t + 1] < 0;
        int64_t oldest = series_oldest(c, t);
        if (fine_enough && (oldest == 0 || from >= oldest * c->slot_ms[t]))
            return t;
    }
    return TIER_COUNT - 1;
}

struct sum {
    double rate;
    int64_t count;
};

static void
add(struct sum *sum, uint8_t code)
{
    if (code == HISTORY_UNKNOWN)
        return;
    sum->rate += history_decode(code);
    sum->count++;
}

static float
mean(const struct sum *sum)
{
    return sum->count == 0 ? NAN : (float)(sum->rate / (double)sum->count);
}

/* Mean of the known values of the slots first to last. */
static struct series_point
point_of(const struct registry *r, const struct region *region, int tier, int64_t first,
         int64_t last)
{
    const struct history_clock *c = &r->history;
    struct sum read = {0}, write = {0};

    for (int64_t s = first; s <= last; s++) {
        struct history_value v =
            history_read(&region->history, c, tier, s, region_past(r, region));
        add(&read, v.read);
        add(&write, v.write);
    }
    return (struct series_point){
        .time_ms = c->anchor_ms + first * c->slot_ms[tier] + c->wall_offset_ms,
        .read = mean(&read),
        .write = mean(&write),
    };
}

size_t
series_read(const struct registry *r, uint32_t region, int64_t from_ms, int64_t to_ms,
            int64_t step_ms, struct series_point *points, size_t max)
{
    const struct history_clock *c = &r->history;
    size_t n = 0;

    if (c->head[TIER_RAW] < 0 || to_ms < from_ms)
        return 0;
    int64_t from = series_offset(c, from_ms), to = series_offset(c, to_ms);
    int tier = series_tier(c, from, step_ms);
    int64_t slot_ms = c->slot_ms[tier], head = c->head[tier];
    int64_t stride = step_ms <= slot_ms ? 1 : step_ms / slot_ms;
    int64_t first = from < 0 ? 0 : (from + slot_ms - 1) / slot_ms;
    if (first < series_oldest(c, tier))
        first = series_oldest(c, tier);
    if (stride > head + 1)
        stride = head + 1;
    for (int64_t s = first; s <= head && s * slot_ms <= to && n < max; s += stride) {
        int64_t last = s + stride - 1;
        points[n++] =
            point_of(r, &r->regions[region], tier, s, last > head ? head : last);
    }
    return n;
}
