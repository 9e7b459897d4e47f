/* SPDX-License-Identifier: Apache-2.0 */
/* Sticky top K over rows that are known by a key. The member array belongs to the
 * struct; main thread only. */
#include "daemon/sticky.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

#define NO_ROW UINT32_MAX

void
sticky_init(struct sticky *t)
{
    *t = (struct sticky){0};
}

void
sticky_finish(struct sticky *t)
{
    free(t->items);
    sticky_init(t);
}

/* Where the key is or belongs. */
static size_t
lower_bound(const struct sticky *t, struct region_id key)
{
    size_t low = 0, high = t->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (region_id_compare(t->items[middle].key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct sticky_member *
find(struct sticky *t, struct region_id key)
{
    size_t at = lower_bound(t, key);

    if (at == t->count || !region_id_equal(t->items[at].key, key))
        return NULL;
    return &t->items[at];
}

static void
insert(struct sticky *t, struct sticky_member member)
{
    size_t at = lower_bound(t, member.key);

    xgrow(&t->items, &t->cap, t->count + 1, sizeof *t->items);
    memmove(&t->items[at + 1], &t->items[at], (t->count - at) * sizeof *t->items);
    t->items[at] = member;
    t->count++;
}

static void
drop(struct sticky *t, size_t at)
{
    t->count--;
    memmove(&t->items[at], &t->items[at + 1], (t->count - at) * sizeof *t->items);
}

/* Finds each member's row and rank in this update. */
static void
locate(struct sticky *t, const struct sticky_input *in)
{
    for (size_t i = 0; i < t->count; i++) {
        t->items[i].row = NO_ROW;
        t->items[i].rank = UINT32_MAX;
        t->items[i].hot = false;
    }
    for (uint32_t row = 0; t->count > 0 && row < in->row_count; row++) {
        struct sticky_member *m = find(t, in->key(in->data, row));
        if (m != NULL)
            m->row = row;
    }
    for (size_t i = 0; i < in->top_count; i++) {
        struct sticky_member *m = find(t, in->key(in->data, in->top[i]));
        if (m != NULL)
            m->rank = (uint32_t)i;
    }
    for (size_t i = 0; i < in->hot_count; i++) {
        struct sticky_member *m = find(t, in->key(in->data, in->hot[i]));
        if (m != NULL)
            m->hot = true;
    }
}

/* Drops who is gone or has been below 2K for too long. */
static void
age(struct sticky *t, int64_t mono_ms)
{
    for (size_t i = t->count; i-- > 0;) {
        struct sticky_member *m = &t->items[i];
        if (m->hot || m->rank != UINT32_MAX)
            m->below_since_ms = -1;
        else if (m->below_since_ms < 0)
            m->below_since_ms = mono_ms;
        bool stayed =
            m->below_since_ms >= 0 && mono_ms - m->below_since_ms >= STICKY_STAY_MS;
        if (m->row == NO_ROW || stayed)
            drop(t, i);
    }
}

/* Drops the member of the worst rank that is not hot; false if all are hot. */
static bool
displace(struct sticky *t)
{
    size_t worst = t->count;

    for (size_t i = 0; i < t->count; i++)
        if (!t->items[i].hot &&
            (worst == t->count || t->items[i].rank > t->items[worst].rank))
            worst = i;
    if (worst == t->count)
        return false;
    drop(t, worst);
    return true;
}

static struct sticky_member
member_of(const struct sticky_input *in, uint32_t row, uint32_t rank, bool hot)
{
    return (struct sticky_member){
        .key = in->key(in->data, row),
        .row = row,
        .rank = rank,
        .hot = hot,
        .below_since_ms = -1,
    };
}

/* Gives hot rows a place; there are no more of them than places. */
static void
add_hot(struct sticky *t, const struct sticky_input *in)
{
    for (size_t i = 0; i < in->hot_count; i++) {
        if (find(t, in->key(in->data, in->hot[i])) != NULL)
            continue;
        if (t->count >= in->max && !displace(t))
            assert(false);
        insert(t, member_of(in, in->hot[i], UINT32_MAX, true));
    }
}

void
sticky_update(struct sticky *t, const struct sticky_input *in)
{
    assert(in->hot_count <= in->max);
    locate(t, in);
    age(t, in->mono_ms);
    while (t->count > in->max && displace(t))
        ;
    add_hot(t, in);
    for (size_t i = 0; i < in->top_count && i < in->enter && t->count < in->max; i++)
        if (find(t, in->key(in->data, in->top[i])) == NULL)
            insert(t, member_of(in, in->top[i], (uint32_t)i, false));
}
