/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the targets, each of which owns its poll under way. Collector thread only.
 *
 * A target is due at a moment of the monotonic clock; starting its poll sets the next
 * one. At most max_in_flight requests run, the other polls wait in a fair order. A
 * round is a tick's worth of polls: it ends when every target that is due in it has its
 * result, at the next tick at the latest; what comes later counts in the round after.
 */
#include "collectors/poller.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/rs_poll.h"
#include "collectors/schedule.h"
#include "common/alloc.h"

#define NEVER INT64_MAX

/* Where a target stands in the current round. */
enum stand {
    STAND_WAITING, /* will be polled in it */
    STAND_RUNNING,
    STAND_LATE, /* busy with the poll of a round before, will be polled after that */
    STAND_DONE, /* nothing more to come */
};

enum verdict { VERDICT_NONE, VERDICT_OK, VERDICT_FAILED };

struct target {
    struct poller *poller;
    char *url;
    int64_t phase_ms;
    int64_t due_ms;   /* of the next regular poll */
    int64_t retry_ms; /* of the quick retry; NEVER: none */
    bool retrying;    /* the poll under way is that retry */
    struct rs_memory memory;
    struct rs_poll *poll; /* NULL: none under way */
    unsigned failures;    /* in a row */
    enum stand stand;
    enum verdict verdict; /* in the current round */
};

struct poller {
    const struct context *context;
    struct target **targets; /* in the order of their URLs */
    size_t count;
    size_t cursor; /* where the search for due targets goes on */
    unsigned in_flight;
    unsigned lent;       /* of them, to requests that are no polls */
    int64_t earliest_ms; /* no target needs anything before */
    int64_t tick_ms;     /* of the next tick; INT64_MIN before the first */
    bool expect_targets;
    bool round_open;
    size_t open; /* targets that are not STAND_DONE */
    struct round_summary round;
};

struct poller *
poller_create(const struct context *context)
{
    struct poller *p = xcalloc(1, sizeof *p);

    p->context = context;
    p->earliest_ms = NEVER;
    p->tick_ms = INT64_MIN;
    return p;
}

static int64_t
interval_of(const struct poller *p)
{
    return p->context->config->poll.interval_ms;
}

static void
set_stand(struct target *t, enum stand stand)
{
    t->poller->open += (stand != STAND_DONE);
    t->poller->open -= (t->stand != STAND_DONE);
    t->stand = stand;
}

static struct target *
target_create(struct poller *p, const char *url, struct moment now)
{
    struct target *t = xcalloc(1, sizeof *t);

    t->poller = p;
    t->url = xstrdup(url);
    t->phase_ms = schedule_phase(url, interval_of(p));
    t->due_ms = now.mono_ms;
    t->retry_ms = NEVER;
    t->stand = STAND_DONE;
    set_stand(t, STAND_WAITING);
    return t;
}

static void
target_destroy(struct target *t)
{
    if (t->poll != NULL) {
        rs_poll_cancel(t->poll);
        t->poller->in_flight--;
        t->poller->earliest_ms = INT64_MIN; /* a place is free */
    }
    set_stand(t, STAND_DONE);
    rs_memory_finish(&t->memory);
    free(t->url);
    free(t);
}

struct poller *
poller_destroy(struct poller *p)
{
    if (p == NULL)
        return NULL;
    for (size_t i = 0; i < p->count; i++)
        target_destroy(p->targets[i]);
    free(p->targets);
    free(p);
    return NULL;
}

void
poller_set_targets(struct poller *p, char *const *urls, size_t count, struct moment now)
{
    struct target **targets = xcalloc(count, sizeof(struct target *));
    size_t old = 0;

    for (size_t i = 0; i < count; i++) {
        int order = 1;
        while (old < p->count && (order = strcmp(p->targets[old]->url, urls[i])) < 0)
            target_destroy(p->targets[old++]);
        if (old < p->count && order == 0)
            targets[i] = p->targets[old++];
        else
            targets[i] = target_create(p, urls[i], now);
    }
    while (old < p->count)
        target_destroy(p->targets[old++]);
    free(p->targets);
    p->targets = targets;
    p->count = count;
    p->cursor = 0;
    p->earliest_ms = INT64_MIN;
}

void
poller_expect_targets(struct poller *p, bool expected)
{
    p->expect_targets = expected;
}

void
poller_count_request(struct poller *p, uint64_t bytes)
{
    p->round.requests++;
    p->round.bytes += bytes;
}

bool
poller_take_place(struct poller *p)
{
    unsigned most = p->context->config->poll.max_in_flight;

    if (p->in_flight >= most || p->lent >= (most + 1) / 2)
        return false;
    p->in_flight++;
    p->lent++;
    return true;
}

void
poller_give_place(struct poller *p)
{
    assert(p->lent > 0);
    p->in_flight--;
    p->lent--;
    p->earliest_ms = INT64_MIN;
}

/* Sends the summary of the current round and begins to collect the next one. */
static void
end_round(struct poller *p, struct moment now)
{
    struct message *m = message_create(MESSAGE_ROUND);

    for (size_t i = 0; i < p->count; i++) {
        struct target *t = p->targets[i];
        p->round.ok += t->verdict == VERDICT_OK;
        p->round.failed += t->verdict == VERDICT_FAILED;
        t->verdict = VERDICT_NONE;
    }
    p->round.finished = now;
    m->round = p->round;
    outbox_put(p->context->outbox, m);
    p->round = (struct round_summary){.started = now};
    p->round_open = false;
}

