/* SPDX-License-Identifier: Apache-2.0 */
/* Carries requests and answers between libmicrohttpd and http_routes.c. An exchange
 * lives from the request line to NOTIFY_COMPLETED and belongs to one HTTP thread; the
 * bytes of an answer belong to a struct payload, which libmicrohttpd frees, with the
 * view that they may point into, when the last of them is out. */
#define LOG_MODULE "http"

#include "daemon/http_server.h"

#include <assert.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/clock.h"
#include "common/log.h"
#include "daemon/gzip.h"
#include "daemon/http_listen.h"
#include "daemon/http_routes.h"

enum { COMPRESS_FROM = 2048, POOL_THREADS = 2, CONNECTIONS_MIN = 4 };

struct listener {
    struct MHD_Daemon *daemon;
    char *url;
};

struct http_server {
    const struct http_context *context;
    struct http_stats *stats;
    struct http_server_options options;
    struct http_conns conns;
    struct listener *listeners;
    size_t listener_count;
    atomic_size_t scrapes; /* under way */
    atomic_size_t bytes;   /* of answers under way */
};

/* One request. */
struct exchange {
    struct http_conn *conn;
    char *uri; /* as it was sent */
    struct http_request request;
    unsigned status;
    int64_t started_us;
    bool seen;
    bool answered;
};

/* What an answer is made of until it is out. */
struct payload {
    struct http_server *server;
    struct view *view;
    char *bytes; /* NULL: they are the view's or static */
    size_t len;
    bool scrape;
};

static int64_t
now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* ---- requests ---- */

/* The request line has been read. */
static void *
on_uri(void *data, const char *uri, struct MHD_Connection *connection)
{
    struct exchange *x = xcalloc(1, sizeof *x);
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    (void)data;
    x->uri = xstrdup(uri); /* libmicrohttpd bounds it by its memory pool */
    x->conn = info != NULL ? info->socket_context : NULL;
    return x;
}

static const char *
header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static bool
has_body(struct MHD_Connection *connection)
{
    const char *length = header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);

    if (header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL)
        return true;
    return length != NULL && length[strspn(length, "0")] != '\0';
}

static void
begin_exchange(struct http_server *s, struct exchange *x,
               struct MHD_Connection *connection)
{
    x->seen = true;
    x->started_us = now_us();
    x->request = (struct http_request){
        .context = s->context,
        .view = publisher_get(s->context->views),
        .route = ROUTE_COUNT,
        .host = header(connection, MHD_HTTP_HEADER_HOST),
        .origin = header(connection, MHD_HTTP_HEADER_ORIGIN),
        .accept_encoding = header(connection, MHD_HTTP_HEADER_ACCEPT_ENCODING),
        .if_none_match = header(connection, MHD_HTTP_HEADER_IF_NONE_MATCH),
        .has_body = has_body(connection),
    };
    assert(x->request.view != NULL);
    http_conns_begin(&s->conns, x->conn, x->started_us / 1000);
}

/* ---- answers ---- */

static void
payload_free(void *data)
{
    struct payload *p = data;

    atomic_fetch_sub(&p->server->bytes, p->len);
    if (p->scrape)
        atomic_fetch_sub(&p->server->scrapes, 1);
    view_unref(p->view);
    free(p->bytes);
    free(p);
}

/* Turns the answer into a refusal when too much is under way already. */
static void
apply_limits(struct http_server *s, struct answer *a)
{
    bool many_scrapes = a->scrape && s->options.max_scrapes <= atomic_load(&s->scrapes);
    bool many_bytes =
        atomic_load(&s->bytes) + a->body.len > s->options.max_answer_bytes &&
        a->body.len > 4096;

    if (!many_scrapes && !many_bytes && !a->body.failed)
        return;
    answer_finish(a);
    answer_init(a);
    if (many_scrapes)
        answer_text(a, 503, "limit of concurrent scrapes reached (%u)",
                    s->options.max_scrapes);
    else
        answer_error(a, 503, "too many large answers under way");
}

/* Large bodies go out compressed where they may: a heat map has hundreds of kB. */
static void
compress(const struct http_request *request, struct answer *a)
{
    size_t len;

    if (a->shared != NULL || a->body.len < COMPRESS_FROM)
        return;
    a->vary = "Accept-Encoding";
    if (!answer_takes_gzip(request))
        return;
    char *packed = gzip_compress(a->body.data, a->body.len, 1, &len);
    if (packed == NULL)
        return;
    buf_reset(&a->body);
    buf_add(&a->body, packed, len);
    free(packed);
    a->gzip = true;
}

