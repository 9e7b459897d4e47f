/* SPDX-License-Identifier: Apache-2.0 */
/* Interned strings. Each string is a block of its own, so it never moves; an open-
 * addressing table of numbers finds it. One thread at a time uses a struct intern;
 * intern_destroy() frees all its strings. */
#include "common/intern.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/hash.h"

struct entry {
    char *text;
    size_t len;
    uint64_t hash;
};

struct intern {
    struct entry *entries; /* by number */
    size_t count;
    size_t cap;
    uint32_t *slots; /* numbers, INTERN_NONE where free */
    size_t n_slots;  /* a power of two, at most 3/4 full */
};

enum { FIRST_SLOTS = 16 };

struct intern *
intern_create(void)
{
    return xcalloc(1, sizeof(struct intern));
}

struct intern *
intern_destroy(struct intern *in)
{
    if (in == NULL)
        return NULL;
    for (size_t i = 0; i < in->count; i++)
        free(in->entries[i].text);
    free(in->entries);
    free(in->slots);
    free(in);
    return NULL;
}

/* The slot that holds the string, or the free one where it belongs. */
static uint32_t *
find_slot(const struct intern *in, const char *s, size_t len, uint64_t hash)
{
    assert(in->n_slots > in->count);
    for (size_t i = hash;; i++) {
        uint32_t *slot = &in->slots[i & (in->n_slots - 1)];
        if (*slot == INTERN_NONE)
            return slot;
        const struct entry *e = &in->entries[*slot];
        if (e->hash == hash && e->len == len && memcmp(e->text, s, len) == 0)
            return slot;
    }
}

static void
rehash(struct intern *in, size_t n_slots)
{
    free(in->slots);
    in->slots = xreallocarray(NULL, n_slots, sizeof in->slots[0]);
    in->n_slots = n_slots;
    for (size_t i = 0; i < n_slots; i++)
        in->slots[i] = INTERN_NONE;
    for (size_t n = 0; n < in->count; n++) {
        size_t i = in->entries[n].hash;
        while (in->slots[i & (n_slots - 1)] != INTERN_NONE)
            i++;
        in->slots[i & (n_slots - 1)] = (uint32_t)n;
    }
}

uint32_t
intern_add_n(struct intern *in, const char *s, size_t len)
{
    uint64_t hash = hash_bytes(s, len);

    if (in->count >= in->n_slots / 4 * 3)
        rehash(in, in->n_slots == 0 ? FIRST_SLOTS : in->n_slots * 2);
    uint32_t *slot = find_slot(in, s, len, hash);
    if (*slot != INTERN_NONE)
        return *slot;

    assert(in->count < INTERN_NONE);
    xgrow(&in->entries, &in->cap, in->count + 1, sizeof in->entries[0]);
    in->entries[in->count] = (struct entry){xmemdup0(s, len), len, hash};
    *slot = (uint32_t)in->count;
    in->count++;
    return *slot;
}

uint32_t
intern_add(struct intern *in, const char *s)
{
    return intern_add_n(in, s, strlen(s));
}

uint32_t
intern_find(const struct intern *in, const char *s)
{
    size_t len = strlen(s);

    if (in->n_slots == 0)
        return INTERN_NONE;
    return *find_slot(in, s, len, hash_bytes(s, len));
}

const char *
intern_text(const struct intern *in, uint32_t number)
{
    assert(number < in->count);
    return in->entries[number].text;
}

uint32_t
intern_count(const struct intern *in)
{
    return (uint32_t)in->count;
}
