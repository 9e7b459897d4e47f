/* SPDX-License-Identifier: Apache-2.0 */
/* What happens when: commands in the order of their times. Each runs at exactly its own
 * time, however late the program looks, so that counters and names come out the same.
 */
#ifndef SIM_TIMELINE_H
#define SIM_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "tests/sim/command.h"

#define TIMELINE_END INT64_MAX

struct event {
    int64_t at;     /* scenario ms of the next time */
    uint64_t order; /* among events of one time: as they were added */
    int64_t every;  /* 0: once */
    int64_t until;  /* no later than this */
    unsigned line;  /* of the scenario; 0: a consequence of another command */
    struct command *command;
};

struct timeline {
    struct event *events;
    size_t count, cap;
    uint64_t added;
    int64_t next; /* TIMELINE_END: nothing more */
};

/* Called for each command that could not be done. */
typedef void timeline_report_fn(void *user, unsigned line, int64_t t,
                                const struct problem *p);

void timeline_init(struct timeline *tl);
void timeline_finish(struct timeline *tl);
/* Takes the command over. */
void timeline_add(struct timeline *tl, const struct event *event);
/* Adds a command given as text; it must be a good one. */
void timeline_later(struct timeline *tl, int64_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Runs what is due up to t. Returns the number of commands run. */
unsigned timeline_run(struct timeline *tl, struct cluster *c, int64_t t,
                      timeline_report_fn *report, void *user);

#endif
