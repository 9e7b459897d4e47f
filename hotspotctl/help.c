/* SPDX-License-Identifier: Apache-2.0 */
/* Help texts, from the tables of command.c. */
#include "hotspotctl/help.h"

#include <stdio.h>
#include <string.h>

enum { COLUMN = 26 };

static void
print_line(struct buf *out, const char *name, const char *value, const char *about)
{
    size_t start = out->len;

    buf_addf(out, "  %s", name);
    if (value != NULL && *value != '\0')
        buf_addf(out, " %s", value);
    size_t width = out->len - start;
    buf_addf(out, "%*s%s\n", (int)(width < COLUMN ? COLUMN - width : 1), "", about);
}

static void
print_command(const struct command *command, struct buf *out)
{
    buf_addf(out, "Usage: hotspotctl %s [OPTION]...%s%s\n\n%s.\n\n", command->name,
             *command->arguments != '\0' ? " " : "", command->arguments,
             command->about);
    for (int i = 0; i < OPTION_COUNT; i++) {
        char name[40];
        const char *about = option_forms[i].about;
        if (option_forms[i].name == NULL ||
            (i != OPT_HELP && (command->options & (uint64_t)1 << i) == 0))
            continue;
        if (i == OPT_OUTPUT && (command->outputs & 1U << OUTPUT_SHELL) != 0)
            about = "table (default), json, csv, file (HBase's SPLITS_FILE) or shell "
                    "(a create command)";
        snprintf(name, sizeof name, "--%s", option_forms[i].name);
        print_line(out, name, option_forms[i].value, about);
    }
    if ((command->options & (uint64_t)1 << OPT_SCHEME) != 0)
        buf_adds(out,
                 "\nSchemes: none, salt:N, hash:md5:DIGITS, reverse-domain,\n"
                 "reverse-time:OFFSET:WIDTH[:digits], time-bucket:OFFSET:WIDTH:N,\n"
                 "prefix-byte:N, phoenix:N, composite:[FIELD@]WIDTH,...[:SEPARATOR]\n");
    buf_adds(out, "\nExit status: 0 fine, 1 something is hot, 2 wrong usage or input.\n"
                  "hotspotctl(1) tells more.\n");
}

void
help_print(const struct command *command, struct buf *out)
{
    if (command != NULL) {
        print_command(command, out);
        return;
    }
    buf_adds(out, "Usage: hotspotctl COMMAND [OPTION]... [ARGUMENT]...\n\n"
                  "Hot regions of an HBase cluster, and row keys that spread.\n\n");
    for (size_t i = 0; i < command_count; i++)
        print_line(out, commands[i].name, commands[i].arguments, commands[i].about);
    buf_adds(out, "\nhotspotctl COMMAND --help lists the options of a command.\n"
                  "Exit status: 0 fine, 1 something is hot, 2 wrong usage or input.\n");
}
