/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of addresses, globs and labels, wherever they stand. Owns nothing; runs on the
 * thread that loads a configuration. */
#include "config/check.h"

#include <stdio.h>
#include <string.h>

#include "common/intern.h"
#include "common/log.h"
#include "config/address.h"

static const char *
check_target(const char *text, unsigned flags)
{
    (void)flags;
    return address_check_target(text);
}

static const char *
check_listen(const char *text, unsigned flags)
{
    (void)flags;
    return address_check_listen(text);
}

typedef const char *check_address_fn(const char *text, unsigned flags);

#define AT(field) offsetof(struct config, field)

/* What a list's second mention of an address is. */
enum twice { TWICE_WARNING, TWICE_ERROR };

static const struct {
    const char *path;
    size_t offset; /* of a struct string_list */
    check_address_fn *check;
    unsigned flags;
    enum twice twice;
} address_lists[] = {
    {"masters", AT(masters), address_check_url, 0, TWICE_WARNING},
    {"regionservers.static", AT(regionservers.static_targets), check_target, 0,
     TWICE_WARNING},
    {"http.listen", AT(http.listen), check_listen, 0, TWICE_ERROR},
    {"alertmanager.urls", AT(alertmanager.urls), address_check_url, URL_PATH,
     TWICE_WARNING},
};

static const struct {
    const char *path;
    size_t offset; /* of a char * */
    unsigned flags;
    bool secret; /* who knows the URL may post to it */
} urls[] = {
    {"regionservers.http_sd", AT(regionservers.http_sd), URL_PATH | URL_QUERY, false},
    {"http.external_url", AT(http.external_url), URL_PATH, false},
    {"runbook_url", AT(runbook_url), URL_PATH | URL_QUERY, false},
    {"alertmanager.proxy_url", AT(alertmanager.proxy_url), 0, false},
    {"webhook.url", AT(webhook.url), URL_PATH | URL_QUERY, true},
};

/* A secret address, or one with an '@', which may hold a password, is not repeated. */
static void
report_address(struct check *c, const char *path, const void *what, const char *text,
               bool secret, const char *wrong)
{
    char quoted[LOG_QUOTE_SIZE];

    if (secret || strchr(text, '@'))
        check_report(c, false, what, NULL, "%s: %s", path, wrong);
    else
        check_report(c, false, what, NULL, "%s: %s, found %s", path, wrong,
                     log_quote(text, strlen(text), quoted));
}

/* Listening twice on a port that the kernel chooses gives two ports. */
static bool
ends_in_port_0(const char *text)
{
    size_t len = strlen(text);
    return len >= 2 && strcmp(text + len - 2, ":0") == 0;
}

static void
check_address_list(struct check *c, size_t n)
{
    const struct string_list *list =
        (const void *)((const char *)c->config + address_lists[n].offset);
    struct intern *seen = intern_create();

    for (size_t i = 0; i < list->count; i++) {
        char path[64];
        const char *text = list->items[i];
        snprintf(path, sizeof path, "%s[%zu]", address_lists[n].path, i);
        const char *wrong = address_lists[n].check(text, address_lists[n].flags);
        if (wrong)
            report_address(c, path, text, text, false, wrong);
        else if (intern_find(seen, text) != INTERN_NONE && !ends_in_port_0(text))
            check_report(c, address_lists[n].twice == TWICE_WARNING, text, NULL,
                         "%s: '%s' stands twice in the list", path, text);
        intern_add(seen, text);
    }
    intern_destroy(seen);
}

/* A master's address without a port is most likely an omission: 80 is asked then. */
static void
check_master_ports(struct check *c)
{
    static const char scheme[] = "http://";

    for (size_t i = 0; i < c->config->masters.count; i++) {
        const char *url = c->config->masters.items[i];
        const char *host = url + sizeof scheme - 1;
        if (strncmp(url, scheme, sizeof scheme - 1) != 0 ||
            address_check_url(url, 0) != NULL)
            continue;
        const char *end = strrchr(host, ']'); /* behind an IPv6 address */
        if (strchr(end != NULL ? end : host, ':') == NULL)
            check_report(c, true, url, NULL,
                         "masters[%zu]: no port in '%s', so port 80 is asked; HBase's "
                         "masters answer on 16010",
                         i, url);
    }
}

