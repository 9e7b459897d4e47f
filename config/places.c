/* SPDX-License-Identifier: Apache-2.0 */
/* A plain array: it is searched only when a finding is reported and for a few fields.
 * Belongs to the loading of one file, on its thread. */
#include "config/places.h"

#include <stdlib.h>

#include "common/alloc.h"

void
places_add(struct places *places, const void *what, struct place where, bool bad)
{
    if (!places)
        return;
    xgrow(&places->items, &places->cap, places->count + 1, sizeof *places->items);
    places->items[places->count++] = (struct place_entry){what, where, bad};
}

size_t
places_mark(const struct places *places)
{
    return places ? places->count : 0;
}

void
places_forget(struct places *places, size_t mark)
{
    if (places)
        places->count = mark;
}

void
places_finish(struct places *places)
{
    free(places->items);
    *places = (struct places){0};
}

static const struct place_entry *
find(const struct places *places, const void *what)
{
    for (size_t i = 0; places && i < places->count; i++) {
        if (places->items[i].what == what)
            return &places->items[i];
    }
    return NULL;
}

struct place
places_find(const struct places *places, const void *what)
{
    const struct place_entry *entry = find(places, what);
    return entry ? entry->where : (struct place){0};
}

bool
places_is_bad(const struct places *places, const void *what)
{
    const struct place_entry *entry = find(places, what);
    return entry && entry->bad;
}
