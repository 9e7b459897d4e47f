/* SPDX-License-Identifier: Apache-2.0 */
/* Table of targets. Its rows and their texts belong to the table; main thread only,
 * save for copies made with targets_copy(), which belong to the view they are in. Rows
 * are found by their url through a sorted array, so that 700 servers cost little. */
#include "daemon/targets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

/* Answers without data in a row before a server counts as gone. */
enum { NO_DATA_LIMIT = 3 };

static const char *const kind_names[] = {"regionserver", "master",  "file",
                                         "command",      "file_sd", "http_sd"};
static_assert(sizeof kind_names / sizeof kind_names[0] == TARGET_KIND_COUNT,
              "a name for each kind");

static const char *const state_names[] = {"up", "down", "auth", "slow", "no_data"};
static_assert(sizeof state_names / sizeof state_names[0] == TARGET_STATE_COUNT,
              "a name for each state");

const char *
target_kind_name(enum target_kind kind)
{
    assert(kind < TARGET_KIND_COUNT);
    return kind_names[kind];
}

const char *
target_state_name(enum target_state state)
{
    assert(state < TARGET_STATE_COUNT);
    return state_names[state];
}

void
targets_init(struct targets *t)
{
    *t = (struct targets){0};
}

static void
row_finish(struct target_row *row)
{
    free(row->url);
    free(row->server);
    free(row->error);
    free(row->first_invalid);
}

void
targets_finish(struct targets *t)
{
    for (size_t i = 0; i < t->count; i++)
        row_finish(&t->rows[i]);
    free(t->rows);
    targets_init(t);
}

static int
compare_key(enum target_kind kind, const char *url, const struct target_row *row)
{
    return kind != row->kind ? (int)kind - (int)row->kind : strcmp(url, row->url);
}

/* Where the row is or belongs. */
static size_t
lower_bound(const struct targets *t, enum target_kind kind, const char *url)
{
    size_t low = 0, high = t->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_key(kind, url, &t->rows[middle]) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The row of a target, made now if it is new. */
static struct target_row *
row_for(struct targets *t, enum target_kind kind, const char *url)
{
    size_t at = lower_bound(t, kind, url);

    if (at < t->count && compare_key(kind, url, &t->rows[at]) == 0)
        return &t->rows[at];
    xgrow(&t->rows, &t->cap, t->count + 1, sizeof *t->rows);
    memmove(&t->rows[at + 1], &t->rows[at], (t->count - at) * sizeof *t->rows);
    t->count++;
    t->rows[at] = (struct target_row){
        .url = xstrdup(url),
        .kind = kind,
        .state = TARGET_NO_DATA,
        .last_success_ms = -1,
        .last_attempt_ms = -1,
        .last_duration_ms = -1,
    };
    return &t->rows[at];
}

static void
row_drop(struct targets *t, size_t at)
{
    row_finish(&t->rows[at]);
    t->count--;
    memmove(&t->rows[at], &t->rows[at + 1], (t->count - at) * sizeof *t->rows);
}

static bool
list_has(const struct string_list *list, const char *s)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], s) == 0)
            return true;
    return false;
}

static bool
same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Whether a row that is not a RegionServer is still configured. */
static bool
is_configured(const struct target_row *row, const struct config *config)
{
    const struct string_list *command = &config->topology.command;

    switch (row->kind) {
    case TARGET_MASTER:
        return list_has(&config->masters, row->url);
    case TARGET_FILE:
        return same(row->url, config->topology.file);
    case TARGET_COMMAND:
        return command->count > 0 && same(row->url, command->items[0]);
    case TARGET_FILE_SD:
        return same(row->url, config->regionservers.file);
    case TARGET_HTTP_SD:
        return same(row->url, config->regionservers.http_sd);
    case TARGET_REGIONSERVER:
    case TARGET_KIND_COUNT:
        break;
    }
    return true;
}

static char *
copy_text(const char *s)
{
    return s != NULL ? xstrdup(s) : NULL;
}

static void
set_text(char **text, const char *s)
{
    if (same(*text, s))
        return;
    free(*text);
    *text = copy_text(s);
}

