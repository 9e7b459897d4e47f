/* SPDX-License-Identifier: Apache-2.0 */
/* Keys as fractions of the key space: decimal ones of 8 digits, others of 8 bytes. */
#include "tests/sim/draw.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "tests/sim/cluster_priv.h"

enum { DIGITS = 8, DECIMAL_END = 100000000 };

struct draw
draw_copy(const struct draw *from)
{
    struct draw d = *from;

    d.count = 0;
    d.key = NULL;
    if (from->key_len > 0)
        d.key = (uint8_t *)xmemdup0(from->key, from->key_len);
    return d;
}

void
draw_finish(struct draw *d)
{
    free(d->key);
    *d = (struct draw){0};
}

static bool
is_decimal(const uint8_t *key, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (key[i] < '0' || key[i] > '9')
            return false;
    return true;
}

/* The first 8 digits or bytes as a number. */
static uint64_t
position(const uint8_t *key, size_t len, bool decimal)
{
    uint64_t v = 0;

    for (size_t i = 0; i < DIGITS; i++) {
        uint64_t digit = i < len ? key[i] : decimal ? '0' : 0;

        v = decimal ? v * 10 + digit - '0' : v << 8 | digit;
    }
    return v;
}

static void
print_position(struct buf *out, uint64_t v, bool decimal)
{
    if (decimal) {
        buf_addf(out, "%0*" PRIu64, DIGITS, v);
        return;
    }
    for (int shift = 56; shift >= 0; shift -= 8)
        buf_addc(out, (char)(v >> shift & 0xff));
}

static bool
draws_key(const struct draw *d, const uint8_t *start, size_t start_len,
          const uint8_t *end, size_t end_len, uint64_t *chance)
{
    return d->kind == DRAW_POPULAR && random_below(chance, 1000) < d->share &&
           key_compare(d->key, d->key_len, start, start_len) >= 0 &&
           (end_len == 0 || key_compare(d->key, d->key_len, end, end_len) < 0);
}

void
draw_row(struct draw *d, const uint8_t *start, size_t start_len, const uint8_t *end,
         size_t end_len, uint64_t *chance, struct buf *out)
{
    bool decimal = is_decimal(start, start_len) && is_decimal(end, end_len);
    uint64_t low = position(start, start_len, decimal);
    uint64_t high = end_len > 0 ? position(end, end_len, decimal)
                    : decimal   ? DECIMAL_END
                                : UINT64_MAX;
    uint64_t span = high > low ? high - low : 1;

    d->count++;
    if (draws_key(d, start, start_len, end, end_len, chance))
        buf_add(out, d->key, d->key_len);
    else if (d->kind == DRAW_RISING)
        print_position(out, low + (span / 4 + d->count) % span, decimal);
    else
        print_position(out, low + random_below(chance, span), decimal);
}

unsigned
draw_client(const struct draw *d, uint64_t *chance)
{
    if (d->clients < 2 || random_below(chance, 2) == 0)
        return 0;
    return 1 + (unsigned)random_below(chance, d->clients - 1);
}
