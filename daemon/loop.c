/* SPDX-License-Identifier: Apache-2.0 */
/* Event loop. The loop owns its sources; one removed while handlers run is kept until
 * the end of the turn, since the kernel's list of ready ones may still name it. */
#include "daemon/loop.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "common/alloc.h"

enum { EVENTS_MAX = 16 };

struct loop_source {
    struct loop_source *next; /* in loop.removed */
    int fd;
    bool removed;
    void (*handler)(void *data);
    void *data;
};

struct loop {
    int epoll;
    bool stopped;
    bool dispatching;
    unsigned sources;
    struct loop_source *removed; /* to be freed after the turn */
};

struct loop *
loop_create(void)
{
    int fd = epoll_create1(EPOLL_CLOEXEC);

    if (fd < 0)
        return NULL;
    struct loop *loop = xcalloc(1, sizeof *loop);
    loop->epoll = fd;
    return loop;
}

struct loop *
loop_destroy(struct loop *loop)
{
    if (loop == NULL)
        return NULL;
    assert(loop->sources == 0 && !loop->dispatching);
    (void)close(loop->epoll);
    free(loop);
    return NULL;
}

struct loop_source *
loop_add(struct loop *loop, int fd, void (*handler)(void *data), void *data)
{
    struct loop_source *source = xcalloc(1, sizeof *source);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};

    *source = (struct loop_source){.fd = fd, .handler = handler, .data = data};
    if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) < 0) {
        free(source);
        return NULL;
    }
    loop->sources++;
    return source;
}

struct loop_source *
loop_remove(struct loop *loop, struct loop_source *source)
{
    if (source == NULL)
        return NULL;
    assert(!source->removed && loop->sources > 0);
    (void)epoll_ctl(loop->epoll, EPOLL_CTL_DEL, source->fd, NULL);
    source->removed = true;
    loop->sources--;
    if (loop->dispatching) {
        source->next = loop->removed;
        loop->removed = source;
    } else {
        free(source);
    }
    return NULL;
}

static void
free_removed(struct loop *loop)
{
    while (loop->removed != NULL) {
        struct loop_source *source = loop->removed;
        loop->removed = source->next;
        free(source);
    }
}

int
loop_turn(struct loop *loop, int timeout_ms)
{
    struct epoll_event events[EVENTS_MAX];

    int n = epoll_wait(loop->epoll, events, EVENTS_MAX, timeout_ms);
    if (n < 0)
        return errno == EINTR ? 0 : -errno;
    loop->dispatching = true;
    for (int i = 0; i < n; i++) {
        struct loop_source *source = events[i].data.ptr;
        if (!source->removed)
            source->handler(source->data);
    }
    loop->dispatching = false;
    free_removed(loop);
    return 0;
}

int
loop_run(struct loop *loop, void (*turned)(void *data), void *data)
{
    loop->stopped = false;
    while (!loop->stopped) {
        int r = loop_turn(loop, -1);
        if (r < 0)
            return r;
        if (turned != NULL)
            turned(data);
    }
    return 0;
}

void
loop_stop(struct loop *loop)
{
    loop->stopped = true;
}

int
timer_every_us(uint64_t interval_us)
{
    struct itimerspec spec = {
        .it_interval.tv_sec = (time_t)(interval_us / 1000000),
        .it_interval.tv_nsec = (long)(interval_us % 1000000) * 1000,
    };

    assert(interval_us > 0);
    spec.it_value = spec.it_interval;
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (fd < 0)
        return -errno;
    if (timerfd_settime(fd, 0, &spec, NULL) < 0) {
        int r = -errno;
        (void)close(fd);
        return r;
    }
    return fd;
}

int
timer_wall_create(void)
{
    int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);

    return fd < 0 ? -errno : fd;
}

int
timer_wall_arm(int fd, int64_t wall_ms)
{
    struct itimerspec spec = {
        .it_value.tv_sec = wall_ms / 1000,
        .it_value.tv_nsec = wall_ms % 1000 * 1000000,
    };

    if (timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &spec, NULL) <
        0)
        return -errno;
    return 0;
}

int
timer_clear(int fd)
{
    uint64_t expirations;

    return read(fd, &expirations, sizeof expirations) < 0 ? -errno : 0;
}

int64_t
next_tick_ms(int64_t wall_ms, int64_t interval_ms)
{
    assert(wall_ms >= 0 && interval_ms > 0);
    return (wall_ms / interval_ms + 1) * interval_ms;
}
