/* SPDX-License-Identifier: Apache-2.0 */
/* The master's beans: captures of three versions, the forms of others, bad answers. */
#include "collectors/master.h"

#include <math.h>

#include "parse_support.h"

#define SERVER_BEAN "\"name\":\"Hadoop:service=HBase,name=Master,sub=Server\""
#define RIT_BEAN "\"name\":\"Hadoop:service=HBase,name=Master,sub=AssignmentManager\""
#define LIVE                                                                           \
    "\"tag.liveRegionServers\":\"rs1.example.com,16020,1700000001111;rs2,16020,2\""

struct reading {
    struct message *message;
    struct cluster_state *state;
    enum poll_outcome outcome;
    bool active;
    char *error;
};

static struct reading
begin(void)
{
    struct reading r = {.message = message_create(MESSAGE_CLUSTER)};

    r.state = &r.message->cluster;
    return r;
}

static void
read_more(struct reading *r, const char *text, size_t len)
{
    char *copy = exact_copy(text, len);

    free(r->error);
    r->error = NULL;
    r->outcome = master_read(copy, len, r->state, &r->active, &r->error);
    ck_assert_int_eq(r->error == NULL, r->outcome == POLL_OK);
    free(copy);
}

static struct reading
read_text(const char *text)
{
    struct reading r = begin();

    read_more(&r, text, strlen(text));
    return r;
}

static void
finish(struct reading *r)
{
    message_destroy(r->message);
    free(r->error);
}

START_TEST(captured)
{
    static const struct {
        const char *file;
        const char *master;
        const char *cluster;
        const char *live[3];
        size_t live_count;
        double regions;
    } cases[] = {
        {"hbase-2.6.4/master-a.json",
         "localhost,28000,1796070729315",
         "b4a0b1e9-7ee0-4c86-9dd7-ba8be3f711cd",
         {"localhost,28021,1796070728391", "localhost,28022,1796070728190",
          "localhost,28023,1796070728636"},
         3,
         54},
        {"hbase-1.7.2/master-a.json",
         "localhost,34000,1796072284454",
         "62d5d206-08e9-4eaf-9a84-f7329ec1ee2c",
         {"localhost,34021,1796072284223"},
         1,
         NAN},
        {"hbase-2.4.18/master-b.json",
         "localhost,30000,1796070807483",
         NULL,
         {"localhost,30021,1796070807753", "localhost,30022,1796070807689",
          "localhost,30023,1796070807582"},
         3,
         54},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t len;
        struct reading r = begin();
        char *text = read_capture(cases[i].file, &len);
        read_more(&r, text, len);
        ck_assert_msg(r.outcome == POLL_OK, "%s: %s", cases[i].file, r.error);
        ck_assert(r.active);
        ck_assert_str_eq(r.state->master, cases[i].master);
        if (cases[i].cluster != NULL)
            ck_assert_str_eq(r.state->cluster_id, cases[i].cluster);
        ck_assert_uint_eq(r.state->live_count, cases[i].live_count);
        for (size_t k = 0; k < r.state->live_count; k++)
            ck_assert_str_eq(r.state->live[k], cases[i].live[k]);
        ck_assert_uint_eq(r.state->dead_count, 0);
        if (!isnan(cases[i].regions))
            ck_assert_double_eq(r.state->region_count, cases[i].regions);
        ck_assert(r.state->region_count > 0);
        ck_assert_double_eq(r.state->regions_in_transition, 0);
        finish(&r);
        free(text);
    }
}
END_TEST

START_TEST(two_answers)
{
    struct reading r = read_text(
        "{\"beans\":[{" SERVER_BEAN ",\"tag.isActiveMaster\":\"true\"," LIVE
        ",\"tag.deadRegionServers\":\"rs9,16020,5\",\"tag.serverName\":\"m1,16000,7\","
        "\"averageLoad\":2.5,\"numRegionServers\":2}]}");
    ck_assert_int_eq(r.outcome, POLL_OK);
    ck_assert(r.active);
    ck_assert(isnan(r.state->regions_in_transition));
    static const char second[] = "{\"beans\":[{" RIT_BEAN ",\"ritCount\":3}]}";
    read_more(&r, second, sizeof(second) - 1);
    ck_assert_int_eq(r.outcome, POLL_OK);
    ck_assert(r.active);
    ck_assert_double_eq(r.state->regions_in_transition, 3);
    ck_assert_double_eq(r.state->region_count, 5);
    ck_assert_uint_eq(r.state->live_count, 2);
    ck_assert_str_eq(r.state->live[1], "rs2,16020,2");
    ck_assert_str_eq(r.state->dead[0], "rs9,16020,5");
    ck_assert_str_eq(r.state->master, "m1,16000,7");
    /* and again, with other servers */
    static const char third[] =
        "{\"beans\":[{" SERVER_BEAN ",\"tag.isActiveMaster\":\"true\","
        "\"tag.liveRegionServers\":\"fe80::1,16020,4\",\"tag.deadRegionServers\":\"\"}]"
        "}";
    read_more(&r, third, sizeof(third) - 1);
    ck_assert_int_eq(r.outcome, POLL_OK);
    ck_assert_uint_eq(r.state->live_count, 1);
    ck_assert_str_eq(r.state->live[0], "fe80::1,16020,4");
    ck_assert_uint_eq(r.state->dead_count, 0);
    ck_assert(isnan(r.state->region_count));
    finish(&r);
}
END_TEST

