/* SPDX-License-Identifier: Apache-2.0 */
/* Scenario files: settings of the cluster, tables, and what happens when. */
#ifndef SIM_SCENARIO_H
#define SIM_SCENARIO_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/sim/cluster.h"
#include "tests/sim/timeline.h"

/* How a scenario's cluster meets the network. */
struct scenario {
    unsigned servers, masters;
    int64_t idle; /* ms after which an idle connection is closed */
    struct timeline timeline;
};

/* Reads the file into *c (after cluster_init() with start_wall, speed and random set)
 * and *ret; starts the cluster. -EINVAL with "FILE:LINE: reason" in *p, or a negative
 * errno. */
int scenario_load(const char *path, struct cluster *c, struct scenario *ret,
                  struct problem *p);
/* Reads one command as it stands behind "at TIME"; NULL with the reason in *p. */
struct command *scenario_command(const char *line, struct problem *p);
/* Runs the timeline without a network: through its last event and ten minutes more.
 * Returns the number of commands that could not be done, each reported on `out`. */
unsigned scenario_rehearse(const char *path, struct cluster *c, struct scenario *s,
                           FILE *out);
/* The language, for --help. */
void scenario_help(FILE *out);

#endif
