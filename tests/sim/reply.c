/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies and heads. A body is freed when the last connection that sends it and the
 * store have let go of it. Header order and spelling: tests/data/captures, the .headers
 * files. */
#include "tests/sim/reply.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "common/alloc.h"
#include "tests/sim/shape.h"

enum {
    CHUNK = 32768, /* Jetty's output buffer: longer answers are chunked */
    GZIP_WINDOW = 15 + 16,
};

static void
compress_into(struct buf *out, const struct buf *in)
{
    z_stream z = {0};
    int result = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8,
                              Z_DEFAULT_STRATEGY);
    size_t bound;
    char *data;

    assert(result == Z_OK);
    bound = deflateBound(&z, in->len);
    data = xmalloc(bound);
    z.next_in = (Bytef *)in->data;
    z.avail_in = (uInt)in->len;
    z.next_out = (Bytef *)data;
    z.avail_out = (uInt)bound;
    result = deflate(&z, Z_FINISH);
    assert(result == Z_STREAM_END);
    buf_add(out, data, bound - z.avail_out);
    deflateEnd(&z);
    free(data);
}

static void
chunk_into(struct buf *out, const struct buf *in)
{
    for (size_t at = 0; at < in->len; at += CHUNK) {
        size_t len = in->len - at < CHUNK ? in->len - at : CHUNK;

        buf_addf(out, "%zX\r\n", len);
        buf_add(out, in->data + at, len);
        buf_adds(out, "\r\n");
    }
    buf_adds(out, "0\r\n\r\n");
}

/* Replaces what is in *b by what `convert` makes of it. */
static void
replace(struct buf *b, void (*convert)(struct buf *out, const struct buf *in))
{
    struct buf out;

    buf_init(&out, 0);
    convert(&out, b);
    buf_finish(b);
    *b = out;
}

struct body *
body_create(struct page *page, bool gzip)
{
    struct body *body = xcalloc(1, sizeof(*body));
    size_t ignored;

    body->refs = 1;
    body->status = page->status;
    body->type = page->type;
    body->dated = page->dated;
    body->gzip = gzip && page->body.len > 0;
    body->chunked = page->flushed || body->gzip || page->body.len > CHUNK;
    if (body->gzip)
        replace(&page->body, compress_into);
    body->plain_len = page->body.len;
    if (body->chunked)
        replace(&page->body, chunk_into);
    body->wire_len = page->body.len;
    body->wire = buf_steal(&page->body, &ignored);
    return body;
}

void
body_release(struct body *body)
{
    assert(body->refs > 0);
    if (--body->refs > 0)
        return;
    free(body->wire);
    free(body);
}

static void
forget(struct prepared *entry)
{
    if (entry->body)
        body_release(entry->body);
    free(entry->target);
    *entry = (struct prepared){0};
}

void
store_sweep(struct store *store, int64_t oldest)
{
    for (size_t i = 0; i < PREPARED_MAX; i++)
        if (store->entries[i].body && store->entries[i].made < oldest)
            forget(&store->entries[i]);
}

struct body *
store_body(struct store *store, const struct request *request, bool gzip, int64_t now)
{
    uint64_t version = page_version(request);
    struct prepared *entry = NULL;
    struct page page;
    struct body *body;

    for (size_t i = 0; i < PREPARED_MAX && !entry; i++)
        if (store->entries[i].target && store->entries[i].gzip == gzip &&
            strcmp(store->entries[i].target, request->target) == 0)
            entry = &store->entries[i];
    if (entry && version != 0 && entry->version == version) {
        entry->body->refs++;
        return entry->body;
    }
    page_make(request, &page);
    body = body_create(&page, gzip && page.status == 200);
    if (version == 0)
        return body;
    if (!entry)
        entry = &store->entries[store->next++ % PREPARED_MAX];
    forget(entry);
    *entry = (struct prepared){xstrdup(request->target), gzip, version, now, body};
    body->refs++;
    return body;
}

static void
http_date(int64_t wall_ms, char *text, size_t size)
{
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm tm;

    gmtime_r(&seconds, &tm);
    strftime(text, size, "%a, %d %b %Y %H:%M:%S GMT", &tm);
}

static void
print_length(struct buf *out, const struct body *body)
{
    if (body->chunked)
        buf_adds(out, "Transfer-Encoding: chunked\r\n");
    else
        buf_addf(out, "Content-Length: %zu\r\n", body->plain_len);
}

/* The error pages of the newer Jetty come with other headers than HBase's servlets. */
static void
print_error_head(struct buf *out, const struct body *body)
{
    buf_addf(out,
             "Pragma: no-cache\r\nX-Frame-Options: DENY\r\n"
             "X-Content-Type-Options: nosniff\r\nX-XSS-Protection: 1; mode=block\r\n"
             "Cache-Control: must-revalidate,no-cache,no-store\r\nContent-Type: %s\r\n",
             body->type);
    print_length(out, body);
}

static void
print_jetty9_head(struct buf *out, const struct body *body, const char *date)
{
    buf_addf(out,
             "Date: %s\r\nCache-Control: no-cache\r\nExpires: %s\r\nDate: %s\r\n"
             "Pragma: no-cache\r\nContent-Type: %s\r\nX-Frame-Options: DENY\r\n"
             "X-Content-Type-Options: nosniff\r\nX-XSS-Protection: 1; mode=block\r\n"
             "Vary: Accept-Encoding, User-Agent\r\n",
             date, date, date, body->type);
    if (body->gzip)
        buf_adds(out, "Content-Encoding: gzip\r\n");
    print_length(out, body);
}

static void
print_jetty6_head(struct buf *out, const struct body *body, const char *date,
                  const char *agent)
{
    buf_addf(out,
             "Cache-Control: no-cache\r\nExpires: %s\r\nDate: %s\r\n"
             "Pragma: no-cache\r\nContent-Type: %s\r\nX-Frame-Options: DENY\r\n",
             date, date, body->type);
    print_length(out, body);
    buf_addf(out, "Server: %s\r\n", agent);
}

void
head_print(struct buf *out, const struct cluster *c, const struct body *body,
           int64_t wall_ms, bool close)
{
    const char *agent = shape_of(c->version)->agent;
    char date[40];

    http_date(wall_ms, date, sizeof(date));
    buf_addf(out, "HTTP/1.1 %d %s\r\n", body->status, status_text(body->status));
    if (agent)
        print_jetty6_head(out, body, date, agent);
    else if (body->dated)
        print_jetty9_head(out, body, date);
    else
        print_error_head(out, body);
    if (body->status == 401)
        buf_adds(out, "WWW-Authenticate: Negotiate\r\n"
                      "Set-Cookie: hadoop.auth=; HttpOnly\r\n");
    if (body->status == 302)
        buf_adds(out, "Location: /regionserver.jsp\r\n");
    if (close)
        buf_adds(out, "Connection: close\r\n");
    buf_adds(out, "\r\n");
}
