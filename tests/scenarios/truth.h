/* SPDX-License-Identifier: Apache-2.0 */
/* How hot the truths are: planted loads against the limits that hotspotd's
 * documentation states, taken straight from the plan. Nothing of analysis/ is asked. */
#ifndef TESTS_SCENARIOS_TRUTH_H
#define TESTS_SCENARIOS_TRUTH_H

#include "tests/scenarios/stage.h"

/* Notes, for each truth that lasts now, by how many times it exceeds its limit. */
void truth_measure(struct stage *s);
/* The mean of that; 0 if it never was. */
double truth_factor(const struct truth *t);
/* Clear and long enough that it must be found. */
bool truth_is_wanted(const struct truth *t, int64_t interval_ms);
/* By how many times a server exceeds its limit now. */
double truth_server_factor(const struct stage *s, int host);
bool truth_lasts(const struct truth *t, int64_t now);

#endif
