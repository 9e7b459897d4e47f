/* SPDX-License-Identifier: Apache-2.0 */
/* A hot region moves, is split, merged, reopened, dropped; its server restarts or dies.
 * One story each: one alert. */
#include "tests/scenarios/kinds.h"

/* A region that is hot from 5 to 35 minutes; ret_truth may be NULL. */
static int
hot_story(struct stage *s, int regions, int *ret_truth)
{
    int t = usual_scene(s, regions), p = place_any(s, t);
    int truth = plan_hot(s, p, MINUTES(5), MINUTES(35), any_access(s),
                         rate_for(s, t, ACCESS_TOTAL, 1, 2.5));

    s->duration_ms = MINUTES(50);
    if (ret_truth != NULL)
        *ret_truth = truth;
    return p;
}

static int64_t
story_time(struct stage *s, int i, int n)
{
    double part = 20.0 / n;

    return MINUTES(12 + part * i + dice_between(dice(s), 0, part / 2));
}

static void
moved(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);
    int64_t at = story_time(s, 0, 1);

    plan_transit(s, at, at + dice_int(dice(s), 200, 30000), p, other_host(s, p, 0));
}

static void
moved_on_and_on(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);

    for (int i = 0; i < 8; i++) {
        int64_t at = story_time(s, i, 8);
        plan_transit(s, at, at + dice_int(dice(s), 200, 10000), p, other_host(s, p, i));
    }
}

static void
moved_before_firing(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);
    int64_t at = MINUTES(5) + dice_int(dice(s), 60000, 150000);

    plan_transit(s, at, at + 2000, p, other_host(s, p, 0));
}

static void
moved_with_high_counters(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);

    s->cluster.carried = 1e8;
    for (int i = 0; i < 3; i++)
        plan_move(s, story_time(s, i, 3), p, other_host(s, p, i));
}

/* Its counters go on where it left off. */
static void
moved_keeping_counters(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);

    for (int i = 0; i < 3; i++)
        plan_keep_move(s, story_time(s, i, 3), p, other_host(s, p, i));
}

static void
back_and_forth(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);
    int home = s->cluster.places[p].host;

    for (int i = 0; i < 3; i++) {
        int64_t at = story_time(s, i, 3);
        plan_copy(s, at, at + MINUTES(20), p, 0);
        plan_move(s, at + 1, p, other_host(s, p, 0));
        plan_keep_move(s, at + dice_int(dice(s), 20000, 120000), p, home);
    }
}

/* The former host goes on showing it, with counters that stand, or creep. */
static void
frozen_copy(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);
    int64_t at = story_time(s, 0, 1);

    plan_copy(s, at, at + MINUTES(dice_between(dice(s), 3, 30)), p, 0);
    plan_move(s, at + 1, p, other_host(s, p, 0));
}

static void
creeping_copy(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);
    int64_t at = story_time(s, 0, 1);

    plan_copy(s, at, at + MINUTES(5), p, dice_between(dice(s), 0.1, 20));
    plan_move(s, at + 1, p, other_host(s, p, 0));
}

static void
long_transit(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);
    int64_t at = story_time(s, 0, 1);

    plan_transit(s, at, at + MINUTES(dice_between(dice(s), 1, 8)), p,
                 other_host(s, p, 0));
}

static void
split_one_hot(struct stage *s)
{
    int truth, p = hot_story(s, dice_int(dice(s), 6, 40), &truth);
    bool upper = dice_below(dice(s), 2);
    int64_t at = story_time(s, 0, 1);

    s->cluster.half_counts = dice_below(dice(s), 2);
    int q = plan_split(s, at, p, upper ? 1 : 0);
    truth_also(s, truth, q);
    plan_rate(s, MINUTES(35), q, 0, 0);
}

static void
split_both_hot(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 12, 40)), p = place_any(s, t);
    double rate = rate_for(s, t, ACCESS_READ, 2, 1.8);
    int truth = plan_hot(s, p, MINUTES(5), MINUTES(35), ACCESS_READ, 2 * rate);
    int64_t at = story_time(s, 0, 1);
    int q = plan_split(s, at, p, 0.5);

    s->duration_ms = MINUTES(50);
    truth_also(s, truth, q);
    plan_rate(s, MINUTES(35), q, 10, 0);
    if (dice_below(dice(s), 2))
        plan_move(s, at + MINUTES(1), q, other_host(s, p, 0));
}

