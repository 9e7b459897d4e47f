/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps a bounded sample of a stream of keys, in the order of their arrival: all of
 * them while they fit, then one of each 2, 4, 8 ... neighbours, chosen by a fixed
 * sequence of pseudo-random numbers, so that a rhythm in the keys does not show as a
 * false pattern and the same input gives the same sample. */
#ifndef KEYS_SAMPLER_H
#define KEYS_SAMPLER_H

#include <stddef.h>
#include <stdint.h>

#include "keys/key_list.h"

struct sampler {
    struct key_list kept;
    uint64_t seen; /* keys of the stream so far */
    size_t max_keys;
    size_t max_bytes;
    uint64_t stride;    /* one key of each so many is kept; a power of two */
    uint64_t candidate; /* which of the present stride */
    uint64_t random;
};

/* max_keys >= 2. */
void sampler_init(struct sampler *s, size_t max_keys, size_t max_bytes);
void sampler_finish(struct sampler *s);
/* -ENOMEM. */
int sampler_add(struct sampler *s, struct key key);

#endif
