/* SPDX-License-Identifier: Apache-2.0 */
/* The list of findings. It has no lock: whoever loads a configuration owns its list.
 * The texts are freed by config_problems_finish(). */
#include "config/problems.h"

#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/buf.h"

/* Longest text of one finding; names and values in it are cut long before. */
enum { TEXT_MAX = 4096 };

static bool
is_known(const struct config_problems *problems, bool warning, const char *text)
{
    for (size_t i = 0; i < problems->count; i++) {
        const struct config_problem *p = &problems->items[i];
        if (p->warning == warning && strcmp(p->text, text) == 0)
            return true;
    }
    return false;
}

static void
append(struct config_problems *problems, bool warning, struct place where, char *text)
{
    problems->items =
        xreallocarray(problems->items, problems->count + 1, sizeof *problems->items);
    problems->items[problems->count++] = (struct config_problem){
        .warning = warning,
        .line = where.line,
        .column = where.column,
        .text = text,
    };
    if (!warning)
        problems->errors++;
}

void
problem_vadd(struct config_problems *problems, bool warning, struct place where,
             const char *format, va_list args)
{
    size_t have = warning ? problems->count - problems->errors : problems->errors;
    if (have >= PROBLEMS_MAX)
        return;
    struct buf text;
    buf_init(&text, TEXT_MAX);
    if (have == PROBLEMS_MAX - 1)
        buf_addf(&text, "too many %s; the rest is not shown",
                 warning ? "warnings" : "errors");
    else
        buf_vaddf(&text, format, args);
    if (where.line != 0 || !is_known(problems, warning, text.data))
        append(problems, warning, where, xmemdup0(text.data, text.len));
    buf_finish(&text);
}

void
problem_add(struct config_problems *problems, bool warning, struct place where,
            const char *format, ...)
{
    va_list args;
    va_start(args, format);
    problem_vadd(problems, warning, where, format, args);
    va_end(args);
}

static bool
stands_before(const struct config_problem *a, const struct config_problem *b)
{
    if (a->line == b->line)
        return a->column < b->column;
    if (a->line == 0 || b->line == 0)
        return b->line == 0;
    return a->line < b->line;
}

void
problems_sort(struct config_problems *problems)
{
    for (size_t i = 1; i < problems->count; i++) {
        struct config_problem moving = problems->items[i];
        size_t j = i;
        for (; j > 0 && stands_before(&moving, &problems->items[j - 1]); j--)
            problems->items[j] = problems->items[j - 1];
        problems->items[j] = moving;
    }
}

void
config_problems_finish(struct config_problems *problems)
{
    for (size_t i = 0; i < problems->count; i++)
        free(problems->items[i].text);
    free(problems->items);
    *problems = (struct config_problems){0};
}
