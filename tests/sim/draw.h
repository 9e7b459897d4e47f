/* SPDX-License-Identifier: Apache-2.0 */
/* Where a region's running calls go: a pattern of rows, how many calls run at once, and
 * from whom. A draw belongs to its region. */
#ifndef SIM_DRAW_H
#define SIM_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"

enum draw_kind {
    DRAW_NONE,    /* no calls */
    DRAW_SPREAD,  /* anywhere in the region */
    DRAW_RISING,  /* each row after the one before */
    DRAW_POPULAR, /* one row for a share of the calls, the others anywhere */
};

struct draw {
    enum draw_kind kind;
    uint8_t *key; /* of DRAW_POPULAR */
    size_t key_len;
    unsigned share;   /* thousandths */
    unsigned at_once; /* calls that run at any moment */
    unsigned batch;   /* rows a call; more than 1 is a Multi */
    unsigned clients;
    uint64_t count; /* rows drawn so far */
};

/* A copy with a key of its own; nothing drawn yet. */
struct draw draw_copy(const struct draw *from);
/* Frees the key; DRAW_NONE afterwards. */
void draw_finish(struct draw *d);

/* Appends a row of the region [start, end); an empty key is open. Rows between keys
 * that are decimal numbers are such numbers of eight digits, others eight bytes. A
 * popular key outside of the region is not drawn. */
void draw_row(struct draw *d, const uint8_t *start, size_t start_len,
              const uint8_t *end, size_t end_len, uint64_t *chance, struct buf *out);
/* The number of a client, from 0: half of the calls are the first one's. */
unsigned draw_client(const struct draw *d, uint64_t *chance);

#endif
