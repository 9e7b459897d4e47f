/* SPDX-License-Identifier: Apache-2.0 */
/* Region names, server and table names, HBase's numbers, the map of ids. */
#include "collectors/region_name.h"

#include <errno.h>

#include "collectors/id_map.h"
#include "collectors/number.h"
#include "collectors/server_name.h"
#include "region_support.h"

static void
check_name(struct key name, const char *table, struct key start, int64_t created,
           unsigned replica, bool exact, struct region_id id)
{
    struct region_name r;
    char *copy = exact_copy(name.s, name.len);

    ck_assert_msg(region_name_parse(copy, name.len, &r) == 0, "%s", name.s);
    ck_assert_uint_eq(r.table_len, strlen(table));
    ck_assert_mem_eq(r.table, table, r.table_len);
    ck_assert_uint_eq(r.start_len, start.len);
    if (start.len > 0)
        ck_assert_mem_eq(r.start, start.s, start.len);
    ck_assert_int_eq(r.created_ms, created);
    ck_assert_uint_eq(r.replica, replica);
    ck_assert_int_eq(r.exact, exact);
    ck_assert(region_id_equal(r.id, id));
    free(copy);
}

START_TEST(known_names)
{
    /* HBase's own encoded names of these prefixes */
    check_name(KEY("t1,,1700000000000.43ae7364b4a555b93267937f9bc49ec1."), "t1",
               KEY(""), 1700000000000, 0, true,
               (struct region_id){0x43ae7364b4a555b9, 0x3267937f9bc49ec1});
    check_name(KEY("t1,m|x,1700000000000.559c866be4d8e88493aa20d313edf76d."), "t1",
               KEY("m|x"), 1700000000000, 0, true,
               (struct region_id){0x559c866be4d8e884, 0x93aa20d313edf76d});
    check_name(KEY("t1,m|x,1700000000000_0001.722b49d2113a4793d9a6c05a47d9c977."), "t1",
               KEY("m|x"), 1700000000000, 1, true,
               (struct region_id){0x722b49d2113a4793, 0xd9a6c05a47d9c977});
    check_name(KEY("ns1:orders,\0A,1700000000001.2d12a973e75c9426016c9cc1c447e0a4."),
               "ns1:orders", KEY("\0A"), 1700000000001, 0, true,
               (struct region_id){0x2d12a973e75c9426, 0x016c9cc1c447e0a4});
    check_name(
        KEY("ns1:orders,\0\xffz,1700000000001.39a8ebc2b9a7dd602aebfdd3d37d29f5."),
        "ns1:orders", KEY("\0\xffz"), 1700000000001, 0, true,
        (struct region_id){0x39a8ebc2b9a7dd60, 0x2aebfdd3d37d29f5});
    /* old style */
    check_name(KEY("hbase:meta,,1"), "hbase:meta", KEY(""), 1, 0, true, REGION_ID_META);
    check_name(KEY("hbase:meta,,1.1588230740"), "hbase:meta", KEY(""), 1, 0, true,
               REGION_ID_META);
    check_name(KEY("hbase:meta,,1_0001"), "hbase:meta", KEY(""), 1, 1, true,
               (struct region_id){0, 534574363});
    check_name(KEY("hbase:meta,,1_0002.1657623790"), "hbase:meta", KEY(""), 1, 2, true,
               (struct region_id){0, 1657623790});
    check_name(KEY("old,k,5.123"), "old", KEY("k"), 5, 0, false,
               (struct region_id){0, 123});
    check_name(KEY("hbase:meta,,1.99"), "hbase:meta", KEY(""), 1, 0, false,
               (struct region_id){0, 99});
}
END_TEST

START_TEST(inexact_names)
{
    /* a byte that became U+FFFD on its way */
    check_name(KEY("ns1:orders,\0\xef\xbf\xbdz,1700000000001."
                   "39a8ebc2b9a7dd602aebfdd3d37d29f5."),
               "ns1:orders", KEY("\0\xef\xbf\xbdz"), 1700000000001, 0, false,
               (struct region_id){0x39a8ebc2b9a7dd60, 0x2aebfdd3d37d29f5});
    /* an id that is no number */
    check_name(KEY("t,a,b,x17_01.00000000000000000000000000000001."), "t", KEY("a,b"),
               -1, 0, false, (struct region_id){0, 1});
    check_name(KEY("t,a,17_00g1.00000000000000000000000000000001."), "t", KEY("a"), -1,
               0, false, (struct region_id){0, 1});
    check_name(KEY("t,a,99999999999999999999.00000000000000000000000000000001."), "t",
               KEY("a"), -1, 0, false, (struct region_id){0, 1});
}
END_TEST

