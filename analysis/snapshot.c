/* SPDX-License-Identifier: Apache-2.0 */
/* Life of snapshots and alerts, and the names of their enums. Reference counts are
 * atomic because HTTP threads drop them. */
#include "analysis/snapshot.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/table_findings.h"
#include "common/alloc.h"

#define NAME(table, value)                                                             \
    (assert((size_t)(value) < sizeof(table) / sizeof((table)[0])), (table)[value])

static const char *const heat_names[] = {"normal", "pending", "firing"};
static_assert(sizeof(heat_names) / sizeof(heat_names[0]) == HEAT_COUNT, "");

static const char *const kind_names[] = {"region", "table", "server", "meta"};
static const char *const kind_alertnames[] = {"HBaseRegionHot", "HBaseTableHot",
                                              "HBaseServerHot", "HBaseMetaHot"};
static_assert(sizeof(kind_names) / sizeof(kind_names[0]) == ALERT_KIND_COUNT, "");
static_assert(sizeof(kind_alertnames) / sizeof(kind_alertnames[0]) == ALERT_KIND_COUNT,
              "");

static const char *const state_names[] = {"pending", "firing", "resolved"};
static_assert(sizeof(state_names) / sizeof(state_names[0]) == ALERT_STATE_COUNT, "");

static const char *const reason_names[] = {
    "",         "cooled",      "split",        "merged", "dropped",
    "disabled", "server_lost", "rule_changed", "unknown"};
static_assert(sizeof(reason_names) / sizeof(reason_names[0]) == END_REASON_COUNT, "");

static const char *const lineage_names[] = {"move", "split", "merge"};
static_assert(sizeof(lineage_names) / sizeof(lineage_names[0]) == LINEAGE_EVENT_COUNT,
              "");

static const char *const event_names[] = {"fired", "resolved", "held"};
static_assert(sizeof(event_names) / sizeof(event_names[0]) == EVENT_KIND_COUNT, "");

static const char *const class_names[] = {
    [CLASS_UNKNOWN] = "unknown",
    [CLASS_META] = "meta",
    [CLASS_UNSPLIT_TABLE] = "unsplit-table",
    [CLASS_SCAN] = "scan",
    [CLASS_SEQUENTIAL] = "sequential",
    [CLASS_POPULAR_KEY] = "popular-key",
    [CLASS_BIG_REGION] = "big-region",
    [CLASS_POPULAR_RANGE] = "popular-range",
    [CLASS_SERVER_WIDE] = "server-wide",
};
static_assert(sizeof(class_names) / sizeof(class_names[0]) == CLASS_COUNT, "");

static const char *const diagnosis_names[] = {
    [DIAGNOSIS_HANDLERS_BUSY] = "handlers-busy",
    [DIAGNOSIS_CACHE_SWEPT] = "cache-swept-by-scan",
    [DIAGNOSIS_CACHE_SMALL] = "cache-misses",
    [DIAGNOSIS_MEMSTORE_BLOCKED] = "memstore-blocked",
    [DIAGNOSIS_COMPACTION_BEHIND] = "compaction-behind",
    [DIAGNOSIS_GC] = "garbage-collection",
};
static_assert(sizeof(diagnosis_names) / sizeof(diagnosis_names[0]) == DIAGNOSIS_COUNT,
              "");

const char *
heat_class_name(enum heat_class heat_class)
{
    return NAME(class_names, heat_class);
}

const char *
diagnosis_name(enum diagnosis diagnosis)
{
    return NAME(diagnosis_names, diagnosis);
}

const char *
heat_name(enum heat heat)
{
    return NAME(heat_names, heat);
}

const char *
alert_kind_name(enum alert_kind kind)
{
    return NAME(kind_names, kind);
}

const char *
alert_kind_alertname(enum alert_kind kind)
{
    return NAME(kind_alertnames, kind);
}

const char *
alert_state_name(enum alert_state state)
{
    return NAME(state_names, state);
}

const char *
end_reason_name(enum end_reason reason)
{
    return NAME(reason_names, reason);
}

const char *
lineage_event_name(enum lineage_event event)
{
    return NAME(lineage_names, event);
}

const char *
event_kind_name(enum event_kind kind)
{
    return NAME(event_names, kind);
}

