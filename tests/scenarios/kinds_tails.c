/* SPDX-License-Identifier: Apache-2.0 */
/* Writes that follow the end of a table, which splits as it grows. */
#include "tests/scenarios/kinds.h"

/* All writes go to the last region, which is split `splits` times, `minutes` apart; the
 * new last region is moved away some seconds later, if `moving`. */
static int
tail(struct stage *s, int splits, double minutes, bool moving)
{
    int n = dice_int(dice(s), 12, 24), t = usual_scene(s, n);
    int p = place_at(s, t, n - 1);
    double rate = rate_for(s, t, ACCESS_WRITE, 1, 2.5), at = 12;
    int64_t end = MINUTES(at + minutes * (splits + 1));
    int truth = truth_region(s, p, MINUTES(5), end);

    s->duration_ms = end + MINUTES(15);
    plan_rate(s, MINUTES(5), p, 0, rate);
    for (int i = 0; i < splits; i++, at += minutes * dice_between(dice(s), 0.8, 1.2)) {
        int q = plan_split(s, MINUTES(at), p, 1);
        truth_also(s, truth, q);
        if (moving)
            plan_move(s, MINUTES(at) + dice_int(dice(s), 5000, 45000), q,
                      other_host(s, p, i));
        p = q;
    }
    plan_rate(s, end, p, 0, 5);
    s->truths[truth].heat_class = CLASS_SEQUENTIAL;
    return truth;
}

static void
tail_ten(struct stage *s)
{
    tail(s, 10, 4, false);
}

static void
tail_moving(struct stage *s)
{
    tail(s, 10, 4, true);
}

static void
tail_fast(struct stage *s)
{
    tail(s, 14, 1.5, false);
}

static void
tail_without_listings(struct stage *s)
{
    int truth = tail(s, 6, 5, false);

    s->listings = false;
    s->truths[truth].heat_class = CLASS_COUNT; /* which is the last is not known */
}

static void
tail_rare_listings(struct stage *s)
{
    tail(s, 8, 4, true);
    s->config->topology.interval_ms = HOURS(6);
}

/* No split: the writes go over to the next of many pre-split regions. */
static void
marching(struct stage *s)
{
    int n = 16, t = usual_scene(s, n);
    double rate = rate_for(s, t, ACCESS_WRITE, 1, 2.5);
    int64_t each = MINUTES(dice_between(dice(s), 15, 20));

    s->duration_ms = MINUTES(100);
    for (int i = 0; i < 4; i++)
        plan_hot(s, place_at(s, t, i), MINUTES(5) + i * each,
                 MINUTES(5) + (i + 1) * each, ACCESS_WRITE, rate);
}

/* A table's first and only region grows and is split in two, four, eight. */
static void
growing_up(struct stage *s)
{
    plan_hosts(s, 6);
    plan_company(s);
    int t = plan_table(s, "fresh", 1, 5, 5, 0), p = place_at(s, t, 0);
    double rate = rate_for(s, t, ACCESS_WRITE, 1, 3);
    int truth = truth_region(s, p, MINUTES(5), MINUTES(20));

    plan_rate(s, MINUTES(5), p, 0, rate);
    int q = plan_split(s, MINUTES(20), p, 0.5);
    truth_also(s, truth, q);
    int r = plan_split(s, MINUTES(23), p, 0.5), u = plan_split(s, MINUTES(23), q, 0.5);
    int each[] = {p, q, r, u};
    for (int i = 0; i < 4; i++) {
        int v = plan_split(s, MINUTES(26), each[i], 0.5);
        truth_also(s, truth, v);
        plan_move(s, MINUTES(27), each[i], i % 3 * 2); /* two regions a server */
        plan_move(s, MINUTES(27), v, (i + 1) % 3 * 2 + 1);
    }
    truth_also(s, truth, r);
    truth_also(s, truth, u);
}

static const struct kind kinds[] = {
    {"tail-ten", "the last region is split ten times", tail_ten},
    {"tail-moving", "the same, and each new last region is moved", tail_moving},
    {"tail-fast", "fourteen splits, 90 s apart", tail_fast},
    {"tail-without-listings", "six splits, and no keys are known",
     tail_without_listings},
    {"tail-rare-listings", "listings only when asked for", tail_rare_listings},
    {"marching", "writes go over from region to region, without splits", marching},
    {"growing-up", "one region becomes eight", growing_up},
};
const struct kind_group kinds_tails = KIND_GROUP("Tails", kinds);
