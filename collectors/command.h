/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program without a shell and collects what it prints, never waiting for it. It
 * gets a process group of its own, /dev/null as input, default signals and no
 * descriptor but 0, 1 and 2; whatever of the group is left at its end is killed. */
#ifndef COLLECTORS_COMMAND_H
#define COLLECTORS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/sample.h"
#include "common/buf.h"

struct command_limits {
    int64_t timeout_ms; /* then TERM */
    int64_t grace_ms;   /* then KILL */
    size_t output;      /* bytes of standard output */
};

struct command;

/* argv[0] is a path, or a name looked up in $PATH. NULL with a line in *ret_error
 * (caller frees) when it cannot be started. */
struct command *command_start(const char *const *argv,
                              const struct command_limits *limits, int64_t now_ms,
                              char **ret_error);
/* Kills the group at once, reaps the child and frees. Accepts NULL; returns NULL. */
struct command *command_destroy(struct command *c);

/* The descriptors that tell when a step is worthwhile. */
enum { COMMAND_FDS = 3 };
unsigned command_fds(const struct command *c, int fds[static COMMAND_FDS]);
/* Monotonic ms at which a step is needed whatever the descriptors say. */
int64_t command_next_ms(const struct command *c);

/* Reads what is there and enforces the limits; true once it is over. */
bool command_step(struct command *c, int64_t now_ms);

/* After the end: POLL_OK and the output (moved into *ret_output, which the caller ends
 * with buf_finish()), or why not, with the end of the standard error stream in the line
 * (caller frees). */
enum poll_outcome command_result(struct command *c, struct buf *ret_output,
                                 char **ret_error);

#endif