static enum target_state
failed_state(enum poll_outcome outcome)
{
    switch (outcome) {
    case POLL_AUTH:
        return TARGET_AUTH;
    case POLL_NO_DATA:
        return TARGET_NO_DATA;
    default:
        return TARGET_DOWN;
    }
}

/* Whether going down has been told. */
static bool
is_down(const struct target_row *row)
{
    return row->failures > 0 &&
           (row->outcome != POLL_NO_DATA || row->failures >= NO_DATA_LIMIT);
}

/* A request went well. */
static enum target_change
note_success(struct target_row *row, int64_t wall_ms, bool slow)
{
    bool was_down = is_down(row);

    row->asked = true;
    row->outcome = POLL_OK;
    row->failures = 0;
    row->state = slow ? TARGET_SLOW : TARGET_UP;
    row->last_success_ms = wall_ms;
    row->last_attempt_ms = wall_ms;
    set_text(&row->error, NULL);
    return was_down ? TARGET_CAME_BACK : TARGET_SAME;
}

/* A new list of servers came from there. */
static void
note_discovery(struct targets *t, int64_t wall_ms)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->rows[i].kind == TARGET_FILE_SD || t->rows[i].kind == TARGET_HTTP_SD)
            (void)note_success(&t->rows[i], wall_ms, false);
}

void
targets_configure(struct targets *t, const struct config *config)
{
    for (size_t i = t->count; i-- > 0;)
        if (!is_configured(&t->rows[i], config))
            row_drop(t, i);
    for (size_t i = 0; i < config->masters.count; i++)
        row_for(t, TARGET_MASTER, config->masters.items[i]);
    if (config->topology.file != NULL)
        row_for(t, TARGET_FILE, config->topology.file);
    if (config->topology.command.count > 0)
        row_for(t, TARGET_COMMAND, config->topology.command.items[0]);
    if (config->regionservers.file != NULL)
        row_for(t, TARGET_FILE_SD, config->regionservers.file);
    if (config->regionservers.http_sd != NULL)
        row_for(t, TARGET_HTTP_SD, config->regionservers.http_sd);
}

static int
compare_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void
targets_set(struct targets *t, const struct target_set *set, int64_t wall_ms)
{
    char **sorted = xreallocarray(NULL, set->count + 1, sizeof *sorted);

    if (set->count > 0)
        memcpy(sorted, set->urls, set->count * sizeof *sorted);
    qsort(sorted, set->count, sizeof *sorted, compare_text);
    for (size_t i = t->count; i-- > 0;) {
        if (t->rows[i].kind != TARGET_REGIONSERVER)
            continue;
        char *key = t->rows[i].url;
        if (bsearch(&key, sorted, set->count, sizeof *sorted, compare_text) == NULL)
            row_drop(t, i);
    }
    for (size_t i = 0; i < set->count; i++)
        row_for(t, TARGET_REGIONSERVER, sorted[i]);
    free(sorted);
    t->have_set = true;
    note_discovery(t, wall_ms);
}

void
targets_expire(struct targets *t, const struct config *config, int64_t wall_ms)
{
    int64_t keep_ms = 3 * config->poll.interval_ms;

    for (size_t i = t->count; i-- > 0;) {
        const struct target_row *row = &t->rows[i];
        if (row->kind == TARGET_FILE && !is_configured(row, config) &&
            wall_ms - row->last_attempt_ms > keep_ms)
            row_drop(t, i);
    }
}

/* A request failed. Going down is told once: at the first failure, or at the third in a
 * row when the server merely lacks data. */
static enum target_change
note_failure(struct target_row *row, enum poll_outcome outcome, const char *error,
             int64_t wall_ms)
{
    bool was_down = is_down(row);

    row->asked = true;
    row->failures++;
    row->state = failed_state(outcome);
    row->outcome = outcome;
    row->last_attempt_ms = wall_ms;
    set_text(&row->error, error != NULL ? error : poll_outcome_name(outcome));
    return is_down(row) && !was_down ? TARGET_WENT_DOWN : TARGET_SAME;
}

