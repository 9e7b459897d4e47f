/* SPDX-License-Identifier: Apache-2.0 */
/* The language in which scenarios are written: a cluster, what happens in it and when,
 * and what of it is truly hot. A scenario is a function that calls these in any order;
 * run.c then plays it. Handles of places, tables and truths are indices. Times are ms
 * since the beginning; rates are per second. */
#ifndef TESTS_SCENARIOS_STAGE_H
#define TESTS_SCENARIOS_STAGE_H

#include "analysis/snapshot.h"
#include "config/config.h"
#include "tests/scenarios/cluster.h"

#define MINUTES(n) ((int64_t)((n)*60000))
#define HOURS(n) MINUTES(60 * (n))

/* What hotspotd is documented to call hot; fixed here, whatever a run configures. */
#define STATED_THRESHOLD 3.0
#define STATED_MIN_RATE 100.0
#define STATED_SERVER_SHARE 0.25
#define STATED_SINGLE_RATE 1000.0
#define STATED_TABLE_RATE 1000.0
#define STATED_SERVER_THRESHOLD 2.0
#define STATED_SERVER_RATE 1000.0
#define STATED_META_RATE 5000.0
enum { STATED_WINDOW_MS = 120000, STATED_FOR_MS = 120000, STATED_CLEAR_MS = 300000 };

enum { TRUTHS_MAX = 160, TRUTH_PLACES = 40 };

/* Who is scored. The other three read the same rates off the same snapshots. */
enum judge { JUDGE_OURS, JUDGE_PLAIN, JUDGE_OTHERS, JUDGE_SORTED, JUDGE_COUNT };

/* How a judge did on a truth. */
struct mark {
    bool found;
    int64_t delay_ms; /* from when it was found, beyond STATED_FOR_MS */
    unsigned fires;
    bool early, late; /* ended while it lasted; went on long after */
};

/* Something that is hot: a place (as its region splits, several), a table, a server. */
struct truth {
    enum alert_kind kind;
    int table, host;
    int places[TRUTH_PLACES]; /* of a table: its hot ones; none: any */
    int place_count;
    int64_t from_ms, to_ms;
    int cause;                  /* truths of one cause share it */
    enum heat_class heat_class; /* CLASS_COUNT: nothing is said */
    bool held;                  /* may fire on for the hold time when it ends */
    double factor_sum;          /* times the stated limit, at each evaluation */
    unsigned factor_count;
    struct mark marks[JUDGE_COUNT];
    int64_t class_right, class_seen; /* evaluations */
};

struct stage;
struct action {
    int64_t at;
    unsigned order; /* of those at one time */
    void (*act)(struct stage *s, const struct action *a);
    int a, b;
    double x, y;
};

struct stage {
    struct cluster cluster;
    struct config *config;
    int64_t duration_ms;
    bool listings;        /* every topology.interval, and when asked for */
    double lost, delayed; /* chances of a poll */
    int64_t last_delay_ms;
    struct action *actions;
    size_t action_count, action_cap;
    struct truth truths[TRUTHS_MAX];
    int truth_count, causes;
    int64_t now; /* while it is played */
    bool trace;  /* prints events as they come */
};

struct dice *dice(struct stage *s);

/* ---- the scene ---- */

void plan_hosts(struct stage *s, int n);
/* A table with `regions` even regions on hosts in turn, each loaded within `spread`
 * (0.2: +-20 %) of the rates. */
int plan_table(struct stage *s, const char *name, int regions, double read,
               double write, double spread);
/* Three to five tables of 4 to 30 regions with different loads: the usual company. */
void plan_company(struct stage *s);
/* A second replica of the region of a place, on another host, with the same load. */
int plan_replica(struct stage *s, int place);
/* The i-th place of a table by key; its number of places. */
int place_at(const struct stage *s, int table, int i);
int places_of(const struct stage *s, int table);
/* A random place of the table that no truth is about. */
int place_any(struct stage *s, int table);
/* The rate of this access that makes each of `hot` places of this table exceed the
 * stated limit that many times, as the scene is now. */
double rate_for(const struct stage *s, int table, enum access access, int hot,
                double times);

/* ---- what happens ---- */

void plan_rate(struct stage *s, int64_t at, int place, double read, double write);
/* Back to what the place has now, in the scene. */
void plan_back(struct stage *s, int64_t at, int place);
void plan_move(struct stage *s, int64_t at, int place, int host);
void plan_keep_move(struct stage *s, int64_t at, int place, int host);
/* On no host until `until`, then on this one. */
void plan_transit(struct stage *s, int64_t at, int64_t until, int place, int host);
/* Its former host goes on showing it; creep: growth of that copy per second. */
void plan_copy(struct stage *s, int64_t at, int64_t until, int place, double creep);
/* Returns the place of the upper half, which gets that share of the load. */
int plan_split(struct stage *s, int64_t at, int place, double share);
void plan_merge(struct stage *s, int64_t at, int place, int other);
void plan_drop(struct stage *s, int64_t at, int place);
/* Closed and opened again where it is: counters begin anew (only writes, if partly). */
void plan_reopen(struct stage *s, int64_t at, int place, bool partly);
void plan_restart(struct stage *s, int64_t at, int64_t until, int host);
/* The host dies; its regions are opened elsewhere a minute later. */
void plan_death(struct stage *s, int64_t at, int host);
void plan_silence(struct stage *s, int64_t at, int64_t until, int host);
void plan_empty(struct stage *s, int64_t at, int64_t until, int host);
/* Our wall clock, or a host's, is set forth or back. */
void plan_clock_step(struct stage *s, int64_t at, int64_t by_ms);
void plan_skew(struct stage *s, int64_t at, int host, int64_t skew_ms);
void plan_loss(struct stage *s, int64_t at, double lost, double delayed);
void plan_act(struct stage *s, struct action action);

/* ---- the truth ---- */

/* The place is hot from then to then, and gets this rate of that access. */
int plan_hot(struct stage *s, int place, int64_t from, int64_t to, enum access access,
             double rate);
/* Only says so: the load is planned by other means. */
int truth_region(struct stage *s, int place, int64_t from, int64_t to);
int truth_table(struct stage *s, int table, int64_t from, int64_t to);
int truth_server(struct stage *s, int host, int64_t from, int64_t to);
/* The truth goes on in this place, too (a daughter). */
void truth_also(struct stage *s, int truth, int place);
/* It is of the same cause as the other. */
void truth_joins(struct stage *s, int truth, int other);

#endif
