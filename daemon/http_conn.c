/* SPDX-License-Identifier: Apache-2.0 */
/* Registry of connections. Entries are made and freed by the HTTP threads, swept by the
 * main thread; the descriptors are libmicrohttpd's. */
#include "daemon/http_conn.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "common/alloc.h"

void
http_conns_init(struct http_conns *c, const struct http_deadlines *deadlines)
{
    *c = (struct http_conns){.deadlines = *deadlines};
    pthread_mutex_init(&c->lock, NULL);
}

void
http_conns_finish(struct http_conns *c)
{
    while (c->first != NULL)
        http_conns_remove(c, c->first);
    pthread_mutex_destroy(&c->lock);
}

struct http_conn *
http_conns_add(struct http_conns *c, int fd, int64_t mono_ms)
{
    struct http_conn *conn = xcalloc(1, sizeof *conn);

    conn->fd = fd;
    conn->deadline_ms = mono_ms + c->deadlines.head_ms;
    pthread_mutex_lock(&c->lock);
    conn->next = c->first;
    if (c->first != NULL)
        c->first->prev = conn;
    c->first = conn;
    c->count++;
    pthread_mutex_unlock(&c->lock);
    return conn;
}

void
http_conns_remove(struct http_conns *c, struct http_conn *conn)
{
    if (conn == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    if (conn->prev != NULL)
        conn->prev->next = conn->next;
    else
        c->first = conn->next;
    if (conn->next != NULL)
        conn->next->prev = conn->prev;
    c->count--;
    pthread_mutex_unlock(&c->lock);
    free(conn);
}

static void
set_deadline(struct http_conns *c, struct http_conn *conn, int64_t deadline_ms)
{
    if (conn == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    conn->deadline_ms = deadline_ms;
    pthread_mutex_unlock(&c->lock);
}

void
http_conns_begin(struct http_conns *c, struct http_conn *conn, int64_t mono_ms)
{
    set_deadline(c, conn, mono_ms + c->deadlines.request_ms);
}

void
http_conns_end(struct http_conns *c, struct http_conn *conn, int64_t mono_ms)
{
    set_deadline(c, conn, mono_ms + c->deadlines.idle_ms + c->deadlines.head_ms);
}

size_t
http_conns_sweep(struct http_conns *c, int64_t mono_ms)
{
    size_t cut = 0;

    pthread_mutex_lock(&c->lock);
    for (struct http_conn *conn = c->first; conn != NULL; conn = conn->next) {
        if (conn->cut || mono_ms < conn->deadline_ms)
            continue;
        (void)shutdown(conn->fd, SHUT_RDWR);
        conn->cut = true;
        cut++;
    }
    pthread_mutex_unlock(&c->lock);
    return cut;
}

size_t
http_conns_count(struct http_conns *c)
{
    pthread_mutex_lock(&c->lock);
    size_t count = c->count;
    pthread_mutex_unlock(&c->lock);
    return count;
}
