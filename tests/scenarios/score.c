/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/scenarios/score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "tests/scenarios/rivals.h"
#include "tests/scenarios/truth.h"

/* An alert began: for which truth (index; -1: none), and in which way. */
struct fire {
    enum judge judge;
    int truth;
    bool of_cause_only; /* a second alert beside the truth's own */
    int64_t at;
    struct flag flag;
    double factor; /* of a server, as planted then */
};

struct score {
    struct stage *s;
    struct fire *fires;
    size_t fire_count, fire_cap;
    bool *hot; /* of the rivals, by row */
    size_t hot_cap;
    bool was_hot[JUDGE_COUNT][NUMBERS_MAX]; /* in the last evaluation, by number */
};

struct score *
score_create(struct stage *s)
{
    struct score *score = xcalloc(1, sizeof(*score));

    score->s = s;
    return score;
}

struct score *
score_destroy(struct score *score)
{
    free(score->fires);
    free(score->hot);
    free(score);
    return NULL;
}

/* ---- which truth an alert is about ---- */

static bool
has_place(const struct truth *t, int place)
{
    for (int i = 0; i < t->place_count; i++)
        if (t->places[i] == place)
            return true;
    return false;
}

static bool
about_regions(const struct cluster *c, const struct truth *t, const struct flag *f)
{
    for (int i = 0; i < f->number_count; i++) {
        int place = c->place_of[f->numbers[i]];
        if (t->kind == ALERT_TABLE && t->place_count == 0 &&
            c->places[place].table == t->table)
            return true;
        if (t->kind != ALERT_SERVER && has_place(t, place))
            return true;
    }
    return false;
}

static bool
matches(const struct cluster *c, const struct truth *t, const struct flag *f)
{
    if (f->kind == ALERT_SERVER)
        return t->kind == ALERT_SERVER && t->host == f->host;
    if (f->kind == ALERT_TABLE)
        return t->kind != ALERT_SERVER && t->table == f->table;
    return about_regions(c, t, f);
}

/* An alert that begins this late is still about a truth that has just ended: samples
 * are up to an interval and a refresh old. */
static int64_t
grace_ms(const struct stage *s)
{
    return s->config->poll.interval_ms + REFRESH_MS + 5000 + s->last_delay_ms;
}

static bool
is_in_time(const struct stage *s, const struct truth *t)
{
    return s->now >= t->from_ms && s->now <= t->to_ms + grace_ms(s);
}

/* ---- alerts that begin ---- */

static void
note_fire(struct score *score, enum judge judge, const struct flag *f)
{
    struct stage *s = score->s;
    struct fire fire = {judge, -1, false, s->now, *f, 0};

    for (int i = 0; i < s->truth_count; i++) {
        struct truth *t = &s->truths[i];
        if (!is_in_time(s, t) || !matches(&s->cluster, t, f))
            continue;
        bool own = (t->kind == ALERT_TABLE) == (f->kind == ALERT_TABLE);
        if (own)
            t->marks[judge].fires++;
        if (fire.truth < 0 || fire.of_cause_only) {
            fire.truth = i;
            fire.of_cause_only = !own;
        }
    }
    if (f->kind == ALERT_SERVER && f->host >= 0)
        fire.factor = truth_server_factor(s, f->host);
    xgrow(&score->fires, &score->fire_cap, score->fire_count + 1,
          sizeof(*score->fires));
    score->fires[score->fire_count++] = fire;
}

/* ---- alerts that last ---- */

static void
note_class(struct truth *t, const struct flag *f)
{
    if (f->heat_class == CLASS_COUNT || t->heat_class == CLASS_COUNT)
        return;
    t->class_seen++;
    t->class_right += f->heat_class == t->heat_class;
}

/* A truth found while it lasts; a table's own alert does not find its regions, unless
 * it is the one for all that did not fit. */
static bool
finds(const struct truth *t, const struct flag *f)
{
    return f->kind != ALERT_TABLE || t->kind == ALERT_TABLE || f->overflow;
}

/* Some other truth lasts for which the alert may go on. */
static bool
is_excused(const struct score *score, const struct flag *f)
{
    for (int i = 0; i < score->s->truth_count; i++) {
        const struct truth *t = &score->s->truths[i];
        int64_t rest = STATED_WINDOW_MS + STATED_CLEAR_MS +
                       5 * score->s->config->poll.interval_ms +
                       (t->held ? 15 * 60000 : 0);
        if (matches(&score->s->cluster, t, f) && score->s->now >= t->from_ms &&
            score->s->now <= t->to_ms + rest)
            return true;
    }
    return false;
}

