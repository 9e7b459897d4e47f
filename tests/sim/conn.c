/* SPDX-License-Identifier: Apache-2.0 */
/* Connections: they own their socket, the request's target and a reference to the body
 * they send. http owns the connections. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/alloc.h"
#include "tests/sim/http_priv.h"

enum { DRIP_BYTES = 32, DRIP_MS = 100 };

void
conn_wake_at(struct http *http, struct conn *conn, int64_t when)
{
    conn->wake = when;
    if (when < http->next_wake)
        http->next_wake = when;
}

static void
watch_output(struct http *http, struct conn *conn, bool wanted)
{
    struct epoll_event event = {.events = EPOLLIN | (wanted ? EPOLLOUT : 0),
                                .data.ptr = &conn->watch};

    if (conn->wants_out == wanted)
        return;
    conn->wants_out = wanted;
    (void)epoll_ctl(http->epoll, EPOLL_CTL_MOD, conn->fd, &event);
}

void
conn_end(struct http *http, struct conn *conn)
{
    if (conn->state == ENDED)
        return;
    conn->state = ENDED;
    close(conn->fd);
    if (conn->prev)
        conn->prev->next = conn->next;
    else
        http->conns = conn->next;
    if (conn->next)
        conn->next->prev = conn->prev;
    conn->next = http->ended;
    http->ended = conn;
}

static void
reply_finish(struct conn *conn)
{
    if (conn->body)
        body_release(conn->body);
    conn->body = NULL;
    buf_reset(&conn->head);
    free(conn->target);
    conn->target = NULL;
}

void
conn_free_ended(struct http *http)
{
    while (http->ended) {
        struct conn *conn = http->ended;

        http->ended = conn->next;
        reply_finish(conn);
        buf_finish(&conn->head);
        free(conn);
    }
}

void
conn_add(struct http *http, struct site *site, int fd)
{
    struct conn *conn = xcalloc(1, sizeof(*conn));
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &conn->watch};
    int one = 1;

    conn->site = site;
    conn->fd = fd;
    buf_init(&conn->head, 0);
    conn->next = http->conns;
    if (conn->next)
        conn->next->prev = conn;
    http->conns = conn;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    if (epoll_ctl(http->epoll, EPOLL_CTL_ADD, fd, &event) < 0)
        conn_end(http, conn);
    conn_wake_at(http, conn, http->now + http->idle_ms);
}

/* What remains to be sent. Returns the number of pieces. */
static int
pending(const struct conn *conn, struct iovec piece[2])
{
    size_t body_len = conn->body ? conn->body->wire_len : 0;
    size_t total = conn->head.len + body_len;
    size_t limit = conn->stop_after < total ? conn->stop_after : total;
    size_t at = conn->sent;
    int n = 0;

    if (conn->drips && limit > at + DRIP_BYTES)
        limit = at + DRIP_BYTES;
    if (at < conn->head.len && at < limit) {
        size_t end = limit < conn->head.len ? limit : conn->head.len;

        piece[n++] = (struct iovec){conn->head.data + at, end - at};
        at = end;
    }
    if (at < limit)
        piece[n++] =
            (struct iovec){conn->body->wire + (at - conn->head.len), limit - at};
    return n;
}

static void
reply_done(struct http *http, struct conn *conn)
{
    bool ends = conn->close || conn->stop_after != SIZE_MAX;

    watch_output(http, conn, false);
    reply_finish(conn);
    if (ends) {
        conn_end(http, conn);
        return;
    }
    conn->state = READING;
    conn_wake_at(http, conn, http->now + http->idle_ms);
}

void
conn_send(struct http *http, struct conn *conn)
{
    struct iovec piece[2];
    struct msghdr message = {.msg_iov = piece};
    int n;

    while ((n = pending(conn, piece)) > 0) {
        ssize_t sent;

        message.msg_iovlen = (size_t)n;
        sent = sendmsg(conn->fd, &message, MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) {
            watch_output(http, conn, true);
            return;
        }
        if (sent < 0) {
            conn_end(http, conn);
            return;
        }
        conn->sent += (size_t)sent;
        if (conn->drips && pending(conn, piece) > 0) {
            conn_wake_at(http, conn, http->now + DRIP_MS);
            return;
        }
        if (conn->endless && pending(conn, piece) == 0) {
            endless_refill(conn);
            watch_output(http, conn, true);
            return; /* others have their turn, too */
        }
    }
    reply_done(http, conn);
}

/* Answers the requests that have arrived, one after the other. */
static void
serve(struct http *http, struct conn *conn)
{
    char head[HEAD_MAX + 1];

    while (conn->state == READING) {
        char *end;
        size_t len;

        conn->in[conn->in_len] = '\0';
        end = strstr(conn->in, "\r\n\r\n");
        if (!end) {
            if (conn->in_len == HEAD_MAX)
                answer_error(http, conn, 431);
            return;
        }
        len = (size_t)(end - conn->in) + 4;
        memcpy(head, conn->in, len);
        head[len - 2] = '\0';
        conn->in_len -= len;
        memmove(conn->in, conn->in + len, conn->in_len);
        answer_head(http, conn, head);
    }
}

void
conn_read(struct http *http, struct conn *conn)
{
    ssize_t n;

    if (conn->in_len == HEAD_MAX) { /* talks on while we answer */
        conn_end(http, conn);
        return;
    }
    n = recv(conn->fd, conn->in + conn->in_len, HEAD_MAX - conn->in_len, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        conn_end(http, conn);
        return;
    }
    conn->in_len += (size_t)n;
    serve(http, conn);
}

void
conn_write(struct http *http, struct conn *conn)
{
    if (conn->state == WRITING)
        conn_send(http, conn);
    serve(http, conn);
}

void
conn_wake(struct http *http, struct conn *conn)
{
    switch (conn->state) {
    case READING: /* idle for too long */
        conn_end(http, conn);
        return;
    case WAITING:
        answer_now(http, conn);
        serve(http, conn);
        return;
    case WRITING:
        conn->wake = INT64_MAX;
        conn_write(http, conn);
        return;
    case HANGING:
    case ENDED:
        return;
    }
}
