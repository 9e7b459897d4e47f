/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of /rs-status and the rows in them: captures, odd and hostile answers, the
 * tally of a session. */
#include "collectors/rpc_status.h"

#include <cjson/cJSON.h>

#include "collectors/proto_text.h"
#include "collectors/row_tally.h"
#include "parse_support.h"

#define ORDERS_40 "a43d395cda19c49a14e5827ba25c3c0f"
#define ORDERS_70 "e483103b53fdd1fd0d12c536eab90375"
#define NAME_40 "orders,40,1796071156343." ORDERS_40 "."

static struct region_id
id(const char *text)
{
    struct region_id ret;

    ck_assert(region_id_parse(text, strlen(text), &ret));
    return ret;
}

/* ---- answers ---- */

struct seen {
    size_t calls;
    size_t rows;
    enum call_method method; /* of the last call */
    char client[64];
    unsigned port;
    int64_t start_ms;
    char row[64]; /* the first of the last call */
    char last_row[64];
    struct region_id region;
};

static void
copy_row(const struct rpc_call *call, size_t i, char *ret)
{
    const struct rpc_row *row = &call->rows[i];

    snprintf(ret, 64, "%.*s", (int)row->len, call->bytes + row->offset);
}

static void
see(void *user, const struct rpc_call *call)
{
    struct seen *s = user;

    s->calls++;
    s->rows += call->row_count;
    s->method = call->method;
    s->port = call->port;
    s->start_ms = call->start_ms;
    s->region = call->rows[0].region;
    snprintf(s->client, sizeof s->client, "%s", call->client);
    copy_row(call, 0, s->row);
    copy_row(call, call->row_count - 1, s->last_row);
}

/* In pieces of a random size. */
static enum poll_outcome
read_answer(struct rpc_status *r, const char *text, size_t len, char **ret_error)
{
    for (size_t at = 0, n; at < len; at += n) {
        n = 1 + rng_below(len - at < 700 ? len - at : 700);
        char *piece = exact_copy(text + at, n);
        bool more = rpc_status_feed(r, piece, n);
        free(piece);
        if (!more)
            break;
    }
    return rpc_status_end(r, ret_error);
}

static const struct {
    const char *file;
    size_t calls;
    size_t rows;
    struct seen last;
} captures[] = {
    {"get",
     1,
     1,
     {.method = CALL_GET,
      .port = 53110,
      .start_ms = 1796071524450,
      .row = "42000001",
      .last_row = "42000001"}},
    {"get-mutate",
     2,
     2,
     {.method = CALL_GET,
      .port = 53126,
      .start_ms = 1796071526693,
      .row = "42839549",
      .last_row = "42839549"}},
    {"mutate",
     1,
     1,
     {.method = CALL_MUTATE,
      .port = 53104,
      .start_ms = 1796071523559,
      .row = "42250786",
      .last_row = "42250786"}},
    {"mutate-mutate",
     2,
     2,
     {.method = CALL_MUTATE,
      .port = 53096,
      .start_ms = 1796071526199,
      .row = "42874272",
      .last_row = "42874272"}},
    {"multi",
     1,
     50,
     {.method = CALL_MULTI,
      .port = 53018,
      .start_ms = 1796071561519,
      .row = "42994831"}},
    {"scan",
     1,
     1,
     {.method = CALL_SCAN,
      .port = 43716,
      .start_ms = 1796071524346,
      .row = "74850525",
      .last_row = "74850525"}},
};

static char *
read_rpc_capture(const char *name, size_t *ret_len)
{
    char path[100];

    snprintf(path, sizeof path, "hbase-2.5.13-rpc/rs-status-%s.json", name);
    return read_capture(path, ret_len);
}

START_TEST(captured)
{
    struct region_id regions[] = {id(ORDERS_40), id(ORDERS_70)};

    for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++) {
        const struct seen *expected = &captures[i].last;
        struct seen seen = {0};
        char *error = NULL;
        size_t len;
        char *text = read_rpc_capture(captures[i].file, &len);
        struct rpc_status *r = rpc_status_create(regions, 2, see, &seen);
        ck_assert_int_eq(read_answer(r, text, len, &error), POLL_OK);
        ck_assert_uint_eq(seen.calls, captures[i].calls);
        ck_assert_uint_eq(seen.rows, captures[i].rows);
        ck_assert_int_eq(seen.method, expected->method);
        ck_assert_uint_eq(seen.port, expected->port);
        ck_assert_int_eq(seen.start_ms, expected->start_ms);
        ck_assert_str_eq(seen.client, "127.0.0.1");
        ck_assert_str_eq(seen.row, expected->row);
        if (expected->last_row[0] != '\0')
            ck_assert_str_eq(seen.last_row, expected->last_row);
        ck_assert(region_id_equal(seen.region, regions[expected->method == CALL_SCAN]));
        ck_assert_uint_eq(rpc_status_skipped(r), 0);
        rpc_status_destroy(r);
        free(text);
    }
}
END_TEST

