/* SPDX-License-Identifier: Apache-2.0 */
/* Command line to options, options to configuration. Main thread; the result is the
 * caller's. */
#include "daemon/options.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/log.h"
#include "config/problems.h"
#include "daemon/http_routes.h"
#include "daemon/version.h"

enum flag {
    FLAG_CONFIG_FILE = 256,
    FLAG_LISTEN,
    FLAG_TELEMETRY_PATH,
    FLAG_LIFECYCLE,
    FLAG_LOG_LEVEL,
    FLAG_LOG_FORMAT,
    FLAG_CHECK_CONFIG,
    FLAG_VERSION,
    FLAG_HELP,
};

static const struct {
    const char *name;
    const char *value; /* NULL: takes none */
    enum flag flag;
    const char *help;
} flags[] = {
    {"config.file", "FILE", FLAG_CONFIG_FILE,
     "read the configuration from FILE (YAML)"},
    {"web.listen-address", "ADDRESS", FLAG_LISTEN,
     "listen there; may be repeated (default :16090)"},
    {"web.telemetry-path", "PATH", FLAG_TELEMETRY_PATH,
     "path of the metrics (default /metrics)"},
    {"web.enable-lifecycle", NULL, FLAG_LIFECYCLE, "allow POST and PUT to /-/reload"},
    {"log.level", "LEVEL", FLAG_LOG_LEVEL, "error, warn, info (default) or debug"},
    {"log.format", "FORMAT", FLAG_LOG_FORMAT, "auto (default), text, journal or json"},
    {"check-config", NULL, FLAG_CHECK_CONFIG,
     "only check the configuration; exit 0 if it is good, else 1"},
    {"version", NULL, FLAG_VERSION, "print name, version and revision"},
    {"help", NULL, FLAG_HELP, "print this text"},
};
enum { FLAG_COUNT = sizeof flags / sizeof flags[0] };

static const char *const format_names[] = {
    [LOG_FORMAT_AUTO] = "auto",
    [LOG_FORMAT_TEXT] = "text",
    [LOG_FORMAT_JOURNAL] = "journal",
    [LOG_FORMAT_JSON] = "json",
};
enum { FORMAT_COUNT = sizeof format_names / sizeof format_names[0] };

static void
print_help(struct buf *text)
{
    buf_adds(text,
             "Usage: hotspotd [FLAGS] --config.file=FILE\n"
             "       hotspotd [FLAGS] http://MASTER:16010 ...\n\n"
             "Watches the regions of an HBase cluster and says which are hot.\n\n");
    for (int i = 0; i < FLAG_COUNT; i++) {
        size_t start = text->len;
        buf_addf(text, "  --%s%s%s", flags[i].name, flags[i].value ? "=" : "",
                 flags[i].value ? flags[i].value : "");
        size_t width = text->len - start;
        buf_addf(text, "%*s%s\n", (int)(width < 34 ? 34 - width : 1), "",
                 flags[i].help);
    }
}

static void
list_add(struct string_list *list, char *item)
{
    list->items = xreallocarray(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] = item;
}

static int
find_format(const char *name)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (strcmp(format_names[i], name) == 0)
            return i;
    return -EINVAL;
}

/* ---- the command line ---- */

static enum options_result
wrong(struct buf *text, const char *what, const char *argument, const char *expected)
{
    char quoted[LOG_QUOTE_SIZE];

    buf_addf(text, "hotspotd: %s %s%s%s; see hotspotd --help\n", what,
             log_quote(argument, strlen(argument), quoted),
             expected != NULL ? ", expected " : "", expected != NULL ? expected : "");
    return OPTIONS_WRONG;
}

static enum options_result
take_flag(struct options *o, int flag, char *value, struct buf *text)
{
    enum log_level level;

    switch (flag) {
    case FLAG_CONFIG_FILE:
        o->config_file = value;
        break;
    case FLAG_LISTEN:
        list_add(&o->listen, value);
        break;
    case FLAG_TELEMETRY_PATH:
        o->telemetry_path = value;
        break;
    case FLAG_LIFECYCLE:
        o->enable_lifecycle = true;
        break;
    case FLAG_LOG_LEVEL:
        if (log_level_parse(value, &level) < 0)
            return wrong(text, "--log.level:", value, "error, warn, info or debug");
        o->log_level = value;
        break;
    case FLAG_LOG_FORMAT:
        if (find_format(value) < 0)
            return wrong(text, "--log.format:", value, "auto, text, journal or json");
        o->log_format = value;
        break;
    case FLAG_CHECK_CONFIG:
        o->check_config = true;
        break;
    case FLAG_VERSION:
        buf_addf(text, "hotspotd %s (revision %s)\n", HOTSPOTD_VERSION,
                 HOTSPOTD_REVISION);
        return OPTIONS_PRINT;
    case FLAG_HELP:
        print_help(text);
        return OPTIONS_PRINT;
    }
    return OPTIONS_RUN;
}

