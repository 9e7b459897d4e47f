/* SPDX-License-Identifier: Apache-2.0 */
/* Names of schemes, and what is known of each without a key. */
#include "keys/scheme.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "common/parse.h"
#include "common/row_key.h"
#include "keys/scheme_priv.h"

/* A colon-parted argument of a scheme's name. */
struct word {
    const char *text;
    size_t len;
};

enum { WORDS_MAX = 5 };

typedef int parse_fn(const struct word *words, size_t count, struct scheme *ret);

static int
take_number(struct word word, uint64_t low, uint64_t high, uint32_t *ret)
{
    uint64_t value;

    if (parse_u64(word.text, word.len, &value) < 0 || value < low || value > high)
        return -EINVAL;
    *ret = (uint32_t)value;
    return 0;
}

static int
parse_nothing(const struct word *words, size_t count, struct scheme *ret)
{
    (void)words;
    (void)ret;
    return count == 0 ? 0 : -EINVAL;
}

static int
parse_salt(const struct word *words, size_t count, struct scheme *ret)
{
    return count == 1 ? take_number(words[0], 1, SALT_MAX, &ret->n) : -EINVAL;
}

static int
parse_prefix_byte(const struct word *words, size_t count, struct scheme *ret)
{
    return count == 1 ? take_number(words[0], 1, 127, &ret->n) : -EINVAL;
}

static int
parse_phoenix(const struct word *words, size_t count, struct scheme *ret)
{
    return count == 1 ? take_number(words[0], 1, 256, &ret->n) : -EINVAL;
}

static int
parse_hash(const struct word *words, size_t count, struct scheme *ret)
{
    if (count != 2 || words[0].len != 3 || memcmp(words[0].text, "md5", 3) != 0)
        return -EINVAL;
    return take_number(words[1], 1, 32, &ret->n);
}

static int
take_place(const struct word *words, struct scheme *ret)
{
    int64_t offset;

    if (parse_i64(words[0].text, words[0].len, &offset) < 0 || offset < -KEY_MAX ||
        offset > KEY_MAX || take_number(words[1], 1, KEY_MAX, &ret->width) < 0)
        return -EINVAL;
    ret->offset = (int32_t)offset;
    return 0;
}

static int
parse_reverse_time(const struct word *words, size_t count, struct scheme *ret)
{
    if (count != 2 && count != 3)
        return -EINVAL;
    ret->digits = count == 3;
    if (ret->digits && (words[2].len != 6 || memcmp(words[2].text, "digits", 6) != 0))
        return -EINVAL;
    if (take_place(words, ret) < 0)
        return -EINVAL;
    return ret->digits || ret->width <= 19 ? 0 : -EINVAL;
}

static int
parse_time_bucket(const struct word *words, size_t count, struct scheme *ret)
{
    if (count != 3 || take_place(words, ret) < 0 || ret->width > 19)
        return -EINVAL;
    return take_number(words[2], 1, SALT_MAX, &ret->n);
}

static const struct {
    const char *name;
    const char *form;
    parse_fn *parse; /* NULL: reads its text by itself */
    const char *about;
} kinds[] = {
    [SCHEME_NONE] = {"none", "none", parse_nothing, "the key as it is"},
    [SCHEME_SALT] = {"salt", "salt:N (N 1 to 1000000)", parse_salt,
                     "hash of the key mod N in front"},
    [SCHEME_HASH] = {"hash", "hash:md5:DIGITS (DIGITS 1 to 32)", parse_hash,
                     "first hex digits of the key's MD5 in front"},
    [SCHEME_REVERSE_DOMAIN] = {"reverse-domain", "reverse-domain", parse_nothing,
                               "the names of the host turned round"},
    [SCHEME_REVERSE_TIME] = {"reverse-time",
                             "reverse-time:OFFSET:WIDTH[:digits] (WIDTH 1 to 19)",
                             parse_reverse_time,
                             "time stamp subtracted from the largest: newest first"},
    [SCHEME_TIME_BUCKET] =
        {"time-bucket", "time-bucket:OFFSET:WIDTH:N (WIDTH 1 to 19, N 1 to 1000000)",
         parse_time_bucket, "time stamp mod N in front"},
    [SCHEME_PREFIX_BYTE] = {"prefix-byte", "prefix-byte:N (N 1 to 127)",
                            parse_prefix_byte, "one byte in turn in front (HBaseWD)"},
    [SCHEME_PHOENIX] = {"phoenix", "phoenix:N (N 1 to 256)", parse_phoenix,
                        "Phoenix's salt byte in front"},
    [SCHEME_COMPOSITE] = {"composite",
                          "composite:[FIELD@]WIDTH,...[:SEPARATOR] (such as "
                          "composite:2@12,1@13:|)",
                          NULL, "fields in the given order, each of fixed width"},
};
static_assert(sizeof kinds / sizeof kinds[0] == SCHEME_KIND_COUNT, "a row a kind");

