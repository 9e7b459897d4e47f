/* SPDX-License-Identifier: Apache-2.0 */
/* Why a region is hot is planted, too, with what would show it: calls per region, rows
 * of sampled calls, sizes, keys, neighbours. */
#include "tests/scenarios/kinds.h"

/* A table with at least as many regions as there are servers. */
static int
wide_scene(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 14, 40));

    s->config->detection.rule.row_sampling = true;
    return t;
}

/* A place with neighbours on both sides is hot from 6 to 30 minutes. */
static int
inner_heat(struct stage *s, int table, enum access access, enum heat_class heat_class,
           int *ret_place)
{
    int p = place_at(s, table, dice_int(dice(s), 1, places_of(s, table) - 2));
    int truth = plan_hot(s, p, MINUTES(6), MINUTES(30), access,
                         rate_for(s, table, access, 1, 2.5));

    s->truths[truth].heat_class = heat_class;
    *ret_place = p;
    return truth;
}

static void
popular_row(struct stage *s)
{
    int p, t = wide_scene(s);

    inner_heat(s, t, any_access(s), CLASS_POPULAR_KEY, &p);
    s->cluster.places[p].rows = ROWS_ONE;
}

static void
popular_range(struct stage *s)
{
    int p, t = wide_scene(s);

    inner_heat(s, t, any_access(s), CLASS_POPULAR_RANGE, &p);
    s->cluster.places[p].hot_from = dice_between(dice(s), 0.1, 0.5);
    s->cluster.places[p].hot_to = s->cluster.places[p].hot_from + 0.3;
}

/* Rising rows, though not in the last region. */
static void
rising_rows(struct stage *s)
{
    int p, t = wide_scene(s);

    inner_heat(s, t, ACCESS_WRITE, CLASS_SEQUENTIAL, &p);
    s->cluster.places[p].rows = ROWS_RISING;
}

static void
scans(struct stage *s)
{
    int p, t = wide_scene(s);

    s->config->detection.rule.row_sampling = dice_below(dice(s), 2) == 0;
    inner_heat(s, t, ACCESS_READ, CLASS_SCAN, &p);
    s->cluster.places[p].rows_per_call = dice_between(dice(s), 300, 3000);
}

/* Without samples: the reads stay together whatever is split. */
static void
row_after_split(struct stage *s)
{
    int p, t = wide_scene(s);
    int truth = inner_heat(s, t, ACCESS_READ, CLASS_POPULAR_KEY, &p);

    s->config->detection.rule.row_sampling = false;
    for (int i = 0; i < 2; i++) {
        bool upper = i == 0;
        int q = plan_split(s, MINUTES(11 + 4 * i), p, upper ? 1 : 0);
        truth_also(s, truth, q);
        plan_rate(s, MINUTES(30), q, 0, 0);
        p = upper ? q : p;
    }
}

static void
big_region(struct stage *s)
{
    plan_hosts(s, 4);
    plan_company(s);
    int t = plan_table(s, "orders", dice_int(dice(s), 12, 30), 300, 100, 0.1);
    int p = place_at(s, t, 5);
    double times = dice_between(dice(s), 5, 7);

    s->cluster.places[p].size_bytes = (int64_t)(times * (1 << 30));
    s->cluster.places[p].rate[ACCESS_READ] = 300 * times;
    s->cluster.places[p].rate[ACCESS_WRITE] = 100 * times;
    int truth = truth_region(s, p, 30000, MINUTES(40));
    s->truths[truth].heat_class = CLASS_BIG_REGION;
}

static void
unsplit(struct stage *s)
{
    plan_hosts(s, 8);
    plan_company(s);
    int t = plan_table(s, "fresh", dice_int(dice(s), 1, 5), 1, 1, 0);
    int truth = plan_hot(s, place_at(s, t, 0), MINUTES(6), MINUTES(24), ACCESS_WRITE,
                         rate_for(s, t, ACCESS_WRITE, 1, 2.5));

    s->truths[truth].heat_class = CLASS_UNSPLIT_TABLE;
}

/* All that its server has is busier than elsewhere, and one region most of all. */
static void
server_wide(struct stage *s)
{
    plan_hosts(s, 6);
    int t = plan_table(s, "orders", 36, 100, 40, 0.1), p = -1;

    plan_table(s, "company", 36, 100, 40, 0.1);
    for (int i = 0; i < s->cluster.place_count; i++) {
        struct place *place = &s->cluster.places[i];
        if (place->host != 0)
            continue;
        place->rate[ACCESS_READ] *= 1.8;
        place->rate[ACCESS_WRITE] *= 1.8;
        p = place->table == t && p < 0 ? i : p;
    }
    int truth = plan_hot(s, p, MINUTES(6), MINUTES(30), ACCESS_READ,
                         rate_for(s, t, ACCESS_READ, 1, 2));
    s->truths[truth].heat_class = CLASS_SERVER_WIDE;
}

static const struct kind kinds[] = {
    {"popular-row", "one row has 80 % of the sampled calls", popular_row},
    {"popular-range", "calls spread over a third of the region's keys", popular_range},
    {"rising-rows", "each write is above the last", rising_rows},
    {"scans", "300 to 3,000 rows a call", scans},
    {"row-after-split", "no samples; two splits leave the reads together",
     row_after_split},
    {"big-region", "5 to 7 times the others' size and load", big_region},
    {"unsplit", "1 to 5 regions on 8 servers", unsplit},
    {"server-wide", "its server's other regions are 1.8 times as busy, too",
     server_wide},
};
const struct kind_group kinds_class = KIND_GROUP("Why it is hot", kinds);
