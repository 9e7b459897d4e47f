/* SPDX-License-Identifier: Apache-2.0 */
/* live_servers as a listing: captured answers against the cJSON tree, end keys (also
 * while regions split, merge and move), and unusable answers. */
#include "collectors/live_servers.h"

#include <cjson/cJSON.h>

#include "region_support.h"

enum { MAX_REGIONS = 100000 };
#define T0 INT64_C(1700000000000)
#define T1 INT64_C(1700000500000)

struct reading {
    struct message *message;
    struct listing *listing;
    struct live_servers_reader *reader;
    enum poll_outcome outcome;
    char *error;
};

static struct reading
read_text(const char *text, size_t len, size_t piece, size_t max_regions)
{
    struct reading r = {.message = message_create(MESSAGE_LISTING)};
    bool usable = true;

    r.listing = &r.message->listing;
    r.reader = live_servers_reader_create(r.listing, max_regions);
    for (size_t at = 0; at < len && usable;) {
        size_t n = piece > 0 ? piece : 1 + rng_below(500);
        if (n > len - at)
            n = len - at;
        char *copy = exact_copy(text + at, n);
        usable = live_servers_reader_feed(r.reader, copy, n);
        free(copy);
        at += n;
    }
    r.outcome = live_servers_reader_end(r.reader, &r.error);
    ck_assert_int_eq(r.error == NULL, r.outcome == POLL_OK);
    return r;
}

static struct reading
read_whole(const char *text)
{
    return read_text(text, strlen(text), 1000000, MAX_REGIONS);
}

static void
finish(struct reading *r)
{
    live_servers_reader_destroy(r->reader);
    message_destroy(r->message);
    free(r->error);
}

/* ---- documents ---- */

struct document {
    struct buf text;
    bool first_server;
    bool first_region;
};

static void
begin_document(struct document *d)
{
    buf_init(&d->text, 0);
    buf_adds(&d->text, "{\"data\":[");
    d->first_server = true;
}

static void
begin_server(struct document *d, const char *name, int64_t report)
{
    buf_addf(&d->text,
             "%s{\"server_name\":{\"server_name\":\"%s\",\"start_code\":1},"
             "\"report_timestamp\":%" PRIi64 ",\"info_server_port\":16030,"
             "\"region_status\":{",
             d->first_server ? "" : ",", name, report);
    d->first_server = false;
    d->first_region = true;
}

/* As the master does it: bytes that are no UTF-8 become U+FFFD, '=' becomes \u003d. */
static void
add_json_name(struct buf *out, const struct buf *name)
{
    for (size_t at = 0; at < name->len;) {
        size_t n = utf8_sequence(name->data + at, name->len - at);
        unsigned char c = (unsigned char)name->data[at];
        if (n == 0)
            buf_adds(out, "\xef\xbf\xbd");
        else if (n == 1 && (c < ' ' || c == '"' || c == '\\' || c == '=' || c == '<'))
            buf_addf(out, "\\u%04x", c);
        else
            buf_add(out, name->data + at, n);
        at += n == 0 ? 1 : n;
    }
}

static void
add_region(struct document *d, const char *table, struct key key, int64_t created,
           unsigned replica, const char *values)
{
    struct buf name;

    buf_init(&name, 0);
    add_name(&name, table, key, created, replica);
    buf_addf(&d->text, "%s\"", d->first_region ? "" : ",");
    add_json_name(&d->text, &name);
    buf_adds(&d->text, "\":{\"name\":\"");
    add_json_name(&d->text, &name);
    buf_addf(&d->text, "\"%s}", values);
    buf_finish(&name);
    d->first_region = false;
}

static void
end_server(struct document *d)
{
    buf_adds(&d->text, "},\"coprocessor_names\":[]}");
}