void
label_list_copy(struct label_list *to, const struct label_list *from)
{
    *to = (struct label_list){.count = from->count};
    if (from->count > 0)
        to->items = xcalloc(from->count, sizeof(*to->items));
    for (size_t i = 0; i < from->count; i++) {
        to->items[i].name = xstrdup(from->items[i].name);
        to->items[i].value = xstrdup(from->items[i].value);
    }
}

void
label_list_finish(struct label_list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        free(l->items[i].name);
        free(l->items[i].value);
    }
    free(l->items);
    *l = (struct label_list){0};
}

static void
lineage_copy(struct alert *to, const struct alert *from)
{
    size_t size = from->lineage_count * sizeof(*from->lineage);

    to->lineage = size == 0 ? NULL : xmalloc(size);
    if (size > 0)
        memcpy(to->lineage, from->lineage, size);
}

struct explanation *
explanation_ref(struct explanation *e)
{
    atomic_fetch_add_explicit(&e->refs, 1, memory_order_relaxed);
    return e;
}

struct explanation *
explanation_unref(struct explanation *e)
{
    if (e == NULL || atomic_fetch_sub_explicit(&e->refs, 1, memory_order_acq_rel) != 1)
        return NULL;
    for (size_t i = 0; i < e->command_count; i++) {
        free(e->commands[i].command);
        free(e->commands[i].why);
    }
    for (size_t i = 0; i < e->row_count; i++)
        free(e->rows[i].row);
    for (size_t i = 0; i < e->client_count; i++)
        free(e->clients[i].address);
    free(e->commands);
    free(e->rows);
    free(e->clients);
    free(e->split_key);
    free(e->evidence);
    free(e->advice);
    free(e);
    return NULL;
}

void
alert_copy(struct alert *to, const struct alert *from)
{
    *to = *from;
    label_list_copy(&to->labels, &from->labels);
    lineage_copy(to, from);
    if (to->table != NULL)
        table_facts_ref(to->table);
    if (to->region != NULL)
        region_facts_ref(to->region);
    if (to->server != NULL)
        server_facts_ref(to->server);
    for (uint32_t i = 0; i < to->member_count; i++)
        region_facts_ref(to->members[i]);
    for (uint32_t i = 0; i < to->top_count; i++) {
        region_facts_ref(to->top[i].region);
        table_facts_ref(to->top[i].table);
        if (to->top[i].server != NULL)
            server_facts_ref(to->top[i].server);
    }
    if (to->why != NULL)
        explanation_ref(to->why);
}

void
alert_clear_top(struct alert *a)
{
    for (uint32_t i = 0; i < a->top_count; i++) {
        region_facts_unref(a->top[i].region);
        table_facts_unref(a->top[i].table);
        server_facts_unref(a->top[i].server);
    }
    a->top_count = 0;
}

void
alert_finish(struct alert *a)
{
    label_list_finish(&a->labels);
    free(a->lineage);
    table_facts_unref(a->table);
    region_facts_unref(a->region);
    server_facts_unref(a->server);
    for (uint32_t i = 0; i < a->member_count; i++)
        region_facts_unref(a->members[i]);
    alert_clear_top(a);
    explanation_unref(a->why);
    *a = (struct alert){0};
}

struct snapshot *
snapshot_ref(struct snapshot *s)
{
    atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
    return s;
}

struct snapshot *
snapshot_unref(struct snapshot *s)
{
    if (s == NULL || atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1)
        return NULL;
    for (uint32_t i = 0; i < s->region_count; i++)
        region_facts_unref(s->regions[i].facts);
    for (uint32_t i = 0; i < s->table_count; i++) {
        table_facts_unref(s->tables[i].facts);
        table_findings_unref(s->tables[i].findings);
    }
    for (uint32_t i = 0; i < s->server_count; i++) {
        server_facts_unref(s->servers[i].facts);
        free(s->servers[i].url);
    }
    for (uint32_t i = 0; i < s->alert_count; i++)
        alert_finish(&s->alerts[i]);
    free(s->regions);
    free(s->tables);
    free(s->servers);
    free(s->alerts);
    free(s);
    return NULL;
}

uint32_t
snapshot_find_region(const struct snapshot *s, struct region_id id)
{
    for (uint32_t i = 0; i < s->region_count; i++)
        if (region_id_equal(s->regions[i].facts->id, id))
            return i;
    return NO_INDEX;
}
