/* SPDX-License-Identifier: Apache-2.0 */
/* A cluster that is never at rest: moves, splits, merges, truncated tables, restarts,
 * lost and repeated and empty answers, late listings, steps of the clock, reloads, for
 * thousands of ticks. Whatever happens, each alert is told to begin and to end exactly
 * once, is about regions of its own story, and nothing grows. */
#include <malloc.h>
#include <math.h>
#include <string.h>

#include "sim.h"

/* ---- what must always hold ---- */

/* A number for whom an alert is about: above those of regions for others. */
static uint32_t
subject(const struct alert *a)
{
    if (a->kind == ALERT_SERVER)
        return IDS - 1 - (uint32_t)(a->server->address[2] - '0');
    if (a->kind == ALERT_TABLE) /* by its first letter; of the cluster: 0 */
        return IDS - 1000 + (a->table == NULL ? 0 : (uint8_t)a->table->name[0]);
    return (uint32_t)a->origin.lo;
}

static bool
is_about_region(const struct alert *a)
{
    return a->kind == ALERT_REGION || a->kind == ALERT_META;
}

static void
check_events(void)
{
    size_t n;
    const struct engine_event *events = engine_events(sim.engine, &n);

    for (size_t i = 0; i < n; i++) {
        const struct alert *a = events[i].alert;
        uint8_t *open = &sim.alerts[subject(a)];
        switch (events[i].kind) {
        case EVENT_FIRED:
            must(*open == 0);
            must(a->state == ALERT_FIRING);
            *open = 1;
            sim.firing++;
            sim.fired++;
            sim.kinds[a->kind]++;
            break;
        case EVENT_RESOLVED:
            must(*open == 1);
            must(a->state == ALERT_RESOLVED);
            must(a->reason != END_NONE);
            must(a->resolved_at_ms >= 0);
            *open = 0;
            sim.firing--;
            sim.resolved++;
            sim.reasons[a->reason]++;
            break;
        default:
            must(*open == 1);
            must(a->stale);
            sim.held++;
        }
        must(events[i].time_ms == sim.now.wall_ms);
    }
}

static void
check_alert(const struct alert *a)
{
    must(a->member_count <= ALERT_MEMBERS_MAX);
    must((a->member_count >= 1) == is_about_region(a));
    must((a->region != NULL) == is_about_region(a));
    must(a->top_count <= ALERT_TOP_MAX);
    for (uint32_t i = 0; i < a->top_count; i++)
        must(a->top[i].rate > 0 && (i == 0 || a->top[i].rate <= a->top[i - 1].rate));
    for (uint32_t i = 0; i < a->member_count && sim.keys; i++)
        ck_assert_uint_eq(sim_family((uint32_t)a->members[i]->id.lo),
                          sim_family((uint32_t)a->origin.lo));
    must(!(a->rate[ACCESS_TOTAL] < 0));
    must(!(a->share > 1.0001));
    must(!(a->server_share > 1.0001));
    must(a->regions_fresh <= a->regions_in_table);
}

static void
check_snapshot(const struct snapshot *s)
{
    uint8_t *seen = sim.seen;
    unsigned firing = 0;

    for (uint32_t i = 0; i < s->alert_count; i++) {
        const struct alert *a = &s->alerts[i];
        must(seen[subject(a)] == 0); /* one alert a name */
        seen[subject(a)] = 1;
        firing += a->state == ALERT_FIRING;
        must((a->state == ALERT_FIRING) == sim.alerts[subject(a)]);
        check_alert(a);
    }
    for (uint32_t i = 0; i < s->alert_count; i++)
        seen[subject(&s->alerts[i])] = 0;
    must(firing == sim.firing); /* none is lost silently */
    must(s->firing == firing);
    for (uint32_t i = 0; i < s->region_count; i++) {
        const struct region_row *r = &s->regions[i];
        must(r->table < s->table_count);
        must(r->server == NO_INDEX || r->server < s->server_count);
        for (int a = 0; a < ACCESS_COUNT; a++)
            must(!(r->rate[a] < 0) && !(r->rate[a] > 20000));
        must(!(r->ratio < 0));
    }
    for (uint32_t i = 0; i < s->table_count; i++)
        must(s->tables[i].rate[ACCESS_TOTAL] >= 0);
    for (uint32_t i = 0; i < s->server_count; i++)
        must(s->servers[i].rate[ACCESS_TOTAL] >= 0);
    must(s->fresh <= s->region_count);
    must(s->region_count <= 4 * REGIONS_MOST);
    must(s->server_count <= 10 * SERVERS);
}

