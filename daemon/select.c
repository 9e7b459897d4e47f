/* SPDX-License-Identifier: Apache-2.0 */
/* Selection by a bounded heap whose root is the last of those kept. No state; any
 * thread. */
#include "daemon/select.h"

#include "common/alloc.h"

struct heap {
    const struct select_rule *rule;
    uint32_t *rows;
    size_t count;
};

static bool
is_after(const struct heap *h, size_t a, size_t b)
{
    return h->rule->compare(h->rule->data, h->rows[a], h->rows[b]) > 0;
}

static void
swap(struct heap *h, size_t a, size_t b)
{
    uint32_t row = h->rows[a];

    h->rows[a] = h->rows[b];
    h->rows[b] = row;
}

static void
sift_down(struct heap *h, size_t at)
{
    for (;;) {
        size_t last = at;
        size_t left = 2 * at + 1, right = left + 1;
        if (left < h->count && is_after(h, left, last))
            last = left;
        if (right < h->count && is_after(h, right, last))
            last = right;
        if (last == at)
            return;
        swap(h, at, last);
        at = last;
    }
}

static void
sift_up(struct heap *h, size_t at)
{
    while (at > 0 && is_after(h, at, (at - 1) / 2)) {
        swap(h, at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
}

static void
offer(struct heap *h, size_t k, uint32_t row)
{
    if (h->count < k) {
        h->rows[h->count] = row;
        sift_up(h, h->count++);
    } else if (k > 0 && h->rule->compare(h->rule->data, row, h->rows[0]) < 0) {
        h->rows[0] = row;
        sift_down(h, 0);
    }
}

/* Takes the last of the heap to its end again and again. */
static void
sort_heap(struct heap *h)
{
    size_t count = h->count;

    while (h->count > 1) {
        h->count--;
        swap(h, 0, h->count);
        sift_down(h, 0);
    }
    h->count = count;
}

size_t
select_rows(const struct select_rule *rule, uint32_t n, size_t k, uint32_t **ret_rows,
            size_t *ret_wanted)
{
    size_t wanted = 0;

    if (k > n)
        k = n;
    struct heap h = {.rule = rule, .rows = xreallocarray(NULL, k, sizeof *h.rows)};
    for (uint32_t row = 0; row < n; row++) {
        if (rule->wanted != NULL && !rule->wanted(rule->data, row))
            continue;
        wanted++;
        offer(&h, k, row);
    }
    sort_heap(&h);
    *ret_rows = h.rows;
    if (ret_wanted != NULL)
        *ret_wanted = wanted;
    return h.count;
}