static struct reading
end_document(struct document *d)
{
    buf_adds(&d->text, "]}");
    struct reading r = read_text(d->text.data, d->text.len, 0, MAX_REGIONS);
    ck_assert_msg(r.outcome == POLL_OK, "%.300s: %s", d->text.data, r.error);
    check_sound(r.listing);
    buf_finish(&d->text);
    return r;
}

/* ---- captures ---- */

static double
member(const cJSON *object, const char *name)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, name);

    ck_assert_msg(cJSON_IsNumber(value), "%s", name);
    return value->valuedouble;
}

/* Each region of the tree is in the listing with its values. cJSON cuts names at
 * "\u0000": the tail with the id is taken from the text instead, in the order of the
 * document. */
static size_t
check_server(const struct listing *l, const cJSON *server, const char **at)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(server, "server_name"), "server_name");
    const cJSON *regions = cJSON_GetObjectItemCaseSensitive(server, "region_status");
    const cJSON *region;
    size_t count = 0;

    cJSON_ArrayForEach(region, regions)
    {
        struct region_id id = REGION_ID_META;
        const char *tail = strstr(*at, "\":{\"name\":\"");
        ck_assert_ptr_nonnull(tail);
        *at = tail + 1;
        if (strncmp(region->string, "hbase:meta,", 11) != 0)
            ck_assert(region_id_parse(tail - 33, 32, &id));
        const struct listing_row *row = find_row(l, id);
        ck_assert_ptr_nonnull(row);
        ck_assert_str_eq(l->servers[row->server], name->valuestring);
        ck_assert_uint_eq(row->known, SAMPLE_READ | SAMPLE_WRITE);
        ck_assert_double_eq((double)row->read, member(region, "read_request_count"));
        ck_assert_double_eq((double)row->write, member(region, "write_request_count"));
        ck_assert_double_eq((double)row->size_bytes, member(region, "store_file_size"));
        ck_assert_double_eq(row->locality, member(region, "data_locality"));
        ck_assert_int_eq(row->start_known,
                         strstr(region->string, "\xef\xbf\xbd") == NULL);
        count++;
    }
    return count;
}

START_TEST(captured)
{
    static const size_t pieces[] = {1000000, 1, 2, 3, 7, 0, 0};

    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        size_t len;
        char *text = read_capture(i % 2 == 0 ? "hbase-2.6.4/live_servers-a.json"
                                             : "hbase-2.6.4/live_servers-b.json",
                                  &len);
        struct reading r = read_text(text, len, pieces[i], MAX_REGIONS);
        ck_assert_msg(r.outcome == POLL_OK, "%s", r.error);
        check_sound(r.listing);
        ck_assert_int_eq(r.listing->source, LISTING_API);
        ck_assert(r.listing->whole_cluster);

        cJSON *root = cJSON_Parse(text);
        const cJSON *server, *data = cJSON_GetObjectItemCaseSensitive(root, "data");
        const char *at = text;
        size_t regions = 0, n_servers, s = 0;
        const struct live_server *servers =
            live_servers_reader_servers(r.reader, &n_servers);
        bool median = false;
        cJSON_ArrayForEach(server, data)
        {
            regions += check_server(r.listing, server, &at);
            ck_assert_uint_lt(s, n_servers);
            ck_assert_double_eq(servers[s].info_port,
                                member(server, "info_server_port"));
            ck_assert_double_eq((double)servers[s].report_ms,
                                member(server, "report_timestamp"));
            median |= servers[s].report_ms == r.listing->as_of_ms;
            s++;
        }
        ck_assert(median);
        ck_assert_uint_eq(n_servers, s);
        ck_assert_uint_eq(r.listing->row_count, regions);
        cJSON_Delete(root);
        finish(&r);
        free(text);
    }
}
END_TEST

/* ---- values ---- */

