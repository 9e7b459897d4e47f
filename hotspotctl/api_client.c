/* SPDX-License-Identifier: Apache-2.0 */
/* One GET after another over one connection; what comes back is checked to be an answer
 * of a hotspotd. One owner. */
#include "hotspotctl/api_client.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/log.h"
#include "hotspotctl/api_view.h"

enum { BODY_MAX = 256 << 20, CONNECT_MS = 5000, TOTAL_MS = 60000 };

struct api_client {
    CURL *easy;
    char *base; /* without a slash at its end */
    char detail[CURL_ERROR_SIZE];
};

static size_t
on_body(char *data, size_t size, size_t count, void *body)
{
    buf_add(body, data, size * count);
    return ((struct buf *)body)->failed ? 0 : size * count;
}

static void
set_options(struct api_client *c)
{
    curl_easy_setopt(c->easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c->easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(c->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(c->easy, CURLOPT_TIMEOUT_MS, (long)TOTAL_MS);
    curl_easy_setopt(c->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c->easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(c->easy, CURLOPT_USERAGENT, "hotspotctl");
    curl_easy_setopt(c->easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(c->easy, CURLOPT_ERRORBUFFER, c->detail);
}

static bool
is_url(const char *base)
{
    const char *host = strncmp(base, "http://", 7) == 0    ? base + 7
                       : strncmp(base, "https://", 8) == 0 ? base + 8
                                                           : NULL;

    if (host == NULL || *host == '\0' || *host == '/')
        return false;
    for (const char *p = base; *p != '\0'; p++)
        if (!isgraph((unsigned char)*p) || *p == '?' || *p == '#' || *p == '@')
            return false;
    return true;
}

struct api_client *
api_client_create(const char *base, struct buf *error)
{
    char quoted[LOG_QUOTE_SIZE];

    if (!is_url(base)) {
        buf_addf(error,
                 "wrong address %s, expected a URL such as http://localhost:16090",
                 log_quote(base, strlen(base), quoted));
        return NULL;
    }
    struct api_client *c = xcalloc(1, sizeof *c);
    c->base = xstrdup(base);
    for (size_t len = strlen(base); len > 0 && c->base[len - 1] == '/'; len--)
        c->base[len - 1] = '\0';
    c->easy = curl_easy_init();
    if (c->easy == NULL) {
        buf_adds(error, "curl does not start");
        return api_client_destroy(c);
    }
    set_options(c);
    return c;
}

struct api_client *
api_client_destroy(struct api_client *c)
{
    if (c == NULL)
        return NULL;
    if (c->easy != NULL)
        curl_easy_cleanup(c->easy);
    free(c->base);
    free(c);
    return NULL;
}

/* The bytes of member "data" of the outermost object, which cJSON has found good. */
static void
find_data(struct api_answer *a)
{
    const char *p = a->body.data;
    const char *end = p + a->body.len;
    bool in_string = false;
    int depth = 0;

    for (; p < end; p++) {
        if (in_string) {
            p += *p == '\\';
            in_string = p < end && *p != '"';
            continue;
        }
        if (depth == 1 && strncmp(p, "\"data\"", 6) == 0) {
            p = strchr(p, ':');
            break;
        }
        in_string = *p == '"';
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
    }
    if (p == NULL || p >= end)
        return;
    while (++p < end && isspace((unsigned char)*p))
        ;
    while (end > p && *--end != '}')
        ;
    a->data_text = p;
    a->data_len = (size_t)(end - p);
}

/* Is it what a hotspotd says? The error text of an error answer, if it has one. */
static int
read_answer(struct api_client *c, long status, struct api_answer *a, struct buf *error)
{
    a->root = cJSON_ParseWithLength(a->body.data, a->body.len);
    const cJSON *message = cJSON_GetObjectItemCaseSensitive(a->root, "error");
    a->data = cJSON_GetObjectItemCaseSensitive(a->root, "data");
    if (status != 200 && cJSON_IsString(message)) {
        buf_adds(error, "hotspotd: ");
        add_clean(error, message->valuestring);
        return -EIO;
    }
    if (status != 200) {
        buf_addf(error,
                 "%s answers with HTTP status %ld: is it a hotspotd of this version?",
                 c->base, status);
        return -EIO;
    }
    if (cJSON_IsObject(a->data))
        find_data(a);
    if (a->data_text == NULL) {
        buf_addf(error, "%s does not answer as a hotspotd of this version does",
                 c->base);
        return -EIO;
    }
    return 0;
}

int
api_get(struct api_client *c, const char *path, struct api_answer *ret,
        struct buf *error)
{
    struct buf url;
    long status = 0;

    *ret = (struct api_answer){0};
    buf_init(&ret->body, BODY_MAX);
    buf_init(&url, 0);
    buf_addf(&url, "%s%s", c->base, path);
    c->detail[0] = '\0';
    curl_easy_setopt(c->easy, CURLOPT_URL, url.data);
    curl_easy_setopt(c->easy, CURLOPT_WRITEDATA, &ret->body);
    CURLcode code = curl_easy_perform(c->easy);
    buf_finish(&url);
    if (code != CURLE_OK) {
        buf_addf(error, "no answer from %s: %s", c->base,
                 ret->body.failed       ? "more than 256 MiB"
                 : c->detail[0] != '\0' ? c->detail
                                        : curl_easy_strerror(code));
        return -EIO;
    }
    curl_easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &status);
    ret->status = status;
    return read_answer(c, status, ret, error);
}

void
api_answer_finish(struct api_answer *a)
{
    cJSON_Delete(a->root);
    buf_finish(&a->body);
    *a = (struct api_answer){0};
    buf_init(&a->body, BODY_MAX);
}

void
api_add_parameter(struct buf *path, const char *name, const char *value)
{
    buf_addf(path, "%c%s=", strchr(path->data, '?') == NULL ? '?' : '&', name);
    for (; *value != '\0'; value++) {
        unsigned char c = (unsigned char)*value;
        if (isalnum(c) || strchr("-._~:", c) != NULL)
            buf_addc(path, (char)c);
        else
            buf_addf(path, "%%%02X", c);
    }
}

const struct cJSON *
api_member(const struct cJSON *object, const char *path)
{
    char name[64];

    while (object != NULL && *path != '\0') {
        size_t len = strcspn(path, ".");
        if (len >= sizeof name)
            return NULL;
        memcpy(name, path, len);
        name[len] = '\0';
        object = cJSON_GetObjectItemCaseSensitive(object, name);
        path += len + (path[len] == '.');
    }
    return object;
}
