/* SPDX-License-Identifier: Apache-2.0 */
/* Tiers of one-byte rates. Slot j of a tier covers [anchor + j * slot_ms, + slot_ms) of
 * monotonic time; a tick writes the raw slot that ends with it, and a coarser slot is
 * the mean of the finer ones it spans, written when the last of them is. Rings belong
 * to their region; the engine's thread writes, and readers hold the daemon's lock. */
#include "analysis/history.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

#define STEP_LOG 0.076961041136128436 /* ln 1.08 */

enum { CODE_MAX = 254, SLOTS_MAX = 100000 };

static const int64_t minute_ms = 60 * 1000;

struct history_ring {
    int64_t last_busy; /* newest slot with a rate; the ring is freed a round later */
    struct history_value values[];
};

/* Stands for a ring that max_bytes did not allow; never read or written. */
static struct history_ring no_room;

uint8_t
history_encode(double rate)
{
    if (isnan(rate))
        return HISTORY_UNKNOWN;
    assert(rate >= 0);
    if (rate < HISTORY_MIN_RATE / 2)
        return HISTORY_NONE;
    double step = round(log(rate / HISTORY_MIN_RATE) / STEP_LOG) + 1;
    return (uint8_t)fmin(fmax(step, 1), CODE_MAX);
}

double
history_decode(uint8_t code)
{
    if (code == HISTORY_UNKNOWN)
        return NAN;
    return code == HISTORY_NONE ? 0 : HISTORY_MIN_RATE * exp(STEP_LOG * (code - 1));
}

static uint32_t
slots_for(int64_t span_ms, int64_t slot_ms, int64_t at_least)
{
    int64_t n = (span_ms + slot_ms - 1) / slot_ms;

    n = n < at_least ? at_least : n;
    return (uint32_t)(n > SLOTS_MAX ? SLOTS_MAX : n);
}

