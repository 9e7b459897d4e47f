/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a listing. The builder owns the name tables and the side table of end texts;
 * rows and arena grow inside the caller's struct listing. One thread at a time. */
#include "collectors/listing_build.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/server_name.h"
#include "common/alloc.h"
#include "common/buf.h"
#include "common/intern.h"
#include "common/row_key.h"

/* A key of 32 KiB in each of many rows is hostile. */
enum { ARENA_MAX = 512 * 1024 * 1024 };

/* Side table, parallel to the rows. */
struct side {
    const char *end_text; /* NULL: the source says nothing */
    size_t end_len;
    bool dropped;
};

struct listing_build {
    struct listing *listing;
    size_t max_rows;
    size_t row_cap;
    size_t arena_cap;
    struct side *sides;
    size_t side_cap;
    struct intern *tables;
    struct intern *servers;
    struct region_id *transitions;
    size_t transition_count;
    size_t transition_cap;
    bool incomplete;
    struct buf text; /* an escaped key */
};

struct listing_build *
listing_build_create(struct listing *listing, size_t max_rows)
{
    struct listing_build *b = xcalloc(1, sizeof(*b));

    b->listing = listing;
    b->max_rows = max_rows < UINT32_MAX ? max_rows : UINT32_MAX - 1;
    b->tables = intern_create();
    b->servers = intern_create();
    buf_init(&b->text, 0);
    return b;
}

struct listing_build *
listing_build_destroy(struct listing_build *b)
{
    if (b == NULL)
        return NULL;
    intern_destroy(b->tables);
    intern_destroy(b->servers);
    free(b->sides);
    free(b->transitions);
    buf_finish(&b->text);
    free(b);
    return NULL;
}

struct listing_row *
listing_build_row(struct listing_build *b, size_t row)
{
    assert(row < b->listing->row_count);
    return &b->listing->rows[row];
}

size_t
listing_build_count(const struct listing_build *b)
{
    return b->listing->row_count;
}

uint32_t
listing_build_server(struct listing_build *b, const char *name)
{
    return intern_add(b->servers, name);
}

void
listing_build_end_text(struct listing_build *b, size_t row, const char *text,
                       size_t len)
{
    assert(row < b->listing->row_count);
    b->sides[row].end_text = text;
    b->sides[row].end_len = len;
}

void
listing_build_in_transition(struct listing_build *b, struct region_id id)
{
    /* More than rows are no help to anybody. */
    if (b->transition_count >= b->max_rows)
        return;
    xgrow(&b->transitions, &b->transition_cap, b->transition_count + 1, sizeof(id));
    b->transitions[b->transition_count++] = id;
}

void
listing_build_incomplete(struct listing_build *b)
{
    b->incomplete = true;
}

int
listing_build_add_id(struct listing_build *b, struct region_id id, const char *table,
                     size_t table_len, size_t *ret_row)
{
    struct listing *listing = b->listing;

    if (!table_name_valid(table, table_len))
        return -EINVAL;
    if (listing->row_count >= b->max_rows)
        return -E2BIG;
    size_t row = listing->row_count;
    xgrow(&listing->rows, &b->row_cap, row + 1, sizeof(listing->rows[0]));
    xgrow(&b->sides, &b->side_cap, row + 1, sizeof(b->sides[0]));
    listing->rows[row] = (struct listing_row){
        .id = id,
        .table = intern_add_n(b->tables, table, table_len),
        .server = UINT32_MAX,
        .created_ms = -1,
        .size_bytes = -1,
        .locality = NAN,
    };
    b->sides[row] = (struct side){0};
    listing->row_count++;
    *ret_row = row;
    return 0;
}

