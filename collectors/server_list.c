/* SPDX-License-Identifier: Apache-2.0 */
/* Owns one list of URLs for each source and the merged one. Collector thread only. */
#include "collectors/server_list.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/address.h"
#include "collectors/error_text.h"
#include "collectors/file_watch.h"
#include "common/alloc.h"
#include "common/file.h"

/* In the order of precedence when two name the same address. */
enum source { SOURCE_STATIC, SOURCE_FILE, SOURCE_HTTP_SD, SOURCE_MASTER, SOURCE_COUNT };

/* What live_servers said of a server; sorted by name. */
struct info_port {
    char *name;
    uint16_t port; /* 0: the API does not know either */
};

struct server_list {
    const struct regionservers_config *config;
    struct url_list sources[SOURCE_COUNT];
    struct file_watch file;
    char **live; /* names */
    size_t live_count;
    bool https;
    struct info_port *ports;
    size_t port_count;
    bool has_ports;
    bool lacks_ports;
    bool hold;
    bool dirty;               /* sources changed since the merge */
    bool works[SOURCE_COUNT]; /* the last reading of the file or HTTP list was good */
    bool announce;            /* one of them came to work since the last merge */
    struct url_list merged;
};

struct server_list *
server_list_create(const struct regionservers_config *config, char **ret_error)
{
    struct server_list *l = xcalloc(1, sizeof *l);

    l->config = config;
    l->dirty = true;
    *ret_error = NULL;
    if (config->file != NULL)
        file_watch_init(&l->file, config->file);
    for (size_t i = 0; i < config->static_targets.count; i++) {
        const char *text = config->static_targets.items[i];
        char *url;
        if (address_parse(text, strlen(text), &url) == 0)
            url_list_add(&l->sources[SOURCE_STATIC], url);
        else if (*ret_error == NULL)
            *ret_error = error_text("regionservers.static: %s, expected host:port, "
                                    "[v6]:port or http(s)://host:port",
                                    quoted(text).text);
    }
    return l;
}

static void
free_ports(struct server_list *l)
{
    for (size_t i = 0; i < l->port_count; i++)
        free(l->ports[i].name);
    free(l->ports);
    l->ports = NULL;
    l->port_count = 0;
}

static void
free_live(struct server_list *l)
{
    for (size_t i = 0; i < l->live_count; i++)
        free(l->live[i]);
    free(l->live);
    l->live = NULL;
    l->live_count = 0;
}

struct server_list *
server_list_destroy(struct server_list *l)
{
    if (l == NULL)
        return NULL;
    for (enum source s = 0; s < SOURCE_COUNT; s++)
        url_list_finish(&l->sources[s]);
    url_list_finish(&l->merged);
    free_live(l);
    free_ports(l);
    free(l);
    return NULL;
}

static void
set_source(struct server_list *l, enum source source, struct url_list *urls)
{
    url_list_finish(&l->sources[source]);
    l->sources[source] = *urls;
    *urls = (struct url_list){0};
    l->dirty = true;
}

/* A list that was read from the file or over HTTP. */
static void
note_success(struct server_list *l, enum source source, struct url_list *urls)
{
    set_source(l, source, urls);
    l->announce = l->announce || !l->works[source];
    l->works[source] = true;
}

static int
read_file(struct server_list *l, char **ret_error)
{
    const char *path = l->config->file;
    struct url_list urls = {0};
    struct buf text;
    char *why = NULL;

    buf_init(&text, FILE_SD_BYTES_MAX);
    int r = file_read_whole(path, &text, NULL);
    if (r == 0)
        r = file_sd_parse(text.data, text.len, &urls, &why);
    if (r < 0)
        l->works[SOURCE_FILE] = false;
    if (r == 0)
        note_success(l, SOURCE_FILE, &urls);
    else if (why != NULL)
        *ret_error = error_text("%s: %s", quoted(path).text, why);
    else
        *ret_error =
            error_text("%s: %s, expected a readable file of at most %d bytes",
                       quoted(path).text, file_error_text(r), FILE_SD_BYTES_MAX);
    free(why);
    buf_finish(&text);
    return r;
}

int
server_list_look(struct server_list *l, struct moment now, char **ret_error)
{
    if (l->config->file == NULL || !file_watch_look(&l->file, now))
        return 0;
    l->file.pending = false;
    return read_file(l, ret_error);
}

void
server_list_set_http_sd(struct server_list *l, struct url_list *urls)
{
    note_success(l, SOURCE_HTTP_SD, urls);
}

void
server_list_miss_http_sd(struct server_list *l)
{
    l->works[SOURCE_HTTP_SD] = false;
}