/* The rows of a batch against a search for the word in the tree that cJSON makes. */
START_TEST(a_batch_shows_all_its_rows)
{
    struct region_id region = id(ORDERS_40);
    struct row_tally *t = row_tally_create(&region, 1);
    struct row_samples rows = {0};
    size_t len;
    char *text = read_rpc_capture("multi", &len);
    cJSON *root = cJSON_Parse(text);
    const cJSON *call =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(root, 0), "rpcCall");
    const char *p =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(call, "params"), 0)
            ->valuestring;

    ck_assert(row_tally_feed(t, text, len));
    ck_assert_int_eq(row_tally_end(t, NULL), POLL_OK);
    row_tally_give(t, &rows);
    ck_assert_uint_eq(rows.call_count, 50);
    for (size_t i = 0; i < rows.call_count; i++) {
        p = strstr(p, "row: \"");
        ck_assert_ptr_nonnull(p);
        p += 6;
        ck_assert_uint_eq(rows.calls[i].row_len, 8);
        ck_assert_mem_eq(rows.arena + rows.calls[i].row, p, 8);
        ck_assert_int_eq(rows.calls[i].method, CALL_MULTI);
    }
    struct message *m = message_create(MESSAGE_ROWS);
    m->rows = rows;
    message_destroy(m);
    row_tally_destroy(t);
    cJSON_Delete(root);
    free(text);
}
END_TEST

/* Twenty idle answers. */
START_TEST(idle_servers_show_nothing)
{
    struct region_id region = id(ORDERS_40);
    struct seen seen = {0};
    size_t len;
    char *text = read_capture("hbase-2.6.4/rs-status-rpc-20.txt", &len);
    struct rpc_status *r = rpc_status_create(&region, 1, see, &seen);
    size_t answers = 0;

    for (char *p = text, *end; (end = strchr(p, ']')) != NULL; p = end + 1) {
        ck_assert_int_eq(read_answer(r, p, (size_t)(end + 1 - p), NULL), POLL_OK);
        answers++;
    }
    ck_assert_uint_eq(answers, 20);
    ck_assert_uint_eq(seen.calls, 0);
    rpc_status_destroy(r);
    free(text);
}
END_TEST

#define CALL(members, params)                                                          \
    "{\"description\":\"h\",\"rpcCall\":{" members "\"params\":[\"" params "\"]}}"
#define GET_40 "region{value:\\\"" NAME_40 "\\\"}get{row:\\\"k\\\"}"
#define MEMBERS                                                                        \
    "\"method\":\"Get\",\"clientaddress\":\"10.0.0.1\",\"remoteport\":1,"              \
    "\"starttimems\":\"7\","

static struct seen
read_elements(const char *elements, unsigned *ret_skipped)
{
    struct region_id regions[] = {id(ORDERS_40), REGION_ID_META};
    struct seen seen = {0};
    char text[4096];
    struct rpc_status *r = rpc_status_create(regions, 2, see, &seen);

    int len = snprintf(text, sizeof text, "\n  [%s]\n\n ", elements);
    ck_assert_int_lt(len, (int)sizeof text);
    char *error = NULL;
    enum poll_outcome outcome = read_answer(r, text, (size_t)len, &error);
    ck_assert_msg(outcome == POLL_OK, "%s: %s", text, error);
    if (ret_skipped != NULL)
        *ret_skipped = rpc_status_skipped(r);
    rpc_status_destroy(r);
    return seen;
}

