/* SPDX-License-Identifier: Apache-2.0 */
/* JSON into a buffer. The writer keeps one bit (whether the next value needs a comma)
 * and owns nothing; one thread at a time uses it. */
#include "common/json_write.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "common/parse.h"
#include "common/utf8.h"

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

void
json_init(struct json_writer *w, struct buf *out)
{
    *w = (struct json_writer){.out = out};
}

/* What stands before each value and key. */
static void
separate(struct json_writer *w)
{
    if (w->need_comma)
        buf_addc(w->out, ',');
    w->need_comma = true;
}

static void
begin(struct json_writer *w, char bracket)
{
    separate(w);
    buf_addc(w->out, bracket);
    w->need_comma = false;
}

static void
end(struct json_writer *w, char bracket)
{
    buf_addc(w->out, bracket);
    w->need_comma = true;
}

void
json_object_begin(struct json_writer *w)
{
    begin(w, '{');
}

void
json_object_end(struct json_writer *w)
{
    end(w, '}');
}

void
json_array_begin(struct json_writer *w)
{
    begin(w, '[');
}

void
json_array_end(struct json_writer *w)
{
    end(w, ']');
}

void
json_key(struct json_writer *w, const char *key)
{
    json_string(w, key);
    buf_addc(w->out, ':');
    w->need_comma = false;
}

void
json_string(struct json_writer *w, const char *s)
{
    if (s == NULL)
        json_null(w);
    else
        json_string_n(w, s, strlen(s));
}

/* True for the ASCII characters that stand for themselves. */
static bool
is_plain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '<' && c != '>' &&
           c != '&';
}

static void
escape_ascii(struct buf *out, char c)
{
    switch (c) {
    case '"':
    case '\\':
        buf_addc(out, '\\');
        buf_addc(out, c);
        break;
    case '\n':
        buf_adds(out, "\\n");
        break;
    case '\r':
        buf_adds(out, "\\r");
        break;
    case '\t':
        buf_adds(out, "\\t");
        break;
    default:
        buf_addf(out, "\\u%04x", (unsigned)c);
    }
}

void
json_string_n(struct json_writer *w, const char *s, size_t len)
{
    separate(w);
    buf_addc(w->out, '"');
    for (size_t at = 0; at < len;) {
        size_t run = 0;
        while (at + run < len && is_plain(s[at + run]))
            run++;
        buf_add(w->out, s + at, run);
        at += run;
        if (at == len)
            break;

        size_t n = utf8_sequence(s + at, len - at);
        if (n == 0)
            buf_adds(w->out, replacement);
        else if (n == 1)
            escape_ascii(w->out, s[at]);
        else
            buf_add(w->out, s + at, n);
        at += n == 0 ? 1 : n;
    }
    buf_addc(w->out, '"');
}

void
json_u64(struct json_writer *w, uint64_t v)
{
    separate(w);
    buf_addf(w->out, "%" PRIu64, v);
}

void
json_i64(struct json_writer *w, int64_t v)
{
    separate(w);
    buf_addf(w->out, "%" PRId64, v);
}

void
json_double(struct json_writer *w, double v)
{
    char text[DOUBLE_TEXT_SIZE];

    if (!isfinite(v)) {
        json_null(w);
        return;
    }
    separate(w);
    buf_adds(w->out, double_text(v, text));
}

void
json_bool(struct json_writer *w, bool v)
{
    separate(w);
    buf_adds(w->out, v ? "true" : "false");
}

void
json_null(struct json_writer *w)
{
    separate(w);
    buf_adds(w->out, "null");
}

void
json_time(struct json_writer *w, int64_t wall_ms)
{
    char text[RFC3339_SIZE];

    if (wall_ms < 0)
        json_null(w);
    else
        json_string(w, rfc3339_format(wall_ms, text));
}

void
json_member_string(struct json_writer *w, const char *key, const char *s)
{
    json_key(w, key);
    json_string(w, s);
}

void
json_member_u64(struct json_writer *w, const char *key, uint64_t v)
{
    json_key(w, key);
    json_u64(w, v);
}

void
json_member_i64(struct json_writer *w, const char *key, int64_t v)
{
    json_key(w, key);
    json_i64(w, v);
}

void
json_member_double(struct json_writer *w, const char *key, double v)
{
    json_key(w, key);
    json_double(w, v);
}

void
json_member_bool(struct json_writer *w, const char *key, bool v)
{
    json_key(w, key);
    json_bool(w, v);
}

void
json_member_null(struct json_writer *w, const char *key)
{
    json_key(w, key);
    json_null(w);
}

void
json_member_time(struct json_writer *w, const char *key, int64_t wall_ms)
{
    json_key(w, key);
    json_time(w, wall_ms);
}
