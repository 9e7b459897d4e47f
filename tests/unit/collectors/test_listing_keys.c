/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of any bytes, and values of all forms, through our own print of list_regions. */
#include "listing_support.h"

enum { CELLS_MAX = 7, ROWS_MAX = 700 };

struct printed {
    struct buf cells[ROWS_MAX][CELLS_MAX];
    const char *titles[CELLS_MAX];
    size_t columns;
    size_t rows;
};

/* Width in characters, as Ruby counts. */
static size_t
width_of(const struct buf *cell)
{
    size_t n = 0;

    for (size_t i = 0; i < cell->len; i++)
        n += ((unsigned char)cell->data[i] & 0xc0) != 0x80;
    return n;
}

/* As formatter.rb does it: right-aligned values, stripped; the widths are those of the
 * values before stripping. */
static void
print_table(const struct printed *p, struct buf *out)
{
    size_t widths[CELLS_MAX];

    for (size_t c = 0; c < p->columns; c++) {
        widths[c] = strlen(p->titles[c]);
        for (size_t r = 0; r < p->rows; r++) {
            size_t w = width_of(&p->cells[r][c]);
            widths[c] = w > widths[c] ? w : widths[c];
        }
        buf_addf(out, " %*s |", (int)widths[c], p->titles[c]);
    }
    buf_addc(out, '\n');
    for (size_t c = 0; c < p->columns; c++) {
        buf_addc(out, ' ');
        for (size_t i = 0; i < widths[c]; i++)
            buf_addc(out, '-');
        buf_adds(out, " |");
    }
    buf_addc(out, '\n');
    for (size_t r = 0; r < p->rows; r++) {
        for (size_t c = 0; c < p->columns; c++) {
            struct buf cell;
            buf_init(&cell, 0);
            size_t from = 0, to = p->cells[r][c].len;
            while (from < to && p->cells[r][c].data[from] == ' ')
                from++;
            while (to > from && p->cells[r][c].data[to - 1] == ' ')
                to--;
            buf_add(&cell, p->cells[r][c].data + from, to - from);
            buf_addf(out, " %*s", (int)(widths[c] - width_of(&cell)), "");
            buf_add(out, cell.data, cell.len);
            buf_adds(out, " |");
            buf_finish(&cell);
        }
        buf_addc(out, '\n');
    }
    buf_addf(out, " %zu rows\n", p->rows);
}

static struct printed *
begin_printed(size_t columns, const char *const *titles)
{
    struct printed *p = malloc(sizeof(*p));

    p->columns = columns;
    p->rows = 0;
    for (size_t c = 0; c < columns; c++)
        p->titles[c] = titles[c];
    for (size_t r = 0; r < ROWS_MAX; r++) {
        for (size_t c = 0; c < CELLS_MAX; c++)
            buf_init(&p->cells[r][c], 0);
    }
    return p;
}

static void
end_printed(struct printed *p)
{
    for (size_t r = 0; r < ROWS_MAX; r++) {
        for (size_t c = 0; c < CELLS_MAX; c++)
            buf_finish(&p->cells[r][c]);
    }
    free(p);
}

/* A table's regions in key order: REGION_NAME, START_KEY, END_KEY. */
static void
add_table(struct printed *p, const char *table, const struct key *keys, size_t count,
          size_t name_at)
{
    for (size_t i = 0; i < count; i++) {
        struct buf *cells = p->cells[p->rows++];
        struct buf name;
        buf_init(&name, 0);
        add_name(&name, table, keys[i], T0 + (int64_t)i, 0);
        size_t table_len = strlen(table);
        buf_add(&cells[name_at], name.data, table_len);
        row_key_escape(&cells[name_at], name.data + table_len, name.len - table_len);
        row_key_escape(&cells[name_at + 1], keys[i].s, keys[i].len);
        if (i + 1 < count)
            row_key_escape(&cells[name_at + 2], keys[i + 1].s, keys[i + 1].len);
        buf_finish(&name);
    }
}

static const char *const name_columns[] = {"REGION_NAME", "START_KEY", "END_KEY"};

START_TEST(every_byte)
{
    struct key keys[520];
    char bytes[256][3];
    struct buf text;

    size_t n = make_keys(keys, bytes);
    struct printed *p = begin_printed(3, name_columns);
    add_table(p, "ns:t", keys, n, 0);
    buf_init(&text, 0);
    print_table(p, &text);
    struct reading r = read_good(text.data);
    check_table(r.listing, "ns:t", keys, n);
    finish(&r);
    buf_finish(&text);
    end_printed(p);
}
END_TEST

START_TEST(random_keys)
{
    static const char nasty[] = " |,.\\x0A\"#{}'-\xff\0";

    for (unsigned round = 0; round < 200; round++) {
        struct key keys[20];
        char bytes[20][64];
        size_t n = 1 + rng_below(20);
        for (size_t i = 0; i < n; i++) {
            size_t len = i == 0 ? 0 : 1 + rng_below(63);
            for (size_t k = 0; k < len; k++)
                bytes[i][k] = k == 0         ? (char)(i * 12)
                              : rng_below(2) ? nasty[rng_below(sizeof(nasty) - 1)]
                                             : (char)rng_next();
            keys[i] = (struct key){bytes[i], len};
        }
        struct printed *p = begin_printed(3, name_columns);
        struct buf text;
        add_table(p, "t", keys, n, 0);
        buf_init(&text, 0);
        print_table(p, &text);
        struct reading r = read_good(text.data);
        ck_assert_uint_eq(r.listing->row_count, n);
        check_table(r.listing, "t", keys, n);
        finish(&r);
        buf_finish(&text);
        end_printed(p);
    }
}
END_TEST

