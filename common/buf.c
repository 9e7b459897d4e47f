/* SPDX-License-Identifier: Apache-2.0 */
/* Growable byte buffer. The memory belongs to the struct buf until buf_steal(). */
#include "common/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

/* What an empty buffer points at, so that data is always a string. */
static char empty[1];

void
buf_init(struct buf *b, size_t limit)
{
    *b = (struct buf){.data = empty, .limit = limit};
}

void
buf_finish(struct buf *b)
{
    if (b->data != empty)
        free(b->data);
    buf_init(b, b->limit);
}

void
buf_reset(struct buf *b)
{
    b->len = 0;
    b->failed = false;
    if (b->data != empty)
        b->data[0] = '\0';
}

/* Makes room for `more` bytes and the NUL; false when the buffer has failed. */
static bool
reserve(struct buf *b, size_t more)
{
    if (b->failed)
        return false;
    if (more > SIZE_MAX - b->len - 1 || (b->limit != 0 && b->len + more > b->limit)) {
        b->failed = true;
        return false;
    }
    size_t need = b->len + more + 1;
    if (need <= b->cap)
        return true;
    size_t cap = b->cap < 64 ? 64 : b->cap + b->cap / 2;
    if (cap < need)
        cap = need;
    char *data = realloc(b->data == empty ? NULL : b->data, cap);
    if (data == NULL) {
        b->failed = true;
        return false;
    }
    b->data = data;
    b->cap = cap;
    return true;
}

void
buf_add(struct buf *b, const void *data, size_t len)
{
    if (len == 0 || !reserve(b, len))
        return;
    memcpy(b->data + b->len, data, len);
    b->len += len;
    b->data[b->len] = '\0';
}

void
buf_addc(struct buf *b, char c)
{
    buf_add(b, &c, 1);
}

void
buf_adds(struct buf *b, const char *s)
{
    buf_add(b, s, strlen(s));
}

void
buf_vaddf(struct buf *b, const char *format, va_list args)
{
    va_list again;

    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (len < 0)
        b->failed = true;
    else if (reserve(b, (size_t)len)) {
        vsnprintf(b->data + b->len, (size_t)len + 1, format, again);
        b->len += (size_t)len;
    }
    va_end(again);
}

void
buf_addf(struct buf *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    buf_vaddf(b, format, args);
    va_end(args);
}

char *
buf_steal(struct buf *b, size_t *ret_len)
{
    char *data = b->data == empty ? xmemdup0("", 0) : b->data;

    if (ret_len != NULL)
        *ret_len = b->len;
    buf_init(b, b->limit);
    return data;
}
