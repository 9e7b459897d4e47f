/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the request under way with its reader and the session of row sampling. What
 * there is to ask is a table of tasks, each with a due time; the first of them that is
 * due is done. A failure costs only the task: limits are tried again after 1, 2, 4 ...
 * minutes, calls as a poll would be. */
#include "collectors/watch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/operations.h"
#include "collectors/sampling.h"
#include "collectors/schedule.h"
#include "collectors/server_limits.h"
#include "common/alloc.h"
#include "common/buf.h"

#define NEVER INT64_MAX

enum {
    RETRY_MS = 60 * 1000,
    RETRY_DOUBLINGS = 4,
    FULL_BODY_MAX = 8 * 1024 * 1024, /* about 2,500 regions */
    LAG_MS = 1000, /* behind the poll, whose answer HBase then still has */
};

enum task { TASK_CONF, TASK_HEAP, TASK_OPERATIONS, TASK_SAMPLE, TASK_COUNT };

struct watch {
    const struct context *context;
    const struct watch_events *events;
    char *url;
    int64_t phase_ms;
    int64_t changed_ms;
    bool focused;
    struct region_id *regions;
    size_t region_count;

    /* of this start of the server */
    char *server;
    struct server_limits limits;
    enum operations_query query;
    bool on_jsp;
    bool have_turn;
    uint32_t turn; /* of the last session */

    int64_t due_ms[TASK_SAMPLE];
    unsigned failures[TASK_SAMPLE];    /* in a row */
    struct focus_server *next_session; /* waits for its first request */
    struct sampling *sampling;

    /* the request under way */
    enum task task; /* TASK_COUNT: none */
    struct fetch *fetch;
    struct conf_reader *conf;
    struct operations *operations;
    struct buf body;
};

/* ---- life ---- */

static void
forget_start(struct watch *w)
{
    free(w->server);
    w->server = NULL;
    w->limits = (struct server_limits){0};
    w->query = OPERATIONS_FILTERED;
    w->on_jsp = false;
    w->have_turn = false;
    for (size_t i = 0; i < TASK_SAMPLE; i++) {
        w->due_ms[i] = INT64_MIN;
        w->failures[i] = 0;
    }
}

struct watch *
watch_create(const struct context *context, const char *url,
             const struct watch_events *events)
{
    struct watch *w = xcalloc(1, sizeof *w);

    w->context = context;
    w->events = events;
    w->url = xstrdup(url);
    w->phase_ms = schedule_phase(url, context->config->poll.interval_ms);
    w->task = TASK_COUNT;
    buf_init(&w->body, HEAP_MAX);
    forget_start(w);
    return w;
}

static void
drop_readers(struct watch *w)
{
    w->conf = conf_reader_destroy(w->conf);
    w->operations = operations_destroy(w->operations);
    buf_finish(&w->body);
}

static struct focus_server *
free_session(struct focus_server *session)
{
    if (session == NULL)
        return NULL;
    free(session->url);
    free(session->server);
    free(session->regions);
    free(session);
    return NULL;
}

/* Ends the session, if any, and tells what it saw. */
static void
end_sampling(struct watch *w, const char *why, struct moment now)
{
    if (w->sampling == NULL)
        return;
    outbox_put(w->context->outbox, sampling_message(w->sampling, why, now));
    w->sampling = sampling_destroy(w->sampling);
}

/* Ends the request under way, if any. */
static void
drop_request(struct watch *w)
{
    if (w->task == TASK_COUNT)
        return;
    fetch_cancel(w->fetch);
    w->fetch = NULL;
    w->task = TASK_COUNT;
    drop_readers(w);
    w->events->dropped(w->events->user);
}

/* Leaves the session, and its request if that is what is under way. */
static void
leave_sampling(struct watch *w, const char *why, struct moment now)
{
    bool asking = w->task == TASK_SAMPLE;

    w->next_session = free_session(w->next_session);
    end_sampling(w, why, now);
    if (asking)
        drop_request(w);
}

struct watch *
watch_destroy(struct watch *w)
{
    if (w == NULL)
        return NULL;
    w->sampling = sampling_destroy(w->sampling);
    free_session(w->next_session);
    drop_request(w);
    free(w->regions);
    free(w->server);
    free(w->url);
    free(w);
    return NULL;
}

const char *
watch_url(const struct watch *w)
{
    return w->url;
}

int64_t
watch_changed_ms(const struct watch *w)
{
    return w->changed_ms;
}

bool
watch_in_focus(const struct watch *w)
{
    return w->focused;
}

/* ---- the focus ---- */

