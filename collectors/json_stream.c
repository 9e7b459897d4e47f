/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming JSON reader. A state machine whose states each eat as many bytes as they
 * can; a text that lies whole inside the fed piece is handed on in place, only what a
 * border between pieces or an escape cuts is gathered in the carry buffer. Owned and
 * run by one thread; json_stream_destroy() frees all. Grammar: RFC 8259. */
#include "collectors/json_stream.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/json_stream_priv.h"
#include "common/alloc.h"

enum number_class { C_ZERO, C_DIGIT, C_POINT, C_E, C_SIGN, C_OTHER, CLASS_COUNT };

static const uint8_t number_next[END][CLASS_COUNT] = {
    /*              0         1-9       .      eE   +-      other */
    [MINUS] = {ZERO, INTEGER, BAD, BAD, BAD, BAD},
    [ZERO] = {BAD, BAD, POINT, E, BAD, END},
    [INTEGER] = {INTEGER, INTEGER, POINT, E, BAD, END},
    [POINT] = {FRACTION, FRACTION, BAD, BAD, BAD, BAD},
    [FRACTION] = {FRACTION, FRACTION, BAD, E, BAD, END},
    [E] = {EXPONENT, EXPONENT, BAD, BAD, E_SIGN, BAD},
    [E_SIGN] = {EXPONENT, EXPONENT, BAD, BAD, BAD, BAD},
    [EXPONENT] = {EXPONENT, EXPONENT, BAD, BAD, BAD, END},
};

struct literal {
    const char *text;
    enum json_event event;
};

static const struct literal literals[] = {
    {"true", JSON_TRUE},        {"false", JSON_FALSE},           {"null", JSON_NULL},
    {"NaN", JSON_NOT_A_NUMBER}, {"Infinity", JSON_NOT_A_NUMBER},
};

static_assert(JSON_DEPTH_MAX <= 64, "one bit a level");

struct json_stream *
json_stream_create(json_event_fn *fn, void *user)
{
    struct json_stream *s = xcalloc(1, sizeof(*s));

    s->fn = fn;
    s->user = user;
    s->text_max = JSON_TEXT_MAX;
    return s;
}

void
json_stream_allow(struct json_stream *s, size_t text_max)
{
    assert(text_max > 0);
    s->text_max = text_max;
}

struct json_stream *
json_stream_destroy(struct json_stream *s)
{
    if (s == NULL)
        return NULL;
    free(s->carry);
    free(s);
    return NULL;
}

void
json_stream_reset(struct json_stream *s)
{
    struct json_stream fresh = {.fn = s->fn,
                                .user = s->user,
                                .text_max = s->text_max,
                                .carry = s->carry,
                                .carry_cap = s->carry_cap};

    *s = fresh;
}

const char *
json_fail(struct json_stream *s, const char *p, int error, const char *problem)
{
    s->error = error;
    s->problem = problem;
    return p;
}

/* An event without text or with it; false (and latched) when the callback stops. */
static bool
emit(struct json_stream *s, enum json_event event, const char *text, size_t len)
{
    if (s->fn(s->user, event, text, len, s->depth))
        return true;
    s->error = -ECANCELED;
    s->problem = "reading was stopped";
    return false;
}

static bool
in_object(const struct json_stream *s)
{
    return s->depth > 0 && (s->objects >> (s->depth - 1) & 1) != 0;
}

void
json_value_done(struct json_stream *s)
{
    s->state = s->depth == 0 ? DONE : AFTER_VALUE;
}

bool
json_carry_add(struct json_stream *s, const char *data, size_t len)
{
    if (len > s->text_max - s->carry_len) {
        json_fail(s, data, -E2BIG, "a shorter name, string or number");
        return false;
    }
    if (len > 0) {
        xgrow(&s->carry, &s->carry_cap, s->carry_len + len, 1);
        memcpy(s->carry + s->carry_len, data, len);
        s->carry_len += len;
    }
    return true;
}