/* A failing target that is spared in this round has failed in it all the same. */
static void
rest(struct target *t)
{
    set_stand(t, STAND_DONE);
    t->verdict = t->failures > 0 ? VERDICT_FAILED : VERDICT_NONE;
}

static void
begin_round(struct poller *p, struct moment now)
{
    p->tick_ms = schedule_next(now, interval_of(p), 0);
    p->round.started = now;
    p->round_open = true;
    for (size_t i = 0; i < p->count; i++) {
        struct target *t = p->targets[i];
        if (t->poll != NULL)
            set_stand(t, STAND_LATE);
        else if (t->due_ms < p->tick_ms || t->retry_ms < p->tick_ms)
            set_stand(t, STAND_WAITING);
        else
            rest(t);
    }
}

/* The quick retry of an answer without data is worth it once. */
static bool
wants_retry(const struct target *t, const struct server_poll *poll)
{
    return poll->outcome == POLL_NO_DATA && !t->retrying;
}

/* Beans come back by themselves; everything else is worth slowing down for. */
static void
count_failure(struct target *t, const struct server_poll *poll, struct moment now)
{
    int64_t interval = interval_of(t->poller);

    if (poll->outcome == POLL_OK || poll->outcome == POLL_NO_DATA) {
        t->failures = 0;
        return;
    }
    t->failures++;
    unsigned factor = schedule_backoff(t->failures, interval);
    if (factor > 1) {
        t->due_ms = schedule_next(now, interval, t->phase_ms);
        t->due_ms += (int64_t)(factor - 1) * interval;
    }
}

static void
on_poll(void *user, struct message *message, unsigned requests)
{
    struct target *t = user;
    struct poller *p = t->poller;
    const struct server_poll *poll = &message->poll;
    struct moment now = clock_now();
    bool late = t->stand == STAND_LATE;

    t->poll = NULL;
    p->in_flight--;
    p->round.requests += requests;
    p->round.bytes += poll->bytes;
    p->earliest_ms = INT64_MIN;
    if (wants_retry(t, poll)) {
        t->retry_ms = now.mono_ms + schedule_retry_ms(interval_of(p));
        message_destroy(message);
        set_stand(t, STAND_WAITING);
        return;
    }
    t->retrying = false;
    t->verdict = poll->outcome == POLL_OK ? VERDICT_OK : VERDICT_FAILED;
    count_failure(t, poll, now);
    set_stand(t, late && t->due_ms < p->tick_ms ? STAND_WAITING : STAND_DONE);
    outbox_put(p->context->outbox, message);
}

static void
start_poll(struct target *t, struct moment now)
{
    struct poller *p = t->poller;

    t->retrying = t->retry_ms != NEVER;
    t->retry_ms = NEVER;
    if (t->due_ms <= now.mono_ms)
        t->due_ms = schedule_next(now, interval_of(p), t->phase_ms);
    set_stand(t, STAND_RUNNING);
    p->in_flight++;
    t->poll = rs_poll_start(p->context, t->url, &t->memory, on_poll, t);
}

/* What a due target needs; returns when it needs something next. */
static int64_t
serve(struct target *t, struct moment now)
{
    struct poller *p = t->poller;
    bool due = t->due_ms <= now.mono_ms;

    if (due && t->poll != NULL) {
        p->round.skipped++;
        t->due_ms = schedule_next(now, interval_of(p), t->phase_ms);
        if (t->stand == STAND_LATE)
            set_stand(t, STAND_RUNNING); /* what runs stands for this tick, too */
    } else if (due || (t->poll == NULL && t->retry_ms <= now.mono_ms)) {
        if (p->in_flight < p->context->config->poll.max_in_flight)
            start_poll(t, now);
        else
            return NEVER; /* looked at again when a place is free */
    }
    if (t->poll == NULL && t->retry_ms < t->due_ms)
        return t->retry_ms;
    return t->due_ms;
}

static void
serve_due(struct poller *p, struct moment now)
{
    size_t start = p->cursor;

    p->earliest_ms = NEVER;
    for (size_t n = 0; n < p->count; n++) {
        size_t i = (start + n) % p->count;
        unsigned before = p->in_flight;
        int64_t next = serve(p->targets[i], now);
        if (next < p->earliest_ms)
            p->earliest_ms = next;
        if (p->in_flight > before)
            p->cursor = (i + 1) % p->count;
    }
}

/* True when nothing more will come in the current round. */
static bool
round_is_over(const struct poller *p)
{
    return p->round_open && p->open == 0 && !p->expect_targets;
}

bool
poller_step(struct poller *p, struct moment now)
{
    bool tick = now.mono_ms >= p->tick_ms;

    if (tick) {
        if (p->round_open)
            end_round(p, now);
        begin_round(p, now);
    }
    if (now.mono_ms >= p->earliest_ms)
        serve_due(p, now);
    /* With the tick others begin to look for targets: that is waited for. */
    if (!tick && round_is_over(p))
        end_round(p, now);
    return tick;
}

int64_t
poller_next_ms(const struct poller *p)
{
    if (round_is_over(p))
        return INT64_MIN;
    return p->earliest_ms < p->tick_ms ? p->earliest_ms : p->tick_ms;
}
