/* SPDX-License-Identifier: Apache-2.0 */
/* The reader owns a slot for each region asked for; whatever else the answer holds is
 * passed over. */
#include "collectors/operations.h"

#include <stdlib.h>
#include <string.h>

#include "collectors/id_map.h"
#include "collectors/jmx.h"
#include "collectors/json_stream.h"
#include "collectors/number.h"
#include "collectors/server_name.h"
#include "common/alloc.h"
#include "common/buf.h"

#define BEANS "Hadoop:service=HBase,name=RegionServer,sub="

enum counter { COUNTER_READ, COUNTER_WRITE, COUNTER_GET, COUNTER_SCAN, COUNTER_COUNT };

static const char *const counter_names[COUNTER_COUNT] = {
    [COUNTER_READ] = "readRequestCount",
    [COUNTER_WRITE] = "writeRequestCount",
    [COUNTER_GET] = "getCount",
    [COUNTER_SCAN] = "scanCount",
};

struct slot {
    struct region_id id;
    uint64_t value[COUNTER_COUNT];
    bool known[COUNTER_COUNT];
};

/* What the value that comes next is for. */
enum target {
    TARGET_NONE,
    TARGET_RESULT,
    TARGET_BEAN_NAME,
    TARGET_SERVER,
    TARGET_COUNTER,
};

struct operations {
    struct json_stream *json;
    struct id_map *index; /* of the slots */
    struct slot *slots;
    size_t count;
    /* of the answer */
    bool root_object;
    bool in_beans;
    bool beans_key;
    bool has_beans;
    bool error_result;
    char server[SERVER_NAME_MAX + 1];
    /* of the bean at hand */
    enum { BEAN_UNNAMED, BEAN_SERVER, BEAN_REGIONS, BEAN_OTHER } bean;
    char bean_server[SERVER_NAME_MAX + 1];
    bool bean_regions; /* it had counters of regions */
    bool misplaced;    /* ... and was another bean */
    enum target target;
    struct slot *slot;
    enum counter counter;
};

/* ---- the question ---- */

char *
operations_path(enum operations_query query, const struct region_id *regions,
                size_t count)
{
    struct buf path;
    char text[REGION_ID_TEXT_SIZE];

    buf_init(&path, 0);
    /* Server, Regions, and nothing else that is large. */
    buf_addf(&path, "/jmx?%s=" BEANS "%%3Fe*",
             query == OPERATIONS_FULL ? "qry" : "get");
    if (query == OPERATIONS_FULL)
        return buf_steal(&path, NULL);
    buf_adds(&path, "::");
    if (count <= OPERATIONS_NAMED_MAX && count > 0) {
        /* The servlet takes for an expression what holds a '*'. */
        buf_adds(&path, "_region_*(");
        for (size_t i = 0; i < count; i++)
            buf_addf(&path, "%s%s", i > 0 ? "%7C" : "",
                     region_id_text(regions[i], text));
        buf_adds(&path, ")_metric_");
    } else {
        buf_adds(&path, "_metric_*");
    }
    buf_adds(&path, "(getCount%7CscanCount%7CreadRequestCount%7CwriteRequestCount)$,"
                    "%5Etag.serverName$");
    return buf_steal(&path, NULL);
}

/* ---- life ---- */

static bool on_event(void *user, enum json_event event, const char *text, size_t len,
                     unsigned depth);

struct operations *
operations_create(const struct region_id *regions, size_t count)
{
    struct operations *o = xcalloc(1, sizeof *o);

    o->json = json_stream_create(on_event, o);
    o->index = id_map_create();
    o->slots = xcalloc(count, sizeof o->slots[0]);
    for (size_t i = 0; i < count; i++) {
        if (id_map_add(o->index, regions[i], (uint32_t)o->count) == o->count)
            o->slots[o->count++].id = regions[i];
    }
    return o;
}

struct operations *
operations_destroy(struct operations *o)
{
    if (o == NULL)
        return NULL;
    json_stream_destroy(o->json);
    id_map_destroy(o->index);
    free(o->slots);
    free(o);
    return NULL;
}

bool
operations_feed(struct operations *o, const char *data, size_t len)
{
    return json_stream_feed(o->json, data, len) == 0;
}

static bool
slot_is_known(const struct slot *slot)
{
    for (size_t i = 0; i < COUNTER_COUNT; i++) {
        if (!slot->known[i])
            return false;
    }
    return true;
}

static void
give(const struct operations *o, struct server_detail *detail)
{
    detail->server = xstrdup(o->server);
    detail->operations = xcalloc(o->count, sizeof detail->operations[0]);
    for (size_t i = 0; i < o->count; i++) {
        const struct slot *slot = &o->slots[i];
        if (!slot_is_known(slot))
            continue;
        detail->operations[detail->operation_count++] = (struct operation_sample){
            .id = slot->id,
            .read = slot->value[COUNTER_READ],
            .gets = slot->value[COUNTER_GET],
            .scans = slot->value[COUNTER_SCAN],
            .write = slot->value[COUNTER_WRITE],
        };
    }
}

