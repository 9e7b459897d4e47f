/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the events of a /jmx document into the values of a struct server_poll. The hot
 * path of the program: a name that begins like the one before belongs to the same
 * region and is not taken apart again. Runs on the reader's thread; allocates only for
 * regions and tables not seen before in this poll. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/error_text.h"
#include "collectors/jmx_priv.h"
#include "collectors/number.h"
#include "common/alloc.h"
#include "common/parse.h"

/* An age above this is no age: the server's own wall clock (a region that was never
 * major-compacted has 0 as its oldest file's time). */
static const int64_t absolute_ms = 1000000000000;
static const int64_t absolute_max_ms = 10000000000000; /* the year 2286 */
static const int64_t day_ms = 86400000;

/* Something of the answer cannot be used: counted, and the first is told. text: NULL
 * where it is not at hand. */
static void
note_invalid(struct server_poll *poll, const char *expected, const char *text,
             size_t len)
{
    char found[LOG_QUOTE_SIZE];

    if (poll->invalid_values++ > 0)
        return;
    if (text == NULL)
        poll->first_invalid = error_text("expected %s", expected);
    else
        poll->first_invalid =
            error_text("expected %s, found %s", expected, log_quote(text, len, found));
}

/* ---- regions ---- */

static bool
reserve_region(struct jmx_reader *r)
{
    struct server_poll *poll = r->poll;

    if (poll->region_count < r->region_cap)
        return true;
    if (poll->region_count >= r->max_regions)
        return false;
    size_t cap = r->region_cap == 0 ? 64 : r->region_cap * 2;
    if (cap > r->max_regions)
        cap = r->max_regions;
    struct region_sample *grown = reallocarray(poll->regions, cap, sizeof(*grown));
    if (grown == NULL)
        return false;
    poll->regions = grown;
    r->region_cap = cap;
    return true;
}

/* The index of a table not seen before in this poll, or NO_TABLE if its name cannot be
 * used. */
static uint32_t
new_table(struct server_poll *poll, size_t *cap, const struct attribute_parts *parts)
{
    char name[TABLE_NAME_MAX + 1];

    size_t len = jmx_table_name(parts, name, sizeof(name));
    if (len == 0 || !table_name_valid(name, len))
        return NO_TABLE;
    xgrow(&poll->tables, cap, poll->table_count + 1, sizeof(char *));
    poll->tables[poll->table_count] = xmemdup0(name, len);
    return (uint32_t)poll->table_count++;
}

static uint32_t
table_number(struct jmx_reader *r, const struct attribute_parts *parts)
{
    uint32_t known = intern_count(r->tables);
    uint32_t i = intern_add_n(r->tables, parts->table, parts->table_len);

    if (i == known) {
        xgrow(&r->table_number, &r->table_number_cap, i + 1, sizeof(uint32_t));
        r->table_number[i] = new_table(r->poll, &r->table_cap, parts);
    }
    return r->table_number[i];
}

/* The row of the region, made if it is new. False if there is none: the table's name
 * cannot be used, or there are too many regions (or tables without any). */
static bool
region_row(struct jmx_reader *r, const struct attribute_parts *parts, size_t *ret_row)
{
    struct server_poll *poll = r->poll;

    if (intern_count(r->tables) > r->max_regions) {
        r->answer.too_many = true;
        return false;
    }
    uint32_t table = table_number(r, parts);
    if (table == NO_TABLE) {
        note_invalid(poll, "NAMESPACE_table_TABLE with a table's name", parts->table,
                     parts->table_len);
        return false;
    }
    uint32_t row = id_map_add(r->rows, parts->id, (uint32_t)poll->region_count);
    if (row == poll->region_count) {
        if (!reserve_region(r)) {
            r->answer.too_many = true;
            return false;
        }
        poll->regions[poll->region_count++] =
            (struct region_sample){.id = parts->id, .table = table};
    }
    *ret_row = row;
    return true;
}

