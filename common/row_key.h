/* SPDX-License-Identifier: Apache-2.0 */
/* Row keys are bytes; people read and type them in HBase's binary escape: 0x20-0x7E
 * except the backslash as themselves, every other byte as \xHH with upper-case digits.
 * Source: HBase Bytes.java, toStringBinary and toBytesBinary. */
#ifndef COMMON_ROW_KEY_H
#define COMMON_ROW_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"

/* Bytes.toStringBinary: appends the escaped form of key. */
void row_key_escape(struct buf *out, const void *key, size_t len);

/* Bytes.toBytesBinary: decodes len bytes of text into out and returns the length, which
 * is at most len; out may equal text. Only upper-case digits make a \xHH: in another \x
 * followed by two characters the backslash is dropped, as HBase does; every other
 * backslash, also that of a \x cut off at the end, stands for itself. */
size_t row_key_unescape(const char *text, size_t len, uint8_t *out);

/* < 0, 0, > 0: the order of HBase, by unsigned bytes, a prefix before what it begins.
 */
int row_key_compare(const void *a, size_t a_len, const void *b, size_t b_len);

/* The key as the inside of a double-quoted string of the HBase shell (Ruby): the
 * escaped form with '"' as \" and '#' before '{', '$' or '@' as \x23, so that what is
 * pasted in double quotes is that key. */
void row_key_shell(struct buf *out, const void *key, size_t len);

#endif
