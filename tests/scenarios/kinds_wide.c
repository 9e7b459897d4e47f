/* SPDX-License-Identifier: Apache-2.0 */
/* Heat that is not of one region: servers, tables, meta. */
#include <string.h>

#include "tests/scenarios/kinds.h"

/* Even regions of which `extra` times as many as elsewhere are on host 0. */
static int
crowd(struct stage *s, double extra)
{
    int hosts = dice_int(dice(s), 4, 10), here = 10;
    int there = (int)(here / extra) < 1 ? 1 : (int)(here / extra);

    plan_hosts(s, hosts);
    int t = plan_table(s, "orders", here + there * (hosts - 1), 200, 60, 0.2);
    for (int i = 0; i < places_of(s, t); i++)
        s->cluster.places[place_at(s, t, i)].host =
            i < here ? 0 : 1 + (i - here) % (hosts - 1);
    return t;
}

static void
crowded_server(struct stage *s)
{
    crowd(s, 3.5);
    s->truths[truth_server(s, 0, 30000, MINUTES(40))].heat_class = CLASS_SERVER_WIDE;
}

static void
slightly_crowded(struct stage *s)
{
    crowd(s, 1.5);
}

/* The crowd comes in ten minutes and is moved away again. */
static void
crowd_comes_and_goes(struct stage *s)
{
    plan_hosts(s, 6);
    int t = plan_table(s, "orders", 36, 150, 50, 0.2);

    s->duration_ms = MINUTES(50);
    truth_server(s, 0, MINUTES(10), MINUTES(30));
    for (int i = 0; i < 36; i++) {
        int p = place_at(s, t, i), home = s->cluster.places[p].host;
        if (i % 3 == 0 && home != 0) {
            plan_move(s, MINUTES(10), p, 0);
            plan_move(s, MINUTES(30), p, home);
        }
    }
}

/* A hot region elsewhere at the same time. */
static void
crowd_and_region(struct stage *s)
{
    int t = crowd(s, 4);

    truth_server(s, 0, 30000, MINUTES(40));
    plan_hot(s, place_at(s, t, 12), MINUTES(8), MINUTES(28), ACCESS_READ,
             rate_for(s, t, ACCESS_READ, 1, 2));
}

/* All its load comes from one hot region: the region is the cause. */
static void
server_by_its_region(struct stage *s)
{
    plan_hosts(s, 4);
    int t = plan_table(s, "orders", 12, 30, 10, 0.2);

    plan_hot(s, place_any(s, t), MINUTES(6), MINUTES(26), ACCESS_READ,
             rate_for(s, t, ACCESS_READ, 1, 8));
}

/* A few regions have the table's load, each too little to load a server: not hot. */
static void
concentrated_table(struct stage *s)
{
    int hot = dice_int(dice(s), 4, 6);

    plan_hosts(s, 30);
    plan_table(s, "company", 300, 200, 80, 0.2);
    int t = plan_table(s, "orders", 60, 0, 0, 0);
    double floor = STATED_SERVER_SHARE * 300 * 280 / 30;

    for (int i = 0; i < hot; i++) {
        int p = place_at(s, t, 3 * i + 1);
        plan_rate(s, MINUTES(6), p, 0, floor * dice_between(dice(s), 0.6, 0.8));
        plan_rate(s, MINUTES(30), p, 0, 0);
    }
}

static int
with_meta(struct stage *s)
{
    usual_scene(s, 20);
    int t = plan_table(s, "hbase:meta", 1, 200, 1, 0);
    return place_at(s, t, 0);
}

static void
busy_meta(struct stage *s)
{
    int meta = with_meta(s);

    plan_rate(s, MINUTES(4), meta, dice_between(dice(s), 2000, 4200), 10);
}

static void
hot_meta(struct stage *s)
{
    int truth = plan_hot(s, with_meta(s), MINUTES(6), MINUTES(22), ACCESS_READ,
                         dice_between(dice(s), 7000, 30000));

    s->truths[truth].heat_class = CLASS_META;
}

static void
hot_meta_moved(struct stage *s)
{
    int meta = with_meta(s);

    plan_hot(s, meta, MINUTES(6), MINUTES(32), ACCESS_READ,
             dice_between(dice(s), 10500, 30000));
    for (int i = 0; i < 3; i++)
        plan_move(s, MINUTES(12 + 6 * i), meta, other_host(s, meta, i));
}

/* A data region on meta's server, with polls that time out. */
static void
beside_meta(struct stage *s)
{
    int meta = with_meta(s), t = s->cluster.places[meta].table - 1;
    int p = place_any(s, t);

    s->cluster.places[p].host = s->cluster.places[meta].host;
    plan_hot(s, p, MINUTES(6), MINUTES(32), ACCESS_WRITE,
             rate_for(s, t, ACCESS_WRITE, 1, 3));
    for (int i = 0; i < 6; i++)
        plan_silence(s, MINUTES(12 + 3 * i), MINUTES(12 + 3 * i) + 65000,
                     s->cluster.places[p].host);
}

/* Both at once, each its own alert. */
static void
meta_and_region(struct stage *s)
{
    int meta = with_meta(s), t = s->cluster.places[meta].table - 1;

    plan_hot(s, place_any(s, t), MINUTES(6), MINUTES(26), ACCESS_READ,
             3 * rate_for(s, t, ACCESS_READ, 1, 1) + 2000);
    plan_hot(s, meta, MINUTES(8), MINUTES(28), ACCESS_READ, 12000);
}

static const struct kind kinds[] = {
    {"crowded-server", "even regions, 3.5 times as many on one server", crowded_server},
    {"slightly-crowded", "1.5 times as many", slightly_crowded},
    {"crowd-comes-and-goes", "regions are moved to a server, and back",
     crowd_comes_and_goes},
    {"crowd-and-region", "and a hot region on another server", crowd_and_region},
    {"server-by-its-region", "one hot region is all of a server's surplus",
     server_by_its_region},
    {"concentrated-table", "4 to 6 of 60 regions; none can load a server",
     concentrated_table},
    {"busy-meta", "`hbase:meta` below its limit", busy_meta},
    {"hot-meta", "7,000 to 30,000 requests/s", hot_meta},
    {"hot-meta-moved", "the same, moved three times", hot_meta_moved},
    {"beside-meta", "a hot region on meta's server, which times out", beside_meta},
    {"meta-and-region", "meta and a region of a table", meta_and_region},
};
const struct kind_group kinds_wide = KIND_GROUP("Servers, tables and meta", kinds);
