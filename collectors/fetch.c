/* SPDX-License-Identifier: Apache-2.0 */
/* The fetcher owns the multi handle, the requests under way and a few idle easy
 * handles. A request's easy handle points back at its struct fetch (CURLOPT_PRIVATE).
 * Collector thread only. What libcurl does not bound by itself (decoded bytes, headers)
 * is counted in the callbacks. */
#include "collectors/fetch.h"

#include <assert.h>
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "collectors/credentials.h"
#include "collectors/error_text.h"
#include "collectors/fetch_outcome.h"
#include "common/alloc.h"

#ifndef HOTSPOTD_VERSION
#define HOTSPOTD_VERSION "0"
#endif

enum {
    HEADER_BYTES_MAX = 65536,
    HEADER_LINES_MAX = 200,
    LOW_SPEED_BYTES = 64, /* a second */
    LOW_SPEED_MAX_S = 30,
    MAX_AGE_S = 25, /* HBase closes idle connections after 30 s */
    DNS_CACHE_S = 120,
    RECEIVE_BUFFER = 65536,
    IDLE_HANDLES = 32,
    COOKIES_MS = 3600 * 1000,
};

struct fetch {
    struct fetch *prev, *next;
    struct fetcher *fetcher;
    CURL *easy; /* NULL: none to be had, ends with the next perform */
    char *url;
    struct fetch_request request; /* base and path are not used any more */
    uint64_t bytes;
    unsigned header_bytes;
    unsigned header_lines;
    enum fetch_stop stop;
    char detail[CURL_ERROR_SIZE];
};

struct fetcher {
    CURLM *multi;
    CURLSH *share; /* the cookie jar */
    int64_t cookies_until_ms;
    const struct credentials *credentials;
    bool gzip;
    struct fetch *first;
    unsigned broken; /* requests without an easy handle */
    CURL *idle[IDLE_HANDLES];
    size_t idle_count;
};

struct fetcher *
fetcher_create(unsigned max_connections, bool gzip,
               const struct credentials *credentials)
{
    struct fetcher *f = xcalloc(1, sizeof *f);

    f->gzip = gzip;
    f->credentials = credentials;
    f->multi = curl_multi_init();
    f->share = curl_share_init();
    if (f->multi == NULL || f->share == NULL)
        return fetcher_destroy(f);
    curl_multi_setopt(f->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)max_connections);
    curl_multi_setopt(f->multi, CURLMOPT_MAXCONNECTS, (long)max_connections);
    curl_share_setopt(f->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
    return f;
}

static void
unlink_fetch(struct fetch *fetch)
{
    if (fetch->prev != NULL)
        fetch->prev->next = fetch->next;
    else
        fetch->fetcher->first = fetch->next;
    if (fetch->next != NULL)
        fetch->next->prev = fetch->prev;
}

/* Takes the request out of curl's hands; the handle goes back to the idle ones. */
static void
release(struct fetch *fetch)
{
    struct fetcher *f = fetch->fetcher;

    unlink_fetch(fetch);
    if (fetch->easy == NULL) {
        f->broken--;
    } else {
        curl_multi_remove_handle(f->multi, fetch->easy);
        /* Else curl_easy_reset() loses the list (seen with 7.88). */
        curl_easy_setopt(fetch->easy, CURLOPT_COOKIEFILE, NULL);
        curl_easy_reset(fetch->easy);
        if (f->idle_count < IDLE_HANDLES)
            f->idle[f->idle_count++] = fetch->easy;
        else
            curl_easy_cleanup(fetch->easy);
    }
    free(fetch->url);
    free(fetch);
}

struct fetcher *
fetcher_destroy(struct fetcher *f)
{
    if (f == NULL)
        return NULL;
    while (f->first != NULL)
        release(f->first);
    for (size_t i = 0; i < f->idle_count; i++)
        curl_easy_cleanup(f->idle[i]);
    curl_multi_cleanup(f->multi);
    curl_share_cleanup(f->share);
    free(f);
    return NULL;
}

