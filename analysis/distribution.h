/* SPDX-License-Identifier: Apache-2.0 */
/* The rates of one scope (the fresh regions of a table) and what one region is compared
 * with. Pure arithmetic; formulas in docs/detection.md. */
#ifndef ANALYSIS_DISTRIBUTION_H
#define ANALYSIS_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

/* r_h and r_{h+1} are set apart when r_{h+1} < GAP_RATIO * r_h. */
#define GAP_RATIO 0.9

struct distribution {
    size_t n;
    double sum;
    double sum_of_squares;
    double max;
    double median;
    size_t top;       /* H: how many are set apart from the rest; 0 none */
    double rest_sum;  /* of those that are not among the first H */
    double top_floor; /* r_H; INFINITY when H is 0 */
};

/* Summarises n rates (>= 0); sorts them, highest first. H is the largest
 * h <= max(1, n / threshold) with r_h >= threshold * mean(r_{h+1} ... r_n) and
 * r_{h+1} < GAP_RATIO * r_h. threshold > 1. */
void distribution_make(struct distribution *d, double *rates, size_t n,
                       double threshold);

/* Baseline of a region of the scope with this rate:
 * rest: mean of those neither among the first H nor itself (of the others, if none is
 * left); others: mean of the others; all: mean; median. NaN if it is alone. */
double distribution_baseline(const struct distribution *d, enum baseline_kind kind,
                             double rate);

/* (sum r)^2 / sum r^2: how many equally loaded regions would be as concentrated; 0 when
 * all are idle. */
double distribution_effective(const struct distribution *d);
/* Hottest / mean of the others; NaN below two, INFINITY when the others are idle. */
double distribution_skew(const struct distribution *d);

/* rate / baseline; INFINITY for load against none, NaN when unknown or 0 / 0. */
double load_ratio(double rate, double baseline);

struct verdict {
    bool hot;
    bool cool;
    double baseline;
    double ratio;
    double limit;
};

/* The region rule for one access. rate: mean of the window; newest: of the newest pair;
 * floor: the highest of the absolute limits. */
struct verdict distribution_judge(const struct distribution *d, const struct rule *rule,
                                  enum access access, double rate, double newest,
                                  double floor);
/* The same against a given baseline and limit (single regions, meta). */
struct verdict limit_judge(double baseline, double limit, double clear_ratio,
                           double rate, double newest);

#endif
