/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison of configurations, field by field. No state. */
#include "daemon/config_diff.h"

#include <stddef.h>
#include <string.h>

#include "common/buf.h"

static bool
same_text(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return strcmp(a, b) == 0;
}

static bool
same_list(const struct string_list *a, const struct string_list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_text(a->items[i], b->items[i]))
            return false;
    return true;
}

/* Texts that the collector reads. */
static const size_t texts[] = {
    offsetof(struct config, regionservers.file),
    offsetof(struct config, regionservers.http_sd),
    offsetof(struct config, topology.file),
    offsetof(struct config, hbase_auth.username),
    offsetof(struct config, hbase_auth.password_file),
    offsetof(struct config, hbase_auth.principal),
    offsetof(struct config, hbase_auth.keytab),
    offsetof(struct config, hbase_auth.ca_file),
    offsetof(struct config, hbase_auth.cert_file),
    offsetof(struct config, hbase_auth.key_file),
};

static const size_t lists[] = {
    offsetof(struct config, masters),
    offsetof(struct config, regionservers.static_targets),
    offsetof(struct config, topology.command),
};

static bool
same_poll(const struct poll_config *a, const struct poll_config *b)
{
    return a->jmx == b->jmx && a->interval_ms == b->interval_ms &&
           a->timeout_ms == b->timeout_ms && a->max_in_flight == b->max_in_flight &&
           a->max_body == b->max_body && a->gzip == b->gzip;
}

static bool
same_topology(const struct topology_config *a, const struct topology_config *b)
{
    return a->source == b->source && a->api_max_regions == b->api_max_regions &&
           a->interval_ms == b->interval_ms && a->timeout_ms == b->timeout_ms;
}

bool
config_same_collection(const struct config *a, const struct config *b)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (!same_text(*(char *const *)((const char *)a + texts[i]),
                       *(char *const *)((const char *)b + texts[i])))
            return false;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (!same_list((const struct string_list *)((const char *)a + lists[i]),
                       (const struct string_list *)((const char *)b + lists[i])))
            return false;
    return a->regionservers.info_port == b->regionservers.info_port &&
           a->hbase_auth.type == b->hbase_auth.type && same_poll(&a->poll, &b->poll) &&
           same_topology(&a->topology, &b->topology);
}

void
config_fixed_changes(const struct config *old, const struct config *new,
                     struct buf *out)
{
    const struct {
        const char *name;
        bool same;
    } fixed[] = {
        {"http.listen", same_list(&old->http.listen, &new->http.listen)},
        {"http.max_connections",
         old->http.max_connections == new->http.max_connections},
        {"history", old->history.raw_ms == new->history.raw_ms &&
                        old->history.five_minutes_ms == new->history.five_minutes_ms &&
                        old->history.hours_ms == new->history.hours_ms &&
                        old->history.max_memory == new->history.max_memory},
    };

    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (!fixed[i].same)
            buf_addf(out, "%s: the change takes effect at the next start\n",
                     fixed[i].name);
}
