/* SPDX-License-Identifier: Apache-2.0 */
/* A walk over "name: value" and "name { ... }" with a stack of what each open block is.
 * Strings are unescaped into one buffer, and only those that are a region's name or a
 * row. Owned by the calling thread for the length of a walk. */
#include "collectors/proto_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

/* What an open block is. */
enum place {
    PLACE_OTHER, /* nothing in it matters */
    PLACE_ROOT,
    PLACE_REGION,
    PLACE_CALL, /* a get or a mutation */
    PLACE_SCAN,
    PLACE_REGION_ACTION,
    PLACE_ACTION,
};

struct block_rule {
    enum place in;
    const char *name;
    enum place place;
};

static const struct block_rule block_rules[] = {
    {PLACE_ROOT, "region", PLACE_REGION},
    {PLACE_ROOT, "get", PLACE_CALL},
    {PLACE_ROOT, "mutation", PLACE_CALL},
    {PLACE_ROOT, "scan", PLACE_SCAN},
    {PLACE_ROOT, "regionAction", PLACE_REGION_ACTION},
    {PLACE_REGION_ACTION, "region", PLACE_REGION},
    {PLACE_REGION_ACTION, "action", PLACE_ACTION},
    {PLACE_ACTION, "get", PLACE_CALL},
    {PLACE_ACTION, "mutation", PLACE_CALL},
};

/* The strings that matter. */
enum field { FIELD_OTHER, FIELD_REGION, FIELD_ROW, FIELD_START_ROW };

struct field_rule {
    enum place in;
    const char *name;
    enum field field;
};

static const struct field_rule field_rules[] = {
    {PLACE_REGION, "value", FIELD_REGION},
    {PLACE_CALL, "row", FIELD_ROW},
    {PLACE_SCAN, "start_row", FIELD_START_ROW},
};

struct walk {
    const char *p;
    const char *end;
    proto_event_fn *fn;
    void *user;
    enum place places[PROTO_DEPTH_MAX + 1];
    size_t depth;
    bool start_given; /* of the scan at hand */
    char text[PROTO_REGION_MAX];
    size_t text_len;
    bool text_long; /* it did not fit */
};

struct span {
    const char *p;
    size_t len;
};

static bool
span_is(struct span span, const char *name)
{
    return strlen(name) == span.len && memcmp(span.p, name, span.len) == 0;
}

static enum place
block_place(enum place in, struct span name)
{
    for (size_t i = 0; i < sizeof(block_rules) / sizeof(block_rules[0]); i++) {
        if (block_rules[i].in == in && span_is(name, block_rules[i].name))
            return block_rules[i].place;
    }
    return PLACE_OTHER;
}

static enum field
find_field(enum place in, struct span name)
{
    for (size_t i = 0; i < sizeof(field_rules) / sizeof(field_rules[0]); i++) {
        if (field_rules[i].in == in && span_is(name, field_rules[i].name))
            return field_rules[i].field;
    }
    return FIELD_OTHER;
}

static void
skip_blanks(struct walk *w)
{
    while (w->p < w->end &&
           (*w->p == ' ' || *w->p == '\n' || *w->p == '\t' || *w->p == '\r'))
        w->p++;
}

static bool
at(const struct walk *w, char c)
{
    return w->p < w->end && *w->p == c;
}

/* Part of a name ("row", "[ext.name]", "5") or of a value that is no string. */
static bool
is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_.+-[]/", c) != NULL);
}

static struct span
read_word(struct walk *w)
{
    struct span word = {w->p, 0};

    while (w->p < w->end && is_word(*w->p))
        w->p++;
    word.len = (size_t)(w->p - word.p);
    return word;
}

/* ---- strings ---- */

static int
digit_value(char c, int base)
{
    int value = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : 16;

    return value < base ? value : -1;
}

/* 1 to max digits; -EINVAL when there is none or the value is no byte. */
static int
read_digits(struct walk *w, int base, int max)
{
    int value = 0;
    int count = 0;

    while (count < max && w->p < w->end && digit_value(*w->p, base) >= 0) {
        value = value * base + digit_value(*w->p, base);
        w->p++;
        count++;
    }
    return count == 0 || value > 0xff ? -EINVAL : value;
}

