/* SPDX-License-Identifier: Apache-2.0 */
/* Collecting what is wrong with a configuration. The list belongs to the caller and is
 * emptied with config_problems_finish() (config/load.h). At most 100 errors and 100
 * warnings are kept: a broken file of a mebibyte needs no more. */
#ifndef CONFIG_PROBLEMS_H
#define CONFIG_PROBLEMS_H

#include <stdbool.h>
#include <stdarg.h>

#include "config/load.h"

enum { PROBLEMS_MAX = 100 }; /* of each of the two kinds */

/* A place in the file, 1-based; {0, 0} for a finding without one. */
struct place {
    unsigned line;
    unsigned column;
};

/* Appends one finding; the text is made with printf. A finding without a place whose
 * text is in the list already is not added again (config_check() may run twice). */
void problem_add(struct config_problems *problems, bool warning, struct place where,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
void problem_vadd(struct config_problems *problems, bool warning, struct place where,
                  const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

/* By line and column, findings without a place last; equal ones stay in order. */
void problems_sort(struct config_problems *problems);

#endif
