/* SPDX-License-Identifier: Apache-2.0 */
/* The commands for a class: what to type, and what for. A command whose key, name or
 * place is not exactly known is left out. */
#ifndef ANALYSIS_ADVISE_H
#define ANALYSIS_ADVISE_H

#include "analysis/explain.h"

/* Fills at most EXPLAIN_COMMANDS (texts are the caller's) and returns their number. */
size_t advise(const struct subject *s, enum heat_class heat_class,
              struct shell_command commands[static EXPLAIN_COMMANDS]);

#endif
