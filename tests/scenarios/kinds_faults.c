/* SPDX-License-Identifier: Apache-2.0 */
/* A hot region, while polls are lost, servers silent, clocks wrong and sources in
 * conflict. */
#include "tests/scenarios/kinds.h"

/* A region that is hot from 6 to 30 minutes. */
static int
hot_story(struct stage *s)
{
    int t = usual_scene(s, dice_int(dice(s), 6, 40)), p = place_any(s, t);

    s->duration_ms = MINUTES(45);
    plan_hot(s, p, MINUTES(6), MINUTES(30), ACCESS_READ,
             rate_for(s, t, ACCESS_READ, 1, 2.5));
    return p;
}

static void
lost_polls(struct stage *s)
{
    hot_story(s);
    plan_loss(s, 0, 0.15, 0);
}

static void
late_polls(struct stage *s)
{
    hot_story(s);
    plan_loss(s, 0, 0, 0.5);
}

static void
silent_server(struct stage *s)
{
    int p = hot_story(s);
    int64_t at = MINUTES(dice_between(dice(s), 13, 16));

    plan_silence(s, at, at + MINUTES(dice_between(dice(s), 2, 9)),
                 s->cluster.places[p].host);
}

static void
silent_at_onset(struct stage *s)
{
    int p = hot_story(s);

    plan_silence(s, MINUTES(3), MINUTES(6), s->cluster.places[p].host);
}

/* Longer than an alert is held. */
static void
silent_for_long(struct stage *s)
{
    int t = usual_scene(s, 20), p = place_any(s, t);

    s->duration_ms = MINUTES(60);
    plan_hot(s, p, MINUTES(6), MINUTES(16), ACCESS_READ,
             rate_for(s, t, ACCESS_READ, 1, 2.5));
    plan_silence(s, MINUTES(16), MINUTES(50), s->cluster.places[p].host);
    s->truths[0].held = true;
}

static void
others_silent(struct stage *s)
{
    int p = hot_story(s);

    for (int i = 0; i < s->cluster.host_count / 3; i++)
        plan_silence(s, MINUTES(10), MINUTES(20), other_host(s, p, i));
}

/* More than half of the table cannot be seen: no new alert, none is lost. */
static void
blind(struct stage *s)
{
    int p = hot_story(s), n = s->cluster.host_count;

    for (int i = 0; i < 3 * n / 4; i++)
        plan_silence(s, MINUTES(15), MINUTES(22), other_host(s, p, i));
}

static void
empty_beans(struct stage *s)
{
    int p = hot_story(s);

    for (int i = 0; i < 4; i++) {
        int64_t at = MINUTES(11 + 4 * i);
        plan_empty(s, at, at + dice_int(dice(s), 1000, 70000),
                   s->cluster.places[p].host);
    }
}

/* Several polls time out while the load rises, and the region's neighbours suffer. */
static void
storm(struct stage *s)
{
    int p = hot_story(s), host = s->cluster.places[p].host;

    plan_loss(s, MINUTES(7), 0.2, 0.4);
    for (int i = 0; i < 5; i++) {
        int64_t at = MINUTES(12 + 3 * i);
        plan_silence(s, at, at + dice_int(dice(s), 20000, 75000), host);
    }
    plan_loss(s, MINUTES(28), 0, 0);
}

static void
clock_set(struct stage *s)
{
    int p = hot_story(s);

    for (int i = 0; i < 4; i++) {
        plan_clock_step(s, MINUTES(8 + 5 * i), dice_int(dice(s), -7200000, 7200000));
        plan_skew(s, MINUTES(9 + 5 * i), s->cluster.places[p].host,
                  dice_int(dice(s), -3600000, 3600000));
    }
}

static void
clock_of_ages(struct stage *s)
{
    hot_story(s);
    s->cluster.clock = CLOCK_AGES;
}

static void
clock_untold(struct stage *s)
{
    hot_story(s);
    s->cluster.clock = CLOCK_UNTOLD;
}

/* We ask more often than HBase renews its values. */
static void
within_cache(struct stage *s)
{
    s->config->poll.interval_ms = 5000;
    s->config->poll.timeout_ms = 4000;
    hot_story(s);
    s->cluster.clock = dice_below(dice(s), 3);
    s->duration_ms = MINUTES(40);
}

static void
no_listings(struct stage *s)
{
    hot_story(s);
    s->listings = false;
}

/* 31-bit counters: while they are negative nothing is known of the region. */
static void
negative_counters(struct stage *s)
{
    int p = hot_story(s);
    struct place *place = &s->cluster.places[p];

    s->cluster.tables[place->table].wrap_bits = 31;
    for (int i = 0; i < 3; i++)
        plan_reopen(s, MINUTES(15 + i), p, false);
    place->count[ACCESS_READ] = 0x1p32 - dice_between(dice(s), 1, 2) * 1e6;
}

/* 32-bit counters run over, again and again at this rate or once. */
static void
overrunning_counters(struct stage *s)
{
    int p = hot_story(s);
    struct place *place = &s->cluster.places[p];

    s->cluster.tables[place->table].wrap_bits = 32;
    place->count[ACCESS_READ] = 0x1p32 - dice_between(dice(s), 1, 9) * 1e5;
}

/* Two servers claim the region, both with counters that grow. */
static void
disagreement(struct stage *s)
{
    int p = hot_story(s);
    int64_t at = MINUTES(dice_between(dice(s), 12, 15));

    plan_copy(s, at, at + MINUTES(10), p, dice_between(dice(s), 20, 100));
    plan_move(s, at + 1, p, other_host(s, p, 0));
}

static const struct kind kinds[] = {
    {"lost-polls", "15 % of the polls", lost_polls},
    {"late-polls", "half of the polls, by up to the time-out", late_polls},
    {"silent-server", "its server does not answer for 2 to 9 minutes", silent_server},
    {"silent-at-onset", "its server answers again as it becomes hot", silent_at_onset},
    {"silent-for-long", "its server falls silent for half an hour as it cools",
     silent_for_long},
    {"others-silent", "a third of the servers is silent for ten minutes",
     others_silent},
    {"blind", "three quarters are, for seven", blind},
    {"empty-beans", "its server's metrics system restarts, four times", empty_beans},
    {"storm", "losses, delays and time-outs all along", storm},
    {"clock-set", "our clock and its server's are set by up to two hours", clock_set},
    {"clock-of-ages", "servers tell time by the ages of files only", clock_of_ages},
    {"clock-untold", "servers tell no time", clock_untold},
    {"within-cache", "polls every 5 s, of values that change every 10 s", within_cache},
    {"no-listings", "neither keys nor places are told", no_listings},
    {"negative-counters", "the table's counters have 31 bits", negative_counters},
    {"overrunning-counters", "they have 32 bits and run over", overrunning_counters},
    {"disagreement", "two servers show it, both with growing counters", disagreement},
};
const struct kind_group kinds_faults = KIND_GROUP("Hot and hard to see", kinds);