START_TEST(refused_names)
{
    static const char *const names[] = {
        "",
        ",",
        ",,",
        "t",
        "t,",
        "t,a",
        "t,a,1",
        "t,a,1.",
        "t,a,1.12345678901",
        "t,a,1.43ae7364b4a555b93267937f9bc49ec1",
        "t,a,1.43AE7364B4A555B93267937F9BC49EC1.",
        "t,1.43ae7364b4a555b93267937f9bc49ec1.",
        ",a,1.43ae7364b4a555b93267937f9bc49ec1.",
        ".43ae7364b4a555b93267937f9bc49ec1.",
        "x.43ae7364b4a555b93267937f9bc49ec1.",
        "hbase:meta,,2",
        "hbase:meta,,1.",
        "43ae7364b4a555b93267937f9bc49ec1",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct region_name r = {.created_ms = 77};
        char *copy = exact_copy(names[i], strlen(names[i]));
        ck_assert_msg(region_name_parse(copy, strlen(names[i]), &r) == -EINVAL, "%s",
                      names[i]);
        ck_assert_int_eq(r.created_ms, 77);
        free(copy);
    }
}
END_TEST

/* Keys of any bytes, commas, dots and digests included, come back as they were. */
START_TEST(any_key)
{
    static const char alphabet[] = ",._0123abcdef\0\xff|\"\\ ";

    for (unsigned i = 0; i < 5000; i++) {
        char key[80];
        size_t len = rng_below(sizeof(key));
        for (size_t k = 0; k < len; k++)
            key[k] = rng_below(2) ? (char)rng_next()
                                  : alphabet[rng_below(sizeof(alphabet) - 1)];
        int64_t created = (int64_t)(rng_next() >> (1 + rng_below(60)));
        unsigned replica = rng_below(2) ? (unsigned)rng_below(65536) : 0;
        struct buf name;
        buf_init(&name, 0);
        add_name(&name, "ns:t", (struct key){key, len}, created, replica);
        check_name((struct key){name.data, name.len}, "ns:t", (struct key){key, len},
                   created, replica, true,
                   id_of("ns:t", (struct key){key, len}, created, replica));
        buf_finish(&name);
    }
}
END_TEST

START_TEST(mutated_names)
{
    static const char seed[] =
        "t1,m|x,1700000000000_0001.722b49d2113a4793d9a6c05a47d9c977.";

    for (unsigned i = 0; i < 20000; i++) {
        char text[sizeof(seed)];
        size_t len = sizeof(seed) - 1;
        struct region_name r;
        memcpy(text, seed, len);
        mutate(text, &len);
        char *copy = exact_copy(text, len);
        if (region_name_parse(copy, len, &r) == 0)
            ck_assert(r.table >= copy && r.start + r.start_len < copy + len);
        free(copy);
    }
}
END_TEST

START_TEST(server_names)
{
    static const char *const good[] = {
        "rs1.example.com,16020,1700000001111",
        "h,1,0",
        "10.0.0.1,65535,1",
        "fe80::1,16020,1700000001111",
        "[::1],16020,1",
        "a_b,1,9223372036854775807",
    };
    static const char *const bad[] = {
        "",
        ",",
        ",,",
        "h",
        "h,1",
        ",1,2",
        "h,0,1",
        "h,65536,1",
        "h,x,1",
        "h,1,x",
        "h,1,-1",
        "h,1,",
        "h,,1",
        "h i,1,1",
        "h;i,1,1",
        "a,b,1,1",
        "h/x,1,1",
        "h,1,9223372036854775808",
        "h\n,1,1",
        "\xff,1,1",
        "<b>,1,1",
        "h@x,1,1",
        "h\xc2\x9b,1,1",
    };
    char name[SERVER_NAME_MAX + 1];

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        ck_assert_msg(server_name_valid(good[i], strlen(good[i])), "%s", good[i]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ck_assert_msg(!server_name_valid(bad[i], strlen(bad[i])), "%s", bad[i]);
        ck_assert_msg(!server_name_normalise(bad[i], strlen(bad[i]), name), "%s",
                      bad[i]);
    }
    ck_assert(table_name_valid("ns:\xc3\xbc'\"\\#{x}", 11));
    ck_assert(!table_name_valid("t\xc2\x9b"
                                "31m",
                                6));
    ck_assert(!table_name_valid("t\0x", 3));
    ck_assert(server_name_normalise("rs1:16020 17", 12, name));
    ck_assert_str_eq(name, "rs1,16020,17");
    ck_assert(server_name_normalise("fe80::1:16020 17", 16, name));
    ck_assert_str_eq(name, "fe80::1,16020,17");
    ck_assert(!server_name_normalise("rs1 16020 17", 12, name));
    ck_assert(!server_name_normalise("rs1:16020 17\0x", 14, name));
    ck_assert(!server_name_normalise("a:1 2 x:3 4", 11, name));
    char longest[SERVER_NAME_MAX + 2];
    memset(longest, 'h', sizeof(longest));
    memcpy(longest + SERVER_NAME_MAX - 4, ",1,1", 4);
    ck_assert(server_name_normalise(longest, SERVER_NAME_MAX, name));
    ck_assert(!server_name_normalise(longest, SERVER_NAME_MAX + 1, name));
}
END_TEST

