/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/diagnosis.h"

#include <math.h>
#include <string.h>

#include "lab.h"
#include "tests/unit/common/harness.h"

static double signals[SIGNAL_COUNT], rates[SIGNAL_COUNT];
static struct vitals v;

static void
healthy(void)
{
    for (int i = 0; i < SIGNAL_COUNT; i++)
        signals[i] = rates[i] = NAN;
    v = (struct vitals){signals, rates, NAN, 0, -1, NAN};
}

#define BIT(d) (UINT32_C(1) << (d))

static void
expect_words(uint32_t set, const char *words)
{
    struct buf b;

    buf_init(&b, 0);
    diagnosis_words(&b, set, &v);
    ck_assert_str_eq(b.data, words);
    buf_finish(&b);
}

START_TEST(nothing_known_is_nothing_said)
{
    healthy();
    ck_assert_uint_eq(diagnosis_of(&v, 0), 0);
    ck_assert_uint_eq(diagnosis_of(&v, UINT32_MAX), 0);
    expect_words(0, "");
}
END_TEST

START_TEST(busy_handlers)
{
    healthy();
    v.handlers = 30;
    signals[SIGNAL_ACTIVE_HANDLERS] = 26;
    signals[SIGNAL_QUEUED_CALLS] = 3;
    ck_assert_uint_eq(diagnosis_of(&v, 0), 0);
    signals[SIGNAL_ACTIVE_HANDLERS] = 30;
    signals[SIGNAL_QUEUED_CALLS] = 1204;
    ck_assert_uint_eq(diagnosis_of(&v, 0), BIT(DIAGNOSIS_HANDLERS_BUSY));
    expect_words(BIT(DIAGNOSIS_HANDLERS_BUSY),
                 "30 of 30 handlers busy, 1,204 calls queued");
    signals[SIGNAL_QUEUED_CALLS] = 0;
    signals[SIGNAL_ACTIVE_HANDLERS] = 22; /* 0.73 of them: kept, but not made */
    ck_assert_uint_eq(diagnosis_of(&v, BIT(DIAGNOSIS_HANDLERS_BUSY)),
                      BIT(DIAGNOSIS_HANDLERS_BUSY));
    ck_assert_uint_eq(diagnosis_of(&v, 0), 0);
    signals[SIGNAL_ACTIVE_HANDLERS] = 21;
    ck_assert_uint_eq(diagnosis_of(&v, BIT(DIAGNOSIS_HANDLERS_BUSY)), 0);
    v.handlers = 100; /* many handlers are not busy with 30 */
    signals[SIGNAL_ACTIVE_HANDLERS] = 30;
    ck_assert_uint_eq(diagnosis_of(&v, 0), 0);
}
END_TEST

START_TEST(block_cache)
{
    healthy();
    v.cache_hit_ratio = 0.8;
    rates[SIGNAL_CACHE_HITS] = 800;
    rates[SIGNAL_CACHE_MISSES] = 200;
    ck_assert_uint_eq(diagnosis_of(&v, 0), BIT(DIAGNOSIS_CACHE_SMALL));
    expect_words(BIT(DIAGNOSIS_CACHE_SMALL),
                 "its block cache answers only 80 % of the block reads (goal: 95 %)");
    v.scan_share = 0.5;
    ck_assert_uint_eq(diagnosis_of(&v, 0), BIT(DIAGNOSIS_CACHE_SWEPT));
    expect_words(BIT(DIAGNOSIS_CACHE_SWEPT),
                 "its block cache answers only 80 % of the block reads (goal: 95 %), "
                 "swept by a scan");
    v.cache_hit_ratio = 0.96;
    ck_assert_uint_eq(diagnosis_of(&v, 0), 0);
    v.cache_hit_ratio = 0;
    rates[SIGNAL_CACHE_HITS] = 0;
    rates[SIGNAL_CACHE_MISSES] = 5; /* an idle server */
    ck_assert_uint_eq(diagnosis_of(&v, 0), 0);
}
END_TEST

