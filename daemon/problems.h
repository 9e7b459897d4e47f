/* SPDX-License-Identifier: Apache-2.0 */
/* What keeps hotspotd from seeing or saying everything, in words, for problems[] of
 * /api/v1/status and the page: being blind must not look like being healthy. Pure. */
#ifndef DAEMON_PROBLEMS_H
#define DAEMON_PROBLEMS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/snapshot.h"
#include "daemon/targets.h"

struct problem_input {
    const struct config *config;
    const struct snapshot *snapshot;
    const struct targets *targets;
    const struct string_list *config_warnings; /* "file:line:column: ..." */
    const char *reload_error;                  /* NULL: the last reload went well */
    bool have_round;
    struct round_summary last_round;
    int64_t last_listing_ms; /* wall clock; 0 never */
    struct moment started;
    struct moment now;
};

/* Below this share of fresh regions the coverage is a problem. */
#define COVERAGE_LOW 0.9

/* Whether no round has been completed for three intervals (and a timeout). */
bool rounds_stalled(const struct problem_input *in);
/* Whether regions are known and too few of them are fresh. */
bool coverage_low(const struct problem_input *in);

/* The problems now; the caller frees the texts and the array. */
void problems_collect(const struct problem_input *in, struct string_list *ret_problems);

/* That there is nothing to watch, or NULL. No error, since a package is installed
 * before it is configured. */
const char *problem_without_sources(const struct config *c);

#endif
