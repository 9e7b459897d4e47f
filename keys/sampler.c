/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded sample of a stream. The caller owns the struct. */
#include "keys/sampler.h"

#include <assert.h>
#include <string.h>

static uint64_t
next_random(struct sampler *s)
{
    uint64_t x = s->random += 0x9E3779B97F4A7C15; /* SplitMix64 (Steele, Lea, Flood) */

    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

void
sampler_init(struct sampler *s, size_t max_keys, size_t max_bytes)
{
    assert(max_keys >= 2);
    *s = (struct sampler){.max_keys = max_keys, .max_bytes = max_bytes, .stride = 1};
}

void
sampler_finish(struct sampler *s)
{
    key_list_finish(&s->kept);
}

/* Drops one of each two kept neighbours. */
static void
halve(struct sampler *s)
{
    struct key_list *list = &s->kept;
    size_t used = 0;
    size_t count = 0;

    for (size_t i = 0; i < list->count; i += 2) {
        size_t pick = i + (next_random(s) & 1);
        struct key key = key_list_get(list, pick < list->count ? pick : i);
        memmove(list->data + used, key.data, key.len);
        used += key.len;
        list->ends[count++] = (uint32_t)used;
    }
    list->used = used;
    list->count = count;
    s->stride *= 2;
}

int
sampler_add(struct sampler *s, struct key key)
{
    uint64_t place = s->seen++ & (s->stride - 1);

    if (place == 0)
        s->candidate = s->stride == 1 ? 0 : next_random(s) & (s->stride - 1);
    if (place != s->candidate)
        return 0;
    while (s->kept.count >= 2 &&
           (s->kept.count >= s->max_keys || s->kept.used + key.len > s->max_bytes))
        halve(s);
    return key_list_add(&s->kept, key);
}