START_TEST(long_keys)
{
    char *bytes = malloc(20000);
    memset(bytes, '|', 10000);
    memset(bytes + 10000, 0xff, 10000);
    const struct key keys[] = {KEY(""), {bytes, 10000}, {bytes + 10000, 10000}};
    struct printed *p = begin_printed(3, name_columns);
    struct buf text;

    add_table(p, "t", keys, 3, 0);
    buf_init(&text, 0);
    print_table(p, &text);
    struct reading r = read_good(text.data);
    check_table(r.listing, "t", keys, 3);
    finish(&r);
    buf_finish(&text);
    end_printed(p);
    free(bytes);
}
END_TEST

START_TEST(columns_and_values)
{
    static const char *const titles[] = {"REQ",  "LOCALITY",    "OTHER",
                                         "SIZE", "SERVER_NAME", "REGION_NAME"};
    static const struct {
        const char *req, *locality, *size;
        int64_t bytes;
        double local; /* -1: unknown */
        uint64_t total;
        unsigned known;
    } cases[] = {
        {"0", "0.0", "12", 12582912, 0, 0, SAMPLE_TOTAL},
        {"9876543210", "1.0", "12.0MB", 12582912, 1, 9876543210, SAMPLE_TOTAL},
        {"9007199254740993", "0.9750000238418579", "1024.0MB", 1073741824,
         0.9750000238418579, 9007199254740993, SAMPLE_TOTAL},
        {"", "", "", -1, -1, 0, 0},
        {"-1", "NaN", "3.5GB", 3758096384, -1, 0, SAMPLE_INVALID},
        {"x", "2.0", "3.5XB", -1, -1, 0, SAMPLE_INVALID},
        {"1", "-0.5", "1.0E7MB", 10485760000000, -1, 1, SAMPLE_TOTAL},
    };
    const size_t n = sizeof(cases) / sizeof(cases[0]);
    struct key keys[10];
    char bytes[10];
    struct buf text;

    struct printed *p = begin_printed(6, titles);
    for (size_t i = 0; i < n; i++) {
        struct buf *cells = p->cells[p->rows++];
        struct buf name;
        bytes[i] = (char)('a' + i);
        keys[i] = (struct key){&bytes[i], 1};
        buf_adds(&cells[0], cases[i].req);
        buf_adds(&cells[1], cases[i].locality);
        buf_adds(&cells[3], cases[i].size);
        buf_adds(&cells[4], i % 2 == 0 ? RS1 : "");
        buf_init(&name, 0);
        add_name(&name, "caf\xc3\xa9", keys[i], T0, 0);
        buf_add(&cells[5], name.data, name.len);
        buf_finish(&name);
    }
    buf_init(&text, 0);
    print_table(p, &text);
    struct reading r = read_good(text.data);
    ck_assert_uint_eq(r.listing->row_count, n);
    for (size_t i = 0; i < n; i++) {
        const struct listing_row *row =
            find_row(r.listing, id_of("caf\xc3\xa9", keys[i], T0, 0));
        ck_assert_ptr_nonnull(row);
        ck_assert_int_eq(row->size_bytes, cases[i].bytes);
        ck_assert_uint_eq(row->known, cases[i].known);
        if (cases[i].known == SAMPLE_TOTAL)
            ck_assert_uint_eq(row->total, cases[i].total);
        if (cases[i].local < 0)
            ck_assert(isnan(row->locality));
        else
            ck_assert_double_eq(row->locality, cases[i].local);
        ck_assert_int_eq(row->server == UINT32_MAX, i % 2);
        /* without END_KEY, the neighbours say it */
        check_keys(r.listing, row, &keys[i], i + 1 < n ? &keys[i + 1] : &KEY(""));
    }
    finish(&r);
    buf_finish(&text);
    end_printed(p);
}
END_TEST

START_TEST(replicas_and_several_tables)
{
    static const char *const titles[] = {"REGION_NAME"};
    struct printed *p = begin_printed(1, titles);
    struct buf text, name;
    const struct key keys[] = {KEY(""), KEY("m")};

    for (unsigned replica = 0; replica < 3; replica++) {
        for (size_t k = 0; k < 2; k++) {
            buf_init(&name, 0);
            add_name(&name, "t", keys[k], T0, replica);
            buf_add(&p->cells[p->rows++][0], name.data, name.len);
            buf_finish(&name);
        }
    }
    buf_init(&text, 0);
    print_table(p, &text);
    p->rows = 0;
    buf_reset(&p->cells[0][0]);
    buf_adds(&p->cells[p->rows++][0], "hbase:meta,,1.1588230740");
    print_table(p, &text);
    struct reading r = read_good(text.data);
    ck_assert_uint_eq(r.listing->row_count, 7);
    ck_assert_uint_eq(r.listing->table_count, 2);
    for (unsigned replica = 0; replica < 3; replica++) {
        const struct listing_row *row =
            find_row(r.listing, id_of("t", keys[0], T0, replica));
        check_keys(r.listing, row, &keys[0], &keys[1]);
        ck_assert_uint_eq(row->replica, replica);
        check_keys(r.listing, find_row(r.listing, id_of("t", keys[1], T0, replica)),
                   &keys[1], &keys[0]);
    }
    check_keys(r.listing, row_of(&r, "1588230740"), &KEY(""), &KEY(""));
    finish(&r);
    buf_finish(&text);
    end_printed(p);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("listing_keys");
    TCase *c = tcase_create("all");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, every_byte);
    tcase_add_test(c, random_keys);
    tcase_add_test(c, long_keys);
    tcase_add_test(c, columns_and_values);
    tcase_add_test(c, replicas_and_several_tables);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
