/* SPDX-License-Identifier: Apache-2.0 */
/* One buffer to one gzip member (RFC 1952). */
#ifndef DAEMON_GZIP_H
#define DAEMON_GZIP_H

#include <stddef.h>

/* level 1 (fast) to 9. The caller frees; NULL when memory is out. len < 2 GiB. */
char *gzip_compress(const char *data, size_t len, int level, size_t *ret_len);

#endif
