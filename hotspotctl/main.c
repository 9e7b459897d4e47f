/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the command line, runs the command, prints what it made: results on standard
 * output, notes on standard error, nothing on standard output when something is wrong.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/version.h"
#include "hotspotctl/command.h"
#include "hotspotctl/help.h"

static void
print_notes(const struct buf *notes)
{
    for (const char *p = notes->data; *p != '\0';) {
        size_t len = strcspn(p, "\n");
        fprintf(stderr, "hotspotctl: %.*s\n", (int)len, p);
        p += len + (p[len] == '\n');
    }
}

static int
run(struct invocation *in)
{
    if (in->values[OPT_VERSION] != NULL) {
        buf_addf(&in->out, "hotspotctl %s (%s)\n", HOTSPOTD_VERSION, HOTSPOTD_REVISION);
        return STATUS_FINE;
    }
    if (in->values[OPT_HELP] != NULL) {
        help_print(in->command, &in->out);
        return STATUS_FINE;
    }
    return in->command->run(in);
}

int
main(int argc, char **argv)
{
    struct invocation in = {0};
    int status = STATUS_WRONG;

    signal(SIGPIPE, SIG_IGN);
    buf_init(&in.out, 0);
    buf_init(&in.notes, 0);
    if (invocation_parse(argc, argv, &in))
        status = run(&in);
    if (in.out.failed)
        status = wrong(&in, "out of memory");
    if (status != STATUS_WRONG &&
        (fwrite(in.out.data, 1, in.out.len, stdout) != in.out.len ||
         fflush(stdout) != 0))
        status = wrong(&in, "cannot write the result: %m");
    print_notes(&in.notes);
    buf_finish(&in.out);
    buf_finish(&in.notes);
    free(in.arguments);
    return status;
}
