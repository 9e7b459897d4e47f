/* SPDX-License-Identifier: Apache-2.0 */
/* Reads keys in blocks; a key points into the block wherever it can. One owner. */
#include "hotspotctl/key_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/log.h"
#include "common/row_key.h"
#include "keys/pattern.h"

/* Holds the longest key in its longest form, four characters a byte, with room. */
enum { BLOCK = 256 * 1024 };

struct key_source {
    int fd;
    bool owns_fd;
    bool at_end; /* of the file */
    enum key_format format;
    off_t start; /* of a file that can be read again; -1: it cannot */
    char *block;
    size_t begin, end; /* what is not used yet */
    uint64_t place;    /* lines, or keys, so far */
    uint64_t skipped;
    struct pattern *pattern; /* NULL: from the file */
    char *pattern_text;
    uint64_t seed;
    uint64_t count, made;
    struct buf key; /* made by the pattern */
    struct buf error;
};

static const char *const format_names[KEY_FORMAT_COUNT] = {"line", "hex", "escaped",
                                                           "length"};

int
key_format_parse(const char *name, enum key_format *ret)
{
    for (int i = 0; i < KEY_FORMAT_COUNT; i++) {
        if (strcmp(format_names[i], name) == 0) {
            *ret = (enum key_format)i;
            return 0;
        }
    }
    return -EINVAL;
}

static struct key_source *
create(void)
{
    struct key_source *s = xcalloc(1, sizeof *s);

    s->fd = -1;
    s->start = -1;
    buf_init(&s->key, 0);
    buf_init(&s->error, 0);
    return s;
}

struct key_source *
key_source_open(const char *path, enum key_format format, struct buf *error)
{
    struct key_source *s = create();
    char quoted[LOG_QUOTE_SIZE];

    s->format = format;
    s->owns_fd = path != NULL && strcmp(path, "-") != 0;
    s->fd = s->owns_fd ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (s->fd < 0) {
        buf_addf(error, "cannot read %s: %m", log_quote(path, strlen(path), quoted));
        return key_source_close(s);
    }
    s->start = lseek(s->fd, 0, SEEK_CUR);
    s->block = xmalloc(BLOCK);
    return s;
}

struct key_source *
key_source_pattern(const char *text, uint64_t seed, uint64_t count, struct buf *error)
{
    struct key_source *s = create();

    s->pattern = pattern_create(text, seed, error);
    if (s->pattern == NULL)
        return key_source_close(s);
    s->pattern_text = xstrdup(text);
    s->seed = seed;
    s->count = count;
    return s;
}

struct key_source *
key_source_close(struct key_source *s)
{
    if (s == NULL)
        return NULL;
    if (s->owns_fd && s->fd >= 0)
        close(s->fd);
    pattern_destroy(s->pattern);
    free(s->pattern_text);
    free(s->block);
    buf_finish(&s->key);
    buf_finish(&s->error);
    free(s);
    return NULL;
}

static bool
fail(struct key_source *s, const char *what)
{
    buf_reset(&s->error);
    if (s->pattern != NULL)
        buf_addf(&s->error, "the pattern makes %s", what);
    else
        buf_addf(&s->error, "keys, %s %llu: %s",
                 s->format == KEYS_LENGTH ? "number" : "line",
                 (unsigned long long)s->place, what);
    return false;
}

/* More of the file behind what is left in the block; false at its end. */
static bool
fill(struct key_source *s)
{
    if (s->at_end || s->end - s->begin == BLOCK)
        return false;
    memmove(s->block, s->block + s->begin, s->end - s->begin);
    s->end -= s->begin;
    s->begin = 0;
    ssize_t n;
    do
        n = read(s->fd, s->block + s->end, BLOCK - s->end);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        buf_addf(&s->error, "cannot read the keys: %m");
    s->at_end = n <= 0;
    s->end += n > 0 ? (size_t)n : 0;
    return n > 0;
}