int
listing_build_add(struct listing_build *b, const struct region_name *name,
                  size_t *ret_row)
{
    struct listing *listing = b->listing;

    size_t key_len = name->exact ? name->start_len : 0;
    if (key_len > ARENA_MAX - listing->arena_len)
        return -E2BIG;
    int r = listing_build_add_id(b, name->id, name->table, name->table_len, ret_row);
    if (r < 0)
        return r;
    struct listing_row *row = &listing->rows[*ret_row];
    row->replica = name->replica;
    row->created_ms = name->created_ms;
    row->start_known = name->exact;
    row->start_key = (uint32_t)listing->arena_len;
    row->start_len = (uint32_t)key_len;
    if (key_len > 0) {
        xgrow(&listing->arena, &b->arena_cap, listing->arena_len + key_len, 1);
        memcpy(listing->arena + listing->arena_len, name->start, key_len);
        listing->arena_len += key_len;
    }
    return 0;
}

/* ---- completion ---- */

static int
compare_start(const struct listing *l, const struct listing_row *a,
              const struct listing_row *b)
{
    size_t n = a->start_len < b->start_len ? a->start_len : b->start_len;
    int r = n == 0 ? 0 : memcmp(l->arena + a->start_key, l->arena + b->start_key, n);

    return r != 0 ? r : (a->start_len > b->start_len) - (a->start_len < b->start_len);
}

/* By id and the order of reading. */
static int
compare_row_ids(const void *pa, const void *pb, void *user)
{
    const struct listing_row *rows = user;
    uint32_t ia = *(const uint32_t *)pa, ib = *(const uint32_t *)pb;
    int r = region_id_compare(rows[ia].id, rows[ib].id);

    return r != 0 ? r : (ia > ib) - (ia < ib);
}

/* By table, replica, start key, age, and id. */
static int
compare_rows(const void *pa, const void *pb, void *user)
{
    const struct listing *l = user;
    uint32_t ia = *(const uint32_t *)pa, ib = *(const uint32_t *)pb;
    const struct listing_row *a = &l->rows[ia], *b = &l->rows[ib];

    if (a->table != b->table)
        return a->table < b->table ? -1 : 1;
    if (a->replica != b->replica)
        return a->replica < b->replica ? -1 : 1;
    int r = compare_start(l, a, b);
    if (r != 0)
        return r;
    if (a->created_ms != b->created_ms)
        return a->created_ms < b->created_ms ? -1 : 1;
    return region_id_compare(a->id, b->id);
}

static int64_t
freshness_of(const struct listing_row *row, const int64_t *freshness)
{
    return freshness == NULL || row->server == UINT32_MAX ? INT64_MIN
                                                          : freshness[row->server];
}

/* Of two rows with one id: a name that gives the id before a damaged one, then the
 * fresher, then the one read later. */
static bool
goes_before(const struct listing_row *later, const struct listing_row *earlier,
            const int64_t *freshness)
{
    if (later->start_known != earlier->start_known)
        return later->start_known;
    return freshness_of(later, freshness) >= freshness_of(earlier, freshness);
}

/* Keeps one row of each id. */
static size_t
drop_doubles(struct listing_build *b, uint32_t *order, size_t count,
             const int64_t *freshness)
{
    struct listing_row *rows = b->listing->rows;
    size_t kept = 0;

    qsort_r(order, count, sizeof(order[0]), compare_row_ids, rows);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = order[i];
        if (kept == 0 || !region_id_equal(rows[order[kept - 1]].id, rows[row].id)) {
            order[kept++] = row;
            continue;
        }
        uint32_t other = order[kept - 1];
        bool better = goes_before(&rows[row], &rows[other], freshness);
        b->sides[better ? other : row].dropped = true;
        order[kept - 1] = better ? row : other;
    }
    return kept;
}

static int
compare_ids(const void *a, const void *b)
{
    return region_id_compare(*(const struct region_id *)a,
                             *(const struct region_id *)b);
}

/* Marks the rows whose region is in transition; false if one of those has no row. */
static bool
mark_transitions(struct listing_build *b)
{
    struct region_id *ids = b->transitions;
    size_t distinct = 0, found = 0;

    if (b->transition_count == 0)
        return true;
    qsort(ids, b->transition_count, sizeof(ids[0]), compare_ids);
    for (size_t i = 0; i < b->transition_count; i++) {
        if (distinct == 0 || !region_id_equal(ids[distinct - 1], ids[i]))
            ids[distinct++] = ids[i];
    }
    for (size_t i = 0; i < b->listing->row_count; i++) {
        struct listing_row *row = &b->listing->rows[i];
        if (b->sides[i].dropped ||
            bsearch(&row->id, ids, distinct, sizeof(ids[0]), compare_ids) == NULL)
            continue;
        row->in_transition = true;
        found++;
    }
    return found == distinct;
}

