/* SPDX-License-Identifier: Apache-2.0 */
/* FNV-1a. Holds no state; any thread may call it. */
#include "common/hash.h"

static const uint64_t fnv_offset = 0xcbf29ce484222325;
static const uint64_t fnv_prime = 0x100000001b3;

uint64_t
hash_bytes(const void *data, size_t len)
{
    const uint8_t *p = data;
    uint64_t h = fnv_offset;

    for (size_t i = 0; i < len; i++)
        h = (h ^ p[i]) * fnv_prime;
    return h;
}