/* Takes the body of the answer and the exchange's view. NULL when memory is out. */
static struct MHD_Response *
make_response(struct http_server *s, struct exchange *x, struct answer *a)
{
    struct payload *p = xmalloc(sizeof *p);
    const char *bytes = a->shared;
    size_t len = a->shared_len;

    *p = (struct payload){.server = s, .view = x->request.view, .scrape = a->scrape};
    x->request.view = NULL;
    if (bytes == NULL) {
        bytes = p->bytes = buf_steal(&a->body, &len);
        p->len = len;
    }
    atomic_fetch_add(&s->bytes, p->len);
    if (p->scrape)
        atomic_fetch_add(&s->scrapes, 1);
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback_cls(len, (void *)bytes,
                                                               payload_free, p);
    if (response == NULL)
        payload_free(p);
    return response;
}

static void
add_headers(struct MHD_Response *response, const struct answer *a)
{
    const struct {
        const char *name;
        const char *value; /* NULL: not sent */
    } headers[] = {
        {MHD_HTTP_HEADER_CONTENT_TYPE, a->type},
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache"},
        {"X-Content-Type-Options", "nosniff"},
        {MHD_HTTP_HEADER_CONTENT_ENCODING, a->gzip ? "gzip" : NULL},
        {MHD_HTTP_HEADER_ETAG, a->etag[0] != '\0' ? a->etag : NULL},
        {MHD_HTTP_HEADER_ALLOW, a->allow},
        {MHD_HTTP_HEADER_VARY, a->vary},
        {"Content-Security-Policy",
         a->page ? "default-src 'none'; script-src 'self'; style-src 'self'; "
                   "img-src 'self'; connect-src 'self'; base-uri 'none'; "
                   "form-action 'none'; frame-ancestors 'none'; "
                   "require-trusted-types-for 'script'"
                 : NULL},
        {"Referrer-Policy", a->page ? "no-referrer" : NULL},
    };

    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        if (headers[i].value != NULL)
            (void)MHD_add_response_header(response, headers[i].name, headers[i].value);
}

static enum MHD_Result
respond(struct http_server *s, struct exchange *x, struct MHD_Connection *connection,
        const char *method)
{
    struct answer a;
    enum MHD_Result result = MHD_NO;

    x->answered = true;
    answer_init(&a);
    http_respond(&x->request, method, x->uri, &a);
    apply_limits(s, &a);
    compress(&x->request, &a);
    x->status = a.status;
    struct MHD_Response *response = make_response(s, x, &a);
    if (response != NULL) {
        add_headers(response, &a);
        result = MHD_queue_response(connection, a.status, response);
        MHD_destroy_response(response);
    }
    answer_finish(&a);
    return result;
}

/* Called at least twice for a request: with the head, then when there is no (more)
 * body. A body is refused at once, without reading it. */
static enum MHD_Result
on_request(void *data, struct MHD_Connection *connection, const char *url,
           const char *method, const char *version, const char *upload,
           size_t *upload_size, void **context)
{
    struct http_server *s = data;
    struct exchange *x = *context;

    (void)url;
    (void)version;
    (void)upload;
    if (!x->seen) {
        begin_exchange(s, x, connection);
        return x->request.has_body ? respond(s, x, connection, method) : MHD_YES;
    }
    if (*upload_size > 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    return x->answered ? MHD_YES : respond(s, x, connection, method);
}

static void
on_completed(void *data, struct MHD_Connection *connection, void **context,
             enum MHD_RequestTerminationCode code)
{
    struct http_server *s = data;
    struct exchange *x = *context;

    (void)connection;
    (void)code;
    if (x == NULL)
        return;
    if (x->answered)
        http_stats_count(s->stats, x->request.route, x->status,
                         now_us() - x->started_us);
    http_conns_end(&s->conns, x->conn, now_us() / 1000);
    query_finish(&x->request.query);
    view_unref(x->request.view);
    free(x->uri);
    free(x);
    *context = NULL;
}

/* ---- connections ---- */

static void
on_connection(void *data, struct MHD_Connection *connection, void **context,
              enum MHD_ConnectionNotificationCode code)
{
    struct http_server *s = data;

    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        if (info != NULL)
            *context = http_conns_add(&s->conns, info->connect_fd, now_us() / 1000);
    } else {
        http_conns_remove(&s->conns, *context);
        *context = NULL;
    }
}

