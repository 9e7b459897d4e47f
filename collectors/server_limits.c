/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of /conf looks at the members "key" and "value" of each property, in
 * either order, and keeps those of a short table. One thread at a time. */
#include "collectors/server_limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/json_stream.h"
#include "common/alloc.h"
#include "common/parse.h"

enum wanted {
    WANTED_HANDLERS,
    WANTED_FRACTION,
    WANTED_OLD_FRACTION,
    WANTED_OFFHEAP,
    WANTED_COUNT
};

static const char *const wanted_keys[WANTED_COUNT] = {
    [WANTED_HANDLERS] = "hbase.regionserver.handler.count",
    [WANTED_FRACTION] = "hbase.regionserver.global.memstore.size",
    [WANTED_OLD_FRACTION] = "hbase.regionserver.global.memstore.upperLimit",
    [WANTED_OFFHEAP] = "hbase.regionserver.offheap.global.memstore.size",
};

enum { VALUE_MAX = 32, HANDLERS_DEFAULT = 30, HANDLERS_MAX = 1000000 };
static const double fraction_default = 0.4;
static const double fraction_max = 0.8; /* above, HBase takes the default */
static const double mib = 1024 * 1024;
static const double heap_max = 0x1p52;

struct short_text {
    char text[VALUE_MAX];
    size_t len;
    bool there;
};

struct conf_reader {
    struct json_stream *json;
    bool properties_key;
    bool in_properties;
    bool properties_seen;
    enum { MEMBER_NONE, MEMBER_KEY, MEMBER_VALUE } member;
    enum wanted key;         /* of the property at hand; WANTED_COUNT: another */
    struct short_text value; /* of the property at hand */
    struct short_text found[WANTED_COUNT];
};

int64_t
server_limits_memstore(const struct server_limits *limits)
{
    if (limits->offheap_bytes > 0)
        return limits->offheap_bytes;
    if (limits->memstore_fraction <= 0 || limits->heap_bytes <= 0)
        return -1;
    return (int64_t)(limits->memstore_fraction * (double)limits->heap_bytes);
}

/* ---- /conf ---- */

static enum wanted
find_wanted(const char *s, size_t len)
{
    unsigned i = 0;

    while (i < WANTED_COUNT && !json_text_is(s, len, wanted_keys[i]))
        i++;
    return (enum wanted)i;
}

static void
on_string(struct conf_reader *r, const char *text, size_t len)
{
    if (r->member == MEMBER_KEY)
        r->key = find_wanted(text, len);
    if (r->member != MEMBER_VALUE)
        return;
    while (len > 0 && (*text == ' ' || *text == '\n' || *text == '\t')) {
        text++;
        len--;
    }
    while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\n'))
        len--;
    r->value.there = len > 0;                  /* an empty one counts as none */
    r->value.len = len <= VALUE_MAX ? len : 0; /* what is longer is no number */
    memcpy(r->value.text, text, r->value.len);
}

static void
on_key(struct conf_reader *r, const char *text, size_t len, unsigned depth)
{
    if (depth == 1)
        r->properties_key = json_text_is(text, len, "properties");
    if (depth == 3)
        r->member = json_text_is(text, len, "key")     ? MEMBER_KEY
                    : json_text_is(text, len, "value") ? MEMBER_VALUE
                                                       : MEMBER_NONE;
}

static void
on_begin(struct conf_reader *r, bool object, unsigned depth)
{
    r->member = MEMBER_NONE;
    if (depth == 1 && !object && r->properties_key)
        r->in_properties = r->properties_seen = true;
    if (depth == 2) {
        r->key = WANTED_COUNT;
        r->value.there = false;
    }
}

static void
on_end(struct conf_reader *r, bool object, unsigned depth)
{
    if (depth == 2 && object && r->in_properties && r->key != WANTED_COUNT &&
        r->value.there)
        r->found[r->key] = r->value;
    if (depth == 1)
        r->in_properties = false;
}

