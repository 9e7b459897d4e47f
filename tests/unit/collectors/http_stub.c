/* SPDX-License-Identifier: Apache-2.0 */
/* The thread owns ports and connections between stub_start() and stub_destroy(). */
#include "tests/unit/collectors/http_stub.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/clock.h"

enum { PORTS = 32, CONNECTIONS = 128, HEAD = 8192, DRIP_MS = 100, LATE_MS = 150 };

struct port {
    int fd;
    unsigned number;
    stub_fn *fn;
    void *user;
    atomic_uint requests;
    atomic_bool refuse;
};

struct connection {
    int fd; /* -1: free */
    struct port *port;
    char head[HEAD];
    size_t head_len;
    bool answering;
    struct stub_reply reply;
    size_t sent;
    int64_t next_ms;
};

struct stub {
    struct port ports[PORTS];
    size_t port_count;
    struct connection connections[CONNECTIONS];
    int wake_fd;
    atomic_bool stop;
    pthread_t thread;
    bool started;
};

struct stub *
stub_create(void)
{
    struct stub *s = xcalloc(1, sizeof *s);

    for (size_t i = 0; i < CONNECTIONS; i++)
        s->connections[i].fd = -1;
    s->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    ck_assert_int_ge(s->wake_fd, 0);
    return s;
}

unsigned
stub_listen(struct stub *s, stub_fn *fn, void *user)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t len = sizeof address;
    struct port *p = &s->ports[s->port_count++];

    ck_assert_uint_le(s->port_count, PORTS);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    p->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ck_assert_int_ge(p->fd, 0);
    ck_assert_int_eq(bind(p->fd, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(p->fd, 64), 0);
    ck_assert_int_eq(getsockname(p->fd, (struct sockaddr *)&address, &len), 0);
    p->number = ntohs(address.sin_port);
    p->fn = fn;
    p->user = user;
    return p->number;
}

static void
drop(struct connection *c)
{
    close(c->fd);
    buf_finish(&c->reply.bytes);
    memset(c, 0, sizeof *c);
    c->fd = -1;
}

static void
accept_one(struct stub *s, struct port *p)
{
    int fd = accept4(p->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd < 0)
        return;
    for (size_t i = 0; i < CONNECTIONS; i++) {
        struct connection *c = &s->connections[i];
        if (c->fd < 0) {
            c->fd = fd;
            c->port = p;
            buf_init(&c->reply.bytes, 0);
            return;
        }
    }
    close(fd);
}

/* Reads the request; answers it once its head is complete. */
static void
receive(struct connection *c)
{
    char path[HEAD];
    ssize_t n = recv(c->fd, c->head + c->head_len, HEAD - 1 - c->head_len, 0);

    if (n < 0 && errno == EAGAIN)
        return;
    if (n <= 0) {
        drop(c);
        return;
    }
    c->head_len += (size_t)n;
    c->head[c->head_len] = '\0';
    if (c->answering || strstr(c->head, "\r\n\r\n") == NULL)
        return;
    if (sscanf(c->head, "GET %8191s ", path) != 1)
        path[0] = '\0';
    c->answering = true;
    c->port->fn(c->port->user, path, c->head, &c->reply);
    if (c->reply.way == STUB_LATE)
        c->next_ms = clock_now().mono_ms + LATE_MS;
    atomic_fetch_add(&c->port->requests, 1);
}

static void
transmit(struct connection *c, int64_t now)
{
    struct stub_reply *r = &c->reply;

    while (c->sent < r->bytes.len && now >= c->next_ms) {
        size_t len = r->way == STUB_DRIP ? 1 : r->bytes.len - c->sent;
        ssize_t n = send(c->fd, r->bytes.data + c->sent, len, MSG_NOSIGNAL);
        if (n < 0 && errno == EAGAIN)
            return;
        if (n < 0) {
            drop(c);
            return;
        }
        c->sent += (size_t)n;
        if (r->way == STUB_DRIP)
            c->next_ms = now + DRIP_MS;
    }
    if (c->sent < r->bytes.len)
        return;
    if (r->way == STUB_CLOSE || r->way == STUB_LATE)
        drop(c);
    else if (r->way == STUB_REPEAT) {
        buf_reset(&r->bytes);
        while (r->bytes.len < 65536)
            buf_adds(&r->bytes, r->again);
        c->sent = 0;
    }
}

