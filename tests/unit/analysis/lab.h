/* SPDX-License-Identifier: Apache-2.0 */
/* A small cluster for tests of the engine: the test sets counters and time, the lab
 * makes the messages that collectors would make. */
#ifndef TESTS_UNIT_ANALYSIS_LAB_H
#define TESTS_UNIT_ANALYSIS_LAB_H

#include "analysis/engine.h"
#include "config/config.h"

enum { LAB_REGIONS = 400, LAB_SERVERS = 8, LAB_COPIES = 16 };

struct lab_region {
    struct region_id id;
    const char *table;
    int server;              /* -1: on none */
    const char *start, *end; /* NULL: not told in listings */
    int64_t created_ms;
    uint16_t replica;
    double read_rate, write_rate; /* per second, from now on */
    double read, write;           /* the counters */
    uint8_t known;
};

/* A copy of a region left behind on a server. */
struct lab_copy {
    int region;
    int server;
    double read, write;
};

/* How a server keeps time in its answers. */
enum lab_clock { LAB_CLOCK_ABSOLUTE, LAB_CLOCK_AGES, LAB_CLOCK_NONE };

struct lab {
    struct config config;
    struct engine *engine;
    struct snapshot *last; /* of the last tick */
    struct moment now;
    struct lab_region regions[LAB_REGIONS];
    int region_count;
    struct lab_copy copies[LAB_COPIES];
    int copy_count;
    char servers[LAB_SERVERS][64]; /* "rs1,16020,1700000000001" */
    bool down[LAB_SERVERS];        /* polls fail */
    bool empty[LAB_SERVERS];       /* polls give no beans */
    bool dead[LAB_SERVERS];        /* so says the master */
    int server_count;
    enum lab_clock clock;
    int64_t clock_skew_ms;   /* of the servers' clocks */
    int64_t receipt_late_ms; /* answers arrive this much later than they were made */
    char events[4096];       /* "fired 4;resolved cooled 4;" as they came, by origin,
                                table, server address or "cluster" */
};

/* Defaults of the design, `servers` live servers, interval 30 s. */
void lab_init(struct lab *lab, int servers);
/* Creates the engine after the test has changed lab->config. */
void lab_start(struct lab *lab);
void lab_finish(struct lab *lab);

/* Adds a region with the given total load split into reads and writes; returns its
 * index. The id is made from the index. */
int lab_region(struct lab *lab, const char *table, int server, double read_rate,
               double write_rate);
struct region_id lab_id(int region);

/* Counters grow with time. */
void lab_pass(struct lab *lab, int64_t ms);
/* The answer of one server now. */
void lab_poll(struct lab *lab, int server);
/* The same answer as a message, to be changed, applied and destroyed by the test. */
struct message *lab_answer(const struct lab *lab, int server);
/* The master's view now. */
void lab_cluster(struct lab *lab);
/* A listing of the whole cluster through the API, now. */
void lab_list(struct lab *lab);
/* The same as a message, of one table only unless that is NULL. */
struct message *lab_listing(const struct lab *lab, const char *table);
/* The server restarts with a new start code; its regions' counters begin at 0. */
void lab_restart(struct lab *lab, int server, int64_t start_code);
/* The region goes to another server (-1: nowhere yet), where its counters begin at 0.
 */
void lab_move(struct lab *lab, int region, int server);
/* Evaluates now and keeps the snapshot and events. */
struct snapshot *lab_evaluate(struct lab *lab);
/* interval passes, all servers that are up are polled, evaluation. `n` times. */
struct snapshot *lab_tick(struct lab *lab, int n);

/* The alert about this region (origin), or NULL. */
const struct alert *lab_alert(const struct lab *lab, int region);
/* The alert about a table, a server address or the "cluster", or NULL. */
const struct alert *lab_alert_about(const struct lab *lab, const char *name);
/* The row of a region, or NULL. */
const struct region_row *lab_row(const struct lab *lab, int region);
const struct table_row *lab_table(const struct lab *lab, const char *table);
const struct server_row *lab_server(const struct lab *lab, int server);

/* Ten even regions of "orders" on three servers with `rate` reads/s each, region 4
 * `times` as loaded; starts the engine. Returns 4. */
int lab_even_table(struct lab *lab, double rate, double times);
/* Gives the regions of lab_even_table() the keys "", "10", "20" ... "90", "". */
void lab_even_keys(struct lab *lab);

#endif
