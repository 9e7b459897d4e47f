/* SPDX-License-Identifier: Apache-2.0 */
/* Reads scenarios line by line. Owns nothing after it returns, but for the timeline's
 * commands, which the timeline owns. */
#include "tests/sim/scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/parse.h"

enum { MAX_LINE = 64 * 1024, REHEARSAL_MS = 600000 };

/* A command without a time. */
struct now {
    struct command *command;
    unsigned line;
};

struct reader {
    struct cluster *cluster;
    struct scenario *scenario;
    struct problem *problem;
    struct now *now;
    size_t now_count, now_cap;
};

/* Cuts the line at blanks in place; a '#' at the start of a word begins a comment. */
static int
cut(char *line, const char *words[COMMAND_WORDS], struct problem *p)
{
    int count = 0;

    for (;;) {
        line += strspn(line, " \t\r\n");
        if (*line == '\0' || *line == '#')
            return count;
        if (count == COMMAND_WORDS)
            return problem_set(p, "more than %d words in one line", COMMAND_WORDS);
        words[count++] = line;
        line += strcspn(line, " \t\r\n");
        if (*line != '\0')
            *line++ = '\0';
    }
}

struct command *
scenario_command(const char *line, struct problem *p)
{
    const char *words[COMMAND_WORDS];
    char *copy = xstrdup(line);
    int count = cut(copy, words, p);
    struct command *command = count < 0 ? NULL : command_read(words, (size_t)count, p);

    free(copy);
    return command;
}

static int
duration(const char *word, int64_t *ret, struct problem *p)
{
    if (parse_duration_ms(word, strlen(word), ret) < 0)
        return problem_set(p, "'%.60s' is no duration, as 500ms, 3s, 2m", word);
    return 0;
}

static int
count(const char *word, uint64_t max, unsigned *ret, struct problem *p)
{
    uint64_t v;

    if (parse_u64(word, strlen(word), &v) < 0 || v == 0 || v > max)
        return problem_set(p, "'%.60s' is no number from 1 to %llu", word,
                           (unsigned long long)max);
    *ret = (unsigned)v;
    return 0;
}

/* Settings with one value; the file's reader has checked that there is one. */
typedef int setting_fn(struct reader *r, const char *word);

static int
set_cluster(struct reader *r, const char *word)
{
    for (const char *s = word; *s; s++)
        if (*s < ' ' || *s == '"' || *s == '\\')
            return problem_set(r->problem, "a cluster's name is plain text");
    free(r->cluster->name);
    r->cluster->name = xstrdup(word);
    return 0;
}

static int
set_version(struct reader *r, const char *word)
{
    for (int v = 0; v < HBASE_VERSION_COUNT; v++) {
        if (strcmp(hbase_version_name((enum hbase_version)v), word) == 0) {
            r->cluster->version = (enum hbase_version)v;
            r->cluster->by_host |= v != HBASE_2_6;
            return 0;
        }
    }
    return problem_set(r->problem, "versions are 2.6.4, 2.4.18 and 1.7.2, not '%.60s'",
                       word);
}

static int
set_servers(struct reader *r, const char *word)
{
    return count(word, 5000, &r->scenario->servers, r->problem);
}

static int
set_masters(struct reader *r, const char *word)
{
    return count(word, 10, &r->scenario->masters, r->problem);
}

static int
set_cache(struct reader *r, const char *word)
{
    return duration(word, &r->cluster->cache, r->problem);
}

static int
set_heartbeat(struct reader *r, const char *word)
{
    return duration(word, &r->cluster->heartbeat, r->problem);
}

static int
set_idle(struct reader *r, const char *word)
{
    return duration(word, &r->scenario->idle, r->problem);
}

static int
set_addresses(struct reader *r, const char *word)
{
    r->cluster->by_host = strcmp(word, "hosts") == 0;
    if (!r->cluster->by_host && strcmp(word, "ports") != 0)
        return problem_set(r->problem, "addresses are 'ports' or 'hosts'");
    return 0;
}

static int
set_tables_bean(struct reader *r, const char *word)
{
    r->cluster->tables_bean = strcmp(word, "on") == 0;
    if (!r->cluster->tables_bean && strcmp(word, "off") != 0)
        return problem_set(r->problem, "tables-bean is 'on' or 'off'");
    return 0;
}

static int
set_handlers(struct reader *r, const char *word)
{
    return count(word, 10000, &r->cluster->handlers, r->problem);
}

static int
set_status_page(struct reader *r, const char *word)
{
    r->cluster->on_jsp = strcmp(word, "jsp") == 0;
    if (!r->cluster->on_jsp && strcmp(word, "rs-status") != 0)
        return problem_set(r->problem, "status-page is 'rs-status' or 'jsp'");
    return 0;
}

