/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing with linear probing. Owned and used by one reader on one thread. */
#include "collectors/id_map.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/random.h>

#include "common/alloc.h"

struct slot {
    struct region_id id;
    uint32_t number;
    bool used;
};

struct id_map {
    struct slot *slots;
    size_t n_slots; /* a power of two, at most 3/4 full; 0 before the first id */
    size_t count;
    struct region_id seed;
};

enum { FIRST_SLOTS = 256 };

struct id_map *
id_map_create(void)
{
    struct id_map *map = xcalloc(1, sizeof(*map));

    /* Without randomness the map still works, only predictably. */
    (void)!getrandom(&map->seed, sizeof(map->seed), GRND_NONBLOCK);
    return map;
}

struct id_map *
id_map_destroy(struct id_map *map)
{
    if (map == NULL)
        return NULL;
    free(map->slots);
    free(map);
    return NULL;
}

void
id_map_clear(struct id_map *map)
{
    free(map->slots);
    map->slots = NULL;
    map->n_slots = 0;
    map->count = 0;
}

/* The upper half of 128-bit products of both words, keyed. */
static size_t
hash(const struct id_map *map, struct region_id id)
{
    unsigned __int128 product = (unsigned __int128)(id.hi ^ map->seed.hi) *
                                (id.lo ^ map->seed.lo ^ 0x9e3779b97f4a7c15);

    return (size_t)((uint64_t)(product >> 64) ^ (uint64_t)product);
}

static struct slot *
find(const struct id_map *map, struct region_id id)
{
    for (size_t i = hash(map, id);; i++) {
        struct slot *slot = &map->slots[i & (map->n_slots - 1)];
        if (!slot->used || region_id_equal(slot->id, id))
            return slot;
    }
}

static void
grow(struct id_map *map)
{
    struct slot *old = map->slots;
    size_t n_old = map->n_slots;

    map->n_slots = n_old == 0 ? FIRST_SLOTS : n_old * 2;
    map->slots = xcalloc(map->n_slots, sizeof(map->slots[0]));
    for (size_t i = 0; i < n_old; i++) {
        if (old[i].used)
            *find(map, old[i].id) = old[i];
    }
    free(old);
}

uint32_t
id_map_add(struct id_map *map, struct region_id id, uint32_t number)
{
    if (map->count >= map->n_slots / 4 * 3)
        grow(map);
    struct slot *slot = find(map, id);
    if (!slot->used) {
        *slot = (struct slot){.id = id, .number = number, .used = true};
        map->count++;
    }
    return slot->number;
}

uint32_t
id_map_find(const struct id_map *map, struct region_id id)
{
    if (map->n_slots == 0)
        return UINT32_MAX;
    const struct slot *slot = find(map, id);
    return slot->used ? slot->number : UINT32_MAX;
}
