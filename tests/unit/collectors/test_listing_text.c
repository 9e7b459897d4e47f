/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the HBase shell: captured ones against regular expressions and against each
 * other, list_regions and hand-made tables in all their layouts, and texts that must be
 * refused. */
#include <regex.h>

#include "listing_support.h"

/* ---- captured texts ---- */

static const struct listing_row *
row_of_match(const struct reading *r, const char *line, regmatch_t m)
{
    char encoded[33];

    snprintf(encoded, sizeof(encoded), "%.*s", (int)(m.rm_eo - m.rm_so),
             line + m.rm_so);
    return row_of(r, encoded);
}

static void
check_table_rows(const struct reading *r, const char *text)
{
    regex_t regex;
    regmatch_t m[6];
    size_t rows = 0;

    ck_assert_int_eq(
        regcomp(&regex,
                "^ +([^ ]+) \\| .*\\.([0-9a-f]{32})\\. \\| .* \\| +([0-9.]+)MB \\| "
                "+([0-9]+) \\| +([0-9.]+) \\|$",
                REG_EXTENDED | REG_NEWLINE),
        0);
    for (; regexec(&regex, text, 6, m, 0) == 0; text += m[0].rm_eo, rows++) {
        const struct listing_row *row = row_of_match(r, text, m[2]);
        const char *server = r->listing->servers[row->server];
        ck_assert_uint_eq(strlen(server), m[1].rm_eo - m[1].rm_so);
        ck_assert_mem_eq(server, text + m[1].rm_so, strlen(server));
        ck_assert_double_eq((double)row->size_bytes, atof(text + m[3].rm_so) * 1048576);
        ck_assert_uint_eq(row->known, SAMPLE_TOTAL);
        ck_assert_double_eq((double)row->total, atof(text + m[4].rm_so));
        ck_assert_double_eq(row->locality, atof(text + m[5].rm_so));
        ck_assert(row->start_known && row->end_known);
    }
    ck_assert_uint_gt(rows, 40);
    ck_assert_uint_eq(rows, r->listing->row_count);
    regfree(&regex);
}

static void
check_status_rows(const struct reading *r, const char *text)
{
    regex_t regex;
    regmatch_t m[5];
    size_t rows = 1; /* hbase:meta has another form */

    ck_assert_int_eq(
        regcomp(&regex,
                "^        \".*\\.([0-9a-f]{32})\\.\"\n.*storeFileSize=([0-9.]+)MB"
                ".*readRequestCount=([0-9]+), writeRequestCount=([0-9]+),",
                REG_EXTENDED | REG_NEWLINE),
        0);
    for (; regexec(&regex, text, 5, m, 0) == 0; text += m[0].rm_eo, rows++) {
        const struct listing_row *row = row_of_match(r, text, m[1]);
        ck_assert_double_eq((double)row->size_bytes, atof(text + m[2].rm_so) * 1048576);
        ck_assert_uint_eq(row->known, SAMPLE_READ | SAMPLE_WRITE);
        ck_assert_double_eq((double)row->read, atof(text + m[3].rm_so));
        ck_assert_double_eq((double)row->write, atof(text + m[4].rm_so));
        ck_assert(row->start_known && row->end_known);
    }
    ck_assert_uint_eq(rows, r->listing->row_count);
    const struct listing_row *meta = row_of(r, "1588230740");
    ck_assert_str_eq(r->listing->tables[meta->table], "hbase:meta");
    ck_assert(meta->known == (SAMPLE_READ | SAMPLE_WRITE) && meta->read > 0);
    regfree(&regex);
}

/* Two listings of one cluster give the same keys for the same regions. */
static void
check_same_keys(const struct listing *a, const struct listing *b)
{
    for (size_t i = 0; i < a->row_count; i++) {
        const struct listing_row *x = &a->rows[i];
        struct key start = {a->arena + x->start_key, x->start_len};
        struct key end = {a->arena + x->end_key, x->end_len};
        const struct listing_row *y = find_row(b, x->id);
        check_keys(b, y, &start, &end);
        ck_assert_uint_eq(x->replica, y->replica);
        ck_assert_int_eq(x->created_ms, y->created_ms);
        ck_assert_str_eq(a->tables[x->table], b->tables[y->table]);
    }
}

