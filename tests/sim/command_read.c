/* SPDX-License-Identifier: Apache-2.0 */
/* Words to commands. A reader takes the words it knows; command_read() complains about
 * what is left over. Everything read belongs to the command. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/parse.h"
#include "common/row_key.h"
#include "tests/sim/cluster_priv.h"
#include "tests/sim/command_priv.h"

enum { MAX_REGIONS = 100000, MAX_REPLICAS = 16 };

static void fail(struct words *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The first complaint stays. */
static void
fail(struct words *w, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (!w->failed)
        vsnprintf(w->problem->text, sizeof(w->problem->text), format, args);
    va_end(args);
    w->failed = true;
}

/* The next word; "" and a failure when there is none. */
static const char *
next(struct words *w, const char *what)
{
    if (w->failed || w->at == w->count) {
        fail(w, "%s is missing at the end", what);
        return "";
    }
    return w->word[w->at++];
}

/* Takes the next word if it is this one. */
static bool
taken(struct words *w, const char *word)
{
    if (w->failed || w->at == w->count || strcmp(w->word[w->at], word) != 0)
        return false;
    w->at++;
    return true;
}

static void
expect(struct words *w, const char *word)
{
    if (!taken(w, word))
        fail(w, "'%.60s' is missing", word);
}

static uint64_t
next_count(struct words *w, const char *what, uint64_t max)
{
    const char *word = next(w, what);
    uint64_t v = 0;

    if (!w->failed && (parse_u64(word, strlen(word), &v) < 0 || v > max))
        fail(w, "'%.60s' is no number that fits here", word);
    return w->failed ? 0 : v;
}

/* A decimal number as thousandths. */
static uint64_t
thousandths(struct words *w, const char *word, size_t len, double max)
{
    double v = 0;

    if (!w->failed && (parse_double(word, len, &v) < 0 || v < 0 || v > max))
        fail(w, "'%.60s' is no number that fits here", word);
    return w->failed ? 0 : (uint64_t)llround(v * 1000);
}

static uint64_t
next_rate(struct words *w)
{
    const char *word = next(w, "a rate");

    return thousandths(w, word, strlen(word), (double)FLOW_RATE_MAX / 1000);
}

/* "15%" as thousandths. */
static unsigned
next_percent(struct words *w)
{
    const char *word = next(w, "a percentage");
    size_t len = strlen(word);

    if (len < 2 || word[len - 1] != '%')
        fail(w, "'%.60s' is no percentage, as 15%%", word);
    return (unsigned)((thousandths(w, word, len > 0 ? len - 1 : 0, 100) + 50) / 100);
}

static int64_t
next_duration(struct words *w)
{
    const char *word = next(w, "a duration");
    int64_t v = 0;

    if (!w->failed && parse_duration_ms(word, strlen(word), &v) < 0)
        fail(w, "'%.60s' is no duration, as 500ms, 3s, 2m", word);
    return w->failed ? 0 : v;
}

static uint64_t
next_size(struct words *w)
{
    const char *word = next(w, "a size");
    uint64_t v = 0;

    if (!w->failed && (parse_size(word, strlen(word), &v) < 0 || v > INT64_MAX))
        fail(w, "'%.60s' is no size, as 64MiB, 12GiB", word);
    return w->failed ? 0 : v;
}

static struct split_key
read_key(const char *text, size_t len)
{
    struct split_key key = {xmalloc(len + 1), 0};

    key.len = row_key_unescape(text, len, key.key);
    return key;
}

