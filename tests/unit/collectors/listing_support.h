/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the shell's texts, for the tests of the text readers. */
#ifndef TESTS_UNIT_COLLECTORS_LISTING_SUPPORT_H
#define TESTS_UNIT_COLLECTORS_LISTING_SUPPORT_H

#include "collectors/listing_text.h"
#include "region_support.h"

enum { MAX_ROWS = 100000 };
#define T0 INT64_C(1700000000000)
#define RS1 "rs1.example.com,16020,1700000001111"
#define RS2 "rs2.example.com,16020,1700000002222"

struct reading {
    struct message *message;
    struct listing *listing;
    enum poll_outcome outcome;
    char *error;
};

static UNUSED struct reading
read_limited(const char *text, size_t len, size_t max_rows)
{
    struct reading r = {.message = message_create(MESSAGE_LISTING)};
    char *copy = exact_copy(text, len);

    r.listing = &r.message->listing;
    r.outcome = listing_text_parse(copy, len, max_rows, r.listing, &r.error);
    ck_assert_int_eq(r.error == NULL, r.outcome == POLL_OK);
    free(copy);
    if (r.outcome == POLL_OK)
        check_sound(r.listing);
    return r;
}

static UNUSED struct reading
read_text(const char *text)
{
    return read_limited(text, strlen(text), MAX_ROWS);
}

static UNUSED struct reading
read_good(const char *text)
{
    struct reading r = read_text(text);

    ck_assert_msg(r.outcome == POLL_OK, "%.600s: %s", text, r.error);
    return r;
}

static UNUSED void
finish(struct reading *r)
{
    message_destroy(r->message);
    free(r->error);
}

static UNUSED void
check_refused(const char *text, enum poll_outcome outcome, const char *says)
{
    struct reading r = read_text(text);

    ck_assert_msg(r.outcome == outcome, "%.600s: %d %s", text, r.outcome, r.error);
    ck_assert_msg(strstr(r.error, says) != NULL, "%s", r.error);
    ck_assert_ptr_null(strchr(r.error, '\n'));
    finish(&r);
}

static UNUSED const struct listing_row *
row_of(const struct reading *r, const char *encoded)
{
    struct region_id id;

    ck_assert(region_id_parse(encoded, strlen(encoded), &id));
    const struct listing_row *row = find_row(r->listing, id);
    ck_assert_msg(row != NULL, "%s", encoded);
    return row;
}

/* 20,000 damaged copies of a text: refused, or a sound listing. */
static UNUSED void
check_mutations(const char *seed)
{
    unsigned ok = 0;

    for (unsigned i = 0; i < 20000; i++) {
        size_t len = strlen(seed);
        char *text = exact_copy(seed, len);
        mutate(text, &len);
        struct reading r = read_limited(text, len, 100); /* checks what is read */
        ok += r.outcome == POLL_OK;
        finish(&r);
        free(text);
    }
    ck_assert_msg(ok > 300, "%u of %s", ok, seed);
}

static UNUSED void
check_table(const struct listing *l, const char *table, const struct key *keys,
            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct listing_row *row =
            find_row(l, id_of(table, keys[i], T0 + (int64_t)i, 0));
        check_keys(l, row, &keys[i], i + 1 < count ? &keys[i + 1] : &KEY(""));
        ck_assert_str_eq(l->tables[row->table], table);
    }
}

/* "", then b, bx and xbx for each byte b: every byte at the beginning, the end and in
 * the middle of a key, among them blanks that the shell strips from its columns. */
static UNUSED size_t
make_keys(struct key *keys, char (*bytes)[3])
{
    size_t n = 0;

    keys[n++] = KEY("");
    for (unsigned b = 0; b < 256; b++) {
        memcpy(bytes[b], (char[]){(char)b, 'x'}, 2);
        keys[n++] = (struct key){bytes[b], 1};
        keys[n++] = (struct key){bytes[b], 2};
    }
    return n;
}

#endif