START_TEST(forms_of_values)
{
    static const struct {
        const char *values;
        int64_t size;
        double locality; /* -1: unknown */
        uint64_t read;
        unsigned known;
    } cases[] = {
        {",\"store_file_size\":1.073741824E9,\"data_locality\":0.97,"
         "\"read_request_count\":9007199254740993,\"write_request_count\":1",
         1073741824, 0.97, 9007199254740993, SAMPLE_READ | SAMPLE_WRITE},
        {"", -1, -1, 0, 0},
        {",\"store_file_size\":-1,\"data_locality\":7,\"read_request_count\":-1", -1,
         -1, 0, SAMPLE_INVALID},
        {",\"store_file_size\":1e300,\"data_locality\":NaN,\"read_request_count\":null",
         -1, -1, 0, 0},
        {",\"store_sequence_ids\":{\"read_request_count\":5},\"more\":[{\"data_"
         "locality\":1}]",
         -1, -1, 0, 0},
        {",\"read_request_count\":1E7,\"read_request_count\":3", -1, -1, 3,
         SAMPLE_READ},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct document d;
        begin_document(&d);
        begin_server(&d, "rs1,16020,1", 5000);
        add_region(&d, "t", KEY("k"), T0, 0, cases[i].values);
        end_server(&d);
        struct reading r = end_document(&d);
        ck_assert_uint_eq(r.listing->row_count, 1);
        const struct listing_row *row = &r.listing->rows[0];
        ck_assert_int_eq(row->size_bytes, cases[i].size);
        if (cases[i].locality < 0)
            ck_assert(isnan(row->locality));
        else
            ck_assert_double_eq(row->locality, cases[i].locality);
        ck_assert_uint_eq(row->known, cases[i].known);
        if (cases[i].known & SAMPLE_READ)
            ck_assert_uint_eq(row->read, cases[i].read);
        finish(&r);
    }
}
END_TEST

START_TEST(servers_and_their_order)
{
    /* The name and the report may come after the regions; unusable parts are left out.
     */
    struct reading r = read_whole(
        "{\"hbase\":1,\"data\":[{\"region_status\":{\"t,,1.0\":{},\"hbase:meta,,1\":"
        "{\"read_request_count\":4},\"unknown\":{\"read_request_count\":9}},"
        "\"info_server_port\":70000,\"report_timestamp\":1.700000001111E12,"
        "\"server_name\":{\"start_code\":1,\"server_name\":\"rs1,16020,1\"}},"
        "{\"server_name\":{\"server_name\":\"rs2,16020,1\"},\"info_server_port\":16031}"
        ","
        "{\"server_name\":{\"server_name\":\"nonsense\"},\"region_status\":{}}, 5, "
        "null]}");
    ck_assert_msg(r.outcome == POLL_OK, "%s", r.error);
    ck_assert_uint_eq(r.listing->row_count, 2);
    ck_assert_str_eq(r.listing->servers[r.listing->rows[1].server], "rs1,16020,1");
    ck_assert_uint_eq(r.listing->rows[1].read, 4);
    ck_assert_str_eq(r.listing->tables[r.listing->rows[1].table], "hbase:meta");
    ck_assert_uint_eq(r.listing->skipped_lines, 2);
    size_t n;
    const struct live_server *servers = live_servers_reader_servers(r.reader, &n);
    ck_assert_uint_eq(n, 2);
    ck_assert_uint_eq(servers[0].info_port, 0);
    ck_assert_int_eq(servers[0].report_ms, 1700000001111);
    ck_assert_uint_eq(servers[1].info_port, 16031);
    ck_assert_int_eq(servers[1].report_ms, -1);
    ck_assert_int_eq(r.listing->as_of_ms, 1700000001111);
    finish(&r);
}
END_TEST