/* "TABLE#N", "TABLE#N@REPLICA", "TABLE#*", "TABLE#?", "TABLE/STARTKEY". */
static void
read_ref(struct words *w, struct region_ref *ref)
{
    const char *word = next(w, "a region, as orders#4 or orders/startkey");
    size_t len = strcspn(word, "#/");
    const char *rest = word + len;
    const char *replica = strchr(rest, '@');
    size_t digits;
    uint64_t number = 0;

    if (w->failed)
        return;
    ref->table = xmemdup0(word, len);
    if (*rest == '/') {
        ref->choice = REGION_KEY;
        ref->key = read_key(rest + 1, strlen(rest + 1));
        return;
    }
    digits = replica ? (size_t)(replica - rest) : strlen(rest);
    ref->choice = REGION_NUMBER;
    if (strcmp(rest, "#*") == 0)
        ref->choice = REGION_ALL;
    else if (strcmp(rest, "#?") == 0)
        ref->choice = REGION_RANDOM;
    else if (*rest != '#' || parse_u64(rest + 1, digits - 1, &number) < 0 ||
             number > MAX_REGIONS)
        fail(w, "'%.60s' is no region, as orders#4 or orders/startkey", word);
    ref->number = (unsigned)number;
    number = 0;
    if (replica && (parse_u64(replica + 1, strlen(replica + 1), &number) < 0 ||
                    number >= MAX_REPLICAS))
        fail(w, "'%.60s' has no replica number after '@'", word);
    ref->replica = (unsigned)number;
}

/* The number of a server, or '?'. */
static unsigned
next_server(struct words *w)
{
    uint64_t v;

    if (taken(w, "?"))
        return NUMBER_RANDOM;
    v = next_count(w, "a server's number", 100000);
    if (v == 0)
        fail(w, "servers are counted from 1");
    return (unsigned)v;
}

void
read_rate(struct words *w, struct command *command)
{
    read_ref(w, &command->region);
    while (!w->failed && w->at < w->count) {
        if (taken(w, "read")) {
            command->has_read = true;
            command->read = next_rate(w);
        } else if (taken(w, "write")) {
            command->has_write = true;
            command->write = next_rate(w);
        } else {
            break;
        }
    }
    if (!command->has_read && !command->has_write)
        fail(w, "'read RATE' or 'write RATE' is missing");
}

void
read_counters(struct words *w, struct command *command)
{
    read_ref(w, &command->region);
    if (taken(w, "read")) {
        command->has_read = true;
        command->read = next_count(w, "a count", INT64_MAX);
    }
    if (taken(w, "write")) {
        command->has_write = true;
        command->write = next_count(w, "a count", INT64_MAX);
    }
    if (!command->has_read && !command->has_write)
        fail(w, "'read COUNT' or 'write COUNT' is missing");
}

void
read_ramp(struct words *w, struct command *command)
{
    read_ref(w, &command->region);
    command->has_read = taken(w, "read");
    if (!command->has_read)
        expect(w, "write");
    command->read = next_rate(w);
    expect(w, "to");
    command->to = next_rate(w);
    expect(w, "over");
    command->duration = next_duration(w);
    if (command->duration == 0)
        fail(w, "a ramp takes some time");
}

void
read_hot(struct words *w, struct command *command)
{
    const char *word;

    read_ref(w, &command->region);
    word = next(w, "a factor, as x20");
    if (*word != 'x')
        fail(w, "'%.60s' is no factor, as x20", word);
    else
        command->factor = thousandths(w, word + 1, strlen(word + 1), 1e6);
}

void
read_region(struct words *w, struct command *command)
{
    read_ref(w, &command->region);
}

void
read_scan(struct words *w, struct command *command)
{
    read_ref(w, &command->region);
    command->number = (unsigned)next_count(w, "a number of rows", 1000000);
}

void
read_size(struct words *w, struct command *command)
{
    read_ref(w, &command->region);
    command->read = next_size(w);
}

void
read_rows(struct words *w, struct command *command)
{
    read_ref(w, &command->region);
    while (!w->failed && w->at < w->count) {
        const char *word = next(w, "a row");

        xgrow(&command->rows, &command->row_cap, command->row_count + 1,
              sizeof(struct split_key));
        command->rows[command->row_count++] = read_key(word, strlen(word));
    }
}

