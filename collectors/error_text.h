/* SPDX-License-Identifier: Apache-2.0 */
/* Building one-line error texts for people. */
#ifndef COLLECTORS_ERROR_TEXT_H
#define COLLECTORS_ERROR_TEXT_H

#include <string.h>

#include "common/log.h"

/* printf into memory that the caller frees. */
char *error_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Outside text made safe by log_quote(), as a value: printf("%s", quoted(s).text). */
struct quoted_text {
    char text[LOG_QUOTE_SIZE];
};
struct quoted_text quoted(const char *s);
/* A library's English sentence as it is, cut to what fits; bytes that are not printable
 * ASCII as '?'. */
struct quoted_text sentence(const char *s);

#endif