/* The next line without its end; false at the end of the file. */
static bool
next_line(struct key_source *s, char **ret, size_t *ret_len)
{
    size_t searched = 0;

    while (true) {
        char *from = s->block + s->begin;
        size_t have = s->end - s->begin;
        char *newline =
            have > searched ? memchr(from + searched, '\n', have - searched) : NULL;
        if (newline == NULL) {
            searched = have;
            if (fill(s))
                continue;
            if (s->error.len > 0 || have == 0)
                return false;
            if (!s->at_end) {
                s->place++;
                return fail(s, "longer than any row key");
            }
        }
        s->place++;
        *ret = s->block + s->begin;
        *ret_len = newline != NULL ? (size_t)(newline - from) : s->end - s->begin;
        s->begin += *ret_len + (newline != NULL);
        return true;
    }
}

static int
hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
        return (c | 0x20) - 'a' + 10;
    return -1;
}

/* Decodes in place; false if it is no hex text. */
static bool
decode_hex(char *text, size_t len, size_t *ret_len)
{
    if (len % 2 != 0)
        return false;
    for (size_t i = 0; i < len; i += 2) {
        int high = hex_value(text[i]);
        int low = hex_value(text[i + 1]);
        if (high < 0 || low < 0)
            return false;
        text[i / 2] = (char)(high << 4 | low);
    }
    *ret_len = len / 2;
    return true;
}

static bool
next_from_lines(struct key_source *s, struct key *ret)
{
    char *text;
    size_t len;

    do {
        if (!next_line(s, &text, &len))
            return false;
        s->skipped += len == 0;
    } while (len == 0);
    if (s->format == KEYS_HEX && !decode_hex(text, len, &len))
        return fail(s, "expected pairs of hex digits");
    if (s->format == KEYS_ESCAPED)
        len = row_key_unescape(text, len, (uint8_t *)text);
    if (len > KEY_MAX)
        return fail(s, "longer than 32767 bytes, the limit of a row key");
    *ret = (struct key){(uint8_t *)text, len};
    return true;
}

static bool
next_with_length(struct key_source *s, struct key *ret)
{
    enum { HEAD = 4 };
    size_t len = 0;

    while (s->end - s->begin < HEAD && fill(s))
        ;
    if (s->error.len > 0 || s->end == s->begin)
        return false;
    s->place++;
    if (s->end - s->begin < HEAD)
        return fail(s, "the file ends inside a length");
    for (size_t i = 0; i < HEAD; i++)
        len = len << 8 | (uint8_t)s->block[s->begin + i];
    if (len == 0 || len > KEY_MAX)
        return fail(s, "expected a length of 1 to 32767 (4 bytes, big-endian)");
    while (s->end - s->begin < HEAD + len && fill(s))
        ;
    if (s->error.len > 0)
        return false;
    if (s->end - s->begin < HEAD + len)
        return fail(s, "the file ends inside a key");
    *ret = (struct key){(uint8_t *)s->block + s->begin + HEAD, len};
    s->begin += HEAD + len;
    return true;
}

static bool
next_made(struct key_source *s, struct key *ret)
{
    if (s->made == s->count)
        return false;
    s->made++;
    buf_reset(&s->key);
    pattern_next(s->pattern, &s->key);
    if (s->key.len == 0)
        return fail(s, "an empty key");
    if (s->key.len > KEY_MAX)
        return fail(s, "a key above 32767 bytes");
    *ret = (struct key){(uint8_t *)s->key.data, s->key.len};
    return true;
}

bool
key_source_next(struct key_source *s, struct key *ret)
{
    if (s->error.len > 0)
        return false;
    if (s->pattern != NULL)
        return next_made(s, ret);
    return s->format == KEYS_LENGTH ? next_with_length(s, ret)
                                    : next_from_lines(s, ret);
}

const char *
key_source_error(const struct key_source *s)
{
    return s->error.len > 0 ? s->error.data : NULL;
}

uint64_t
key_source_skipped(const struct key_source *s)
{
    return s->skipped;
}

bool
key_source_rewind(struct key_source *s)
{
    if (s->pattern != NULL) {
        struct buf none;
        buf_init(&none, 0);
        s->pattern = pattern_destroy(s->pattern);
        s->pattern = pattern_create(s->pattern_text, s->seed, &none);
        s->made = 0;
        buf_finish(&none);
        return s->pattern != NULL;
    }
    if (s->start < 0 || lseek(s->fd, s->start, SEEK_SET) < 0)
        return false;
    s->begin = s->end = 0;
    s->place = 0;
    s->skipped = 0;
    s->at_end = false;
    return true;
}
