/* SPDX-License-Identifier: Apache-2.0 */
/* Turns libyaml's error fields (0-based marks, byte offsets) into findings for people.
 * Owns nothing; runs on the thread that loads a configuration. */
#include "config/yaml_error.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "common/buf.h"
#include "common/utf8.h"

static struct place
place_of(yaml_mark_t mark)
{
    return (struct place){(unsigned)mark.line + 1, (unsigned)mark.column + 1};
}

/* Where the byte at offset stands; columns count code points, as libyaml's marks do. */
static struct place
place_of_offset(const char *text, size_t len, size_t offset)
{
    struct place where = {1, 1};
    size_t i = 0;

    while (i < offset && i < len) {
        size_t n = utf8_sequence(text + i, len - i);
        if (text[i] == '\n')
            where = (struct place){where.line + 1, 1};
        else
            where.column++;
        i += n > 0 ? n : 1;
    }
    return where;
}

int
yaml_error_check_utf8(const char *text, size_t len, struct config_problems *problems)
{
    for (size_t i = 0; i < len;) {
        size_t n = utf8_sequence(text + i, len - i);
        if (n == 0) {
            problem_add(problems, false, place_of_offset(text, len, i),
                        "byte 0x%02x is not UTF-8", (unsigned char)text[i]);
            return -EINVAL;
        }
        i += n;
    }
    return 0;
}

/* True if the blanks that begin the line (0-based) hold a tab. */
static bool
indented_by_tab(const char *text, size_t len, size_t line)
{
    const char *end = text + len;

    for (; line > 0 && text < end; line--) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        text = newline ? newline + 1 : end;
    }
    for (; text < end && (*text == ' ' || *text == '\t'); text++) {
        if (*text == '\t')
            return true;
    }
    return false;
}

static const char *
hint(const yaml_parser_t *parser, const char *text, size_t len)
{
    const char *context = parser->context ? parser->context : "";

    if (indented_by_tab(text, len, parser->problem_mark.line))
        return "tabs are not allowed for indentation";
    if (strstr(context, "alias"))
        return "a text that begins with '*' must be in quotes";
    if (strstr(context, "anchor"))
        return "a text that begins with '&' must be in quotes";
    if (strstr(context, "tag"))
        return "a text that begins with '!' must be in quotes";
    if (strstr(parser->problem, "cannot start any token"))
        return "a text that begins with such a character must be in quotes";
    if (strstr(parser->problem, "mapping values are not allowed"))
        return "a text with ': ' in it must be in quotes, and a key needs the "
               "indentation of its neighbours";
    return NULL;
}

static void
report_reader_error(const yaml_parser_t *parser, const char *text, size_t len,
                    struct config_problems *problems)
{
    struct buf line;

    buf_init(&line, 0);
    buf_adds(&line, parser->problem);
    if (parser->problem_value >= 0)
        buf_addf(&line, " (0x%02x)", (unsigned)parser->problem_value);
    problem_add(problems, false, place_of_offset(text, len, parser->problem_offset),
                "syntax error: %s", line.data);
    buf_finish(&line);
}

void
yaml_error_report(const yaml_parser_t *parser, const char *text, size_t len,
                  struct config_problems *problems)
{
    struct buf line;

    if (parser->error == YAML_MEMORY_ERROR || !parser->problem) {
        problem_add(problems, false, (struct place){0}, "out of memory");
        return;
    }
    if (parser->error == YAML_READER_ERROR) {
        report_reader_error(parser, text, len, problems);
        return;
    }
    buf_init(&line, 0);
    buf_adds(&line, parser->problem);
    if (parser->context) {
        struct place began = place_of(parser->context_mark);
        buf_addf(&line, ", %s that began at line %u, column %u", parser->context,
                 began.line, began.column);
    }
    const char *advice = hint(parser, text, len);
    if (advice)
        buf_addf(&line, "; %s", advice);
    problem_add(problems, false, place_of(parser->problem_mark), "syntax error: %s",
                line.data);
    buf_finish(&line);
}
