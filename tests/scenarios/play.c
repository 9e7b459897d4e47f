/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/scenarios/play.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/engine.h"
#include "collectors/sample.h"
#include "common/alloc.h"
#include "config/load.h"
#include "tests/scenarios/answers.h"
#include "tests/scenarios/truth.h"

/* The polling of one host: what its servlet holds, and when we ask. */
struct feed {
    int64_t refresh_at; /* NEVER_AGAIN: its values are taken */
    int64_t poll_at;
    struct message *values;
    bool delayed;
};

#define NEVER_AGAIN INT64_MAX

struct run {
    struct stage *s;
    struct engine *engine;
    struct score *score;
    struct feed feeds[HOSTS_MAX];
    size_t next_action;
    int64_t list_at;
};

/* ---- polls ---- */

/* The next time after `now` that the host is asked, and the refresh it will see. */
static void
schedule(struct run *r, int host, int64_t now)
{
    const struct host *h = &r->s->cluster.hosts[host];
    struct feed *f = &r->feeds[host];
    int64_t interval = r->s->config->poll.interval_ms;
    int64_t past = now - h->poll_phase;

    f->poll_at = h->poll_phase;
    if (past >= 0)
        f->poll_at += (past / interval + 1) * interval;
    int64_t since = f->poll_at - h->refresh_phase;
    int64_t refresh = since < 0 ? f->poll_at : f->poll_at - since % REFRESH_MS;
    f->refresh_at = refresh > now || f->values == NULL ? refresh : NEVER_AGAIN;
    f->delayed = false;
}

static void
refresh(struct run *r, int host)
{
    struct feed *f = &r->feeds[host];

    f->values = message_destroy(f->values);
    f->values = answer_poll(&r->s->cluster, host, f->refresh_at);
    f->refresh_at = NEVER_AGAIN;
}

static void
poll_host(struct run *r, int host)
{
    struct stage *s = r->s;
    struct feed *f = &r->feeds[host];

    if (!f->delayed && dice_unit(dice(s)) < s->delayed) {
        f->delayed = true;
        s->last_delay_ms = dice_int(dice(s), 1000, (int)s->config->poll.timeout_ms);
        f->poll_at += s->last_delay_ms;
        return;
    }
    if (dice_unit(dice(s)) >= s->lost) {
        f->values->poll.received = moment_at(&s->cluster, s->now);
        engine_apply_poll(r->engine, &f->values->poll);
    }
    schedule(r, host, s->now);
}

/* ---- what else is told ---- */

static void
tell_listing(struct run *r)
{
    struct message *m = answer_listing(&r->s->cluster, r->s->now);

    engine_apply_listing(r->engine, &m->listing);
    message_destroy(m);
    r->list_at = r->s->now + r->s->config->topology.interval_ms;
}

static void
tell_cluster(struct run *r)
{
    struct message *m = answer_cluster(&r->s->cluster, r->s->now);

    engine_apply_cluster(r->engine, &m->cluster);
    message_destroy(m);
}

static void
tell_focus(struct run *r)
{
    enum { CALLS = 60 };
    struct focus *focus = engine_focus(r->engine);

    for (size_t i = 0; focus != NULL && i < focus->count; i++) {
        const struct focus_server *f = &focus->servers[i];
        struct message *m = answer_detail(&r->s->cluster, f, r->s->now);
        if (m != NULL)
            engine_apply_detail(r->engine, &m->detail);
        message_destroy(m);
        m = f->sample_rows ? answer_rows(&r->s->cluster, f, CALLS, r->s->now) : NULL;
        if (m != NULL)
            engine_apply_rows(r->engine, &m->rows);
        message_destroy(m);
    }
    focus_destroy(focus);
}

static void
evaluate(struct run *r)
{
    struct stage *s = r->s;
    struct engine_wants wants = engine_wants(r->engine);
    size_t n;

    tell_cluster(r);
    if (s->listings && (s->now >= r->list_at || wants.listing || wants.urgent_listing))
        tell_listing(r);
    truth_measure(s);
    struct snapshot *snapshot =
        engine_evaluate(r->engine, moment_at(&s->cluster, s->now));
    const struct engine_event *events = engine_events(r->engine, &n);
    score_evaluation(r->score, snapshot, events, n);
    tell_focus(r);
    snapshot_unref(snapshot);
}

/* ---- time ---- */

static int
by_time(const void *a, const void *b)
{
    const struct action *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* The host whose next step comes first, and when. */
static int
next_host(const struct run *r, int64_t *ret_at)
{
    int first = 0;

    *ret_at = NEVER_AGAIN;
    for (int i = 0; i < r->s->cluster.host_count; i++) {
        const struct feed *f = &r->feeds[i];
        int64_t at = f->refresh_at < f->poll_at ? f->refresh_at : f->poll_at;
        if (at < *ret_at) {
            *ret_at = at;
            first = i;
        }
    }
    return first;
}

/* All that happens before `until`, in its order. */
static void
pass(struct run *r, int64_t until)
{
    struct stage *s = r->s;

    for (;;) {
        int64_t host_at, action_at = NEVER_AGAIN;
        int host = next_host(r, &host_at);
        if (r->next_action < s->action_count)
            action_at = s->actions[r->next_action].at;
        if (host_at >= until && action_at >= until)
            return;
        s->now = action_at <= host_at ? action_at : host_at;
        if (action_at <= host_at) {
            const struct action *a = &s->actions[r->next_action++];
            a->act(s, a);
        } else if (r->feeds[host].refresh_at <= r->feeds[host].poll_at) {
            refresh(r, host);
        } else {
            poll_host(r, host);
        }
    }
}

static void
play_all(struct run *r)
{
    struct stage *s = r->s;

    qsort(s->actions, s->action_count, sizeof(*s->actions), by_time);
    for (int i = 0; i < s->cluster.host_count; i++)
        schedule(r, i, -1);
    if (s->listings)
        tell_listing(r);
    for (int64_t at = s->config->poll.interval_ms; at <= s->duration_ms;
         at += s->config->poll.interval_ms) {
        pass(r, at);
        s->now = at;
        evaluate(r);
    }
}

static struct stage *
build(const struct kind *kind, uint64_t seed, vary_fn *vary)
{
    struct stage *s = xcalloc(1, sizeof(*s));

    for (const char *p = kind->name; *p != '\0'; p++)
        seed = seed * 1099511628211u + (unsigned char)*p;
    s->cluster.dice.state = seed;
    s->cluster.jitter = 0.05;
    s->config = config_create_default();
    s->duration_ms = MINUTES(40);
    s->listings = true;
    kind->build(s);
    if (vary != NULL)
        vary(s->config);
    for (int i = 0; i < s->truth_count; i++)
        if (s->truths[i].to_ms > s->duration_ms)
            s->truths[i].to_ms = s->duration_ms;
    return s;
}

void
play(const struct kind *kind, uint64_t seed, vary_fn *vary,
     struct tally sums[static JUDGE_COUNT], bool trace)
{
    struct stage *s = build(kind, seed, vary);

    s->trace = trace;
    struct run r = {s, engine_create(s->config), score_create(s), {{0}}, 0, 0};

    play_all(&r);
    score_sum(r.score, sums, trace);
    for (int i = 0; i < s->cluster.host_count; i++)
        message_destroy(r.feeds[i].values);
    score_destroy(r.score);
    engine_destroy(r.engine);
    config_destroy(s->config);
    free(s->actions);
    free(s);
}