void
check_addresses(struct check *c)
{
    const struct string_list *listen = &c->config->http.listen;

    check_master_ports(c);

    for (size_t i = 0; i < sizeof address_lists / sizeof *address_lists; i++)
        check_address_list(c, i);
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        char *const *field = (const void *)((const char *)c->config + urls[i].offset);
        const char *wrong = *field ? address_check_url(*field, urls[i].flags) : NULL;
        if (wrong)
            report_address(c, urls[i].path, field, *field, urls[i].secret, wrong);
    }
    if (listen->count == 0)
        check_report(c, false, listen, NULL,
                     "http.listen: expected at least one address, such as \":16090\"");
}

void
check_globs(struct check *c)
{
    const struct detection_config *detection = &c->config->detection;
    char quoted[LOG_QUOTE_SIZE];

    for (size_t i = 0; i < detection->ignore_tables.count; i++) {
        const char *glob = detection->ignore_tables.items[i];
        if (glob[0] == '\0')
            check_report(c, false, glob, NULL,
                         "detection.ignore_tables[%zu]: expected a glob, found ''", i);
    }
    struct intern *seen = intern_create();
    for (size_t i = 0; i < detection->table_count; i++) {
        char *const *match = &detection->tables[i].match;
        if (!*match || (*match)[0] == '\0') {
            /* The reader has said so; this is for a struct made otherwise. */
            if (!c->places)
                check_report(c, false, NULL, NULL,
                             "detection.tables[%zu].match: expected a glob", i);
            continue;
        }
        if (intern_find(seen, *match) != INTERN_NONE ||
            intern_find(seen, "*") != INTERN_NONE)
            check_report(c, true, match, NULL,
                         "detection.tables[%zu].match: %s is never reached: an entry "
                         "before it matches the same tables",
                         i, log_quote(*match, strlen(*match), quoted));
        intern_add(seen, *match);
    }
    intern_destroy(seen);
}

static bool
is_label_name(const char *s)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char rest[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

    return s[0] != '\0' && strchr(first, s[0]) && s[strspn(s, rest)] == '\0';
}

static bool
is_reserved(const char *name)
{
    static const char *const reserved[] = {"alertname", "severity", "cluster",
                                           "table",     "region",   "server"};

    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        if (strcmp(name, reserved[i]) == 0)
            return true;
    }
    return false;
}

static void
check_label_list(struct check *c, const char *path, const struct label_list *labels)
{
    char quoted[LOG_QUOTE_SIZE];

    for (size_t i = 0; i < labels->count; i++) {
        const struct label *label = &labels->items[i];
        const char *name = log_quote(label->name, strlen(label->name), quoted);
        if (!is_label_name(label->name))
            check_report(c, false, label->name, NULL,
                         "%s: expected a label name ([a-zA-Z_][a-zA-Z0-9_]*), found %s",
                         path, name);
        else if (is_reserved(label->name))
            check_report(
                c, false, label->name, NULL,
                "%s: the label %s is set by hotspotd itself; choose another name", path,
                name);
        if (label->value[0] == '\0')
            check_report(c, false, label->value, label->name,
                         "%s: the label %s must not be empty", path, name);
    }
}

void
check_labels(struct check *c)
{
    const struct detection_config *detection = &c->config->detection;

    check_label_list(c, "alertmanager.external_labels",
                     &c->config->alertmanager.external_labels);
    for (size_t i = 0; i < detection->table_count; i++) {
        char path[64];
        snprintf(path, sizeof path, "detection.tables[%zu].labels", i);
        check_label_list(c, path, &detection->tables[i].rule.labels);
    }
}
