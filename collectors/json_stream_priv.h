/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by json_stream.c (structure, numbers, literals) and json_string.c (strings)
 * and by nobody else. */
#ifndef COLLECTORS_JSON_STREAM_PRIV_H
#define COLLECTORS_JSON_STREAM_PRIV_H

#include "collectors/json_stream.h"

enum state {
    VALUE,         /* a value must come */
    FIRST_ELEMENT, /* after '[': a value or ']' */
    FIRST_KEY,     /* after '{': a key or '}' */
    NEXT_KEY,      /* after ',' in an object */
    COLON,
    AFTER_VALUE, /* ',' or the end of the container */
    DONE,        /* only white space may follow */
    STRING,
    ESCAPE, /* after a backslash */
    HEX,    /* inside \uXXXX */
    NUMBER,
    LITERAL,
    STATE_COUNT
};

/* Where a number stands. */
enum number_state {
    MINUS,
    ZERO,
    INTEGER,
    POINT,
    FRACTION,
    E,
    E_SIGN,
    EXPONENT,
    END,
    BAD
};

struct literal;

struct json_stream {
    json_event_fn *fn;
    void *user;
    size_t text_max;
    int error; /* latched */
    const char *problem;
    enum state state;
    enum number_state number;
    bool is_key;      /* the string is a member's name */
    unsigned depth;   /* open containers */
    uint64_t objects; /* one bit a level: 1 object, 0 array */
    const char *mark; /* in this piece: what is not in the carry begins here */
    const struct literal *literal;
    size_t literal_len; /* bytes of it seen */
    uint32_t hex;
    unsigned hex_len;
    uint32_t high; /* a high surrogate that waits for its low one, or 0 */
    char *carry;
    size_t carry_len;
    size_t carry_cap;
    uint64_t position; /* of the piece; after an error of the byte that caused it */
};

/* A state's step: eats what it can of [p, end), which is not empty, and returns where
 * it stopped; on an error that is the offending byte. */
const char *json_step_string(struct json_stream *s, const char *p, const char *end);
const char *json_step_escape(struct json_stream *s, const char *p, const char *end);
const char *json_step_hex(struct json_stream *s, const char *p, const char *end);
/* p is at the opening quote. */
const char *json_begin_string(struct json_stream *s, const char *p, bool is_key);

/* Latches the error and returns p, so that steps can end with it. */
const char *json_fail(struct json_stream *s, const char *p, int error,
                      const char *problem);
/* The value that just ended: what may come next? */
void json_value_done(struct json_stream *s);
/* False when the text gets too long (latched). */
bool json_carry_add(struct json_stream *s, const char *data, size_t len);
/* Hands on the token that began at s->mark (or in the carry) and ends before `end`;
 * false when that failed (latched). */
bool json_emit_text(struct json_stream *s, enum json_event event, const char *end);

#endif
