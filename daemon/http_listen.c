/* SPDX-License-Identifier: Apache-2.0 */
/* Opens listening sockets; they belong to the caller. Main thread, at start. */
#include "daemon/http_listen.h"

#include <errno.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/log.h"
#include "common/parse.h"

enum { BACKLOG = 128 };

/* "host:port" or "[v6]:port"; host "" for all. The caller frees both. */
static int
split(const char *address, char **ret_host, char **ret_port)
{
    const char *colon = strrchr(address, ':');
    uint64_t port;

    if (colon == NULL || parse_u64(colon + 1, strlen(colon + 1), &port) < 0 ||
        port > UINT16_MAX)
        return -EINVAL;
    size_t len = (size_t)(colon - address);
    bool brackets = len >= 2 && address[0] == '[' && address[len - 1] == ']';
    if (!brackets && memchr(address, ':', len) != NULL)
        return -EINVAL;
    *ret_host = brackets ? xmemdup0(address + 1, len - 2) : xmemdup0(address, len);
    *ret_port = xstrdup(colon + 1);
    return 0;
}

static int
open_one(const struct addrinfo *info, bool all)
{
    int on = 1, off = 0;

    int fd = socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
                    info->ai_protocol);
    if (fd < 0)
        return -errno;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (info->ai_family == AF_INET6)
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, all ? &off : &on, sizeof on);
    if (bind(fd, info->ai_addr, info->ai_addrlen) < 0 || listen(fd, BACKLOG) < 0) {
        int r = -errno;
        (void)close(fd);
        return r;
    }
    return fd;
}

/* The first of the addresses that can be opened; for "all", IPv6 (which takes IPv4,
 * too) before IPv4. */
static int
open_any(const struct addrinfo *list, bool all)
{
    int r = -EADDRNOTAVAIL;

    for (int pass = 0; pass < 2; pass++) {
        for (const struct addrinfo *i = list; i != NULL; i = i->ai_next) {
            if (all && (i->ai_family == AF_INET6) != (pass == 0))
                continue;
            r = open_one(i, all);
            if (r >= 0 || r == -EADDRINUSE)
                return r;
        }
        if (!all)
            break;
    }
    return r;
}

int
http_listen(const char *address, struct buf *error)
{
    struct addrinfo hints = {
        .ai_flags = AI_PASSIVE | AI_NUMERICSERV,
        .ai_socktype = SOCK_STREAM,
    };
    struct addrinfo *list = NULL;
    char quoted[LOG_QUOTE_SIZE];
    char *host, *port;

    log_quote(address, strlen(address), quoted);
    int r = split(address, &host, &port);
    if (r < 0) {
        buf_addf(error, "cannot listen on %s: expected host:port, [v6]:port or :port",
                 quoted);
        return r;
    }
    int found = getaddrinfo(host[0] != '\0' ? host : NULL, port, &hints, &list);
    if (found != 0) {
        buf_addf(error, "cannot listen on %s: %s", quoted, gai_strerror(found));
        r = -EADDRNOTAVAIL;
    } else {
        r = open_any(list, host[0] == '\0');
        if (r < 0)
            buf_addf(error, "cannot listen on %s: %s", quoted, strerror(-r));
        freeaddrinfo(list);
    }
    free(host);
    free(port);
    return r;
}

void
http_listen_url(int fd, struct buf *out)
{
    struct sockaddr_storage address;
    socklen_t len = sizeof address;
    char host[NI_MAXHOST], port[NI_MAXSERV];

    if (getsockname(fd, (struct sockaddr *)&address, &len) < 0 ||
        getnameinfo((struct sockaddr *)&address, len, host, sizeof host, port,
                    sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        buf_adds(out, "http://?");
        return;
    }
    buf_addf(out, address.ss_family == AF_INET6 ? "http://[%s]:%s" : "http://%s:%s",
             host, port);
}
