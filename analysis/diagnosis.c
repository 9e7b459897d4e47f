/* SPDX-License-Identifier: Apache-2.0 */
/* Measures and words, one of each for a diagnosis. */
#include "analysis/diagnosis.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/load.h"
#include "common/alloc.h"
#include "common/words.h"

const struct diagnosis_limits diagnosis_limits = {
    .handlers_busy = 0.9,
    .queued_a_handler = 1,
    .handlers = 30,
    .cache_miss_share = 0.05,
    .cache_min_rate = 100,
    .scan_rows_a_call = 100,
    .scan_share = 0.25,
    .blocked_share = 0.01,
    .blocked_rate = 1,
    .memstore_share = 0.95,
    .compaction_queue = 20,
    .flush_queue = 10,
    .gc_share = 0.1,
};

#define LIMITS diagnosis_limits

struct vitals
vitals_of_alert(const struct alert *a)
{
    return (struct vitals){
        a->server_signals, a->server_signal_rates,         a->server_cache_hit_ratio,
        a->handlers,       a->server_memstore_limit_bytes, NAN};
}

struct vitals
vitals_of_server(const struct server_row *s)
{
    return (struct vitals){s->signals,  s->signal_rates,         s->cache_hit_ratio,
                           s->handlers, s->memstore_limit_bytes, NAN};
}

/* ---- measures ---- */

/* fmax() passes over NaN, which is what is wanted: unknown says nothing. */

static double
handlers_busy(const struct vitals *v)
{
    double handlers = v->handlers > 0 ? v->handlers : LIMITS.handlers;

    return fmax(v->signals[SIGNAL_ACTIVE_HANDLERS] / handlers / LIMITS.handlers_busy,
                v->signals[SIGNAL_QUEUED_CALLS] / handlers / LIMITS.queued_a_handler);
}

static double
cache_misses(const struct vitals *v)
{
    double blocks = v->rates[SIGNAL_CACHE_HITS] + v->rates[SIGNAL_CACHE_MISSES];

    return blocks >= LIMITS.cache_min_rate
               ? (1 - v->cache_hit_ratio) / LIMITS.cache_miss_share
               : 0;
}

static bool
is_swept(const struct vitals *v)
{
    return v->scan_share >= LIMITS.scan_share;
}

static double
cache_swept(const struct vitals *v)
{
    return is_swept(v) ? cache_misses(v) : 0;
}

static double
cache_small(const struct vitals *v)
{
    return is_swept(v) ? 0 : cache_misses(v);
}

static double
memstore_blocked(const struct vitals *v)
{
    double share = v->memstore_limit_bytes > 0 ? v->signals[SIGNAL_MEMSTORE_BYTES] /
                                                     (double)v->memstore_limit_bytes
                                               : NAN;

    return fmax(fmax(v->rates[SIGNAL_UPDATES_BLOCKED_MS] / 1000 / LIMITS.blocked_share,
                     v->rates[SIGNAL_BLOCKED_REQUESTS] / LIMITS.blocked_rate),
                share / LIMITS.memstore_share);
}

static double
compaction_behind(const struct vitals *v)
{
    return fmax(v->signals[SIGNAL_COMPACTION_QUEUE] / LIMITS.compaction_queue,
                v->signals[SIGNAL_FLUSH_QUEUE] / LIMITS.flush_queue);
}

static double
garbage_collection(const struct vitals *v)
{
    return v->rates[SIGNAL_GC_MS] / 1000 / LIMITS.gc_share;
}

/* ---- words ---- */

/* Of a counter of ms: several threads may have waited at once, for more than the time
 * that passed. */
static void
say_time_share(struct buf *out, double ms_a_second)
{
    words_percent(out, fmin(1, ms_a_second / 1000));
    buf_adds(out, " of the time");
}

/* Up to 2^63, which is one too many for an integer. */
static void
say_bytes(struct buf *out, double bytes)
{
    if (isnan(bytes))
        buf_adds(out, "an unknown number of bytes");
    else
        words_bytes(out, (int64_t)fmin(bytes, 0x1p62));
}

static void
say_handlers(struct buf *out, const struct vitals *v)
{
    words_count(out, v->signals[SIGNAL_ACTIVE_HANDLERS]);
    /* Busy are those of all queues; the number set is of the general one. */
    if (v->handlers > 0 && !(v->signals[SIGNAL_ACTIVE_HANDLERS] > v->handlers))
        buf_addf(out, " of %u", v->handlers);
    buf_adds(out, " handlers busy, ");
    words_of(out, v->signals[SIGNAL_QUEUED_CALLS], "call queued", "calls queued");
}

