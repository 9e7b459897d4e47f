/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMON_FILE_H
#define COMMON_FILE_H

#include <sys/stat.h>

#include "common/buf.h"

/* Appends the whole regular file to *out, up to its limit. *ret_stat (may be NULL) is
 * its state after the last byte was read. -EFBIG above the limit, -EINVAL for what is
 * no regular file, -errno else. */
int file_read_whole(const char *path, struct buf *out, struct stat *ret_stat);

/* What went wrong, in words: for the results of file_read_whole(). */
const char *file_error_text(int error);

#endif