static void
note_flag(struct score *score, enum judge judge, const struct flag *f,
          bool seen[static TRUTHS_MAX])
{
    struct stage *s = score->s;

    for (int i = 0; i < s->truth_count; i++) {
        struct truth *t = &s->truths[i];
        struct mark *m = &t->marks[judge];
        if (!matches(&s->cluster, t, f) || !finds(t, f) || s->now < t->from_ms)
            continue;
        seen[i] = true;
        if (judge == JUDGE_OURS && !is_in_time(s, t) && m->found &&
            !is_excused(score, f))
            m->late = true;
        if (!is_in_time(s, t))
            continue;
        note_class(t, f);
        if (m->found)
            continue;
        m->found = true;
        int64_t delay = s->now - t->from_ms - STATED_FOR_MS;
        m->delay_ms = delay > 0 ? delay : 0;
    }
}

/* Truths that had an alert and have none now. */
static void
note_missing(struct score *score, enum judge judge, const bool seen[static TRUTHS_MAX])
{
    for (int i = 0; i < score->s->truth_count; i++) {
        struct truth *t = &score->s->truths[i];
        if (t->marks[judge].found && !seen[i] && truth_lasts(t, score->s->now))
            t->marks[judge].early = true;
    }
}

/* ---- hotspotd ---- */

static int
table_index(const struct cluster *c, const char *name)
{
    for (int i = 0; i < c->table_count; i++)
        if (strcmp(c->tables[i].name, name) == 0)
            return i;
    return -1;
}

static struct flag
flag_of(const struct cluster *c, const struct alert *a)
{
    struct flag f = {.kind = a->kind,
                     .table = -1,
                     .host = -1,
                     .overflow = a->overflow,
                     .heat_class = a->why == NULL ? CLASS_COUNT : a->why->heat_class};

    if (a->kind == ALERT_SERVER) {
        if (a->server != NULL)
            f.host = (int)strtol(a->server->address + strlen("rs"), NULL, 10);
        return f;
    }
    f.table = table_index(c, a->table->name);
    if (a->kind == ALERT_TABLE)
        return f;
    f.numbers[f.number_count++] = (uint32_t)a->origin.lo;
    for (uint32_t i = 0; i < a->member_count; i++)
        f.numbers[f.number_count++] = (uint32_t)a->members[i]->id.lo;
    return f;
}

static void
trace_event(const struct stage *s, const struct engine_event *event)
{
    const struct alert *a = event->alert;

    printf(
        "  %.1f min: %s %s alert, region %u, %s%s, rate %.1f, limit %.1f, ratio %.2f\n",
        (double)s->now / 60000, event_kind_name(event->kind), alert_kind_name(a->kind),
        (unsigned)a->origin.lo, end_reason_name(a->reason),
        a->overflow ? ", overflow" : "", a->rate[a->access], a->limit, a->ratio);
}

static void
score_ours(struct score *score, const struct snapshot *snapshot,
           const struct engine_event *events, size_t event_count)
{
    bool seen[TRUTHS_MAX] = {false};

    for (size_t i = 0; i < event_count; i++) {
        struct flag f = flag_of(&score->s->cluster, events[i].alert);
        if (score->s->trace)
            trace_event(score->s, &events[i]);
        if (events[i].kind == EVENT_FIRED)
            note_fire(score, JUDGE_OURS, &f);
    }
    for (uint32_t i = 0; i < snapshot->alert_count; i++) {
        struct flag f = flag_of(&score->s->cluster, &snapshot->alerts[i]);
        if (snapshot->alerts[i].state == ALERT_FIRING)
            note_flag(score, JUDGE_OURS, &f, seen);
    }
    note_missing(score, JUDGE_OURS, seen);
}

/* ---- the others ---- */

static void
score_rival(struct score *score, enum judge judge, const struct snapshot *snapshot)
{
    bool seen[TRUTHS_MAX] = {false};
    bool *was = score->was_hot[judge];

    xgrow(&score->hot, &score->hot_cap, snapshot->region_count + 1,
          sizeof(*score->hot));
    rivals_judge(judge, snapshot, score->hot);
    for (uint32_t i = 0; i < snapshot->region_count; i++) {
        uint32_t number = (uint32_t)snapshot->regions[i].facts->id.lo;
        struct flag f = {.kind = ALERT_REGION,
                         .numbers = {number},
                         .number_count = 1,
                         .heat_class = CLASS_COUNT};
        if (score->hot[i] && !was[number])
            note_fire(score, judge, &f);
        if (score->hot[i])
            note_flag(score, judge, &f, seen);
        was[number] = score->hot[i];
    }
}

void
score_evaluation(struct score *score, const struct snapshot *snapshot,
                 const struct engine_event *events, size_t event_count)
{
    score_ours(score, snapshot, events, event_count);
    for (int judge = JUDGE_PLAIN; judge < JUDGE_COUNT; judge++)
        score_rival(score, judge, snapshot);
}

/* ---- sums ---- */

