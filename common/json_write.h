/* SPDX-License-Identifier: Apache-2.0 */
/* JSON (RFC 8259) written straight into a buf. The writer places commas; the caller
 * pairs begin with end and gives each member of an object a key. Integers keep all
 * 64 bits; doubles are the shortest text that reads back, NaN and infinities become
 * null. Bytes that are not UTF-8 are replaced by U+FFFD; control characters are
 * escaped, and so are '<', '>' and '&', so that the text may stand inside HTML. */
#ifndef COMMON_JSON_WRITE_H
#define COMMON_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"

struct json_writer {
    struct buf *out;
    bool need_comma;
};

/* out belongs to the caller; its latched error is the writer's, too. */
void json_init(struct json_writer *w, struct buf *out);

void json_object_begin(struct json_writer *w);
void json_object_end(struct json_writer *w);
void json_array_begin(struct json_writer *w);
void json_array_end(struct json_writer *w);
void json_key(struct json_writer *w, const char *key);

void json_string(struct json_writer *w, const char *s); /* NULL writes null */
void json_string_n(struct json_writer *w, const char *s, size_t len);
void json_u64(struct json_writer *w, uint64_t v);
void json_i64(struct json_writer *w, int64_t v);
void json_double(struct json_writer *w, double v);
void json_bool(struct json_writer *w, bool v);
void json_null(struct json_writer *w);
/* Unix ms as an RFC 3339 string; negative writes null. */
void json_time(struct json_writer *w, int64_t wall_ms);

/* json_key() and the value in one. */
void json_member_string(struct json_writer *w, const char *key, const char *s);
void json_member_u64(struct json_writer *w, const char *key, uint64_t v);
void json_member_i64(struct json_writer *w, const char *key, int64_t v);
void json_member_double(struct json_writer *w, const char *key, double v);
void json_member_bool(struct json_writer *w, const char *key, bool v);
void json_member_null(struct json_writer *w, const char *key);
void json_member_time(struct json_writer *w, const char *key, int64_t wall_ms);

#endif
