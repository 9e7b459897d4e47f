/* SPDX-License-Identifier: Apache-2.0 */
/* Ways to make row keys out of an application's keys, by name:
 *
 *   none                       the key as it is
 *   salt:N                     "07-" + key: Math.abs(key.hashCode() % N) in decimal, as
 *                              wide as N - 1 and at least 2, and a dash
 *   hash:md5:DIGITS            the first DIGITS (1-32) hex digits of the key's MD5 +
 * key reverse-domain             www.example.com/a -> com.example.www/a: the dotted
 * names before the first of / : ? # | turned round reverse-time:OFFSET:WIDTH  the time
 * stamp of WIDTH bytes at OFFSET (negative: from the end) subtracted from the largest:
 * decimal digits from 99..9, 8 or 4 binary bytes (big-endian) from Long.MAX_VALUE or
 * Integer.MAX_VALUE reverse-time:OFFSET:WIDTH:digits   the bytes there in reversed
 * order time-bucket:OFFSET:WIDTH:N "07-" + key: the time stamp there mod N
 *   prefix-byte:N              one byte 0..N-1 in turn + key (HBaseWD,
 *                              RowKeyDistributorByOneBytePrefix); N to 127
 *   phoenix:N                  Phoenix's salt byte + key; N to 256
 *   composite:FIELDS[:SEP]     the fields of the key (parted by SEP, default |), each
 *                              padded to a fixed width: FIELDS is [NUMBER@]WIDTH,...;
 *                              numbers get zeros in front, all else \x00 behind
 */
#ifndef KEYS_SCHEME_H
#define KEYS_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "keys/key_list.h"

enum scheme_kind {
    SCHEME_NONE,
    SCHEME_SALT,
    SCHEME_HASH,
    SCHEME_REVERSE_DOMAIN,
    SCHEME_REVERSE_TIME,
    SCHEME_TIME_BUCKET,
    SCHEME_PREFIX_BYTE,
    SCHEME_PHOENIX,
    SCHEME_COMPOSITE,
    SCHEME_KIND_COUNT
};

enum { COMPOSITE_MAX = 16, SCHEME_NAME_MAX = 200, SALT_MAX = 1000000 };

struct scheme_field {
    uint32_t number; /* of the key's fields, from 1 */
    uint32_t width;
};

struct scheme {
    enum scheme_kind kind;
    uint32_t n;     /* buckets, or hex digits */
    int32_t offset; /* of the time stamp */
    uint32_t width;
    bool digits; /* reverse the bytes instead of subtracting */
    struct scheme_field fields[COMPOSITE_MAX];
    size_t field_count;
    char separator[16];
    size_t separator_len;
    char name[SCHEME_NAME_MAX];
};

/* Reads a name. -EINVAL with a line in *error: what is wrong and what is expected. */
int scheme_parse(const char *text, struct scheme *ret, struct buf *error);

/* The row key for the key that is number `turn` (from 0) in order of arrival, appended
 * to *out. -EINVAL: the key has no field or time stamp where the scheme wants it;
 * -ERANGE: a field is wider than its width; -EFBIG: longer than KEY_MAX. Nothing is
 * appended then. */
int scheme_apply(const struct scheme *s, uint64_t turn, struct key key,
                 struct buf *out);
/* Such a result in words. */
const char *scheme_error_text(const struct scheme *s, int error);

/* Reads (gets or scans) that one read of the application becomes: a key that is known,
 * and a range of keys. 0: more than can be asked, so a scan of the whole table. */
uint64_t scheme_point_reads(const struct scheme *s);
uint64_t scheme_range_reads(const struct scheme *s);

/* The values that the scheme puts in front: buckets, 16^digits (0: more than fits), 1
 * for none. */
uint64_t scheme_buckets(const struct scheme *s);
/* What every key of bucket i (below the number of buckets) begins with, appended. */
void scheme_bucket_prefix(const struct scheme *s, uint64_t bucket, struct buf *out);

/* One line about what the scheme does and when it fits. */
const char *scheme_about(enum scheme_kind kind);

/* A time stamp of `len` bytes: decimal digits, or 8 or 4 bytes big-endian. */
bool time_stamp_read(const uint8_t *data, size_t len, uint64_t *ret);

#endif
