/* SPDX-License-Identifier: Apache-2.0 */
/* From names to slots: a hash table over strings that belong to somebody else and stay
 * in place while they are in it. For the names of tables and servers, which come and
 * go. */
#ifndef ANALYSIS_NAME_INDEX_H
#define ANALYSIS_NAME_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct name_entry {
    const char *name; /* NULL: empty */
    uint32_t slot;
    uint32_t hash;
};

/* A zeroed one is empty. */
struct name_index {
    struct name_entry *entries; /* open addressing, at most half full */
    uint32_t size;              /* power of two, or 0 */
    uint32_t count;
};

void name_index_finish(struct name_index *ix);
/* The slot of a name, or UINT32_MAX. */
uint32_t name_index_find(const struct name_index *ix, const char *name);
/* The name must not be in it yet. */
void name_index_add(struct name_index *ix, const char *name, uint32_t slot);
/* Does nothing if the name is not in it. */
void name_index_remove(struct name_index *ix, const char *name);

#endif
