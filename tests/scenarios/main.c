/* SPDX-License-Identifier: Apache-2.0 */
/* Plays the scenarios and prints the score.
 *
 * usage: scenarios [--seeds N] [--kind NAME] [--trace] [--overall] [--kinds] [--list]
 *
 * Without a form of report it checks the limits: status 1 when a figure misses its own.
 * TEST_SEED=n in the environment begins at another seed. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/scenarios/report.h"

enum { DEFAULT_SEEDS = 20 };

static void
list_kinds(void)
{
    for (size_t g = 0; g < kind_group_count; g++)
        for (size_t i = 0; i < kind_groups[g]->count; i++)
            printf("%s\n", kind_groups[g]->kinds[i].name);
}

int
main(int argc, char **argv)
{
    static const struct option options[] = {{"seeds", required_argument, NULL, 's'},
                                            {"kind", required_argument, NULL, 'k'},
                                            {"trace", no_argument, NULL, 't'},
                                            {"overall", no_argument, NULL, 'o'},
                                            {"kinds", no_argument, NULL, 'K'},
                                            {"list", no_argument, NULL, 'l'},
                                            {NULL, 0, NULL, 0}};
    const char *seed = getenv("TEST_SEED"), *only = NULL;
    uint64_t base = seed == NULL ? 1 : strtoull(seed, NULL, 10);
    unsigned seeds = DEFAULT_SEEDS;
    bool trace = false, overall = false, by_kind = false;

    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 's')
            seeds = (unsigned)strtoul(optarg, NULL, 10);
        else if (c == 'k')
            only = optarg;
        else if (c == 'l')
            return list_kinds(), 0;
        else if (c == '?')
            return 2;
        trace |= c == 't';
        overall |= c == 'o';
        by_kind |= c == 'K';
    }
    struct result *r = result_play(base, seeds, only, NULL, trace);
    unsigned misses = 0;
    if (overall || by_kind) {
        if (overall)
            report_overall(stdout, r);
        if (by_kind)
            report_kinds(stdout, r);
    } else {
        printf("TEST_SEED=%" PRIu64 ", %u seeds\n", base, seeds);
        report_overall(stdout, r);
        misses = report_misses(stdout, r);
    }
    result_destroy(r);
    return misses > 0;
}
