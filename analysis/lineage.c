/* SPDX-License-Identifier: Apache-2.0 */
/* Matching of born regions with those that were there before, table by table. Rare
 * work: it begins only when a region was born, and looks at such tables only. Regions
 * are sorted by start key, so that a table of n regions that is recreated costs n log
 * n. */
#include "analysis/lineage.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/descent.h"
#include "common/alloc.h"

/* A region of a table that has born ones. */
struct candidate {
    const struct region *region;
    uint32_t slot;
    bool heir; /* as a born region; else as a possible parent */
};

/* Those of one table. */
struct family {
    const struct candidate *born; /* as they were created */
    uint32_t born_count;
    const struct candidate *all; /* the born ones, too: they may have daughters */
    uint32_t all_count;
    uint32_t *ranged; /* slots of those with both keys, by start key */
    uint32_t ranged_count;
    uint32_t *reach; /* of ranged[0..i] the one that ends last */
};

static const struct region_facts *
facts_of(const struct descent *m, uint32_t slot)
{
    return m->r->regions[slot].facts;
}

/* ---- keys ---- */

/* An empty end key is the end of the table. */
static int
compare_ends(const struct region_facts *a, const struct region_facts *b)
{
    if (a->end_len == 0 || b->end_len == 0)
        return (a->end_len == 0) - (b->end_len == 0);
    return row_key_compare(region_end_key(a), a->end_len, region_end_key(b),
                           b->end_len);
}

static bool
has_range(const struct region_facts *f)
{
    return f->start_known && f->end_known;
}

static bool
contains(const struct region_facts *outer, const struct region_facts *inner)
{
    return outer->replica == inner->replica &&
           region_compare_starts(inner, outer) >= 0 && compare_ends(inner, outer) <= 0;
}

static bool
same_range(const struct region_facts *a, const struct region_facts *b)
{
    return a->replica == b->replica && region_compare_starts(a, b) == 0 &&
           compare_ends(a, b) == 0;
}

/* ---- gone or not ---- */

/* Sampled before, and not in the newest answer of its server. */
static bool
has_vanished(const struct registry *r, const struct region *region)
{
    if (region->split)
        return true;
    if (region->sampled_mono_ms == NEVER)
        return false;
    return region->server == NO_INDEX || r->servers[region->server].dead ||
           r->servers[region->server].replaced || !region_in_answer(r, region);
}

/* Enough where a younger region has its keys: a listing of its table lacks it. Servers
 * may go on showing what they closed. */
static bool
is_gone(const struct descent *m, uint32_t slot)
{
    const struct region *region = &m->r->regions[slot];

    return has_vanished(m->r, region) ||
           (region->listed_mono_ms != NEVER &&
            region->listed_mono_ms < m->r->tables[region->table].listed_ms);
}

/* ---- matching by keys ---- */

