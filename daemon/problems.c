/* SPDX-License-Identifier: Apache-2.0 */
/* Problems in words: a list of checks, each of which may add lines. No state. */
#include "daemon/problems.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/buf.h"
#include "daemon/sentence.h"

/* Failing servers that are named; the rest is counted. */
enum { NAMED_MAX = 5 };

static void
add(struct string_list *list, struct buf *text)
{
    list->items = xreallocarray(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] = buf_steal(text, NULL);
}

const char *
problem_without_sources(const struct config *c)
{
    if (c->masters.count > 0 || c->regionservers.static_targets.count > 0 ||
        c->regionservers.file != NULL || c->regionservers.http_sd != NULL)
        return NULL;
    return "no master and no RegionServer is configured, so nothing is watched: set "
           "`masters` in the configuration file, or start "
           "hotspotd http://MASTER:16010";
}

static void
check_sources(const struct problem_input *in, struct string_list *list)
{
    const char *problem = problem_without_sources(in->config);
    struct buf text;

    if (problem == NULL)
        return;
    buf_init(&text, 0);
    buf_adds(&text, problem);
    add(list, &text);
}

static bool
is_failing(const struct target_row *row)
{
    return row->asked && row->state != TARGET_UP && row->state != TARGET_SLOW;
}

static void
check_servers(const struct problem_input *in, struct string_list *list)
{
    const struct targets *t = in->targets;
    size_t servers = 0, failing = 0, named = 0;
    struct buf text;

    for (size_t i = 0; i < t->count; i++) {
        if (t->rows[i].kind != TARGET_REGIONSERVER)
            continue;
        servers++;
        failing += is_failing(&t->rows[i]);
    }
    if (failing == 0)
        return;
    buf_init(&text, 0);
    buf_addf(&text, "%zu of %zu RegionServers give no usable data: ", failing, servers);
    for (size_t i = 0; i < t->count && named < NAMED_MAX; i++) {
        const struct target_row *row = &t->rows[i];
        if (row->kind == TARGET_REGIONSERVER && is_failing(row))
            buf_addf(&text, "%s%s", named++ > 0 ? "; " : "", row->error);
    }
    if (named < failing)
        buf_addf(&text, "; and %zu more", failing - named);
    add(list, &text);
}

/* Answers of which parts cannot be used: those regions or signals are missing. */
static void
check_invalid(const struct problem_input *in, struct string_list *list)
{
    const struct target_row *first = NULL;
    size_t servers = 0;
    struct buf text;

    for (size_t i = 0; i < in->targets->count; i++) {
        const struct target_row *row = &in->targets->rows[i];
        if (row->first_invalid == NULL)
            continue;
        first = first != NULL ? first : row;
        servers++;
    }
    if (first == NULL)
        return;
    buf_init(&text, 0);
    buf_addf(&text,
             "%zu RegionServers give values that cannot be used and are left out; %s, "
             "%" PRIu64 " of them: %s",
             servers, first->url, first->invalid_values, first->first_invalid);
    add(list, &text);
}

/* Masters, files, commands. */
static void
check_others(const struct problem_input *in, struct string_list *list)
{
    struct buf text;

    for (size_t i = 0; i < in->targets->count; i++) {
        const struct target_row *row = &in->targets->rows[i];
        if (row->kind == TARGET_REGIONSERVER || !is_failing(row))
            continue;
        buf_init(&text, 0);
        buf_addf(&text, "%s %s fails: %s", target_kind_name(row->kind), row->url,
                 row->error);
        if (row->last_success_ms >= 0) {
            buf_adds(&text, "; what it said last is ");
            sentence_span(in->now.wall_ms - row->last_success_ms, &text);
            buf_adds(&text, " old");
        }
        add(list, &text);
    }
}

