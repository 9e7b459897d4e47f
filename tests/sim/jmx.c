/* SPDX-License-Identifier: Apache-2.0 */
/* Writes bean lists. Works on the current samples; owns nothing between calls. */
#include "tests/sim/jmx.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/json_write.h"
#include "common/parse.h"
#include "tests/sim/object_name.h"
#include "tests/sim/sample.h"
#include "tests/sim/shape.h"

#define BEAN_DOMAIN "Hadoop:service=HBase,name="

/* The list that is being written. */
struct list {
    struct buf *out;
    const struct subject *subject;
    const struct shape *shape;
    const char *pattern;
    const char *excluded; /* pattern or NULL */
    struct selector selector;
    bool any;    /* a bean was written */
    bool failed; /* an ERROR bean ends the list */
};

const struct shape *
shape_of(enum hbase_version version)
{
    static const struct shape *const shapes[] = {&shape_2_6, &shape_2_4, &shape_1_7};

    static_assert(sizeof(shapes) / sizeof(*shapes) == HBASE_VERSION_COUNT,
                  "a shape for each version");
    return shapes[version];
}

static void
print_key(struct buf *out, const char *name, size_t len)
{
    buf_adds(out, ",\n      \"");
    buf_add(out, name, len);
    buf_adds(out, "\": ");
}

static const struct override *
overridden(const struct list *list, const char *name)
{
    const struct server *s = list->subject->server;

    for (size_t i = 0; s && i < s->override_count; i++)
        if (strcmp(s->overrides[i].attribute, name) == 0)
            return &s->overrides[i];
    return NULL;
}

/* The model's value. */
static void
print_modelled(struct buf *out, const struct list *list, const char *value, size_t len)
{
    if (len == 0)
        buf_addc(out, '0');
    else if (*value == ':')
        buf_add(out, value + 1, len - 1);
    else
        quantity_print(out, list->subject, value + 1, len - 1);
}

/* A count that grows besides what the model says. */
static void
print_grown(struct list *list, const struct override *o, const char *value, size_t len)
{
    struct buf text;
    uint64_t count = 0;

    buf_init(&text, 0);
    print_modelled(&text, list, value, len);
    (void)parse_u64(text.data, text.len, &count);
    buf_finish(&text);
    print_u64(list->out, count + override_grown(o, list->subject->server->sample_at));
}

/* The value of "NAME", "NAME:TEXT" or "NAME=QUANTITY"; value points behind the name. */
static void
print_value(struct list *list, const char *name, const char *value, size_t len)
{
    const struct override *o = overridden(list, name);

    if (o && o->value)
        buf_adds(list->out, o->value);
    else if (o)
        print_grown(list, o, value, len);
    else
        print_modelled(list->out, list, value, len);
}

static void
print_plain(struct list *list, const char *name, size_t name_len, const char *value,
            size_t len)
{
    char text[128];

    assert(name_len < sizeof(text));
    memcpy(text, name, name_len);
    text[name_len] = '\0';
    if (!selector_matches(&list->selector, text, name_len))
        return;
    print_key(list->out, text, name_len);
    print_value(list, text, value, len);
}

static void
print_histogram(struct list *list, const char *name, size_t name_len, const char *value,
                size_t len)
{
    static const char *const suffixes[] = {
        "_num_ops",
        "_min",
        "_max",
        "_mean",
        "_25th_percentile",
        "_median",
        "_75th_percentile",
        "_90th_percentile",
        "_95th_percentile",
        "_98th_percentile",
        "_99th_percentile",
        "_99.9th_percentile",
    };
    char text[128];

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
        size_t suffix_len = strlen(suffixes[i]);

        assert(name_len + suffix_len < sizeof(text));
        memcpy(text, name, name_len);
        memcpy(text + name_len, suffixes[i], suffix_len + 1);
        print_plain(list, text, name_len + suffix_len, value, i == 0 ? len : 0);
    }
}

