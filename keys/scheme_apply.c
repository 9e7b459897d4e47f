/* SPDX-License-Identifier: Apache-2.0 */
/* Row keys made by a scheme. Holds no state; any thread may call it. */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "common/md5.h"
#include "keys/java.h"
#include "keys/scheme_priv.h"

bool
time_stamp_read(const uint8_t *data, size_t len, uint64_t *ret)
{
    uint64_t value = 0;
    bool decimal = len > 0 && len <= 19;

    for (size_t i = 0; i < len && decimal; i++)
        decimal = data[i] >= '0' && data[i] <= '9';
    if (!decimal && len != 8 && len != 4)
        return false;
    for (size_t i = 0; i < len; i++)
        value = decimal ? value * 10 + (data[i] - '0') : value << 8 | data[i];
    *ret = value;
    return true;
}

/* The bytes of the time stamp in the key; NULL if it is shorter. */
static const uint8_t *
time_place(const struct scheme *s, struct key key)
{
    int64_t begin = s->offset < 0 ? (int64_t)key.len + s->offset : s->offset;

    if (begin < 0 || begin + s->width > (int64_t)key.len)
        return NULL;
    return key.data + begin;
}

static uint64_t
largest_decimal(size_t digits)
{
    uint64_t value = 0;

    while (digits-- > 0)
        value = value * 10 + 9;
    return value;
}

/* The subtracted time stamp, in as many bytes. */
static int
subtract(const uint8_t *time, size_t width, struct buf *out)
{
    uint64_t value;

    if (!time_stamp_read(time, width, &value))
        return -EINVAL;
    bool decimal = true;
    for (size_t i = 0; i < width && decimal; i++)
        decimal = time[i] >= '0' && time[i] <= '9';
    if (decimal) {
        buf_addf(out, "%0*llu", (int)width,
                 (unsigned long long)(largest_decimal(width) - value));
        return 0;
    }
    uint64_t top = width == 8 ? INT64_MAX : INT32_MAX;
    uint64_t left = top - value; /* wraps like Java's for what is negative */
    for (size_t i = width; i-- > 0;)
        buf_addc(out, (char)(left >> 8 * i));
    return 0;
}

static int
reverse_time(const struct scheme *s, struct key key, struct buf *out)
{
    const uint8_t *time = time_place(s, key);
    int result = 0;

    if (time == NULL)
        return -EINVAL;
    buf_add(out, key.data, (size_t)(time - key.data));
    if (s->digits) {
        for (size_t i = s->width; i-- > 0;)
            buf_addc(out, (char)time[i]);
    } else {
        result = subtract(time, s->width, out);
    }
    time += s->width;
    buf_add(out, time, (size_t)(key.data + key.len - time));
    return result;
}

static int
time_bucket(const struct scheme *s, struct key key, struct buf *out)
{
    const uint8_t *time = time_place(s, key);
    uint64_t value;

    if (time == NULL || !time_stamp_read(time, s->width, &value))
        return -EINVAL;
    scheme_bucket_prefix(s, value % s->n, out);
    buf_add(out, key.data, key.len);
    return 0;
}

static void
reverse_domain(struct key key, struct buf *out)
{
    size_t host = 0;

    while (host < key.len && memchr("/:?#|", key.data[host], 5) == NULL)
        host++;
    for (size_t end = host; end > 0;) {
        size_t begin = end;
        while (begin > 0 && key.data[begin - 1] != '.')
            begin--;
        buf_add(out, key.data + begin, end - begin);
        if (begin == 0)
            break;
        buf_addc(out, '.');
        end = begin - 1;
    }
    buf_add(out, key.data + host, key.len - host);
}

static void
md5_prefix(size_t digits, struct key key, struct buf *out)
{
    static const char hex[] = "0123456789abcdef";
    uint8_t digest[16];
    char text[32];

    md5_bytes(key.data, key.len, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        text[2 * i] = hex[digest[i] >> 4];
        text[2 * i + 1] = hex[digest[i] & 15];
    }
    buf_add(out, text, digits);
    buf_add(out, key.data, key.len);
}

/* "NN-", faster than by a format. */
static void
add_bucket(const struct scheme *s, uint32_t bucket, struct buf *out)
{
    char text[16];
    int width = bucket_width(s->n);

    text[width] = '-';
    for (int i = width; i-- > 0; bucket /= 10)
        text[i] = (char)('0' + bucket % 10);
    buf_add(out, text, (size_t)width + 1);
}

static int
make(const struct scheme *s, uint64_t turn, struct key key, struct buf *out)
{
    switch (s->kind) {
    case SCHEME_SALT:
        add_bucket(s, java_bucket(java_string_hash(key.data, key.len), s->n), out);
        break;
    case SCHEME_HASH:
        md5_prefix(s->n, key, out);
        return 0;
    case SCHEME_REVERSE_DOMAIN:
        reverse_domain(key, out);
        return 0;
    case SCHEME_REVERSE_TIME:
        return reverse_time(s, key, out);
    case SCHEME_TIME_BUCKET:
        return time_bucket(s, key, out);
    case SCHEME_PREFIX_BYTE:
        buf_addc(out, (char)(turn % s->n));
        break;
    case SCHEME_PHOENIX:
        buf_addc(out, (char)java_bucket(java_bytes_hash(key.data, key.len), s->n));
        break;
    case SCHEME_COMPOSITE:
        return composite_apply(s, key, out);
    default:
        break;
    }
    buf_add(out, key.data, key.len);
    return 0;
}

int
scheme_apply(const struct scheme *s, uint64_t turn, struct key key, struct buf *out)
{
    size_t before = out->len;
    int result = make(s, turn, key, out);

    if (result == 0 && out->failed)
        result = -ENOMEM;
    if (result == 0 && out->len - before > KEY_MAX)
        result = -EFBIG;
    if (result < 0) {
        out->len = before;
        if (out->data != NULL && out->cap > 0)
            out->data[before] = '\0';
    }
    return result;
}
