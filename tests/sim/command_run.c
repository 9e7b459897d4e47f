/* SPDX-License-Identifier: Apache-2.0 */
/* Runs commands on the cluster at a time t. Owns nothing. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "tests/sim/cluster_priv.h"
#include "tests/sim/command_priv.h"
#include "tests/sim/sample.h"
#include "tests/sim/timeline.h"

/* Counts the table's regions of a replica; the i-th of them in *ret. */
static size_t
replica_regions(const struct table *table, unsigned replica, size_t i,
                struct region **ret)
{
    size_t n = 0;

    for (size_t k = 0; k < table->count; k++) {
        if (table->regions[k]->replica != replica)
            continue;
        if (n++ == i)
            *ret = table->regions[k];
    }
    return n;
}

static int
find_region(const struct region_ref *ref, struct cluster *c, struct region **ret,
            struct problem *p)
{
    struct table *table = cluster_table(c, ref->table);
    struct region *found = NULL;
    size_t n;

    if (!table)
        return problem_set(p, "there is no table '%.100s'", ref->table);
    n = replica_regions(table, ref->replica, ref->number, &found);
    if (ref->choice == REGION_RANDOM)
        (void)replica_regions(table, 0, random_below(&c->random, n), &found);
    if (ref->choice == REGION_KEY) {
        found = NULL;
        for (size_t i = 0; i < table->count; i++)
            if (table->regions[i]->replica == 0 &&
                key_compare(table->regions[i]->start, table->regions[i]->start_len,
                            ref->key.key, ref->key.len) == 0)
                found = table->regions[i];
        if (!found)
            return problem_set(p, "no region of %s begins with that key", table->name);
    }
    if (ref->choice == REGION_ALL)
        return problem_set(p, "this command takes one region of %s", table->name);
    if (!found)
        return problem_set(p, "table %s has %zu regions; there is no #%u", table->name,
                           n, ref->number);
    *ret = found;
    return 0;
}

typedef void region_fn(const struct command *command, struct cluster *c, int64_t t,
                       struct region *r);

/* Does it to the region, or to all regions of "TABLE#*". */
static int
each_region(const struct command *command, struct cluster *c, int64_t t,
            struct problem *p, region_fn *act)
{
    const struct region_ref *ref = &command->region;
    struct table *table = cluster_table(c, ref->table);
    struct region *region = NULL;
    int r;

    if (table && ref->choice == REGION_ALL) {
        for (size_t i = 0; i < table->count; i++)
            act(command, c, t, table->regions[i]);
        return 0;
    }
    r = find_region(ref, c, &region, p);
    if (r == 0)
        act(command, c, t, region);
    return r;
}

/* The number of a server that is up; 1 if none is. */
static unsigned
any_server(struct cluster *c)
{
    uint64_t chosen = random_below(&c->random, c->server_count);

    for (unsigned i = 0; i < c->server_count; i++) {
        const struct server *s = &c->servers[(chosen + i) % c->server_count];

        if (s->endpoint.up)
            return s->number;
    }
    return 1;
}

static int
find_server(const struct command *command, struct cluster *c, struct server **ret,
            struct problem *p)
{
    unsigned number = command->number;

    if (number == NUMBER_RANDOM)
        number = any_server(c);
    if (number > c->server_count)
        return problem_set(p, "there are %u servers; there is no %u", c->server_count,
                           number);
    *ret = &c->servers[number - 1];
    return 0;
}

static void
set_rate(const struct command *command, struct cluster *c, int64_t t, struct region *r)
{
    if (command->has_read)
        flow_set_rate(&r->read, t, c->noise, command->read);
    if (command->has_write)
        flow_set_rate(&r->write, t, c->noise, command->write);
}

int
run_rate(const struct command *command, struct cluster *c, struct timeline *later,
         int64_t t, struct problem *p)
{
    (void)later;
    return each_region(command, c, t, p, set_rate);
}

static void
ramp(const struct command *command, struct cluster *c, int64_t t, struct region *r)
{
    flow_ramp(command->has_read ? &r->read : &r->write, t, c->noise, command->read,
              command->to, command->duration);
}

int
run_ramp(const struct command *command, struct cluster *c, struct timeline *later,
         int64_t t, struct problem *p)
{
    (void)later;
    return each_region(command, c, t, p, ramp);
}

static void
multiply(const struct command *command, struct cluster *c, int64_t t, struct region *r)
{
    struct flow *const flows[] = {&r->read, &r->write};

    for (size_t i = 0; i < 2; i++) {
        double rate =
            (double)flow_rate(flows[i], t, 0) * (double)command->factor / 1000;

        flow_set_rate(flows[i], t, c->noise,
                      rate < (double)FLOW_RATE_MAX ? (uint64_t)rate : FLOW_RATE_MAX);
    }
}