START_TEST(forms)
{
    /* quoted numbers, bare NaN, objects, duplicates, a backup's empty list */
    struct reading r = read_text(
        "{\"beans\":[{\"x\":-Infinity,\"y\":\"a\\\"NaN\"," SERVER_BEAN
        ",\"tag.isActiveMaster\":{\"description\":\"d\",\"value\":\"true\"}," LIVE
        ",\"averageLoad\":NaN,\"numRegionServers\":\"2\",\"averageLoad\":\"1.5\"},"
        "{\"name\":\"Hadoop:service=HBase,name=Master,sub=AssignmentManger\","
        "\"ritCount\":Infinity}]}");
    ck_assert_msg(r.outcome == POLL_OK, "%s", r.error);
    ck_assert(r.active);
    ck_assert_double_eq(r.state->region_count, 3);
    ck_assert(isnan(r.state->regions_in_transition));
    ck_assert_ptr_null(r.state->master);
    finish(&r);

    r = read_text("{\"beans\":[{" SERVER_BEAN
                  ",\"tag.isActiveMaster\":\"false\",\"tag.liveRegionServers\":\"\","
                  "\"tag.serverName\":\"m2,16000,7\",\"tag.clusterId\":\"abc\"}]}");
    ck_assert_int_eq(r.outcome, POLL_OK);
    ck_assert(!r.active);
    ck_assert_ptr_null(r.state->master);
    ck_assert_uint_eq(r.state->live_count, 0);
    ck_assert_str_eq(r.state->cluster_id, "abc");
    finish(&r);

    /* names differ in case: not ours */
    r = read_text("{\"beans\":[{" SERVER_BEAN ",\"tag.isactivemaster\":\"true\"," LIVE
                  "}]}");
    ck_assert_int_eq(r.outcome, POLL_BAD_RESPONSE);
    finish(&r);
}
END_TEST

START_TEST(refused)
{
    static const struct {
        const char *text;
        enum poll_outcome outcome;
        const char *says;
    } cases[] = {
        {"", POLL_PARSE, "JSON"},
        {"<html>", POLL_PARSE, "HTML"},
        {"{\"beans\":[", POLL_PARSE, "byte 1"},
        {"{\"beans\":[]} x", POLL_PARSE, "byte 13"},
        {"{\"beans\":[]}", POLL_NO_DATA, "no beans"},
        {"{}", POLL_BAD_RESPONSE, "beans"},
        {"[]", POLL_BAD_RESPONSE, "beans"},
        {"17", POLL_BAD_RESPONSE, "beans"},
        {"{\"beans\":[1,{\"name\":2},{\"name\":\"x\"}]}", POLL_BAD_RESPONSE, "master"},
        {"{\"beans\":[{" SERVER_BEAN ",\"result\":\"ERROR\"}]}", POLL_BAD_RESPONSE,
         "master"},
        {"{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=Server\"}]"
         "}",
         POLL_BAD_RESPONSE, "master"},
        {"{\"beans\":[{" SERVER_BEAN "}]}", POLL_BAD_RESPONSE, "isActiveMaster"},
        {"{\"beans\":[{" SERVER_BEAN ",\"tag.isActiveMaster\":\"true\"}]}",
         POLL_BAD_RESPONSE, "liveRegionServers"},
        {"{\"beans\":[{" SERVER_BEAN ",\"tag.isActiveMaster\":\"true\","
         "\"tag.liveRegionServers\":\"a,1,2;b\"}]}",
         POLL_BAD_RESPONSE, "'b'"},
        {"{\"beans\":[{" SERVER_BEAN ",\"tag.isActiveMaster\":\"true\","
         "\"tag.liveRegionServers\":\"a,1,2;;b,1,2\"}]}",
         POLL_BAD_RESPONSE, "liveRegionServers"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r = read_text(cases[i].text);
        ck_assert_msg(r.outcome == cases[i].outcome &&
                          strstr(r.error, cases[i].says) != NULL,
                      "%s: %d %s", cases[i].text, r.outcome, r.error);
        ck_assert_ptr_null(strchr(r.error, '\n'));
        ck_assert(!r.active);
        finish(&r);
    }
}
END_TEST

static const char small[] =
    "{\"beans\":[{" SERVER_BEAN ",\"tag.isActiveMaster\":\"true\"," LIVE
    ",\"averageLoad\":2.5,\"numRegionServers\":NaN},{" RIT_BEAN ",\"ritCount\":0}]}";

START_TEST(cut_short)
{
    for (size_t len = 0; len < sizeof(small) - 1; len++) {
        struct reading r = begin();
        read_more(&r, small, len);
        ck_assert_int_eq(r.outcome, POLL_PARSE);
        finish(&r);
    }
}
END_TEST

START_TEST(mutations)
{
    unsigned ok = 0;

    for (unsigned i = 0; i < 20000; i++) {
        char text[sizeof(small)];
        size_t len = sizeof(small) - 1;
        struct reading r = begin();
        memcpy(text, small, len);
        mutate(text, &len);
        read_more(&r, text, len);
        ok += r.outcome == POLL_OK;
        finish(&r);
    }
    ck_assert_uint_gt(ok, 1000);
}
END_TEST

START_TEST(queries)
{
    ck_assert_str_eq(master_query(0),
                     "/jmx?qry=Hadoop:service=HBase,name=Master,sub=Server");
    ck_assert_ptr_nonnull(strstr(master_query(1), "sub=AssignmentMan"));
    ck_assert_ptr_null(master_query(2));
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("master");
    TCase *c = tcase_create("all");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, captured);
    tcase_add_test(c, two_answers);
    tcase_add_test(c, forms);
    tcase_add_test(c, refused);
    tcase_add_test(c, cut_short);
    tcase_add_test(c, mutations);
    tcase_add_test(c, queries);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
