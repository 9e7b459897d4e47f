/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics over sampled rows. Quadratic work is bounded by ROW_SAMPLES_MAX and done
 * once a session. The engine's thread only. */
#include "analysis/row_heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/row_key.h"

void
row_heat_finish(struct row_heat *h)
{
    space_saving_finish(&h->rows);
    space_saving_finish(&h->clients);
    for (size_t i = 0; i < ROW_SAMPLES_MAX; i++)
        free(h->newest[i].row);
    *h = (struct row_heat){0};
}

/* ---- taking in ---- */

static void
push(struct row_heat *h, const void *row, size_t len, int64_t mono_ms)
{
    struct timed_row *t = &h->newest[h->added++ % ROW_SAMPLES_MAX];

    free(t->row);
    t->row = (uint8_t *)xmemdup0(row, len);
    t->len = len;
    t->mono_ms = mono_ms;
}

void
row_heat_add(struct row_heat *h, bool scan, const void *row, size_t len,
             const char *client, int64_t mono_ms)
{
    h->number++;
    if (client != NULL && strlen(client) <= CLIENT_LENGTH_MAX)
        space_saving_add(&h->clients, client, strlen(client));
    h->scans += scan;
    if (scan || len == 0 || len > ROW_LENGTH_MAX)
        return;
    space_saving_add(&h->rows, row, len);
    push(h, row, len, mono_ms);
}

/* ---- order ---- */

static size_t
kept(const struct row_heat *h)
{
    return h->added < ROW_SAMPLES_MAX ? h->added : ROW_SAMPLES_MAX;
}

/* The i-th of the kept rows, oldest first. */
static const struct timed_row *
row_at(const struct row_heat *h, size_t i)
{
    return &h->newest[(h->added - kept(h) + i) % ROW_SAMPLES_MAX];
}

/* Kendall's tau-a over all pairs: equal rows count as neither, so that one row read
 * again and again does not rise. NaN below ROWS_TO_JUDGE rows. */
static double
kendall(const struct row_heat *h)
{
    size_t n = kept(h);
    double s = 0;

    if (n < ROWS_TO_JUDGE)
        return NAN;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            const struct timed_row *a = row_at(h, i), *b = row_at(h, j);
            int order = row_key_compare(b->row, b->len, a->row, a->len);
            s += (order > 0) - (order < 0);
        }
    }
    return s / ((double)n * (double)(n - 1) / 2);
}

void
row_heat_settle(struct row_heat *h)
{
    space_saving_sort(&h->rows);
    space_saving_sort(&h->clients);
    h->tau = kendall(h);
}

/* ---- questions ---- */

size_t
row_heat_since(const struct row_heat *h, int64_t mono_ms)
{
    size_t n = 0;

    for (size_t i = 0; i < kept(h); i++)
        n += row_at(h, i)->mono_ms > mono_ms;
    return n;
}

double
row_heat_share(const struct space_saving *s, size_t place)
{
    const struct space_counter *c = &s->counters[place];

    return (double)(c->count - c->error) / (double)s->total;
}

bool
row_heat_rises(const struct row_heat *h)
{
    return kept(h) >= ROWS_TO_JUDGE && h->tau >= ROWS_RISE_TAU;
}

static bool
has_range(const struct region_facts *f)
{
    return f->start_known && f->end_known;
}

static bool
is_inside(const struct region_facts *f, const void *key, size_t len)
{
    return row_key_compare(key, len, region_start_key(f), f->start_len) >= 0 &&
           (f->end_len == 0 ||
            row_key_compare(key, len, region_end_key(f), f->end_len) < 0);
}

bool
row_may_be_inside(const struct region_facts *f, const void *row, size_t len)
{
    bool below = f->start_known &&
                 row_key_compare(row, len, region_start_key(f), f->start_len) < 0;
    bool above = f->end_known && f->end_len > 0 &&
                 row_key_compare(row, len, region_end_key(f), f->end_len) >= 0;

    return !below && !above;
}

bool
row_is_split_point(const struct region_facts *f, const void *key, size_t len)
{
    return has_range(f) && len > 0 && is_inside(f, key, len) &&
           row_key_compare(key, len, region_start_key(f), f->start_len) > 0;
}

size_t
row_heat_inside(const struct row_heat *h, const struct region_facts *region)
{
    size_t n = 0;

    if (!has_range(region))
        return kept(h);
    for (size_t i = 0; i < kept(h); i++)
        n += is_inside(region, row_at(h, i)->row, row_at(h, i)->len);
    return n;
}

/* ---- the middle ---- */

static int
by_row(const void *a, const void *b)
{
    const struct timed_row *x = *(const struct timed_row *const *)a;
    const struct timed_row *y = *(const struct timed_row *const *)b;

    return row_key_compare(x->row, x->len, y->row, y->len);
}

/* The rows inside the region, sorted. */
static size_t
rows_inside(const struct row_heat *h, const struct region_facts *region,
            const struct timed_row *rows[static ROW_SAMPLES_MAX])
{
    size_t n = 0;

    for (size_t i = 0; i < kept(h); i++)
        if (is_inside(region, row_at(h, i)->row, row_at(h, i)->len))
            rows[n++] = row_at(h, i);
    if (n > 1)
        qsort(rows, n, sizeof(rows[0]), by_row);
    return n;
}

/* How many rows go left in the most even split between two different rows; 0 none. */
static size_t
even_split(const struct timed_row *const *rows, size_t n)
{
    size_t best = 0;

    for (size_t i = 1; i < n; i++) {
        if (by_row(&rows[i - 1], &rows[i]) == 0)
            continue;
        size_t off = i > n - i ? i - (n - i) : n - i - i;
        size_t best_off = best > n - best ? best - (n - best) : n - best - best;
        if (best == 0 || off < best_off)
            best = i;
    }
    return best;
}

/* The shortest key above `low` and at most `high`: high up to where they differ. */
static void
add_separator(struct buf *out, const struct timed_row *low,
              const struct timed_row *high)
{
    size_t same = 0;

    while (same < low->len && same < high->len && low->row[same] == high->row[same])
        same++;
    buf_add(out, high->row, same + 1);
}

bool
row_heat_split_key(const struct row_heat *h, const struct region_facts *region,
                   struct buf *ret_key)
{
    const struct timed_row *rows[ROW_SAMPLES_MAX];

    if (!has_range(region))
        return false;
    size_t n = rows_inside(h, region, rows);
    size_t left = n < ROWS_TO_JUDGE ? 0 : even_split(rows, n);
    if (left == 0)
        return false;
    add_separator(ret_key, rows[left - 1], rows[left]);
    return true;
}
