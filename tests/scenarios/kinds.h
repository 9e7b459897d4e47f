/* SPDX-License-Identifier: Apache-2.0 */
/* All scenarios, in groups: one file each. */
#ifndef TESTS_SCENARIOS_KINDS_H
#define TESTS_SCENARIOS_KINDS_H

#include <stddef.h>

#include "tests/scenarios/play.h"

struct kind_group {
    const char *title;
    const struct kind *kinds;
    size_t count;
};

extern const struct kind_group kinds_calm, kinds_skewed, kinds_hot, kinds_few,
    kinds_motion, kinds_tails, kinds_faults, kinds_wide, kinds_class;

#define KIND_GROUP(title, kinds)                                                       \
    {                                                                                  \
        title, kinds, sizeof(kinds) / sizeof((kinds)[0])                               \
    }

/* The usual beginning: hosts, company, and a table "orders" of that many regions with
 * 5 to 60 requests/s each. Returns the table. */
static inline int
usual_scene(struct stage *s, int regions)
{
    plan_hosts(s, dice_int(dice(s), 4, 12));
    plan_company(s);
    double rate = dice_between(dice(s), 5, 60);
    double writes = dice_between(dice(s), 0.1, 0.9);
    return plan_table(s, "orders", regions, rate * (1 - writes), rate * writes, 0.3);
}

/* Read or write, as it falls. */
static inline enum access
any_access(struct stage *s)
{
    return dice_below(dice(s), 2) == 0 ? ACCESS_READ : ACCESS_WRITE;
}

static inline int
any_host(struct stage *s)
{
    return dice_below(dice(s), s->cluster.host_count);
}

/* A host other than the place's at the beginning, so many further. */
static inline int
other_host(const struct stage *s, int place, int step)
{
    int n = s->cluster.host_count, h = s->cluster.places[place].host;

    return (h + 1 + step % (n - 1)) % n;
}

#endif