START_TEST(elements)
{
    static const struct {
        const char *elements;
        size_t rows;
        unsigned skipped;
    } cases[] = {
        {CALL(MEMBERS, GET_40), 1, 0},
        {CALL(MEMBERS, GET_40) "," CALL(MEMBERS, GET_40), 2, 0},
        /* The members in another order. */
        {"{\"rpcCall\":{\"params\":[\"" GET_40 "\"]," MEMBERS "\"x\":1}}", 1, 0},
        {"{\"rpcCall\":{\"params\":[\"" GET_40 "\",\"" GET_40 "\"]," MEMBERS
         "\"x\":1}}",
         1, 0},
        /* Encoded names, old-style names, names whose digest does not fit. */
        {CALL(MEMBERS, "region{value:\\\"" ORDERS_40 "\\\"}get{row:\\\"k\\\"}"), 1, 0},
        {CALL(MEMBERS, "region{value:\\\"hbase:meta,,1\\\"}get{row:\\\"k\\\"}"), 1, 0},
        {CALL(MEMBERS, "region{value:\\\"t,\\\\377,1." ORDERS_40 ".\\\"}get{row:"
                       "\\\"k\\\"}"),
         1, 0},
        /* Others' regions; none; methods without rows. */
        {CALL(MEMBERS, "region{value:\\\"" ORDERS_70 "\\\"}get{row:\\\"k\\\"}"), 0, 0},
        {CALL(MEMBERS, "get{row:\\\"k\\\"}"), 0, 0},
        {CALL("\"method\":\"ExecService\",", GET_40), 0, 0},
        {CALL("", GET_40), 0, 0},
        {CALL(MEMBERS, "scanner_id: 5"), 0, 0},
        {"{\"description\":\"idle\"}", 0, 0},
        {"{\"rpcCall\":null},{\"rpcCall\":[" CALL(MEMBERS, GET_40) "]},1,\"x\",[]", 0,
         0},
        {"{\"rpcCall\":{" MEMBERS "\"params\":[{\"x\":[\"" GET_40 "\"]}]}}", 0, 0},
        {"{\"rpcCall\":{" MEMBERS "\"params\":\"" GET_40 "\"}}", 0, 0},
        /* A request that makes no sense costs only itself, and what it began with. */
        {CALL(MEMBERS, GET_40 "}") "," CALL(MEMBERS, GET_40), 1, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned skipped;
        struct seen seen = read_elements(cases[i].elements, &skipped);
        ck_assert_msg(seen.rows == cases[i].rows, "%s: %zu", cases[i].elements,
                      seen.rows);
        ck_assert_uint_eq(skipped, cases[i].skipped);
    }
}
END_TEST

START_TEST(odd_members)
{
    struct seen seen =
        read_elements(CALL("\"method\":\"Get\",\"clientaddress\":\"bad\\naddress\","
                           "\"remoteport\":99999999,\"starttimems\":\"x\",",
                           GET_40),
                      NULL);

    ck_assert_str_eq(seen.client, "unknown");
    ck_assert_uint_eq(seen.port, 0);
    ck_assert_int_eq(seen.start_ms, -1);
}
END_TEST

START_TEST(what_is_no_answer)
{
    static const struct {
        const char *text;
        enum poll_outcome outcome;
        const char *part;
    } cases[] = {
        {"", POLL_PARSE, "expected"},
        {"\n<html><body>sign in</body>", POLL_PARSE, "HTML"},
        {"{}", POLL_BAD_RESPONSE, "array"},
        {"{\"a\":[" CALL(MEMBERS, GET_40) "]}", POLL_BAD_RESPONSE, "array"},
        {"[", POLL_PARSE, "expected"},
        {"[1,]", POLL_PARSE, "expected"},
    };
    struct region_id region = id(ORDERS_40);
    struct seen seen = {0};
    struct rpc_status *r = rpc_status_create(&region, 1, see, &seen);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *error = NULL;
        enum poll_outcome outcome =
            read_answer(r, cases[i].text, strlen(cases[i].text), &error);
        ck_assert_int_eq(outcome, cases[i].outcome);
        ck_assert_msg(strstr(error, cases[i].part) != NULL, "%s", error);
        free(error);
    }
    ck_assert_uint_eq(seen.calls, 0);
    /* The next answer is read as if nothing had been. */
    static const char good[] = "[" CALL(MEMBERS, GET_40) "]";
    ck_assert_int_eq(read_answer(r, good, strlen(good), NULL), POLL_OK);
    ck_assert_uint_eq(seen.calls, 1);
    rpc_status_destroy(r);
}
END_TEST

START_TEST(cut_short_at_every_byte)
{
    struct region_id regions[] = {id(ORDERS_40), id(ORDERS_70)};

    for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++) {
        size_t len;
        char *text = read_rpc_capture(captures[i].file, &len);
        size_t end = (size_t)(strrchr(text, ']') - text);
        struct seen seen = {0};
        struct rpc_status *r = rpc_status_create(regions, 2, see, &seen);
        for (size_t n = 0; n <= end; n++) {
            char *error = NULL;
            ck_assert_int_eq(read_answer(r, text, n, &error), POLL_PARSE);
            ck_assert_ptr_nonnull(error);
            free(error);
        }
        rpc_status_destroy(r);
        free(text);
    }
}
END_TEST