static int64_t
longer(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void
history_clock_init(struct history_clock *c, const struct history_config *config,
                   int64_t interval_ms)
{
    const int64_t span[TIER_COUNT] = {config->raw_ms, config->five_minutes_ms,
                                      config->hours_ms};

    *c =
        (struct history_clock){.anchor_ms = INT64_MIN, .max_bytes = config->max_memory};
    c->slot_ms[TIER_RAW] = longer(interval_ms, 1);
    c->slot_ms[TIER_FIVE_MINUTES] = longer(5 * minute_ms, interval_ms);
    c->slot_ms[TIER_HOURS] = longer(60 * minute_ms, interval_ms);
    for (int t = 0; t < TIER_COUNT; t++) {
        int64_t spanned = t + 1 < TIER_COUNT ? c->slot_ms[t + 1] / c->slot_ms[t] : 0;
        c->slots[t] = slots_for(span[t], c->slot_ms[t], spanned + 2);
        c->head[t] = -1;
    }
}

bool
history_tier_differs(const struct history_clock *a, const struct history_clock *b,
                     int tier)
{
    return a->slots[tier] != b->slots[tier] || a->slot_ms[tier] != b->slot_ms[tier];
}

void
history_clock_adopt(struct history_clock *c, const struct history_clock *next)
{
    for (int t = 0; t < TIER_COUNT; t++) {
        if (c->head[t] >= 0 && c->slot_ms[t] != next->slot_ms[t])
            c->head[t] = (c->head[t] + 1) * c->slot_ms[t] / next->slot_ms[t] - 1;
        c->slot_ms[t] = next->slot_ms[t];
        c->slots[t] = next->slots[t];
    }
    c->max_bytes = next->max_bytes;
}

void
known_slots_init(struct known_slots *k, const struct history_clock *c)
{
    for (int t = 0; t < TIER_COUNT; t++)
        if (k->known[t] == NULL)
            k->known[t] = xcalloc(c->slots[t], 1);
}

void
known_slots_drop(struct known_slots *k, int tier)
{
    free(k->known[tier]);
    k->known[tier] = NULL;
}

void
known_slots_finish(struct known_slots *k)
{
    for (int t = 0; t < TIER_COUNT; t++)
        known_slots_drop(k, t);
}

static size_t
ring_bytes(const struct history_clock *c, int tier)
{
    return sizeof(struct history_ring) + c->slots[tier] * sizeof(struct history_value);
}

void
history_drop(struct history *h, struct history_clock *c, int tier)
{
    struct history_ring *ring = h->rings[tier];

    h->rings[tier] = NULL;
    if (ring == NULL || ring == &no_room)
        return;
    c->bytes -= ring_bytes(c, tier);
    free(ring);
}

void
history_finish(struct history *h, struct history_clock *c)
{
    for (int t = 0; t < TIER_COUNT; t++)
        history_drop(h, c, t);
}

void
history_advance(struct history_clock *c, int64_t mono_ms, int64_t wall_ms,
                int64_t ret_slot[static TIER_COUNT])
{
    int64_t raw_ms = c->slot_ms[TIER_RAW];

    if (c->anchor_ms == INT64_MIN)
        c->anchor_ms = mono_ms - raw_ms;
    c->wall_offset_ms = wall_ms - mono_ms;

    int64_t ticks = (mono_ms - c->anchor_ms + raw_ms / 2) / raw_ms;
    for (int t = 0; t < TIER_COUNT; t++) {
        int64_t slot = ticks * raw_ms / c->slot_ms[t] - 1;
        ret_slot[t] = slot > c->head[t] ? slot : -1;
    }
}

static uint32_t
place(const struct history_clock *c, int tier, int64_t slot)
{
    return (uint32_t)(slot % c->slots[tier]);
}

/* Monotonic time at which a slot ends. */
static int64_t
slot_end(const struct history_clock *c, int tier, int64_t slot)
{
    return c->anchor_ms + (slot + 1) * c->slot_ms[tier];
}

/* What a slot holds, `head` being the newest one written. */
static struct history_value
value_at(const struct history *h, const struct history_clock *c, int tier, int64_t slot,
         int64_t head, struct history_past past)
{
    const struct history_value unknown = {HISTORY_UNKNOWN, HISTORY_UNKNOWN};
    const struct history_value none = {HISTORY_NONE, HISTORY_NONE};
    const struct history_ring *ring = h->rings[tier];

    if (slot < 0 || slot > head || slot <= head - c->slots[tier] || ring == &no_room)
        return unknown;
    if (ring != NULL)
        return ring->values[place(c, tier, slot)];
    if (past.server == NULL || slot_end(c, tier, slot - 1) < past.first_ms)
        return unknown;
    return past.server->known[tier][place(c, tier, slot)] ? none : unknown;
}

struct history_value
history_read(const struct history *h, const struct history_clock *c, int tier,
             int64_t slot, struct history_past past)
{
    return value_at(h, c, tier, slot, c->head[tier], past);
}

/* ---- many values at once ---- */

/* The value with what is not asked for unknown. */
static struct history_value
only(struct history_value v, enum access access)
{
    if (access == ACCESS_READ)
        v.write = HISTORY_UNKNOWN;
    if (access == ACCESS_WRITE)
        v.read = HISTORY_UNKNOWN;
    return v;
}

static struct history_value
known_value(uint8_t known)
{
    uint8_t code = known ? HISTORY_NONE : HISTORY_UNKNOWN;

    return (struct history_value){code, code};
}

/* The first slot of which something may be known. */
static int64_t
first_known(const struct history *h, const struct history_clock *c, int tier,
            struct history_past past)
{
    int64_t oldest = c->head[tier] - c->slots[tier] + 1;

    if (h->rings[tier] == NULL && past.first_ms > c->anchor_ms) {
        int64_t first =
            (past.first_ms - c->anchor_ms + c->slot_ms[tier] - 1) / c->slot_ms[tier];
        oldest = longer(oldest, first);
    }
    return longer(oldest, 0);
}

void
history_means(const struct history *h, const struct history_clock *c,
              const struct history_span *span, struct history_past past,
              enum access access, const float rates[static 256], float *ret_means)
{
    const struct history_ring *ring = h->rings[span->tier];
    const uint8_t *known = past.server != NULL ? past.server->known[span->tier] : NULL;
    bool blank = ring == &no_room || (ring == NULL && known == NULL);
    int64_t oldest = first_known(h, c, span->tier, past), head = c->head[span->tier];
    uint32_t slots = c->slots[span->tier], at = place(c, span->tier, span->first);
    int64_t slot = span->first;

    for (uint32_t k = 0; k < span->columns; k++) {
        float sum = 0;
        uint32_t count = 0;
        for (uint32_t i = 0; i < span->stride; i++, slot++) {
            if (!blank && slot >= oldest && slot <= head) {
                struct history_value v = only(
                    ring != NULL ? ring->values[at] : known_value(known[at]), access);
                count += (v.read & v.write) != HISTORY_UNKNOWN;
                sum += rates[v.read] + rates[v.write];
            }
            at = at + 1 == slots ? 0 : at + 1;
        }
        ret_means[k] = count > 0 ? sum / (float)count : NAN;
    }
}

static int64_t
oldest_kept(const struct history_clock *c, int tier)
{
    int64_t slot = c->head[tier] - c->slots[tier] + 1;

    return slot < 0 ? 0 : slot;
}

/* Gives the tier a ring whose past says what could be said without one; NULL (and
 * unknown from now on) when there is no room within max_bytes. */
static struct history_ring *
ring_create(struct history *h, struct history_clock *c, int tier,
            struct history_past past)
{
    size_t bytes = ring_bytes(c, tier);

    if (c->bytes + bytes > c->max_bytes) {
        c->refused += h->rings[tier] != &no_room;
        h->rings[tier] = &no_room;
        return NULL;
    }
    c->bytes += bytes;
    struct history_ring *ring = xmalloc(bytes);
    int64_t head = c->head[tier];
    ring->last_busy = head;
    memset(ring->values, HISTORY_UNKNOWN, c->slots[tier] * sizeof(ring->values[0]));
    for (int64_t s = oldest_kept(c, tier); s <= head; s++)
        ring->values[place(c, tier, s)] = value_at(h, c, tier, s, head, past);
    h->rings[tier] = ring;
    return ring;
}

static bool
has_ring(const struct history *h, int tier)
{
    return h->rings[tier] != NULL && h->rings[tier] != &no_room;
}

static bool
is_busy(struct history_value v)
{
    return (v.read != HISTORY_NONE && v.read != HISTORY_UNKNOWN) ||
           (v.write != HISTORY_NONE && v.write != HISTORY_UNKNOWN);
}

/* Writes v into the slot; slots that were left out since the last write are unknown. */
static void
ring_write(struct history *h, struct history_clock *c, int tier, int64_t slot,
           struct history_value v, struct history_past past)
{
    if (h->rings[tier] == NULL && !is_busy(v) &&
        (tier == TIER_RAW || h->rings[tier - 1] != &no_room))
        return;
    if (!has_ring(h, tier) && ring_create(h, c, tier, past) == NULL)
        return;
    struct history_ring *ring = h->rings[tier];
    int64_t from = c->head[tier] + 1;
    if (slot - from >= c->slots[tier])
        from = slot - c->slots[tier] + 1;
    for (int64_t s = from; s < slot; s++)
        ring->values[place(c, tier, s)] =
            (struct history_value){HISTORY_UNKNOWN, HISTORY_UNKNOWN};
    ring->values[place(c, tier, slot)] = v;
    if (is_busy(v))
        ring->last_busy = slot;
    else if (slot - ring->last_busy >= c->slots[tier])
        history_drop(h, c, tier);
}

/* ---- inheritance ---- */

static uint8_t
sum_code(uint8_t a, uint8_t b)
{
    if (a == HISTORY_UNKNOWN)
        return b;
    if (b == HISTORY_UNKNOWN)
        return a;
    return history_encode(history_decode(a) + history_decode(b));
}

static void
inherit_slot(struct history_value *own, struct history_value from, bool before_birth)
{
    if (before_birth || own->read == HISTORY_UNKNOWN)
        own->read = sum_code(own->read, from.read);
    if (before_birth || own->write == HISTORY_UNKNOWN)
        own->write = sum_code(own->write, from.write);
}

void
history_inherit(struct history *to, struct history_past to_past,
                const struct history *from, struct history_past from_past,
                int64_t born_ms, struct history_clock *c)
{
    for (int t = 0; t < TIER_COUNT; t++) {
        if (to->rings[t] == NULL && from->rings[t] == NULL)
            continue;
        if (!has_ring(to, t) && ring_create(to, c, t, to_past) == NULL)
            continue;
        for (int64_t s = oldest_kept(c, t); s <= c->head[t]; s++)
            inherit_slot(&to->rings[t]->values[place(c, t, s)],
                         value_at(from, c, t, s, c->head[t], from_past),
                         slot_end(c, t, s) <= born_ms);
        to->rings[t]->last_busy = c->head[t];
    }
}

/* ---- coarser tiers ---- */

/* Slots of the finer tier that a slot spans, at least one. */
static void
span_of(const struct history_clock *c, int tier, int64_t slot, int64_t *ret_first,
        int64_t *ret_last)
{
    int64_t fine = c->slot_ms[tier - 1];
    int64_t begin = slot * c->slot_ms[tier];
    int64_t end = begin + c->slot_ms[tier];

    *ret_first = (begin + fine - 1) / fine;
    *ret_last = end / fine - 1;
    if (*ret_last < *ret_first)
        *ret_last = *ret_first = begin / fine;
}

/* Mean of the known values; unknown when none is. */
struct mean {
    double sum;
    unsigned count;
};

static void
mean_add(struct mean *m, uint8_t code)
{
    if (code != HISTORY_UNKNOWN) {
        m->sum += history_decode(code);
        m->count++;
    }
}

static uint8_t
mean_code(const struct mean *m)
{
    return history_encode(m->count == 0 ? NAN : m->sum / m->count);
}

/* The value of a coarser slot from the tier below, whose newest slot is fine_head. */
static struct history_value
coarse_value(const struct history *h, const struct history_clock *c, int tier,
             int64_t slot, int64_t fine_head, struct history_past past)
{
    struct mean read = {0}, write = {0};
    int64_t first, last;

    span_of(c, tier, slot, &first, &last);
    for (int64_t s = first; s <= last; s++) {
        struct history_value v = value_at(h, c, tier - 1, s, fine_head, past);
        mean_add(&read, v.read);
        mean_add(&write, v.write);
    }
    return (struct history_value){mean_code(&read), mean_code(&write)};
}

void
history_write(struct history *h, struct history_clock *c,
              const int64_t slot[static TIER_COUNT], struct history_past past,
              double read, double write)
{
    struct history_value v = {history_encode(read), history_encode(write)};

    for (int t = 0; t < TIER_COUNT; t++) {
        if (slot[t] < 0)
            continue;
        if (t != TIER_RAW) {
            if (h->rings[t - 1] == NULL && h->rings[t] == NULL)
                continue;
            int64_t fine_head = slot[t - 1] < 0 ? c->head[t - 1] : slot[t - 1];
            v = coarse_value(h, c, t, slot[t], fine_head, past);
        }
        ring_write(h, c, t, slot[t], v, past);
    }
}

/* A coarser slot is known if any of the finer ones is. */
static bool
known_in_span(const struct known_slots *k, const struct history_clock *c, int tier,
              int64_t slot)
{
    int64_t first, last;

    span_of(c, tier, slot, &first, &last);
    for (int64_t s = first; s <= last; s++)
        if (k->known[tier - 1][place(c, tier - 1, s)])
            return true;
    return false;
}

void
known_slots_write(struct known_slots *k, const struct history_clock *c,
                  const int64_t slot[static TIER_COUNT], bool heard)
{
    for (int t = 0; t < TIER_COUNT; t++) {
        if (slot[t] < 0)
            continue;
        int64_t from = c->head[t] + 1;
        if (slot[t] - from >= c->slots[t])
            from = slot[t] - c->slots[t] + 1;
        for (int64_t s = from; s < slot[t]; s++)
            k->known[t][place(c, t, s)] = 0;
        if (t != TIER_RAW)
            heard = known_in_span(k, c, t, slot[t]);
        k->known[t][place(c, t, slot[t])] = heard;
    }
}

void
history_commit(struct history_clock *c, const int64_t slot[static TIER_COUNT])
{
    for (int t = 0; t < TIER_COUNT; t++)
        if (slot[t] >= 0)
            c->head[t] = slot[t];
}
