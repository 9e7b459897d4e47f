/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges once more (flags of the program change fields, too) and what depends on
 * several keys. Owns nothing; runs on the thread that calls it. */
#include "config/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "common/buf.h"
#include "common/parse.h"
#include "config/load.h"
#include "config/value.h"

enum {
    REFRESH_MS = 10000,      /* HBase renews its numbers in this time */
    WINDOW_SLOTS_MAX = 1000, /* rounds in a window */
    RAW_SLOTS_MAX = 100000,  /* rounds in history.raw */
    FIVE_MINUTES_MS = 300000,
    HOUR_MS = 3600000,
};

void
check_report(struct check *c, bool warning, const void *what, const void *or_what,
             const char *format, ...)
{
    struct place where = places_find(c->places, what);
    va_list args;

    if (where.line == 0)
        where = places_find(c->places, or_what);
    va_start(args, format);
    problem_vadd(c->problems, warning, where, format, args);
    va_end(args);
    if (!warning)
        c->errors++;
}

/* False if the file sets one of the two to something that was refused. */
static bool
both_known(const struct check *c, const void *a, const void *b)
{
    return !places_is_bad(c->places, a) && !places_is_bad(c->places, b);
}

static void
check_range(struct check *c, const struct schema_row *row, const char *path,
            const void *field)
{
    struct buf expected, found;

    if (value_in_range(row, field))
        return;
    buf_init(&expected, 0);
    buf_init(&found, 0);
    schema_expectation(row, &expected);
    value_print(row, field, &found);
    check_report(c, false, field, NULL, "%s: expected %s, found %s", path,
                 expected.data, found.data);
    buf_finish(&expected);
    buf_finish(&found);
}

static void
check_entry_ranges(struct check *c, size_t n)
{
    const struct table_rule *entry = &c->config->detection.tables[n];

    for (size_t i = 0; i < schema_count; i++) {
        struct buf path;
        if (!schema_in_entry(&schema[i]))
            continue;
        buf_init(&path, 0);
        buf_addf(&path, "detection.tables[%zu].%s", n, schema_key(&schema[i]));
        check_range(c, &schema[i], path.data,
                    (const char *)entry + schema_entry_offset(&schema[i]));
        buf_finish(&path);
    }
}

static void
check_ranges(struct check *c)
{
    for (size_t i = 0; i < schema_count; i++) {
        if (schema_in_config(&schema[i]))
            check_range(c, &schema[i], schema[i].path,
                        (const char *)c->config + schema[i].offset);
    }
    for (size_t i = 0; i < c->config->detection.table_count; i++)
        check_entry_ranges(c, i);
}

static void
check_poll(struct check *c)
{
    const struct poll_config *poll = &c->config->poll;
    char interval[DURATION_TEXT_SIZE], timeout[DURATION_TEXT_SIZE];

    duration_text(poll->interval_ms, interval);
    duration_text(poll->timeout_ms, timeout);
    if (poll->interval_ms < REFRESH_MS)
        check_report(c, true, &poll->interval_ms, NULL,
                     "poll.interval: %s is below 10s, but HBase refreshes its numbers "
                     "once in 10 s",
                     interval);
    if (both_known(c, &poll->interval_ms, &poll->timeout_ms) &&
        poll->timeout_ms > poll->interval_ms)
        check_report(
            c, true, &poll->timeout_ms, &poll->interval_ms,
            "poll.timeout: %s is above poll.interval (%s); a round that finds a "
            "server's poll still running skips that server",
            timeout, interval);
}

static void
check_window(struct check *c)
{
    const int64_t *interval = &c->config->poll.interval_ms;
    const int64_t *window = &c->config->detection.window_ms;
    char interval_text[DURATION_TEXT_SIZE], window_text[DURATION_TEXT_SIZE];

    if (!both_known(c, interval, window) || *interval <= 0)
        return;
    duration_text(*interval, interval_text);
    duration_text(*window, window_text);
    if (*window < *interval)
        check_report(c, false, window, interval,
                     "detection.window: expected at least poll.interval (%s), found %s",
                     interval_text, window_text);
    if (*window / *interval > WINDOW_SLOTS_MAX)
        check_report(c, false, window, interval,
                     "detection.window: expected at most %d times poll.interval (%s), "
                     "found %s",
                     WINDOW_SLOTS_MAX, interval_text, window_text);
}

static void
check_multiple(struct check *c, const char *path, const int64_t *value, int64_t unit)
{
    char unit_text[DURATION_TEXT_SIZE], value_text[DURATION_TEXT_SIZE];

    if (*value % unit != 0)
        check_report(c, false, value, NULL, "%s: expected a multiple of %s, found %s",
                     path, duration_text(unit, unit_text),
                     duration_text(*value, value_text));
}