static struct region_id *
copy_regions(const struct focus_server *server)
{
    struct region_id *copy = xcalloc(server->region_count, sizeof *copy);

    if (server->region_count > 0)
        memcpy(copy, server->regions, server->region_count * sizeof *copy);
    return copy;
}

static void
set_session(struct watch *w, const struct focus_server *server)
{
    if (w->have_turn && w->turn == server->turn)
        return;
    free_session(w->next_session);
    w->next_session = xcalloc(1, sizeof *w->next_session);
    *w->next_session = *server;
    w->next_session->url = xstrdup(server->url);
    w->next_session->server = xstrdup(server->server);
    w->next_session->regions = copy_regions(server);
}

void
watch_set_focus(struct watch *w, const struct focus_server *server, struct moment now)
{
    if (w->focused != (server != NULL))
        w->changed_ms = now.mono_ms;
    w->focused = server != NULL;
    if (server == NULL) {
        leave_sampling(w, "the server has no alert any more", now);
        drop_request(w);
        return;
    }
    if (w->server == NULL || strcmp(w->server, server->server) != 0) {
        leave_sampling(w, "the server was started anew", now);
        drop_request(w);
        forget_start(w);
        w->server = xstrdup(server->server);
    }
    free(w->regions);
    w->regions = copy_regions(server);
    w->region_count = server->region_count;
    if (server->sample_rows)
        set_session(w, server);
    else
        leave_sampling(w, "row sampling was switched off", now);
}

/* ---- results ---- */

static int
end_conf(struct watch *w, const struct fetch_result *result)
{
    if (result->outcome != POLL_OK)
        return -1;
    return conf_reader_end(w->conf, &w->limits);
}

static int
end_heap(struct watch *w, const struct fetch_result *result)
{
    if (result->outcome != POLL_OK || w->body.failed)
        return -1;
    return heap_read(w->body.data, w->body.len, &w->limits);
}

/* Known for good, or tried again some time. */
static void
end_limit(struct watch *w, enum task task, bool good, struct moment now)
{
    unsigned *failures = &w->failures[task];
    unsigned doublings = *failures < RETRY_DOUBLINGS ? *failures : RETRY_DOUBLINGS;

    w->due_ms[task] = good ? NEVER : now.mono_ms + ((int64_t)RETRY_MS << doublings);
    *failures += !good;
}

/* What is known of the server, with the answer's operations. Limits are those of the
 * start that the focus named. */
static void
tell_detail(struct watch *w, struct message *message, struct moment received)
{
    struct server_detail *detail = &message->detail;

    detail->url = xstrdup(w->url);
    if (detail->server == NULL)
        detail->server = xstrdup(w->server);
    detail->received = received;
    if (strcmp(detail->server, w->server) == 0) {
        detail->handlers = w->limits.handlers;
        detail->memstore_limit_bytes = server_limits_memstore(&w->limits);
    }
    outbox_put(w->context->outbox, message);
}

static bool
refuses_query(const struct fetch_result *result)
{
    return result->outcome == POLL_HTTP_STATUS &&
           (result->http_status == 400 || result->http_status == 500);
}

/* How the answer to the query went; on POLL_OK it has been told. */
static enum poll_outcome
read_operations(struct watch *w, const struct fetch_result *result,
                bool *ret_not_understood)
{
    struct message *message = message_create(MESSAGE_DETAIL);
    enum poll_outcome outcome = result->outcome;

    *ret_not_understood = refuses_query(result);
    if (outcome == POLL_OK)
        outcome = operations_end(w->operations, ret_not_understood, &message->detail);
    if (outcome == POLL_OK)
        tell_detail(w, message, result->ended);
    else
        message_destroy(message);
    return outcome;
}

static void
end_operations(struct watch *w, const struct fetch_result *result)
{
    int64_t interval = w->context->config->poll.interval_ms;
    unsigned *failures = &w->failures[TASK_OPERATIONS];
    bool not_understood;

    enum poll_outcome outcome = read_operations(w, result, &not_understood);
    if (not_understood && w->query == OPERATIONS_FILTERED) {
        w->query = OPERATIONS_FULL;
        w->due_ms[TASK_OPERATIONS] = result->ended.mono_ms;
        return;
    }
    if (w->query == OPERATIONS_FULL && (not_understood || outcome == POLL_TOO_LARGE))
        w->query = OPERATIONS_NONE;
    *failures = outcome == POLL_OK || outcome == POLL_NO_DATA ? 0 : *failures + 1;
    unsigned factor = schedule_backoff(*failures, interval);
    w->due_ms[TASK_OPERATIONS] += (int64_t)(factor - 1) * interval;
}

