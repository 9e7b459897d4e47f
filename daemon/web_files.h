/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard's files, embedded by web/embed.py when hotspotd is built. */
#ifndef DAEMON_WEB_FILES_H
#define DAEMON_WEB_FILES_H

#include <stddef.h>

struct web_file {
    const char *name; /* without a folder */
    const char *type; /* Content-Type */
    const char *etag; /* with its quotes */
    const char *data;
    size_t len;
    const char *gzip; /* the same, compressed */
    size_t gzip_len;
};

/* Ends with a NULL name. */
extern const struct web_file web_files[];

#endif
