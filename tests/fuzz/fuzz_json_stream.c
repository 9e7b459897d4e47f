/* SPDX-License-Identifier: Apache-2.0 */
/* The streaming JSON reader: the same events however the text is cut; depth follows the
 * brackets; what cJSON takes as JSON is taken, too. */
#include <cjson/cJSON.h>

#include "collectors/json_stream.h"
#include "tests/fuzz/fuzz.h"

struct trace {
    uint64_t hash; /* FNV-1a over the events */
    size_t events;
    unsigned depth;
};

static void
mix(struct trace *t, const void *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        t->hash = (t->hash ^ ((const uint8_t *)data)[i]) * 0x100000001b3;
}

static bool
on_event(void *user, enum json_event event, const char *text, size_t len,
         unsigned depth)
{
    struct trace *t = user;

    if (event == JSON_OBJECT_END || event == JSON_ARRAY_END)
        t->depth--;
    MUST(depth == t->depth && depth <= JSON_DEPTH_MAX && len <= JSON_TEXT_MAX);
    if (event == JSON_OBJECT_BEGIN || event == JSON_ARRAY_BEGIN)
        t->depth++;
    mix(t, &event, sizeof(event));
    mix(t, text, len);
    t->events++;
    return true;
}

static int
read_text(struct trace *t, const uint8_t *data, size_t size, bool pieces)
{
    *t = (struct trace){.hash = 0xcbf29ce484222325};
    struct json_stream *s = json_stream_create(on_event, t);
    int r = 0;

    for (size_t at = 0, n; at < size && r == 0; at += n) {
        n = pieces ? piece_length(data + at, size - at) : size;
        r = json_stream_feed(s, (const char *)data + at, n);
    }
    if (r == 0)
        r = json_stream_end(s);
    MUST(json_stream_position(s) <= size);
    json_stream_destroy(s);
    return r;
}

/* cJSON stops at the first value; ours wants nothing but blanks behind it. */
static bool
is_json(const uint8_t *data, size_t size)
{
    const char *end = NULL;
    cJSON *tree = cJSON_ParseWithLengthOpts((const char *)data, size, &end, false);
    bool good = tree != NULL;

    for (; good && end < (const char *)data + size; end++)
        good = strchr(" \t\r\n", *end) != NULL && *end != '\0';
    cJSON_Delete(tree);
    return good;
}

/* cJSON is lax where RFC 8259 is not: numbers such as 01 or 1., raw control characters
 * (a line feed in a string) and blanks of other kinds. Only texts of letters, digits
 * without leading zeros and brackets are compared. */
static bool
is_plain(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (strchr("{}[],: abcdeflnrstu\"123456789", data[i]) == NULL || data[i] == 0)
            return false;
    return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace whole, cut;
    int a = read_text(&whole, data, size, false);
    int b = read_text(&cut, data, size, true);

    MUST(a == b);
    if (a == 0)
        MUST(whole.hash == cut.hash && whole.events == cut.events && whole.depth == 0);
    if (size < 4096 && is_plain(data, size) && is_json(data, size))
        MUST(a == 0);
    return 0;
}
