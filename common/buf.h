/* SPDX-License-Identifier: Apache-2.0 */
/* Growable byte buffer with a latched error: append freely, check once.
 * `data` always ends in a NUL that `len` does not count (data is "" when empty). */
#ifndef COMMON_BUF_H
#define COMMON_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct buf {
    char *data;
    size_t len;
    size_t cap;
    size_t limit; /* longest len allowed; 0: none */
    bool failed;  /* the limit was hit or memory was out; appends do nothing */
};

/* limit: longest content in bytes, 0 for none. Allocates nothing yet. */
void buf_init(struct buf *b, size_t limit);
/* Frees the content; b may be used again. */
void buf_finish(struct buf *b);
/* Empties without freeing and clears the latched error. */
void buf_reset(struct buf *b);

void buf_add(struct buf *b, const void *data, size_t len);
void buf_addc(struct buf *b, char c);
void buf_adds(struct buf *b, const char *s);
void buf_addf(struct buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buf_vaddf(struct buf *b, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Hands the content to the caller, who frees it; b is empty afterwards. */
char *buf_steal(struct buf *b, size_t *ret_len);

#endif
