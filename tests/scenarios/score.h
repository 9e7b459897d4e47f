/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what judges say with the planted truth: alerts right and wrong, truths found
 * and missed, delays, flaps. The same for hotspotd and for the simple rules. */
#ifndef TESTS_SCENARIOS_SCORE_H
#define TESTS_SCENARIOS_SCORE_H

#include <stddef.h>

#include "analysis/engine.h"
#include "tests/scenarios/stage.h"

/* An alert as a judge has it in one evaluation. */
struct flag {
    enum alert_kind kind;
    uint32_t numbers[ALERT_MEMBERS_MAX + 1]; /* of regions */
    int number_count;
    int table, host; /* -1 */
    bool overflow;
    enum heat_class heat_class; /* CLASS_COUNT: not said */
};

/* Sums over runs, of one judge. */
struct tally {
    unsigned alerts, right, wrong;  /* beside those of truths that need not be found */
    unsigned truths, wanted, found; /* wanted: those that must be found */
    unsigned flaps;                 /* further alerts of a truth that had one */
    unsigned early, late;           /* ended while it lasted; went on long after */
    unsigned excess;                /* alerts beyond those allowed for a cause */
    unsigned most_single, most_shared; /* alerts of a cause of one, of many regions */
    unsigned class_seen, class_right;  /* truths */
    double *delays;                    /* s; owned */
    size_t delay_count, delay_cap;
};

void tally_add(struct tally *sum, const struct tally *more);
void tally_finish(struct tally *t);
double tally_precision(const struct tally *t); /* 1 without alerts */
double tally_recall(const struct tally *t);    /* 1 without truths */
double tally_class(const struct tally *t);     /* NaN without */
/* The share-quantile of the delays, s; NaN without. Sorts them. */
double tally_delay(struct tally *t, double share);

/* What is kept while one scenario is played. */
struct score;
struct score *score_create(struct stage *s);
struct score *score_destroy(struct score *score);
/* After each evaluation: of hotspotd and of the three rules that read its snapshot. */
void score_evaluation(struct score *score, const struct snapshot *snapshot,
                      const struct engine_event *events, size_t event_count);
/* At the end: adds to sums[JUDGE_COUNT]. trace: prints what was wrong. */
void score_sum(const struct score *score, struct tally sums[static JUDGE_COUNT],
               bool trace);

#endif
