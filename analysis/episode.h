/* SPDX-License-Identifier: Apache-2.0 */
/* The story of one hot subject: pending, firing, resolved. The subject is a region and
 * what became of it (moves, splits: all daughters are members, merges), a table, a
 * server by its address, or the whole cluster (what does not fit into max_alerts).
 * Owned by the detector; its alert is what snapshots and events copy. */
#ifndef ANALYSIS_EPISODE_H
#define ANALYSIS_EPISODE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/finding.h"
#include "analysis/registry.h"
#include "analysis/snapshot.h"

/* How long an alert outlives the last news of its subject. */
enum { HOLD_MS = 15 * 60 * 1000 };

/* A region of an episode; alert.members has its facts at the same place. */
struct member {
    uint32_t region;           /* slot */
    struct server_facts *host; /* last known; NULL before */
    int64_t cool_since_ms;     /* NEVER: not cool when last judged, or not judged yet */
    bool judged;               /* in this evaluation */
};

struct story;

struct episode {
    bool used;
    bool split;         /* a member was split, and no daughter was hot yet */
    bool wants_to_fire; /* hot for long enough */
    bool left_over;     /* it was, but had no place: ends as slowly as an alert */
    bool server_lost;   /* a member's server, or the server, died since the last news */
    uint32_t table;     /* slot; NO_INDEX: about a server or the cluster */
    uint32_t server;    /* of a server's: slot of its start now; NO_INDEX */
    struct alert alert;
    struct member members[ALERT_MEMBERS_MAX]; /* of a region's; alert.member_count */
    int64_t active_mono_ms;
    int64_t hot_since_ms;     /* `for` runs from here: without the times of no news */
    int64_t cool_since_ms;    /* the same for `clear_for`; NEVER: not cool */
    int64_t judged_mono_ms;   /* last evaluation in which it could be judged */
    int64_t unknown_since_ms; /* NEVER: that was the last one */
    struct finding finding;
    struct story *story; /* analysis/explain.h; owned; NULL: nothing yet */
};

/* What an evaluation asks of an episode's owner. */
enum episode_step {
    STEP_NOTHING,
    STEP_HELD,    /* just became unknown while firing */
    STEP_DROPPED, /* was pending and is no longer hot */
    STEP_RESOLVED /* alert.reason says why */
};

/* Each starts as pending: with one member (ALERT_REGION, ALERT_META); about a table
 * (NO_INDEX: the cluster); about a server. */
void episode_begin(struct episode *e, const struct registry *r, uint32_t region,
                   enum alert_kind kind, struct moment now);
void episode_begin_table(struct episode *e, const struct registry *r, uint32_t table,
                         struct moment now);
void episode_begin_server(struct episode *e, const struct registry *r, uint32_t server,
                          struct moment now);
void episode_finish(struct episode *e);

/* The rule in force for its table; the defaults for a server and the cluster. */
const struct rule *episode_rule(const struct episode *e, const struct registry *r);
/* About a region? */
bool episode_has_members(const struct episode *e);

/* Forgets the evaluation before. */
void episode_begin_evaluation(struct episode *e);

/* Members; a full episode keeps those it has (false). */
bool episode_add_member(struct episode *e, const struct registry *r, uint32_t region);
void episode_remove_member(struct episode *e, uint32_t region);
bool episode_has_member(const struct episode *e, uint32_t region);
/* Notes what was found about a member. */
void episode_note_member(struct episode *e, uint32_t region, bool cool,
                         int64_t mono_ms);
/* Was a member hot, or never judged, and is not heard of now? Then the others do not
 * tell what becomes of the episode. */
bool episode_misses_member(const struct episode *e);
/* The member that a full episode misses least: cool for longest; NO_INDEX: none is. */
uint32_t episode_coolest_member(const struct episode *e);
/* A member that has been cool since before `mono_ms` while another is not; NO_INDEX. */
uint32_t episode_stray_member(const struct episode *e, int64_t mono_ms);
void episode_add_lineage(struct episode *e, int64_t time_ms, enum lineage_event event,
                         const char *from, const char *to);
/* Notes members that changed their server since the last evaluation. */
void episode_follow_moves(struct episode *e, const struct registry *r, int64_t wall_ms);
/* Monotonic time of the newest news: receipt of a member's newest sample, or the last
 * evaluation in which the table or server could be judged; NEVER. */
int64_t episode_last_news(const struct episode *e, const struct registry *r);

/* Follows moves, then steps the state machine and renews the evidence. */
enum episode_step episode_step(struct episode *e, const struct registry *r,
                               struct moment now);
/* The pending episode gets its slot. Times never run backwards, whatever our clock
 * does.
 */
void episode_fire(struct episode *e, struct moment now);
/* Ends for this reason. */
void episode_close(struct episode *e, enum end_reason reason, struct moment now);

/* The table is another slot now (or another guess was wrong). What an alert was told to
 * be about stays its label; a pending one learns the name. */
void episode_set_table(struct episode *e, const struct registry *r, uint32_t table);
/* Severity and labels as the rules in force have them: whether the episode's are those;
 * and makes them so. */
bool episode_fits_rule(const struct episode *e, const struct registry *r);
void episode_take_rule(struct episode *e, const struct registry *r);

/* A total order, < 0 if a goes before b: higher ratio, then rate, then by subject. */
int episode_order(const struct episode *a, const struct episode *b);

#endif