static void __attribute__((format(printf, 2, 0)))
on_log(void *data, const char *format, va_list args)
{
    struct buf text;
    char quoted[LOG_QUOTE_SIZE];

    (void)data;
    buf_init(&text, 0);
    buf_vaddf(&text, format, args);
    log_debug("server: %s", log_quote(text.data, text.len, quoted));
    buf_finish(&text);
}

/* Paths and queries stay as they were sent (query.c decodes the values). */
static size_t
keep_escapes(void *data, struct MHD_Connection *connection, char *text)
{
    (void)data;
    (void)connection;
    return strlen(text);
}

static struct MHD_Daemon *
start_daemon(struct http_server *s, int fd)
{
    unsigned limit = s->options.max_connections / (unsigned)s->options.listen->count;

    if (limit < CONNECTIONS_MIN)
        limit = CONNECTIONS_MIN;
    struct MHD_OptionItem items[] = {
        {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)on_log, s}, /* must be the first */
        {MHD_OPTION_LISTEN_SOCKET, fd, NULL},
        {MHD_OPTION_THREAD_POOL_SIZE, POOL_THREADS, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, limit, NULL},
        {MHD_OPTION_PER_IP_CONNECTION_LIMIT, limit / 4, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, s->options.deadlines.idle_ms / 1000, NULL},
        {MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)keep_escapes, s},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)on_uri, s},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)on_completed, s},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)on_connection, s},
        {MHD_OPTION_END, 0, NULL},
    };
    return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ERROR_LOG, 0, NULL,
                            NULL, on_request, s, MHD_OPTION_ARRAY, items,
                            MHD_OPTION_END);
}

/* ---- the server ---- */

struct http_server_options
http_server_defaults(const struct http_config *config)
{
    return (struct http_server_options){
        .listen = &config->listen,
        .max_connections = config->max_connections,
        .max_scrapes = 40,
        .max_answer_bytes = 64 << 20,
        .deadlines = {.idle_ms = 30000, .head_ms = 10000, .request_ms = 60000},
    };
}

static int
add_listener(struct http_server *s, const char *address, struct buf *error)
{
    struct buf url;

    int fd = http_listen(address, error);
    if (fd < 0)
        return fd;
    buf_init(&url, 0);
    http_listen_url(fd, &url);
    struct listener *l = &s->listeners[s->listener_count];
    l->daemon = start_daemon(s, fd);
    if (l->daemon == NULL) {
        buf_addf(error, "cannot serve on %s: the HTTP library did not start", url.data);
        buf_finish(&url);
        return -EIO;
    }
    l->url = buf_steal(&url, NULL);
    s->listener_count++;
    return 0;
}

struct http_server *
http_server_create(const struct http_server_options *options,
                   const struct http_context *context, struct http_stats *stats,
                   struct buf *error)
{
    struct http_server *s = xcalloc(1, sizeof *s);

    assert(options->listen->count > 0);
    s->context = context;
    s->stats = stats;
    s->options = *options;
    http_conns_init(&s->conns, &options->deadlines);
    s->listeners = xcalloc(options->listen->count, sizeof *s->listeners);
    for (size_t i = 0; i < options->listen->count; i++)
        if (add_listener(s, options->listen->items[i], error) < 0)
            return http_server_destroy(s);
    s->options.listen = NULL; /* may not outlive this call */
    for (size_t i = 0; i < s->listener_count; i++)
        log_info("listening on %s", s->listeners[i].url);
    return s;
}

struct http_server *
http_server_destroy(struct http_server *s)
{
    if (s == NULL)
        return NULL;
    for (size_t i = 0; i < s->listener_count; i++) {
        MHD_stop_daemon(s->listeners[i].daemon);
        free(s->listeners[i].url);
    }
    http_conns_finish(&s->conns);
    free(s->listeners);
    free(s);
    return NULL;
}

void
http_server_sweep(struct http_server *s, int64_t mono_ms)
{
    size_t cut = http_conns_sweep(&s->conns, mono_ms);

    if (cut > 0) {
        atomic_fetch_add(&s->stats->cut, cut);
        log_debug("closed %zu connections at their deadline", cut);
    }
}

const char *
http_server_url(const struct http_server *s, size_t i)
{
    return i < s->listener_count ? s->listeners[i].url : NULL;
}

size_t
http_server_connections(struct http_server *s)
{
    return http_conns_count(&s->conns);
}