/* Halves, and halves of halves: none is hot in the end. */
static void
split_till_cool(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 12, 40)), p = place_any(s, t);
    double rate = rate_for(s, t, ACCESS_READ, 1, 1.8);
    int truth = truth_region(s, p, MINUTES(5), MINUTES(20));

    plan_rate(s, MINUTES(5), p, rate, 0);
    int q = plan_split(s, MINUTES(15), p, 0.5);
    truth_also(s, truth, q);
    int r = plan_split(s, MINUTES(20), p, 0.5), u = plan_split(s, MINUTES(20), q, 0.5);
    truth_also(s, truth, r);
    truth_also(s, truth, u);
    plan_move(s, MINUTES(20) + 5000, r, other_host(s, p, 0));
    plan_move(s, MINUTES(20) + 5000, q, other_host(s, p, 1));
    plan_move(s, MINUTES(20) + 5000, u, other_host(s, p, 2));
}

static void
merged(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 12, 40));
    int i = dice_below(dice(s), places_of(s, t) - 1);
    int p = place_at(s, t, i), o = place_at(s, t, i + 1);
    double rate = rate_for(s, t, ACCESS_READ, 1, 2.5);
    bool other = dice_below(dice(s), 2);
    int truth = truth_region(s, other ? o : p, MINUTES(5), MINUTES(35));

    s->duration_ms = MINUTES(50);
    truth_also(s, truth, other ? p : o);
    plan_rate(s, MINUTES(5), other ? o : p, rate, 0);
    plan_merge(s, story_time(s, 0, 1), p, o);
    plan_rate(s, MINUTES(35), p, 10, 0);
}

static void
dropped(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 20)), p = place_any(s, t);
    int64_t at = MINUTES(dice_between(dice(s), 15, 20));

    s->duration_ms = MINUTES(50);
    truth_region(s, p, MINUTES(5), at);
    plan_rate(s, MINUTES(5), p, rate_for(s, t, ACCESS_READ, 1, 2.5), 0);
    for (int i = 0; i < places_of(s, t); i++)
        plan_drop(s, at, place_at(s, t, i));
    s->truths[0].held = true;
}

static void
reopened(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);

    for (int i = 0; i < 4; i++)
        plan_reopen(s, story_time(s, i, 4), p, false);
}

static void
partly_reopened(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);

    for (int i = 0; i < 4; i++)
        plan_reopen(s, story_time(s, i, 4), p, true);
}

static void
server_restarts(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);
    int64_t at = story_time(s, 0, 1);

    s->cluster.carried = dice_below(dice(s), 2) ? 1e7 : 0;
    plan_restart(s, at, at + dice_int(dice(s), 10000, 150000),
                 s->cluster.places[p].host);
}

static void
server_dies(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 6, 40), NULL);

    plan_death(s, story_time(s, 0, 1), s->cluster.places[p].host);
}

/* The balancer moves everything, all the time. */
static void
under_balancer(struct stage *s)
{
    int p = hot_story(s, dice_int(dice(s), 10, 40), NULL);

    s->cluster.carried = 1e6;
    for (int i = 0; i < 100; i++) {
        int64_t at = MINUTES(dice_between(dice(s), 2, 45));
        int q = dice_below(dice(s), s->cluster.place_count);
        if (q != p)
            plan_transit(s, at, at + dice_int(dice(s), 500, 20000), q, any_host(s));
    }
    for (int i = 0; i < 4; i++)
        plan_move(s, story_time(s, i, 4), p, other_host(s, p, i));
}

static const struct kind kinds[] = {
    {"moved", "once, up to 30 s in transition", moved},
    {"moved-on-and-on", "eight times in twenty minutes", moved_on_and_on},
    {"moved-before-firing", "while its alert is pending", moved_before_firing},
    {"moved-high-counters", "opened with up to 10⁸ in its counters",
     moved_with_high_counters},
    {"moved-keeping-counters", "counters go on on the new server",
     moved_keeping_counters},
    {"back-and-forth", "returns within two minutes to where its old counters stand",
     back_and_forth},
    {"frozen-copy", "its former server shows it for up to half an hour", frozen_copy},
    {"creeping-copy", "the same, and that copy's counters grow a little",
     creeping_copy},
    {"long-transit", "on no server for 1 to 8 minutes", long_transit},
    {"split-one-hot", "one daughter has all the load", split_one_hot},
    {"split-both-hot", "both daughters are hot", split_both_hot},
    {"split-till-cool", "two splits spread the load", split_till_cool},
    {"merged", "with a cool neighbour", merged},
    {"dropped", "the table is dropped while hot", dropped},
    {"reopened", "counters begin anew on the same server, four times", reopened},
    {"partly-reopened", "the write counter does, the read counter does not",
     partly_reopened},
    {"server-restarts", "its server is away for up to 150 s", server_restarts},
    {"server-dies", "its server dies, all regions are opened elsewhere", server_dies},
    {"under-balancer", "hot while a hundred regions are moved", under_balancer},
};
const struct kind_group kinds_motion = KIND_GROUP("Hot and in motion", kinds);
