/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the kernel and the environment. Holds no state. */
#include "hotspotctl/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

unsigned
terminal_width(void)
{
    struct winsize size;

    if (!isatty(STDOUT_FILENO))
        return 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

bool
terminal_color_valid(const char *choice)
{
    return choice == NULL || strcmp(choice, "auto") == 0 ||
           strcmp(choice, "always") == 0 || strcmp(choice, "never") == 0;
}

bool
terminal_color(const char *choice)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    if (choice != NULL && strcmp(choice, "auto") != 0)
        return strcmp(choice, "always") == 0;
    return isatty(STDOUT_FILENO) && (no_color == NULL || *no_color == '\0') &&
           term != NULL && strcmp(term, "dumb") != 0;
}
