/* SPDX-License-Identifier: Apache-2.0 */
/* Scores as Markdown tables. */
#ifndef TESTS_SCENARIOS_REPORT_H
#define TESTS_SCENARIOS_REPORT_H

#include <stdio.h>

#include "tests/scenarios/kinds.h"

extern const struct kind_group *const kind_groups[];
extern const size_t kind_group_count;

/* Sums of every kind, in the order of the groups, and over all. */
struct result {
    struct tally (*kinds)[JUDGE_COUNT];
    size_t count;
    struct tally all[JUDGE_COUNT];
    unsigned seeds;
};

/* Plays every kind (only those named `only`, unless NULL) with that many seeds. */
struct result *result_play(uint64_t base_seed, unsigned seeds, const char *only,
                           vary_fn *vary, bool trace);
struct result *result_destroy(struct result *r);

void report_overall(FILE *out, struct result *r);
void report_kinds(FILE *out, struct result *r);
/* What happened in the field, and which scenario or test meets it. */
void report_cases(FILE *out);
/* All again with one setting changed at a time. */
void report_study(FILE *out, uint64_t base_seed);
/* Prints what does not reach the limits; returns how many figures. */
unsigned report_misses(FILE *out, struct result *r);

#endif
