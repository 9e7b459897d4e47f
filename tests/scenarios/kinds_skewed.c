/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that are uneven by nature, from a little to very; and tables whose regions do
 * not count alike. */
#include <math.h>
#include <stdio.h>

#include "tests/scenarios/kinds.h"

/* In which steps to walk through a table's regions so that each is met once. */
static int
stride(int regions)
{
    return regions % 7 != 0 ? 7 : regions % 11 != 0 ? 11 : 13;
}

/* Gives the i-th hottest region (any place in key order) top / i^exponent. */
static void
zipf(struct stage *s, int table, double top, double exponent)
{
    int n = places_of(s, table), step = stride(n);

    for (int i = 0; i < n; i++) {
        struct place *p = &s->cluster.places[place_at(s, table, i * step % n)];
        p->rate[ACCESS_READ] = top / pow(i + 1, exponent);
        p->rate[ACCESS_WRITE] = 0;
    }
}

static int
zipf_place(const struct stage *s, int table, int i)
{
    int n = places_of(s, table);

    return place_at(s, table, i * stride(n) % n);
}

/* What one region needs to load a server, all else being as it is. */
static double
server_share(const struct stage *s, double of_table)
{
    double all = of_table;

    for (int p = 0; p < s->cluster.place_count; p++)
        all += s->cluster.places[p].rate[0] + s->cluster.places[p].rate[1];
    return fmax(STATED_MIN_RATE, STATED_SERVER_SHARE * all / s->cluster.host_count);
}

/* Natural skew on a table that cannot load a server with any of its regions. */
static void
zipf_small(struct stage *s)
{
    plan_hosts(s, dice_int(dice(s), 4, 12));
    plan_company(s);
    plan_table(s, "main", 40, 200, 100, 0.3);
    double limit = server_share(s, 0);
    int t = plan_table(s, "orders", dice_int(dice(s), 20, 120), 0, 0, 0);
    zipf(s, t, limit * dice_between(dice(s), 0.4, 0.85),
         dice_between(dice(s), 0.5, 1.2));
}

/* So flat that no region has a multiple of what the others get. */
static void
zipf_flat(struct stage *s)
{
    plan_hosts(s, dice_int(dice(s), 4, 12));
    plan_company(s);
    int n = s->cluster.host_count * dice_int(dice(s), 5, 8);
    int t = plan_table(s, "orders", n, 0, 0, 0);
    zipf(s, t, dice_between(dice(s), 2000, 20000), 0.3);
}

/* So steep that the first few have multiples of all that follow. */
static void
zipf_steep(struct stage *s)
{
    plan_hosts(s, 8);
    plan_company(s);
    int hot = dice_int(dice(s), 1, 3);
    int t = plan_table(s, "orders", dice_int(dice(s), 20, 60), 0, 0, 0);
    double exponent = 2.2, top = 1;

    /* The last hot one is 1.4 times above what loads a server, the next below. */
    for (int i = 0; i < 40; i++)
        top = 1.4 * server_share(s, top * 1.5) * pow(hot, exponent);
    zipf(s, t, top, exponent);
    for (int i = 0; i < hot; i++)
        truth_region(s, zipf_place(s, t, i), 30000, MINUTES(40));
}

/* Each region has a little less than the one before: there is no step between the hot
 * ones and the others. The hot ones are those above three times the mean of the rest.
 */
static void
slope_of(struct stage *s, int n, double ratio)
{
    double rest = 0;
    int hot = 0;

    plan_hosts(s, 8);
    plan_company(s);
    int t = plan_table(s, "orders", n, 0, 0, 0);

    for (int i = 0; i < n; i++) {
        double rate = 6000 * pow(ratio, i);
        s->cluster.places[place_at(s, t, i)].rate[ACCESS_READ] = rate;
        rest += rate;
    }
    for (; hot < n / 3; hot++) {
        double rate = 6000 * pow(ratio, hot);
        rest -= rate;
        if (rate < 0.9 * STATED_THRESHOLD * rest / (n - hot - 1) ||
            rate < 0.9 * server_share(s, 0))
            break;
    }
    for (int i = 0; i < hot; i++) {
        int truth = truth_region(s, place_at(s, t, i), 30000, MINUTES(40));
        truth_joins(s, truth, truth - i);
    }
}

static void
slope(struct stage *s)
{
    slope_of(s, dice_int(dice(s), 40, 80), dice_between(dice(s), 0.91, 0.94));
}

static void
fine_slope(struct stage *s)
{
    s->cluster.jitter = 0.01;
    slope_of(s, 150, dice_between(dice(s), 0.95, 0.96));
}

