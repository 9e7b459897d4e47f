/* SPDX-License-Identifier: Apache-2.0 */
/* Checked allocation. Owns nothing; callers free() what they get. */
#include "common/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_NO_MEMORY = 70 };

static void
out_of_memory(size_t size)
{
    fprintf(stderr, "out of memory: %zu bytes wanted\n", size);
    _exit(EXIT_NO_MEMORY);
}

static void *
checked(void *p, size_t size)
{
    if (p == NULL)
        out_of_memory(size);
    return p;
}

void *
xmalloc(size_t size)
{
    if (size == 0)
        size = 1;
    return checked(malloc(size), size);
}

void *
xcalloc(size_t n, size_t size)
{
    if (n == 0 || size == 0)
        n = size = 1;
    return checked(calloc(n, size), n * size);
}

void *
xreallocarray(void *p, size_t n, size_t size)
{
    if (n == 0 || size == 0)
        n = size = 1;
    return checked(reallocarray(p, n, size), n * size);
}

char *
xstrdup(const char *s)
{
    return xmemdup0(s, strlen(s));
}

char *
xmemdup0(const void *data, size_t len)
{
    char *copy = xmalloc(len + 1);

    if (len > 0)
        memcpy(copy, data, len);
    copy[len] = '\0';
    return copy;
}

void
xgrow(void *array, size_t *cap, size_t need, size_t size)
{
    void **p = array;

    if (need <= *cap)
        return;
    size_t n = *cap == 0 ? 8 : *cap;
    while (n < need) {
        if (n > SIZE_MAX / 2)
            out_of_memory(SIZE_MAX);
        n *= 2;
    }
    *p = xreallocarray(*p, n, size);
    *cap = n;
}
