/* SPDX-License-Identifier: Apache-2.0 */
/* Error lines of the readers. Holds no state; any thread may call it. */
#include "collectors/outcome.h"

#include <inttypes.h>
#include <stdarg.h>

#include "collectors/json_stream.h"
#include "common/buf.h"

enum poll_outcome
outcome_error(enum poll_outcome outcome, char **ret_error, const char *format, ...)
{
    struct buf text;
    va_list args;

    if (ret_error == NULL)
        return outcome;
    buf_init(&text, 0);
    va_start(args, format);
    buf_vaddf(&text, format, args);
    va_end(args);
    *ret_error = buf_steal(&text, NULL);
    return outcome;
}

enum poll_outcome
outcome_of_json(const struct json_stream *json, char first_byte, char **ret_error)
{
    return outcome_error(POLL_PARSE, ret_error, "byte %" PRIu64 ": expected %s%s",
                         json_stream_position(json), json_stream_problem(json),
                         first_byte == '<' ? " (the answer is an HTML page)" : "");
}