static bool
on_event(void *user, enum json_event event, const char *text, size_t len,
         unsigned depth)
{
    struct conf_reader *r = user;

    switch (event) {
    case JSON_KEY:
        on_key(r, text, len, depth);
        return true;
    case JSON_OBJECT_BEGIN:
    case JSON_ARRAY_BEGIN:
        on_begin(r, event == JSON_OBJECT_BEGIN, depth);
        return true;
    case JSON_OBJECT_END:
    case JSON_ARRAY_END:
        on_end(r, event == JSON_OBJECT_END, depth);
        break;
    case JSON_STRING:
    case JSON_NUMBER:
        if (depth == 3)
            on_string(r, text, len);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
    case JSON_NOT_A_NUMBER:
        break;
    }
    r->member = MEMBER_NONE;
    return true;
}

struct conf_reader *
conf_reader_create(void)
{
    struct conf_reader *r = xcalloc(1, sizeof *r);

    r->json = json_stream_create(on_event, r);
    r->key = WANTED_COUNT;
    return r;
}

struct conf_reader *
conf_reader_destroy(struct conf_reader *r)
{
    if (r == NULL)
        return NULL;
    json_stream_destroy(r->json);
    free(r);
    return NULL;
}

bool
conf_reader_feed(struct conf_reader *r, const char *data, size_t len)
{
    return json_stream_feed(r->json, data, len) == 0;
}

static unsigned
read_handlers(const struct short_text *value)
{
    uint64_t count;

    if (!value->there)
        return HANDLERS_DEFAULT;
    if (parse_u64(value->text, value->len, &count) < 0 || count > HANDLERS_MAX)
        return 0;
    return (unsigned)count;
}

static double
read_fraction(const struct short_text *value)
{
    double fraction;

    if (!value->there)
        return fraction_default;
    if (parse_double(value->text, value->len, &fraction) < 0)
        return 0;
    return fraction > 0 && fraction <= fraction_max ? fraction : fraction_default;
}

static int64_t
read_offheap(const struct short_text *value)
{
    uint64_t megabytes;

    if (!value->there || parse_u64(value->text, value->len, &megabytes) < 0 ||
        megabytes > UINT32_MAX)
        return 0;
    return (int64_t)megabytes * 1024 * 1024;
}

int
conf_reader_end(struct conf_reader *r, struct server_limits *limits)
{
    const struct short_text *fraction = &r->found[WANTED_FRACTION];

    if (json_stream_end(r->json) != 0 || !r->properties_seen)
        return -EINVAL;
    if (!fraction->there)
        fraction = &r->found[WANTED_OLD_FRACTION];
    limits->handlers = read_handlers(&r->found[WANTED_HANDLERS]);
    limits->memstore_fraction = read_fraction(fraction);
    limits->offheap_bytes = read_offheap(&r->found[WANTED_OFFHEAP]);
    return 0;
}

/* ---- the heap ---- */

struct heap_reader {
    bool wanted;
    double megabytes;
};

static bool
on_heap_event(void *user, enum json_event event, const char *text, size_t len,
              unsigned depth)
{
    struct heap_reader *h = user;

    if (event == JSON_KEY) {
        h->wanted = depth == 3 && json_text_is(text, len, "MemHeapMaxM");
        return true;
    }
    /* In quotes in some versions. */
    if (h->wanted && depth == 3 && (event == JSON_NUMBER || event == JSON_STRING) &&
        parse_double(text, len, &h->megabytes) < 0)
        h->megabytes = 0;
    h->wanted = false;
    return true;
}

int
heap_read(const char *body, size_t len, struct server_limits *limits)
{
    struct heap_reader h = {0};
    struct json_stream *json = json_stream_create(on_heap_event, &h);

    json_stream_feed(json, body, len);
    bool good = json_stream_end(json) == 0;
    json_stream_destroy(json);
    double bytes = h.megabytes * mib;
    if (!good || !(bytes > 0) || bytes > heap_max)
        return -EINVAL;
    limits->heap_bytes = (int64_t)bytes;
    return 0;
}