/* A "Namespace_..." attribute: what is its value for? */
static enum target
region_key(struct jmx_reader *r, const char *name, size_t len)
{
    struct jmx_answer *a = &r->answer;
    struct attribute_parts parts;

    if (r->prefix_len > 0 && len > r->prefix_len &&
        memcmp(name, r->prefix, r->prefix_len) == 0) {
        const char *metric = name + r->prefix_len;
        size_t metric_len = len - r->prefix_len;
        a->metric = jmx_metric_find(metric, metric_len);
        a->row = r->prefix_row;
        if (a->metric != METRIC_COUNT)
            return TARGET_METRIC;
        if (memchr(metric, '_', metric_len) == NULL)
            return TARGET_NONE;
        /* A table may be called t_region_<id>_metric_x: take it apart. */
    }
    if (!jmx_attribute_metric(name, len, &parts))
        return TARGET_NONE;
    a->metric = jmx_metric_find(parts.metric, parts.metric_len);
    if (a->metric == METRIC_COUNT)
        return TARGET_NONE;
    if (!jmx_attribute_region(name, &parts)) {
        if (a->bean == BEAN_REGIONS) /* other beans have such names of tables */
            note_invalid(r->poll, "the encoded name of a region before _metric_", name,
                         len);
        return TARGET_NONE;
    }
    if (!region_row(r, &parts, &a->row))
        return TARGET_NONE;
    size_t prefix_len = len - parts.metric_len;
    r->prefix_len = prefix_len <= sizeof(r->prefix) ? prefix_len : 0;
    memcpy(r->prefix, name, r->prefix_len);
    r->prefix_row = a->row;
    return TARGET_METRIC;
}

/* ---- values of regions ---- */

/* Keeps the probes of the smallest ids, ascending. */
static void
add_probe(struct server_poll *poll, struct region_id id, int64_t age_ms)
{
    size_t at = poll->probe_count;

    while (at > 0 && region_id_compare(poll->probes[at - 1].id, id) > 0)
        at--;
    if (at > 0 && region_id_equal(poll->probes[at - 1].id, id)) {
        poll->probes[at - 1].age_ms = age_ms;
        return;
    }
    if (at == AGE_PROBES)
        return;
    if (poll->probe_count < AGE_PROBES)
        poll->probe_count++;
    memmove(&poll->probes[at + 1], &poll->probes[at],
            (poll->probe_count - at - 1) * sizeof(poll->probes[0]));
    poll->probes[at] = (struct age_probe){id, age_ms};
}

bool
jmx_time_plausible(const struct server_poll *poll, int64_t ms)
{
    int64_t wall_ms = poll->received.wall_ms;

    if (ms < absolute_ms || ms >= absolute_max_ms)
        return false;
    return wall_ms <= 0 || (ms >= wall_ms - day_ms && ms <= wall_ms + day_ms);
}

static void
take_age(struct server_poll *poll, struct region_id id, int64_t age_ms)
{
    if (age_ms >= 0 && age_ms < absolute_ms)
        add_probe(poll, id, age_ms);
    else if (age_ms > poll->server_time_ms && jmx_time_plausible(poll, age_ms))
        poll->server_time_ms = age_ms;
}

static void
take_old_count(struct jmx_reader *r, uint64_t value)
{
    size_t row = r->answer.row;
    size_t which = (size_t)(r->answer.metric - METRIC_OLD_MUTATE);

    if (row >= r->old_count) {
        xgrow(&r->old, &r->old_cap, row + 1, sizeof(r->old[0]));
        memset(&r->old[r->old_count], 0, (row + 1 - r->old_count) * sizeof(r->old[0]));
        r->old_count = row + 1;
    }
    r->old[row].value[which] = value;
    r->old[row].known[which] = true;
}

/* A counter that cannot be used: said of the region, never taken for a zero. */
static void
invalid_metric(struct jmx_reader *r, const char *text, size_t len)
{
    struct region_sample *region = &r->poll->regions[r->answer.row];
    char id[REGION_ID_TEXT_SIZE], expected[REGION_ID_TEXT_SIZE + 64];

    snprintf(expected, sizeof(expected), "a counter for %s of region %s",
             jmx_metric_name(r->answer.metric), region_id_text(region->id, id));
    note_invalid(r->poll, expected, text, len);
    if (r->answer.metric == METRIC_READ)
        region->known &= (uint8_t)~SAMPLE_READ;
    if (r->answer.metric == METRIC_WRITE)
        region->known &= (uint8_t)~SAMPLE_WRITE;
    if (r->answer.metric == METRIC_READ || r->answer.metric == METRIC_WRITE)
        region->known |= SAMPLE_INVALID;
}

static void
take_metric(struct jmx_reader *r, const char *text, size_t len)
{
    struct region_sample *region = &r->poll->regions[r->answer.row];
    uint64_t count;
    int64_t whole;

    if (r->answer.metric == METRIC_AGE) {
        if (number_whole(text, len, &whole) == 0)
            take_age(r->poll, region->id, whole);
        else
            invalid_metric(r, text, len);
        return;
    }
    if (number_counter(text, len, &count) != 0 ||
        (r->answer.metric == METRIC_REPLICA && count > UINT16_MAX)) {
        invalid_metric(r, text, len);
        return;
    }
    switch (r->answer.metric) {
    case METRIC_READ:
        region->read = count;
        region->known |= SAMPLE_READ;
        break;
    case METRIC_WRITE:
        region->write = count;
        region->known |= SAMPLE_WRITE;
        break;
    case METRIC_REPLICA:
        region->replica = (uint16_t)count;
        break;
    default:
        take_old_count(r, count);
        break;
    }
}

