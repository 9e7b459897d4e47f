/* SPDX-License-Identifier: Apache-2.0 */
/* Why the subject of an alert is hot, and what to do: keeps a story for each episode
 * (what its rows told, which class it has), and gives each alert its explanation after
 * it was judged. The rules of the classes stand in analysis/classify.c, the commands in
 * analysis/advise.c. The engine's thread only. */
#ifndef ANALYSIS_EXPLAIN_H
#define ANALYSIS_EXPLAIN_H

#include "analysis/calls.h"
#include "analysis/detector.h"
#include "analysis/load.h"
#include "analysis/registry.h"
#include "analysis/row_heat.h"
#include "analysis/surroundings.h"
#include "collectors/sample.h"

/* A class that was found once stays until another one was found in so many evaluations
 * in a row; "unknown" never takes the place of another. */
enum { CLASS_SETTLES = 3 };

/* How many of each an explanation names. */
enum { EXPLAIN_ROWS = 5, EXPLAIN_CLIENTS = 5, EXPLAIN_COMMANDS = 6 };

struct story {
    struct row_heat heat;
    enum heat_class heat_class;
    enum heat_class other; /* found last instead; */
    unsigned other_count;  /* so many times in a row */
    struct region_id last; /* the hottest region of the last evaluation */
    unsigned went_up;      /* splits after which the heat was in the upper daughter */
    unsigned went_down;
};

/* Accepts NULL; returns NULL. */
struct story *story_destroy(struct story *s);

/* One alert under the magnifying glass. */
struct subject {
    const struct registry *r;
    const struct load *load;
    const struct calls *calls;
    const struct surroundings *around;
    const struct detector *d;
    const struct episode *e;
    const struct alert *a;
    const struct story *story;
    const struct region *region; /* the hottest of it; NULL: none known */
    uint32_t table;              /* slot; NO_INDEX */
};

/* Gives every pending and firing alert that could be judged its explanation as of now.
 */
void explain_update(struct detector *d, const struct registry *r,
                    const struct load *load, const struct calls *calls,
                    struct moment now);

/* Rows of one session into the stories of the alerts whose regions they are in; rows
 * of tables without row_sampling are dropped. */
void explain_rows(struct detector *d, const struct registry *r,
                  const struct row_samples *rows);

#endif