static const struct {
    const char *name;
    const char *value;
    const char *help;
    setting_fn *set;
} settings[] = {
    {"cluster", "NAME", "the cluster id is made of it (sim)", set_cluster},
    {"version", "V", "2.6.4 (default), 2.4.18 or 1.7.2", set_version},
    {"servers", "N", "RegionServers (3)", set_servers},
    {"masters", "N", "the first is active at first (1)", set_masters},
    {"cache", "D", "how long a JMX sample holds (10s)", set_cache},
    {"heartbeat", "D", "between the servers' reports to the master (3s)",
     set_heartbeat},
    {"idle", "D", "idle connections are closed after D (30s)", set_idle},
    {"addresses", "ports|hosts", "one address, many ports (2.6.4), or 127.0.0.2,",
     set_addresses},
    {"handlers", "N", "of each server, also in its /conf (30)", set_handlers},
    {"status-page", "rs-status|jsp", "jsp, as from 2.6.5 on: /rs-status redirects",
     set_status_page},
    {"tables-bean", "on|off", "attributes in sub=Tables (off, as in the captures)",
     set_tables_bean},
};

/* "empty 500ms [after 5s] [every 5m]" */
static int
set_empty(struct reader *r, const char *const *words, size_t n)
{
    struct cluster *c = r->cluster;

    if (n < 2 || n % 2 != 0)
        return problem_set(r->problem, "usage: empty D [after D] [every D]");
    if (duration(words[1], &c->empty_for, r->problem) < 0)
        return -EINVAL;
    for (size_t i = 2; i < n; i += 2) {
        bool after = strcmp(words[i], "after") == 0;

        if (!after && strcmp(words[i], "every") != 0)
            return problem_set(r->problem, "usage: empty D [after D] [every D]");
        if (duration(words[i + 1], after ? &c->empty_after : &c->empty_every,
                     r->problem) < 0)
            return -EINVAL;
    }
    return 0;
}

static int
add_event(struct reader *r, struct event *event, const char *const *words, size_t n)
{
    event->command = command_read(words, n, r->problem);
    if (!event->command)
        return -EINVAL;
    timeline_add(&r->scenario->timeline, event);
    return 0;
}

static int
read_at(struct reader *r, const char *const *words, size_t n, unsigned line)
{
    struct event event = {.line = line};

    if (n < 3)
        return problem_set(r->problem, "usage: at TIME COMMAND");
    if (duration(words[1], &event.at, r->problem) < 0)
        return -EINVAL;
    event.until = event.at;
    return add_event(r, &event, words + 2, n - 2);
}

/* "every P [from T] [for D] COMMAND"; the first time is T, or P. */
static int
read_every(struct reader *r, const char *const *words, size_t n, unsigned line)
{
    struct event event = {.line = line, .until = TIMELINE_END};
    size_t i = 2;

    if (n < 3)
        return problem_set(r->problem, "usage: every D [from TIME] [for D] COMMAND");
    if (duration(words[1], &event.every, r->problem) < 0)
        return -EINVAL;
    if (event.every == 0)
        return problem_set(r->problem, "'every' takes more than 0");
    event.at = event.every;
    if (i + 1 < n && strcmp(words[i], "from") == 0) {
        if (duration(words[i + 1], &event.at, r->problem) < 0)
            return -EINVAL;
        i += 2;
    }
    if (i + 1 < n && strcmp(words[i], "for") == 0) {
        if (duration(words[i + 1], &event.until, r->problem) < 0)
            return -EINVAL;
        event.until += event.at;
        i += 2;
    }
    return add_event(r, &event, words + i, n - i);
}

/* A command without a time happens before anybody can ask; it waits for the settings.
 */
static int
read_now(struct reader *r, const char *const *words, size_t n, unsigned line)
{
    struct command *command = command_read(words, n, r->problem);

    if (!command)
        return -EINVAL;
    xgrow(&r->now, &r->now_cap, r->now_count + 1, sizeof(*r->now));
    r->now[r->now_count++] = (struct now){command, line};
    return 0;
}

/* All settings are known: creates the cluster and runs what happens at once. */
static int
start(struct reader *r, unsigned *ret_line)
{
    int result = 0;

    cluster_start(r->cluster, r->scenario->servers, r->scenario->masters);
    for (size_t i = 0; i < r->now_count && result == 0; i++) {
        *ret_line = r->now[i].line;
        result = command_run(r->now[i].command, r->cluster, &r->scenario->timeline, 0,
                             r->problem);
    }
    return result;
}

static void
reader_finish(struct reader *r)
{
    for (size_t i = 0; i < r->now_count; i++)
        command_destroy(r->now[i].command);
    free(r->now);
}

static int
read_line(struct reader *r, char *line, unsigned number)
{
    const char *words[COMMAND_WORDS];
    int n = cut(line, words, r->problem);

    if (n <= 0)
        return n;
    for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
        if (strcmp(settings[i].name, words[0]) != 0)
            continue;
        if (n != 2)
            return problem_set(r->problem, "'%s' takes one value", words[0]);
        return settings[i].set(r, words[1]);
    }
    if (strcmp(words[0], "empty") == 0)
        return set_empty(r, words, (size_t)n);
    if (strcmp(words[0], "at") == 0)
        return read_at(r, words, (size_t)n, number);
    if (strcmp(words[0], "every") == 0)
        return read_every(r, words, (size_t)n, number);
    return read_now(r, words, (size_t)n, number);
}

