/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/scenarios/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

const struct kind_group *const kind_groups[] = {
    &kinds_calm,  &kinds_skewed, &kinds_hot,  &kinds_few,   &kinds_motion,
    &kinds_tails, &kinds_faults, &kinds_wide, &kinds_class,
};
const size_t kind_group_count = sizeof(kind_groups) / sizeof(kind_groups[0]);

static const char *const judge_titles[JUDGE_COUNT] = {
    [JUDGE_OURS] = "hotspotd",
    [JUDGE_PLAIN] = "rate > 3 × average of all",
    [JUDGE_OTHERS] = "rate > 3 × average of the others",
    [JUDGE_SORTED] = "first of the sorted list",
};

/* ---- playing ---- */

static const struct kind *
kind_number(size_t i)
{
    for (size_t g = 0; g < kind_group_count; g++) {
        if (i < kind_groups[g]->count)
            return &kind_groups[g]->kinds[i];
        i -= kind_groups[g]->count;
    }
    return NULL;
}

struct result *
result_play(uint64_t base_seed, unsigned seeds, const char *only, vary_fn *vary,
            bool trace)
{
    struct result *r = xcalloc(1, sizeof(*r));

    r->seeds = seeds;
    while (kind_number(r->count) != NULL)
        r->count++;
    r->kinds = xcalloc(r->count, sizeof(*r->kinds));
    for (size_t i = 0; i < r->count; i++) {
        const struct kind *kind = kind_number(i);
        if (only != NULL && strcmp(only, kind->name) != 0)
            continue;
        for (unsigned n = 0; n < seeds; n++) {
            if (trace)
                printf("%s, seed %u:\n", kind->name, n);
            play(kind, base_seed + n, vary, r->kinds[i], trace);
        }
        for (int j = 0; j < JUDGE_COUNT; j++)
            tally_add(&r->all[j], &r->kinds[i][j]);
    }
    return r;
}

struct result *
result_destroy(struct result *r)
{
    for (size_t i = 0; i < r->count; i++)
        for (int j = 0; j < JUDGE_COUNT; j++)
            tally_finish(&r->kinds[i][j]);
    for (int j = 0; j < JUDGE_COUNT; j++)
        tally_finish(&r->all[j]);
    free(r->kinds);
    free(r);
    return NULL;
}

/* ---- tables ---- */

/* A share with three digits, or a dash where there is nothing to say. */
static void
put_share(FILE *out, double share, bool known)
{
    if (known)
        fprintf(out, " %.3f |", share);
    else
        fprintf(out, " – |");
}

static void
put_seconds(FILE *out, struct tally *t, double share)
{
    double delay = tally_delay(t, share);

    if (isnan(delay))
        fprintf(out, " – |");
    else
        fprintf(out, " %.0f |", delay);
}

static void
put_pair(FILE *out, const struct tally *t)
{
    put_share(out, tally_precision(t), t->right + t->wrong > 0);
    put_share(out, tally_recall(t), t->wanted > 0);
}

void
report_overall(FILE *out, struct result *r)
{
    fprintf(out, "| rule | alerts | of them false | precision | truths | recall | "
                 "delay p50, s | delay p95, s | flaps | most alerts for one cause: one "
                 "region · many | class right |\n"
                 "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (int j = 0; j < JUDGE_COUNT; j++) {
        struct tally *t = &r->all[j];
        fprintf(out, "| %s | %u | %u |", judge_titles[j], t->alerts, t->wrong);
        put_share(out, tally_precision(t), true);
        fprintf(out, " %u |", t->wanted);
        put_share(out, tally_recall(t), true);
        put_seconds(out, t, 0.5);
        put_seconds(out, t, 0.95);
        fprintf(out, " %u | %u · %u |", t->flaps, t->most_single, t->most_shared);
        put_share(out, tally_class(t), t->class_seen > 0);
        fprintf(out, "\n");
    }
}

static void
put_kind(FILE *out, const struct kind *kind, struct tally t[static JUDGE_COUNT])
{
    struct tally *ours = &t[JUDGE_OURS];

    fprintf(out, "| `%s` | %s | %u | %u |", kind->name, kind->what, ours->wanted,
            ours->alerts);
    put_pair(out, ours);
    put_seconds(out, ours, 0.5);
    put_seconds(out, ours, 0.95);
    fprintf(out, " %u |", ours->flaps);
    for (int j = JUDGE_PLAIN; j < JUDGE_COUNT; j++) {
        if (t[j].right + t[j].wrong > 0)
            fprintf(out, " %.2f · ", tally_precision(&t[j]));
        else
            fprintf(out, " – · ");
        if (t[j].wanted > 0)
            fprintf(out, "%.2f |", tally_recall(&t[j]));
        else
            fprintf(out, "– |");
    }
    fprintf(out, "\n");
}

void
report_kinds(FILE *out, struct result *r)
{
    size_t i = 0;

    for (size_t g = 0; g < kind_group_count; g++) {
        fprintf(out,
                "\n**%s**\n\n"
                "| kind | what | truths | alerts | precision | recall | p50, s | p95, "
                "s | flaps | all | others | sorted |\n"
                "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
                kind_groups[g]->title);
        for (size_t k = 0; k < kind_groups[g]->count; k++, i++)
            put_kind(out, &kind_groups[g]->kinds[k], r->kinds[i]);
    }
}

/* ---- limits ---- */

#define LEAST_PRECISION 0.99
#define LEAST_RECALL 0.97
#define MOST_DELAY_S 120.0 /* window / 2 + 2 intervals */
#define LEAST_CLASS 0.9
enum { MOST_FLAPS = 0, MOST_EXCESS = 0 };

static unsigned
check(FILE *out, bool fine, const char *what, double is, double limit)
{
    if (!fine)
        fprintf(out, "%s: %.3f, the limit is %.3f\n", what, is, limit);
    return !fine;
}

static void
name_faults(FILE *out, struct result *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct tally *t = &r->kinds[i][JUDGE_OURS];
        double delay = tally_delay(t, 0.95);
        unsigned missed = t->wanted - t->found;
        if (t->wrong + missed + t->flaps + t->early + t->late + t->excess > 0 ||
            delay > MOST_DELAY_S || tally_class(t) < LEAST_CLASS)
            fprintf(out,
                    "  %s: %u false, %u of %u missed, p95 %.0f s, %u flaps, %u ended "
                    "early, %u late, %u too many for a cause, class %u of %u\n",
                    kind_number(i)->name, t->wrong, missed, t->wanted, delay, t->flaps,
                    t->early, t->late, t->excess, t->class_right, t->class_seen);
    }
}

unsigned
report_misses(FILE *out, struct result *r)
{
    struct tally *t = &r->all[JUDGE_OURS];
    double precision = tally_precision(t), recall = tally_recall(t);
    double delay = tally_delay(t, 0.95), right = tally_class(t);
    unsigned misses = 0;

    misses += check(out, precision >= LEAST_PRECISION, "precision", precision,
                    LEAST_PRECISION);
    misses += check(out, recall >= LEAST_RECALL, "recall", recall, LEAST_RECALL);
    misses += check(out, !(delay > MOST_DELAY_S), "delay p95, s", delay, MOST_DELAY_S);
    misses += check(out, t->flaps <= MOST_FLAPS, "flaps", t->flaps, MOST_FLAPS);
    misses += check(out, t->excess <= MOST_EXCESS, "alerts beyond those of a cause",
                    t->excess, MOST_EXCESS);
    misses += check(out, !(right < LEAST_CLASS), "class accuracy", right, LEAST_CLASS);
    name_faults(out, r);
    return misses;
}