static nfds_t
fill(struct stub *s, struct pollfd *fds, int *ret_timeout)
{
    nfds_t n = 0;

    *ret_timeout = 1000;
    fds[n++] = (struct pollfd){.fd = s->wake_fd, .events = POLLIN};
    for (size_t i = 0; i < s->port_count; i++) {
        struct port *p = &s->ports[i];
        if (p->fd >= 0 && atomic_load(&p->refuse)) {
            close(p->fd);
            p->fd = -1;
        }
        fds[n++] = (struct pollfd){.fd = p->fd, .events = POLLIN};
    }
    for (size_t i = 0; i < CONNECTIONS; i++) {
        struct connection *c = &s->connections[i];
        bool more = c->fd >= 0 && c->answering && c->sent < c->reply.bytes.len;
        bool drip = more && c->next_ms != 0;
        if (drip)
            *ret_timeout = 10;
        fds[n++] = (struct pollfd){
            .fd = c->fd, .events = (short)(POLLIN | (more && !drip ? POLLOUT : 0))};
    }
    return n;
}

static void *
run(void *user)
{
    struct stub *s = user;
    struct pollfd fds[1 + PORTS + CONNECTIONS];

    while (!atomic_load(&s->stop)) {
        uint64_t count;
        int timeout;
        nfds_t n = fill(s, fds, &timeout);
        poll(fds, n, timeout);
        int64_t now = clock_now().mono_ms;
        if (read(s->wake_fd, &count, sizeof count) < 0)
            count = 0;
        for (size_t i = 0; i < s->port_count; i++) {
            if (fds[1 + i].fd >= 0 && fds[1 + i].revents != 0)
                accept_one(s, &s->ports[i]);
        }
        for (size_t i = 0; i < CONNECTIONS; i++) {
            struct connection *c = &s->connections[i];
            if (c->fd >= 0)
                receive(c);
            if (c->fd >= 0 && c->answering)
                transmit(c, now);
        }
    }
    return NULL;
}

void
stub_start(struct stub *s)
{
    ck_assert_int_eq(pthread_create(&s->thread, NULL, run, s), 0);
    s->started = true;
}

static void
wake(struct stub *s)
{
    uint64_t one = 1;

    if (write(s->wake_fd, &one, sizeof one) < 0)
        return; /* it is awake already */
}

struct stub *
stub_destroy(struct stub *s)
{
    atomic_store(&s->stop, true);
    wake(s);
    if (s->started)
        pthread_join(s->thread, NULL);
    for (size_t i = 0; i < CONNECTIONS; i++) {
        if (s->connections[i].fd >= 0)
            drop(&s->connections[i]);
    }
    for (size_t i = 0; i < s->port_count; i++) {
        if (s->ports[i].fd >= 0)
            close(s->ports[i].fd);
    }
    close(s->wake_fd);
    free(s);
    return NULL;
}

static struct port *
find(struct stub *s, unsigned number)
{
    for (size_t i = 0; i < s->port_count; i++) {
        if (s->ports[i].number == number)
            return &s->ports[i];
    }
    ck_abort_msg("no port %u", number);
    return NULL;
}

unsigned
stub_requests(struct stub *s, unsigned port)
{
    return atomic_load(&find(s, port)->requests);
}

void
stub_refuse(struct stub *s, unsigned port)
{
    atomic_store(&find(s, port)->refuse, true);
    wake(s);
}

void
stub_answer(struct stub_reply *reply, int status, const char *headers, const char *body)
{
    buf_addf(&reply->bytes,
             "HTTP/1.1 %d X\r\nContent-Type: application/json\r\n%s"
             "Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
             status, headers, strlen(body), body);
}
