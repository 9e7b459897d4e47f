/* SPDX-License-Identifier: Apache-2.0 */
/* Holds nothing but what the caller's struct holds. Collector thread only. */
#include "collectors/file_watch.h"

#include <errno.h>

void
file_watch_init(struct file_watch *w, const char *path)
{
    *w = (struct file_watch){.path = path, .error = -1};
}

static bool
same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool
file_same_state(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size && same_time(a->st_mtim, b->st_mtim) &&
           same_time(a->st_ctim, b->st_ctim);
}

bool
file_watch_look(struct file_watch *w, struct moment now)
{
    struct stat st;
    int error = stat(w->path, &st) < 0 ? errno : 0;

    if (error != w->error || (error == 0 && !file_same_state(&st, &w->seen))) {
        w->error = error;
        w->changed_at_ms = now.mono_ms;
        w->pending = true;
        if (error == 0)
            w->seen = st;
    }
    return w->pending;
}

int64_t
file_mtime_ms(const struct stat *st)
{
    return (int64_t)st->st_mtim.tv_sec * 1000 + st->st_mtim.tv_nsec / 1000000;
}
