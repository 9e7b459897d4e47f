/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of entries, each with a reference to its region's facts. The engine's thread
 * writes; readers hold the daemon's lock. */
#include "analysis/chronicle.h"

#include <assert.h>
#include <stdlib.h>

#include "common/alloc.h"

void
chronicle_finish(struct chronicle *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        region_facts_unref(c->entries[i].region);
    free(c->entries);
    *c = (struct chronicle){0};
}

void
chronicle_add(struct chronicle *c, int64_t time_ms, enum lineage_event event,
              struct region_facts *region)
{
    if (c->entries == NULL)
        c->entries = xcalloc(CHRONICLE_MAX, sizeof *c->entries);
    struct chronicle_entry *e = &c->entries[c->next];
    if (c->count == CHRONICLE_MAX)
        region_facts_unref(e->region);
    else
        c->count++;
    *e = (struct chronicle_entry){time_ms, event, region_facts_ref(region)};
    c->next = (c->next + 1) % CHRONICLE_MAX;
}

const struct chronicle_entry *
chronicle_newest(const struct chronicle *c, uint32_t i)
{
    assert(i < c->count);
    return &c->entries[(c->next + CHRONICLE_MAX - 1 - i) % CHRONICLE_MAX];
}
