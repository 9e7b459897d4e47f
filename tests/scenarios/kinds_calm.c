/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is hot: every alert is false. */
#include <stdio.h>

#include "tests/scenarios/kinds.h"

static void
uniform(struct stage *s)
{
    usual_scene(s, dice_int(dice(s), 2, 200));
}

static void
noisy(struct stage *s)
{
    usual_scene(s, dice_int(dice(s), 3, 60));
    s->cluster.jitter = 0.35;
}

static void
busy(struct stage *s)
{
    plan_hosts(s, dice_int(dice(s), 4, 12));
    plan_company(s);
    plan_table(s, "orders", dice_int(dice(s), 20, 100), 2000, 1500, 0.4);
}

static void
diurnal(struct stage *s)
{
    usual_scene(s, dice_int(dice(s), 4, 40));
    s->duration_ms = HOURS(4);
    for (int i = 0; i < s->cluster.table_count; i++) {
        s->cluster.tables[i].swing = dice_between(dice(s), 0.5, 0.95);
        s->cluster.tables[i].period_ms = HOURS(2);
        s->cluster.tables[i].phase = dice_unit(dice(s));
    }
}

/* Bursts from 3 to 20 times the limit, all shorter than `for`. */
static void
bursts(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 40)), i = 0;
    double limit = rate_for(s, t, ACCESS_READ, 1, 1);

    for (int64_t at = MINUTES(5); at < s->duration_ms;
         at += MINUTES(dice_between(dice(s), 2, 8))) {
        int p = place_at(s, t, i++ % places_of(s, t));
        plan_rate(s, at, p, limit * dice_between(dice(s), 3, 20), 0);
        plan_back(s, at + dice_int(dice(s), 15000, 85000), p);
    }
}

static void
pulse(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 40)), p = place_any(s, t);
    double limit = rate_for(s, t, ACCESS_READ, 1, 1);

    for (int64_t at = MINUTES(5); at < s->duration_ms; at += MINUTES(4)) {
        plan_rate(s, at, p, limit * 6, 0);
        plan_back(s, at + 60000, p);
    }
}

/* High and low for the same time each; the mean stays below the limit. */
static void
square_wave(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 40)), p = place_any(s, t);
    double limit = rate_for(s, t, ACCESS_READ, 1, 1),
           high = dice_between(dice(s), 1.2, 1.7);
    int64_t half = dice_int(dice(s), 20, 100) * 1000;

    for (int64_t at = MINUTES(5); at < s->duration_ms; at += 2 * half) {
        plan_rate(s, at, p, limit * high, 0);
        plan_rate(s, at + half, p, limit * (1.85 - high), 0);
    }
}

static void
below_limit(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 40));

    for (int i = 0; i < 3; i++) {
        int p = place_any(s, t);
        double rate = rate_for(s, t, ACCESS_READ, 1, 1);
        plan_rate(s, MINUTES(5), p, rate * dice_between(dice(s), 0.7, 0.9), 0);
    }
}

/* A table without load but for crumbs on one region. */
static void
crumbs(struct stage *s)
{
    usual_scene(s, 12);
    for (int i = 0; i < 6; i++) {
        char name[24];
        snprintf(name, sizeof(name), "idle_%d", i);
        int t = plan_table(s, name, dice_int(dice(s), 2, 20), 0, 0, 0);
        double rate = dice_between(dice(s), 0.02, 60);
        plan_rate(s, MINUTES(4), place_any(s, t), 0, rate);
    }
}

static void
idle_majority(struct stage *s)
{
    usual_scene(s, 12);
    int n = dice_int(dice(s), 200, 500);
    int t = plan_table(s, "archive", n, 0, 0, 0);

    for (int i = 0; i < n / 100; i++)
        plan_rate(s, MINUTES(2), place_at(s, t, i * 97), 20, 0);
}

static void
tiny_tables(struct stage *s)
{
    plan_hosts(s, 6);
    for (int i = 0; i < 200; i++) {
        char name[24];
        snprintf(name, sizeof(name), "report_%d", i);
        plan_table(s, name, dice_int(dice(s), 1, 3), dice_between(dice(s), 0, 30),
                   dice_between(dice(s), 0, 30), 0.9);
    }
}

/* Some of the small tables' single regions are busier than the rest, but not busy. */
static void
uneven_tiny_tables(struct stage *s)
{
    tiny_tables(s);
    for (int i = 0; i < 12; i++) {
        int t = i * 16;
        int p = place_any(s, t);
        double limit = rate_for(s, t, ACCESS_READ, 1, 1);
        s->cluster.places[p].host = i % s->cluster.host_count;
        plan_rate(s, MINUTES(3), p, dice_between(dice(s), 0.3, 0.8) * limit, 0);
    }
}

