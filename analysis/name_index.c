/* SPDX-License-Identifier: Apache-2.0 */
/* Linear probing; removal closes the gap, so there are no tombstones. Owned by the
 * registry, touched by the engine's thread only. */
#include "analysis/name_index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/hash.h"

enum { SIZE_MIN = 64 };

void
name_index_finish(struct name_index *ix)
{
    free(ix->entries);
    *ix = (struct name_index){0};
}

static uint32_t
hash_of(const char *name)
{
    uint64_t h = hash_bytes(name, strlen(name));

    return (uint32_t)(h ^ h >> 32);
}

/* The entry of the name, or the empty one where it belongs. */
static struct name_entry *
entry_of(const struct name_index *ix, const char *name, uint32_t hash)
{
    uint32_t i = hash & (ix->size - 1);

    while (ix->entries[i].name != NULL &&
           (ix->entries[i].hash != hash || strcmp(ix->entries[i].name, name) != 0))
        i = (i + 1) & (ix->size - 1);
    return &ix->entries[i];
}

uint32_t
name_index_find(const struct name_index *ix, const char *name)
{
    if (ix->count == 0)
        return UINT32_MAX;
    const struct name_entry *e = entry_of(ix, name, hash_of(name));
    return e->name == NULL ? UINT32_MAX : e->slot;
}

static void
grow(struct name_index *ix)
{
    struct name_index old = *ix;

    ix->size = old.size == 0 ? SIZE_MIN : old.size * 2;
    ix->entries = xcalloc(ix->size, sizeof(*ix->entries));
    for (uint32_t i = 0; i < old.size; i++)
        if (old.entries[i].name != NULL)
            *entry_of(ix, old.entries[i].name, old.entries[i].hash) = old.entries[i];
    free(old.entries);
}

void
name_index_add(struct name_index *ix, const char *name, uint32_t slot)
{
    uint32_t hash = hash_of(name);

    if ((ix->count + 1) * 2 > ix->size)
        grow(ix);
    struct name_entry *e = entry_of(ix, name, hash);
    assert(e->name == NULL);
    *e = (struct name_entry){name, slot, hash};
    ix->count++;
}

void
name_index_remove(struct name_index *ix, const char *name)
{
    if (ix->count == 0)
        return;
    uint32_t mask = ix->size - 1;
    uint32_t hole = (uint32_t)(entry_of(ix, name, hash_of(name)) - ix->entries);
    if (ix->entries[hole].name == NULL)
        return;
    for (uint32_t i = (hole + 1) & mask; ix->entries[i].name != NULL;
         i = (i + 1) & mask) {
        uint32_t home = ix->entries[i].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            ix->entries[hole] = ix->entries[i];
            hole = i;
        }
    }
    ix->entries[hole].name = NULL;
    ix->count--;
}
