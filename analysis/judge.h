/* SPDX-License-Identifier: Apache-2.0 */
/* The rules. By scope (the primaries of a table, or one replica number of it): region
 * (two or more regions), single region and meta in judge.c, table in judge_table.c.
 * Servers in judge_server.c. */
#ifndef ANALYSIS_JUDGE_H
#define ANALYSIS_JUDGE_H

#include "analysis/detector.h"
#include "analysis/load.h"
#include "analysis/registry.h"

/* Adds the verdicts of this evaluation to the findings of the episodes, opens episodes
 * for what is newly hot, and fills load->tables[].total. */
void judge_tables(struct detector *d, struct registry *r, struct load *load,
                  struct moment now);
/* The same for servers; after judge_tables(), which tells what other alerts are about.
 */
void judge_servers(struct detector *d, struct registry *r, struct load *load,
                   struct moment now);

/* A table's figures, for a finding about it. */
void judge_describe_table(const struct registry *r, const struct load *load,
                          uint32_t table, struct finding *f);

#endif