START_TEST(counters)
{
    static const struct {
        const char *text;
        int error;
        uint64_t value;
    } cases[] = {
        {"0", 0, 0},
        {"12", 0, 12},
        {"999999999999999999", 0, 999999999999999999},
        {"9007199254740993", 0, 9007199254740993},
        {"9223372036854775807", 0, INT64_MAX},
        {"0000000000000000000012", 0, 12},
        {"9223372036854775808", -ERANGE, 0},
        {"99999999999999999999", -ERANGE, 0},
        {"1.0E7", 0, 10000000},
        {"1.5E1", 0, 15},
        {"9.007199254740992E15", 0, 9007199254740992},
        {"9.007199254740994E15", -ERANGE, 0},
        {"0.5", -ERANGE, 0},
        {"-1", -ERANGE, 0},
        {"-0.0", 0, 0},
        {"1E999", -ERANGE, 0},
        {"", -EINVAL, 0},
        {"x", -EINVAL, 0},
        {"1 ", -EINVAL, 0},
        {"1x", -EINVAL, 0},
        {"NaN", -EINVAL, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t v = 4711;
        int r = number_counter(cases[i].text, strlen(cases[i].text), &v);
        ck_assert_msg(r == cases[i].error && v == (r == 0 ? cases[i].value : 4711),
                      "%s: %d %" PRIu64, cases[i].text, r, v);
    }
}
END_TEST

START_TEST(whole_numbers)
{
    int64_t v = 4711;

    ck_assert_int_eq(number_whole("1.700000001111E12", 17, &v), 0);
    ck_assert_int_eq(v, 1700000001111);
    ck_assert_int_eq(number_whole("-9223372036854775808", 20, &v), 0);
    ck_assert_int_eq(v, INT64_MIN);
    ck_assert_int_eq(number_whole("-2.5", 4, &v), 0);
    ck_assert_int_eq(v, -3);
    v = 4711;
    ck_assert_int_eq(number_whole("9223372036854775808", 19, &v), -ERANGE);
    ck_assert_int_eq(number_whole("1E17", 4, &v), -ERANGE);
    ck_assert_int_eq(number_whole("", 0, &v), -EINVAL);
    ck_assert_int_eq(v, 4711);
}
END_TEST

START_TEST(sizes)
{
    static const struct {
        const char *text;
        int64_t bytes; /* -1: refused */
    } cases[] = {
        {"12", 12582912},
        {"12.0MB", 12582912},
        {"1024.0MB", 1073741824},
        {"3.5GB", 3758096384},
        {"2.1GB", 2254857830},
        {"2.1 GB", 2254857830},
        {"0", 0},
        {"0.0MB", 0},
        {"64.0KB", 65536},
        {"17B", 17},
        {"1.0TB", 1099511627776},
        {"1.0E7MB", 10485760000000},
        {"1PB", 1125899906842624},
        {"", -1},
        {"MB", -1},
        {"12XB", -1},
        {"12mb", -1},
        {"12MiB", -1},
        {"-1MB", -1},
        {"1E300MB", -1},
        {"B", -1},
        {"NaN", -1},
        {"1.2.3MB", -1},
        {"12 ", -1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t v = -1;
        int r = number_size(cases[i].text, strlen(cases[i].text), 1048576, &v);
        ck_assert_msg(v == cases[i].bytes && (r == 0) == (v >= 0), "%s: %d %" PRIi64,
                      cases[i].text, r, v);
    }
}
END_TEST

START_TEST(map_of_ids)
{
    enum { N = 5000 };
    struct id_map *map = id_map_create();
    struct region_id ids[N];

    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < N; i++) {
            ids[i] = i % 7 == 0 ? (struct region_id){0, i}
                                : (struct region_id){rng_next(), rng_next()};
            ck_assert_uint_eq(id_map_add(map, ids[i], i), i);
        }
        for (uint32_t i = 0; i < N; i++)
            ck_assert_uint_eq(id_map_add(map, ids[i], N), i);
        id_map_clear(map);
    }
    ck_assert_uint_eq(id_map_add(map, ids[3], 9), 9);
    ck_assert_ptr_null(id_map_destroy(map));
    ck_assert_ptr_null(id_map_destroy(NULL));
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("region_name");
    TCase *c = tcase_create("all");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, known_names);
    tcase_add_test(c, inexact_names);
    tcase_add_test(c, refused_names);
    tcase_add_test(c, any_key);
    tcase_add_test(c, mutated_names);
    tcase_add_test(c, server_names);
    tcase_add_test(c, counters);
    tcase_add_test(c, whole_numbers);
    tcase_add_test(c, sizes);
    tcase_add_test(c, map_of_ids);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