/* How many of the ranged begin before the region; or before or with it. */
static uint32_t
starting_before(const struct descent *m, const struct family *f,
                const struct region_facts *b, bool or_with)
{
    uint32_t low = 0, high = f->ranged_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = region_compare_starts(facts_of(m, f->ranged[middle]), b);
        if (order < 0 || (or_with && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The matches below are true if they tell what the region is, though it may be too
 * early to act: until its server has answered again, a parent may still look alive. */

static bool
match_replaced(struct descent *m, const struct family *f, uint32_t slot)
{
    const struct region_facts *b = facts_of(m, slot);
    uint32_t end = starting_before(m, f, b, true);

    for (uint32_t i = starting_before(m, f, b, false); i < end; i++) {
        const struct region *v = &m->r->regions[f->ranged[i]];
        if (v->split || f->ranged[i] == slot || !same_range(v->facts, b) ||
            v->facts->created_ms > b->created_ms)
            continue;
        if (is_gone(m, f->ranged[i]))
            descent_replace(m, f->ranged[i], slot);
        return true;
    }
    return false;
}

/* The youngest older region that holds the new one. */
static bool
match_split(struct descent *m, const struct family *f, uint32_t daughter)
{
    const struct region_facts *b = facts_of(m, daughter);
    uint32_t parent = NO_INDEX;

    for (uint32_t i = starting_before(m, f, b, true); i-- > 0;) {
        const struct region_facts *v = facts_of(m, f->ranged[i]);
        if (compare_ends(facts_of(m, f->reach[i]), b) < 0)
            break; /* none of those before reaches it */
        if (contains(v, b) && !same_range(v, b) && v->created_ms <= b->created_ms &&
            (parent == NO_INDEX || v->created_ms > facts_of(m, parent)->created_ms))
            parent = f->ranged[i];
    }
    if (parent == NO_INDEX)
        return false;
    if (is_gone(m, parent))
        descent_split(m, parent, daughter);
    return true;
}

/* The older regions that lie in the new one, if two or more. */
static bool
match_merge(struct descent *m, const struct family *f, uint32_t merged)
{
    const struct region_facts *b = facts_of(m, merged);
    uint32_t parents[ALERT_MEMBERS_MAX], n = 0;
    bool all_gone = true;

    for (uint32_t i = starting_before(m, f, b, false);
         i < f->ranged_count && n < ALERT_MEMBERS_MAX; i++) {
        const struct region *v = &m->r->regions[f->ranged[i]];
        if (b->end_len != 0 &&
            row_key_compare(region_start_key(v->facts), v->facts->start_len,
                            region_end_key(b), b->end_len) >= 0)
            break;
        if (v->split || !contains(b, v->facts) || same_range(v->facts, b) ||
            v->facts->created_ms > b->created_ms)
            continue;
        all_gone &= is_gone(m, f->ranged[i]);
        parents[n++] = f->ranged[i];
    }
    if (n < 2)
        return false;
    if (all_gone)
        descent_merge(m, parents, n, merged);
    return true;
}

/* ---- matching by numbers ---- */

/* A listing may still tell the keys. */
static bool
keys_may_come(const struct descent *m, uint32_t slot)
{
    const struct region *b = &m->r->regions[slot];

    return m->r->tables[b->table].listed_ms != NEVER && b->listed_mono_ms == NEVER;
}

/* Two daughters appear within the time in which their servers are polled. */
static bool
came_together(const struct descent *m, uint32_t a, uint32_t b)
{
    int64_t apart = m->r->regions[a].first_mono_ms - m->r->regions[b].first_mono_ms;

    return llabs(apart) <= registry_patience_ms(m->r);
}

/* An heir appears when its parent vanishes, give or take a few lost polls, and not
 * before it. */
static bool
took_over(const struct descent *m, uint32_t parent, uint32_t heir)
{
    const struct region *p = &m->r->regions[parent], *h = &m->r->regions[heir];
    int64_t patience = registry_patience_ms(m->r);
    int64_t apart = h->first_mono_ms - p->sampled_mono_ms;

    return h->first_mono_ms > p->first_mono_ms && apart >= -patience &&
           apart <= 3 * patience;
}

/* Where an heir has keys, numbers say something only of a parent that was gone before
 * there were any: one that came and went between two listings is anybody's. */
static bool
may_inherit(const struct descent *m, uint32_t parent, uint32_t heir)
{
    const struct region *p = &m->r->regions[parent];
    int64_t since = m->r->tables[p->table].first_listed_ms;

    if (!took_over(m, parent, heir))
        return false;
    return !has_range(facts_of(m, heir)) ||
           (!has_range(p->facts) && p->sampled_mono_ms <= since);
}

/* Which of the regions with this replica number went; at most 3 are told apart. */
static uint32_t
find_gone(const struct descent *m, const struct family *f, uint16_t replica,
          uint32_t gone[static 3])
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < f->all_count && n < 3; i++) {
        const struct region *region = f->all[i].region;
        if (!region->split && region->replica == replica && has_vanished(m->r, region))
            gone[n++] = f->all[i].slot;
    }
    return n;
}

/* And which came when these went. */
static uint32_t
find_heirs(const struct descent *m, const struct family *f, uint16_t replica,
           const uint32_t *gone, uint32_t gone_count, uint32_t heirs[static 3])
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < f->born_count && n < 3; i++) {
        const struct region *region = f->born[i].region;
        bool heir = region->born && region->replica == replica &&
                    !has_vanished(m->r, region) && !keys_may_come(m, f->born[i].slot);
        for (uint32_t j = 0; j < gone_count && heir; j++)
            heir = may_inherit(m, gone[j], f->born[i].slot);
        if (heir)
            heirs[n++] = f->born[i].slot;
    }
    return n;
}

static void
match_by_count(struct descent *m, const struct family *f, uint16_t replica)
{
    uint32_t gone[3], heirs[3];
    uint32_t v = find_gone(m, f, replica, gone);

    if (v != 1 && v != 2)
        return;
    uint32_t b = find_heirs(m, f, replica, gone, v, heirs);
    if (v == 1 && b == 2 && came_together(m, heirs[0], heirs[1])) {
        descent_split(m, gone[0], heirs[0]);
        descent_split(m, gone[0], heirs[1]);
    } else if (v == 2 && b == 1) {
        descent_merge(m, gone, 2, heirs[0]);
    }
}

static void
match_without_keys(struct descent *m, const struct family *f)
{
    for (uint32_t i = 0; i < f->born_count; i++) {
        uint16_t replica = f->born[i].region->replica;
        uint32_t j = 0;
        while (j < i && f->born[j].region->replica != replica)
            j++;
        if (j == i) /* the first of its replica number */
            match_by_count(m, f, replica);
    }
}

/* ---- families ---- */

static int
by_start(const void *a, const void *b, void *match)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = region_compare_starts(facts_of(match, x), facts_of(match, y));

    return order != 0 ? order : (x > y) - (x < y);
}

