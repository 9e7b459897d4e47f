/* SPDX-License-Identifier: Apache-2.0 */
/* A short unordered list, searched for its earliest entry; scenarios have a few hundred
 * entries at most. Owns the commands. */
#include "tests/sim/timeline.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

void
timeline_init(struct timeline *tl)
{
    *tl = (struct timeline){.next = TIMELINE_END};
}

void
timeline_finish(struct timeline *tl)
{
    for (size_t i = 0; i < tl->count; i++)
        command_destroy(tl->events[i].command);
    free(tl->events);
    timeline_init(tl);
}

void
timeline_add(struct timeline *tl, const struct event *event)
{
    xgrow(&tl->events, &tl->cap, tl->count + 1, sizeof(struct event));
    tl->events[tl->count] = *event;
    tl->events[tl->count++].order = tl->added++;
    if (event->at < tl->next)
        tl->next = event->at;
}

void
timeline_later(struct timeline *tl, int64_t at, const char *format, ...)
{
    const char *words[8];
    size_t count = 0;
    struct problem p;
    char text[128];
    char *rest = text;
    va_list args;
    struct event event = {.at = at, .until = at};

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    while (rest && count < 8)
        words[count++] = strsep(&rest, " ");
    event.command = command_read(words, count, &p);
    assert(event.command);
    timeline_add(tl, &event);
}

static struct event *
earliest(struct timeline *tl)
{
    struct event *first = NULL;

    for (size_t i = 0; i < tl->count; i++) {
        struct event *event = &tl->events[i];

        if (!first || event->at < first->at ||
            (event->at == first->at && event->order < first->order))
            first = event;
    }
    return first;
}

/* Puts the event off to its next time, or drops it. */
static void
move_on(struct timeline *tl, struct event *event)
{
    if (event->every > 0 && event->at <= event->until - event->every) {
        event->at += event->every;
        return;
    }
    command_destroy(event->command);
    *event = tl->events[--tl->count];
}

unsigned
timeline_run(struct timeline *tl, struct cluster *c, int64_t t,
             timeline_report_fn *report, void *user)
{
    unsigned run = 0;

    while (tl->next <= t) {
        struct event event = *earliest(tl);
        struct problem p;
        struct event *again;

        if (command_run(event.command, c, tl, event.at, &p) < 0)
            report(user, event.line, event.at, &p);
        for (again = tl->events; again->order != event.order; again++)
            continue; /* the list may have grown and moved */
        move_on(tl, again);
        again = earliest(tl);
        tl->next = again ? again->at : TIMELINE_END;
        run++;
    }
    return run;
}
