/* SPDX-License-Identifier: Apache-2.0 */
/* A list under a mutex and an eventfd. The list owns its messages until they are taken.
 */
#include "collectors/outbox.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/alloc.h"

struct outbox {
    pthread_mutex_t mutex;
    struct message *first;
    struct message **last; /* where the next one is linked */
    int fd;
};

struct outbox *
outbox_create(void)
{
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

    if (fd < 0)
        return NULL;
    struct outbox *o = xcalloc(1, sizeof *o);
    pthread_mutex_init(&o->mutex, NULL);
    o->last = &o->first;
    o->fd = fd;
    return o;
}

struct outbox *
outbox_destroy(struct outbox *o)
{
    if (o == NULL)
        return NULL;
    for (struct message *m = o->first, *next; m != NULL; m = next) {
        next = m->next;
        message_destroy(m);
    }
    close(o->fd);
    pthread_mutex_destroy(&o->mutex);
    free(o);
    return NULL;
}

int
outbox_fd(const struct outbox *o)
{
    return o->fd;
}

void
outbox_put(struct outbox *o, struct message *m)
{
    m->next = NULL;
    pthread_mutex_lock(&o->mutex);
    *o->last = m;
    o->last = &m->next;
    /* Cannot fail: the counter is reset with each take. */
    (void)!write(o->fd, &(uint64_t){1}, sizeof(uint64_t));
    pthread_mutex_unlock(&o->mutex);
}

struct message *
outbox_take(struct outbox *o)
{
    uint64_t count;

    pthread_mutex_lock(&o->mutex);
    struct message *first = o->first;
    o->first = NULL;
    o->last = &o->first;
    (void)!read(o->fd, &count, sizeof count);
    pthread_mutex_unlock(&o->mutex);
    return first;
}

static void
put_report(struct outbox *o, const char *source, enum poll_outcome outcome, char *error)
{
    struct message *m = message_create(MESSAGE_SOURCE);

    m->report.source = xstrdup(source);
    m->report.outcome = outcome;
    m->report.error = error;
    m->report.at = clock_now();
    outbox_put(o, m);
}

void
outbox_failure(struct outbox *o, const char *source, enum poll_outcome outcome,
               char *error)
{
    assert(outcome != POLL_OK && error != NULL);
    put_report(o, source, outcome, error);
}

void
outbox_answered(struct outbox *o, const char *source)
{
    put_report(o, source, POLL_OK, NULL);
}