/* The byte that the escape at p, behind its backslash, stands for; -EINVAL. */
static int
read_escape(struct walk *w)
{
    static const char from[] = "abfnrtv\\'\"?";
    static const char to[] = "\a\b\f\n\r\t\v\\'\"?";

    if (w->p == w->end)
        return -EINVAL;
    char c = *w->p;
    if (digit_value(c, 8) >= 0)
        return read_digits(w, 8, 3);
    w->p++;
    if (c == 'x' || c == 'X')
        return read_digits(w, 16, 2);
    const char *found = c == '\0' ? NULL : strchr(from, c);
    return found == NULL ? -EINVAL : (unsigned char)to[found - from];
}

static void
keep_byte(struct walk *w, int byte, size_t max)
{
    if (w->text_len < max)
        w->text[w->text_len++] = (char)byte;
    else
        w->text_long = true;
}

/* A string of at most max bytes into w->text; with max 0 only to its end. */
static int
read_string(struct walk *w, size_t max)
{
    char quote = *w->p++;

    w->text_len = 0;
    w->text_long = false;
    while (w->p < w->end && *w->p != quote) {
        int byte = (unsigned char)*w->p++;
        if (byte == '\n')
            return -EINVAL;
        if (byte == '\\')
            byte = read_escape(w);
        if (byte < 0)
            return byte;
        keep_byte(w, byte, max);
    }
    if (w->p == w->end)
        return -EINVAL;
    w->p++;
    return 0;
}

/* ---- blocks and fields ---- */

static int
tell(struct walk *w, enum proto_event event, const char *text, size_t len)
{
    return w->fn(w->user, event, text, len) ? 0 : -ECANCELED;
}

static int
tell_row(struct walk *w)
{
    if (w->text_long)
        return tell(w, PROTO_LONG_ROW, NULL, 0);
    return tell(w, PROTO_ROW, w->text, w->text_len);
}

static int
take_field(struct walk *w, enum field field)
{
    switch (field) {
    case FIELD_REGION:
        return tell(w, PROTO_REGION, w->text, w->text_long ? 0 : w->text_len);
    case FIELD_START_ROW:
        w->start_given = true;
        return tell_row(w);
    case FIELD_ROW:
        return tell_row(w);
    case FIELD_OTHER:
        break;
    }
    return 0;
}

static int
read_value(struct walk *w, struct span name)
{
    static const size_t limits[] = {
        [FIELD_OTHER] = 0,
        [FIELD_REGION] = PROTO_REGION_MAX,
        [FIELD_ROW] = PROTO_ROW_MAX,
        [FIELD_START_ROW] = PROTO_ROW_MAX,
    };

    if (!at(w, '"') && !at(w, '\''))
        return read_word(w).len > 0 ? 0 : -EINVAL;
    enum field field = find_field(w->places[w->depth], name);
    int error = read_string(w, limits[field]);
    return error < 0 ? error : take_field(w, field);
}

static int
open_block(struct walk *w, struct span name)
{
    enum place place = block_place(w->places[w->depth], name);

    if (w->depth == PROTO_DEPTH_MAX)
        return -E2BIG;
    w->places[++w->depth] = place;
    w->p++;
    if (place == PLACE_SCAN)
        w->start_given = false;
    /* Whose region it is comes in it: that of the action before is none of its. */
    return place == PLACE_REGION_ACTION ? tell(w, PROTO_REGION, "", 0) : 0;
}

static int
close_block(struct walk *w)
{
    if (w->depth == 0)
        return -EINVAL;
    w->p++;
    enum place place = w->places[w->depth--];
    /* Without a start row it begins where the region does. */
    return place == PLACE_SCAN && !w->start_given ? tell(w, PROTO_ROW, "", 0) : 0;
}

/* One "name: value", "name { " or "}". */
static int
step(struct walk *w)
{
    if (at(w, '}'))
        return close_block(w);
    struct span name = read_word(w);
    if (name.len == 0)
        return -EINVAL;
    skip_blanks(w);
    bool colon = at(w, ':');
    if (colon) {
        w->p++;
        skip_blanks(w);
    }
    if (at(w, '{'))
        return open_block(w, name);
    return colon ? read_value(w, name) : -EINVAL;
}

int
proto_text_walk(const char *text, size_t len, proto_event_fn *fn, void *user)
{
    struct walk *w = xmalloc(sizeof *w);
    int error = 0;

    w->p = text;
    w->end = text + len;
    w->fn = fn;
    w->user = user;
    w->places[0] = PLACE_ROOT;
    w->depth = 0;
    w->start_given = false;
    skip_blanks(w);
    while (error == 0 && w->p < w->end) {
        error = step(w);
        skip_blanks(w);
    }
    if (error == 0 && w->depth > 0)
        error = -EINVAL;
    free(w);
    return error;
}
