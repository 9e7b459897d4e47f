/* SPDX-License-Identifier: Apache-2.0 */
/* Listening sockets and the turn of the loop. http owns the sites, their sockets and
 * stores of prepared answers. */
#include "tests/sim/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/alloc.h"
#include "tests/sim/http_priv.h"

enum {
    SWEEP_MS = 1000,
    BASE_GAP = 10, /* base port of the servers, above the masters' */
    TURN_EVENTS = 128,
};

static void
accept_all(struct http *http, struct site *site)
{
    for (;;) {
        int fd = accept4(site->listen, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

        if (fd >= 0) {
            conn_add(http, site, fd);
            continue;
        }
        if ((errno == EMFILE || errno == ENFILE) && !http->complained) {
            fprintf(stderr, "hbase-sim: no more connections: %s (see ulimit -n)\n",
                    strerror(errno));
            http->complained = true;
        }
        if (errno != EINTR && errno != ECONNABORTED)
            return;
    }
}

static void
wake_all(struct http *http)
{
    int64_t next = INT64_MAX;
    struct conn *conn, *after;

    http->next_wake = INT64_MAX;
    for (conn = http->conns; conn; conn = after) {
        after = conn->next;
        if (conn->wake <= http->now)
            conn_wake(http, conn);
        if (conn->state != ENDED && conn->wake < next)
            next = conn->wake;
    }
    if (next < http->next_wake)
        http->next_wake = next;
}

/* Bodies outlive their sample by a moment at most: memory follows the polling. */
static void
sweep(struct http *http)
{
    const struct cluster *c = http->cluster;
    int64_t hold = c->cache > c->heartbeat ? c->cache : c->heartbeat;
    int64_t oldest = http->now - hold * 1000 / (int64_t)c->speed;

    for (size_t i = 0; i < http->site_count; i++)
        store_sweep(&http->sites[i].store, oldest);
    http->next_sweep = http->now + SWEEP_MS;
}

int
http_fd(const struct http *http)
{
    return http->epoll;
}

int64_t
http_deadline(const struct http *http)
{
    return http->next_wake < http->next_sweep ? http->next_wake : http->next_sweep;
}

void
http_turn(struct http *http, int64_t t, int64_t now)
{
    struct epoll_event events[TURN_EVENTS];
    int n = epoll_wait(http->epoll, events, TURN_EVENTS, 0);

    http->t = t;
    http->now = now;
    for (int i = 0; i < n; i++) {
        struct watch *watch = events[i].data.ptr;
        struct conn *conn = (struct conn *)watch;

        if (watch->listens)
            accept_all(http, (struct site *)watch);
        else if (conn->state == ENDED)
            continue;
        else if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
            conn_read(http, conn);
        else
            conn_write(http, conn);
    }
    if (http->next_wake <= now)
        wake_all(http);
    if (http->next_sweep <= now)
        sweep(http);
    conn_free_ended(http);
}

/* A bound socket; with port 0 the kernel's choice comes back in *port. -errno. */
static int
bound_socket(const char *address, uint16_t *port)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(*port)};
    socklen_t len = sizeof(in);
    int one = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int r;

    if (fd < 0)
        return -errno;
    (void)inet_pton(AF_INET, address, &in.sin_addr);
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (bind(fd, (struct sockaddr *)&in, sizeof(in)) < 0 ||
        getsockname(fd, (struct sockaddr *)&in, &len) < 0) {
        r = -errno;
        close(fd);
        return r;
    }
    *port = ntohs(in.sin_port);
    return fd;
}

static int
site_listen(struct http *http, struct site *site)
{
    uint16_t port = site->endpoint->port;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &site->watch};
    int fd = bound_socket(site->endpoint->address, &port);
    int r;

    if (fd < 0)
        return fd;
    if (listen(fd, SOMAXCONN) < 0 ||
        epoll_ctl(http->epoll, EPOLL_CTL_ADD, fd, &event) < 0) {
        r = -errno;
        close(fd);
        return r;
    }
    site->listen = fd;
    return 0;
}

