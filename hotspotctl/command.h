/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of hotspotctl: which commands there are, which options each takes,
 * and what a command gets and gives. A command fills `out`; main() writes it once the
 * command has come to its end, so nothing is printed half. */
#ifndef HOTSPOTCTL_COMMAND_H
#define HOTSPOTCTL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"

/* Exit statuses. */
enum { STATUS_FINE = 0, STATUS_HOT = 1, STATUS_WRONG = 2 };

enum option {
    OPT_URL,
    OPT_OUTPUT,
    OPT_WATCH,
    OPT_INTERVAL,
    OPT_COLOR,
    OPT_SERVER,
    OPT_STATE,
    OPT_SORT,
    OPT_LIMIT,
    OPT_SINCE,
    OPT_KEYS_FILE,
    OPT_KEYS_FORMAT,
    OPT_PATTERN,
    OPT_COUNT,
    OPT_SEED,
    OPT_SCHEME,
    OPT_ALGO,
    OPT_REGIONS,
    OPT_SPLITS,
    OPT_SPLITS_FILE,
    OPT_SERVERS,
    OPT_TABLE_SIZE,
    OPT_REGION_SIZE,
    OPT_TABLE,
    OPT_FAMILY,
    OPT_NEEDS,
    OPT_CELL_BYTES,
    OPT_LISTING,
    OPT_THRESHOLD,
    OPT_MIN_RATE,
    OPT_HELP,
    OPT_VERSION,
    OPTION_COUNT
};

enum output {
    OUTPUT_TABLE,
    OUTPUT_JSON,
    OUTPUT_CSV,
    OUTPUT_FILE,
    OUTPUT_SHELL,
    OUTPUT_COUNT
};

struct command;

struct invocation {
    const struct command *command;
    const char *values[OPTION_COUNT]; /* NULL: not given; "" for a flag */
    char **arguments;                 /* what is no option */
    int argument_count;
    enum output output;
    struct buf out;   /* for standard output */
    struct buf notes; /* for standard error, whole lines without the program's name */
};

struct command {
    const char *name; /* "keys try" */
    const char *arguments;
    const char *about;
    uint64_t options; /* bits of enum option; OPT_HELP is always there */
    unsigned outputs; /* bits of enum output; 0: none to choose */
    int most_arguments;
    int (*run)(struct invocation *in); /* an exit status */
};

extern const struct command commands[];
extern const size_t command_count;

struct option_form {
    const char *name;
    const char *value; /* NULL: takes none */
    const char *about;
};
extern const struct option_form option_forms[OPTION_COUNT];

/* Reads the command line; false with a line in in->notes. *in is zeroed but for its
 * buffers, which the caller has initialised. Without a command in->command is NULL. */
bool invocation_parse(int argc, char **argv, struct invocation *in);

/* Makes the line the only note and returns STATUS_WRONG; arguments may not point into
 * the notes. note() adds a line. */
int wrong(struct invocation *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void note(struct invocation *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The number of an option, within limits; STATUS_WRONG with a line, else 0. standard if
 * it was not given. */
int option_number(struct invocation *in, enum option option, uint64_t low,
                  uint64_t high, uint64_t standard, uint64_t *ret);
/* The same for a size ("10GB", "512MiB", bytes without a unit). */
int option_size(struct invocation *in, enum option option, uint64_t standard,
                uint64_t *ret);
/* And for a ratio above `low`. */
int option_ratio(struct invocation *in, enum option option, double low, double standard,
                 double *ret);

#endif