static void
read_pattern(struct words *w, struct draw *draw)
{
    if (taken(w, "none")) {
        draw->kind = DRAW_NONE;
    } else if (taken(w, "spread")) {
        draw->kind = DRAW_SPREAD;
    } else if (taken(w, "rising")) {
        draw->kind = DRAW_RISING;
    } else if (taken(w, "popular")) {
        const char *word = next(w, "a row");
        struct split_key key = read_key(word, strlen(word));

        draw->kind = DRAW_POPULAR;
        draw->key = key.key;
        draw->key_len = key.len;
        draw->share = next_percent(w);
    } else {
        fail(w, "a pattern is none, spread, rising or popular ROW P%%");
    }
}

void
read_calls(struct words *w, struct command *command)
{
    struct draw *draw = &command->draw;

    read_ref(w, &command->region);
    *draw = (struct draw){.at_once = 1, .batch = 1, .clients = 1};
    read_pattern(w, draw);
    while (!w->failed && w->at < w->count) {
        if (taken(w, "x"))
            draw->at_once = (unsigned)next_count(w, "a number of calls", 1000);
        else if (taken(w, "batch"))
            draw->batch = (unsigned)next_count(w, "a number of rows", 10000);
        else if (taken(w, "clients"))
            draw->clients = (unsigned)next_count(w, "a number of clients", 250);
        else
            break;
    }
}

void
read_move(struct words *w, struct command *command)
{
    read_ref(w, &command->region);
    expect(w, "to");
    command->number = next_server(w);
}

void
read_split(struct words *w, struct command *command)
{
    read_ref(w, &command->region);
    command->lower = 500;
    if (taken(w, "at")) {
        const char *word = next(w, "a key");

        command->key = read_key(word, strlen(word));
    }
    if (taken(w, "lower"))
        command->lower = next_percent(w);
}

void
read_merge(struct words *w, struct command *command)
{
    read_ref(w, &command->region);
    read_ref(w, &command->other);
}

void
read_frozen(struct words *w, struct command *command)
{
    read_ref(w, &command->region);
    expect(w, "on");
    command->number = next_server(w);
}

void
read_server_number(struct words *w, struct command *command)
{
    expect(w, "server");
    command->number = next_server(w);
}

void
read_master_number(struct words *w, struct command *command)
{
    command->number = (unsigned)next_count(w, "a master's number", 100);
}

void
read_restart(struct words *w, struct command *command)
{
    read_server_number(w, command);
    command->duration = 3000;
    if (taken(w, "down"))
        command->duration = next_duration(w);
}

static void
read_fault(struct words *w, struct command *command)
{
    const char *word = next(w, "what it does");

    for (command->fault = 0; command->fault < FAULT_COUNT; command->fault++)
        if (strcmp(fault_names[command->fault], word) == 0)
            break;
    if (command->fault == FAULT_COUNT)
        fail(w, "'%.60s' is nothing a web server does here", word);
    if (command->fault == FAULT_SLOW)
        command->argument = next_duration(w);
    if (command->fault == FAULT_STATUS) {
        command->argument = (int64_t)next_count(w, "a status", 599);
        if (command->argument < 200)
            fail(w, "a status is 200 to 599");
    }
}

void
read_server_fault(struct words *w, struct command *command)
{
    command->number = next_server(w);
    read_fault(w, command);
}

void
read_master_fault(struct words *w, struct command *command)
{
    read_master_number(w, command);
    read_fault(w, command);
}

void
read_failover(struct words *w, struct command *command)
{
    command->duration = 3000;
    if (taken(w, "down"))
        command->duration = next_duration(w);
}

void
read_drop(struct words *w, struct command *command)
{
    expect(w, "table");
    command->name = xstrdup(next(w, "a table's name"));
}

void
read_unset(struct words *w, struct command *command)
{
    read_server_number(w, command);
    command->name = xstrdup(next(w, "an attribute"));
}

void
read_set(struct words *w, struct command *command)
{
    const char *word;
    double v;

    read_unset(w, command);
    word = next(w, "a value");
    if (!w->failed && parse_double(word, strlen(word), &v) < 0)
        fail(w, "'%.60s' is no number", word);
    command->value = xstrdup(word);
}