/* Partitions of former days lie idle; the day's begin to work, evenly. */
static int
partitions(struct stage *s)
{
    plan_hosts(s, 5);
    plan_table(s, "company", 10, 20, 10, 0.3);
    int t = plan_table(s, "events", dice_int(dice(s), 24, 48), 0, 0, 0);

    s->duration_ms = HOURS(26);
    for (int i = 0; i < 8; i++)
        plan_rate(s, HOURS(24.5), place_at(s, t, i), 0, 500);
    return t;
}

static void
time_partitions(struct stage *s)
{
    partitions(s);
}

static void
hot_partition(struct stage *s)
{
    int t = partitions(s), p = place_at(s, t, dice_below(dice(s), 8));

    truth_region(s, p, HOURS(25), HOURS(26));
    plan_rate(s, HOURS(25), p, 0, 500 * 3 * dice_between(dice(s), 1.5, 2.5));
}

/* One region of 400 has 60 % of the reads. */
static void
popular_rows(struct stage *s)
{
    plan_hosts(s, dice_int(dice(s), 6, 20));
    plan_company(s);
    int t = plan_table(s, "orders", 400, 20, 5, 0.2);
    plan_hot(s, place_any(s, t), MINUTES(6), MINUTES(22), ACCESS_READ, 400 * 20 * 1.5);
}

static void
huge_table(struct stage *s)
{
    plan_hosts(s, dice_int(dice(s), 15, 30));
    int t = plan_table(s, "huge", 1200, dice_between(dice(s), 5, 40), 10, 0.5);
    int hot = dice_int(dice(s), 1, 4);
    double rate = rate_for(s, t, ACCESS_READ, hot, 2);

    s->duration_ms = MINUTES(25);
    for (int i = 0; i < hot; i++)
        plan_hot(s, place_any(s, t), MINUTES(4), MINUTES(16), ACCESS_READ, rate);
}

/* Tables of 1, 2 and 3 regions among many others, each with a hot region. */
static void
hot_tiny_tables(struct stage *s)
{
    int tables[3];

    plan_hosts(s, 12);
    for (int i = 0; i < 100; i++) {
        char name[24];
        snprintf(name, sizeof(name), "report_%d", i);
        int t = plan_table(s, name, i < 3 ? i + 1 : 1, dice_between(dice(s), 0, 30),
                           dice_between(dice(s), 0, 30), 0.2);
        if (i < 3)
            tables[i] = t;
    }
    for (int i = 0; i < 3; i++)
        plan_hot(s, place_any(s, tables[i]), MINUTES(5), MINUTES(20), ACCESS_WRITE,
                 2 * rate_for(s, tables[i], ACCESS_WRITE, 1, 1));
}

/* Readers of a replica heat it; its primary and the other replicas are even. */
static void
hot_replica(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 8, 24)), n = places_of(s, t);
    double rate = rate_for(s, t, ACCESS_READ, 1, 3);
    int hot = dice_below(dice(s), n);

    for (int i = 0; i < n; i++) {
        int replica = plan_replica(s, place_at(s, t, i));
        if (i == hot)
            plan_hot(s, replica, MINUTES(6), MINUTES(22), ACCESS_READ, rate);
    }
}

static void
cool_replicas(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 8, 24)), n = places_of(s, t);

    for (int i = 0; i < n; i++) {
        int p = place_at(s, t, i), replica = plan_replica(s, p);
        s->cluster.places[p].rate[ACCESS_WRITE] = 300; /* only primaries take them */
        s->cluster.places[replica].rate[ACCESS_WRITE] = 0;
    }
}

static const struct kind kinds[] = {
    {"zipf-small", "Zipf 0.5 to 1.2 on a table whose regions cannot load a server",
     zipf_small},
    {"zipf-flat", "Zipf 0.3 with thousands of requests/s", zipf_flat},
    {"zipf-steep", "Zipf 2.2; the first 1 to 3 can load a server", zipf_steep},
    {"slope", "each region has 6 to 9 % less than the one before", slope},
    {"fine-slope", "4 to 5 % less, without noise", fine_slope},
    {"time-partitions", "8 of 24 to 48 partitions work, the others lie idle for a day",
     time_partitions},
    {"hot-partition", "one of those 8 is hot", hot_partition},
    {"popular-rows", "one region of 400 has 60 % of the reads", popular_rows},
    {"huge-table", "1 to 4 of 1,200 regions", huge_table},
    {"hot-tiny-tables", "tables of 1, 2 and 3 regions among a hundred",
     hot_tiny_tables},
    {"hot-replica", "a read replica is hot, its primary is not", hot_replica},
    {"cool-replicas", "replicas have reads only, primaries writes, too", cool_replicas},
};
const struct kind_group kinds_skewed = KIND_GROUP("Uneven by nature", kinds);
