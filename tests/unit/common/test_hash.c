/* SPDX-License-Identifier: Apache-2.0 */
/* FNV-1a against the vectors of draft-eastlake-fnv. */
#include "common/hash.h"

#include <string.h>

#include "tests/unit/common/harness.h"

START_TEST(published_vectors)
{
    ck_assert_uint_eq(hash_bytes("", 0), UINT64_C(0xcbf29ce484222325));
    ck_assert_uint_eq(hash_bytes("a", 1), UINT64_C(0xaf63dc4c8601ec8c));
    ck_assert_uint_eq(hash_bytes("foobar", 6), UINT64_C(0x85944171f73967e8));
}
END_TEST

START_TEST(counts_every_byte)
{
    ck_assert_uint_ne(hash_bytes("a\0", 2), hash_bytes("a", 1));
    ck_assert_uint_ne(hash_bytes("\xff", 1), hash_bytes("\x7f", 1));
    ck_assert_uint_ne(hash_bytes("ab", 2), hash_bytes("ba", 2));
}
END_TEST

TEST_MAIN("hash", published_vectors, counts_every_byte)
