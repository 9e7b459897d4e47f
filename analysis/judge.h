/* SPDX-License-Identifier: Apache-2.0 */
/* The rules: looks at each scope (the primaries of a table, or one replica number of
 * it) and judges its regions. Region (two or more regions), single region, meta: one
 * function each in judge.c. */
#ifndef ANALYSIS_JUDGE_H
#define ANALYSIS_JUDGE_H

#include "analysis/detector.h"
#include "analysis/load.h"
#include "analysis/registry.h"

/* Adds the verdicts of this evaluation to the findings of the regions' episodes, opens
 * episodes for those newly hot, and fills load->tables[].total. */
void judge_tables(struct detector *d, struct registry *r, struct load *load,
                  struct moment now);

#endif