START_TEST(values_elsewhere)
{
    /* Only what stands inside a region's object is that region's. */
    struct reading r = read_whole(
        "{\"data\":[{\"server_name\":{\"server_name\":\"rs1,16020,1\"},"
        "\"region_status\":{\"hbase:meta,,1\":5},"
        "\"sink\":{\"x\":{\"read_request_count\":9},\"read_request_count\":9},"
        "\"read_request_count\":9}],\"x\":[{\"region_status\":{\"t,,1.0\":{}}}]}");
    ck_assert_msg(r.outcome == POLL_OK, "%s", r.error);
    ck_assert_uint_eq(r.listing->row_count, 1);
    ck_assert_uint_eq(r.listing->rows[0].known, 0);
    finish(&r);
}
END_TEST

/* One server's wrong clock does not date the listing. */
START_TEST(median_of_report_times)
{
    static const int64_t reports[] = {T0, T0 * 2, T0 + 5, -1, T0 + 2};
    struct document d;

    begin_document(&d);
    for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++) {
        char name[40];
        snprintf(name, sizeof(name), "rs,%zu,1", 1 + i);
        begin_server(&d, name, reports[i]);
        end_server(&d);
    }
    struct reading r = end_document(&d);
    ck_assert_int_eq(r.listing->as_of_ms, T0 + 5);
    finish(&r);
}
END_TEST

/* ---- end keys ---- */

static void
check_ends(const struct listing *l, const char *table, struct key key, int64_t created,
           unsigned replica, const struct key *end)
{
    check_keys(l, find_row(l, id_of(table, key, created, replica)), &key, end);
}

START_TEST(end_keys)
{
    struct document d;

    begin_document(&d);
    begin_server(&d, "rs1,16020,1", 5000);
    add_region(&d, "t", KEY("m"), T0, 0, "");
    add_region(&d, "u", KEY(""), T0, 0, "");
    add_region(&d, "t", KEY("m\xc3\xa9"), T0, 1, "");
    add_region(&d, "lossy", KEY("a"), T0, 0, "");
    add_region(&d, "lossy", KEY("\xff"), T0, 0, "");
    end_server(&d);
    begin_server(&d, "rs2,16020,1", 5000);
    add_region(&d, "t", KEY(""), T0, 0, "");
    add_region(&d, "t", KEY("m\0"), T1, 0, "");
    add_region(&d, "t", KEY("a=b"), T1, 0, "");
    add_region(&d, "t", KEY(""), T0, 1, "");
    end_server(&d);
    struct reading r = end_document(&d);
    const struct listing *l = r.listing;
    check_ends(l, "t", KEY(""), T0, 0, &KEY("a=b"));
    check_ends(l, "t", KEY("a=b"), T1, 0, &KEY("m"));
    check_ends(l, "t", KEY("m"), T0, 0, &KEY("m\0"));
    check_ends(l, "t", KEY("m\0"), T1, 0, &KEY(""));
    check_ends(l, "t", KEY(""), T0, 1, &KEY("m\xc3\xa9"));
    check_ends(l, "t", KEY("m\xc3\xa9"), T0, 1, &KEY(""));
    check_ends(l, "u", KEY(""), T0, 0, &KEY(""));
    /* a key that did not survive: no end key of that table is certain */
    check_ends(l, "lossy", KEY("a"), T0, 0, NULL);
    check_keys(l, find_row(l, id_of("lossy", KEY("\xff"), T0, 0)), NULL, NULL);
    finish(&r);
}
END_TEST

START_TEST(split_under_way)
{
    struct document d;

    begin_document(&d);
    begin_server(&d, "rs1,16020,1", 5000);
    add_region(&d, "t", KEY("a"), T0, 0, ""); /* parent: a to c */
    add_region(&d, "t", KEY(""), T0, 0, "");
    end_server(&d);
    begin_server(&d, "rs2,16020,1", 5000);
    add_region(&d, "t", KEY("b"), T1, 0, ""); /* daughters: a to b, b to c */
    add_region(&d, "t", KEY("a"), T1, 0, "");
    add_region(&d, "t", KEY("c"), T0, 0, "");
    end_server(&d);
    struct reading r = end_document(&d);
    check_ends(r.listing, "t", KEY(""), T0, 0, &KEY("a"));
    check_ends(r.listing, "t", KEY("a"), T0, 0, NULL);
    check_ends(r.listing, "t", KEY("a"), T1, 0, &KEY("b"));
    check_ends(r.listing, "t", KEY("b"), T1, 0, &KEY("c"));
    check_ends(r.listing, "t", KEY("c"), T0, 0, &KEY(""));
    finish(&r);
}
END_TEST