START_TEST(memstore_compaction_gc)
{
    healthy();
    signals[SIGNAL_MEMSTORE_BYTES] = 96 << 20;
    v.memstore_limit_bytes = 100 << 20;
    ck_assert_uint_eq(diagnosis_of(&v, 0), BIT(DIAGNOSIS_MEMSTORE_BLOCKED));
    signals[SIGNAL_MEMSTORE_BYTES] = 50 << 20;
    ck_assert_uint_eq(diagnosis_of(&v, 0), 0);
    rates[SIGNAL_UPDATES_BLOCKED_MS] = 250;
    rates[SIGNAL_BLOCKED_REQUESTS] = 12;
    ck_assert_uint_eq(diagnosis_of(&v, 0), BIT(DIAGNOSIS_MEMSTORE_BLOCKED));
    expect_words(BIT(DIAGNOSIS_MEMSTORE_BLOCKED),
                 "its memstores hold 50.0 MiB of at most 100 MiB, writes were blocked "
                 "for 25 % of the time, 12 requests/s blocked by them");
    healthy();
    signals[SIGNAL_COMPACTION_QUEUE] = 45;
    signals[SIGNAL_FLUSH_QUEUE] = 2;
    rates[SIGNAL_GC_MS] = 125;
    ck_assert_uint_eq(diagnosis_of(&v, 0),
                      BIT(DIAGNOSIS_COMPACTION_BEHIND) | BIT(DIAGNOSIS_GC));
    expect_words(
        BIT(DIAGNOSIS_COMPACTION_BEHIND) | BIT(DIAGNOSIS_GC),
        "45 compactions and 2 flushes queued; garbage collection takes 12 % of "
        "the time");
}
END_TEST

/* Counters of several threads, or of nobody: no absurd sentence comes of them. */
START_TEST(figures_that_contradict_each_other)
{
    healthy();
    v.handlers = 30;
    signals[SIGNAL_ACTIVE_HANDLERS] = 45; /* those of other queues, too */
    signals[SIGNAL_QUEUED_CALLS] = 1;
    expect_words(BIT(DIAGNOSIS_HANDLERS_BUSY), "45 handlers busy, 1 call queued");
    signals[SIGNAL_QUEUED_CALLS] = 7;
    signals[SIGNAL_ACTIVE_HANDLERS] = NAN;
    expect_words(BIT(DIAGNOSIS_HANDLERS_BUSY),
                 "an unknown number of 30 handlers busy, 7 calls queued");
    signals[SIGNAL_MEMSTORE_BYTES] = 0x1p63;
    v.memstore_limit_bytes = INT64_MAX;
    rates[SIGNAL_UPDATES_BLOCKED_MS] = 30000; /* 30 handlers wait at once */
    rates[SIGNAL_GC_MS] = 1500;
    expect_words(BIT(DIAGNOSIS_MEMSTORE_BLOCKED) | BIT(DIAGNOSIS_GC),
                 "its memstores hold 4.0 EiB of at most 8.0 EiB, writes were blocked "
                 "for 100 % of the time; garbage collection takes 100 % of the time");
}
END_TEST

/* ---- through the engine ---- */

static struct lab lab;

static void
answer(double hits, double misses, double gc, double compactions)
{
    lab_pass(&lab, 30000);
    struct message *m = lab_answer(&lab, 0);
    m->poll.signals[SIGNAL_CACHE_HITS] = hits;
    m->poll.signals[SIGNAL_CACHE_MISSES] = misses;
    m->poll.signals[SIGNAL_GC_MS] = gc;
    m->poll.signals[SIGNAL_COMPACTION_QUEUE] = compactions;
    engine_apply_poll(lab.engine, &m->poll);
    message_destroy(m);
    lab_evaluate(&lab);
}

START_TEST(counters_become_rates)
{
    lab_even_table(&lab, 50, 10);
    answer(1000, 100, 5000, 3);
    const struct server_row *s = lab_server(&lab, 0);
    ck_assert(isnan(s->cache_hit_ratio));
    for (int i = 0; i < SIGNAL_COUNT; i++)
        ck_assert(isnan(s->signal_rates[i]));
    answer(1000 + 27000, 100 + 3000, 5000 + 6000, 4);
    s = lab_server(&lab, 0);
    ck_assert_double_eq_tol(s->cache_hit_ratio, 0.9, 1e-9);
    ck_assert_double_eq_tol(s->signal_rates[SIGNAL_CACHE_HITS], 900, 1e-6);
    ck_assert_double_eq_tol(s->signal_rates[SIGNAL_CACHE_MISSES], 100, 1e-6);
    ck_assert_double_eq_tol(s->signal_rates[SIGNAL_GC_MS], 200, 1e-6);
    ck_assert(isnan(s->signal_rates[SIGNAL_COMPACTION_QUEUE])); /* a gauge */
    ck_assert_uint_eq(s->diagnoses, BIT(DIAGNOSIS_CACHE_SMALL) | BIT(DIAGNOSIS_GC));
    answer(5, 3101, 11001, 5); /* hits fell */
    s = lab_server(&lab, 0);
    ck_assert(isnan(s->signal_rates[SIGNAL_CACHE_HITS]));
    ck_assert(isnan(s->cache_hit_ratio));
    ck_assert_uint_eq(s->diagnoses, 0);
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("diagnosis", nothing_known_is_nothing_said, busy_handlers, block_cache,
          memstore_compaction_gc, figures_that_contradict_each_other,
          counters_become_rates)
