/* SPDX-License-Identifier: Apache-2.0 */
/* Where in the file a value stands: from the address of the field (or of a list's item)
 * to line and column, so that checks over several keys can point at them. Belongs to
 * the loading of one file and does not outlive it. */
#ifndef CONFIG_PLACES_H
#define CONFIG_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "config/problems.h"

struct place_entry {
    const void *what;
    struct place where;
    bool bad; /* what the file says was refused; the field has its default */
};

struct places {
    struct place_entry *items;
    size_t count;
    size_t cap;
};

/* Records the place of what; places may be NULL, then nothing is done. */
void places_add(struct places *places, const void *what, struct place where, bool bad);
/* places_forget() takes back what was recorded since places_mark(): the memory that it
 * tells of is about to be freed. Both accept NULL. */
size_t places_mark(const struct places *places);
void places_forget(struct places *places, size_t mark);
void places_finish(struct places *places);

/* {0, 0} if the file does not set it or places is NULL. */
struct place places_find(const struct places *places, const void *what);
/* True if the file sets it to something that was refused. */
bool places_is_bad(const struct places *places, const void *what);

#endif
