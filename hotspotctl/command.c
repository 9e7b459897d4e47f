/* SPDX-License-Identifier: Apache-2.0 */
/* Commands and options as tables, and the reading of a command line against them. */
#include "hotspotctl/command.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "common/alloc.h"
#include "common/log.h"
#include "common/parse.h"
#include "hotspotctl/analyze.h"
#include "hotspotctl/api_commands.h"
#include "hotspotctl/keys_commands.h"
#include "hotspotctl/top.h"

#define BIT(option) ((uint64_t)1 << (option))
#define KEY_OPTIONS                                                                    \
    (BIT(OPT_KEYS_FILE) | BIT(OPT_KEYS_FORMAT) | BIT(OPT_PATTERN) | BIT(OPT_COUNT) |   \
     BIT(OPT_SEED))
#define POINT_OPTIONS                                                                  \
    (BIT(OPT_ALGO) | BIT(OPT_REGIONS) | BIT(OPT_SPLITS) | BIT(OPT_SPLITS_FILE))
#define GUIDE_OPTIONS (BIT(OPT_SERVERS) | BIT(OPT_TABLE_SIZE) | BIT(OPT_REGION_SIZE))
#define REPORTS (1U << OUTPUT_TABLE | 1U << OUTPUT_JSON | 1U << OUTPUT_CSV)

const struct option_form option_forms[OPTION_COUNT] = {
    [OPT_URL] =
        {"url", "URL",
         "the hotspotd to ask (default $HOTSPOTD_URL, else http://127.0.0.1:16090)"},
    [OPT_WATCH] = {"watch", NULL, "ask again and again, until Ctrl-C"},
    [OPT_INTERVAL] = {"interval", "SECONDS", "between two questions, or two looks"},
    [OPT_COLOR] = {"color", "WHEN", "auto (default: on a terminal), always or never"},
    [OPT_SERVER] = {"server", "HOST:PORT", "only what is on this RegionServer"},
    [OPT_STATE] = {"state", "STATE", "only firing, or only pending"},
    [OPT_SORT] = {"sort", "BY", "rate (default), read, write, ratio, size or name"},
    [OPT_LIMIT] = {"limit", "N", "at most so many rows, 1 to 10000"},
    [OPT_SINCE] = {"since", "TIME", "events at or after it (RFC 3339 or Unix seconds)"},
    [OPT_OUTPUT] = {"output", "FORMAT", "table (default), json or csv"},
    [OPT_KEYS_FILE] = {"keys-file", "FILE",
                       "read the sample keys from FILE instead of standard input"},
    [OPT_KEYS_FORMAT] =
        {"keys-format", "FORMAT",
         "line (default: bytes up to the end of the line), hex, escaped "
         "(HBase's \\x00), or length (4 bytes big-endian, then the key)"},
    [OPT_PATTERN] = {"pattern", "PATTERN",
                     "make the sample keys, such as 'user{rand:1000:6}|{time}'"},
    [OPT_COUNT] = {"count", "N", "so many keys of the pattern (default 100000)"},
    [OPT_SEED] = {"seed", "N", "start of the pattern's random numbers (default 1)"},
    [OPT_SCHEME] = {"scheme", "SCHEME",
                    "how row keys are made of keys, such as salt:16"},
    [OPT_ALGO] = {"algo", "ALGORITHM", "hex, uniform, decimal, salt or samples"},
    [OPT_REGIONS] = {"regions", "N", "number of regions, 1 to 1000000"},
    [OPT_SPLITS] = {"splits", "KEY,...", "these split points, in HBase's escape"},
    [OPT_SPLITS_FILE] = {"splits-file", "FILE",
                         "the split points of FILE, one a line (HBase's SPLITS_FILE)"},
    [OPT_SERVERS] = {"servers", "N",
                     "RegionServers, for a number of regions by the guide"},
    [OPT_TABLE_SIZE] = {"table-size", "SIZE",
                        "expected size of the table, such as 800GB"},
    [OPT_REGION_SIZE] = {"region-size", "SIZE",
                         "wanted size of a region (default 10GB)"},
    [OPT_TABLE] = {"table", "TABLE", "name of the table"},
    [OPT_FAMILY] = {"family", "FAMILY",
                    "column family of the create command (default f)"},
    [OPT_NEEDS] = {"needs", "NEED,...", "point (default), prefix, range, latest"},
    [OPT_CELL_BYTES] = {"cell-bytes", "N",
                        "bytes of a cell without its key (default 100)"},
    [OPT_LISTING] = {"listing", "FILE",
                     "list_regions text of the table; - for standard input"},
    [OPT_THRESHOLD] = {"threshold", "N",
                       "hottest region to mean that is too much (default 3)"},
    [OPT_MIN_RATE] = {"min-rate", "N",
                      "requests/s below which no region is hot (default 100)"},
    [OPT_HELP] = {"help", NULL, "print this text"},
    [OPT_VERSION] = {"version", NULL, "print name, version and revision"},
};

