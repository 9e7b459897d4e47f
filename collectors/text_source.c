/* SPDX-License-Identifier: Apache-2.0 */
/* Pure but for the outbox. Collector thread only. */
#include "collectors/text_source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/error_text.h"
#include "collectors/listing_text.h"

enum { ROWS_MAX = 2000000 };

void
text_source_deliver(const struct context *context, enum listing_source source,
                    const char *name, const struct buf *text, int64_t as_of_ms)
{
    struct message *m = message_create(MESSAGE_LISTING);
    char *error = NULL;
    enum poll_outcome outcome =
        listing_text_parse(text->data, text->len, ROWS_MAX, &m->listing, &error);

    if (outcome == POLL_OK) {
        m->listing.source = source;
        m->listing.received = clock_now();
        m->listing.as_of_ms = as_of_ms;
        outbox_put(context->outbox, m);
    } else {
        message_destroy(m);
        outbox_failure(context->outbox, name, outcome,
                       error_text("%s: %s", quoted(name).text,
                                  error != NULL ? error : "unusable text"));
    }
    free(error);
}

/* "N rows" or "Took N seconds", blanks around it. */
static bool
is_footer(const char *line, size_t len)
{
    while (len > 0 && isspace((unsigned char)line[0])) {
        line++;
        len--;
    }
    size_t digits = 0;
    while (digits < len && isdigit((unsigned char)line[digits]))
        digits++;
    if (digits > 0 && len - digits >= 5 && memcmp(line + digits, " rows", 5) == 0)
        return true;
    return len > 13 && memcmp(line, "Took ", 5) == 0 &&
           isdigit((unsigned char)line[5]) && memmem(line, len, " seconds", 8) != NULL;
}

bool
text_source_complete(const char *tail, size_t len)
{
    unsigned lines = 0;

    while (len > 0 && lines < 3) {
        const char *newline = memrchr(tail, '\n', len);
        size_t start = newline != NULL ? (size_t)(newline - tail) + 1 : 0;
        if (is_footer(tail + start, len - start))
            return true;
        for (size_t i = start; i < len; i++) {
            if (!isspace((unsigned char)tail[i])) {
                lines++;
                break;
            }
        }
        len = newline != NULL ? start - 1 : 0;
    }
    return false;
}
