/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on a few regions: the question, captured answers of three versions, others. */
#include "collectors/operations.h"

#include <cjson/cJSON.h>

#include "parse_support.h"

#define SERVER_BEAN                                                                    \
    "{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=Server\","                 \
    "\"tag.serverName\":\"rs1,16020,1700000000001\"}"
#define REGIONS "\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=Regions\""
#define ENCODED "8fdfb7ba2f0016f124b59812a3ca60a3"
#define METRIC(metric, value)                                                          \
    "\"Namespace_ns_table_a_region_b_region_" ENCODED "_metric_" metric "\":" value
#define COUNTERS                                                                       \
    METRIC("readRequestCount", "30")                                                   \
    "," METRIC("writeRequestCount", "7") "," METRIC("getCount",                        \
                                                    "20") "," METRIC("scanCount", "1")

static struct region_id
id(const char *text)
{
    struct region_id ret;

    ck_assert(region_id_parse(text, strlen(text), &ret));
    return ret;
}

struct answer {
    struct message *message;
    const struct server_detail *detail;
    enum poll_outcome outcome;
    bool not_understood;
};

static struct answer
read_answer(const char *text, size_t len, const struct region_id *regions, size_t count)
{
    struct answer a = {.message = message_create(MESSAGE_DETAIL)};
    struct operations *o = operations_create(regions, count);

    for (size_t at = 0, n; at < len; at += n) {
        n = 1 + rng_below(len - at < 3000 ? len - at : 3000);
        char *piece = exact_copy(text + at, n);
        bool more = operations_feed(o, piece, n);
        free(piece);
        if (!more)
            break;
    }
    a.outcome = operations_end(o, &a.not_understood, &a.message->detail);
    a.detail = &a.message->detail;
    operations_destroy(o);
    return a;
}

static struct answer
read_text(const char *text)
{
    struct region_id region = id(ENCODED);

    return read_answer(text, strlen(text), &region, 1);
}

START_TEST(questions)
{
    struct region_id regions[2000];

    for (size_t i = 0; i < 2000; i++)
        regions[i] = (struct region_id){~(uint64_t)i, i};
    char *path = operations_path(OPERATIONS_FILTERED, regions, 2);
    ck_assert_str_eq(path,
                     "/jmx?get=Hadoop:service=HBase,name=RegionServer,sub=%3Fe*::"
                     "_region_*(ffffffffffffffff0000000000000000%7C"
                     "fffffffffffffffe0000000000000001)_metric_"
                     "(getCount%7CscanCount%7CreadRequestCount%7CwriteRequestCount)$,"
                     "%5Etag.serverName$");
    free(path);
    for (size_t n = 0; n <= 2000; n += n < 40 ? 1 : 490) {
        path = operations_path(OPERATIONS_FILTERED, regions, n);
        ck_assert_uint_lt(strlen(path), 1500);
        ck_assert_ptr_null(strstr(path, "::.*"));
        ck_assert_ptr_null(strstr(path, "*:*"));
        free(path);
    }
    path = operations_path(OPERATIONS_FULL, regions, 2);
    ck_assert_str_eq(path, "/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=%3Fe*");
    free(path);
}
END_TEST

/* The beans of two captured answers in one, as the question gets them. */
static char *
join_beans(const char *regions_file, const char *server_file, size_t *ret_len)
{
    size_t len;
    char *regions = read_capture(regions_file, &len);
    char *server = read_capture(server_file, &len);
    char *end = strrchr(regions, ']');
    char *begin = strchr(server, '[') + 1;
    char *text = malloc(strlen(regions) + len + 2);

    *end = '\0';
    *ret_len = (size_t)sprintf(text, "%s,%s", regions, begin);
    free(regions);
    free(server);
    return text;
}

/* The attribute of a region by walking cJSON's tree. */
static double
counter_of(const cJSON *root, struct region_id region, const char *metric)
{
    char end[100], text[REGION_ID_TEXT_SIZE];
    const cJSON *bean, *item;

    snprintf(end, sizeof end, "_region_%s_metric_%s", region_id_text(region, text),
             metric);
    cJSON_ArrayForEach(bean, cJSON_GetObjectItemCaseSensitive(root, "beans"))
    {
        cJSON_ArrayForEach(item, bean)
        {
            size_t len = strlen(item->string);
            if (len > strlen(end) && strcmp(item->string + len - strlen(end), end) == 0)
                return item->valuedouble;
        }
    }
    ck_abort_msg("no %s", end);
    return 0;
}

