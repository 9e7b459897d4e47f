/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation for sizes that the program chooses. These never return NULL: when
 * memory is out they print one line and _exit(70). Sizes that an *input* chooses
 * (bodies, names, listings) are bounded first and use malloc and its error. */
#ifndef COMMON_ALLOC_H
#define COMMON_ALLOC_H

#include <stddef.h>

void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
/* Resizes to n * size bytes; the product is checked. */
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
/* Copies len bytes and adds a NUL. */
char *xmemdup0(const void *data, size_t len);

/* Grows *array (elements of `size` bytes, capacity *cap) so that it holds at
 * least `need` elements; doubles, so that appending is linear. */
void xgrow(void *array, size_t *cap, size_t need, size_t size);

#endif