/* One blank-separated word of a shape's attributes. */
static void
print_attribute(struct list *list, const char *word, size_t len)
{
    bool histogram = *word == '~';
    const char *name = word + histogram;
    size_t rest = len - histogram;
    size_t name_len = 0;

    while (name_len < rest && name[name_len] != ':' && name[name_len] != '=')
        name_len++;
    if (histogram)
        print_histogram(list, name, name_len, name + name_len, rest - name_len);
    else
        print_plain(list, name, name_len, name + name_len, rest - name_len);
}

static void
print_attributes(struct list *list, const char *attributes)
{
    size_t len;

    for (attributes += strspn(attributes, " "); *attributes;
         attributes += strspn(attributes, " ")) {
        len = strcspn(attributes, " ");
        print_attribute(list, attributes, len);
        attributes += len;
    }
}

static void
print_region_value(struct buf *out, const struct shown *shown, enum region_value value)
{
    switch (value) {
    case REGION_ZERO:
    case REGION_STORE_ZERO:
        buf_addc(out, '0');
        return;
    case REGION_ZERO_DOUBLE:
        buf_adds(out, "0.0");
        return;
    case REGION_ONE:
        buf_addc(out, '1');
        return;
    case REGION_FILES:
        buf_addc(out, shown->region->size > 0 ? '1' : '0');
        return;
    case REGION_FILE_SIZE:
        print_u64(out, shown->region->size);
        return;
    case REGION_MEMSTORE:
        print_u64(out, region_memstore(shown->region, shown->write));
        return;
    case REGION_COMPACTION_AGE:
        print_u64(out, (uint64_t)shown->compaction_age);
        return;
    case REGION_READS:
    case REGION_STORE_READS:
        print_u64(out, shown->read);
        return;
    case REGION_WRITES:
        print_u64(out, shown->write);
        return;
    case REGION_GETS:
        print_u64(out, shown->gets);
        return;
    case REGION_SCANS:
        print_u64(out, shown->scans);
        return;
    case REGION_REPLICA:
        print_u64(out, shown->region->replica);
        return;
    }
}

static bool
of_store(const struct region_attribute *a)
{
    return a->value == REGION_STORE_READS || a->value == REGION_STORE_ZERO;
}

static bool
name_selected(const struct list *list, const struct region *r,
              const struct region_attribute *a)
{
    struct buf name;
    bool selected;

    buf_init(&name, 0);
    buf_add(&name, r->prefix, r->prefix_len);
    if (of_store(a))
        buf_addf(&name, "_store_%s", r->table->family);
    buf_adds(&name, a->suffix);
    selected = selector_matches(&list->selector, name.data, name.len);
    buf_finish(&name);
    return selected;
}

/* Attributes [from, to) of one region; mask NULL: look at each name. */
static void
print_region(struct list *list, const struct shown *shown, size_t from, size_t to,
             const uint64_t *mask)
{
    const struct region *r = shown->region;

    for (size_t i = from; i < to; i++) {
        const struct region_attribute *a = &list->shape->region_attributes[i];

        if (of_store(a) && shown->read == 0)
            continue;
        if (mask ? !(*mask >> i & 1) : !name_selected(list, r, a))
            continue;
        buf_adds(list->out, ",\n      \"");
        buf_add(list->out, r->prefix, r->prefix_len);
        if (of_store(a))
            buf_addf(list->out, "_store_%s", r->table->family);
        buf_adds(list->out, a->suffix);
        buf_adds(list->out, "\": ");
        print_region_value(list->out, shown, a->value);
    }
}

static void
print_regions(struct list *list)
{
    const struct server *s = list->subject->server;
    const struct shape *shape = list->shape;
    uint64_t mask;
    const uint64_t *by_mask =
        selector_region_mask(&list->selector, shape, &mask) ? &mask : NULL;
    const struct {
        size_t from, to;
    } parts[] = {
        {0, shape->region_tail},
        {shape->region_tail, shape->region_attribute_count},
    };

    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < s->shown_count; i++)
            print_region(list, &s->shown[i], parts[k].from, parts[k].to, by_mask);
        for (size_t i = 0; i < s->frozen_count; i++)
            print_region(list, &s->frozen[i], parts[k].from, parts[k].to, by_mask);
    }
    if (shape->num_regions)
        print_attributes(list, "numRegions=regions");
}

