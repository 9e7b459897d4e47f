/* SPDX-License-Identifier: Apache-2.0 */
/* One region of a table, or a few, are hot for a while; nothing else happens. */
#include "tests/scenarios/kinds.h"

/* So many regions of a table of so many become hot for 12 to 25 minutes, together. */
static void
heat(struct stage *s, int table, int hot, double times, enum access access)
{
    double rate = rate_for(s, table, access, hot, times);
    int64_t from = MINUTES(dice_between(dice(s), 5, 9));
    int64_t to = from + MINUTES(dice_between(dice(s), 12, 20));

    for (int i = 0; i < hot; i++)
        plan_hot(s, place_any(s, table), from, to, access, rate);
}

static void
hot_reads(struct stage *s)
{
    heat(s, usual_scene(s, dice_int(dice(s), 6, 60)), 1, 3, ACCESS_READ);
}

static void
hot_writes(struct stage *s)
{
    heat(s, usual_scene(s, dice_int(dice(s), 6, 60)), 1, 3, ACCESS_WRITE);
}

/* Neither its reads nor its writes alone are above the limit: the total is. */
static void
hot_total(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 60)), p = place_any(s, t);
    double rate = rate_for(s, t, ACCESS_TOTAL, 1, 1.6);

    truth_region(s, p, MINUTES(6), MINUTES(26));
    plan_rate(s, MINUTES(6), p, rate / 2, rate / 2);
    plan_back(s, MINUTES(26), p);
}

static void
slightly(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 60));

    heat(s, t, 1, dice_between(dice(s), 1.35, 1.9), any_access(s));
}

static void
twice(struct stage *s)
{
    heat(s, usual_scene(s, dice_int(dice(s), 6, 60)), 1, 2.1, any_access(s));
}

static void
strongly(struct stage *s)
{
    plan_hosts(s, 12);
    plan_company(s);
    int t = plan_table(s, "orders", dice_int(dice(s), 6, 60), 10, 10, 0.3);
    heat(s, t, 1, dice_between(dice(s), 8, 30), any_access(s));
}

static void
two_in_three_tables(struct stage *s)
{
    int t = usual_scene(s, 20);

    for (int i = t - 2; i <= t; i++)
        heat(s, i, 1, 2.5, any_access(s));
}

/* A read-hot and a write-hot region of one table, at different times. */
static void
reads_and_writes(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 9, 60));

    heat(s, t, 1, 2.5, ACCESS_READ);
    heat(s, t, 1, 2.5, ACCESS_WRITE);
}

/* One has ten times the other's load; both are hot. */
static void
unequal(struct stage *s)
{
    plan_hosts(s, 12);
    plan_company(s);
    int t = plan_table(s, "orders", dice_int(dice(s), 9, 60), 10, 10, 0.3);
    double rate = rate_for(s, t, ACCESS_READ, 1, 1.6);
    double second = rate / (1 - 10 * 1.6 * STATED_SERVER_SHARE / 12);

    plan_hot(s, place_any(s, t), MINUTES(6), MINUTES(24), ACCESS_READ, 10 * second);
    plan_hot(s, place_any(s, t), MINUTES(6), MINUTES(24), ACCESS_READ, second);
}

static void
slow_growth(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 60)), p = place_any(s, t);
    double limit = rate_for(s, t, ACCESS_READ, 1, 1);
    int64_t step = 15000, at = MINUTES(4);

    s->duration_ms = MINUTES(80);
    for (double times = 0.3; times < 4; times *= 1.01, at += step)
        plan_rate(s, at, p, limit * times, 0);
    /* 0.95 times after 116 steps, 1.1 times after 131: from there it cannot be doubted.
     */
    truth_region(s, p, MINUTES(4) + 116 * step, MINUTES(4) + 131 * step);
    truth_region(s, p, MINUTES(4) + 131 * step, MINUTES(75));
    plan_back(s, MINUTES(75), p);
}

static void
under_diurnal_load(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 40));

    s->duration_ms = HOURS(3);
    for (int i = 0; i < s->cluster.table_count; i++) {
        s->cluster.tables[i].swing = dice_between(dice(s), 0.2, 0.4);
        s->cluster.tables[i].period_ms = HOURS(2);
        s->cluster.tables[i].phase = dice_unit(dice(s));
    }
    plan_hot(s, place_any(s, t), MINUTES(20), MINUTES(150), ACCESS_READ,
             rate_for(s, t, ACCESS_READ, 1, 4));
}