/* "host,port,startcode" to "host:port"; cut at the last two commas. */
static void
set_server(struct target_row *row, const char *server)
{
    const char *last = server != NULL ? strrchr(server, ',') : NULL;

    if (last == NULL || last == server)
        return;
    char *address = xmemdup0(server, (size_t)(last - server));
    char *comma = strrchr(address, ',');
    if (comma != NULL) {
        *comma = ':';
        set_text(&row->server, address);
    }
    free(address);
}

enum target_change
targets_poll(struct targets *t, const struct server_poll *poll, int64_t timeout_ms,
             const struct target_row **ret_row)
{
    size_t at = lower_bound(t, TARGET_REGIONSERVER, poll->url);

    *ret_row = NULL;
    if (t->have_set && (at == t->count ||
                        compare_key(TARGET_REGIONSERVER, poll->url, &t->rows[at]) != 0))
        return TARGET_SAME;
    struct target_row *row = row_for(t, TARGET_REGIONSERVER, poll->url);
    *ret_row = row;
    row->last_duration_ms = poll->duration_ms;
    row->bytes = poll->bytes;
    row->invalid_values = poll->invalid_values;
    set_text(&row->first_invalid, poll->first_invalid);
    set_server(row, poll->server);
    if (poll->outcome != POLL_OK)
        return note_failure(row, poll->outcome, poll->error, poll->received.wall_ms);
    return note_success(row, poll->received.wall_ms,
                        poll->duration_ms > timeout_ms / 2);
}

enum target_change
targets_cluster(struct targets *t, const struct cluster_state *cluster,
                const struct target_row **ret_row)
{
    struct target_row *row = row_for(t, TARGET_MASTER, cluster->url);

    *ret_row = row;
    set_server(row, cluster->master);
    return note_success(row, cluster->received.wall_ms, false);
}

enum target_change
targets_listing(struct targets *t, const struct listing *listing,
                const struct config *config, const struct target_row **ret_row)
{
    const struct topology_config *topology = &config->topology;
    struct target_row *row = NULL;

    for (size_t i = t->count; listing->source == LISTING_API && i-- > 0;)
        if (t->rows[i].kind == TARGET_MASTER && !is_configured(&t->rows[i], config))
            row_drop(t, i);
    if (listing->source == LISTING_FILE && topology->file != NULL)
        row = row_for(t, TARGET_FILE, topology->file);
    else if (listing->source == LISTING_COMMAND && topology->command.count > 0)
        row = row_for(t, TARGET_COMMAND, topology->command.items[0]);
    *ret_row = row;
    return row != NULL ? note_success(row, listing->received.wall_ms, false)
                       : TARGET_SAME;
}

static enum target_kind
source_kind(const char *source, const struct config *config)
{
    const struct string_list *command = &config->topology.command;

    if (same(source, config->topology.file))
        return TARGET_FILE;
    if (command->count > 0 && same(source, command->items[0]))
        return TARGET_COMMAND;
    if (same(source, config->regionservers.file))
        return TARGET_FILE_SD;
    if (same(source, config->regionservers.http_sd))
        return TARGET_HTTP_SD;
    return strstr(source, "://") != NULL ? TARGET_MASTER : TARGET_FILE;
}

enum target_change
targets_report(struct targets *t, const struct source_report *report,
               const struct config *config, const struct target_row **ret_row)
{
    enum target_kind kind = source_kind(report->source, config);
    struct target_row *row = row_for(t, kind, report->source);

    *ret_row = row;
    if (report->outcome == POLL_OK)
        return note_success(row, report->at.wall_ms, false);
    return note_failure(row, report->outcome, report->error, report->at.wall_ms);
}

void
targets_copy(struct targets *to, const struct targets *from)
{
    *to = (struct targets){.count = from->count, .cap = from->count};
    to->rows = xreallocarray(NULL, from->count + 1, sizeof *to->rows);
    for (size_t i = 0; i < from->count; i++) {
        const struct target_row *row = &from->rows[i];
        to->rows[i] = *row;
        to->rows[i].url = copy_text(row->url);
        to->rows[i].server = copy_text(row->server);
        to->rows[i].error = copy_text(row->error);
        to->rows[i].first_invalid = copy_text(row->first_invalid);
    }
}