static const char *const output_names[] = {
    [OUTPUT_TABLE] = "table", [OUTPUT_JSON] = "json",   [OUTPUT_CSV] = "csv",
    [OUTPUT_FILE] = "file",   [OUTPUT_SHELL] = "shell",
};
static_assert(sizeof output_names / sizeof output_names[0] == OUTPUT_COUNT, "names");

#define API_OPTIONS                                                                    \
    (BIT(OPT_URL) | BIT(OPT_OUTPUT) | BIT(OPT_WATCH) | BIT(OPT_INTERVAL) |             \
     BIT(OPT_COLOR))

const struct command commands[] = {
    {"alerts", "", "what is hot, why, and what to type",
     API_OPTIONS | BIT(OPT_STATE) | BIT(OPT_TABLE) | BIT(OPT_LIMIT), REPORTS, 0,
     api_alerts},
    {"tables", "", "tables: rates, and how even their load is", API_OPTIONS, REPORTS, 0,
     api_tables},
    {"servers", "", "RegionServers: rates, handlers, queues", API_OPTIONS, REPORTS, 0,
     api_servers},
    {"regions", "", "regions, hottest first",
     API_OPTIONS | BIT(OPT_TABLE) | BIT(OPT_SERVER) | BIT(OPT_SORT) | BIT(OPT_LIMIT),
     REPORTS, 0, api_regions},
    {"region", "REGION", "one region: keys, rates, its alert", API_OPTIONS, REPORTS, 1,
     api_region},
    {"history", "", "alerts that fired and resolved",
     API_OPTIONS | BIT(OPT_SINCE) | BIT(OPT_LIMIT), REPORTS, 0, api_history},
    {"status", "", "how hotspotd itself is", API_OPTIONS, REPORTS, 0, api_status},
    {"top", "[URL]", "live: tables, regions, keys, of a hotspotd or of an HBase master",
     BIT(OPT_URL) | BIT(OPT_INTERVAL), 0, 1, top},
    {"analyze", "FILE...",
     "verdict on saved list_regions or status 'detailed' texts and JMX answers",
     BIT(OPT_OUTPUT) | BIT(OPT_TABLE) | BIT(OPT_THRESHOLD) | BIT(OPT_MIN_RATE) |
         BIT(OPT_INTERVAL),
     REPORTS, 1000000, analyze},
    {"keys try", "", "spread of sample keys over regions under a scheme",
     KEY_OPTIONS | POINT_OPTIONS | BIT(OPT_SCHEME) | BIT(OPT_OUTPUT), REPORTS, 0,
     keys_try},
    {"keys recommend", "", "schemes tried on sample keys and ranked; anti-patterns",
     KEY_OPTIONS | GUIDE_OPTIONS | BIT(OPT_REGIONS) | BIT(OPT_NEEDS) |
         BIT(OPT_CELL_BYTES) | BIT(OPT_OUTPUT),
     REPORTS, 0, keys_recommend},
    {"keys split", "", "split points of a new table",
     KEY_OPTIONS | GUIDE_OPTIONS | BIT(OPT_ALGO) | BIT(OPT_REGIONS) | BIT(OPT_SCHEME) |
         BIT(OPT_TABLE) | BIT(OPT_FAMILY) | BIT(OPT_OUTPUT),
     REPORTS | 1U << OUTPUT_FILE | 1U << OUTPUT_SHELL, 0, keys_split},
    {"keys verify", "", "an existing table's regions against sample keys",
     KEY_OPTIONS | BIT(OPT_LISTING) | BIT(OPT_URL) | BIT(OPT_TABLE) | BIT(OPT_SCHEME) |
         BIT(OPT_THRESHOLD) | BIT(OPT_OUTPUT),
     REPORTS, 0, keys_verify},
    {"keys apply", "", "row keys that a scheme makes of keys, one a line, escaped",
     KEY_OPTIONS | BIT(OPT_SCHEME), 0, 0, keys_apply},
};
const size_t command_count = sizeof commands / sizeof commands[0];