void
read_grow(struct words *w, struct command *command)
{
    read_unset(w, command);
    command->factor = next_rate(w);
}

void
read_noise(struct words *w, struct command *command)
{
    command->number = next_percent(w);
}

static void
add_key(struct table_spec *spec, const char *text, size_t len)
{
    xgrow(&spec->keys, &spec->key_cap, spec->key_count + 1, sizeof(struct split_key));
    spec->keys[spec->key_count++] = read_key(text, len);
}

/* Split keys as decimal numbers, evenly spread: 10, 20 ... 90 for ten regions. */
static void
even_keys(struct table_spec *spec, uint64_t regions)
{
    uint64_t range = 100;
    int digits = 2;
    char text[32];

    while (range < regions) {
        range *= 10;
        digits++;
    }
    for (uint64_t i = 1; i < regions; i++) {
        snprintf(text, sizeof(text), "%0*u", digits, (unsigned)(i * range / regions));
        add_key(spec, text, strlen(text));
    }
}

static int
key_order(const void *a, const void *b)
{
    const struct split_key *first = a;
    const struct split_key *second = b;

    return key_compare(first->key, first->len, second->key, second->len);
}

/* HBase sorts the split keys of a new table, too. */
static void
read_keys(struct words *w, struct table_spec *spec)
{
    const char *word = next(w, "a list of split keys");

    for (;;) {
        size_t len = strcspn(word, ",");

        add_key(spec, word, len);
        if (word[len] == '\0')
            break;
        word += len + 1;
    }
    qsort(spec->keys, spec->key_count, sizeof(*spec->keys), key_order);
}

static void
read_on(struct words *w, struct table_spec *spec)
{
    const char *word = next(w, "a list of servers");

    while (!w->failed) {
        size_t len = strcspn(word, ",");
        uint64_t number;

        if (parse_u64(word, len, &number) < 0 || number == 0 || number > 100000) {
            fail(w, "'%.60s' is no list of server numbers, as 1,3", word);
            return;
        }
        xgrow(&spec->on, &spec->on_cap, spec->on_count + 1, sizeof(unsigned));
        spec->on[spec->on_count++] = (unsigned)number;
        if (word[len] == '\0')
            return;
        word += len + 1;
    }
}

static void
read_regions(struct words *w, struct table_spec *spec)
{
    uint64_t regions = next_count(w, "a number of regions", MAX_REGIONS);

    if (regions == 0)
        fail(w, "a table has at least one region");
    else
        even_keys(spec, regions);
}

static bool
read_table_option(struct words *w, struct table_spec *spec)
{
    if (taken(w, "regions"))
        read_regions(w, spec);
    else if (taken(w, "keys"))
        read_keys(w, spec);
    else if (taken(w, "read"))
        spec->model.read = next_rate(w);
    else if (taken(w, "write"))
        spec->model.write = next_rate(w);
    else if (taken(w, "size"))
        spec->model.size = next_size(w);
    else if (taken(w, "replicas"))
        spec->model.replicas = (unsigned)next_count(w, "a number", MAX_REPLICAS);
    else if (taken(w, "scan"))
        spec->model.rows_per_scan = (unsigned)next_count(w, "rows", 1000000);
    else if (taken(w, "compacted"))
        spec->model.compacted = -next_duration(w);
    else if (taken(w, "on"))
        read_on(w, spec);
    else
        return false;
    return true;
}

void
read_table(struct words *w, struct command *command)
{
    struct table_spec *spec = &command->table;

    spec->name = xstrdup(next(w, "a table's name"));
    spec->model.replicas = 1;
    spec->model.compacted = COMPACTED_NEVER;
    while (!w->failed && w->at < w->count)
        if (!read_table_option(w, spec))
            break;
    if (!w->failed && spec->model.replicas == 0)
        fail(w, "a table has at least one replica");
}
