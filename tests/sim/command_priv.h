/* SPDX-License-Identifier: Apache-2.0 */
/* What reading and running of commands share. */
#ifndef SIM_COMMAND_PRIV_H
#define SIM_COMMAND_PRIV_H

#include "tests/sim/command.h"

/* Words of a line; the first failure stays. */
struct words {
    const char *const *word;
    size_t count, at;
    struct problem *problem;
    bool failed;
};

enum region_choice { REGION_NUMBER, REGION_KEY, REGION_ALL, REGION_RANDOM };

struct region_ref {
    char *table;
    enum region_choice choice;
    unsigned number; /* of REGION_NUMBER */
    unsigned replica;
    struct split_key key; /* start key of REGION_KEY */
};

struct table_spec {
    char *name;
    struct table model;
    struct split_key *keys;
    size_t key_count, key_cap;
    unsigned *on;
    size_t on_count, on_cap;
};

#define NUMBER_RANDOM 0 /* a server's number: any that is up */

struct command {
    const struct verb *verb;
    struct region_ref region, other;
    unsigned number;
    bool has_read, has_write;
    uint64_t read, write; /* rates in thousandths, or counts */
    uint64_t to;          /* where a ramp ends */
    uint64_t factor;      /* thousandths */
    int64_t duration;
    struct split_key key;
    unsigned lower; /* thousandths */
    enum fault fault;
    int64_t argument;
    char *name, *value;
    struct split_key *rows;
    size_t row_count, row_cap;
    struct draw draw;
    struct table_spec table;
};

struct verb {
    const char *name;
    const char *usage;
    const char *help;
    void (*read)(struct words *w, struct command *command);
    int (*run)(const struct command *command, struct cluster *c, struct timeline *later,
               int64_t t, struct problem *p);
};

typedef void read_fn(struct words *w, struct command *command);
typedef int run_fn(const struct command *command, struct cluster *c,
                   struct timeline *later, int64_t t, struct problem *p);

read_fn read_rate, read_ramp, read_hot, read_region, read_counters, read_scan,
    read_size, read_rows, read_calls, read_grow, read_move, read_split, read_merge,
    read_frozen, read_server_number, read_restart, read_server_fault, read_master_fault,
    read_failover, read_drop, read_set, read_unset, read_noise, read_table,
    read_master_number;
run_fn run_rate, run_ramp, run_hot, run_calm, run_counters, run_scan, run_size,
    run_rows, run_calls, run_grow, run_move, run_split, run_merge, run_compact,
    run_frozen, run_thaw, run_restart, run_kill, run_start, run_server_fault,
    run_master_fault, run_failover, run_start_master, run_drop, run_set, run_noise,
    run_table;

#endif
