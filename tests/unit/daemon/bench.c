/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/daemon/bench.h"

#include <arpa/inet.h>
#include <check.h>
#include <curl/curl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "analysis/heatmap.h"
#include "common/alloc.h"
#include "common/clock.h"
#include "common/log.h"

struct fixture f;
struct publisher views;
struct http_context context;
struct http_stats *stats;
struct http_server *server;
const char *url;

static size_t
no_series(void *data, struct region_id id, int64_t from_ms, int64_t to_ms,
          int64_t step_ms, struct series_point *points, size_t max)
{
    (void)data, (void)id, (void)from_ms, (void)to_ms, (void)step_ms, (void)points;
    (void)max;
    return 0;
}

/* As of a table without history. */
static void
no_heatmap(void *data, struct heatmap *map)
{
    (void)data;
    heatmap_plan(map);
}

struct http_server_options
test_options(const struct string_list *listen)
{
    struct http_config config = {.listen = *listen, .max_connections = 64};
    struct http_server_options options = http_server_defaults(&config);

    options.listen = listen;
    return options;
}

static char *loopback[] = {(char *)"127.0.0.1:0"};
const struct string_list one_address = {loopback, 1};

void
begin_with(const struct http_server_options *options, struct reload_gate *gate)
{
    struct buf error;

    log_setup(LOG_ERROR, LOG_FORMAT_TEXT);
    fixture_orders(&f);
    publisher_init(&views);
    publisher_set(&views, fixture_view(&f));
    context = (struct http_context){.views = &views,
                                    .telemetry_path = "/metrics",
                                    .series = no_series,
                                    .heatmap = no_heatmap,
                                    .reload = gate};
    stats = xcalloc(1, sizeof *stats);
    buf_init(&error, 0);
    server = http_server_create(options, &context, stats, &error);
    ck_assert_msg(server != NULL, "%s", error.data);
    buf_finish(&error);
    url = http_server_url(server, 0);
}

void
begin(void)
{
    struct http_server_options options = test_options(&one_address);

    begin_with(&options, NULL);
}

void
end(void)
{
    server = http_server_destroy(server);
    publisher_finish(&views);
    fixture_finish(&f);
    free(stats);
}

/* ---- a client ---- */

static size_t
take(char *data, size_t size, size_t n, void *out)
{
    buf_add(out, data, size * n);
    return size * n;
}

struct reply
ask(struct ask a)
{
    struct reply r = {0};
    struct curl_slist *headers = NULL;
    char full[512];
    CURL *curl = curl_easy_init();

    buf_init(&r.head, 0);
    buf_init(&r.body, 0);
    snprintf(full, sizeof full, "%s%s", url, a.path);
    if (a.header != NULL)
        headers = curl_slist_append(headers, a.header);
    curl_easy_setopt(curl, CURLOPT_URL, full);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 20000L);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &r.head);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &r.body);
    if (a.gzip)
        curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
    if (a.body != NULL)
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, a.body);
    if (a.method != NULL && strcmp(a.method, "HEAD") == 0)
        curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    else if (a.method != NULL)
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, a.method);
    CURLcode code = curl_easy_perform(curl);
    ck_assert_msg(code == CURLE_OK, "%s: %s", a.path, curl_easy_strerror(code));
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &r.status);
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    return r;
}

void
reply_finish(struct reply *r)
{
    buf_finish(&r->head);
    buf_finish(&r->body);
}

bool
has_header(const struct reply *r, const char *line)
{
    return strcasestr(r->head.data, line) != NULL;
}

long
status_of(struct ask a)
{
    struct reply r = ask(a);

    reply_finish(&r);
    return r.status;
}

int
dial(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    const char *port = strrchr(url, ':') + 1;

    address.sin_port = htons((uint16_t)atoi(port));
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

void
say(int fd, const char *text)
{
    ck_assert_int_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

bool
read_to_end(int fd, struct buf *out, bool sweeps)
{
    char chunk[4096];
    struct pollfd p = {fd, POLLIN, 0};
    int64_t until = clock_now().mono_ms + 10000;

    while (clock_now().mono_ms < until) {
        if (sweeps)
            http_server_sweep(server, clock_now().mono_ms);
        if (poll(&p, 1, 5) <= 0)
            continue;
        ssize_t n = recv(fd, chunk, sizeof chunk, 0);
        if (n <= 0)
            return true;
        buf_add(out, chunk, (size_t)n);
    }
    return false;
}