START_TEST(captured)
{
    static const char *const versions[] = {"2.4.18", "2.6.4"};

    for (size_t v = 0; v < 2; v++) {
        for (int round = 'a'; round <= 'b'; round++) {
            char name[100];
            size_t len;
            snprintf(name, sizeof(name), "hbase-%s/list_regions-%c.txt", versions[v],
                     round);
            char *text = read_capture(name, &len);
            struct reading table = read_good(text);
            check_table_rows(&table, text);
            ck_assert(!table.listing->whole_cluster);
            ck_assert_uint_eq(table.listing->table_count, 8);
            free(text);
            snprintf(name, sizeof(name), "hbase-%s/status-detailed-%c.txt", versions[v],
                     round);
            text = read_capture(name, &len);
            struct reading status = read_good(text);
            check_status_rows(&status, text);
            ck_assert(status.listing->whole_cluster);
            ck_assert_uint_eq(status.listing->server_count, 3);
            free(text);
            check_same_keys(table.listing, status.listing);
            finish(&table);
            finish(&status);
        }
    }
}
END_TEST

START_TEST(captured_failures)
{
    static const struct {
        const char *file;
        enum poll_outcome outcome;
        const char *says;
    } cases[] = {
        {"list_regions-nosuch.txt", POLL_BAD_RESPONSE,
         "line 4: the shell reports 'ERROR"},
        {"list_regions-cols.txt", POLL_BAD_RESPONSE, "TypeError"},
        {"status-simple.txt", POLL_PARSE, "not of status"},
        {"status.txt", POLL_NO_DATA, "neither"},
    };
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        char name[100];
        size_t len;
        snprintf(name, sizeof(name), "hbase-%s/%s", i % 2 == 0 ? "2.4.18" : "2.6.4",
                 cases[i / 2].file);
        char *text = read_capture(name, &len);
        check_refused(text, cases[i / 2].outcome, cases[i / 2].says);
        free(text);
    }
}
END_TEST

/* ---- list_regions by hand ---- */

#define NOTE                                                                           \
    "Can not find all details for region: "                                            \
    "ns1:orders,m,1,1700000000003.f1d970e44b679844dfcf31b564c30935. , it may be "      \
    "disabled "                                                                        \
    "or in transition\n"
#define HEADER                                                                         \
    "                         SERVER_NAME |                                          " \
    "    "                                                                             \
    "            REGION_NAME |  START_KEY |    END_KEY |  SIZE |        REQ |   "      \
    "LOCALITY "                                                                        \
    "|\n"                                                                              \
    " ----------------------------------- | "                                          \
    "---------------------------------------------"                                    \
    "----------------------- | ---------- | ---------- | ----- | ---------- | "        \
    "---------- "                                                                      \
    "|\n"
#define ROW1                                                                           \
    " rs1.example.com,16020,1700000001111 |          "                                 \
    "ns1:orders,,1700000000000.8fdfb7ba2f0016f124b59812a3ca60a3. |            |  "     \
    "\\x00\\xFFz |     0 |         15 |        0.0 |\n"
#define ROW2                                                                           \
    " rs2.example.com,16020,1700000002222 | "                                          \
    "ns1:orders,\\x00\\xFFz,1700000000001.39a8ebc2b9a7dd602aebfdd3d37d29f5. |  "       \
    "\\x00\\xFFz |        a|b |  1024 | 9876543210 |        1.0 |\n"
#define ROW3                                                                           \
    " rs1.example.com,16020,1700000001111 |       "                                    \
    "ns1:orders,a|b,1700000000002.fe52ed87533a7681756b95cff1002363. |        a|b |   " \
    "    "                                                                             \
    " m,1 |    12 |          0 |        0.5 |\n"
#define ROW4                                                                           \
    " rs2.example.com,16020,1700000002222 |       "                                    \
    "ns1:orders,m,1,1700000000003.f1d970e44b679844dfcf31b564c30935. |        m,1 |   " \
    "    "                                                                             \
    "     |       |            |            |\n"