static void
on_done(void *user, const struct fetch_result *result)
{
    struct watch *w = user;
    enum task task = w->task;

    w->fetch = NULL;
    w->task = TASK_COUNT;
    if (task == TASK_CONF)
        end_limit(w, task, end_conf(w, result) == 0, result->ended);
    else if (task == TASK_HEAP)
        end_limit(w, task, end_heap(w, result) == 0, result->ended);
    else
        end_operations(w, result);
    drop_readers(w);
    w->events->ended(w->events->user, result->bytes);
}

static void
on_sampled(void *user, uint64_t bytes)
{
    struct watch *w = user;
    struct moment now = clock_now();

    w->task = TASK_COUNT;
    if (sampling_is_over(w->sampling, now))
        end_sampling(w, NULL, now);
    w->events->ended(w->events->user, bytes);
}

/* ---- requests ---- */

static bool
on_body(void *user, const char *data, size_t len)
{
    struct watch *w = user;

    if (w->conf != NULL)
        return conf_reader_feed(w->conf, data, len);
    if (w->operations != NULL)
        return operations_feed(w->operations, data, len);
    buf_add(&w->body, data, len);
    return !w->body.failed;
}

static void
ask(struct watch *w, enum task task, const char *path, uint64_t max_body)
{
    const struct poll_config *config = &w->context->config->poll;

    w->task = task;
    w->fetch = fetch_start(
        w->context->fetcher,
        &(struct fetch_request){
            .base = w->url,
            .path = path,
            .timeout_ms = config->timeout_ms,
            .max_body = max_body < config->max_body ? max_body : config->max_body,
            .body = on_body,
            .done = on_done,
            .user = w,
        });
}

static bool
ask_conf(struct watch *w, struct moment now)
{
    (void)now;
    w->conf = conf_reader_create();
    ask(w, TASK_CONF, CONF_PATH, CONF_MAX);
    return true;
}

static bool
ask_heap(struct watch *w, struct moment now)
{
    (void)now;
    buf_reset(&w->body);
    ask(w, TASK_HEAP, HEAP_PATH, HEAP_MAX);
    return true;
}

static bool
ask_operations(struct watch *w, struct moment now)
{
    int64_t interval = w->context->config->poll.interval_ms;
    int64_t lag = interval / 8 < LAG_MS ? interval / 8 : LAG_MS;

    w->due_ms[TASK_OPERATIONS] = schedule_next(now, interval, w->phase_ms + lag);
    if (w->query == OPERATIONS_NONE || w->region_count == 0) {
        tell_detail(w, message_create(MESSAGE_DETAIL), now);
        return false;
    }
    char *path = operations_path(w->query, w->regions, w->region_count);
    w->operations = operations_create(w->regions, w->region_count);
    ask(w, TASK_OPERATIONS, path,
        w->query == OPERATIONS_FULL ? FULL_BODY_MAX : UINT64_MAX);
    free(path);
    return true;
}

static bool
ask_sample(struct watch *w, struct moment now)
{
    if (w->sampling == NULL) {
        w->have_turn = true;
        w->turn = w->next_session->turn;
        w->sampling = sampling_create(w->context, w->next_session, &w->on_jsp, now);
        w->next_session = free_session(w->next_session);
    }
    if (sampling_is_over(w->sampling, now)) {
        end_sampling(w, NULL, now); /* no place was free for too long */
        return false;
    }
    w->task = TASK_SAMPLE;
    sampling_request(w->sampling, now, on_sampled, w);
    return true;
}

static bool (*const ask_task[TASK_COUNT])(struct watch *w, struct moment now) = {
    [TASK_CONF] = ask_conf,
    [TASK_HEAP] = ask_heap,
    [TASK_OPERATIONS] = ask_operations,
    [TASK_SAMPLE] = ask_sample,
};

static int64_t
due_of(const struct watch *w, enum task task)
{
    if (task < TASK_SAMPLE)
        return w->due_ms[task];
    if (w->sampling != NULL)
        return sampling_next_ms(w->sampling);
    return w->next_session != NULL ? INT64_MIN : NEVER;
}

int64_t
watch_next_ms(const struct watch *w)
{
    int64_t next = NEVER;

    if (!w->focused || w->task != TASK_COUNT)
        return NEVER;
    for (unsigned i = 0; i < TASK_COUNT; i++) {
        int64_t due = due_of(w, (enum task)i);
        next = due < next ? due : next;
    }
    return next;
}

bool
watch_request(struct watch *w, struct moment now)
{
    assert(w->task == TASK_COUNT);
    for (unsigned i = 0; i < TASK_COUNT; i++) {
        if (due_of(w, (enum task)i) <= now.mono_ms)
            return ask_task[i](w, now);
    }
    return false;
}
