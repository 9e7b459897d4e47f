/* SPDX-License-Identifier: Apache-2.0 */
/* Plays the scenarios and prints the score.
 *
 * usage: scenarios [--seeds N] [--kind NAME] [--trace] [--report]
 *        scenarios --study | --list
 *
 * Status 1 when a figure misses its limit. --report prints three parts in Markdown,
 * apart by lines "---": over all, by kind, field cases; the misses go to standard
 * error.
 * --study tries other settings; --list names the kinds. TEST_SEED=n in the environment
 * begins at another seed. */
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

static void
print_report(struct result *r)
{
    report_overall(stdout, r);
    printf("---\n");
    report_kinds(stdout, r);
    printf("---\n");
    report_cases(stdout);
}

int
main(int argc, char **argv)
{
    static const struct option options[] = {{"seeds", required_argument, NULL, 's'},
                                            {"kind", required_argument, NULL, 'k'},
                                            {"trace", no_argument, NULL, 't'},
                                            {"report", no_argument, NULL, 'r'},
                                            {"study", no_argument, NULL, 'S'},
                                            {"list", no_argument, NULL, 'l'},
                                            {NULL, 0, NULL, 0}};
    const char *seed = getenv("TEST_SEED"), *only = NULL;
    uint64_t base = seed == NULL ? 1 : strtoull(seed, NULL, 10);
    unsigned seeds = DEFAULT_SEEDS;
    bool trace = false, report = false;

    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 's')
            seeds = (unsigned)strtoul(optarg, NULL, 10);
        else if (c == 'k')
            only = optarg;
        else if (c == 'l')
            return list_kinds(), 0;
        else if (c == 'S')
            return report_study(stdout, base), 0;
        else if (c == '?')
            return 2;
        trace |= c == 't';
        report |= c == 'r';
    }
    fprintf(stderr, "TEST_SEED=%" PRIu64 ", %u seeds\n", base, seeds);
    struct result *r = result_play(base, seeds, only, NULL, trace);
    if (report)
        print_report(r);
    else
        report_overall(stdout, r);
    unsigned misses = report_misses(stderr, r);
    result_destroy(r);
    return misses > 0;
}