/* Rules about single regions are not asked for tables and servers. */
static bool
is_asked(enum judge judge, const struct truth *t)
{
    return judge == JUDGE_OURS || t->kind == ALERT_REGION || t->kind == ALERT_META;
}

static void
sum_truth(const struct score *score, enum judge judge, const struct truth *t,
          struct tally *sum)
{
    const struct mark *m = &t->marks[judge];

    sum->truths++;
    sum->flaps += m->fires > 1 ? m->fires - 1 : 0;
    sum->early += m->early;
    sum->late += m->late;
    if (!truth_is_wanted(t, score->s->config->poll.interval_ms))
        return;
    sum->wanted++;
    sum->found += m->found;
    if (judge == JUDGE_OURS && t->class_seen > 0) {
        sum->class_seen++;
        sum->class_right += 2 * t->class_right > t->class_seen;
    }
    if (!m->found || truth_factor(t) < 2)
        return;
    xgrow(&sum->delays, &sum->delay_cap, sum->delay_count + 1, sizeof(*sum->delays));
    sum->delays[sum->delay_count++] = (double)m->delay_ms / 1000;
}

static void
sum_cause(const struct score *score, enum judge judge, int cause, struct tally *sum)
{
    const struct stage *s = score->s;
    unsigned regions = 0, fires = 0;

    for (int i = 0; i < s->truth_count; i++)
        if (s->truths[i].cause == cause)
            regions += s->truths[i].kind == ALERT_TABLE
                           ? (unsigned)s->truths[i].place_count
                           : 1;
    for (size_t i = 0; i < score->fire_count; i++) {
        const struct fire *f = &score->fires[i];
        fires +=
            f->judge == judge && f->truth >= 0 && s->truths[f->truth].cause == cause;
    }
    unsigned most = s->config->detection.rule.max_alerts_per_table;
    unsigned allowed = regions == 1 ? 1 : 1 + (regions < most ? regions : most);
    unsigned *worst = regions == 1 ? &sum->most_single : &sum->most_shared;
    *worst = fires > *worst ? fires : *worst;
    sum->excess += fires > allowed ? fires - allowed : 0;
}

static void
trace_truth(const struct score *score, int i)
{
    const struct truth *t = &score->s->truths[i];
    const struct mark *m = &t->marks[JUDGE_OURS];
    bool wanted = truth_is_wanted(t, score->s->config->poll.interval_ms);

    printf("  truth %d: %s place %d table %d host %d, %.1f to %.1f min, %.2f times "
           "the limit%s: %s, delay %.0f s, %u alerts%s%s\n",
           i, alert_kind_name(t->kind), t->place_count > 0 ? t->places[0] : -1,
           t->table, t->host, (double)t->from_ms / 60000, (double)t->to_ms / 60000,
           truth_factor(t), wanted ? "" : " (need not be found)",
           m->found ? "found" : "MISSED", (double)m->delay_ms / 1000, m->fires,
           m->early ? ", EARLY" : "", m->late ? ", LATE" : "");
}

static void
trace_fire(const struct score *score, const struct fire *f)
{
    int place =
        f->flag.number_count > 0 ? score->s->cluster.place_of[f->flag.numbers[0]] : -1;

    printf("  alert at %.1f min: %s region %u place %d table %d host %d (%.2f times "
           "its limit): %s\n",
           (double)f->at / 60000, alert_kind_name(f->flag.kind), f->flag.numbers[0],
           place, f->flag.table, f->flag.host, f->factor,
           f->truth < 0       ? "FALSE"
           : f->of_cause_only ? "of the same cause"
                              : "right");
}

static void
sum_fires(const struct score *score, struct tally sums[static JUDGE_COUNT], bool trace)
{
    const struct stage *s = score->s;

    for (size_t i = 0; i < score->fire_count; i++) {
        const struct fire *f = &score->fires[i];
        struct tally *sum = &sums[f->judge];
        sum->alerts++;
        if (f->truth < 0)
            sum->wrong++;
        else if (truth_is_wanted(&s->truths[f->truth], s->config->poll.interval_ms))
            sum->right++;
        if (trace && f->judge == JUDGE_OURS)
            trace_fire(score, f);
    }
}

void
score_sum(const struct score *score, struct tally sums[static JUDGE_COUNT], bool trace)
{
    const struct stage *s = score->s;

    for (int i = 0; i < s->truth_count; i++) {
        for (int judge = 0; judge < JUDGE_COUNT; judge++)
            if (is_asked(judge, &s->truths[i]))
                sum_truth(score, judge, &s->truths[i], &sums[judge]);
        if (trace)
            trace_truth(score, i);
    }
    for (int cause = 0; cause < s->causes; cause++)
        for (int judge = 0; judge < JUDGE_COUNT; judge++)
            sum_cause(score, judge, cause, &sums[judge]);
    sum_fires(score, sums, trace);
}
