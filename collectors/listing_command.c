/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the running command and the tables that wait for one. Collector thread only. */
#include "collectors/listing_command.h"

#include <stdlib.h>
#include <string.h>

#include "collectors/error_text.h"
#include "collectors/server_name.h"
#include "collectors/string_array.h"
#include "collectors/text_source.h"
#include "common/alloc.h"

#define PLACEHOLDER "{table}"
#define NEVER INT64_MAX

enum {
    TABLES_MAX = 64, /* waiting for a run of their own */
    GRACE_MS = 2000,
};

struct listing_command {
    const struct context *context;
    bool per_table; /* the command has a placeholder */
    struct command *command;
    int64_t as_of_ms;   /* wall clock of its start */
    int64_t regular_ms; /* monotonic, of the next regular run */
    int64_t last_start_ms;
    enum listing_wish wish;
    char **wished; /* tables of the newest wish; NULL-terminated, or NULL */
    char **queue;  /* tables of the present run, likewise */
    size_t queued; /* index of the next one */
};

struct listing_command *
listing_command_create(const struct context *context)
{
    const struct string_list *argv = &context->config->topology.command;
    struct listing_command *c = xcalloc(1, sizeof *c);

    c->context = context;
    c->regular_ms = INT64_MIN;
    c->last_start_ms = INT64_MIN;
    for (size_t i = 0; i < argv->count; i++) {
        if (strstr(argv->items[i], PLACEHOLDER) != NULL)
            c->per_table = true;
    }
    return c;
}

struct listing_command *
listing_command_destroy(struct listing_command *c)
{
    if (c == NULL)
        return NULL;
    command_destroy(c->command);
    string_array_free(c->wished);
    string_array_free(c->queue);
    free(c);
    return NULL;
}

void
listing_command_wish(struct listing_command *c, enum listing_wish wish,
                     char *const *tables)
{
    if (wish > c->wish)
        c->wish = wish;
    if (tables != NULL && tables[0] != NULL) {
        string_array_free(c->wished);
        c->wished = string_array_copy((const char *const *)tables, TABLES_MAX);
    }
}

/* The names come from HBase and go into an argument: nothing that could pass for an
 * option or break a line. */
static bool
table_is_safe(const char *table)
{
    return table[0] != '-' && table_name_valid(table, strlen(table));
}

static char *
with_table(const char *text, const char *table)
{
    struct buf b;
    const char *at;

    buf_init(&b, 0);
    while (table != NULL && (at = strstr(text, PLACEHOLDER)) != NULL) {
        buf_add(&b, text, (size_t)(at - text));
        buf_adds(&b, table);
        text = at + strlen(PLACEHOLDER);
    }
    buf_adds(&b, text);
    return buf_steal(&b, NULL);
}

static void
start_command(struct listing_command *c, const char *table, struct moment now)
{
    const struct topology_config *config = &c->context->config->topology;
    const struct command_limits limits = {
        .timeout_ms = config->timeout_ms,
        .grace_ms = GRACE_MS,
        .output = TEXT_SOURCE_MAX,
    };
    size_t n = config->command.count;
    char **argv = xcalloc(n + 1, sizeof argv[0]);
    char *error = NULL;

    for (size_t i = 0; i < n; i++)
        argv[i] = with_table(config->command.items[i], table);
    c->as_of_ms = now.wall_ms;
    c->command = command_start((const char *const *)argv, &limits, now.mono_ms, &error);
    if (c->command == NULL)
        outbox_failure(c->context->outbox, config->command.items[0], POLL_CONNECT,
                       error);
    string_array_free(argv);
}

static void
finish_command(struct listing_command *c)
{
    const char *name = c->context->config->topology.command.items[0];
    struct buf text;
    char *error;
    enum poll_outcome outcome = command_result(c->command, &text, &error);

    if (outcome == POLL_OK) {
        text_source_deliver(c->context, LISTING_COMMAND, name, &text, c->as_of_ms);
        buf_finish(&text);
    } else {
        outbox_failure(c->context->outbox, name, outcome, error);
    }
    c->command = command_destroy(c->command);
}

/* The next table that may be put into an argument; NULL when none is left. */
static const char *
next_table(struct listing_command *c)
{
    const char *name = c->context->config->topology.command.items[0];

    while (c->queue != NULL && c->queue[c->queued] != NULL) {
        const char *table = c->queue[c->queued++];
        if (table_is_safe(table))
            return table;
        outbox_failure(c->context->outbox, name, POLL_BAD_RESPONSE,
                       error_text("%s: not run for table %s, expected a name without "
                                  "control characters that does not begin with '-'",
                                  quoted(name).text, quoted(table).text));
    }
    c->queue = string_array_free(c->queue);
    return NULL;
}

static int64_t
due_ms(const struct listing_command *c)
{
    if (!c->per_table)
        return schedule_listing(c->regular_ms, c->last_start_ms, c->wish);
    if (c->queue != NULL)
        return INT64_MIN;
    if (c->wished == NULL)
        return NEVER;
    return schedule_listing(NEVER, c->last_start_ms, c->wish);
}

static void
begin_run(struct listing_command *c, struct moment now)
{
    c->wish = WISH_NONE;
    c->last_start_ms = now.mono_ms;
    c->regular_ms = now.mono_ms + c->context->config->topology.interval_ms;
    c->queue = c->wished;
    c->queued = 0;
    c->wished = NULL;
}

void
listing_command_step(struct listing_command *c, bool allowed, struct moment now)
{
    if (c->command != NULL) {
        if (!command_step(c->command, now.mono_ms))
            return;
        finish_command(c);
    }
    if (!allowed || now.mono_ms < due_ms(c))
        return;
    if (!c->per_table) {
        c->wished = string_array_free(c->wished);
        begin_run(c, now);
        start_command(c, NULL, now);
        return;
    }
    if (c->queue == NULL)
        begin_run(c, now);
    const char *table = next_table(c);
    if (table != NULL)
        start_command(c, table, now);
}

int64_t
listing_command_next_ms(const struct listing_command *c, bool allowed)
{
    if (c->command != NULL)
        return command_next_ms(c->command);
    return allowed ? due_ms(c) : NEVER;
}

unsigned
listing_command_fds(const struct listing_command *c, int fds[static COMMAND_FDS])
{
    return c->command != NULL ? command_fds(c->command, fds) : 0;
}