static void
under_bursts(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 12, 40));
    double rate = rate_for(s, t, ACCESS_READ, 1, 3);

    plan_hot(s, place_any(s, t), MINUTES(8), MINUTES(28), ACCESS_READ, rate);
    for (int64_t at = MINUTES(5); at < MINUTES(35);
         at += MINUTES(dice_between(dice(s), 2, 5))) {
        int p = place_any(s, t);
        plan_rate(s, at, p, rate * dice_between(dice(s), 1, 4), 0);
        plan_back(s, at + dice_int(dice(s), 15000, 80000), p);
    }
}

/* Its load halves and doubles, but is never below the limit. */
static void
wavy(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 40)), p = place_any(s, t);
    double limit = rate_for(s, t, ACCESS_READ, 1, 1);
    int64_t half = dice_int(dice(s), 20, 240) * 1000;

    truth_region(s, p, MINUTES(5), MINUTES(35));
    for (int64_t at = MINUTES(5); at < MINUTES(35); at += half) {
        bool high = (at - MINUTES(5)) / half % 2 == 0;
        plan_rate(s, at, p, limit * (high ? 3 : 1.4), 0);
    }
    plan_back(s, MINUTES(35), p);
}

/* Hot, then dips below the limit for less than clear_for, again and again. */
static void
dipping(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 40)), p = place_any(s, t);
    double rate = rate_for(s, t, ACCESS_READ, 1, 3);

    truth_region(s, p, MINUTES(5), MINUTES(50));
    s->duration_ms = MINUTES(62);
    for (int m = 5; m < 50; m += 9) {
        plan_rate(s, MINUTES(m), p, rate, 0);
        plan_rate(s, MINUTES(m + 6) + dice_int(dice(s), 0, 30000), p, rate / 10, 0);
    }
    plan_back(s, MINUTES(50), p);
}

static void
hot_again(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 40)), p = place_any(s, t);
    double rate = rate_for(s, t, ACCESS_READ, 1, 2.5);

    s->duration_ms = MINUTES(80);
    plan_hot(s, p, MINUTES(5), MINUTES(20), ACCESS_READ, rate);
    plan_hot(s, p, MINUTES(45), MINUTES(60), ACCESS_READ, rate);
}

static void
for_hours(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 20));

    s->duration_ms = HOURS(6);
    s->cluster.jitter = 0.15;
    plan_hot(s, place_any(s, t), MINUTES(5), HOURS(5), ACCESS_READ,
             rate_for(s, t, ACCESS_READ, 1, dice_between(dice(s), 1.4, 3)));
}

/* The rest of its table is idle. */
static void
in_idle_table(struct stage *s)
{
    usual_scene(s, 10);
    int t = plan_table(s, "quiet", dice_int(dice(s), 2, 40), 0, 0, 0);
    heat(s, t, 1, 2.5, any_access(s));
}

static const struct kind kinds[] = {
    {"hot-reads", "one region, 3 times the limit, reads", hot_reads},
    {"hot-writes", "one region, 3 times the limit, writes", hot_writes},
    {"hot-total", "reads and writes together are above the limit", hot_total},
    {"slightly-hot", "1.35 to 1.9 times the limit", slightly},
    {"twice-the-limit", "2.1 times the limit", twice},
    {"strongly-hot", "8 to 30 times the limit", strongly},
    {"three-tables", "one region of each of three tables", two_in_three_tables},
    {"reads-and-writes", "a read-hot and a write-hot region of one table",
     reads_and_writes},
    {"unequal", "two hot regions, one with ten times the load", unequal},
    {"slow-growth", "a load grows by 4 % a minute through the limit", slow_growth},
    {"under-diurnal-load", "hot while all tables swing", under_diurnal_load},
    {"under-bursts", "hot while bursts come and go elsewhere", under_bursts},
    {"wavy", "between 1.4 and 3 times the limit", wavy},
    {"dipping", "hot, with dips shorter than `clear_for`", dipping},
    {"hot-again", "the same region, twice, 25 minutes apart", hot_again},
    {"for-hours", "five hours, 15 % of noise", for_hours},
    {"in-idle-table", "all other regions of the table are idle", in_idle_table},
};
const struct kind_group kinds_hot = KIND_GROUP("One region, or a few", kinds);