/* Each tier reaches at least as far back as the finer one before it. */
static void
check_tier(struct check *c, const char *path, const int64_t *value,
           const char *finer_path, const int64_t *finer)
{
    char text[DURATION_TEXT_SIZE], finer_text[DURATION_TEXT_SIZE];

    if (both_known(c, value, finer) && *value < *finer)
        check_report(c, false, value, finer, "%s: expected at least %s (%s), found %s",
                     path, finer_path, duration_text(*finer, finer_text),
                     duration_text(*value, text));
}

static void
check_history(struct check *c)
{
    const struct history_config *history = &c->config->history;
    const int64_t *interval = &c->config->poll.interval_ms;
    char raw[DURATION_TEXT_SIZE], interval_text[DURATION_TEXT_SIZE];

    check_tier(c, "history.raw", &history->raw_ms, "poll.interval", interval);
    check_tier(c, "history.five_minutes", &history->five_minutes_ms, "history.raw",
               &history->raw_ms);
    check_tier(c, "history.hours", &history->hours_ms, "history.five_minutes",
               &history->five_minutes_ms);
    check_multiple(c, "history.five_minutes", &history->five_minutes_ms,
                   FIVE_MINUTES_MS);
    check_multiple(c, "history.hours", &history->hours_ms, HOUR_MS);
    if (both_known(c, &history->raw_ms, interval) && *interval > 0 &&
        history->raw_ms / *interval > RAW_SLOTS_MAX)
        check_report(
            c, false, &history->raw_ms, interval,
            "history.raw: expected at most %d times poll.interval (%s), found %s",
            RAW_SLOTS_MAX, duration_text(*interval, interval_text),
            duration_text(history->raw_ms, raw));
}

static void
check_unused_text(struct check *c, bool is_set, const char *path, const void *field)
{
    if (is_set)
        check_report(c, true, field, NULL,
                     "%s: has no effect unless topology.source is text or auto", path);
}

static void
check_topology(struct check *c)
{
    const struct topology_config *topology = &c->config->topology;
    const bool *jmx = &c->config->poll.jmx;
    bool from_text =
        topology->source == TOPOLOGY_TEXT || topology->source == TOPOLOGY_AUTO;
    bool has_text = topology->file || topology->command.count > 0;

    if (!both_known(c, &topology->file, &topology->command) ||
        !both_known(c, &topology->source, jmx))
        return;
    if (!from_text) {
        check_unused_text(c, topology->command.count > 0, "topology.command",
                          &topology->command);
        check_unused_text(c, topology->file != NULL, "topology.file", &topology->file);
    }
    if (topology->source == TOPOLOGY_TEXT && !has_text)
        check_report(c, false, &topology->source, NULL,
                     "topology.source: text needs topology.file or topology.command");
    else if (!*jmx && !(from_text && has_text))
        check_report(
            c, false, jmx, NULL,
            "poll.jmx: off needs a text to read instead: topology.source text or "
            "auto with topology.file or topology.command");
    if (topology->command.count > 0 && topology->command.items[0][0] == '\0')
        check_report(c, false, topology->command.items[0], &topology->command,
                     "topology.command[0]: expected the path of a program, found ''");
}

static void
check_metrics(struct check *c)
{
    const struct metrics_config *metrics = &c->config->metrics;

    if (both_known(c, &metrics->export_top, &metrics->export_max) &&
        metrics->export_top > metrics->export_max)
        check_report(
            c, true, &metrics->export_top, &metrics->export_max,
            "metrics.export_top: %u is above metrics.export_max (%u), which is "
            "the most that is exported",
            metrics->export_top, metrics->export_max);
}

static void
check_telemetry_path(struct check *c)
{
    const char *path = c->config->http.telemetry_path;

    if (!path || path[0] != '/' || path[1] == '\0' || strpbrk(path, " ?#%") ||
        strncmp(path, "/-/", 3) == 0 || strncmp(path, "/api/", 5) == 0)
        check_report(
            c, false, NULL, NULL,
            "http.telemetry_path: expected a path such as /metrics, outside of "
            "/-/ and /api/");
}

size_t
check_all(const struct config *config, const struct places *places,
          struct config_problems *problems)
{
    static void (*const checks[])(struct check *) = {
        check_ranges,   check_poll,    check_window,         check_history,
        check_topology, check_metrics, check_telemetry_path, check_addresses,
        check_globs,    check_labels,
    };
    struct check c = {.config = config, .places = places, .problems = problems};

    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        checks[i](&c);
    return c.errors;
}

size_t
config_check(const struct config *config, struct config_problems *problems)
{
    return check_all(config, NULL, problems);
}
