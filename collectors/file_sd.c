/* SPDX-License-Identifier: Apache-2.0 */
/* Reads with cJSON, walking children once. Holds nothing; any thread. */
#include "collectors/file_sd.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/address.h"
#include "collectors/error_text.h"
#include "common/alloc.h"

void
url_list_add(struct url_list *l, char *url)
{
    xgrow(&l->items, &l->cap, l->count + 1, sizeof l->items[0]);
    l->items[l->count++] = url;
}

void
url_list_finish(struct url_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->items[i]);
    free(l->items);
    *l = (struct url_list){0};
}

/* Reading one document: where we are, for messages, and what was found. */
struct walk {
    struct url_list urls;
    size_t entry; /* 1-based */
    char *error;
    int result;
};

static bool
fail(struct walk *w, int result, char *error)
{
    w->result = result;
    w->error = error;
    return false;
}

static char *
syntax_error(const char *text, size_t len, const char *end)
{
    size_t at = end != NULL && end >= text ? (size_t)(end - text) : 0;
    unsigned line = 1;
    size_t column = 1;

    if (at > len)
        at = len;
    for (size_t i = 0; i < at; i++) {
        column++;
        if (text[i] == '\n') {
            line++;
            column = 1;
        }
    }
    return error_text("line %u, column %zu: not JSON, expected an array of "
                      "{\"targets\": [\"host:port\"], \"labels\": {}}",
                      line, column);
}

static bool
read_target(struct walk *w, const cJSON *item, size_t number)
{
    char *url;

    if (!cJSON_IsString(item))
        return fail(w, -EINVAL,
                    error_text("entry %zu, target %zu: expected a string \"host:port\"",
                               w->entry, number));
    if (address_parse(item->valuestring, strlen(item->valuestring), &url) < 0)
        return fail(w, -EINVAL,
                    error_text("entry %zu, target %zu: %s, expected \"host:port\"",
                               w->entry, number, quoted(item->valuestring).text));
    if (w->urls.count == FILE_SD_TARGETS_MAX) {
        free(url);
        return fail(w, -E2BIG,
                    error_text("entry %zu, target %zu: too many, expected at most %d",
                               w->entry, number, FILE_SD_TARGETS_MAX));
    }
    url_list_add(&w->urls, url);
    return true;
}

static bool
read_targets(struct walk *w, const cJSON *array)
{
    size_t number = 0;

    if (!cJSON_IsArray(array))
        return fail(
            w, -EINVAL,
            error_text("entry %zu: expected \"targets\" to be an array", w->entry));
    for (const cJSON *item = array->child; item != NULL; item = item->next) {
        if (!read_target(w, item, ++number))
            return false;
    }
    return true;
}

static bool
read_entry(struct walk *w, const cJSON *entry)
{
    const cJSON *targets = NULL;

    if (!cJSON_IsObject(entry))
        return fail(w, -EINVAL, error_text("entry %zu: expected an object", w->entry));
    for (const cJSON *member = entry->child; member != NULL; member = member->next) {
        if (strcmp(member->string, "targets") == 0)
            targets = member; /* the last of equal names */
    }
    if (targets == NULL)
        return fail(w, -EINVAL,
                    error_text("entry %zu: expected \"targets\"", w->entry));
    return read_targets(w, targets);
}

static bool
read_document(struct walk *w, const cJSON *root)
{
    if (!cJSON_IsArray(root))
        return fail(w, -EINVAL,
                    error_text("expected an array of {\"targets\": [...]}"));
    for (const cJSON *entry = root->child; entry != NULL; entry = entry->next) {
        w->entry++;
        if (!read_entry(w, entry))
            return false;
    }
    return true;
}

int
file_sd_parse(const char *text, size_t len, struct url_list *ret_urls, char **ret_error)
{
    struct walk w = {0};
    const char *end = NULL;

    if (len > FILE_SD_BYTES_MAX) {
        *ret_error =
            error_text("%zu bytes, expected at most %d", len, FILE_SD_BYTES_MAX);
        return -E2BIG;
    }
    if (memchr(text, '\0', len) != NULL) {
        *ret_error = error_text("a NUL byte, expected JSON");
        return -EINVAL;
    }
    cJSON *root = cJSON_ParseWithLengthOpts(text, len + 1, &end, true);
    if (root == NULL) {
        *ret_error = syntax_error(text, len, end);
        return -EINVAL;
    }
    if (read_document(&w, root)) {
        *ret_urls = w.urls;
    } else {
        url_list_finish(&w.urls);
        *ret_error = w.error;
    }
    cJSON_Delete(root);
    return w.result;
}