/* Connections in flight are cut off, as when a process dies. */
static void
site_refuse(struct http *http, struct site *site)
{
    struct linger at_once = {.l_onoff = 1};
    struct conn *conn, *after;

    close(site->listen);
    site->listen = -1;
    for (conn = http->conns; conn; conn = after) {
        after = conn->next;
        if (conn->site != site)
            continue;
        (void)setsockopt(conn->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
        conn_end(http, conn);
    }
}

void
http_sync(struct http *http)
{
    for (size_t i = 0; i < http->site_count; i++) {
        struct site *site = &http->sites[i];
        bool wanted = site->endpoint->up && site->endpoint->fault != FAULT_FAILS;
        int r = 0;

        if (wanted && site->listen < 0)
            r = site_listen(http, site);
        else if (!wanted && site->listen >= 0)
            site_refuse(http, site);
        if (r < 0)
            fprintf(stderr, "hbase-sim: %s:%u: %s\n", site->endpoint->address,
                    site->endpoint->port, strerror(-r));
    }
    conn_free_ended(http);
}

static int
site_open(struct http *http, struct site *site, uint16_t port)
{
    site->guard = bound_socket(site->endpoint->address, &port);
    if (site->guard < 0)
        return site->guard;
    site->endpoint->port = port;
    return site_listen(http, site);
}

static void
site_close(struct site *site)
{
    if (site->guard >= 0)
        close(site->guard);
    if (site->listen >= 0)
        close(site->listen);
    site->guard = site->listen = -1;
}

/* Opens sites [from, to) one after the other. With one port for all, the first finds
 * it; where another program has it on one of the addresses, all try again. */
static int
open_sites(struct http *http, size_t from, size_t to, uint16_t base, bool same_port)
{
    for (int attempt = 0;; attempt++) {
        uint16_t port = base;
        size_t at = from;
        int r = 0;

        for (; at < to && r == 0; at++) {
            r = site_open(http, &http->sites[at], port);
            if (same_port)
                port = http->sites[at].endpoint->port;
            else if (base > 0)
                port++;
        }
        if (r == 0)
            return 0;
        if (base > 0 || !same_port || attempt == 20)
            return r;
        for (size_t i = from; i < at; i++)
            site_close(&http->sites[i]);
    }
}

/* Thousands of connections need as many descriptors. */
static void
raise_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void
add_sites(struct http *http, struct cluster *c)
{
    http->site_count = c->master_count + c->server_count;
    http->sites = xcalloc(http->site_count, sizeof(*http->sites));
    for (size_t i = 0; i < http->site_count; i++) {
        struct site *site = &http->sites[i];

        site->watch.listens = true;
        site->guard = site->listen = -1;
        if (i < c->master_count) {
            site->master = &c->masters[i];
            site->endpoint = &site->master->endpoint;
        } else {
            site->server = &c->servers[i - c->master_count];
            site->endpoint = &site->server->endpoint;
        }
    }
}

struct http *
http_create(struct cluster *c, uint16_t base_port, int64_t idle_ms, struct problem *p)
{
    struct http *http = xcalloc(1, sizeof(*http));
    uint16_t servers_base = base_port > 0 ? (uint16_t)(base_port + BASE_GAP) : 0;
    int r;

    raise_limit();
    http->cluster = c;
    http->idle_ms = idle_ms;
    http->next_wake = INT64_MAX;
    http->epoll = epoll_create1(EPOLL_CLOEXEC);
    add_sites(http, c);
    r = http->epoll < 0 ? -errno
                        : open_sites(http, 0, c->master_count, base_port, false);
    if (r == 0)
        r = open_sites(http, c->master_count, http->site_count, servers_base,
                       c->by_host);
    if (r < 0) {
        (void)problem_set(p, "cannot listen: %s", strerror(-r));
        return http_destroy(http);
    }
    return http;
}

struct http *
http_destroy(struct http *http)
{
    if (!http)
        return NULL;
    while (http->conns)
        conn_end(http, http->conns);
    conn_free_ended(http);
    for (size_t i = 0; i < http->site_count; i++) {
        site_close(&http->sites[i]);
        store_sweep(&http->sites[i].store, INT64_MAX);
    }
    if (http->epoll >= 0)
        close(http->epoll);
    free(http->sites);
    free(http);
    return NULL;
}
