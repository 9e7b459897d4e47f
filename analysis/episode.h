/* SPDX-License-Identifier: Apache-2.0 */
/* One hot region's story: pending, firing, resolved. An episode begins in one region
 * and follows it through moves, splits (all daughters are members) and merges. Owned by
 * the detector; its alert is what snapshots and events copy. */
#ifndef ANALYSIS_EPISODE_H
#define ANALYSIS_EPISODE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/distribution.h"
#include "analysis/registry.h"
#include "analysis/snapshot.h"

/* How long an alert outlives the last news of its regions. */
enum { HOLD_MS = 15 * 60 * 1000 };

/* The hottest member by one access. */
struct finding_entry {
    uint32_t region; /* slot; NO_INDEX: none judged */
    double rate;
    double newest;
    struct verdict verdict;
};

/* What one evaluation found about the members. */
struct finding {
    bool judged; /* some member could be judged */
    bool blind;  /* but only by the limit of the last time that its table was seen */
    bool hot;    /* by any access */
    bool cool;   /* every judged member by every access */
    struct finding_entry best[ACCESS_COUNT];
    /* Of the scope, for the evidence. */
    uint32_t regions_known;
    uint32_t regions_fresh;
    double effective_regions;
    double table_rate[ACCESS_COUNT];
};

struct episode {
    bool used;
    bool split;         /* a member was split, and no daughter was hot yet */
    bool wants_to_fire; /* hot for long enough */
    bool server_lost;   /* a member's server died since the last news of it */
    uint32_t table;
    struct alert alert;
    uint32_t
        members[ALERT_MEMBERS_MAX]; /* region slots; alert.members are their facts */
    struct server_facts *hosts[ALERT_MEMBERS_MAX]; /* last known; NULL before */
    int64_t active_mono_ms;
    int64_t hot_since_ms;     /* `for` runs from here: without the times of no news */
    int64_t cool_since_ms;    /* the same for `clear_for`; NEVER: not cool */
    int64_t judged_mono_ms;   /* last evaluation in which a member could be judged */
    int64_t unknown_since_ms; /* NEVER: that was the last one */
    struct finding finding;
};

/* What an evaluation asks of an episode's owner. */
enum episode_step {
    STEP_NOTHING,
    STEP_HELD,    /* just became unknown while firing */
    STEP_DROPPED, /* was pending and is no longer hot */
    STEP_RESOLVED /* alert.reason says why */
};

/* Starts as pending with one member. */
void episode_begin(struct episode *e, const struct registry *r, uint32_t region,
                   enum alert_kind kind, struct moment now);
void episode_finish(struct episode *e);

/* Members; a full episode keeps those it has (false). */
bool episode_add_member(struct episode *e, const struct registry *r, uint32_t region);
void episode_remove_member(struct episode *e, uint32_t region);
bool episode_has_member(const struct episode *e, uint32_t region);
/* Receipt (monotonic) of the newest sample of a member; NEVER. */
int64_t episode_last_sample(const struct episode *e, const struct registry *r);
void episode_add_lineage(struct episode *e, int64_t time_ms, enum lineage_event event,
                         const char *from, const char *to);

void finding_reset(struct finding *f);
/* Takes one member's verdict for one access into account. */
void finding_add(struct finding *f, uint32_t region, enum access access,
                 const struct verdict *v, double rate, double newest);

/* Follows moves, then steps the state machine and renews the evidence. */
enum episode_step episode_step(struct episode *e, const struct registry *r,
                               struct moment now);
/* The pending episode gets its slot. */
void episode_fire(struct episode *e, struct moment now);

/* The table is another slot now (or another guess was wrong). What an alert was told to
 * be about stays its label; a pending one learns the name. */
void episode_set_table(struct episode *e, const struct registry *r, uint32_t table);
/* Severity and labels as the rules in force have them: whether the episode's are those;
 * and makes them so. */
bool episode_fits_rule(const struct episode *e, const struct registry *r);
void episode_take_rule(struct episode *e, const struct registry *r);

/* A total order, < 0 if a goes before b: higher ratio, then rate, then by region. */
int episode_order(const struct episode *a, const struct episode *b);

#endif
