/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the watch on the file. Collector thread only. */
#include "collectors/listing_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/error_text.h"
#include "collectors/file_watch.h"
#include "collectors/text_source.h"
#include "common/alloc.h"
#include "common/file.h"

enum {
    LOOK_MS = 1000,
    STABLE_MS = 1000,
    TAIL = 512,
};

struct listing_file {
    const struct context *context;
    struct file_watch watch;
    int64_t look_ms;   /* monotonic, of the next look */
    int64_t newest_ms; /* wall clock of the newest listing known; -1 none */
};

struct listing_file *
listing_file_create(const struct context *context)
{
    struct listing_file *f = xcalloc(1, sizeof *f);

    f->context = context;
    f->look_ms = INT64_MIN;
    f->newest_ms = -1;
    file_watch_init(&f->watch, context->config->topology.file);
    return f;
}

struct listing_file *
listing_file_destroy(struct listing_file *f)
{
    free(f);
    return NULL;
}

void
listing_file_set_newest(struct listing_file *f, int64_t as_of_ms)
{
    if (as_of_ms > f->newest_ms)
        f->newest_ms = as_of_ms;
}

static bool
file_has_footer(const char *path, const struct stat *st)
{
    char tail[TAIL];
    off_t at = st->st_size > TAIL ? st->st_size - TAIL : 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0)
        return false;
    ssize_t n = pread(fd, tail, sizeof tail, at);
    close(fd);
    return n > 0 && text_source_complete(tail, (size_t)n);
}

/* True if nobody seems to be writing to it any more. */
static bool
file_is_settled(const struct file_watch *w, struct moment now)
{
    int64_t changed = file_mtime_ms(&w->seen);
    int64_t renamed =
        (int64_t)w->seen.st_ctim.tv_sec * 1000 + w->seen.st_ctim.tv_nsec / 1000000;

    if (renamed > changed)
        changed = renamed;
    return now.mono_ms - w->changed_at_ms >= STABLE_MS ||
           (changed <= now.wall_ms && now.wall_ms - changed >= STABLE_MS) ||
           file_has_footer(w->path, &w->seen);
}

static void
file_failure(struct listing_file *f, int error)
{
    const char *path = f->watch.path;
    enum poll_outcome outcome = error == EFBIG ? POLL_TOO_LARGE : POLL_CONNECT;

    outbox_failure(f->context->outbox, path, outcome,
                   error_text("%s: %s, expected a readable file of at most %d bytes",
                              quoted(path).text, strerror(error), TEXT_SOURCE_MAX));
}

static void
read_file(struct listing_file *f)
{
    struct file_watch *w = &f->watch;
    struct buf text;
    struct stat after;

    buf_init(&text, TEXT_SOURCE_MAX);
    int r = file_read_whole(w->path, &text, &after);
    if (r < 0) {
        w->pending = false;
        file_failure(f, -r);
    } else if (file_same_state(&after, &w->seen)) {
        w->pending = false;
        text_source_deliver(f->context, LISTING_FILE, w->path, &text,
                            file_mtime_ms(&after));
    } /* else it changes just now: the next look sees it */
    buf_finish(&text);
}

static void
look_at_file(struct listing_file *f, struct moment now)
{
    struct file_watch *w = &f->watch;

    if (!file_watch_look(w, now))
        return;
    if (w->error != 0) {
        w->pending = false;
        file_failure(f, w->error);
    } else if (file_mtime_ms(&w->seen) < f->newest_ms) {
        w->pending = false;
    } else if (file_is_settled(w, now)) {
        read_file(f);
    }
}

void
listing_file_step(struct listing_file *f, struct moment now)
{
    int64_t interval = f->context->config->poll.interval_ms;

    if (now.mono_ms < f->look_ms)
        return;
    f->look_ms = now.mono_ms + (interval < LOOK_MS ? interval : LOOK_MS);
    look_at_file(f, now);
}

int64_t
listing_file_next_ms(const struct listing_file *f)
{
    return f->look_ms;
}
