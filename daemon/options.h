/* SPDX-License-Identifier: Apache-2.0 */
/* The command line. Flags are named as those of the Prometheus family; settings of the
 * detection stand in the YAML file only. */
#ifndef DAEMON_OPTIONS_H
#define DAEMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buf.h"
#include "config/config.h"
#include "config/load.h"

/* Exit statuses beside 0 and 1, as in <sysexits.h>. */
enum { EXIT_USAGE = 64, EXIT_SOFTWARE = 70, EXIT_OSERR = 71, EXIT_CONFIG = 78 };

struct options {
    /* All point into argv; the arrays are the struct's. */
    const char *config_file;    /* NULL: none */
    struct string_list masters; /* positional */
    struct string_list listen;  /* empty: as configured */
    const char *telemetry_path;
    const char *log_level;
    const char *log_format;
    bool enable_lifecycle;
    bool check_config;
};

enum options_result {
    OPTIONS_RUN,
    OPTIONS_PRINT, /* --help, --version: print the text, exit 0 */
    OPTIONS_WRONG, /* print the text to stderr, exit EXIT_USAGE */
};

/* Reads the command line; what is to be printed is appended to *text. The caller ends
 * with options_finish() either way. */
enum options_result options_parse(int argc, char **argv, struct options *ret_options,
                                  struct buf *text);
void options_finish(struct options *o);

/* The configuration that the options ask for: the file, or the defaults with the
 * masters of the command line; then the flags, then all checks. NULL if there was an
 * error; *ret_problems holds errors and warnings either way. A line for each value of
 * the file that a flag overrides is appended to *notes. */
struct config *options_load_config(const struct options *o,
                                   struct config_problems *ret_problems,
                                   struct buf *notes);

/* "file:line:column: text", or "file: text" without a place; "warning: " before the
 * text of one. */
void options_print_problem(const struct options *o,
                           const struct config_problem *problem, struct buf *out);

#endif
