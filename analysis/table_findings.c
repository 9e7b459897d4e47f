/* SPDX-License-Identifier: Apache-2.0 */
/* One function for each finding over the primaries of a table, in the order of their
 * keys. */
#include "analysis/table_findings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/load.h"
#include "analysis/registry.h"
#include "analysis/shell.h"
#include "common/alloc.h"
#include "common/words.h"

#define GIB 1073741824.0

const struct table_limits table_limits = {
    .small_bytes = 0.5 * GIB,
    .idle_ms = 60 * 60 * 1000,
    .regions_a_server = 30,
    .region_bytes = 20 * GIB,
    .uneven = 4,
    .uneven_bytes = GIB,
    .least_regions = 4,
};

static const char *const names[] = {
    [FINDING_MERGE] = "merge",
    [FINDING_MANY_REGIONS] = "many-regions",
    [FINDING_FEW_REGIONS] = "few-regions",
    [FINDING_UNEVEN_SIZES] = "uneven-sizes",
    [FINDING_FEW_SERVERS] = "few-servers",
};
static_assert(sizeof(names) / sizeof(names[0]) == FINDING_KIND_COUNT, "a name each");

const char *
table_finding_name(enum table_finding_kind kind)
{
    assert((size_t)kind < FINDING_KIND_COUNT);
    return names[kind];
}

struct table_findings *
table_findings_ref(struct table_findings *f)
{
    atomic_fetch_add_explicit(&f->refs, 1, memory_order_relaxed);
    return f;
}

struct table_findings *
table_findings_unref(struct table_findings *f)
{
    if (f == NULL || atomic_fetch_sub_explicit(&f->refs, 1, memory_order_acq_rel) != 1)
        return NULL;
    for (size_t i = 0; i < f->count; i++) {
        for (size_t k = 0; k < f->items[i].command_count; k++) {
            free(f->items[i].commands[k].command);
            free(f->items[i].commands[k].why);
        }
        free(f->items[i].text);
    }
    free(f);
    return NULL;
}

/* A table under inspection. */
struct inspection {
    const struct registry *r;
    const uint32_t *slots; /* of its primaries, by start key */
    uint32_t count;
    uint32_t live_servers;
    int64_t mono_ms;
    uint32_t *marks; /* by server slot: the last table seen on it */
    uint32_t table;
    struct table_findings *found; /* NULL: none yet */
};

static struct table_finding *
begin_finding(struct inspection *t, enum table_finding_kind kind, struct buf *text)
{
    if (t->found == NULL) {
        t->found = xcalloc(1, sizeof(*t->found));
        atomic_init(&t->found->refs, 1);
    }
    struct table_finding *f = &t->found->items[t->found->count++];
    f->kind = kind;
    f->text = buf_steal(text, NULL);
    return f;
}

static void
add_command(struct table_finding *f, char *command, const char *why)
{
    if (command == NULL || f->command_count == FINDING_COMMANDS) {
        free(command);
        return;
    }
    f->commands[f->command_count++] = (struct shell_command){command, xstrdup(why)};
}

static const struct region *
region_at(const struct inspection *t, uint32_t i)
{
    return &t->r->regions[t->slots[i]];
}

/* ---- merge ---- */

static bool
is_small_and_idle(const struct inspection *t, const struct region *region)
{
    return region->size_bytes >= 0 &&
           (double)region->size_bytes <= table_limits.small_bytes && region->fresh &&
           t->mono_ms - region->traffic_mono_ms >= table_limits.idle_ms &&
           t->mono_ms - region->first_mono_ms >= table_limits.idle_ms;
}

static bool
are_neighbours(const struct region_facts *a, const struct region_facts *b)
{
    return a->end_known && b->start_known && a->end_len > 0 &&
           a->end_len == b->start_len &&
           memcmp(region_end_key(a), region_start_key(b), a->end_len) == 0;
}

/* Pairs of neighbours, each region in one pair; no more than leave a region for each
 * server. Returns how many. */
static uint32_t
find_pairs(const struct inspection *t, uint32_t *firsts)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i + 1 < t->count && t->count - n > t->live_servers; i++) {
        const struct region *a = region_at(t, i), *b = region_at(t, i + 1);
        if (!is_small_and_idle(t, a) || !is_small_and_idle(t, b) ||
            !are_neighbours(a->facts, b->facts))
            continue;
        firsts[n++] = i++;
    }
    return n;
}

static void
look_for_merges(struct inspection *t)
{
    uint32_t *firsts = xcalloc(t->count + 1, sizeof(*firsts));
    uint32_t n = find_pairs(t, firsts);
    struct buf text;

    buf_init(&text, 0);
    if (n > 0) {
        words_of(&text, n, "pair of neighbouring regions has",
                 "pairs of neighbouring regions have");
        buf_adds(&text, " had no request for an hour or longer and hold at most ");
        words_bytes(&text, (int64_t)table_limits.small_bytes);
        buf_adds(&text,
                 n == 1 ? " each; it can be merged." : " each; they can be merged.");
        struct table_finding *f = begin_finding(t, FINDING_MERGE, &text);
        for (uint32_t i = 0; i < n && i < FINDING_COMMANDS; i++)
            add_command(f,
                        shell_merge(region_at(t, firsts[i])->id,
                                    region_at(t, firsts[i] + 1)->id),
                        "makes one region of two idle neighbours");
    }
    buf_finish(&text);
    free(firsts);
}

/* ---- numbers and sizes ---- */

static double
total_bytes(const struct inspection *t, uint32_t *ret_sized)
{
    double bytes = 0;

    *ret_sized = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        if (region_at(t, i)->size_bytes < 0)
            continue;
        bytes += (double)region_at(t, i)->size_bytes;
        (*ret_sized)++;
    }
    return bytes;
}

