/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the shell's forms is the text, and did the shell report an error? The
 * readers of the forms do the rest. All memory but the listing's own lives during one
 * call. Any one thread may call it. */
#include "collectors/listing_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/listing_priv.h"
#include "collectors/outcome.h"
#include "common/buf.h"
#include "common/log.h"
#include "common/parse.h"

/* ---- spans and lines ---- */

struct span
span_of(const char *s)
{
    return (struct span){s, strlen(s)};
}

bool
span_is(struct span span, const char *s)
{
    return span.len == strlen(s) && memcmp(span.s, s, span.len) == 0;
}

bool
span_begins(struct span span, const char *s)
{
    size_t len = strlen(s);

    return span.len >= len && memcmp(span.s, s, len) == 0;
}

struct span
span_trim_end(struct span span)
{
    while (span.len > 0 && span.s[span.len - 1] == ' ')
        span.len--;
    return span;
}

struct span
span_trim(struct span span)
{
    while (span.len > 0 && span.s[0] == ' ') {
        span.s++;
        span.len--;
    }
    return span_trim_end(span);
}

struct span
span_cut(struct span *rest, const char *separator)
{
    struct span first = *rest;
    size_t len = strlen(separator);

    const char *found =
        first.len == 0 ? NULL : memmem(first.s, first.len, separator, len);
    if (found == NULL) {
        *rest = (struct span){first.s + first.len, 0};
        return first;
    }
    first.len = (size_t)(found - first.s);
    *rest = (struct span){found + len, rest->len - first.len - len};
    return first;
}

bool
listing_next_line(struct listing_text *t, struct span *ret)
{
    if (t->at >= t->len)
        return false;
    const char *begin = t->text + t->at;
    size_t left = t->len - t->at;
    const char *end = memchr(begin, '\n', left);
    size_t len = end == NULL ? left : (size_t)(end - begin);

    t->at += len + (end != NULL);
    t->line++;
    if (len > 0 && begin[len - 1] == '\r')
        len--;
    *ret = (struct span){begin, len};
    return true;
}

void
listing_rewind(struct listing_text *t)
{
    t->at = 0;
    t->line = 0;
}

bool
listing_count_line(struct span line, const char *after, size_t *ret)
{
    uint64_t n;

    struct span rest = span_trim(line);
    struct span number = span_cut(&rest, " ");
    if (parse_u64(number.s, number.len, &n) != 0 || n > SIZE_MAX)
        return false;
    for (struct span words = span_of(after); words.len > 0;) {
        struct span word = span_cut(&words, "/");
        if (word.len == rest.len && memcmp(word.s, rest.s, rest.len) == 0) {
            *ret = (size_t)n;
            return true;
        }
    }
    return false;
}

enum poll_outcome
listing_refuse(const struct listing_text *t, unsigned line, const char *format, ...)
{
    struct buf text;
    va_list args;

    buf_init(&text, 0);
    buf_addf(&text, "line %u: ", line);
    va_start(args, format);
    buf_vaddf(&text, format, args);
    va_end(args);
    enum poll_outcome outcome =
        outcome_error(POLL_PARSE, t->ret_error, "%s", text.data);
    buf_finish(&text);
    return outcome;
}

/* ---- which form ---- */

/* Without the prompt that IRB prints when its input is a pipe ("hbase:001:0> "). */
static struct span
skip_prompt(struct span line)
{
    static const size_t prompt_max = 40;

    if (!span_begins(line, "hbase"))
        return line;
    struct span rest = line;
    struct span prompt = span_cut(&rest, "> ");
    return prompt.len < prompt_max && prompt.len < line.len ? rest : line;
}

/* "ERROR: text" or "ERROR Class: text", perhaps right behind "Took 0.7 seconds". A line
 * of a logger ("ERROR StatusLogger No ...") has no colon behind its second word. */
static bool
shell_error(struct span line, struct span *ret)
{
    struct span rest = skip_prompt(line);

    if (span_begins(rest, "Took ")) {
        span_cut(&rest, "seconds");
        rest = span_trim(rest);
    }
    *ret = rest;
    if (span_begins(rest, "ERROR:"))
        return true;
    if (!span_begins(rest, "ERROR "))
        return false;
    span_cut(&rest, " ");
    struct span class = span_cut(&rest, " ");
    return class.len > 1 && class.s[class.len - 1] == ':';
}

typedef enum poll_outcome reader_fn(struct listing_text *t);

/* Looks the whole text over: an ERROR anywhere refuses it. *ret_reader: NULL when it is
 * nothing known. */
static enum poll_outcome
recognise(struct listing_text *t, reader_fn **ret_reader)
{
    struct span line, error;
    struct columns columns;
    size_t count;
    char quoted[LOG_QUOTE_SIZE];
    reader_fn *reader = NULL;

    while (listing_next_line(t, &line)) {
        if (shell_error(line, &error))
            return outcome_error(POLL_BAD_RESPONSE, t->ret_error,
                                 "line %u: the shell reports %s", t->line,
                                 log_quote(error.s, error.len, quoted));
        if (listing_count_line(line, "live servers", &count))
            reader = listing_read_status;
        else if (reader != listing_read_status && listing_dash_row(line, &columns))
            reader = listing_read_tables;
        else if (reader == NULL && listing_hand_header(line))
            reader = listing_read_hand;
    }
    *ret_reader = reader;
    listing_rewind(t);
    return POLL_OK;
}

enum poll_outcome
listing_text_parse(const char *text, size_t len, size_t max_rows,
                   struct listing *listing, char **ret_error)
{
    struct listing_text t = {.text = text,
                             .len = len,
                             .listing = listing,
                             .max_rows = max_rows,
                             .ret_error = ret_error};
    reader_fn *reader = NULL;

    enum poll_outcome outcome = recognise(&t, &reader);
    if (outcome != POLL_OK)
        return outcome;
    if (reader == NULL)
        return outcome_error(
            POLL_NO_DATA, ret_error,
            "neither a table of list_regions nor status 'detailed' in the "
            "%zu bytes",
            len);
    t.build = listing_build_create(listing, max_rows);
    outcome = reader(&t);
    if (outcome == POLL_OK)
        listing_build_finish(t.build, NULL);
    listing_build_destroy(t.build);
    free(t.scratch);
    return outcome;
}