bool
json_emit_text(struct json_stream *s, enum json_event event, const char *end)
{
    const char *text = s->mark;
    size_t len = (size_t)(end - s->mark);

    if (s->carry_len > 0) {
        if (!json_carry_add(s, text, len))
            return false;
        text = s->carry;
        len = s->carry_len;
        s->carry_len = 0;
    } else if (len > s->text_max) {
        json_fail(s, text, -E2BIG, "a shorter name, string or number");
        return false;
    }
    return emit(s, event, text, len);
}

static const char *
skip_white(const char *p, const char *end)
{
    if (p < end && (uint8_t)*p > ' ')
        return p;
    /* Indented JSON: a line feed and a run of spaces. */
    if (p < end && *p == '\n')
        p++;
    uint32_t word;
    for (; end - p >= 4; p += 4) {
        memcpy(&word, p, 4);
        if (word != 0x20202020)
            break;
    }
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
        p++;
    return p;
}

static const char *
open_container(struct json_stream *s, const char *p, bool object)
{
    if (s->depth == JSON_DEPTH_MAX)
        return json_fail(s, p, -E2BIG, "fewer levels of nesting");
    if (!emit(s, object ? JSON_OBJECT_BEGIN : JSON_ARRAY_BEGIN, NULL, 0))
        return p;
    uint64_t bit = UINT64_C(1) << s->depth;
    s->objects = object ? s->objects | bit : s->objects & ~bit;
    s->depth++;
    s->state = object ? FIRST_KEY : FIRST_ELEMENT;
    return p + 1;
}

static const char *
close_container(struct json_stream *s, const char *p)
{
    bool object = in_object(s);

    s->depth--;
    if (!emit(s, object ? JSON_OBJECT_END : JSON_ARRAY_END, NULL, 0))
        return p;
    json_value_done(s);
    return p + 1;
}

static bool
begin_literal(struct json_stream *s, char first)
{
    for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++) {
        if (literals[i].text[0] != first)
            continue;
        s->literal = &literals[i];
        s->literal_len = 1;
        s->state = LITERAL;
        return true;
    }
    return false;
}

static const char *
begin_number(struct json_stream *s, const char *p)
{
    s->carry_len = 0;
    s->mark = p;
    s->number = *p == '-' ? MINUS : *p == '0' ? ZERO : INTEGER;
    s->state = NUMBER;
    return p + 1;
}

static const char *
step_value(struct json_stream *s, const char *p, const char *end)
{
    p = skip_white(p, end);
    if (p == end)
        return p;
    switch (*p) {
    case '"':
        return json_begin_string(s, p, false);
    case '{':
        return open_container(s, p, true);
    case '[':
        return open_container(s, p, false);
    case ']':
        if (s->state == FIRST_ELEMENT)
            return close_container(s, p);
        break;
    case '-':
        return begin_number(s, p);
    default:
        if (*p >= '0' && *p <= '9')
            return begin_number(s, p);
        if (begin_literal(s, *p))
            return p + 1;
        break;
    }
    return json_fail(s, p, -EINVAL, "a value");
}

static const char *
step_key(struct json_stream *s, const char *p, const char *end)
{
    p = skip_white(p, end);
    if (p == end)
        return p;
    if (*p == '"')
        return json_begin_string(s, p, true);
    if (s->state == NEXT_KEY)
        return json_fail(s, p, -EINVAL, "a member's name in quotes");
    if (*p == '}')
        return close_container(s, p);
    return json_fail(s, p, -EINVAL, "a member's name in quotes or '}'");
}

static const char *
step_colon(struct json_stream *s, const char *p, const char *end)
{
    p = skip_white(p, end);
    if (p == end)
        return p;
    if (*p != ':')
        return json_fail(s, p, -EINVAL, "':' after a member's name");
    s->state = VALUE;
    return p + 1;
}

