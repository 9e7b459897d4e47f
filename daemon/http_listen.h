/* SPDX-License-Identifier: Apache-2.0 */
/* Listening sockets from addresses such as ":16090", "127.0.0.1:0" or "[::1]:16090". */
#ifndef DAEMON_HTTP_LISTEN_H
#define DAEMON_HTTP_LISTEN_H

#include "common/buf.h"

/* A listening, non-blocking socket, or a negative errno with the reason (what,
 * expected) appended to *error. Without a host: all addresses, IPv6 and IPv4 where
 * there is IPv6. */
int http_listen(const char *address, struct buf *error);

/* Appends "http://host:port" of the socket, with the port that it really has. */
void http_listen_url(int fd, struct buf *out);

#endif