int
run_hot(const struct command *command, struct cluster *c, struct timeline *later,
        int64_t t, struct problem *p)
{
    (void)later;
    return each_region(command, c, t, p, multiply);
}

static void
calm(const struct command *command, struct cluster *c, int64_t t, struct region *r)
{
    (void)command;
    region_set_load(c, t, r, r->calm_read, r->calm_write);
}

int
run_calm(const struct command *command, struct cluster *c, struct timeline *later,
         int64_t t, struct problem *p)
{
    (void)later;
    return each_region(command, c, t, p, calm);
}

static void
set_counters(const struct command *command, struct cluster *c, int64_t t,
             struct region *r)
{
    region_set_counters(c, t, r, command->has_read ? &command->read : NULL,
                        command->has_write ? &command->write : NULL);
}

int
run_counters(const struct command *command, struct cluster *c, struct timeline *later,
             int64_t t, struct problem *p)
{
    (void)later;
    return each_region(command, c, t, p, set_counters);
}

static void
set_scan(const struct command *command, struct cluster *c, int64_t t, struct region *r)
{
    region_set_scan(c, t, r, command->number);
}

int
run_scan(const struct command *command, struct cluster *c, struct timeline *later,
         int64_t t, struct problem *p)
{
    (void)later;
    return each_region(command, c, t, p, set_scan);
}

static void
set_size(const struct command *command, struct cluster *c, int64_t t, struct region *r)
{
    (void)c;
    (void)t;
    r->size = command->read;
}

int
run_size(const struct command *command, struct cluster *c, struct timeline *later,
         int64_t t, struct problem *p)
{
    (void)later;
    return each_region(command, c, t, p, set_size);
}

static void
set_rows(const struct command *command, struct cluster *c, int64_t t, struct region *r)
{
    (void)c;
    (void)t;
    region_set_rows(r, command->rows, command->row_count);
}

int
run_rows(const struct command *command, struct cluster *c, struct timeline *later,
         int64_t t, struct problem *p)
{
    (void)later;
    return each_region(command, c, t, p, set_rows);
}

static void
set_calls(const struct command *command, struct cluster *c, int64_t t, struct region *r)
{
    (void)c;
    (void)t;
    draw_finish(&r->draw);
    r->draw = draw_copy(&command->draw);
}

int
run_calls(const struct command *command, struct cluster *c, struct timeline *later,
          int64_t t, struct problem *p)
{
    (void)later;
    return each_region(command, c, t, p, set_calls);
}

static void
compact(const struct command *command, struct cluster *c, int64_t t, struct region *r)
{
    (void)command;
    (void)c;
    r->compacted = t;
}

int
run_compact(const struct command *command, struct cluster *c, struct timeline *later,
            int64_t t, struct problem *p)
{
    (void)later;
    return each_region(command, c, t, p, compact);
}

int
run_move(const struct command *command, struct cluster *c, struct timeline *later,
         int64_t t, struct problem *p)
{
    struct region *region = NULL;
    struct server *server = NULL;
    int r = find_region(&command->region, c, &region, p);

    (void)later;
    if (r == 0)
        r = find_server(command, c, &server, p);
    return r < 0 ? r : cluster_move(c, t, region, server, p);
}

int
run_split(const struct command *command, struct cluster *c, struct timeline *later,
          int64_t t, struct problem *p)
{
    struct region *region = NULL;
    int r = find_region(&command->region, c, &region, p);

    (void)later;
    return r < 0 ? r
                 : cluster_split(c, t, region, command->key.key, command->key.len,
                                 command->lower, p);
}

int
run_merge(const struct command *command, struct cluster *c, struct timeline *later,
          int64_t t, struct problem *p)
{
    struct region *a = NULL;
    struct region *b = NULL;
    int r = find_region(&command->region, c, &a, p);

    (void)later;
    if (r == 0)
        r = find_region(&command->other, c, &b, p);
    return r < 0 ? r : cluster_merge(c, t, a, b, p);
}

int
run_frozen(const struct command *command, struct cluster *c, struct timeline *later,
           int64_t t, struct problem *p)
{
    struct region *region = NULL;
    struct server *server = NULL;
    int r = find_region(&command->region, c, &region, p);

    (void)later;
    if (r == 0)
        r = find_server(command, c, &server, p);
    if (r == 0 && !server->endpoint.up)
        r = problem_set(p, "server %u is down", server->number);
    if (r == 0)
        server_freeze(c, t, server, region);
    return r;
}

