/* SPDX-License-Identifier: Apache-2.0 */
/* Commands: what a scenario lets happen to the cluster ("move orders#4 to 2"). A
 * command is read once, which finds every error of form, and run at its time, which
 * finds what does not fit the cluster of that moment. */
#ifndef SIM_COMMAND_H
#define SIM_COMMAND_H

#include <stdint.h>
#include <stdio.h>

#include "tests/sim/cluster.h"

struct command;
struct timeline;

enum { COMMAND_WORDS = 256 };

/* Reads words[0..count); NULL with the reason in *p. */
struct command *command_read(const char *const *words, size_t count, struct problem *p);
struct command *command_destroy(struct command *command);
/* Does it at t; later consequences (a restarted server's return) go to the timeline. */
int command_run(const struct command *command, struct cluster *c,
                struct timeline *later, int64_t t, struct problem *p);
/* "  rate REGION [read R] [write W]   ...": one line a command, for --help. */
void command_help(FILE *out);

#endif