/* ---- running it ---- */

static void
evaluate(void)
{
    sim.last = snapshot_unref(sim.last);
    sim.last = engine_evaluate(sim.engine, sim.now);
    check_events();
    check_snapshot(sim.last);
    engine_record_history(sim.engine, sim.now);
}

static void
tick(unsigned happenings)
{
    bool listed = sim.keys && next_below(&sim.g, 8) == 0;

    for (unsigned i = 0; i < happenings; i++)
        sim_happen();
    sim_pass();
    if (next_below(&sim.g, 3) == 0)
        sim_tell_cluster();
    for (int i = 0; i < SERVERS; i++)
        sim_poll((i + (int)sim.now.mono_ms) % SERVERS);
    if (listed)
        sim_list();
    evaluate();
    for (int i = 0; i < TABLES && listed; i++) {
        sim.unlisted[i] -= sim.unlisted[i] > 0 && sim_is_calm();
        sim.settled[i] = true;
    }
}

/* No server answers any more: all alerts end. */
static void
finish(void)
{
    for (int i = 0; i < 60; i++) {
        sim_pass();
        evaluate();
    }
    ck_assert_uint_eq(sim.firing, 0);
    ck_assert_uint_eq(sim.fired, sim.resolved);
    ck_assert_uint_eq(sim.last->alert_count, 0);
    for (int i = 0; i < SERVERS; i++)
        message_destroy(sim.servers[i].last);
    engine_destroy(sim.engine);
    ck_assert_uint_eq(atomic_load(&sim.last->refs), 1);
    for (uint32_t i = 0; i < sim.last->region_count; i++)
        ck_assert_uint_eq(atomic_load(&sim.last->regions[i].facts->refs), 1);
    snapshot_unref(sim.last);
    printf("fired %d, resolved %d, held %d;", (int)sim.fired, (int)sim.resolved,
           (int)sim.held);
    for (int i = 1; i < END_REASON_COUNT; i++)
        printf(" %s %d", end_reason_name(i), (int)sim.reasons[i]);
    for (int i = 0; i < ALERT_KIND_COUNT; i++)
        printf("%s %s %d", i == 0 ? ";" : "", alert_kind_name(i), (int)sim.kinds[i]);
    printf("\n");
    ck_assert_uint_gt(sim.fired, 20);
}

START_TEST(each_alert_begins_and_ends_once)
{
    sim_begin("each_alert_begins_and_ends_once", true);
    for (int i = 0; i < 3000; i++)
        tick((unsigned)next_below(&sim.g, 8));
    finish();
}
END_TEST

START_TEST(without_listings)
{
    sim_begin("without_listings", false);
    for (int i = 0; i < 2000; i++)
        tick((unsigned)next_below(&sim.g, 6));
    finish();
}
END_TEST

/* Ten thousand rounds of a cluster in motion need no more memory than the first
 * thousand did. */
START_TEST(nothing_grows)
{
    sim_begin("nothing_grows", true);
    uint64_t early = 0, early_heap = 0, late = 0, late_heap = 0;
    for (int i = 0; i < 10000; i++) {
        tick((unsigned)next_below(&sim.g, 3));
        uint64_t bytes = engine_counters(sim.engine).memory_bytes;
        uint64_t heap = mallinfo2().uordblks;
        if (i < 2500) {
            early = bytes > early ? bytes : early;
            early_heap = heap > early_heap ? heap : early_heap;
        } else if (i >= 7500) {
            late = bytes > late ? bytes : late;
            late_heap = heap > late_heap ? heap : late_heap;
        }
    }
    ck_assert_uint_lt(late, 2 * early);
    ck_assert_uint_le(late_heap, 2 * early_heap); /* 0 under sanitizers */
    printf("engine %llu, then %llu bytes; heap %llu, then %llu\n",
           (unsigned long long)early, (unsigned long long)late,
           (unsigned long long)early_heap, (unsigned long long)late_heap);
    finish();
}
END_TEST

TEST_MAIN("simulation", each_alert_begins_and_ends_once, without_listings,
          nothing_grows)