static enum options_result
read_flags(int argc, char **argv, struct options *o, struct buf *text)
{
    struct option longs[FLAG_COUNT + 1] = {{0}};
    enum options_result result = OPTIONS_RUN;

    for (int i = 0; i < FLAG_COUNT; i++)
        longs[i] = (struct option){
            .name = flags[i].name,
            .has_arg = flags[i].value ? required_argument : no_argument,
            .val = flags[i].flag,
        };
    optind = 0; /* start anew */
    opterr = 0;
    while (result == OPTIONS_RUN) {
        int flag = getopt_long(argc, argv, ":", longs, NULL);
        if (flag == -1)
            break;
        const char *given = argv[optind - 1];
        if (flag == ':')
            result = wrong(text, "a value is missing after", given, NULL);
        else if (flag == '?')
            result = wrong(text, "unknown or ambiguous flag", given, NULL);
        else
            result = take_flag(o, flag, optarg, text);
    }
    return result;
}

enum options_result
options_parse(int argc, char **argv, struct options *ret_options, struct buf *text)
{
    *ret_options = (struct options){0};
    enum options_result result = read_flags(argc, argv, ret_options, text);
    if (result != OPTIONS_RUN)
        return result;
    for (int i = optind; i < argc; i++)
        list_add(&ret_options->masters, argv[i]);
    if (ret_options->masters.count > 0 && ret_options->config_file != NULL)
        return wrong(text, "a master on the command line together with --config.file:",
                     ret_options->masters.items[0], "one of the two");
    return OPTIONS_RUN;
}

void
options_finish(struct options *o)
{
    free(o->masters.items);
    free(o->listen.items);
    *o = (struct options){0};
}

/* ---- the configuration ---- */

static void
set_list(struct string_list *to, const struct string_list *from)
{
    for (size_t i = 0; i < to->count; i++)
        free(to->items[i]);
    free(to->items);
    *to = (struct string_list){0};
    for (size_t i = 0; i < from->count; i++)
        list_add(to, xstrdup(from->items[i]));
}

static bool
same_list(const struct string_list *a, const struct string_list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->items[i], b->items[i]) != 0)
            return false;
    return true;
}

/* A flag differs from what the file says, which differs from the default. */
static void
note(struct buf *notes, bool differs, bool in_file, const char *flag, const char *key)
{
    if (differs && in_file)
        buf_addf(notes, "--%s overrides %s of the configuration file\n", flag, key);
}

static void
apply_flags(const struct options *o, struct config *config, struct buf *notes)
{
    struct config *plain = config_create_default();
    struct http_config *http = &config->http;

    if (o->listen.count > 0) {
        note(notes, !same_list(&o->listen, &http->listen),
             !same_list(&http->listen, &plain->http.listen), "web.listen-address",
             "http.listen");
        set_list(&http->listen, &o->listen);
    }
    if (o->telemetry_path != NULL) {
        free(http->telemetry_path);
        http->telemetry_path = xstrdup(o->telemetry_path);
    }
    http->enable_lifecycle = o->enable_lifecycle;
    if (o->log_level != NULL) {
        enum log_level level = LOG_INFO;
        (void)log_level_parse(o->log_level, &level);
        note(notes, (int)level != config->log.level,
             config->log.level != plain->log.level, "log.level", "log.level");
        config->log.level = (int)level;
    }
    if (o->log_format != NULL) {
        int format = find_format(o->log_format);
        note(notes, format != config->log.format,
             config->log.format != plain->log.format, "log.format", "log.format");
        config->log.format = format;
    }
    config_destroy(plain);
}

/* The telemetry path may not hide another page. */
static void
check_path(const struct config *config, struct config_problems *problems)
{
    const char *path = config->http.telemetry_path;

    if (path != NULL &&
        http_route_find(path, strlen(path), "", NULL, NULL) != ROUTE_COUNT)
        problem_add(problems, false, (struct place){0, 0},
                    "--web.telemetry-path: expected a path of its own, found that of "
                    "another page");
}

struct config *
options_load_config(const struct options *o, struct config_problems *ret_problems,
                    struct buf *notes)
{
    struct config *config;

    if (o->config_file != NULL) {
        config = config_load_file(o->config_file, ret_problems);
        if (config == NULL)
            return NULL;
    } else {
        *ret_problems = (struct config_problems){0};
        config = config_create_default();
        set_list(&config->masters, &o->masters);
    }
    apply_flags(o, config, notes);
    (void)config_check(config, ret_problems);
    check_path(config, ret_problems);
    return ret_problems->errors > 0 ? config_destroy(config) : config;
}

void
options_print_problem(const struct options *o, const struct config_problem *problem,
                      struct buf *out)
{
    buf_adds(out, o->config_file != NULL ? o->config_file : "hotspotd");
    if (problem->line > 0)
        buf_addf(out, ":%u:%u", problem->line, problem->column);
    buf_addf(out, ": %s%s", problem->warning ? "warning: " : "", problem->text);
}
