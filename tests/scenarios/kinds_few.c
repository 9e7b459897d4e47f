/* SPDX-License-Identifier: Apache-2.0 */
/* h hot regions of N, for many h and N, up to the stated bound of N / threshold and
 * beyond it. */
#include "tests/scenarios/kinds.h"

/* Makes `hot` of `n` regions hot for a quarter of an hour, each within `spread` above
 * what it needs; one cause. Beyond the bound it is the table that is hot. */
static void
h_of_n(struct stage *s, int hot, int n, double times, double spread)
{
    int hosts = (int)(times * (1 + spread) * hot * STATED_SERVER_SHARE / 0.8) + 4;
    plan_hosts(s, hosts < HOSTS_MAX ? hosts : HOSTS_MAX);
    plan_table(s, "company", dice_int(dice(s), 10, 40), 50, 30, 0.3);
    int t = plan_table(s, "orders", n, dice_between(dice(s), 1, 20), 10, 0.2);
    double rate = rate_for(s, t, ACCESS_WRITE, hot, times);
    bool beyond = hot > 1 && hot * STATED_THRESHOLD > n;
    int first = dice_below(dice(s), n), table = -1;

    if (beyond)
        table = truth_table(s, t, MINUTES(6), MINUTES(21));
    for (int i = 0; i < hot; i++) {
        int p = place_at(s, t, (first + i) % n);
        double more = rate * dice_between(dice(s), 1, 1 + spread);
        if (beyond) {
            truth_also(s, table, p);
            plan_rate(s, MINUTES(6), p, 0, more);
            plan_back(s, MINUTES(21), p);
            continue;
        }
        int truth = plan_hot(s, p, MINUTES(6), MINUTES(21), ACCESS_WRITE, more);
        truth_joins(s, truth, truth - i);
    }
}

static void
one_of_two(struct stage *s)
{
    h_of_n(s, 1, 2, dice_between(dice(s), 1.5, 3), 0);
}

static void
one_of_three(struct stage *s)
{
    h_of_n(s, 1, 3, dice_between(dice(s), 1.5, 3), 0);
}

static void
one_of_four_or_five(struct stage *s)
{
    h_of_n(s, 1, dice_int(dice(s), 4, 5), dice_between(dice(s), 1.5, 3), 0);
}

static void
two_of_few(struct stage *s)
{
    h_of_n(s, 2, dice_int(dice(s), 6, 9), dice_between(dice(s), 1.5, 2.5), 0.5);
}

static void
three_of_some(struct stage *s)
{
    h_of_n(s, 3, dice_int(dice(s), 9, 24), dice_between(dice(s), 1.5, 2.5), 0.5);
}

static void
some_of_many(struct stage *s)
{
    h_of_n(s, dice_int(dice(s), 4, 10), dice_int(dice(s), 30, 200),
           dice_between(dice(s), 1.4, 2.2), 0.5);
}

static void
a_third(struct stage *s)
{
    int hot = dice_int(dice(s), 2, 8);

    h_of_n(s, hot, 3 * hot, 1.6, 0.2);
}

static void
a_third_of_many(struct stage *s)
{
    int hot = dice_int(dice(s), 12, 20);

    h_of_n(s, hot, 3 * hot + dice_int(dice(s), 0, 30), 1.4, 0.1);
}

static void
overflow(struct stage *s)
{
    h_of_n(s, 64, 200, 1.4, 0.1);
}

/* More than a third of the regions. */
static void
beyond_a_third(struct stage *s)
{
    int n = dice_int(dice(s), 6, 30);

    h_of_n(s, n / 3 + dice_int(dice(s), 1, 2), n, 1.5, 0.2);
}

static void
half(struct stage *s)
{
    int n = 2 * dice_int(dice(s), 2, 10);

    h_of_n(s, n / 2, n, 1.5, 0.2);
}

/* One after the other, each while the former still are. */
static void
one_by_one(struct stage *s)
{
    plan_hosts(s, 12);
    plan_table(s, "company", 40, 50, 30, 0.3);
    int t = plan_table(s, "orders", dice_int(dice(s), 20, 60), 10, 10, 0.2);
    double rate = rate_for(s, t, ACCESS_READ, 5, 1.6);

    for (int i = 0; i < 5; i++)
        plan_hot(s, place_any(s, t), MINUTES(4 + 3 * i), MINUTES(34), ACCESS_READ,
                 rate);
}

static const struct kind kinds[] = {
    {"1-of-2", "the plain ratio cannot pass 2", one_of_two},
    {"1-of-3", "the plain ratio cannot pass 3", one_of_three},
    {"1-of-4-or-5", "one region has all the load of a small table",
     one_of_four_or_five},
    {"2-of-6-to-9", "two hot regions of few", two_of_few},
    {"3-of-9-to-24", "three hot regions", three_of_some},
    {"4-to-10-of-many", "of 30 to 200", some_of_many},
    {"a-third", "2 to 8 regions, a third of the table", a_third},
    {"a-third-of-many", "12 to 20 regions: more than there may be alerts",
     a_third_of_many},
    {"64-of-200", "64 hot regions of one cause", overflow},
    {"beyond-a-third", "more hot regions than can be set apart", beyond_a_third},
    {"half", "half of a table's regions have the load", half},
    {"one-by-one", "five regions, one every three minutes", one_by_one},
};
const struct kind_group kinds_few = KIND_GROUP("h hot regions of N", kinds);