void
server_list_set_live(struct server_list *l, char *const *names, size_t count,
                     bool https)
{
    if (count == 0)
        return;
    free_live(l);
    l->live = xcalloc(count, sizeof l->live[0]);
    l->live_count = count;
    for (size_t i = 0; i < count; i++)
        l->live[i] = xstrdup(names[i]);
    l->https = https;
    l->dirty = true;
}

static int
compare_ports(const void *a, const void *b)
{
    return strcmp(((const struct info_port *)a)->name,
                  ((const struct info_port *)b)->name);
}

void
server_list_set_ports(struct server_list *l, const struct live_server *servers,
                      size_t count)
{
    free_ports(l);
    l->ports = xcalloc(count, sizeof l->ports[0]);
    l->port_count = count;
    for (size_t i = 0; i < count; i++) {
        l->ports[i].name = xstrdup(servers[i].name);
        l->ports[i].port = servers[i].info_port;
    }
    qsort(l->ports, count, sizeof l->ports[0], compare_ports);
    l->has_ports = true;
    l->dirty = true;
}

bool
server_list_lacks_ports(const struct server_list *l)
{
    return l->has_ports && l->lacks_ports;
}

void
server_list_hold(struct server_list *l, bool hold)
{
    l->dirty = l->dirty || l->hold != hold;
    l->hold = hold;
}

/* The entry of this server, or of an earlier start of it: its port seldom changes. */
static const struct info_port *
find_port(const struct server_list *l, const char *name, bool *ret_exact)
{
    size_t low = 0;
    size_t high = l->port_count;
    size_t prefix = address_server_prefix(name) + 1; /* with the comma */

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(l->ports[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *ret_exact = low < l->port_count && strcmp(l->ports[low].name, name) == 0;
    if (*ret_exact)
        return &l->ports[low];
    /* Start codes grow, so an earlier start stands right before. */
    if (low > 0 && strncmp(l->ports[low - 1].name, name, prefix) == 0)
        return &l->ports[low - 1];
    return NULL;
}

static void
resolve_live(struct server_list *l)
{
    struct url_list urls = {0};

    l->lacks_ports = false;
    for (size_t i = 0; !l->hold && i < l->live_count; i++) {
        bool exact;
        char *url;
        const struct info_port *known = find_port(l, l->live[i], &exact);
        uint16_t port =
            known != NULL && known->port != 0 ? known->port : l->config->info_port;
        l->lacks_ports = l->lacks_ports || !exact;
        if (address_of_server(l->live[i], l->https, port, &url) == 0)
            url_list_add(&urls, url);
    }
    set_source(l, SOURCE_MASTER, &urls);
}

/* A URL on its way into the merged list. */
struct candidate {
    const char *url;
    enum source source;
};

static int
compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a;
    const struct candidate *y = b;
    int order = strcmp(address_key(x->url), address_key(y->url));

    if (order == 0)
        order = (int)x->source - (int)y->source;
    return order != 0 ? order : strcmp(x->url, y->url);
}

static int
compare_urls(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Of each address the URL of the first source that names it. */
static struct url_list
merge(const struct server_list *l)
{
    struct url_list merged = {0};
    struct candidate *all = NULL;
    size_t cap = 0;
    size_t n = 0;

    for (enum source s = 0; s < SOURCE_COUNT; s++) {
        xgrow(&all, &cap, n + l->sources[s].count, sizeof all[0]);
        for (size_t i = 0; i < l->sources[s].count; i++)
            all[n++] = (struct candidate){l->sources[s].items[i], s};
    }
    if (n > 0)
        qsort(all, n, sizeof all[0], compare_candidates);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || strcmp(address_key(all[i - 1].url), address_key(all[i].url)) != 0)
            url_list_add(&merged, xstrdup(all[i].url));
    }
    free(all);
    if (merged.count > 0)
        qsort(merged.items, merged.count, sizeof merged.items[0], compare_urls);
    return merged;
}

static bool
same_urls(const struct url_list *a, const struct url_list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (strcmp(a->items[i], b->items[i]) != 0)
            return false;
    }
    return true;
}

bool
server_list_changed(struct server_list *l, char ***ret_urls, size_t *ret_count)
{
    if (!l->dirty)
        return false;
    resolve_live(l);
    l->dirty = false;
    struct url_list merged = merge(l);
    if (same_urls(&merged, &l->merged) && !l->announce) {
        url_list_finish(&merged);
        return false;
    }
    l->announce = false;
    url_list_finish(&l->merged);
    l->merged = merged;
    *ret_urls = l->merged.items;
    *ret_count = l->merged.count;
    return true;
}
