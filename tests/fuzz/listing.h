/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for each listing, however it was read. */
#ifndef TESTS_FUZZ_LISTING_H
#define TESTS_FUZZ_LISTING_H

#include "collectors/sample.h"
#include "tests/fuzz/fuzz.h"

enum { LISTING_ROWS = 1000 };

static inline void
must_have_each_id_once(const struct listing *l)
{
    for (size_t i = 0; i < l->row_count; i++)
        for (size_t k = 0; k < i; k++)
            MUST(!region_id_equal(l->rows[i].id, l->rows[k].id));
}

static inline void
must_be_sound(const struct listing *l)
{
    MUST(l->row_count <= LISTING_ROWS);
    must_have_each_id_once(l);
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
