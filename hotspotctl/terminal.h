/* SPDX-License-Identifier: Apache-2.0 */
/* What standard output is. */
#ifndef HOTSPOTCTL_TERMINAL_H
#define HOTSPOTCTL_TERMINAL_H

#include <stdbool.h>

/* Columns of the terminal; 0 if standard output is none. */
unsigned terminal_width(void);

/* "auto" (or NULL), "always", "never". */
bool terminal_color_valid(const char *choice);
/* With auto: on a terminal, unless NO_COLOR is set or TERM is dumb. */
bool terminal_color(const char *choice);

#endif