static int
read_file(FILE *file, struct reader *r, unsigned *ret_line)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t len;
    int result = 0;

    *ret_line = 0;
    while (result == 0 && (len = getline(&line, &cap, file)) >= 0) {
        ++*ret_line;
        if (len > MAX_LINE)
            result =
                problem_set(r->problem, "the line is longer than %d bytes", MAX_LINE);
        else if (strlen(line) != (size_t)len)
            result = problem_set(r->problem, "there is a NUL byte in the line");
        else
            result = read_line(r, line, *ret_line);
    }
    free(line);
    return result == 0 ? start(r, ret_line) : result;
}

int
scenario_load(const char *path, struct cluster *c, struct scenario *ret,
              struct problem *p)
{
    struct problem inner = {""};
    struct reader r = {.cluster = c, .scenario = ret, .problem = &inner};
    FILE *file = fopen(path, "re");
    unsigned line;
    int result;

    *ret = (struct scenario){.servers = 3, .masters = 1, .idle = 30000};
    timeline_init(&ret->timeline);
    if (!file) {
        result = -errno;
        (void)problem_set(p, "%.150s: %s", path, strerror(-result));
        return result;
    }
    result = read_file(file, &r, &line);
    fclose(file);
    reader_finish(&r);
    if (result < 0)
        snprintf(p->text, sizeof(p->text), "%.80s:%u: %.160s", path, line, inner.text);
    return result;
}

struct rehearsal {
    const char *path;
    FILE *out;
    unsigned failures;
};

static void
note_failure(void *user, unsigned line, int64_t t, const struct problem *p)
{
    struct rehearsal *rehearsal = user;
    char time[DURATION_TEXT_SIZE];

    rehearsal->failures++;
    fprintf(rehearsal->out, "%s:%u: at %s: %s\n", rehearsal->path, line,
            duration_text(t, time), p->text);
}

unsigned
scenario_rehearse(const char *path, struct cluster *c, struct scenario *s, FILE *out)
{
    struct rehearsal rehearsal = {path, out, 0};
    int64_t last = 0;

    for (size_t i = 0; i < s->timeline.count; i++)
        if (s->timeline.events[i].at > last)
            last = s->timeline.events[i].at;
    (void)timeline_run(&s->timeline, c, last + REHEARSAL_MS, note_failure, &rehearsal);
    return rehearsal.failures;
}

void
scenario_help(FILE *out)
{
    fputs("A scenario is a text file, one statement a line; '#' begins a comment.\n\n"
          "Settings:\n",
          out);
    for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
        char left[80];

        snprintf(left, sizeof(left), "%s %s", settings[i].name, settings[i].value);
        fprintf(out, "  %-28s %s\n", left, settings[i].help);
        if (settings[i].set == set_addresses)
            fprintf(out, "%31s127.0.0.3 ... with one port (older versions)\n", "");
    }
    fputs("  empty D [after D] [every D]  the beans are gone for D (500ms), 5s after\n"
          "                               regions opened or closed, and every 5m\n"
          "\n"
          "Tables (hbase:meta and hbase:namespace are always there):\n"
          "  table NAME [regions N | keys K,K,...] [read R] [write W] [size S]\n"
          "        [replicas N] [scan ROWS] [compacted D] [on N,N,...]\n"
          "      R and W are requests a second of each region; S the store files of "
          "each;\n"
          "      N regions are split at 10, 20 ...; D ago was the last major "
          "compaction.\n"
          "\n"
          "Events:\n"
          "  at TIME COMMAND\n"
          "  every D [from TIME] [for D] COMMAND\n"
          "A command without a time happens before anybody can ask.\n"
          "\n"
          "Commands:\n",
          out);
    command_help(out);
    fputs(
        "\n"
        "REGION: orders#4 (counted from 0 in key order), orders#4@1 (replica 1),\n"
        "  orders/KEY (by start key), orders#? (any), orders#* (all, where it makes "
        "sense).\n"
        "Servers and masters are counted from 1; 'server ?' is any.\n"
        "calls REGION none|spread|rising|popular ROW P% [x N] [batch N] [clients N]: "
        "N calls\n"
        "  at a time (1), Multis of N rows, from N clients (1), the first of which "
        "makes half of\n"
        "  them; rows anywhere in the region, each after the one before, or P% of "
        "them ROW.\n"
        "Keys are in HBase's binary escape; write a blank as \\x20, a comma in a list\n"
        "as \\x2C. Durations: 500ms, 3s, 2m. FAULT:\n"
        "  ok  fails (connection refused)  hangs  slow D  drips  garbage  truncates\n"
        "  empty  unauthorized  http STATUS  endless  closes\n",
        out);
}