static void
say_cache(struct buf *out, const struct vitals *v)
{
    buf_adds(out, "its block cache answers only ");
    words_percent(out, v->cache_hit_ratio);
    buf_adds(out, " of the block reads (goal: 95 %)");
}

static void
say_swept(struct buf *out, const struct vitals *v)
{
    say_cache(out, v);
    buf_adds(out, ", swept by a scan");
}

static void
say_memstore(struct buf *out, const struct vitals *v)
{
    buf_adds(out, "its memstores hold ");
    say_bytes(out, v->signals[SIGNAL_MEMSTORE_BYTES]);
    if (v->memstore_limit_bytes > 0) {
        buf_adds(out, " of at most ");
        words_bytes(out, v->memstore_limit_bytes);
    }
    if (v->rates[SIGNAL_UPDATES_BLOCKED_MS] > 0) {
        buf_adds(out, ", writes were blocked for ");
        say_time_share(out, v->rates[SIGNAL_UPDATES_BLOCKED_MS]);
    }
    if (v->rates[SIGNAL_BLOCKED_REQUESTS] > 0) {
        buf_adds(out, ", ");
        words_number(out, v->rates[SIGNAL_BLOCKED_REQUESTS]);
        buf_adds(out, " requests/s blocked by them");
    }
}

static void
say_compaction(struct buf *out, const struct vitals *v)
{
    words_of(out, v->signals[SIGNAL_COMPACTION_QUEUE], "compaction", "compactions");
    buf_adds(out, " and ");
    words_of(out, v->signals[SIGNAL_FLUSH_QUEUE], "flush queued", "flushes queued");
}

static void
say_gc(struct buf *out, const struct vitals *v)
{
    buf_adds(out, "garbage collection takes ");
    say_time_share(out, v->rates[SIGNAL_GC_MS]);
}

static const struct {
    double (*measure)(const struct vitals *v);
    void (*say)(struct buf *out, const struct vitals *v);
} diagnoses[] = {
    [DIAGNOSIS_HANDLERS_BUSY] = {handlers_busy, say_handlers},
    [DIAGNOSIS_CACHE_SWEPT] = {cache_swept, say_swept},
    [DIAGNOSIS_CACHE_SMALL] = {cache_small, say_cache},
    [DIAGNOSIS_MEMSTORE_BLOCKED] = {memstore_blocked, say_memstore},
    [DIAGNOSIS_COMPACTION_BEHIND] = {compaction_behind, say_compaction},
    [DIAGNOSIS_GC] = {garbage_collection, say_gc},
};
static_assert(sizeof(diagnoses) / sizeof(diagnoses[0]) == DIAGNOSIS_COUNT,
              "a row for each diagnosis");

uint32_t
diagnosis_of(const struct vitals *v, uint32_t before)
{
    uint32_t set = 0;

    for (uint32_t i = 0; i < DIAGNOSIS_COUNT; i++) {
        uint32_t bit = UINT32_C(1) << i;
        if (diagnoses[i].measure(v) >= (before & bit ? DIAGNOSIS_CLEAR : 1))
            set |= bit;
    }
    return set;
}

void
diagnosis_words(struct buf *out, uint32_t set, const struct vitals *v)
{
    bool first = true;

    for (uint32_t i = 0; i < DIAGNOSIS_COUNT; i++) {
        if (!(set & UINT32_C(1) << i))
            continue;
        if (!first)
            buf_adds(out, "; ");
        diagnoses[i].say(out, v);
        first = false;
    }
}

/* ---- all servers ---- */

/* Rows/s that scans read on each server, as far as regions were looked at closer. */
static double *
scanned_rows(const struct registry *r, const struct calls *calls)
{
    double *rows = xcalloc(r->server_slots + 1, sizeof(*rows));

    for (size_t i = 0; i < calls->count; i++) {
        const struct region_calls *c = &calls->regions[i];
        if (c->server < r->server_slots && c->rows_per_call >= LIMITS.scan_rows_a_call)
            rows[c->server] += c->rows_rate;
    }
    return rows;
}

void
diagnosis_update(struct registry *r, const struct calls *calls, int64_t mono_ms)
{
    double *scanned = scanned_rows(r, calls);

    for (uint32_t i = 0; i < r->server_slots; i++) {
        struct server *s = &r->servers[i];
        struct vitals v = {s->signals,
                           s->signal_rates,
                           s->cache_hit_ratio,
                           s->handlers,
                           s->memstore_limit_bytes,
                           load_ratio(scanned[i], s->rate[ACCESS_READ])};
        s->diagnoses =
            server_is_live(r, s, mono_ms) ? diagnosis_of(&v, s->diagnoses) : 0;
    }
    free(scanned);
}