#define ROWS ROW1 ROW2 ROW3 ROW4
#define FOOTER " 4 rows\n"
#define TOOK "Took 0.5321 seconds"

static void
check_orders(const struct reading *r)
{
    const struct listing *l = r->listing;
    const struct listing_row *a = row_of(r, "8fdfb7ba2f0016f124b59812a3ca60a3");
    const struct listing_row *b = row_of(r, "39a8ebc2b9a7dd602aebfdd3d37d29f5");
    const struct listing_row *c = row_of(r, "fe52ed87533a7681756b95cff1002363");
    const struct listing_row *d = row_of(r, "f1d970e44b679844dfcf31b564c30935");

    ck_assert_uint_eq(l->row_count, 4);
    check_keys(l, a, &KEY(""), &KEY("\0\xffz"));
    check_keys(l, b, &KEY("\0\xffz"), &KEY("a|b"));
    check_keys(l, c, &KEY("a|b"), &KEY("m,1"));
    check_keys(l, d, &KEY("m,1"), &KEY(""));
    ck_assert_str_eq(l->tables[a->table], "ns1:orders");
    ck_assert_str_eq(l->servers[a->server], RS1);
    ck_assert_str_eq(l->servers[b->server], RS2);
    ck_assert_uint_eq(b->total, 9876543210);
    ck_assert_int_eq(b->size_bytes, 1073741824);
    ck_assert_double_eq(c->locality, 0.5);
    ck_assert_int_eq(a->size_bytes, 0);
    ck_assert_uint_eq(a->known, SAMPLE_TOTAL);
    ck_assert_uint_eq(d->known, 0);
    ck_assert_int_eq(d->size_bytes, -1);
    ck_assert(isnan(d->locality));
    ck_assert_int_eq(d->created_ms, T0 + 3);
}

START_TEST(one_table)
{
    struct reading r = read_good(NOTE HEADER ROWS FOOTER TOOK);

    check_orders(&r);
    ck_assert(row_of(&r, "f1d970e44b679844dfcf31b564c30935")->in_transition);
    ck_assert(!row_of(&r, "8fdfb7ba2f0016f124b59812a3ca60a3")->in_transition);
    finish(&r);
}
END_TEST

/* Banners, log lines, prompts, notes among the rows, both line ends. */
START_TEST(noise)
{
    static const char *const texts[] = {
        HEADER ROWS FOOTER,
        HEADER ROWS " 4 rows",
        HEADER ROWS FOOTER TOOK "          \n\n",
        "SLF4J: Class path contains multiple SLF4J bindings.\n"
        "2026-11-30 20:35:01,269 WARN  [main] util.NativeCodeLoader: Unable to load\n"
        "2026-11-30 20:35:01,269 ERROR [main] zookeeper: something: else\n"
        "ERROR StatusLogger No log4j2 configuration file found.\n"
        "HBase Shell\nUse \"help\" to get list of supported commands.\n"
        "Version 2.4.18, rUnknown, Wed Apr 26 2023\n\n" HEADER ROWS FOOTER TOOK
        "\n=> nil\n",
        "hbase:001:0> list_regions 'ns1:orders'\n" HEADER ROWS FOOTER TOOK
        "\nhbase:002:0> exit\n",
        "hbase:001:0> " HEADER ROWS FOOTER TOOK "\n",
        "hbase(main):001:0* " HEADER ROWS FOOTER,
        HEADER ROW1
        "2026-11-30 20:35:01,269 WARN  [main] something: happened\n" ROW2 NOTE ROW3
        "\n" ROW4 FOOTER TOOK "\n",
        HEADER ROW4 ROW2 ROW3 ROW1 FOOTER,
        HEADER ROWS FOOTER HEADER " 0 rows\n" HEADER ROWS FOOTER,
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct reading r = read_good(texts[i]);
        check_orders(&r);
        finish(&r);

        struct buf dos;
        buf_init(&dos, 0);
        for (const char *p = texts[i]; *p != '\0'; p++)
            buf_addf(&dos, *p == '\n' ? "\r%c" : "%c", *p);
        r = read_good(dos.data);
        check_orders(&r);
        finish(&r);
        buf_finish(&dos);
    }
}
END_TEST