START_TEST(captured)
{
    static const struct {
        const char *version;
        const char *regions[2];
    } cases[] = {
        {"2.6.4", {"a53b69f0254ea092ba9e12264f608ed9", "1588230740"}},
        {"2.4.18", {NULL, NULL}},
        {"1.7.2", {NULL, NULL}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char regions_file[100], server_file[100];
        size_t len;
        snprintf(regions_file, sizeof regions_file, "hbase-%s/rs1-regions-b.json",
                 cases[i].version);
        snprintf(server_file, sizeof server_file, "hbase-%s/rs1-server-b.json",
                 cases[i].version);
        char *text = join_beans(regions_file, server_file, &len);
        cJSON *root = cJSON_Parse(text);
        /* Every region of the answer, by its getCount. */
        struct region_id regions[100];
        size_t count = 0;
        for (const char *p = text; (p = strstr(p, "_metric_getCount")) != NULL; p++) {
            const char *begin = p;
            while (begin[-1] != '_')
                begin--;
            ck_assert(region_id_parse(begin, (size_t)(p - begin), &regions[count++]));
        }
        ck_assert_uint_gt(count, 5);
        struct answer a = read_answer(text, len, regions, count);
        ck_assert_int_eq(a.outcome, POLL_OK);
        ck_assert_ptr_nonnull(strchr(a.detail->server, ','));
        ck_assert_uint_eq(a.detail->operation_count, count);
        for (size_t k = 0; k < count; k++) {
            const struct operation_sample *sample = &a.detail->operations[k];
            ck_assert(region_id_equal(sample->id, regions[k]));
            ck_assert_double_eq((double)sample->read,
                                counter_of(root, regions[k], "readRequestCount"));
            ck_assert_double_eq((double)sample->write,
                                counter_of(root, regions[k], "writeRequestCount"));
            ck_assert_double_eq((double)sample->gets,
                                counter_of(root, regions[k], "getCount"));
            ck_assert_double_eq((double)sample->scans,
                                counter_of(root, regions[k], "scanCount"));
        }
        message_destroy(a.message);
        a = read_answer(text, len, regions + 3, 1);
        ck_assert_uint_eq(a.detail->operation_count, 1);
        message_destroy(a.message);
        cJSON_Delete(root);
        free(text);
    }
}
END_TEST

START_TEST(answers)
{
    static const struct {
        const char *text;
        enum poll_outcome outcome;
        size_t operations;
        bool not_understood;
    } cases[] = {
        {"{\"beans\":[{" REGIONS "," COUNTERS "}," SERVER_BEAN "]}", POLL_OK, 1, false},
        {"{\"beans\":[" SERVER_BEAN ",{" COUNTERS "," REGIONS "}]}", POLL_OK, 1, false},
        {"{\"beans\":[" SERVER_BEAN ",{" REGIONS "}]}", POLL_OK, 0, false},
        {"{\"beans\":[" SERVER_BEAN "]}", POLL_OK, 0, false},
        /* Numbers in quotes; one of the counters missing or none. */
        {"{\"beans\":[" SERVER_BEAN ",{" REGIONS
         "," METRIC("getCount", "\"20\"") "," METRIC(
             "readRequestCount",
             "\"1\"") "," METRIC("scanCount", "\"0\"") "," METRIC("writeRequestCount",
                                                                  "\"2\"") "}]}",
         POLL_OK, 1, false},
        {"{\"beans\":[" SERVER_BEAN ",{" REGIONS
         "," METRIC("getCount", "20") "," METRIC("readRequestCount", "1") "}]}",
         POLL_OK, 0, false},
        {"{\"beans\":[" SERVER_BEAN ",{" REGIONS "," COUNTERS
         "," METRIC("getCount", "-1") "}]}",
         POLL_OK, 0, false},
        {"{\"beans\":[" SERVER_BEAN ",{" REGIONS
         "," METRIC("getCount", "null") "," METRIC("readRequestCount", "1") "," METRIC(
             "scanCount", "[3]") "}]}",
         POLL_OK, 0, false},
        /* Without the server's name it is not known which start counted that. */
        {"{\"beans\":[{" REGIONS "," COUNTERS "}]}", POLL_NO_DATA, 0, false},
        {"{\"beans\":[]}", POLL_NO_DATA, 0, false},
        {"{\"beans\":[{" REGIONS "," COUNTERS ",\"tag.serverName\":\"rs1,1,1\"}]}",
         POLL_NO_DATA, 0, false},
        {"{\"beans\":[" SERVER_BEAN ",{\"name\":\"x\"," COUNTERS "}]}", POLL_OK, 0,
         false},
        {"{\"beans\":[" SERVER_BEAN ",{" COUNTERS ",\"name\":\"x\"}]}",
         POLL_BAD_RESPONSE, 0, false},
        /* Versions without filtered queries. */
        {"{\"beans\":[{\"name\":\"x\",\"result\":\"ERROR\",\"message\":\"No attribute "
         "with name\"}]}",
         POLL_BAD_RESPONSE, 0, true},
        {"{\"result\":\"ERROR\"}", POLL_BAD_RESPONSE, 0, true},
        {"{}", POLL_BAD_RESPONSE, 0, true},
        {"[]", POLL_BAD_RESPONSE, 0, false},
        {"<html>", POLL_PARSE, 0, false},
        {"", POLL_PARSE, 0, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer a = read_text(cases[i].text);
        ck_assert_msg(a.outcome == cases[i].outcome, "%s: %d", cases[i].text,
                      a.outcome);
        ck_assert_int_eq(a.not_understood, cases[i].not_understood);
        ck_assert_uint_eq(a.detail->operation_count, cases[i].operations);
        if (a.outcome == POLL_OK)
            ck_assert_str_eq(a.detail->server, "rs1,16020,1700000000001");
        else
            ck_assert_ptr_null(a.detail->server);
        message_destroy(a.message);
    }
}
END_TEST

START_TEST(damaged_answers)
{
    static const char good[] =
        "{\"beans\":[{" REGIONS "," COUNTERS "}," SERVER_BEAN "]}";

    for (size_t n = 0; n < strlen(good); n++) {
        struct region_id region = id(ENCODED);
        struct answer a = read_answer(good, n, &region, 1);
        ck_assert_int_eq(a.outcome, POLL_PARSE);
        message_destroy(a.message);
    }
    for (size_t n = 0; n < 3000; n++) {
        char text[sizeof good];
        size_t len = strlen(good);
        memcpy(text, good, sizeof good);
        mutate(text, &len);
        struct region_id region = id(ENCODED);
        struct answer a = read_answer(text, len, &region, 1);
        ck_assert_uint_le(a.detail->operation_count, 1);
        message_destroy(a.message);
    }
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("operations");
    TCase *tcase = tcase_create("operations");

    tcase_add_test(tcase, questions);
    tcase_add_test(tcase, captured);
    tcase_add_test(tcase, answers);
    tcase_add_test(tcase, damaged_answers);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
