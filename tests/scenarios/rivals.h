/* SPDX-License-Identifier: Apache-2.0 */
/* Three rules that need no daemon, on the same rates: what a query over region metrics
 * or a look at a sorted list would say. */
#ifndef TESTS_SCENARIOS_RIVALS_H
#define TESTS_SCENARIOS_RIVALS_H

#include "tests/scenarios/score.h"

/* Sets ret_hot[i] for each region i of the snapshot that the judge calls hot now:
 * JUDGE_PLAIN: rate > 3 x the average of all regions of its table;
 * JUDGE_OTHERS: rate > 3 x the average of its table's other regions;
 * JUDGE_SORTED: the one with the highest rate. No floors, no hold. */
void rivals_judge(enum judge judge, const struct snapshot *s, bool *ret_hot);

#endif
