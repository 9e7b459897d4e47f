/* SPDX-License-Identifier: Apache-2.0 */
/* Space-Saving over an array: with 64 counters a walk is cheaper than the paper's list
 * of buckets. */
#include "analysis/space_saving.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/row_key.h"

void
space_saving_finish(struct space_saving *s)
{
    for (size_t i = 0; i < s->used; i++)
        free(s->counters[i].key);
    *s = (struct space_saving){0};
}

static struct space_counter *
find(struct space_saving *s, const void *key, size_t len)
{
    for (size_t i = 0; i < s->used; i++)
        if (s->counters[i].len == len &&
            (len == 0 || memcmp(s->counters[i].key, key, len) == 0))
            return &s->counters[i];
    return NULL;
}

static struct space_counter *
smallest(struct space_saving *s)
{
    struct space_counter *least = &s->counters[0];

    for (size_t i = 1; i < s->used; i++)
        if (s->counters[i].count < least->count)
            least = &s->counters[i];
    return least;
}

/* A new string takes a free counter, or the smallest one with its count as error. */
static struct space_counter *
take_over(struct space_saving *s, const void *key, size_t len)
{
    struct space_counter *c;

    if (s->used < SPACE_SAVING_COUNTERS) {
        c = &s->counters[s->used++];
        *c = (struct space_counter){0};
    } else {
        c = smallest(s);
        free(c->key);
        c->error = c->count;
    }
    c->key = (uint8_t *)xmemdup0(len == 0 ? "" : key, len);
    c->len = len;
    return c;
}

void
space_saving_add(struct space_saving *s, const void *key, size_t len)
{
    struct space_counter *c = find(s, key, len);

    if (c == NULL)
        c = take_over(s, key, len);
    c->count++;
    s->total++;
    assert(c->error < c->count);
}

static int
by_count(const void *a, const void *b)
{
    const struct space_counter *x = a, *y = b;
    uint64_t sure_x = x->count - x->error, sure_y = y->count - y->error;

    if (sure_x != sure_y)
        return sure_x > sure_y ? -1 : 1;
    return row_key_compare(x->key, x->len, y->key, y->len);
}

void
space_saving_sort(struct space_saving *s)
{
    if (s->used > 1)
        qsort(s->counters, s->used, sizeof(s->counters[0]), by_count);
}