void
note(struct invocation *in, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    buf_vaddf(&in->notes, format, args);
    va_end(args);
    buf_addc(&in->notes, '\n');
}

int
wrong(struct invocation *in, const char *format, ...)
{
    va_list args;

    buf_reset(&in->notes); /* one line tells what is wrong */
    va_start(args, format);
    buf_vaddf(&in->notes, format, args);
    va_end(args);
    buf_addc(&in->notes, '\n');
    return STATUS_WRONG;
}

/* Words of argv that the name of the command takes; 0 if they are not it. */
static int
matches(const struct command *command, int argc, char **argv)
{
    const char *name = command->name;
    int words = 0;

    while (*name != '\0') {
        size_t len = strcspn(name, " ");
        if (words == argc || strlen(argv[words]) != len ||
            memcmp(argv[words], name, len) != 0)
            return 0;
        words++;
        name += len + (name[len] == ' ');
    }
    return words;
}

static int
find_option(const char *name, size_t len)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_forms[i].name != NULL && strlen(option_forms[i].name) == len &&
            memcmp(option_forms[i].name, name, len) == 0)
            return i;
    return -1;
}

/* Does the command take the option? Before a command only help and version. */
static bool
is_taken(const struct invocation *in, int option)
{
    if (option == OPT_HELP)
        return true;
    if (in->command == NULL)
        return option == OPT_VERSION;
    return (in->command->options & BIT(option)) != 0;
}

/* The option at argv[i]; returns how many words it took, 0 if it is wrong. */
static int
take_option(struct invocation *in, int argc, char **argv, int i)
{
    const char *name = argv[i] + 2;
    size_t len = strcspn(name, "=");
    int option = find_option(name, len);
    char quoted[LOG_QUOTE_SIZE];

    if (option < 0 || !is_taken(in, option)) {
        wrong(in, "unknown option %s%s%s; see hotspotctl %s%s--help",
              log_quote(argv[i], strlen(argv[i]), quoted),
              in->command != NULL ? " of " : "",
              in->command != NULL ? in->command->name : "",
              in->command != NULL ? in->command->name : "",
              in->command != NULL ? " " : "");
        return 0;
    }
    if (in->values[option] != NULL) {
        wrong(in, "--%s is given twice", option_forms[option].name);
        return 0;
    }
    if (option_forms[option].value == NULL) {
        in->values[option] = "";
        if (name[len] == '\0')
            return 1;
        wrong(in, "--%s takes no value", option_forms[option].name);
        return 0;
    }
    if (name[len] == '=') {
        in->values[option] = name + len + 1;
        return 1;
    }
    if (i + 1 == argc) {
        wrong(in, "--%s needs a value: %s", option_forms[option].name,
              option_forms[option].about);
        return 0;
    }
    in->values[option] = argv[i + 1];
    return 2;
}

static bool
take_output(struct invocation *in)
{
    const char *name = in->values[OPT_OUTPUT];

    if (name == NULL || in->command == NULL)
        return true;
    for (int i = 0; i < OUTPUT_COUNT; i++) {
        if ((in->command->outputs & 1U << i) != 0 &&
            strcmp(name, output_names[i]) == 0) {
            in->output = (enum output)i;
            return true;
        }
    }
    char quoted[LOG_QUOTE_SIZE];
    wrong(in, "wrong --output %s, expected table, json%s",
          log_quote(name, strlen(name), quoted),
          (in->command->outputs & 1U << OUTPUT_SHELL) != 0 ? ", csv, file or shell"
                                                           : " or csv");
    return false;
}

