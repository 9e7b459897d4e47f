/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for each listing, however it was read. */
#ifndef TESTS_FUZZ_LISTING_H
#define TESTS_FUZZ_LISTING_H

#include "collectors/sample.h"
#include "tests/fuzz/fuzz.h"

enum { LISTING_ROWS = 1000 };

static inline void
must_be_sound(const struct listing *l)
{
    MUST(l->row_count <= LISTING_ROWS);
    for (size_t i = 0; i < l->row_count; i++) {
        const struct listing_row *row = &l->rows[i];
        MUST(row->table < l->table_count);
        MUST(row->server < l->server_count || row->server == UINT32_MAX);
        if (row->start_known)
            MUST((uint64_t)row->start_key + row->start_len <= l->arena_len);
        if (row->end_known)
            MUST((uint64_t)row->end_key + row->end_len <= l->arena_len);
        MUST(row->size_bytes >= -1);
        MUST(!(row->locality < 0) && !(row->locality > 1));
    }
}

#endif
