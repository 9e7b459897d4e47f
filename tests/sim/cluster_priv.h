/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the model share among themselves. */
#ifndef SIM_CLUSTER_PRIV_H
#define SIM_CLUSTER_PRIV_H

#include "tests/sim/cluster.h"

/* A region with one reference, served by nobody, at rate 0. */
struct region *region_create(const struct cluster *c, int64_t t, struct table *table,
                             const struct split_key *start, const struct split_key *end,
                             int64_t id, unsigned replica);
/* Both counters start at 0, the rates stay. */
void region_restart(struct region *r, int64_t t);
/* Sets the rates to which `calm` returns, and the current ones. */
void region_set_load(const struct cluster *c, int64_t t, struct region *r,
                     uint64_t read, uint64_t write);

/* Takes over the reference. */
void table_insert(struct table *table, struct region *r);
/* Gives up the table's reference. */
void table_remove(struct table *table, struct region *r);

void server_add(struct server *s, struct region *r);
void server_remove(const struct cluster *c, int64_t t, struct server *s,
                   struct region *r);
/* The next live server in turn; NULL if none is up. */
struct server *cluster_next_server(struct cluster *c);

/* -1, 0, 1 as bytes; an empty key is the lowest. */
int key_compare(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len);

#endif