START_TEST(merge_under_way)
{
    struct document d;

    begin_document(&d);
    begin_server(&d, "rs1,16020,1", 5000);
    add_region(&d, "t", KEY("a"), T0, 0, ""); /* a to b and b to c become a to c */
    add_region(&d, "t", KEY("b"), T0, 0, "");
    add_region(&d, "t", KEY("a"), T1, 0, "");
    add_region(&d, "t", KEY("c"), T0, 0, "");
    end_server(&d);
    struct reading r = end_document(&d);
    check_ends(r.listing, "t", KEY("a"), T0, 0, NULL);
    check_ends(r.listing, "t", KEY("a"), T1, 0, NULL);
    check_ends(r.listing, "t", KEY("b"), T0, 0, &KEY("c"));
    check_ends(r.listing, "t", KEY("c"), T0, 0, &KEY(""));
    finish(&r);
}
END_TEST

/* A region that two servers list is where the newer report sees it. */
START_TEST(region_on_two_servers)
{
    for (unsigned newer = 1; newer <= 2; newer++) {
        struct document d;
        begin_document(&d);
        begin_server(&d, "rs1,16020,1", newer == 1 ? 6000 : 5000);
        add_region(&d, "t", KEY(""), T0, 0, ",\"read_request_count\":1");
        add_region(&d, "t", KEY("m"), T0, 0, "");
        end_server(&d);
        begin_server(&d, "rs2,16020,1", 5500);
        add_region(&d, "t", KEY(""), T0, 0, ",\"read_request_count\":2");
        end_server(&d);
        struct reading r = end_document(&d);
        ck_assert_uint_eq(r.listing->row_count, 2);
        const struct listing_row *row = find_row(r.listing, id_of("t", KEY(""), T0, 0));
        ck_assert_uint_eq(row->read, newer);
        ck_assert_uint_eq(row->server, newer - 1);
        check_ends(r.listing, "t", KEY(""), T0, 0, &KEY("m"));
        finish(&r);
    }
}
END_TEST

/* Any set of keys, on any servers in any order, gets the ends of its sorted order. */
START_TEST(random_tables)
{
    for (unsigned round = 0; round < 300; round++) {
        char keys[40];
        size_t n = 1 + rng_below(sizeof(keys));
        for (size_t i = 0; i < n; i++) /* distinct, ascending, below 0x80 */
            keys[i] = (char)(3 * i + rng_below(3));
        size_t order[sizeof(keys)];
        for (size_t i = 0; i < n; i++) {
            size_t k = rng_below(i + 1);
            order[i] = order[k];
            order[k] = i;
        }
        struct document d;
        begin_document(&d);
        for (size_t i = 0; i < n; i++) {
            if (i == 0 || rng_below(4) == 0) {
                char name[40];
                if (i > 0)
                    end_server(&d);
                snprintf(name, sizeof(name), "rs,%zu,1", 1 + i);
                begin_server(&d, name, 5000);
            }
            size_t k = order[i];
            add_region(&d, "t", (struct key){keys + k, k > 0}, T0, 0, "");
        }
        end_server(&d);
        struct reading r = end_document(&d);
        ck_assert_uint_eq(r.listing->row_count, n);
        for (size_t k = 0; k < n; k++) {
            struct key end = {keys + k + 1, k + 1 < n};
            check_ends(r.listing, "t", (struct key){keys + k, k > 0}, T0, 0, &end);
        }
        finish(&r);
    }
}
END_TEST

/* ---- unusable answers ---- */

