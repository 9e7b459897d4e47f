/* SPDX-License-Identifier: Apache-2.0 */
/* The meeting point of HTTP threads and the main thread for reloads. Guarded by one
 * mutex; the struct belongs to main. */
#include "daemon/reload_gate.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "common/alloc.h"

struct reload_gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int fd;
    int64_t limit_ms;
    bool waiting; /* a request is inside */
    bool closed;
    uint64_t wanted;   /* requests made */
    uint64_t accepted; /* of them seen by the main thread */
    uint64_t done;     /* of them covered by the newest report */
    char *error;       /* of that report; NULL: success */
};

struct reload_gate *
reload_gate_create(int64_t limit_ms)
{
    pthread_condattr_t attributes;
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

    if (fd < 0)
        return NULL;
    struct reload_gate *g = xcalloc(1, sizeof *g);
    g->fd = fd;
    g->limit_ms = limit_ms;
    pthread_mutex_init(&g->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&g->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return g;
}

struct reload_gate *
reload_gate_destroy(struct reload_gate *g)
{
    if (g == NULL)
        return NULL;
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
    (void)close(g->fd);
    free(g->error);
    free(g);
    return NULL;
}

static struct timespec
deadline(int64_t limit_ms)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += limit_ms / 1000;
    at.tv_nsec += limit_ms % 1000 * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

/* Waits for the report with the lock held. */
static enum reload_result
wait_report(struct reload_gate *g, uint64_t ticket, struct buf *text)
{
    struct timespec until = deadline(g->limit_ms);
    int r = 0;

    while (g->done < ticket && !g->closed && r == 0)
        r = pthread_cond_timedwait(&g->changed, &g->lock, &until);
    if (g->done < ticket)
        return g->closed ? RELOAD_BUSY : RELOAD_LATE;
    if (g->error == NULL)
        return RELOAD_DONE;
    buf_adds(text, g->error);
    return RELOAD_REFUSED;
}

enum reload_result
reload_gate_request(struct reload_gate *g, struct buf *text)
{
    enum reload_result result = RELOAD_BUSY;

    pthread_mutex_lock(&g->lock);
    if (!g->waiting && !g->closed) {
        g->waiting = true;
        g->wanted++;
        (void)eventfd_write(g->fd, 1);
        result = wait_report(g, g->wanted, text);
        g->waiting = false;
    }
    pthread_mutex_unlock(&g->lock);
    return result;
}

int
reload_gate_fd(const struct reload_gate *g)
{
    return g->fd;
}

void
reload_gate_accept(struct reload_gate *g)
{
    eventfd_t count;

    (void)eventfd_read(g->fd, &count);
    pthread_mutex_lock(&g->lock);
    g->accepted = g->wanted;
    pthread_mutex_unlock(&g->lock);
}

void
reload_gate_report(struct reload_gate *g, const char *error)
{
    pthread_mutex_lock(&g->lock);
    free(g->error);
    g->error = error != NULL ? xstrdup(error) : NULL;
    g->done = g->accepted;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

void
reload_gate_close(struct reload_gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->closed = true;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}
