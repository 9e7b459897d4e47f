/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated cluster of a scenario: servers, tables, and places, a place being a
 * part of a table's keys with the region that serves it now. Loads belong to places and
 * stay when their region moves or is split; counters belong to (region, server start),
 * as HBase keeps them. Times are ms since the scenario began. One thread; all memory is
 * the struct's. */
#ifndef TESTS_SCENARIOS_CLUSTER_H
#define TESTS_SCENARIOS_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "collectors/sample.h"
#include "config/config.h"
#include "tests/scenarios/random.h"

enum {
    HOSTS_MAX = 32,
    TABLES_MAX = 300,
    PLACES_MAX = 2048,
    NUMBERS_MAX = 8192,
    COPIES_MAX = 16,
    KEYS = 1 << 24,    /* of a table; printed as six hex digits */
    REFRESH_MS = 10000 /* HBase renews its JMX values this often */
};

/* What the rows of a place's calls are like. */
enum row_pattern { ROWS_SPREAD, ROWS_ONE, ROWS_RISING };

struct place {
    uint32_t number; /* of its region, of all that ever were; 0: none now */
    int table;
    int host;         /* -1: on none */
    uint32_t visited; /* hosts it was on, bits */
    int left_host;    /* the one it was on before */
    double left_count[2];
    uint32_t start, end;
    uint16_t replica;
    double rate[2];  /* ACCESS_READ, ACCESS_WRITE: planted, per second */
    double count[2]; /* counters since the region opened there */
    double gets, scans;
    int64_t counted_ms; /* the counters are as of then */
    int64_t busy_ms;    /* when it last had load */
    double rows_per_call;
    enum row_pattern rows;
    double hot_from, hot_to; /* ROWS_SPREAD: the part of its keys that is used */
    int64_t size_bytes;
};

/* A region that its former server goes on showing. */
struct copy {
    int place, host;
    uint32_t number;
    double count[2];
    double creep; /* its counters grow by so much a second */
    int64_t since_ms, until_ms;
};

struct table {
    char name[24];
    double swing; /* 0 to 1: by how much its load rises and falls in a period */
    int64_t period_ms;
    double phase;
    int wrap_bits; /* 31, 32: its counters are that narrow; 0: they are not */
};

struct host {
    int64_t start_code;
    int64_t down_until, empty_until; /* its polls fail, or tell nothing */
    bool dead;                       /* so says the master */
    int64_t refresh_phase, poll_phase;
    int64_t skew_ms; /* of its clock */
    double signals[SIGNAL_COUNT];
};

/* How answers tell their own time. */
enum clock_kind { CLOCK_ABSOLUTE, CLOCK_AGES, CLOCK_UNTOLD };

struct cluster {
    struct dice dice;
    struct host hosts[HOSTS_MAX];
    int host_count;
    struct table tables[TABLES_MAX];
    int table_count;
    struct place places[PLACES_MAX];
    int place_count;
    int place_of[NUMBERS_MAX]; /* by region number */
    uint32_t numbers;
    struct copy copies[COPIES_MAX];
    int copy_count;
    double jitter;      /* relative noise of a load from sample to sample */
    double carried;     /* counters of a region begin below this on a new host */
    double half_counts; /* 1: daughters begin at half of their parent's counters */
    enum clock_kind clock;
    int64_t wall_step_ms; /* steps of our own wall clock so far */
};

/* A region for a place: a new number, counters at the beginning. */
void cluster_open(struct cluster *c, int place, int host, int64_t now);
/* The planted load now; a = ACCESS_READ or ACCESS_WRITE. */
double cluster_rate(const struct cluster *c, int place, int a, int64_t now);
/* Lets counters grow until now: of one place, or of all on a host. */
void cluster_count(struct cluster *c, int place, int64_t now);
void cluster_count_host(struct cluster *c, int host, int64_t now);

/* The same region on another host (-1: on none yet). keep: its counters go on, or,
 * where it was before, stand as it left them. Else they begin at 0, or, on a host that
 * is new to it, anywhere below `carried`. */
void cluster_move(struct cluster *c, int place, int host, bool keep, int64_t now);
/* What it counted stays visible on its host, and creeps. */
void cluster_leave_copy(struct cluster *c, int place, double creep, int64_t until_ms,
                        int64_t now);
/* Two new regions: the place keeps the lower keys, `upper` gets the others and the
 * share of the load. */
void cluster_split(struct cluster *c, int place, int upper, double share, int64_t now);
/* One new region for the keys of both; `other` is no more. */
void cluster_merge(struct cluster *c, int place, int other, int64_t now);
/* The process starts anew: another start code, counters at the beginning. */
void cluster_restart(struct cluster *c, int host, int64_t now);

#endif
