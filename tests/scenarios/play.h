/* SPDX-License-Identifier: Apache-2.0 */
/* Plays a scenario: the plan's actions, polls at each host's own phase, the master's
 * word, listings, and at each tick the engine's evaluation, which is scored. Hours pass
 * in milliseconds. */
#ifndef TESTS_SCENARIOS_PLAY_H
#define TESTS_SCENARIOS_PLAY_H

#include "tests/scenarios/score.h"
#include "tests/scenarios/stage.h"

struct kind {
    const char *name;
    const char *what; /* for the table in the documentation */
    void (*build)(struct stage *s);
};

/* Changes the configuration of a run; NULL: the defaults. */
typedef void vary_fn(struct config *config);

/* Plays one scenario and adds its score to sums. trace: prints what happened. */
void play(const struct kind *kind, uint64_t seed, vary_fn *vary,
          struct tally sums[static JUDGE_COUNT], bool trace);

#endif