struct table_sums {
    uint64_t regions, read, write, size, memstore;
};

static struct table_sums
sum_table(const struct server *s, const struct table *table)
{
    struct table_sums sums = {0};

    for (size_t i = 0; i < s->shown_count; i++) {
        const struct shown *shown = &s->shown[i];

        if (shown->region->table != table)
            continue;
        sums.regions++;
        sums.read += shown->read;
        sums.write += shown->write;
        sums.size += shown->region->size;
        sums.memstore += region_memstore(shown->region, shown->write);
    }
    return sums;
}

static void
print_table(struct list *list, const struct table *table, const struct table_sums *sums)
{
    const struct {
        const char *name;
        uint64_t value;
    } values[] = {
        {"readRequestCount", sums->read},
        {"writeRequestCount", sums->write},
        {"totalRequestCount", sums->read + sums->write},
        {"memStoreSize", sums->memstore},
        {"storeFileSize", sums->size},
        {"tableSize", sums->size + sums->memstore},
        {"regionCount", sums->regions},
    };
    struct buf name;

    buf_init(&name, 0);
    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
        buf_reset(&name);
        buf_addf(&name, "Namespace_%s_table_%s_metric_%s", table->ns, table->qualifier,
                 values[i].name);
        if (selector_matches(&list->selector, name.data, name.len)) {
            print_key(list->out, name.data, name.len);
            print_u64(list->out, values[i].value);
        }
    }
    buf_finish(&name);
}

static void
print_tables(struct list *list)
{
    const struct cluster *c = list->subject->cluster;

    for (size_t i = 0; c->tables_bean && i < c->table_count; i++) {
        struct table_sums sums = sum_table(list->subject->server, c->tables[i]);

        if (sums.regions > 0)
            print_table(list, c->tables[i], &sums);
    }
}

static bool
print_begin(struct list *list, const char *name, const char *modeler)
{
    char full[512];

    assert(strlen(name) + sizeof(BEAN_DOMAIN) <= sizeof(full));
    strcpy(stpcpy(full, BEAN_DOMAIN), name);
    if (list->failed || !object_name_matches(list->pattern, full) ||
        (list->excluded && object_name_matches(list->excluded, full)))
        return false;
    buf_adds(list->out, list->any ? ",\n    {" : "\n    {");
    buf_addf(list->out, "\n      \"name\": \"%s\",\n      \"modelerType\": \"%s\"",
             full, modeler ? modeler : name);
    list->any = true;
    return true;
}

/* get=BEAN::NAME and there is no such attribute: HBase stops there. */
static void
print_end(struct list *list, size_t before)
{
    if (list->selector.kind == SELECT_ONE && list->out->len == before) {
        struct json_writer writer;
        struct buf message;

        buf_init(&message, 0);
        buf_addf(&message, "No attribute with name %s was found.", list->selector.one);
        buf_adds(list->out, ",\n      \"result\": \"ERROR\",\n      \"message\": ");
        json_init(&writer, list->out);
        json_string_n(&writer, message.data, message.len);
        buf_finish(&message);
        list->failed = true;
    }
    buf_adds(list->out, "\n    }");
}

static void
print_table_requests(struct list *list, const struct bean_shape *bean)
{
    const struct cluster *c = list->subject->cluster;
    struct buf name;

    buf_init(&name, 0);
    for (size_t i = 0; i < c->table_count; i++) {
        const struct table *table = c->tables[i];

        buf_reset(&name);
        buf_addf(&name, "%s%s_table_%s", bean->name, table->ns, table->qualifier);
        if (sum_table(list->subject->server, table).regions > 0 &&
            print_begin(list, name.data, NULL)) {
            size_t before = list->out->len;

            print_attributes(list, bean->attributes);
            print_end(list, before);
        }
    }
    buf_finish(&name);
}