int
run_thaw(const struct command *command, struct cluster *c, struct timeline *later,
         int64_t t, struct problem *p)
{
    struct server *server = NULL;
    int r = find_server(command, c, &server, p);

    (void)later;
    (void)t;
    if (r == 0)
        server_thaw(server);
    return r;
}

int
run_kill(const struct command *command, struct cluster *c, struct timeline *later,
         int64_t t, struct problem *p)
{
    struct server *server = NULL;
    int r = find_server(command, c, &server, p);

    (void)later;
    return r < 0 ? r : cluster_stop_server(c, t, server, false, p);
}

int
run_restart(const struct command *command, struct cluster *c, struct timeline *later,
            int64_t t, struct problem *p)
{
    struct server *server = NULL;
    int r = find_server(command, c, &server, p);

    if (r == 0)
        r = cluster_stop_server(c, t, server, true, p);
    if (r == 0)
        timeline_later(later, t + command->duration, "start server %u", server->number);
    return r;
}

int
run_start(const struct command *command, struct cluster *c, struct timeline *later,
          int64_t t, struct problem *p)
{
    struct server *server = NULL;
    int r = find_server(command, c, &server, p);

    (void)later;
    if (r == 0)
        cluster_start_server(c, t, server);
    return r;
}

int
run_server_fault(const struct command *command, struct cluster *c,
                 struct timeline *later, int64_t t, struct problem *p)
{
    struct server *server = NULL;
    int r = find_server(command, c, &server, p);

    (void)later;
    (void)t;
    if (r == 0) {
        server->endpoint.fault = command->fault;
        server->endpoint.argument = command->argument;
    }
    return r;
}

static int
find_master(const struct command *command, struct cluster *c, struct master **ret,
            struct problem *p)
{
    if (command->number == 0 || command->number > c->master_count)
        return problem_set(p, "there are %u masters; there is no %u", c->master_count,
                           command->number);
    *ret = &c->masters[command->number - 1];
    return 0;
}

int
run_master_fault(const struct command *command, struct cluster *c,
                 struct timeline *later, int64_t t, struct problem *p)
{
    struct master *master = NULL;
    int r = find_master(command, c, &master, p);

    (void)later;
    (void)t;
    if (r == 0) {
        master->endpoint.fault = command->fault;
        master->endpoint.argument = command->argument;
    }
    return r;
}

int
run_failover(const struct command *command, struct cluster *c, struct timeline *later,
             int64_t t, struct problem *p)
{
    unsigned old = 0;
    int r;

    for (unsigned i = 0; i < c->master_count; i++)
        if (c->masters[i].active)
            old = c->masters[i].number;
    r = cluster_failover(c, t, p);
    if (r == 0 && old > 0)
        timeline_later(later, t + command->duration, "start-master %u", old);
    return r;
}

int
run_start_master(const struct command *command, struct cluster *c,
                 struct timeline *later, int64_t t, struct problem *p)
{
    struct master *master = NULL;
    int r = find_master(command, c, &master, p);

    (void)later;
    if (r == 0)
        cluster_start_master(c, t, master);
    return r;
}

int
run_drop(const struct command *command, struct cluster *c, struct timeline *later,
         int64_t t, struct problem *p)
{
    struct table *table = cluster_table(c, command->name);

    (void)later;
    if (!table)
        return problem_set(p, "there is no table '%.100s'", command->name);
    cluster_drop_table(c, t, table);
    return 0;
}

int
run_set(const struct command *command, struct cluster *c, struct timeline *later,
        int64_t t, struct problem *p)
{
    struct server *server = NULL;
    int r = find_server(command, c, &server, p);

    (void)later;
    (void)t;
    if (r == 0)
        server_override(server, command->name, command->value);
    return r;
}

int
run_grow(const struct command *command, struct cluster *c, struct timeline *later,
         int64_t t, struct problem *p)
{
    struct server *server = NULL;
    int r = find_server(command, c, &server, p);

    (void)later;
    if (r == 0)
        server_grow(server, t, command->name, command->factor);
    return r;
}

int
run_noise(const struct command *command, struct cluster *c, struct timeline *later,
          int64_t t, struct problem *p)
{
    (void)later;
    (void)p;
    for (size_t i = 0; i < c->table_count; i++)
        for (size_t k = 0; k < c->tables[i]->count; k++)
            region_advance(c, t, c->tables[i]->regions[k]);
    c->noise = command->number;
    return 0;
}

int
run_table(const struct command *command, struct cluster *c, struct timeline *later,
          int64_t t, struct problem *p)
{
    const struct table_spec *spec = &command->table;

    (void)later;
    return cluster_create_table(c, t, spec->name, &spec->model, spec->keys,
                                spec->key_count, spec->on, spec->on_count, p);
}