static void
look_at_number(struct inspection *t)
{
    uint32_t sized;
    double bytes = total_bytes(t, &sized);
    double mean = sized == 0 ? 0 : bytes / sized;
    double each = (double)t->count / t->live_servers;
    bool many = each > table_limits.regions_a_server;
    struct buf text;

    if (!many && mean <= table_limits.region_bytes)
        return;
    buf_init(&text, 0);
    words_of(&text, t->count, "region is ", "regions are ");
    words_number(&text, each);
    buf_adds(&text, " on each of ");
    words_of(&text, t->live_servers, "server", "servers");
    buf_adds(&text, "; 10 to 30, of all tables together, are good.");
    if (sized > 0) {
        buf_adds(&text, " A region holds ");
        words_bytes(&text, (int64_t)mean);
        buf_adds(&text, " on average.");
    }
    (void)begin_finding(t, many ? FINDING_MANY_REGIONS : FINDING_FEW_REGIONS, &text);
    buf_finish(&text);
}

static int
by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Sizes of the sized ones, ascending; *ret_largest is the slot of the last. */
static uint32_t
sort_sizes(const struct inspection *t, int64_t *sizes,
           const struct region **ret_largest)
{
    uint32_t n = 0;

    *ret_largest = NULL;
    for (uint32_t i = 0; i < t->count; i++) {
        const struct region *region = region_at(t, i);
        if (region->size_bytes < 0)
            continue;
        sizes[n++] = region->size_bytes;
        if (*ret_largest == NULL || region->size_bytes > (*ret_largest)->size_bytes)
            *ret_largest = region;
    }
    if (n > 1)
        qsort(sizes, n, sizeof(*sizes), by_value);
    return n;
}

static void
look_at_sizes(struct inspection *t)
{
    int64_t *sizes = xcalloc(t->count + 1, sizeof(*sizes));
    const struct region *largest;
    uint32_t n = sort_sizes(t, sizes, &largest);
    double median = (double)sizes[n / 2];
    struct buf text;

    free(sizes);
    if (n < table_limits.least_regions ||
        (double)largest->size_bytes < table_limits.uneven_bytes ||
        (double)largest->size_bytes < table_limits.uneven * median)
        return;
    buf_init(&text, 0);
    buf_adds(&text, "The largest region holds ");
    words_bytes(&text, largest->size_bytes);
    buf_adds(&text, ", the median is ");
    words_bytes(&text, (int64_t)median);
    buf_addc(&text, '.');
    struct table_finding *f = begin_finding(t, FINDING_UNEVEN_SIZES, &text);
    add_command(f, shell_split_region(largest->id), "splits the largest region");
    buf_finish(&text);
}

/* ---- servers ---- */

static void
look_at_servers(struct inspection *t)
{
    uint32_t most = t->count < t->live_servers ? t->count : t->live_servers;
    uint32_t used = 0, placed = 0;
    struct buf text;

    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t server = region_host(t->r, region_at(t, i));
        if (server == NO_INDEX)
            continue;
        placed++;
        used += t->marks[server] != t->table + 1;
        t->marks[server] = t->table + 1;
    }
    if (t->count < table_limits.least_regions || placed < t->count || used * 2 >= most)
        return;
    buf_init(&text, 0);
    buf_addf(&text, "Its %u regions are on %u of ", t->count, used);
    words_of(&text, t->live_servers, "server.", "servers.");
    struct table_finding *f = begin_finding(t, FINDING_FEW_SERVERS, &text);
    add_command(f, shell_balancer(), "lets HBase spread the regions over the servers");
    buf_finish(&text);
}

/* ---- all tables ---- */

static int
by_table_and_key(const void *a, const void *b, void *registry)
{
    const struct registry *r = registry;
    const struct region *x = &r->regions[*(const uint32_t *)a];
    const struct region *y = &r->regions[*(const uint32_t *)b];

    if (x->table != y->table)
        return x->table < y->table ? -1 : 1;
    return region_compare_starts(x->facts, y->facts);
}

static bool
is_inspected(const struct registry *r, const struct region *region)
{
    return region->facts != NULL && !region->split && region->replica == 0 &&
           !r->tables[region->table].is_meta;
}

static void
inspect(struct registry *r, struct inspection *t)
{
    static void (*const looks[])(struct inspection * t) = {
        look_for_merges, look_at_number, look_at_sizes, look_at_servers};
    struct table *table = &r->tables[t->table];

    for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
        looks[i](t);
    table->findings = t->found;
}

void
table_findings_update(struct registry *r, uint32_t live_servers, int64_t mono_ms)
{
    uint32_t *slots = xcalloc(r->region_slots + 1, sizeof(*slots));
    uint32_t *marks = xcalloc(r->server_slots + 1, sizeof(*marks));
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->table_slots; i++)
        r->tables[i].findings = table_findings_unref(r->tables[i].findings);
    for (uint32_t i = 0; i < r->region_slots && live_servers > 0; i++)
        if (is_inspected(r, &r->regions[i]))
            slots[n++] = i;
    if (n > 1)
        qsort_r(slots, n, sizeof(*slots), by_table_and_key, r);
    for (uint32_t i = 0, count; i < n; i += count) {
        uint32_t table = r->regions[slots[i]].table;
        count = 1;
        while (i + count < n && r->regions[slots[i + count]].table == table)
            count++;
        struct inspection t = {r,       slots + i, count, live_servers,
                               mono_ms, marks,     table, NULL};
        inspect(r, &t);
    }
    free(slots);
    free(marks);
}
