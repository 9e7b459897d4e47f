/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard's files, and the validators by which a browser asks for what it has
 * already. Files are found in the embedded table alone. HTTP threads. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "daemon/http_answer.h"
#include "daemon/web_files.h"

/* ---- validators ---- */

/* The opaque part of an entity tag: behind W/ and within the quotes. */
static const char *
opaque(const char *tag, size_t *ret_len)
{
    if (strncmp(tag, "W/", 2) == 0)
        tag += 2;
    if (*tag != '"')
        return NULL;
    *ret_len = strcspn(tag + 1, "\"");
    return tag[1 + *ret_len] == '"' ? tag + 1 : NULL;
}

/* Weak comparison with each tag of If-None-Match (RFC 9110, section 13.1.2). */
static bool
is_held(const char *header, const char *etag)
{
    size_t len, held_len;
    const char *wanted = opaque(etag, &len);

    for (const char *s = header; s != NULL && *s != '\0';) {
        s += strspn(s, ", \t");
        if (*s == '*')
            return true;
        const char *held = opaque(s, &held_len);
        if (held == NULL)
            return false;
        if (held_len == len && memcmp(held, wanted, len) == 0)
            return true;
        s = held + held_len + 1;
    }
    return false;
}

bool
answer_unchanged(const struct http_request *request, struct answer *a, const char *etag)
{
    snprintf(a->etag, sizeof a->etag, "%s", etag);
    if (!is_held(request->if_none_match, etag))
        return false;
    a->status = 304;
    return true;
}

bool
answer_view_unchanged(const struct http_request *request, struct answer *a)
{
    const struct view *view = request->view;
    char etag[sizeof a->etag];

    snprintf(etag, sizeof etag, "W/\"%" PRIx64 "-%" PRIx64 "-%" PRIx64 "\"",
             (uint64_t)view->status.started.wall_ms, view->snapshot->number,
             (uint64_t)view->status.made.mono_ms);
    return answer_unchanged(request, a, etag);
}

/* ---- files ---- */

static const struct web_file *
find(const char *name, size_t len)
{
    for (const struct web_file *f = web_files; f->name != NULL; f++)
        if (strlen(f->name) == len && memcmp(f->name, name, len) == 0)
            return f;
    return NULL;
}

static void
send(const struct http_request *request, struct answer *a, const struct web_file *f)
{
    a->type = f->type;
    a->vary = "Accept-Encoding";
    if (answer_unchanged(request, a, f->etag))
        return;
    a->gzip = answer_takes_gzip(request);
    a->shared = a->gzip ? f->gzip : f->data;
    a->shared_len = a->gzip ? f->gzip_len : f->len;
}

void
answer_page(const struct http_request *request, struct answer *a)
{
    a->page = true;
    send(request, a, find("index.html", strlen("index.html")));
}

void
answer_web(const struct http_request *request, struct answer *a)
{
    const struct web_file *f = find(request->segment, request->segment_len);

    if (f == NULL)
        answer_text(a, 404, "no such file of the dashboard");
    else
        send(request, a, f);
}

void
answer_openapi(const struct http_request *request, struct answer *a)
{
    send(request, a, find("openapi.json", strlen("openapi.json")));
}