START_TEST(empty_table)
{
    struct reading r = read_good(HEADER " 0 rows\n" TOOK);

    ck_assert_uint_eq(r.listing->row_count, 0);
    finish(&r);
}
END_TEST

START_TEST(refused_tables)
{
    static const struct {
        const char *text;
        enum poll_outcome outcome;
        const char *says;
    } cases[] = {
        {"", POLL_NO_DATA, "neither"},
        {"\n\n", POLL_NO_DATA, "neither"},
        {"Can not find region: t,,1.43ae7364b4a555b93267937f9bc49ec1. , it may be "
         "disabled\n",
         POLL_NO_DATA, "neither"},
        {HEADER, POLL_PARSE, "cut short"},
        {HEADER ROWS, POLL_PARSE, "line 2: the table that begins here"},
        {HEADER ROWS TOOK, POLL_PARSE, "cut short"},
        {HEADER ROW1 ROW2 FOOTER, POLL_PARSE, "line 5: 4 rows announced, 2 read"},
        {HEADER ROWS ROW1 FOOTER, POLL_PARSE, "4 rows announced, 5 read"},
        {HEADER ROWS HEADER ROWS FOOTER, POLL_PARSE, "line 7"},
        {HEADER ROWS " ---- |\n", POLL_PARSE, "line 7: a new table"},
        {"REGION | REQ\n", POLL_NO_DATA, "no row"},
        {HEADER ROWS FOOTER FOOTER, POLL_PARSE, "without a table"},
        {ROWS FOOTER HEADER ROWS FOOTER, POLL_PARSE, "line 5: 4 rows without a table"},
        {HEADER ROWS FOOTER "ERROR: Unknown table x!\n", POLL_BAD_RESPONSE, "line 8"},
        {HEADER ROWS FOOTER TOOK "ERROR RuntimeError: Unknown table x!\n",
         POLL_BAD_RESPONSE, "'ERROR RuntimeError: Unknown table x!'"},
        {HEADER ROWS FOOTER "hbase:002:0> ERROR: x\n", POLL_BAD_RESPONSE, "ERROR: x"},
        {HEADER ROWS "ERROR Java::JavaLang::NullPointerException: \n",
         POLL_BAD_RESPONSE, "NullPointer"},
        {" ----- | --- |\n 0 rows\n", POLL_PARSE, "header"},
        {"  SIZE | REQ |\n ----- | --- |\n   1.0 |   1 |\n 1 rows\n", POLL_PARSE,
         "REGION_NAME"},
        {" REGION_NAME | REQ |\n ----------- | --- |\n           x |   1 |\n 1 rows\n",
         POLL_PARSE, "line 3: expected a region's full name"},
        {" REGION_NAME |\n ----------- |\n             |\n 1 rows\n", POLL_PARSE,
         "line 3"},
        {" SERVER_NAME |                                       REGION_NAME |\n"
         " ----------- | ------------------------------------------------- |\n"
         "         rs1 | t1,,1700000000000.43ae7364b4a555b93267937f9bc49ec1. |\n 1 "
         "rows\n",
         POLL_PARSE, "announced"},
        {"   SERVER_NAME |                                         REGION_NAME |\n"
         " ------------- | --------------------------------------------------- |\n"
         "           rs1 | t1,,1700000000000.43ae7364b4a555b93267937f9bc49ec1. |\n 1 "
         "rows\n",
         POLL_PARSE, "line 3: expected host,port,startcode"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_refused(cases[i].text, cases[i].outcome, cases[i].says);
}
END_TEST

START_TEST(cut_short)
{
    static const char text[] = HEADER ROWS FOOTER;

    for (size_t len = 0; len < sizeof(text) - 1; len++) {
        struct reading r = read_limited(text, len, MAX_ROWS);
        /* Only the end of "rows" may be missing: the count is there. */
        bool whole = len >= sizeof(text) - 1 - strlen("s\n");
        ck_assert_msg((r.outcome == POLL_OK) == whole, "%zu: %d", len, r.outcome);
        finish(&r);
    }
}
END_TEST

START_TEST(too_many_rows)
{
    struct reading r = read_limited(HEADER ROWS FOOTER, strlen(HEADER ROWS FOOTER), 4);

    ck_assert_int_eq(r.outcome, POLL_OK);
    finish(&r);
    r = read_limited(HEADER ROWS FOOTER, strlen(HEADER ROWS FOOTER), 3);
    ck_assert_int_eq(r.outcome, POLL_TOO_LARGE);
    finish(&r);
}
END_TEST

/* With a filter (by server, by locality) neighbours are missing; END_KEY tells. */
START_TEST(missing_neighbours)
{
    struct reading r = read_good(HEADER ROW1 ROW3 " 2 rows\n");

    check_keys(r.listing, row_of(&r, "8fdfb7ba2f0016f124b59812a3ca60a3"), &KEY(""),
               NULL);
    check_keys(r.listing, row_of(&r, "fe52ed87533a7681756b95cff1002363"), &KEY("a|b"),
               NULL);
    finish(&r);
    r = read_good(HEADER ROW2 ROW3 " 2 rows\n");
    check_keys(r.listing, row_of(&r, "39a8ebc2b9a7dd602aebfdd3d37d29f5"),
               &KEY("\0\xffz"), &KEY("a|b"));
    finish(&r);
}
END_TEST

/* ---- tables of people's scripts ---- */

#define NAME_A "t1,,1700000000000.43ae7364b4a555b93267937f9bc49ec1."
#define ENC_A "43ae7364b4a555b93267937f9bc49ec1"

/* The layout with its two '%' replaced. */
static void
fill(struct buf *out, const char *layout, const char *first, const char *second)
{
    const char *names[] = {first, second};
    size_t n = 0;

    buf_init(out, 0);
    for (; *layout != '\0'; layout++) {
        if (*layout == '%')
            buf_adds(out, names[n++]);
        else
            buf_addc(out, *layout);
    }
}

START_TEST(hand_made)
{
    struct buf name, text;
    char encoded[33];
    static const char *const layouts[] = {
        "REGION | START_KEY | END_KEY | SIZE | REQ | LOCALITY\n"
        "% | (empty) | user3000 | 2.1GB | 982341 | 0.98\n"
        "% | user3000 | (empty) | 812MB | 1204 | 1.0\n",
        "noise first\n\nREGION | START_KEY | END_KEY | SIZE | REQ | LOCALITY\n"
        "-------|-----------|---------|------|-----|---------\n"
        "% | (empty) | user3000 | 2.1GB | 982341 | 0.98\n"
        "% | user3000 | | 812MB | 1204 | 1.0\n 2 rows\n\nmore noise\n",
        "| REGION | START_KEY | END_KEY | SIZE | REQ | LOCALITY |\r\n"
        "|:-------|-----------|---------|-----:|-----|----------|\r\n"
        "| % | | user3000 | 2.1 GB | 982341 | 0.98 |\r\n"
        "| % | user3000 | | 812MB | 1204 | 1.0 |\r\n",
        "REGION | START_KEY | END_KEY | SIZE | REQ | LOCALITY |\n"
        "% | (empty) | user3000 | 2.1GB | 982341 | 0.98 |\n"
        "% | user3000 | (empty) | 812MB | 1204 | 1.0 |\n",
    };

    buf_init(&name, 0);
    add_name(&name, "t1", KEY("user3000"), T0, 0);
    snprintf(encoded, sizeof(encoded), "%.32s", name.data + name.len - 33);
    for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
        struct buf filled;
        fill(&filled, layouts[i], NAME_A, name.data);
        struct reading r = read_good(filled.data);
        buf_finish(&filled);
        const struct listing_row *a = row_of(&r, ENC_A), *b = row_of(&r, encoded);
        ck_assert_uint_eq(r.listing->row_count, 2);
        check_keys(r.listing, a, &KEY(""), &KEY("user3000"));
        check_keys(r.listing, b, &KEY("user3000"), &KEY(""));
        ck_assert_int_eq(a->size_bytes, 2254857830);
        ck_assert_uint_eq(a->total, 982341);
        ck_assert_double_eq(b->locality, 1);
        ck_assert_uint_eq(a->server, UINT32_MAX);
        ck_assert(!r.listing->whole_cluster);
        finish(&r);
    }

    /* an encoded name needs its table beside it; its keys cannot be checked */
    buf_init(&text, 0);
    buf_addf(
        &text,
        "TABLE | SERVER | REGION | START_KEY | REQ\nns:t | rs1:16020 17 | %s | a | 5\n",
        encoded);
    struct reading r = read_good(text.data);
    const struct listing_row *row = row_of(&r, encoded);
    check_keys(r.listing, row, NULL, NULL);
    ck_assert_str_eq(r.listing->tables[row->table], "ns:t");
    ck_assert_str_eq(r.listing->servers[row->server], "rs1,16020,17");
    ck_assert_uint_eq(row->total, 5);
    finish(&r);
    buf_finish(&text);
    buf_finish(&name);
}
END_TEST

START_TEST(refused_hand_made)
{
#define HAND "REGION | START_KEY | END_KEY | SIZE | REQ | LOCALITY\n"
    check_refused(HAND ENC_A " | (empty) | b | 1 | 2 | 1.0\n", POLL_PARSE,
                  "line 2: region '" ENC_A "' without its table");
    check_refused(HAND NAME_A " | (empty) | a|b | 1 | 2 | 1.0\n", POLL_PARSE,
                  "line 2: expected 6 cells as in the header, not 7");
    check_refused(HAND NAME_A " | (empty) | a\n", POLL_PARSE, "not 3");
    check_refused(HAND "t1,,170000… | (empty) | a | 1 | 2 | 1.0\n", POLL_PARSE,
                  "full name");
    check_refused(HAND NAME_A " | (empty) | (empty) | 1 | 2 | 1.0\n 2 rows\n",
                  POLL_PARSE, "2 rows announced, 1 read");
    check_refused(HAND NAME_A " | | | 1 | 2 | 1.0\nERROR: it broke\n",
                  POLL_BAD_RESPONSE, "it broke");
}
END_TEST

/* A name of the same region in a damaged form is no second region. */
START_TEST(one_row_of_each_id)
{
    static const char damaged[] = "t2,x,1700000000000." ENC_A ".";
    static const char *const orders[][2] = {{NAME_A, damaged}, {damaged, NAME_A}};

    for (size_t i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof(text),
                 HAND
                 "%s | (empty) | (empty) | 1 | 7 | 1.0\n%s | x | (empty) | 1 | 7 | "
                 "1.0\n",
                 orders[i][0], orders[i][1]);
        struct reading r = read_good(text);
        ck_assert_uint_eq(r.listing->row_count, 1);
        ck_assert(r.listing->rows[0].start_known);
        ck_assert_str_eq(r.listing->tables[r.listing->rows[0].table], "t1");
        finish(&r);
    }
}
END_TEST

START_TEST(mutations)
{
    check_mutations(NOTE HEADER ROWS FOOTER TOOK);
    check_mutations("REGION | START_KEY | END_KEY | SIZE | REQ | "
                    "LOCALITY\n---|---|---|---|---|---\n" NAME_A
                    " | (empty) | user3000 | 2.1GB | 982341 | 0.98\n" NAME_A
                    " | (empty) | (empty) | 2.1GB | 982341 | 0.98\n");
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("listing_text");
    TCase *c = tcase_create("all");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, captured);
    tcase_add_test(c, captured_failures);
    tcase_add_test(c, one_table);
    tcase_add_test(c, noise);
    tcase_add_test(c, empty_table);
    tcase_add_test(c, refused_tables);
    tcase_add_test(c, cut_short);
    tcase_add_test(c, too_many_rows);
    tcase_add_test(c, missing_neighbours);
    tcase_add_test(c, hand_made);
    tcase_add_test(c, refused_hand_made);
    tcase_add_test(c, one_row_of_each_id);
    tcase_add_test(c, mutations);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
