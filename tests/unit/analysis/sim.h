/* SPDX-License-Identifier: Apache-2.0 */
/* A cluster that is never at rest, for tests of the engine over thousands of ticks:
 * what happens in it, and the messages that collectors would make of it. One at a time,
 * in `sim`. */
#ifndef TESTS_UNIT_ANALYSIS_SIM_H
#define TESTS_UNIT_ANALYSIS_SIM_H

#include "analysis/engine.h"
#include "tests/unit/common/harness.h"

/* ck_assert() is too slow for what is checked a million times. */
#define must(condition)                                                                \
    do {                                                                               \
        if (!(condition))                                                              \
            ck_abort_msg("%s", #condition);                                            \
    } while (0)

enum {
    SERVERS = 6,
    TABLES = 5,
    REGIONS_MOST = 160,
    IDS = 400000,
    KEYS = 1 << 16,
    INTERVAL = 30000
};

struct sim_region {
    uint32_t number; /* of all that ever were; 0: no region in this place */
    int table;
    int server; /* -1: on its way */
    uint32_t start, end;
    double read_rate, write_rate, read, write;
    int copy_on; /* a frozen copy there; -1 */
    uint64_t copy_read;
};

struct sim_server {
    int64_t start_code;
    int down, empty; /* for so many ticks */
    bool dead;
    struct message *last; /* to be repeated */
};

struct sim {
    struct generator g;
    struct config config;
    struct engine *engine;
    struct snapshot *last;
    struct moment now;
    int64_t clock_skew_ms;
    bool keys; /* listings come */
    struct sim_region regions[REGIONS_MOST];
    struct sim_server servers[SERVERS];
    uint32_t numbers;
    uint32_t family[IDS]; /* union-find over numbers */
    int unlisted[TABLES]; /* truncated; so many quiet listings must come */
    bool settled[TABLES]; /* neither split nor merged since the last listing */
    /* What the test notes. */
    uint8_t alerts[IDS]; /* by origin: 1 while it fires */
    uint8_t seen[IDS];
    unsigned firing;
    uint64_t fired, resolved, held, reasons[END_REASON_COUNT], kinds[ALERT_KIND_COUNT];
};

extern struct sim sim;

/* A fresh cluster and its engine; prints the seed. With keys, listings are to come. */
void sim_begin(const char *name, bool keys);
/* Something happens, or nothing. */
void sim_happen(void);
/* An interval passes; counters grow. */
void sim_pass(void);
/* All servers answer, and all regions are on one. */
bool sim_is_calm(void);
/* What began as one region, by number: the same for all that came of it. */
uint32_t sim_family(uint32_t number);

/* Messages to the engine. */
void sim_poll(int server);
void sim_tell_cluster(void);
void sim_list(void);

#endif
