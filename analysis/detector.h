/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the episodes: opens one for what is newly hot, steps them by what the rules
 * (analysis/judge.h) found, fires (analysis/allot.h), holds and ends them. Works on the
 * registry, whose regions, tables and servers name their episode; owned by the engine.
 */
#ifndef ANALYSIS_DETECTOR_H
#define ANALYSIS_DETECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/engine.h"
#include "analysis/episode.h"
#include "analysis/load.h"
#include "analysis/registry.h"

/* A safety net for memory: more regions than this are not followed at a time. (Tables
 * and servers are few.) */
enum { EPISODES_MAX = 10000 };

/* What most of the judging needs to know of a region. */
struct scope_entry {
    uint32_t slot;
    float rate[ACCESS_COUNT];
    uint16_t replica;
    bool judged;
    bool idle;     /* for a day */
    bool followed; /* an episode is about it */
    bool excused;  /* no server is hot by it */
};

struct table_places;

struct detector {
    struct episode *episodes;
    uint32_t episode_slots;
    uint32_t first_free; /* no free slot lies before it */
    size_t episode_cap;

    struct scope_entry *entries; /* of judge_tables(), by table */
    uint32_t *begin;             /* where each table's begin; one more at the end */
    double *scratch;
    size_t entry_cap, begin_cap, scratch_cap;
    uint32_t entry_count;
    uint32_t *due;               /* episodes that want to fire */
    struct table_places *places; /* by table; analysis/allot.h */
    size_t due_cap, places_cap;
    uint32_t cluster_episode; /* its overflow alert; NO_INDEX */

    struct engine_event *events; /* of the last evaluation */
    struct alert **event_alerts; /* what they point at */
    size_t event_count, event_cap, event_alert_cap;
    uint32_t suppressed;
    bool missing_member; /* an alert's region is not heard of */
};

void detector_init(struct detector *d);
void detector_finish(struct detector *d);

/* Forgets the events of the evaluation before; the first step of one. */
void detector_begin(struct detector *d);
/* Judges all scopes by the load measured as of now, and steps the episodes. */
void detector_judge(struct detector *d, struct registry *r, struct load *load,
                    struct moment now, struct engine_counters *counters);

/* A pending episode for a region without one. An episode that began in this region and
 * went on elsewhere while it was gone takes it back: an alert's name is unique. */
void detector_open(struct detector *d, struct registry *r, uint32_t region,
                   enum alert_kind kind, struct moment now);
/* The same for a table or a server without one, and for the cluster. */
void detector_open_table(struct detector *d, struct registry *r, uint32_t table,
                         struct moment now);
void detector_open_server(struct detector *d, struct registry *r, uint32_t server,
                          struct moment now);
void detector_open_cluster(struct detector *d, const struct registry *r,
                           struct moment now);
/* Steps one episode by its finding; tells what happened. */
void detector_step(struct detector *d, struct registry *r, uint32_t episode,
                   struct moment now);
/* A pending episode gets its place. */
void detector_fire(struct detector *d, uint32_t episode, struct moment now,
                   struct engine_counters *counters);
/* Ends an episode now, with an event if it was firing. */
void detector_end(struct detector *d, uint32_t episode, enum end_reason reason,
                  struct moment now);
/* A region joins an episode, in the place of a cool member if it is full; false if none
 * is cool. */
bool detector_add_member(struct detector *d, struct registry *r, uint32_t episode,
                         uint32_t region);
/* Two episodes turn out to be about one thing: a firing one, then the older goes on
 * with the members of both; the other ends as merged. Returns the one that goes on. */
uint32_t detector_join(struct detector *d, struct registry *r, uint32_t a, uint32_t b,
                       struct moment now);
/* The region is about to be forgotten; false if an episode has no other member, so that
 * it must stay. */
bool detector_release(struct detector *d, struct registry *r, uint32_t region);

/* Follows regions whose table turned out to be another; before anything else looks at
 * the episodes' tables. */
void detector_follow_tables(struct detector *d, const struct registry *r);
/* Ends those whose table is ignored or labelled otherwise by the new rules. */
void detector_configure(struct detector *d, const struct registry *r,
                        struct moment now);

#endif
