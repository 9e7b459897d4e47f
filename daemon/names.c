/* SPDX-License-Identifier: Apache-2.0 */
/* Name tables and look-ups without state; any thread. */
#include "daemon/names.h"

#include <assert.h>
#include <fnmatch.h>
#include <string.h>

#include "common/buf.h"

static const char *const severity_names[] = {"info", "warning", "critical"};
static_assert(sizeof severity_names / sizeof severity_names[0] == SEVERITY_COUNT,
              "a name for each severity");

static const char *const access_names[] = {"read", "write", "total"};
static_assert(sizeof access_names / sizeof access_names[0] == ACCESS_COUNT,
              "a name for each access");

static const char *const baseline_names[] = {"rest", "others", "all", "median"};
static_assert(sizeof baseline_names / sizeof baseline_names[0] == BASELINE_KIND_COUNT,
              "a name for each baseline");

const char *
severity_name(enum severity severity)
{
    assert(severity < SEVERITY_COUNT);
    return severity_names[severity];
}

const char *
access_name(enum access access)
{
    assert(access < ACCESS_COUNT);
    return access_names[access];
}

const char *
baseline_kind_name(enum baseline_kind kind)
{
    assert(kind < BASELINE_KIND_COUNT);
    return baseline_names[kind];
}

const struct rule *
config_rule_for(const struct config *config, const char *table)
{
    const struct detection_config *d = &config->detection;

    for (size_t i = 0; i < d->table_count; i++)
        if (fnmatch(d->tables[i].match, table, 0) == 0)
            return &d->tables[i].rule;
    return &d->rule;
}

static bool
has_label(const struct buf *out, const char *name)
{
    const char *n, *v;

    for (size_t at = 0; labels_next(out->data, out->len, &at, &n, &v);)
        if (strcmp(n, name) == 0)
            return true;
    return false;
}

static void
add_label(struct buf *out, const char *name, const char *value)
{
    if (value == NULL || value[0] == '\0' || has_label(out, name))
        return;
    buf_add(out, name, strlen(name) + 1);
    buf_add(out, value, strlen(value) + 1);
}

void
alert_labels(const struct alert *alert, const char *cluster, struct buf *out)
{
    char origin[REGION_ID_TEXT_SIZE];

    add_label(out, "alertname", alert_kind_alertname(alert->kind));
    add_label(out, "severity", severity_name(alert->severity));
    add_label(out, "cluster", cluster);
    if (alert->kind == ALERT_SERVER) {
        add_label(out, "server", alert->server ? alert->server->address : NULL);
    } else {
        add_label(out, "table", alert->table ? alert->table->name : NULL);
        if (alert->kind != ALERT_TABLE)
            add_label(out, "region", region_id_text(alert->origin, origin));
    }
    for (size_t i = 0; i < alert->labels.count; i++)
        add_label(out, alert->labels.items[i].name, alert->labels.items[i].value);
}

bool
labels_next(const char *packed, size_t len, size_t *at, const char **ret_name,
            const char **ret_value)
{
    if (*at >= len)
        return false;
    *ret_name = packed + *at;
    *ret_value = *ret_name + strlen(*ret_name) + 1;
    *at = (size_t)(*ret_value - packed) + strlen(*ret_value) + 1;
    return true;
}
