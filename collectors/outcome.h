/* SPDX-License-Identifier: Apache-2.0 */
/* How the readers of answers say why an answer cannot be used. */
#ifndef COLLECTORS_OUTCOME_H
#define COLLECTORS_OUTCOME_H

#include "collectors/sample.h"

struct json_stream;

/* Returns `outcome` and leaves a line for people in *ret_error (caller frees; NULL: not
 * wanted). Outside text in it is passed through log_quote() by the caller. */
enum poll_outcome outcome_error(enum poll_outcome outcome, char **ret_error,
                                const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a latched error of a JSON reader other than -ECANCELED. first_byte is
 * what the answer begins with: '<' tells a page for people. */
enum poll_outcome outcome_of_json(const struct json_stream *json, char first_byte,
                                  char **ret_error);

#endif
