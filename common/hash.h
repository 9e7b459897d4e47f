/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMON_HASH_H
#define COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, 64 bit (Fowler, Noll, Vo; draft-eastlake-fnv). */
uint64_t hash_bytes(const void *data, size_t len);

#endif
