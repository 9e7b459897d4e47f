/* SPDX-License-Identifier: Apache-2.0 */
/* Files that others replace (common/file.h reads one): noticing a change by stat(2). */
#ifndef COLLECTORS_FILE_WATCH_H
#define COLLECTORS_FILE_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "common/clock.h"

struct file_watch {
    const char *path;
    struct stat seen;      /* valid if error is 0 */
    int error;             /* errno of the last look; -1 before the first */
    int64_t changed_at_ms; /* monotonic, when this state was first seen */
    bool pending;          /* changed and not yet taken by the user */
};

/* path must outlive the watch. */
void file_watch_init(struct file_watch *w, const char *path);

/* Looks again. True while there is a state (a new content, or w->error) that the user
 * has not taken by clearing w->pending. */
bool file_watch_look(struct file_watch *w, struct moment now);

/* True if both are the same state of the same file. */
bool file_same_state(const struct stat *a, const struct stat *b);

/* Modification time as Unix ms. */
int64_t file_mtime_ms(const struct stat *st);

#endif