static bool
serves_meta(const struct server *s)
{
    for (size_t i = 0; i < s->shown_count; i++)
        if (strcmp(s->shown[i].region->table->name, "hbase:meta") == 0)
            return true;
    return false;
}

static void
print_bean(struct list *list, const struct bean_shape *bean)
{
    size_t before;

    if (bean->kind == BEAN_TABLE_REQUESTS) {
        print_table_requests(list, bean);
        return;
    }
    if (bean->kind == BEAN_META_ONLY && !serves_meta(list->subject->server))
        return;
    if (!print_begin(list, bean->name, bean->modeler))
        return;
    before = list->out->len;
    print_attributes(list, bean->attributes);
    if (bean->kind == BEAN_REGIONS)
        print_regions(list);
    if (bean->kind == BEAN_TABLES)
        print_tables(list);
    print_end(list, before);
}

static void
print_list(struct list *list, bool empty)
{
    const struct shape *shape = list->shape;
    bool server = list->subject->server != NULL;
    const struct bean_shape *beans = server ? shape->server_beans : shape->master_beans;
    size_t count = server ? shape->server_bean_count : shape->master_bean_count;

    buf_adds(list->out, "{\n  \"beans\": [");
    for (size_t i = 0; !empty && i < count; i++)
        print_bean(list, &beans[i]);
    buf_adds(list->out, list->any ? "\n  ]\n}" : "]\n}");
}

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Percent and plus decoding in place. */
static void
decode(char *text)
{
    char *out = text;

    for (const char *in = text; *in; in++) {
        if (*in == '%' && hex_digit(in[1]) >= 0 && hex_digit(in[2]) >= 0) {
            *out++ = (char)(hex_digit(in[1]) << 4 | hex_digit(in[2]));
            in += 2;
        } else {
            *out++ = *in == '+' ? ' ' : *in;
        }
    }
    *out = '\0';
}

/* The decoded value of the first parameter of that name; NULL if there is none. The
 * caller frees it. */
static char *
parameter(const char *query, const char *name)
{
    size_t name_len = strlen(name);

    while (*query) {
        size_t len = strcspn(query, "&");

        if (len > name_len && strncmp(query, name, name_len) == 0 &&
            query[name_len] == '=') {
            char *value = xmemdup0(query + name_len + 1, len - name_len - 1);

            decode(value);
            return value;
        }
        query += len + (query[len] == '&');
    }
    return NULL;
}

/* get=PATTERN::ATTRIBUTE in two; NULL unless there is exactly one "::". */
static char *
split_get(char *get)
{
    char *attribute = strstr(get, "::");

    if (!attribute || strstr(attribute + 2, "::"))
        return NULL;
    *attribute = '\0';
    return attribute + 2;
}

static void
answer_list(struct buf *out, const struct subject *subject, const char *pattern,
            const char *attribute, const char *excluded, bool empty)
{
    struct list list = {
        .out = out,
        .subject = subject,
        .shape = shape_of(subject->cluster->version),
        .pattern = pattern,
        .excluded = excluded,
    };
    bool ok = selector_init(&list.selector, attribute, list.shape->regex);

    if (ok && object_name_ok(pattern) && (!excluded || object_name_ok(excluded)))
        print_list(&list, empty);
    else
        buf_adds(out, "{}");
    selector_finish(&list.selector);
}

void
jmx_answer(struct buf *out, const struct subject *subject, const char *query,
           bool empty, bool *ret_flushed)
{
    char *get = parameter(query, "get");
    char *qry = parameter(query, "qry");
    char *excl = parameter(query, "excl");
    const char *attribute = get ? split_get(get) : NULL;

    *ret_flushed = get && !attribute;
    if (get && !attribute)
        buf_adds(out,
                 "{\n  \"result\": \"ERROR\",\n  \"message\": \"query format is not "
                 "as expected.\"\n}");
    else
        answer_list(out, subject,
                    get   ? get
                    : qry ? qry
                          : "*:*",
                    attribute, excl, empty);
    free(get);
    free(qry);
    free(excl);
}