START_TEST(damaged_answers)
{
    struct region_id regions[] = {id(ORDERS_40), id(ORDERS_70)};
    struct row_tally *t = row_tally_create(regions, 2);

    for (size_t n = 0; n < 4000; n++) {
        size_t i = rng_below(sizeof captures / sizeof captures[0]);
        size_t len;
        char *text = read_rpc_capture(captures[i].file, &len);
        mutate(text, &len);
        char *copy = exact_copy(text, len);
        char *error = NULL;
        row_tally_feed(t, copy, len);
        if (row_tally_end(t, &error) != POLL_OK)
            ck_assert_ptr_nonnull(error);
        free(error);
        free(copy);
        free(text);
    }
    struct message *m = message_create(MESSAGE_ROWS);
    row_tally_give(t, &m->rows);
    ck_assert_uint_le(m->rows.call_count, TALLY_CALLS_MAX);
    ck_assert_uint_le(m->rows.client_count, TALLY_CLIENTS_MAX);
    for (size_t i = 0; i < m->rows.call_count; i++) {
        const struct sampled_call *call = &m->rows.calls[i];
        ck_assert_uint_le(call->row_len, PROTO_ROW_MAX);
        ck_assert_uint_le(call->row + call->row_len, m->rows.arena_len);
        ck_assert_uint_lt(call->client, m->rows.client_count);
    }
    message_destroy(m);
    row_tally_destroy(t);
}
END_TEST

/* ---- the tally ---- */

static void
tally_get(struct row_tally *t, const char *client, unsigned port, unsigned start,
          const char *row)
{
    char text[600];
    int len = snprintf(text, sizeof text,
                       "[{\"rpcCall\":{\"method\":\"Get\",\"clientaddress\":\"%s\","
                       "\"remoteport\":%u,\"starttimems\":\"%u\",\"params\":[\"region{"
                       "value:\\\"" ORDERS_40 "\\\"}get{row:\\\"%s\\\"}\"]}}]",
                       client, port, start, row);

    ck_assert(row_tally_feed(t, text, (size_t)len));
    ck_assert_int_eq(row_tally_end(t, NULL), POLL_OK);
}

static struct message *
give(struct row_tally *t)
{
    struct message *m = message_create(MESSAGE_ROWS);

    row_tally_give(t, &m->rows);
    row_tally_destroy(t);
    return m;
}

START_TEST(a_call_seen_twice_is_one)
{
    struct region_id region = id(ORDERS_40);
    struct row_tally *t = row_tally_create(&region, 1);

    for (int i = 0; i < 3; i++) {
        tally_get(t, "10.0.0.1", 1, 100, "a");
        tally_get(t, "10.0.0.1", 1, 101, "a"); /* the same row, another call */
        tally_get(t, "10.0.0.1", 2, 100, "a"); /* another connection */
        tally_get(t, "10.0.0.2", 1, 100, "a"); /* another client */
        tally_get(t, "10.0.0.1", 1, 100, "b"); /* at once, on the same connection */
    }
    struct message *m = give(t);
    ck_assert_uint_eq(m->rows.call_count, 5);
    ck_assert_uint_eq(m->rows.client_count, 2);
    ck_assert_str_eq(m->rows.clients[0], "10.0.0.1");
    ck_assert_uint_eq(m->rows.calls[3].client, 1);
    ck_assert_uint_eq(m->rows.arena_len, 5);
    message_destroy(m);
}
END_TEST

/* Two handlers at the same row, for one client and in one millisecond; and a batch that
 * has a row three times. */
START_TEST(twice_in_one_answer_is_two)
{
    static const char answer[] =
        "[{\"rpcCall\":{\"method\":\"Get\",\"params\":[\"" GET_40 "\"]}},"
        "{\"rpcCall\":{\"method\":\"Get\",\"params\":[\"" GET_40 "\"]}},"
        "{\"rpcCall\":{\"method\":\"Multi\",\"params\":[\"regionAction{region{value:"
        "\\\"" NAME_40 "\\\"}action{get{row:\\\"k\\\"}}action{get{row:\\\"l\\\"}}"
        "action{get{row:\\\"k\\\"}}action{get{row:\\\"k\\\"}}}\"]}}]";
    struct region_id region = id(ORDERS_40);
    struct row_tally *t = row_tally_create(&region, 1);

    for (int i = 0; i < 3; i++) { /* the same calls, still running */
        ck_assert(row_tally_feed(t, answer, strlen(answer)));
        ck_assert_int_eq(row_tally_end(t, NULL), POLL_OK);
    }
    struct message *m = give(t);
    ck_assert_uint_eq(m->rows.call_count, 2 + 4);
    message_destroy(m);
}
END_TEST