/* A listing is missing or old although there is a source for one. */
static void
check_listing(const struct problem_input *in, struct string_list *list)
{
    const struct topology_config *t = &in->config->topology;
    int64_t age_ms = in->now.wall_ms - in->last_listing_ms;
    struct buf text;

    if (in->last_listing_ms == 0 || t->source == TOPOLOGY_NONE ||
        age_ms <= 3 * t->interval_ms)
        return;
    buf_init(&text, 0);
    buf_adds(&text, "the newest listing of regions is ");
    sentence_span(age_ms, &text);
    buf_adds(&text, " old: keys and places may be out of date");
    add(list, &text);
}

bool
rounds_stalled(const struct problem_input *in)
{
    const struct poll_config *poll = &in->config->poll;
    int64_t limit_ms = 3 * poll->interval_ms + poll->timeout_ms;
    int64_t last_ms =
        in->have_round ? in->last_round.finished.mono_ms : in->started.mono_ms;

    return poll->jmx && in->now.mono_ms - last_ms > limit_ms;
}

static void
check_rounds(const struct problem_input *in, struct string_list *list)
{
    bool watching = false;
    struct buf text;

    for (size_t i = 0; i < in->targets->count; i++)
        watching = watching || in->targets->rows[i].kind == TARGET_REGIONSERVER;
    if (!watching || !rounds_stalled(in))
        return;
    buf_init(&text, 0);
    buf_adds(&text, "no round of polls has been completed ");
    if (in->have_round) {
        buf_adds(&text, "since ");
        sentence_time(in->last_round.finished.wall_ms, in->now.wall_ms, &text);
    } else {
        buf_adds(&text, "yet");
    }
    buf_adds(&text, ": verdicts are not renewed");
    add(list, &text);
}

bool
coverage_low(const struct problem_input *in)
{
    return in->have_round && in->snapshot->region_count > 0 &&
           in->snapshot->coverage < COVERAGE_LOW;
}

static void
check_coverage(const struct problem_input *in, struct string_list *list)
{
    const struct snapshot *s = in->snapshot;
    struct buf text;

    if (!coverage_low(in))
        return;
    buf_init(&text, 0);
    buf_addf(&text,
             "only %" PRIu32 " of %" PRIu32
             " regions have fresh data (%.0f %%); tables below half are not judged",
             s->fresh, s->region_count, s->coverage * 100);
    add(list, &text);
}

static void
check_suppressed(const struct problem_input *in, struct string_list *list)
{
    struct buf text;

    if (in->snapshot->suppressed == 0)
        return;
    buf_init(&text, 0);
    buf_addf(&text,
             "%" PRIu32 " hot regions have no alert of their own, beyond "
             "max_alerts_per_table or max_alerts",
             in->snapshot->suppressed);
    add(list, &text);
}

static void
check_config(const struct problem_input *in, struct string_list *list)
{
    struct buf text;

    if (in->reload_error != NULL) {
        buf_init(&text, 0);
        buf_addf(&text,
                 "the configuration was not reloaded, the old one stays in force: %s",
                 in->reload_error);
        add(list, &text);
    }
    for (size_t i = 0; i < in->config_warnings->count; i++) {
        buf_init(&text, 0);
        buf_adds(&text, in->config_warnings->items[i]);
        add(list, &text);
    }
    if (!in->config->poll.jmx) {
        buf_init(&text, 0);
        buf_adds(&text, "poll.jmx is off: rates are totals over the time between two "
                        "listings, and the window and `for` are at least that long");
        add(list, &text);
    }
}

typedef void (*problem_check)(const struct problem_input *in, struct string_list *list);

/* In the order of the list: the first cause first. */
static const problem_check checks[] = {
    check_sources,  check_config, check_rounds,  check_servers,    check_invalid,
    check_coverage, check_others, check_listing, check_suppressed,
};

void
problems_collect(const struct problem_input *in, struct string_list *ret_problems)
{
    *ret_problems = (struct string_list){0};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        checks[i](in, ret_problems);
}