enum poll_outcome
operations_end(struct operations *o, bool *ret_not_understood,
               struct server_detail *detail)
{
    *ret_not_understood = false;
    if (json_stream_end(o->json) != 0)
        return POLL_PARSE;
    if (o->error_result || !o->has_beans) {
        *ret_not_understood = o->error_result || o->root_object;
        return POLL_BAD_RESPONSE;
    }
    if (o->misplaced)
        return POLL_BAD_RESPONSE;
    if (o->server[0] == '\0')
        return POLL_NO_DATA; /* the metrics system comes up, bean by bean */
    give(o, detail);
    return POLL_OK;
}

/* ---- the answer ---- */

static enum counter
find_counter(const char *name, size_t len)
{
    unsigned i = 0;

    while (i < COUNTER_COUNT && !json_text_is(name, len, counter_names[i]))
        i++;
    return (enum counter)i;
}

/* A "Namespace_..." attribute: does it count calls on one of the regions? */
static enum target
region_key(struct operations *o, const char *name, size_t len)
{
    char table[TABLE_NAME_MAX + 1];
    struct region_id id;
    const char *metric;
    size_t metric_len;

    if (o->bean == BEAN_SERVER || o->bean == BEAN_OTHER ||
        !jmx_attribute_split(name, len, &id, table, sizeof table, &metric, &metric_len))
        return TARGET_NONE;
    o->counter = find_counter(metric, metric_len);
    if (o->counter == COUNTER_COUNT)
        return TARGET_NONE;
    o->bean_regions = true;
    uint32_t i = id_map_find(o->index, id);
    if (i == UINT32_MAX)
        return TARGET_NONE;
    o->slot = &o->slots[i];
    return TARGET_COUNTER;
}

static enum target
bean_key(struct operations *o, const char *name, size_t len)
{
    if (len > 0 && name[0] == 'N')
        return region_key(o, name, len);
    return json_text_is(name, len, "name")             ? TARGET_BEAN_NAME
           : json_text_is(name, len, "tag.serverName") ? TARGET_SERVER
           : json_text_is(name, len, "result")         ? TARGET_RESULT
                                                       : TARGET_NONE;
}

static void
on_key(struct operations *o, const char *name, size_t len, unsigned depth)
{
    o->target = TARGET_NONE;
    if (depth == 1) {
        o->beans_key = json_text_is(name, len, "beans");
        o->target = json_text_is(name, len, "result") ? TARGET_RESULT : TARGET_NONE;
    } else if (depth == 3 && o->in_beans) {
        o->target = bean_key(o, name, len);
    }
}

static void
on_string(struct operations *o, const char *text, size_t len)
{
    switch (o->target) {
    case TARGET_RESULT:
        o->error_result |= json_text_is(text, len, "ERROR");
        break;
    case TARGET_BEAN_NAME:
        o->bean = json_text_is(text, len, BEANS "Server")    ? BEAN_SERVER
                  : json_text_is(text, len, BEANS "Regions") ? BEAN_REGIONS
                                                             : BEAN_OTHER;
        break;
    case TARGET_SERVER:
        if (server_name_valid(text, len)) {
            memcpy(o->bean_server, text, len);
            o->bean_server[len] = '\0';
        }
        break;
    case TARGET_COUNTER:
    case TARGET_NONE:
        break;
    }
}

/* Numbers stand in quotes in some versions. */
static void
on_text(struct operations *o, bool string, const char *text, size_t len)
{
    if (o->target == TARGET_COUNTER)
        o->slot->known[o->counter] =
            number_counter(text, len, &o->slot->value[o->counter]) == 0;
    else if (string)
        on_string(o, text, len);
}

static void
on_begin(struct operations *o, bool object, unsigned depth)
{
    o->target = TARGET_NONE;
    if (depth == 0)
        o->root_object = object;
    if (depth == 1 && !object && o->beans_key)
        o->in_beans = o->has_beans = true;
    if (depth == 2 && object && o->in_beans) {
        o->bean = BEAN_UNNAMED;
        o->bean_server[0] = '\0';
        o->bean_regions = false;
    }
}

static void
on_end(struct operations *o, unsigned depth)
{
    if (depth == 2 && o->in_beans) {
        o->misplaced |= o->bean_regions && o->bean != BEAN_REGIONS;
        if (o->bean == BEAN_SERVER)
            memcpy(o->server, o->bean_server, sizeof o->server);
    }
    if (depth == 1)
        o->in_beans = false;
}

static bool
on_event(void *user, enum json_event event, const char *text, size_t len,
         unsigned depth)
{
    struct operations *o = user;

    switch (event) {
    case JSON_KEY:
        on_key(o, text, len, depth);
        return true;
    case JSON_OBJECT_BEGIN:
    case JSON_ARRAY_BEGIN:
        on_begin(o, event == JSON_OBJECT_BEGIN, depth);
        return true;
    case JSON_OBJECT_END:
    case JSON_ARRAY_END:
        on_end(o, depth);
        break;
    case JSON_STRING:
    case JSON_NUMBER:
        on_text(o, event == JSON_STRING, text, len);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
    case JSON_NOT_A_NUMBER:
        break;
    }
    o->target = TARGET_NONE;
    return true;
}
