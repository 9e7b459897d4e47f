/* SPDX-License-Identifier: Apache-2.0 */
/* All scenarios again with one setting changed at a time: what each default buys. The
 * truth stays the same, and is that of the defaults. */
#include <math.h>

#include "tests/scenarios/report.h"

enum { STUDY_SEEDS = 3 };

struct variation {
    const char *setting;
    const char *value;
    void (*set)(struct detection_config *d, double to);
    double to;
    bool is_default;
};

static void
set_threshold(struct detection_config *d, double to)
{
    for (int a = 0; a < ACCESS_COUNT; a++)
        d->rule.threshold[a] = to;
}

static void
set_min_rate(struct detection_config *d, double to)
{
    for (int a = 0; a < ACCESS_COUNT; a++)
        d->rule.min_rate[a] = to;
}

static void
set_baseline(struct detection_config *d, double to)
{
    d->rule.baseline = (enum baseline_kind)to;
}

static void
set_window(struct detection_config *d, double to)
{
    d->window_ms = (int64_t)to;
}

static void
set_for(struct detection_config *d, double to)
{
    d->rule.for_ms = (int64_t)to;
}

static void
set_clear_ratio(struct detection_config *d, double to)
{
    d->rule.clear_ratio = to;
}

static void
set_clear_for(struct detection_config *d, double to)
{
    d->rule.clear_for_ms = (int64_t)to;
}

static void
set_share(struct detection_config *d, double to)
{
    d->rule.min_server_share = to;
}

static void
set_server_threshold(struct detection_config *d, double to)
{
    d->server_threshold = to;
}

static const struct variation variations[] = {
    {"threshold", "2", set_threshold, 2, false},
    {"threshold", "3", set_threshold, 3, true},
    {"threshold", "4", set_threshold, 4, false},
    {"threshold", "5", set_threshold, 5, false},
    {"baseline", "rest", set_baseline, BASELINE_REST, true},
    {"baseline", "others", set_baseline, BASELINE_OTHERS, false},
    {"baseline", "all", set_baseline, BASELINE_ALL, false},
    {"baseline", "median", set_baseline, BASELINE_MEDIAN, false},
    {"min_rate", "0", set_min_rate, 0, false},
    {"min_rate", "100", set_min_rate, 100, true},
    {"min_rate", "500", set_min_rate, 500, false},
    {"min_server_share", "0", set_share, 0, false},
    {"min_server_share", "0.1", set_share, 0.1, false},
    {"min_server_share", "0.25", set_share, 0.25, true},
    {"min_server_share", "0.5", set_share, 0.5, false},
    {"window", "1m", set_window, 60000, false},
    {"window", "2m", set_window, 120000, true},
    {"window", "5m", set_window, 300000, false},
    {"for", "0s", set_for, 0, false},
    {"for", "1m", set_for, 60000, false},
    {"for", "2m", set_for, 120000, true},
    {"for", "5m", set_for, 300000, false},
    {"clear_ratio", "0.6", set_clear_ratio, 0.6, false},
    {"clear_ratio", "0.8", set_clear_ratio, 0.8, true},
    {"clear_ratio", "0.95", set_clear_ratio, 0.95, false},
    {"clear_for", "1m", set_clear_for, 60000, false},
    {"clear_for", "5m", set_clear_for, 300000, true},
    {"clear_for", "10m", set_clear_for, 600000, false},
    {"server_threshold", "1.5", set_server_threshold, 1.5, false},
    {"server_threshold", "2", set_server_threshold, 2, true},
    {"server_threshold", "3", set_server_threshold, 3, false},
};

static const struct variation *current;

static void
vary(struct config *config)
{
    current->set(&config->detection, current->to);
}

void
report_study(FILE *out, uint64_t base_seed)
{
    fprintf(out, "| setting | value | false alerts | precision | missed | recall | "
                 "delay p50, s | delay p95, s | flaps | ended early | ended late |\n"
                 "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < sizeof(variations) / sizeof(variations[0]); i++) {
        current = &variations[i];
        struct result *r = result_play(base_seed, STUDY_SEEDS, NULL, vary, false);
        struct tally *t = &r->all[JUDGE_OURS];
        const char *mark = current->is_default ? "**" : "";
        fprintf(out,
                "| `%s` | %s%s%s | %u | %.3f | %u | %.3f | %.0f | %.0f | %u | %u | %u "
                "|\n",
                current->setting, mark, current->value, mark, t->wrong,
                tally_precision(t), t->wanted - t->found, tally_recall(t),
                tally_delay(t, 0.5), tally_delay(t, 0.95), t->flaps, t->early, t->late);
        fflush(out);
        result_destroy(r);
    }
}