/* ---- values of the server ---- */

static void
take_signal(struct jmx_answer *a, const char *text, size_t len)
{
    const struct signal_attribute *attribute = &jmx_signal_attributes[a->attribute];
    struct held_value *held = &a->held[a->attribute];
    double value;

    /* Beyond 2^63 no Java number is whole; a negative one is an overflow. */
    if (parse_double(text, len, &value) != 0 || value < 0 || value > 0x1p63 ||
        value > attribute->max)
        held->state = HELD_INVALID;
    else
        *held = (struct held_value){HELD_VALUE, value * attribute->scale};
}

static void
take_server_name(struct jmx_reader *r, const char *text, size_t len)
{
    if (!server_name_valid(text, len)) {
        note_invalid(r->poll, "a server's name in tag.serverName", text, len);
        return;
    }
    memcpy(r->answer.server, text, len);
    r->answer.server[len] = '\0';
}

static bool
begins(const char *name, size_t len, const char *with)
{
    size_t n = strlen(with);

    return len >= n && memcmp(name, with, n) == 0;
}

static void
name_bean(struct jmx_reader *r, const char *name, size_t len)
{
    struct jmx_answer *a = &r->answer;

    r->foreign_seen |= !begins(name, len, "Hadoop:service=HBase,") ||
                       begins(name, len, "Hadoop:service=HBase,name=Master,");
    a->bean = 0;
    while (a->bean < BEAN_COUNT && !json_text_is(name, len, jmx_bean_names[a->bean]))
        a->bean++;
}

static void
begin_bean(struct jmx_reader *r)
{
    struct jmx_answer *a = &r->answer;

    a->beans++;
    r->beans_seen++;
    a->bean = BEAN_UNNAMED;
    a->bean_regions = false;
    a->server[0] = '\0';
    memset(a->held, 0, sizeof(a->held));
}

static void
invalid_signal(struct server_poll *poll, const struct signal_attribute *attribute)
{
    char expected[128];

    snprintf(expected, sizeof(expected), "a number from 0 to %g for %s", attribute->max,
             attribute->name);
    note_invalid(poll, expected, NULL, 0);
}

/* The bean's name is certain now: what was held becomes signals. */
static void
end_bean(struct jmx_reader *r)
{
    struct jmx_answer *a = &r->answer;
    struct server_poll *poll = r->poll;
    bool set[SIGNAL_COUNT] = {false};

    if (a->bean_regions && a->bean != BEAN_REGIONS)
        a->regions_elsewhere = true;
    if (a->bean >= BEAN_COUNT)
        return;
    r->bean_seen[a->bean] = true;
    if (a->bean == BEAN_SERVER && a->server[0] != '\0') {
        free(poll->server);
        poll->server = xstrdup(a->server);
    }
    for (size_t i = 0; i < SIGNAL_ATTRIBUTES; i++) {
        const struct signal_attribute *attribute = &jmx_signal_attributes[i];
        double *signal = &poll->signals[attribute->signal];
        if ((int)attribute->bean != a->bean)
            continue;
        poll->absent_values += a->held[i].state == HELD_ABSENT;
        if (a->held[i].state == HELD_INVALID)
            invalid_signal(poll, attribute);
        if (a->held[i].state != HELD_VALUE)
            continue;
        *signal = a->held[i].value + (set[attribute->signal] ? *signal : 0);
        set[attribute->signal] = true;
    }
}

/* ---- events ---- */

static enum target
bean_key(struct jmx_reader *r, const char *name, size_t len)
{
    static const struct {
        const char *name;
        enum target target;
    } others[] = {
        {"name", TARGET_BEAN_NAME},
        {"tag.serverName", TARGET_SERVER_NAME},
        {"result", TARGET_RESULT},
        {"message", TARGET_MESSAGE},
    };
    struct jmx_answer *a = &r->answer;

    if (len > 0 && name[0] == 'N') {
        if (a->bean != BEAN_REGIONS && a->bean != BEAN_UNNAMED)
            return TARGET_NONE;
        enum target target = region_key(r, name, len);
        a->bean_regions |= target == TARGET_METRIC;
        return target;
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (json_text_is(name, len, others[i].name))
            return others[i].target;
    }
    if (a->bean == BEAN_REGIONS || a->bean == BEAN_OTHER)
        return TARGET_NONE;
    a->attribute = jmx_signal_attribute_find(name, len);
    return a->attribute < 0 ? TARGET_NONE : TARGET_SIGNAL;
}