START_TEST(the_goal)
{
    struct region_id region = id(ORDERS_40);
    struct row_tally *t = row_tally_create(&region, 1);

    for (unsigned i = 0; i < TALLY_GOAL; i++) {
        ck_assert(!row_tally_is_full(t));
        tally_get(t, "10.0.0.1", 1, i, "a");
    }
    ck_assert(row_tally_is_full(t));
    message_destroy(give(t));
}
END_TEST

/* One batch is one client's view, however many rows it has. */
START_TEST(a_batch_alone_is_not_enough)
{
    struct region_id region = id(ORDERS_40);
    struct row_tally *t = row_tally_create(&region, 1);
    size_t len;
    char *text = read_rpc_capture("multi", &len);

    for (int i = 0; i < TALLY_GOAL / TALLY_PER_CALL; i++) {
        ck_assert(!row_tally_is_full(t));
        char *start = strstr(text, "1796071561519");
        start[0] = (char)('1' + i); /* other calls */
        ck_assert(row_tally_feed(t, text, len));
        ck_assert_int_eq(row_tally_end(t, NULL), POLL_OK);
        start[0] = '1';
    }
    ck_assert(row_tally_is_full(t));
    struct message *m = give(t);
    ck_assert_uint_eq(m->rows.call_count, 50 * TALLY_GOAL / TALLY_PER_CALL);
    message_destroy(m);
    free(text);
}
END_TEST

/* As many clients and rows as a server likes to invent. */
START_TEST(the_tally_is_bounded)
{
    struct region_id region = id(ORDERS_40);
    struct row_tally *t = row_tally_create(&region, 1);
    char client[32];

    for (unsigned i = 0; i < TALLY_CLIENTS_MAX + 10; i++) {
        snprintf(client, sizeof client, "10.0.%u.%u", i / 256, i % 256);
        tally_get(t, client, 1, 1, "a");
    }
    struct message *m = give(t);
    ck_assert_uint_eq(m->rows.client_count, TALLY_CLIENTS_MAX);
    ck_assert_uint_eq(m->rows.skipped, 10);
    message_destroy(m);

    t = row_tally_create(&region, 1);
    for (unsigned i = 0; i < TALLY_CALLS_MAX + 10; i++)
        tally_get(t, "10.0.0.1", 1, i, "a");
    m = give(t);
    ck_assert_uint_eq(m->rows.call_count, TALLY_CALLS_MAX);
    ck_assert_uint_eq(m->rows.skipped, 10);
    message_destroy(m);
}
END_TEST

/* A batch of ten thousand rows is longer than any text of other answers. */
START_TEST(a_huge_batch)
{
    enum { ROWS = 10000 };
    struct region_id region = id(ORDERS_40);
    struct row_tally *t = row_tally_create(&region, 1);
    char piece[200];

    int len = snprintf(piece, sizeof piece,
                       "[{\"rpcCall\":{\"method\":\"Multi\",\"params\":[\"regionAction{"
                       "region{value:\\\"" ORDERS_40 "\\\"}");
    ck_assert(row_tally_feed(t, piece, (size_t)len));
    for (int i = 0; i < ROWS; i++) {
        len = snprintf(piece, sizeof piece,
                       "action{mutation{row:\\\"%08d\\\" value:\\\"%060d\\\"}}", i, i);
        ck_assert(row_tally_feed(t, piece, (size_t)len));
    }
    ck_assert(row_tally_feed(t, "}\"]}}]", 6));
    ck_assert_int_eq(row_tally_end(t, NULL), POLL_OK);
    struct message *m = give(t);
    ck_assert_uint_eq(m->rows.call_count, RPC_ROWS_MAX);
    ck_assert_uint_eq(m->rows.skipped, ROWS - RPC_ROWS_MAX);
    message_destroy(m);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("rpc_status");
    TCase *tcase = tcase_create("rpc_status");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, captured);
    tcase_add_test(tcase, a_batch_shows_all_its_rows);
    tcase_add_test(tcase, idle_servers_show_nothing);
    tcase_add_test(tcase, elements);
    tcase_add_test(tcase, odd_members);
    tcase_add_test(tcase, what_is_no_answer);
    tcase_add_test(tcase, cut_short_at_every_byte);
    tcase_add_test(tcase, damaged_answers);
    tcase_add_test(tcase, a_call_seen_twice_is_one);
    tcase_add_test(tcase, twice_in_one_answer_is_two);
    tcase_add_test(tcase, the_goal);
    tcase_add_test(tcase, a_batch_alone_is_not_enough);
    tcase_add_test(tcase, the_tally_is_bounded);
    tcase_add_test(tcase, a_huge_batch);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
