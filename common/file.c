/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files whole. Holds nothing between calls. */
#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_SIZE = 65536 };

static int
read_all(int fd, struct buf *out)
{
    static const size_t step = READ_SIZE;
    char *piece = malloc(step);
    int r = 0;

    if (piece == NULL)
        return -ENOMEM;
    for (;;) {
        ssize_t n = read(fd, piece, step);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            r = n < 0 ? -errno : 0;
            break;
        }
        buf_add(out, piece, (size_t)n);
        if (out->failed) {
            r = -EFBIG;
            break;
        }
    }
    free(piece);
    return r;
}

int
file_read_whole(const char *path, struct buf *out, struct stat *ret_stat)
{
    struct stat st;
    int r = 0;
    /* Not blocking, so that a named pipe cannot hold up the thread. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0)
        r = -errno;
    else if (!S_ISREG(st.st_mode))
        r = -EINVAL;
    if (r == 0)
        r = read_all(fd, out);
    if (r == 0 && fstat(fd, &st) < 0)
        r = -errno;
    close(fd);
    if (r == 0 && ret_stat != NULL)
        *ret_stat = st;
    return r;
}

const char *
file_error_text(int error)
{
    switch (-error) {
    case EINVAL:
        return "not a regular file";
    case EFBIG:
        return "too large";
    default:
        return strerror(-error);
    }
}