static void
on_key(struct jmx_reader *r, const char *name, size_t len, unsigned depth)
{
    struct jmx_answer *a = &r->answer;

    if (depth == 1) {
        a->beans_key = json_text_is(name, len, "beans");
        a->target = json_text_is(name, len, "result")    ? TARGET_RESULT
                    : json_text_is(name, len, "message") ? TARGET_MESSAGE
                                                         : TARGET_NONE;
    } else if (depth == 3 && a->in_beans) {
        a->target = bean_key(r, name, len);
    } else if (depth == 4 && a->outer != TARGET_NONE) {
        /* {"description": ..., "value": ...} stands for its value. */
        a->target = json_text_is(name, len, "value") ? a->outer : TARGET_NONE;
    }
}

static void
on_text(struct jmx_reader *r, enum json_event event, const char *text, size_t len)
{
    struct jmx_answer *a = &r->answer;

    switch (a->target) {
    case TARGET_RESULT:
        a->error_result |= event == JSON_STRING && json_text_is(text, len, "ERROR");
        break;
    case TARGET_MESSAGE:
        if (a->message_len == 0 && event == JSON_STRING) {
            a->message_len = len < MESSAGE_MAX ? len : MESSAGE_MAX;
            memcpy(a->message, text, a->message_len);
        }
        break;
    case TARGET_BEAN_NAME:
        if (event == JSON_STRING)
            name_bean(r, text, len);
        break;
    case TARGET_SERVER_NAME:
        if (event == JSON_STRING)
            take_server_name(r, text, len);
        break;
    case TARGET_SIGNAL:
        take_signal(a, text, len);
        break;
    case TARGET_METRIC:
        take_metric(r, text, len);
        break;
    case TARGET_NONE:
        break;
    }
}

/* A value that is there but is none (NaN, null), or that cannot be one (true, [...]).
 */
static void
on_no_value(struct jmx_reader *r, bool absent)
{
    struct jmx_answer *a = &r->answer;

    if (a->target == TARGET_SIGNAL)
        a->held[a->attribute].state = absent ? HELD_ABSENT : HELD_INVALID;
    else if (a->target == TARGET_METRIC && absent)
        r->poll->absent_values++;
    else if (a->target == TARGET_METRIC)
        invalid_metric(r, NULL, 0);
}

static void
on_begin(struct jmx_reader *r, bool object, unsigned depth)
{
    struct jmx_answer *a = &r->answer;

    if (depth == 0 && object)
        a->root_object = true;
    if (depth == 1 && !object && a->beans_key)
        a->in_beans = a->has_beans = true;
    if (depth == 2 && object && a->in_beans)
        begin_bean(r);
    if (depth == 3 && object)
        a->outer = a->target;
    else if (depth >= 3)
        on_no_value(r, false);
    a->target = TARGET_NONE;
}

static void
on_end(struct jmx_reader *r, bool object, unsigned depth)
{
    struct jmx_answer *a = &r->answer;

    a->target = TARGET_NONE;
    if (depth == 3)
        a->outer = TARGET_NONE;
    if (depth == 2 && object && a->in_beans)
        end_bean(r);
    if (depth == 1)
        a->in_beans = false;
}

bool
jmx_event(void *user, enum json_event event, const char *text, size_t len,
          unsigned depth)
{
    struct jmx_reader *r = user;

    switch (event) {
    case JSON_KEY:
        on_key(r, text, len, depth);
        return !r->answer.too_many;
    case JSON_OBJECT_BEGIN:
    case JSON_ARRAY_BEGIN:
        on_begin(r, event == JSON_OBJECT_BEGIN, depth);
        return true;
    case JSON_OBJECT_END:
    case JSON_ARRAY_END:
        on_end(r, event == JSON_OBJECT_END, depth);
        return true;
    case JSON_NUMBER:
        if (r->answer.target != TARGET_NONE)
            on_text(r, event, text, len);
        break;
    case JSON_STRING:
        if (r->answer.target >= TARGET_SIGNAL && number_is_absent(text, len))
            on_no_value(r, true);
        else if (r->answer.target != TARGET_NONE)
            on_text(r, event, text, len);
        break;
    case JSON_NULL:
    case JSON_NOT_A_NUMBER:
        on_no_value(r, true);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        on_no_value(r, false);
        break;
    }
    r->answer.target = TARGET_NONE;
    return true;
}