static const char *
step_after_value(struct json_stream *s, const char *p, const char *end)
{
    p = skip_white(p, end);
    if (p == end)
        return p;
    bool object = in_object(s);
    if (*p == ',') {
        s->state = object ? NEXT_KEY : VALUE;
        return p + 1;
    }
    if (*p == (object ? '}' : ']'))
        return close_container(s, p);
    return json_fail(s, p, -EINVAL, object ? "',' or '}'" : "',' or ']'");
}

static const char *
step_done(struct json_stream *s, const char *p, const char *end)
{
    p = skip_white(p, end);
    if (p == end)
        return p;
    return json_fail(s, p, -EINVAL, "nothing after the document");
}

static enum number_class
number_class(char c)
{
    switch (c) {
    case '0':
        return C_ZERO;
    case '.':
        return C_POINT;
    case 'e':
    case 'E':
        return C_E;
    case '+':
    case '-':
        return C_SIGN;
    default:
        return c >= '1' && c <= '9' ? C_DIGIT : C_OTHER;
    }
}

static const char *
step_number(struct json_stream *s, const char *p, const char *end)
{
    if (s->number == MINUS && *p == 'I' && begin_literal(s, 'I'))
        return p + 1;
    while (p < end) {
        if (s->number == INTEGER) {
            while (p < end && (uint8_t)(*p - '0') < 10)
                p++;
            if (p == end)
                break;
        }
        s->number = number_next[s->number][number_class(*p)];
        if (s->number == BAD)
            return json_fail(s, p, -EINVAL, "a number");
        if (s->number == END) {
            if (json_emit_text(s, JSON_NUMBER, p))
                json_value_done(s);
            return p;
        }
        p++;
    }
    return p;
}

static const char *
step_literal(struct json_stream *s, const char *p, const char *end)
{
    const char *text = s->literal->text;

    for (; p < end; p++) {
        if (*p != text[s->literal_len])
            return json_fail(s, p, -EINVAL, "true, false, null, NaN or Infinity");
        if (text[++s->literal_len] == '\0') {
            if (!emit(s, s->literal->event, NULL, 0))
                return p;
            json_value_done(s);
            return p + 1;
        }
    }
    return p;
}

typedef const char *step_fn(struct json_stream *s, const char *p, const char *end);

static step_fn *const steps[] = {
    [VALUE] = step_value,        [FIRST_ELEMENT] = step_value,
    [FIRST_KEY] = step_key,      [NEXT_KEY] = step_key,
    [COLON] = step_colon,        [AFTER_VALUE] = step_after_value,
    [DONE] = step_done,          [STRING] = json_step_string,
    [ESCAPE] = json_step_escape, [HEX] = json_step_hex,
    [NUMBER] = step_number,      [LITERAL] = step_literal,
};
static_assert(sizeof(steps) / sizeof(steps[0]) == STATE_COUNT, "a step for each state");

int
json_stream_feed(struct json_stream *s, const char *data, size_t len)
{
    const char *p = data;
    const char *end = data + len;

    if (s->error != 0 || len == 0)
        return s->error;
    s->mark = data;
    while (p < end && s->error == 0)
        p = steps[s->state](s, p, end);
    if (s->error == 0 && (s->state == STRING || s->state == NUMBER))
        json_carry_add(s, s->mark, (size_t)(end - s->mark));
    s->position += (uint64_t)(p - data);
    return s->error;
}

int
json_stream_end(struct json_stream *s)
{
    /* A number at the top level ends with the document. */
    if (s->error == 0 && s->state == NUMBER && s->depth == 0 &&
        number_next[s->number][C_OTHER] == END) {
        s->mark = NULL;
        if (json_emit_text(s, JSON_NUMBER, NULL))
            json_value_done(s);
    }
    if (s->error == 0 && s->state != DONE)
        json_fail(s, NULL, -ENODATA,
                  s->position == 0 ? "a document" : "more: the document is cut short");
    return s->error;
}

uint64_t
json_stream_position(const struct json_stream *s)
{
    return s->position;
}

const char *
json_stream_problem(const struct json_stream *s)
{
    return s->problem == NULL ? "" : s->problem;
}