static bool
find_command(int argc, char **argv, struct invocation *in, int *ret_words)
{
    char quoted[LOG_QUOTE_SIZE];

    *ret_words = 0;
    for (size_t i = 0; i < command_count && *ret_words == 0; i++) {
        *ret_words = matches(&commands[i], argc, argv);
        if (*ret_words > 0)
            in->command = &commands[i];
    }
    if (in->command != NULL || argc == 0 || argv[0][0] == '-')
        return true;
    if (strcmp(argv[0], "help") == 0) { /* help COMMAND is COMMAND --help */
        in->values[OPT_HELP] = "";
        return find_command(argc - 1, argv + 1, in, ret_words) && (++*ret_words, true);
    }
    if (strcmp(argv[0], "keys") == 0 && (argc == 1 || argv[1][0] == '-')) {
        *ret_words = 1;
        if (argc > 1)
            return true;
    }
    const char *word = argv[0];
    if (strcmp(word, "keys") == 0 && argc > 1)
        word = argv[1];
    wrong(in, "unknown command %s; see hotspotctl --help",
          log_quote(word, strlen(word), quoted));
    return false;
}

bool
invocation_parse(int argc, char **argv, struct invocation *in)
{
    int words;
    bool options = true;

    if (!find_command(argc - 1, argv + 1, in, &words))
        return false;
    in->arguments = xcalloc((size_t)argc + 1, sizeof *in->arguments);
    for (int i = 1 + words; i < argc;) {
        bool dashes = options && strncmp(argv[i], "--", 2) == 0;
        if (dashes && argv[i][2] != '\0') {
            int taken = take_option(in, argc, argv, i);
            if (taken == 0)
                return false;
            i += taken;
            continue;
        }
        options = options && !dashes;
        if (!dashes)
            in->arguments[in->argument_count++] = argv[i];
        i++;
    }
    if (in->values[OPT_HELP] != NULL || in->values[OPT_VERSION] != NULL)
        return true;
    if (in->command == NULL)
        return wrong(in, "no command is given; see hotspotctl --help"), false;
    if (in->argument_count > in->command->most_arguments) {
        char *extra = in->arguments[in->command->most_arguments];
        char quoted[LOG_QUOTE_SIZE];
        wrong(in, "unexpected argument %s; see hotspotctl %s --help",
              log_quote(extra, strlen(extra), quoted), in->command->name);
        return false;
    }
    return take_output(in);
}

static int
wrong_value(struct invocation *in, enum option option, const char *expected)
{
    char quoted[LOG_QUOTE_SIZE];
    const char *value = in->values[option];

    return wrong(in, "wrong --%s %s, expected %s", option_forms[option].name,
                 log_quote(value, strlen(value), quoted), expected);
}

int
option_number(struct invocation *in, enum option option, uint64_t low, uint64_t high,
              uint64_t standard, uint64_t *ret)
{
    const char *text = in->values[option];
    char expected[80];
    uint64_t value = standard;

    if (text != NULL &&
        (parse_u64(text, strlen(text), &value) < 0 || value < low || value > high)) {
        snprintf(expected, sizeof expected, "a number from %llu to %llu",
                 (unsigned long long)low, (unsigned long long)high);
        return wrong_value(in, option, expected);
    }
    *ret = value;
    return 0;
}

int
option_size(struct invocation *in, enum option option, uint64_t standard, uint64_t *ret)
{
    const char *text = in->values[option];
    uint64_t value = standard;

    if (text != NULL && parse_size(text, strlen(text), &value) < 0 &&
        parse_u64(text, strlen(text), &value) < 0)
        return wrong_value(in, option, "a size such as 10GB or 512MiB");
    if (text != NULL && value == 0)
        return wrong_value(in, option, "a size above 0");
    *ret = value;
    return 0;
}

int
option_ratio(struct invocation *in, enum option option, double low, double standard,
             double *ret)
{
    const char *text = in->values[option];
    char expected[60];
    double value = standard;

    if (text != NULL &&
        (parse_double(text, strlen(text), &value) < 0 || value <= low)) {
        snprintf(expected, sizeof expected, "a number above %g", low);
        return wrong_value(in, option, expected);
    }
    *ret = value;
    return 0;
}
