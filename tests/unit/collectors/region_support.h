/* SPDX-License-Identifier: Apache-2.0 */
/* Regions made up for the tests of the listings: names with their true MD5, and checks
 * that hold for every listing. */
#ifndef TESTS_UNIT_COLLECTORS_REGION_SUPPORT_H
#define TESTS_UNIT_COLLECTORS_REGION_SUPPORT_H

#include <inttypes.h>
#include <math.h>

#include "collectors/sample.h"
#include "common/buf.h"
#include "common/md5.h"
#include "common/row_key.h"
#include "common/utf8.h"
#include "parse_support.h"

struct key {
    const char *s;
    size_t len;
};

#define KEY(literal) ((struct key){(literal), sizeof(literal) - 1})

/* Appends "t,key,id[_RRRR]" to out and its digest in hex to ret_encoded. */
static UNUSED void
add_prefix(struct buf *out, const char *table, struct key key, int64_t created,
           unsigned replica, char ret_encoded[static 33])
{
    size_t begin = out->len;
    uint8_t digest[16];

    buf_addf(out, "%s,", table);
    buf_add(out, key.s, key.len);
    buf_addf(out, ",%" PRIi64, created);
    if (replica > 0)
        buf_addf(out, "_%04X", replica);
    md5_bytes(out->data + begin, out->len - begin, digest);
    for (size_t i = 0; i < sizeof(digest); i++)
        snprintf(ret_encoded + 2 * i, 3, "%02x", digest[i]);
}

/* Appends a region's full name in raw bytes. */
static UNUSED void
add_name(struct buf *out, const char *table, struct key key, int64_t created,
         unsigned replica)
{
    char encoded[33];

    add_prefix(out, table, key, created, replica, encoded);
    buf_addf(out, ".%s.", encoded);
}

static UNUSED struct region_id
id_of(const char *table, struct key key, int64_t created, unsigned replica)
{
    char encoded[33];
    struct region_id id;
    struct buf out;

    buf_init(&out, 0);
    add_prefix(&out, table, key, created, replica, encoded);
    buf_finish(&out);
    ck_assert(region_id_parse(encoded, 32, &id));
    return id;
}

static UNUSED const struct listing_row *
find_row(const struct listing *l, struct region_id id)
{
    for (size_t i = 0; i < l->row_count; i++) {
        if (region_id_equal(l->rows[i].id, id))
            return &l->rows[i];
    }
    return NULL;
}

/* NULL stands for "not known". */
static UNUSED void
check_key(const struct listing *l, bool known, uint32_t at, uint32_t len,
          const struct key *k)
{
    ck_assert_int_eq(known, k != NULL);
    if (k == NULL)
        return;
    ck_assert_uint_eq(len, k->len);
    if (len > 0)
        ck_assert_mem_eq(l->arena + at, k->s, len);
}

static UNUSED void
check_keys(const struct listing *l, const struct listing_row *row,
           const struct key *start, const struct key *end)
{
    ck_assert_ptr_nonnull(row);
    check_key(l, row->start_known, row->start_key, row->start_len, start);
    check_key(l, row->end_known, row->end_key, row->end_len, end);
}

/* What holds for any listing, however damaged the text was: references inside their
 * tables, keys inside the arena, each id once, and every known start key gives the
 * region's id. */
static UNUSED void
check_sound(const struct listing *l)
{
    for (size_t i = 0; i < l->row_count; i++) {
        const struct listing_row *r = &l->rows[i];
        ck_assert_uint_lt(r->table, l->table_count);
        ck_assert(r->server == UINT32_MAX || r->server < l->server_count);
        ck_assert(!r->start_known ||
                  (size_t)r->start_key + r->start_len <= l->arena_len);
        ck_assert(!r->end_known || (size_t)r->end_key + r->end_len <= l->arena_len);
        ck_assert(isnan(r->locality) || (r->locality >= 0 && r->locality <= 1));
        ck_assert_int_ge(r->size_bytes, -1);
        ck_assert_int_ge(r->created_ms, -1);
        ck_assert_ptr_eq(find_row(l, r->id), r);
        if (r->start_known && r->created_ms > 1) {
            struct key key = {r->start_len == 0 ? "" : l->arena + r->start_key,
                              r->start_len};
            ck_assert(region_id_equal(
                r->id, id_of(l->tables[r->table], key, r->created_ms, r->replica)));
        }
    }
    for (size_t i = 0; i < l->table_count; i++)
        ck_assert(utf8_valid(l->tables[i], strlen(l->tables[i])));
}

#endif