/* Does the source's own text of the end key allow this key? */
static bool
end_agrees(struct listing_build *b, const struct side *side, const char *key,
           size_t len)
{
    if (side->end_text == NULL)
        return true;
    buf_reset(&b->text);
    row_key_escape(&b->text, key, len);
    const char *text = b->text.data;
    size_t n = b->text.len;
    while (n > 0 && text[n - 1] == ' ')
        n--;
    while (n > 0 && text[0] == ' ') {
        text++;
        n--;
    }
    return n == side->end_len && memcmp(text, side->end_text, n) == 0;
}

static void
set_end(struct listing_build *b, uint32_t row, const struct listing_row *next)
{
    struct listing *l = b->listing;
    uint32_t start = next == NULL ? 0 : next->start_key;
    uint32_t len = next == NULL ? 0 : next->start_len;

    if (!end_agrees(b, &b->sides[row], len == 0 ? "" : l->arena + start, len))
        return;
    l->rows[row].end_key = start;
    l->rows[row].end_len = len;
    l->rows[row].end_known = true;
}

/* The rows order[0..count) are all of one table and replica, by start key. */
static void
complete_group(struct listing_build *b, const uint32_t *order, size_t count)
{
    struct listing *l = b->listing;

    for (size_t i = 0; i < count; i++) {
        if (!l->rows[order[i]].start_known)
            return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct listing_row *row = &l->rows[order[i]];
        const struct listing_row *next = i + 1 < count ? &l->rows[order[i + 1]] : NULL;
        bool shared = i > 0 && compare_start(l, &l->rows[order[i - 1]], row) == 0;
        if (next != NULL && compare_start(l, row, next) == 0)
            continue; /* the parent of a daughter */
        if (shared && next != NULL && next->created_ms < row->created_ms)
            continue; /* a merged region, still beside what it is made of */
        set_end(b, order[i], next);
    }
}

static void
complete_ends(struct listing_build *b, const uint32_t *order, size_t count)
{
    const struct listing_row *rows = b->listing->rows;

    for (size_t first = 0, end; first < count; first = end) {
        const struct listing_row *row = &rows[order[first]];
        for (end = first + 1; end < count; end++) {
            const struct listing_row *other = &rows[order[end]];
            if (other->table != row->table || other->replica != row->replica)
                break;
        }
        complete_group(b, order + first, end - first);
    }
}

static void
remove_dropped(struct listing_build *b)
{
    struct listing *l = b->listing;
    size_t kept = 0;

    for (size_t i = 0; i < l->row_count; i++) {
        if (!b->sides[i].dropped)
            l->rows[kept++] = l->rows[i];
    }
    l->row_count = kept;
}

static char **
copy_names(const struct intern *names, size_t *ret_count)
{
    size_t count = intern_count(names);
    char **copy = xcalloc(count, sizeof(char *));

    for (size_t i = 0; i < count; i++)
        copy[i] = xstrdup(intern_text(names, (uint32_t)i));
    *ret_count = count;
    return copy;
}

void
listing_build_finish(struct listing_build *b, const int64_t *freshness)
{
    struct listing *l = b->listing;
    size_t count = l->row_count;
    uint32_t *order = xcalloc(count, sizeof(order[0]));

    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    count = drop_doubles(b, order, count, freshness);
    qsort_r(order, count, sizeof(order[0]), compare_rows, l);
    if (mark_transitions(b) && !b->incomplete)
        complete_ends(b, order, count);
    free(order);
    remove_dropped(b);
    l->tables = copy_names(b->tables, &l->table_count);
    l->servers = copy_names(b->servers, &l->server_count);
}