static bool
status_is_ok(struct fetch *fetch)
{
    long status = 0;

    curl_easy_getinfo(fetch->easy, CURLINFO_RESPONSE_CODE, &status);
    return status == 200;
}

static size_t
on_body(char *data, size_t size, size_t count, void *user)
{
    struct fetch *fetch = user;
    size_t len = size * count;

    if (!status_is_ok(fetch)) {
        fetch->stop = STOP_STATUS;
        return 0;
    }
    if (len > fetch->request.max_body - fetch->bytes) {
        fetch->stop = STOP_BODY;
        return 0;
    }
    fetch->bytes += len;
    if (len > 0 && !fetch->request.body(fetch->request.user, data, len)) {
        fetch->stop = STOP_READER;
        return 0;
    }
    return len;
}

static size_t
on_header(char *data, size_t size, size_t count, void *user)
{
    struct fetch *fetch = user;
    size_t len = size * count;

    (void)data;
    if (len > HEADER_BYTES_MAX - fetch->header_bytes ||
        fetch->header_lines == HEADER_LINES_MAX) {
        fetch->stop = STOP_HEADERS;
        return 0;
    }
    fetch->header_bytes += (unsigned)len;
    fetch->header_lines++;
    return len;
}

/* As curl does it, but closed on exec. */
static curl_socket_t
open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
    (void)user;
    (void)purpose;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static void
set_limits(const struct fetch *fetch)
{
    CURL *easy = fetch->easy;
    int64_t timeout = fetch->request.timeout_ms < 1 ? 1 : fetch->request.timeout_ms;
    /* Whole seconds is what curl counts; the total limit cuts finer. */
    int64_t drip_s = timeout * 3 / 4 / 1000 + 1;

    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)timeout);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)(timeout - timeout / 4));
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, (long)LOW_SPEED_BYTES);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME,
                     (long)(drip_s < LOW_SPEED_MAX_S ? drip_s : LOW_SPEED_MAX_S));
    curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, (long)MAX_AGE_S);
    curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, (long)DNS_CACHE_S);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)RECEIVE_BUFFER);
}

static void
set_protocol(const struct fetch *fetch, const struct curl_slist *headers)
{
    CURL *easy = fetch->easy;

    curl_easy_setopt(easy, CURLOPT_URL, fetch->url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "hotspotd/" HOTSPOTD_VERSION);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    /* A resolver that hangs is left behind instead of waited for. */
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    if (fetch->fetcher->gzip)
        curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
}

static void
set_callbacks(struct fetch *fetch)
{
    CURL *easy = fetch->easy;

    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, fetch);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, fetch);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, fetch->detail);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, fetch);
}

/* The jar is emptied now and then: nobody can fill the memory with cookies. */
static void
set_cookies(const struct fetch *fetch)
{
    struct fetcher *f = fetch->fetcher;
    int64_t now_ms = clock_now().mono_ms;

    if (!credentials_use_cookies(f->credentials))
        return;
    curl_easy_setopt(fetch->easy, CURLOPT_SHARE, f->share);
    curl_easy_setopt(fetch->easy, CURLOPT_COOKIEFILE, ""); /* keep them, from no file */
    if (now_ms >= f->cookies_until_ms) {
        curl_easy_setopt(fetch->easy, CURLOPT_COOKIELIST, "ALL");
        f->cookies_until_ms = now_ms + COOKIES_MS;
    }
}

static char *
join(const char *base, const char *path)
{
    return error_text("%s%s", base, path);
}