static int
find_kind(const char *text, size_t len)
{
    for (int i = 0; i < SCHEME_KIND_COUNT; i++)
        if (strlen(kinds[i].name) == len && memcmp(kinds[i].name, text, len) == 0)
            return i;
    return -1;
}

/* The colon-parted words of text; more than WORDS_MAX count, but are not kept. */
static size_t
split_words(const char *text, struct word words[WORDS_MAX])
{
    size_t count = 0;

    while (true) {
        size_t len = strcspn(text, ":");
        if (count < WORDS_MAX)
            words[count] = (struct word){text, len};
        count++;
        if (text[len] == '\0')
            return count;
        text += len + 1;
    }
}

static void
unknown(const char *text, struct buf *error)
{
    buf_addf(error, "unknown scheme '");
    row_key_escape(error, text, strlen(text) < 60 ? strlen(text) : 60);
    buf_adds(error, "', expected one of");
    for (int i = 0; i < SCHEME_KIND_COUNT; i++)
        buf_addf(error, "%s %s", i > 0 ? "," : "", kinds[i].name);
}

int
scheme_parse(const char *text, struct scheme *ret, struct buf *error)
{
    size_t head = strcspn(text, ":");
    int kind = find_kind(text, head);
    struct scheme s = {0};
    struct word words[WORDS_MAX];
    int result;

    if (kind < 0 || strlen(text) >= sizeof s.name) {
        unknown(text, error);
        return -EINVAL;
    }
    s.kind = (enum scheme_kind)kind;
    memcpy(s.name, text, strlen(text) + 1);
    if (kinds[kind].parse == NULL) {
        result = composite_parse(text + head + (text[head] == ':'), &s);
    } else {
        size_t count = text[head] == ':' ? split_words(text + head + 1, words) : 0;
        result = count > WORDS_MAX ? -EINVAL : kinds[kind].parse(words, count, &s);
    }
    if (result < 0) {
        buf_adds(error, "wrong scheme '");
        row_key_escape(error, text, strlen(text));
        buf_addf(error, "', expected %s", kinds[kind].form);
        return result;
    }
    *ret = s;
    return 0;
}

const char *
scheme_about(enum scheme_kind kind)
{
    assert(kind < SCHEME_KIND_COUNT);
    return kinds[kind].about;
}

const char *
scheme_error_text(const struct scheme *s, int error)
{
    if (error == -EFBIG)
        return "the row key would be longer than 32767 bytes";
    if (error == -ERANGE)
        return "a field is wider than its width";
    if (error == -ENOMEM)
        return "out of memory";
    return s->kind == SCHEME_COMPOSITE ? "the key lacks a field"
                                       : "the key has no time stamp at that place";
}

int
bucket_width(uint32_t n)
{
    int width = 2;

    for (uint32_t top = n - 1; top >= 100; top /= 10)
        width++;
    return width;
}

uint64_t
scheme_buckets(const struct scheme *s)
{
    switch (s->kind) {
    case SCHEME_SALT:
    case SCHEME_TIME_BUCKET:
    case SCHEME_PREFIX_BYTE:
    case SCHEME_PHOENIX:
        return s->n;
    case SCHEME_HASH:
        return s->n < 16 ? (uint64_t)1 << 4 * s->n : 0;
    default:
        return 1;
    }
}

void
scheme_bucket_prefix(const struct scheme *s, uint64_t bucket, struct buf *out)
{
    switch (s->kind) {
    case SCHEME_SALT:
    case SCHEME_TIME_BUCKET:
        buf_addf(out, "%0*llu-", bucket_width(s->n), (unsigned long long)bucket);
        break;
    case SCHEME_PREFIX_BYTE:
    case SCHEME_PHOENIX:
        buf_addc(out, (char)bucket);
        break;
    case SCHEME_HASH:
        buf_addf(out, "%0*llx", (int)s->n, (unsigned long long)bucket);
        break;
    default:
        break;
    }
}

uint64_t
scheme_point_reads(const struct scheme *s)
{
    return s->kind == SCHEME_PREFIX_BYTE ? s->n : 1;
}

uint64_t
scheme_range_reads(const struct scheme *s)
{
    enum { READS_MAX = 65536 };
    uint64_t buckets = scheme_buckets(s);

    return buckets <= READS_MAX ? buckets : 0;
}