/* Each minute another region is read, none for long. */
static void
wandering(struct stage *s)
{
    int n = dice_int(dice(s), 10, 40), t = usual_scene(s, n), i = 0;
    double limit = rate_for(s, t, ACCESS_READ, 1, 1);

    for (int64_t at = MINUTES(5); at < s->duration_ms; at += MINUTES(1)) {
        i = (i + dice_int(dice(s), 1, n - 5)) % n; /* not the last one again */
        int p = place_at(s, t, i);
        plan_rate(s, at, p, limit * dice_between(dice(s), 2, 8), 0);
        plan_back(s, at + 55000, p);
    }
}

static void
even_growth(struct stage *s)
{
    plan_hosts(s, dice_int(dice(s), 4, 12));
    plan_company(s);
    int n = s->cluster.host_count * dice_int(dice(s), 1, 4);
    int t = plan_table(s, "orders", n, 10, 10, 0.3);

    for (int i = 0; i < n; i++) {
        int p = place_at(s, t, i);
        const double *rate = s->cluster.places[p].rate;
        for (int m = 2; m < 38; m++)
            plan_rate(s, MINUTES(m), p, rate[0] * m * 2, rate[1] * m * 2);
    }
}

/* Everything is moved all the time, and counters of opened regions begin high. */
static void
balancer(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 10, 40));

    s->cluster.carried = 5e6;
    for (int i = 0; i < 60; i++) {
        int p = place_any(s, t);
        int64_t at = MINUTES(dice_between(dice(s), 2, 38));
        plan_transit(s, at, at + dice_int(dice(s), 500, 20000), p, any_host(s));
    }
}

static void
restarts(struct stage *s)
{
    usual_scene(s, dice_int(dice(s), 10, 40));
    s->cluster.carried = 1e9;
    for (int i = 0; i < s->cluster.host_count; i++) {
        int64_t at = MINUTES(3 + 3 * i);
        plan_restart(s, at, at + dice_int(dice(s), 5000, 80000), i);
    }
}

/* Counters of 31 or 32 bits run over. */
static void
narrow_counters(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 10, 30));

    s->cluster.tables[t].wrap_bits = dice_int(dice(s), 31, 32);
    for (int i = 0; i < places_of(s, t); i++) {
        struct place *p = &s->cluster.places[place_at(s, t, i)];
        double full = s->cluster.tables[t].wrap_bits == 31 ? 0x1p31 : 0x1p32;
        p->count[ACCESS_READ] =
            full - p->rate[ACCESS_READ] * dice_between(dice(s), 100, 2000);
        p->count[ACCESS_WRITE] = full / 2;
    }
}

static void
clock_steps(struct stage *s)
{
    usual_scene(s, dice_int(dice(s), 4, 30));
    for (int i = 0; i < 5; i++)
        plan_clock_step(s, MINUTES(dice_between(dice(s), 4, 36)),
                        dice_int(dice(s), -7200000, 7200000));
    for (int i = 0; i < 8; i++)
        plan_skew(s, MINUTES(dice_between(dice(s), 4, 36)), any_host(s),
                  dice_int(dice(s), -3600000, 3600000));
}

static void
lossy(struct stage *s)
{
    usual_scene(s, dice_int(dice(s), 4, 30));
    plan_loss(s, 0, 0.2, 0.3);
}

static void
regions_split(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 16));

    s->cluster.half_counts = dice_below(dice(s), 2);
    for (int i = 0; i < 8; i++)
        plan_split(s, MINUTES(dice_between(dice(s), 4, 36)), place_at(s, t, i % 6),
                   0.5);
    s->cluster.carried = 100000;
}

static const struct kind kinds[] = {
    {"uniform", "2 to 200 even regions", uniform},
    {"noisy", "even regions, a third of noise from sample to sample", noisy},
    {"busy", "even regions with thousands of requests/s each", busy},
    {"diurnal", "all tables swing by up to 95 %, each at its own time", diurnal},
    {"bursts", "3 to 20 times the limit, for less than `for`", bursts},
    {"pulse", "one region, 6 times the limit for a minute in four", pulse},
    {"square-wave", "around the limit, 20 to 100 s each way, mean below", square_wave},
    {"below-limit", "regions at 0.7 to 0.9 of the limit", below_limit},
    {"crumbs", "idle tables, 0.02 to 60 writes/s on one region", crumbs},
    {"idle-majority", "one in a hundred regions has an even 20/s", idle_majority},
    {"tiny-tables", "200 tables of 1 to 3 regions", tiny_tables},
    {"uneven-tiny-tables", "the same, some of them busier", uneven_tiny_tables},
    {"wandering-reads", "each minute another region is read", wandering},
    {"even-growth", "a table grows to 75 times its load, evenly", even_growth},
    {"balancer", "moves all the time; opened regions begin with high counters",
     balancer},
    {"restarts", "each server restarts; counters begin at up to 10⁹", restarts},
    {"narrow-counters", "counters of 31 or 32 bits run over", narrow_counters},
    {"clock-steps", "our clock and the servers' are set, by up to two hours",
     clock_steps},
    {"lossy", "a fifth of the polls is lost, a third is late", lossy},
    {"cool-splits", "regions are split; daughters begin with any counters",
     regions_split},
};
const struct kind_group kinds_calm = KIND_GROUP("Nothing is hot", kinds);
