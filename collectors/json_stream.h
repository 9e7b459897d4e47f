/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming JSON reader: fed pieces of any size, calls back for each event, needs
 * memory for one name or string and one bit a nesting level, never for the document.
 * Beyond RFC 8259 it takes what HBase prints: bare NaN, Infinity and -Infinity.
 * Integers keep all 64 bits. Hostile input ends in a latched error with the byte
 * position. */
#ifndef COLLECTORS_JSON_STREAM_H
#define COLLECTORS_JSON_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum json_event {
    JSON_OBJECT_BEGIN,
    JSON_OBJECT_END,
    JSON_ARRAY_BEGIN,
    JSON_ARRAY_END,
    JSON_KEY,    /* text */
    JSON_STRING, /* text */
    JSON_NUMBER, /* text: as written, to be read by parse.h or number.h */
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
    JSON_NOT_A_NUMBER, /* bare NaN, Infinity, -Infinity */
};

/* text is decoded (\u escapes as UTF-8, a lone surrogate as U+FFFD; raw bytes as they
 * came, perhaps no UTF-8), not NUL-terminated, may hold NUL bytes, and is valid during
 * the call only. depth is that of the value, or of the value a key names (the outermost
 * is 0). Return false to stop: the reader latches -ECANCELED. */
typedef bool json_event_fn(void *user, enum json_event event, const char *text,
                           size_t len, unsigned depth);

/* The longest text there is: a region's name with a key of 32 KiB whose bytes have all
 * become U+FFFD. */
enum { JSON_DEPTH_MAX = 64, JSON_TEXT_MAX = 131072 };

/* Is an event's text this one? */
static inline bool
json_text_is(const char *text, size_t len, const char *expected)
{
    return strlen(expected) == len && memcmp(text, expected, len) == 0;
}

struct json_stream;

struct json_stream *json_stream_create(json_event_fn *fn, void *user);
/* For documents with longer texts than JSON_TEXT_MAX, from now on; max is at least 1.
 */
void json_stream_allow(struct json_stream *s, size_t text_max);
/* Accepts NULL; returns NULL. */
struct json_stream *json_stream_destroy(struct json_stream *s);
/* Ready for a new document. */
void json_stream_reset(struct json_stream *s);

/* 0, or the latched error: -EINVAL malformed, -E2BIG too deep or a text too long,
 * -ECANCELED by the callback. */
int json_stream_feed(struct json_stream *s, const char *data, size_t len);
/* The document must be complete now; -ENODATA if it is cut short or empty. */
int json_stream_end(struct json_stream *s);
/* Bytes consumed so far, for messages. */
uint64_t json_stream_position(const struct json_stream *s);
/* "expected a value" and the like for the latched error. */
const char *json_stream_problem(const struct json_stream *s);

#endif