/* Sorts the regions with keys and finds their reach. */
static void
sort_ranged(struct descent *m, struct family *f)
{
    f->ranged_count = 0;
    for (uint32_t i = 0; i < f->all_count; i++)
        if (has_range(f->all[i].region->facts))
            f->ranged[f->ranged_count++] = f->all[i].slot;
    qsort_r(f->ranged, f->ranged_count, sizeof(*f->ranged), by_start, m);
    for (uint32_t i = 0; i < f->ranged_count; i++) {
        f->reach[i] = f->ranged[i];
        if (i > 0 &&
            compare_ends(facts_of(m, f->reach[i - 1]), facts_of(m, f->ranged[i])) > 0)
            f->reach[i] = f->reach[i - 1];
    }
}

static void
match_family(struct descent *m, struct family *f)
{
    sort_ranged(m, f);
    bool keyless = f->ranged_count < f->all_count;

    for (uint32_t i = 0; i < f->born_count; i++) {
        uint32_t slot = f->born[i].slot;
        if (has_range(facts_of(m, slot)) && !match_replaced(m, f, slot) &&
            !match_split(m, f, slot))
            match_merge(m, f, slot);
    }
    if (keyless)
        match_without_keys(m, f);
}

/* By table; heirs first, of these the older first. */
static int
by_family(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    uint32_t s = x->region->table, t = y->region->table;
    int64_t c = x->region->facts->created_ms, d = y->region->facts->created_ms;

    if (s != t)
        return s < t ? -1 : 1;
    if (x->heir != y->heir)
        return x->heir ? -1 : 1;
    if (x->heir && c != d)
        return c < d ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

/* A born region is in it twice: as heir, and as parent of others. */
static uint32_t
collect(const struct registry *r, const bool *tables, struct candidate **list,
        size_t *cap)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->region_slots; i++) {
        const struct region *region = &r->regions[i];
        if (region->facts == NULL || !tables[region->table])
            continue;
        xgrow(list, cap, n + 2, sizeof(**list));
        if (region->born)
            (*list)[n++] = (struct candidate){region, i, true};
        (*list)[n++] = (struct candidate){region, i, false};
    }
    if (n > 0)
        qsort(*list, n, sizeof(**list), by_family);
    return n;
}

/* Nothing is to be matched in a table from which nothing went. */
static bool
lost_some(const struct descent *m, const struct family *f)
{
    for (uint32_t i = 0; i < f->all_count; i++)
        if (is_gone(m, f->all[i].slot))
            return true;
    return false;
}

/* While an alert's region is missing, what was born since may be its heir: it opens no
 * alert of its own before that is known, or a listing could long have told it. */
static void
hold_back(struct descent *m, const struct family *f)
{
    bool missing = false;

    for (uint32_t i = 0; i < f->all_count && !missing; i++) {
        const struct region *region = f->all[i].region;
        missing =
            region->episode != NO_INDEX && !region->split && has_vanished(m->r, region);
    }
    for (uint32_t i = 0; i < f->born_count; i++) {
        struct region *region = &m->r->regions[f->born[i].slot];
        int64_t age = m->now.mono_ms - region->first_mono_ms;
        region->waiting =
            missing && region->born && age <= 3 * registry_patience_ms(m->r);
    }
}

static void
match_families(struct descent *m, const bool *tables)
{
    struct candidate *list = NULL;
    size_t cap = 0;
    uint32_t n = collect(m->r, tables, &list, &cap);
    struct family f = {.ranged = xcalloc(n, sizeof(*f.ranged)),
                       .reach = xcalloc(n, sizeof(*f.reach))};

    for (uint32_t i = 0; i < n; i += f.born_count + f.all_count) {
        uint32_t j = i, k;
        while (j < n && list[j].heir && list[j].region->table == list[i].region->table)
            j++;
        for (k = j; k < n && list[k].region->table == list[i].region->table;)
            k++;
        f.born = list + i;
        f.born_count = j - i;
        f.all = list + j;
        f.all_count = k - j;
        if (f.born_count > 0 && lost_some(m, &f))
            match_family(m, &f);
        hold_back(m, &f);
    }
    free(f.ranged);
    free(f.reach);
    free(list);
}

/* ---- upkeep ---- */

/* Notes the tables with born regions; forgets that of those that found no origin in
 * time. */
static bool
mark_tables(struct descent *m, bool *tables)
{
    bool any = false;

    for (uint32_t i = 0; i < m->r->region_slots; i++) {
        struct region *region = &m->r->regions[i];
        if (region->facts == NULL)
            continue;
        if (region->episode != NO_INDEX && !region->split)
            descent_undo(m, i);
        region->waiting = false;
        if (!region->born)
            continue;
        region->born = m->now.mono_ms - region->first_mono_ms <= HOLD_MS;
        any |= tables[region->table] |= region->born;
    }
    return any;
}

void
lineage_update(struct detector *d, struct registry *r, struct moment now,
               struct engine_counters *counters)
{
    struct descent m = {d, r, now, counters};
    bool *tables = xcalloc(r->table_slots, sizeof(*tables));

    if (mark_tables(&m, tables))
        match_families(&m, tables);
    free(tables);
}