struct fetch *
fetch_start(struct fetcher *f, const struct fetch_request *request)
{
    static char accept_line[] = "Accept: application/json";
    static struct curl_slist accept = {.data = accept_line};
    struct fetch *fetch = xcalloc(1, sizeof *fetch);

    fetch->fetcher = f;
    fetch->request = *request;
    fetch->url = join(request->base, request->path);
    fetch->next = f->first;
    if (f->first != NULL)
        f->first->prev = fetch;
    f->first = fetch;
    fetch->easy = f->idle_count > 0 ? f->idle[--f->idle_count] : curl_easy_init();
    if (fetch->easy == NULL) {
        f->broken++;
        return fetch;
    }
    set_limits(fetch);
    set_protocol(fetch, &accept);
    set_callbacks(fetch);
    set_cookies(fetch);
    credentials_apply(f->credentials, fetch->easy);
    if (curl_multi_add_handle(f->multi, fetch->easy) != CURLM_OK) {
        curl_easy_cleanup(fetch->easy);
        fetch->easy = NULL;
        f->broken++;
    }
    return fetch;
}

void
fetch_cancel(struct fetch *fetch)
{
    if (fetch != NULL)
        release(fetch);
}

void
fetcher_wait(struct fetcher *f, const int *fds, unsigned fd_count, int timeout_ms)
{
    struct curl_waitfd extra[FETCH_FDS_MAX];

    assert(fd_count <= FETCH_FDS_MAX);
    for (unsigned i = 0; i < fd_count; i++)
        extra[i] = (struct curl_waitfd){.fd = fds[i], .events = CURL_WAIT_POLLIN};
    curl_multi_poll(f->multi, extra, fd_count, f->broken > 0 ? 0 : timeout_ms, NULL);
}

static const char *
header_value(CURL *easy, const char *name)
{
    struct curl_header *header;

    if (curl_easy_header(easy, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
        return NULL;
    return header->value;
}

static enum poll_outcome
judge(struct fetch *fetch, CURLcode code, char **ret_error)
{
    struct fetch_end end = {
        .code = code,
        .stop = fetch->stop,
        .detail = fetch->detail,
        .timeout_ms = fetch->request.timeout_ms,
        .max_body = fetch->request.max_body,
    };

    curl_easy_getinfo(fetch->easy, CURLINFO_RESPONSE_CODE, &end.http_status);
    if (end.http_status >= 300 && end.http_status < 400)
        end.location = header_value(fetch->easy, "Location");
    if (end.http_status == 401)
        end.challenge = header_value(fetch->easy, "WWW-Authenticate");
    /* The query is long and the same for all: errors name what stands before it. */
    char *where = xmemdup0(fetch->url, strcspn(fetch->url, "?"));
    end.where = where;
    enum poll_outcome outcome = fetch_outcome(&end, ret_error);
    free(where);
    return outcome;
}

static void
finish(struct fetch *fetch, CURLcode code)
{
    struct fetch_result result = {.ended = clock_now(), .bytes = fetch->bytes};
    fetch_done_fn *done = fetch->request.done;
    void *user = fetch->request.user;
    char *error = NULL;

    if (fetch->easy != NULL) {
        curl_easy_getinfo(fetch->easy, CURLINFO_RESPONSE_CODE, &result.http_status);
        result.outcome = judge(fetch, code, &error);
        result.stopped = fetch->stop == STOP_READER;
    } else {
        result.outcome = POLL_CONNECT;
        error = error_text("%s: the request cannot be made, expected memory for it",
                           quoted(fetch->url).text);
    }
    result.error = error;
    release(fetch);
    done(user, &result);
    free(error);
}

/* Those that are broken now; what done() starts waits for the next turn. */
static void
finish_broken(struct fetcher *f)
{
    unsigned count = f->broken;
    struct fetch *fetch = f->first;

    while (count > 0 && fetch != NULL) {
        if (fetch->easy != NULL) {
            fetch = fetch->next;
            continue;
        }
        finish(fetch, CURLE_OUT_OF_MEMORY);
        count--;
        fetch = f->first; /* done() may have changed the list */
    }
}

void
fetcher_perform(struct fetcher *f)
{
    int running;
    int left;
    CURLMsg *message;

    curl_multi_perform(f->multi, &running);
    while ((message = curl_multi_info_read(f->multi, &left)) != NULL) {
        char *private;
        if (message->msg != CURLMSG_DONE)
            continue;
        CURLcode code = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
        finish((struct fetch *)(void *)private, code);
    }
    finish_broken(f);
}