START_TEST(outcomes)
{
    static const struct {
        const char *text;
        enum poll_outcome outcome;
        const char *says;
    } cases[] = {
        {"", POLL_PARSE, "byte 0"},
        {"<html>", POLL_PARSE, "HTML"},
        {"{\"data\":[{", POLL_PARSE, "cut short"},
        {"{\"data\":[]}", POLL_NO_DATA, "no live server"},
        {"{\"data\":[{}]}", POLL_NO_DATA, "no live server"},
        {"{\"data\":{}}", POLL_BAD_RESPONSE, "data"},
        {"{\"data\":1}", POLL_BAD_RESPONSE, "data"},
        {"{}", POLL_BAD_RESPONSE, "data"},
        {"[]", POLL_BAD_RESPONSE, "data"},
        {"{\"beans\":[{\"name\":\"x\"}]}", POLL_BAD_RESPONSE, "data"},
        {"{\"data\":[{\"server_name\":{\"server_name\":\"rs1,16020,1\"}}]}", POLL_OK,
         NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r = read_whole(cases[i].text);
        ck_assert_msg(r.outcome == cases[i].outcome, "%s: %d %s", cases[i].text,
                      r.outcome, r.error);
        if (cases[i].says != NULL)
            ck_assert_msg(strstr(r.error, cases[i].says) != NULL, "%s", r.error);
        finish(&r);
    }
}
END_TEST

START_TEST(too_many_regions)
{
    size_t len;
    char *text = read_capture("hbase-2.6.4/live_servers-a.json", &len);

    struct reading r = read_text(text, len, 0, 54);
    ck_assert_int_eq(r.outcome, POLL_OK);
    finish(&r);
    r = read_text(text, len, 0, 53);
    ck_assert_int_eq(r.outcome, POLL_TOO_LARGE);
    finish(&r);
    free(text);
}
END_TEST

static void
small_document(struct document *d)
{
    begin_document(d);
    begin_server(d, "rs1,16020,1", 5000);
    add_region(d, "t", KEY(""), T0, 0,
               ",\"read_request_count\":7,\"data_locality\":1.0");
    add_region(d, "t", KEY("m\"\n"), T0, 1, ",\"store_file_size\":1.048576E9");
    end_server(d);
    buf_adds(&d->text, "]}");
}

START_TEST(cut_short)
{
    struct document d;

    small_document(&d);
    for (size_t len = 0; len < d.text.len; len++) {
        struct reading r = read_text(d.text.data, len, 1 + len % 11, MAX_REGIONS);
        ck_assert_int_eq(r.outcome, POLL_PARSE);
        finish(&r);
    }
    buf_finish(&d.text);
}
END_TEST

START_TEST(mutations)
{
    struct document d;
    unsigned ok = 0;

    small_document(&d);
    for (unsigned i = 0; i < 20000; i++) {
        size_t len = d.text.len;
        char *text = exact_copy(d.text.data, len);
        mutate(text, &len);
        struct reading r = read_text(text, len, 0, MAX_REGIONS);
        if (r.outcome == POLL_OK) {
            check_sound(r.listing);
            ok++;
        }
        finish(&r);
        free(text);
    }
    ck_assert_uint_gt(ok, 1000);
    buf_finish(&d.text);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("live_servers");
    TCase *c = tcase_create("all");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, captured);
    tcase_add_test(c, forms_of_values);
    tcase_add_test(c, servers_and_their_order);
    tcase_add_test(c, values_elsewhere);
    tcase_add_test(c, median_of_report_times);
    tcase_add_test(c, end_keys);
    tcase_add_test(c, split_under_way);
    tcase_add_test(c, merge_under_way);
    tcase_add_test(c, region_on_two_servers);
    tcase_add_test(c, random_tables);
    tcase_add_test(c, outcomes);
    tcase_add_test(c, too_many_regions);
    tcase_add_test(c, cut_short);
    tcase_add_test(c, mutations);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
