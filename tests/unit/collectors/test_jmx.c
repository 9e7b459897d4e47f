/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a RegionServer's /jmx: the forms of names and values of all HBase versions,
 * what makes an answer unusable, and damaged answers. */
#include <math.h>

#include "common/utf8.h"
#include "jmx_support.h"

/* ---- forms ---- */

static void
check_read(const char *text, uint64_t expected, unsigned known)
{
    struct reading r = read_one(text);

    ck_assert_msg(r.outcome == POLL_OK, "%s: %s", text, r.error);
    ck_assert_uint_ge(r.poll->region_count, 1);
    ck_assert_msg(r.poll->regions[0].known == known &&
                      (!(known & SAMPLE_READ) || r.poll->regions[0].read == expected),
                  "%s: %" PRIu64 " %u", text, r.poll->regions[0].read,
                  r.poll->regions[0].known);
    finish(&r);
}

START_TEST(counter_forms)
{
    const unsigned both = SAMPLE_READ | SAMPLE_WRITE;
    const unsigned bad = SAMPLE_WRITE | SAMPLE_INVALID;

    check_read(READ_TEXT("0"), 0, both);
    check_read(READ_TEXT("9007199254740993"), 9007199254740993, both);
    check_read(READ_TEXT("9223372036854775807"), INT64_MAX, both);
    check_read(READ_TEXT("\"9007199254740993\""), 9007199254740993,
               both); /* 1.5, 1.6 */
    check_read(READ_TEXT("1.0E7"), 10000000, both);
    check_read(READ_TEXT("9.007199254740992E15"), 9007199254740992, both);
    check_read(READ_TEXT("{\"description\": \"x\", \"value\": 7}"), 7, both);
    check_read(READ_TEXT("{\"value\": \"8\", \"description\": \"9\"}"), 8, both);
    /* absent */
    check_read(READ_TEXT("NaN"), 0, SAMPLE_WRITE);
    check_read(READ_TEXT("\"NaN\""), 0, SAMPLE_WRITE);
    check_read(READ_TEXT("-Infinity"), 0, SAMPLE_WRITE);
    check_read(READ_TEXT("null"), 0, SAMPLE_WRITE);
    check_read(READ_TEXT("{\"description\": 3}"), 0, SAMPLE_WRITE);
    /* no counters */
    check_read(READ_TEXT("-2147480000"), 0, bad);
    check_read(READ_TEXT("-1"), 0, bad);
    check_read(READ_TEXT("9223372036854775808"), 0, bad);
    check_read(READ_TEXT("99999999999999999999999"), 0, bad);
    check_read(READ_TEXT("1.5"), 0, bad);
    check_read(READ_TEXT("1.0E16"), 0, bad);
    check_read(READ_TEXT("1E400"), 0, bad);
    check_read(READ_TEXT("true"), 0, bad);
    check_read(READ_TEXT("\"abc\""), 0, bad);
    check_read(READ_TEXT("\"\""), 0, bad);
    check_read(READ_TEXT("[12]"), 0, bad);
    /* duplicates: the last one */
    check_read(
        READ_TEXT("1, " REGION("default_table_t", ENC1, "readRequestCount", "2")), 2,
        both);
    check_read(
        READ_TEXT("1, " REGION("default_table_t", ENC1, "readRequestCount", "-2")), 2,
        bad);
    /* no white space, and Jackson's */
    check_read("{\"beans\":[{" SERVER_BEAN ",\"tag.serverName\" : \"" SERVER_NAME
               "\"},{" REGIONS_BEAN
               "," REGION("default_table_t", ENC1, "readRequestCount", "3") "}]}",
               3, SAMPLE_READ);
}
END_TEST

START_TEST(counts_of_unusable_values)
{
    struct reading r = read_one(WITH_SERVER(
        REGION("default_table_t", ENC1, "readRequestCount", "-1")
            AND REGION("default_table_t", ENC1, "writeRequestCount", "NaN")
                AND REGION("default_table_t", ENC2, "readRequestCount", "\"Infinity\"")
                    AND REGION("default_table_t", ENC2, "writeRequestCount", "6")));

    ck_assert_int_eq(r.outcome, POLL_OK);
    ck_assert_uint_eq(r.poll->invalid_values, 1);
    ck_assert_uint_eq(r.poll->absent_values, 2);
    finish(&r);
}
END_TEST

START_TEST(names_with_traps)
{
    static const struct {
        const char *prefix;
        const char *table;
    } names[] = {
        {"default_table_user_events", "user_events"},
        {"default_table_x_region_y", "x_region_y"},
        {"default_table_a_metric_b", "a_metric_b"},
        {"default_table_t.dot-dash", "t.dot-dash"},
        {"my_ns_table_q", "my_ns:q"},
        {"default_table_a_region_" ENC2 "_metric_c", "a_region_" ENC2 "_metric_c"},
        {"ns_table_t_table_u", "ns:t_table_u"},
        {"default_table__", "_"},
        {"default_table_caf\xc3\xa9", "caf\xc3\xa9"},
        {"hbase_table_meta", "hbase:meta"},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char attribute[300], table[200];
        struct region_id id;
        const char *metric;
        size_t metric_len;
        int len = snprintf(attribute, sizeof(attribute),
                           "Namespace_%s_region_" ENC1 "_metric_readRequestCount",
                           names[i].prefix);
        ck_assert(jmx_attribute_split(attribute, (size_t)len, &id, table, sizeof(table),
                                      &metric, &metric_len));
        ck_assert_str_eq(table, names[i].table);
        ck_assert_uint_eq(metric_len, 16);
        ck_assert_mem_eq(metric, "readRequestCount", 16);
        ck_assert_uint_eq(id.hi, 0x8fdfb7ba2f0016f1);
        /* does not fit */
        ck_assert(!jmx_attribute_split(attribute, (size_t)len, &id, table,
                                       strlen(names[i].table), &metric, &metric_len));

        /* and through a document, after a region of another table */
        char text[1500];
        snprintf(text, sizeof(text),
                 WITH_SERVER(REGION("default_table_a", ENC2, "readRequestCount",
                                    "1") ", \"%s\": 77"),
                 attribute);
        struct reading r = read_one(text);
        ck_assert_msg(r.outcome == POLL_OK, "%s", r.error);
        ck_assert_uint_eq(r.poll->region_count, 2);
        ck_assert_str_eq(r.poll->tables[r.poll->regions[1].table], names[i].table);
        ck_assert_uint_eq(r.poll->regions[1].read, 77);
        finish(&r);
    }
}
END_TEST

START_TEST(foreign_names)
{
    static const char *const names[] = {
        "Namespace_default_table_t_region_" ENC1 "_store_cf1_metric_mixedRowReadsCount",
        "Namespace_default_table_t_region_" ENC1
        "_store_f_metric_g_metric_readRequestCount",
        "tag.Namespace_default_table_t_region_" ENC1 "_metric_tableDescriptorHash",
        "Namespace_default_table_t_metric_readRequestCount",
        "Namespace_unknown_table_unknown_region_unknown_metric_readRequestCount",
        "Namespace_default_table_t_region_8FDFB7BA2F0016F124B59812A3CA60A3_metric_"
        "readRequestCount",
        "Namespace_default_table_t_region_12345678901_metric_readRequestCount",
        "Namespace_default_table_t_region__metric_readRequestCount",
        "Namespace__table_t_region_" ENC1 "_metric_readRequestCount",
        "Namespace_default_table__region_" ENC1 "_metric_readRequestCount",
        "Namespace_default_region_" ENC1 "_metric_readRequestCount",
        "Namespace_",
        "_metric_",
        "numRegions",
        "",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char table[200];
        struct region_id id;
        const char *metric;
        size_t metric_len;
        char *exact = exact_copy(names[i], strlen(names[i]));
        ck_assert_msg(!jmx_attribute_split(exact, strlen(names[i]), &id, table,
                                           sizeof(table), &metric, &metric_len),
                      "%s", names[i]);
        free(exact);
    }
    /* A store attribute and a hash beside a good region leave no trace. */
    check_read(READ_TEXT("1, \"Namespace_default_table_t_region_" ENC1
                         "_store_f_metric_readRequestCount\": 9, "
                         "\"tag.Namespace_default_table_t_region_" ENC1
                         "_metric_tableDescriptorHash\": \"ab12\""),
               1, SAMPLE_READ | SAMPLE_WRITE);
}
END_TEST

START_TEST(unusable_table_names)
{
    char text[4000], longest[1100];

    memset(longest, 'x', sizeof(longest));
    longest[1025] = '\0';
    const char *bad[] = {"default_table_a\\u0000b", "default_table_a\xff",
                         "default_table_a b", "default_table_a\\nb", longest};
    memcpy(longest, "default_table_", 14);
    longest[1025 + 14] = '\0';
    memset(longest + 14, 'x', 1025);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        snprintf(text, sizeof(text),
                 WITH_SERVER(REGION("%s", ENC2, "readRequestCount", "1") ", " WRITES),
                 bad[i]);
        struct reading r = read_one(text);
        ck_assert_msg(r.outcome == POLL_OK, "%s", r.error);
        ck_assert_uint_eq(r.poll->region_count, 1);
        ck_assert_uint_eq(r.poll->table_count, 1);
        ck_assert_uint_eq(r.poll->invalid_values, 1);
        finish(&r);
    }
    longest[1024 + 14] = '\0';
    snprintf(text, sizeof(text),
             WITH_SERVER(REGION("%s", ENC2, "readRequestCount", "1")), longest);
    check_read(text, 1, SAMPLE_READ);
}
END_TEST

/* What cannot be used is counted, and the first is told with what was expected. */
START_TEST(the_first_unusable_is_told)
{
    static const struct {
        const char *text;
        const char *says; /* NULL: nothing is wrong */
    } cases[] = {
        {WITH_SERVER(WRITES), NULL},
        {WITH_SERVER(REGION("default_table_a b", ENC2, "readRequestCount", "1")
                         AND WRITES),
         "expected NAMESPACE_table_TABLE with a table's name, found 'default_table_a "
         "b'"},
        {WITH_SERVER(REGION("default_table_t", "xyz\\n", "readRequestCount", "1")
                         AND WRITES),
         "expected the encoded name of a region before _metric_, found "
         "'Namespace_default_table_t_region_xyz\\x0A_metric_readRequestCount'"},
        {WITH_SERVER(REGION("default_table_t", ENC1, "readRequestCount", "1.5")
                         AND WRITES),
         "expected a counter for readRequestCount of region " ENC1 ", found '1.5'"},
        {WITH_SERVER(REGION("default_table_t", ENC1, "readRequestCount", "true")
                         AND WRITES),
         "expected a counter for readRequestCount of region " ENC1},
        {WITH_SERVER(REGION("default_table_t", ENC1, "mostPopularMetric", "true")
                         AND WRITES),
         NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r = read_one(cases[i].text);
        ck_assert_msg(r.outcome == POLL_OK, "%s", r.error);
        ck_assert_msg(r.poll->invalid_values == (cases[i].says != NULL), "%zu", i);
        ck_assert_int_eq(r.poll->first_invalid == NULL, cases[i].says == NULL);
        if (cases[i].says != NULL)
            ck_assert_msg(strstr(r.poll->first_invalid, cases[i].says) != NULL,
                          "%zu: %s", i, r.poll->first_invalid);
        finish(&r);
    }
}
END_TEST

/* HBase prints the gauges of all regions first, then their put and delete counts; ours
 * must not depend on any order. */
START_TEST(order_does_not_matter)
{
    struct reading r = read_one(WITH_SERVER(
        REGION("default_table_t", ENC1, "readRequestCount", "1")
            AND REGION("default_table_u", ENC2, "writeRequestCount", "4")
                AND REGION("default_table_t", ENC1, "putCount", "99")
                    AND REGION("default_table_t", ENC1, "writeRequestCount", "2")
                        AND REGION("default_table_u", ENC2, "readRequestCount", "3")
                            AND REGION("default_table_u", ENC2, "replicaid", "1")));
    ck_assert_int_eq(r.outcome, POLL_OK);
    ck_assert_uint_eq(r.poll->region_count, 2);
    ck_assert_uint_eq(r.poll->regions[0].read, 1);
    ck_assert_uint_eq(r.poll->regions[0].write, 2);
    ck_assert_uint_eq(r.poll->regions[1].read, 3);
    ck_assert_uint_eq(r.poll->regions[1].write, 4);
    ck_assert_uint_eq(r.poll->regions[1].replica, 1);
    finish(&r);

    /* The beans' names may come last. */
    r = read_one("{\"beans\": [{\"regionCount\": 1, \"tag.serverName\": \"" SERVER_NAME
                 "\", " SERVER_BEAN "}, {" WRITES ", " REGIONS_BEAN "}]}");
    ck_assert_msg(r.outcome == POLL_OK, "%s", r.error);
    ck_assert_uint_eq(r.poll->regions[0].write, 5);
    ck_assert_double_eq(r.poll->signals[SIGNAL_REGION_COUNT], 1);
    finish(&r);
    r = read_one("{\"beans\": [{" WRITES ", \"name\": \"other\"}, {" SERVER_BEAN
                 ", \"tag.serverName\": \"" SERVER_NAME "\"}]}");
    ck_assert_int_eq(r.outcome, POLL_BAD_RESPONSE);
    ck_assert_ptr_nonnull(strstr(r.error, "sub=Regions"));
    finish(&r);
}
END_TEST

START_TEST(other_beans_are_ignored)
{
    struct reading r = read_one(
        "{\"beans\": [{\"name\": "
        "\"Hadoop:service=HBase,name=RegionServer,sub=Memory\", "
        "\"memStoreSize\": 5}, {" SERVER_BEAN ", \"tag.serverName\": \"" SERVER_NAME
        "\", \"memStoreSize\": 7, \"regionCount\": 1, \"percentFilesLocal\": 97.5}, "
        "{\"name\": \"Hadoop:service=HBase,name=RegionServer,sub=Tables\", "
        "\"Namespace_default_table_x_region_" ENC2 "_metric_readRequestCount\": 5, "
        "\"regionCount\": 9}, {\"name\": "
        "\"Hadoop:service=HBase,name=Master,sub=Server\", "
        "\"tag.serverName\": \"m,1,2\"}, {" IPC_BEAN ", \"numCallsInGeneralQueue\": 3, "
        "\"numCallsInReadQueue\": 2, \"numCallsInWriteQueue\": 1, "
        "\"numCallsInPriorityQueue\": 4, \"numActiveHandler\": null, \"queueSize\": "
        "-1}, "
        "{" JVM_BEAN ", \"GcTimeMillis\": \"216\"}, {" REGIONS_BEAN ", " WRITES "}], "
        "\"more\": [{" WRITES "}]}");
    ck_assert_msg(r.outcome == POLL_OK, "%s", r.error);
    ck_assert_str_eq(r.poll->server, SERVER_NAME);
    ck_assert_uint_eq(r.poll->region_count, 1);
    ck_assert_double_eq(r.poll->signals[SIGNAL_MEMSTORE_BYTES], 7);
    ck_assert_double_eq(r.poll->signals[SIGNAL_REGION_COUNT], 1);
    ck_assert_double_eq_tol(r.poll->signals[SIGNAL_LOCALITY], 0.975, 1e-12);
    ck_assert_double_eq(r.poll->signals[SIGNAL_QUEUED_CALLS], 7);
    ck_assert_double_eq(r.poll->signals[SIGNAL_GC_MS], 216);
    ck_assert(isnan(r.poll->signals[SIGNAL_ACTIVE_HANDLERS]));
    ck_assert(isnan(r.poll->signals[SIGNAL_QUEUE_BYTES]));
    ck_assert_uint_eq(r.poll->absent_values, 1);
    ck_assert_uint_eq(r.poll->invalid_values, 1);
    finish(&r);
}
END_TEST

START_TEST(old_versions_count_calls)
{
    struct reading r = read_one(WITH_SERVER(
        REGION("default_table_t", ENC1, "mutateCount",
               "11") AND REGION("default_table_t", ENC1, "get_num_ops", "5")
            AND REGION("default_table_t", ENC1, "get_max", "500")
                AND REGION("default_table_t", ENC1, "scanNext_num_ops", "7")
                    AND REGION("default_table_t", ENC2, "mutateCount", "99")
                        AND REGION("default_table_t", ENC2, "writeRequestCount", "3")));
    ck_assert_int_eq(r.outcome, POLL_OK);
    ck_assert_uint_eq(r.poll->regions[0].read, 12);
    ck_assert_uint_eq(r.poll->regions[0].write, 11);
    ck_assert_uint_eq(r.poll->regions[0].known, SAMPLE_READ | SAMPLE_WRITE);
    /* Where a counter proper is, the old ones do not count. */
    ck_assert_uint_eq(r.poll->regions[1].write, 3);
    ck_assert_uint_eq(r.poll->regions[1].known, SAMPLE_WRITE);
    finish(&r);
}
END_TEST

/* ---- the server's time ---- */

static int64_t
server_time(const char *ages, int64_t wall_ms)
{
    char text[4000];

    snprintf(text, sizeof(text), WITH_SERVER("%s"), ages);
    const char *answer = text;
    size_t len = strlen(text);
    struct reading r = read_answers(&answer, &len, 1, 50, MAX_REGIONS, wall_ms);
    int64_t ms = r.poll->server_time_ms;
    finish(&r);
    return ms;
}

#define AGE(enc, value) REGION("default_table_t", enc, "lastMajorCompactionAge", value)

START_TEST(server_time_and_probes)
{
    ck_assert_int_eq(server_time(AGE(ENC1, "1796073865910"), 0), 1796073865910);
    ck_assert_int_eq(
        server_time(AGE(ENC1, "1796073865910") ", " AGE(ENC2, "1796073865911"), 0),
        1796073865911);
    ck_assert_int_eq(server_time(AGE(ENC1, "5000"), 0), -1);
    ck_assert_int_eq(server_time(AGE(ENC1, "-5"), 0), -1);
    ck_assert_int_eq(
        server_time(AGE(ENC1, "1796073865910") ", " AGE(ENC2, "9223372036854775807"),
                    1796073866000),
        1796073865910);
    ck_assert_int_eq(server_time(AGE(ENC1, "1796073865910"), 1796073865910 + 86400001),
                     -1);
    ck_assert_int_eq(server_time(AGE(ENC1, "1796073865910"), 1796073865910 - 86400000),
                     1796073865910);

    ck_assert_int_eq(
        server_time(AGE(ENC1, "1796073865910") ", " AGE(ENC2, "9223372036854775807"),
                    0),
        1796073865910);
    ck_assert_int_eq(server_time(AGE(ENC1, "10000000000000"), 0), -1);

    /* The time of receipt comes after the answer. */
    static const char late[] = WITH_SERVER(AGE(ENC1, "1796073865910") AND WRITES);
    for (int64_t apart = 0; apart <= 86400001; apart += 86400001) {
        struct message *message = message_create(MESSAGE_POLL);
        struct jmx_reader *reader = jmx_reader_create(&message->poll, MAX_REGIONS);
        bool not_understood;
        jmx_reader_feed(reader, late, sizeof(late) - 1);
        ck_assert_int_eq(jmx_reader_end_answer(reader, &not_understood, NULL), POLL_OK);
        message->poll.received.wall_ms = 1796073865910 + apart;
        ck_assert_int_eq(jmx_reader_end_poll(reader, NULL), POLL_OK);
        ck_assert_int_eq(message->poll.server_time_ms, apart == 0 ? 1796073865910 : -1);
        jmx_reader_destroy(reader);
        message_destroy(message);
    }

    /* The probes are the smallest ids, whatever the order. */
    struct buf text;
    buf_init(&text, 0);
    buf_adds(&text, "{\"beans\": [{" SERVER_BEAN ", \"tag.serverName\": \"" SERVER_NAME
                    "\"}, {" REGIONS_BEAN ", " WRITES);
    for (unsigned i = 0; i < 100; i++) {
        unsigned n = (i * 37 + 11) % 100;
        buf_addf(&text, ", " AGE("%08x000000000000000000000000", "%u"), n, 1000 + n);
    }
    buf_adds(&text, ", " AGE("00000003000000000000000000000000", "4711") "}]}");
    struct reading r = read_one(text.data);
    ck_assert_uint_eq(r.poll->probe_count, AGE_PROBES);
    for (size_t i = 0; i < AGE_PROBES; i++) {
        ck_assert_uint_eq(r.poll->probes[i].id.hi, (uint64_t)i << 32);
        ck_assert_int_eq(r.poll->probes[i].age_ms, i == 3 ? 4711 : 1000 + (int64_t)i);
    }
    finish(&r);
    buf_finish(&text);
}
END_TEST

/* ---- outcomes ---- */

START_TEST(outcomes)
{
    static const struct {
        const char *text;
        enum poll_outcome outcome;
        bool not_understood;
        const char *says;
    } cases[] = {
        {"", POLL_PARSE, false, "byte 0"},
        {"<html>", POLL_PARSE, false, "HTML"},
        {"{\"beans\": [", POLL_PARSE, false, "cut short"},
        {"[]", POLL_BAD_RESPONSE, false, "beans"},
        {"17", POLL_BAD_RESPONSE, false, "beans"},
        {"{}", POLL_BAD_RESPONSE, true, "beans"},
        {"{\"beans\": {}}", POLL_BAD_RESPONSE, true, "beans"},
        {"{\"beans\": []}", POLL_NO_DATA, false, "no beans"},
        {"{\"result\": \"ERROR\", \"message\": \"query '\\n'\"}", POLL_BAD_RESPONSE,
         true, "query"},
        {"{\"beans\": [{\"name\": \"java.lang:type=Memory\"}]}", POLL_BAD_RESPONSE,
         false, "sub=Server"},
        {"{\"beans\": [{\"name\": \"Hadoop:service=HBase,name=JvmMetrics\"}]}",
         POLL_NO_DATA, false, "sub=Server"},
        {"{\"beans\": [{" SERVER_BEAN "}]}", POLL_BAD_RESPONSE, false,
         "tag.serverName"},
        {"{\"beans\": [{" SERVER_BEAN ", \"tag.serverName\": \"rs1\"}]}",
         POLL_BAD_RESPONSE, false, "tag.serverName"},
        {"{\"beans\": [{" REGIONS_BEAN ", " WRITES "}]}", POLL_BAD_RESPONSE, false,
         "no bean"},
        {"{\"beans\": [{" SERVER_BEAN ", \"tag.serverName\": \"" SERVER_NAME
         "\", \"regionCount\": 0}]}",
         POLL_OK, false, NULL},
        {"{\"beans\": [{" SERVER_BEAN ", \"tag.serverName\": \"" SERVER_NAME
         "\", \"regionCount\": 3}]}",
         POLL_NO_DATA, false, "no bean"},
        {"{\"beans\": [{" SERVER_BEAN ", \"tag.serverName\": \"" SERVER_NAME "\"}]}",
         POLL_NO_DATA, false, "no bean"},
        {WITH_SERVER("\"numRegions\": 2"), POLL_NO_DATA, false, "no region"},
        {WITH_SERVER(REGION("default_table_t", ENC1, "replicaid", "0")),
         POLL_BAD_RESPONSE, false, "readRequestCount"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r = read_one(cases[i].text);
        ck_assert_msg(r.outcome == cases[i].outcome &&
                          r.not_understood == cases[i].not_understood,
                      "%s: %s %d %s", cases[i].text, poll_outcome_name(r.outcome),
                      r.not_understood, r.error);
        if (cases[i].says != NULL)
            ck_assert_msg(strstr(r.error, cases[i].says) != NULL, "%s: %s",
                          cases[i].text, r.error);
        finish(&r);
    }
}
END_TEST

START_TEST(too_many_regions)
{
    for (unsigned n = 9; n <= 11; n++) {
        struct buf text;
        buf_init(&text, 0);
        buf_adds(&text, "{\"beans\": [{" SERVER_BEAN
                        ", \"tag.serverName\": \"" SERVER_NAME "\"}, {" REGIONS_BEAN);
        /* twice, so that known regions come again when the limit is reached */
        for (unsigned i = 0; i < n * 2; i++)
            buf_addf(&text, ", " REGION("default_table_t", "%u", "%s", "%u"),
                     100 + i % n, i < n ? "readRequestCount" : "writeRequestCount", i);
        buf_adds(&text, "}]}");
        const char *answer = text.data;
        struct reading r = read_answers(&answer, &text.len, 1, 0, 10, 0);
        ck_assert_int_eq(r.outcome, n <= 10 ? POLL_OK : POLL_TOO_LARGE);
        finish(&r);
        buf_finish(&text);
    }
}
END_TEST

START_TEST(cut_short)
{
    static const char text[] = READ_TEXT("12");

    for (size_t len = 0; len < sizeof(text) - 1; len++) {
        const char *answer = text;
        struct reading r = read_answers(&answer, &len, 1, 13, MAX_REGIONS, 0);
        ck_assert_int_eq(r.outcome, POLL_PARSE);
        finish(&r);
    }
}
END_TEST

START_TEST(mutations)
{
    static const char seed[] = WITH_SERVER(
        REGION("default_table_t", ENC1, "readRequestCount", "12")
            AND WRITES AND REGION("ns_table_u", ENC2, "lastMajorCompactionAge", "55")
                AND REGION("ns_table_u", ENC2, "readRequestCount", "\"3\"")
                    AND REGION("ns_table_u", ENC2, "get_num_ops", "{\"value\": 1E3}")
                        AND REGION("ns_table_u", "1588230740", "replicaid", "1"));
    unsigned outcomes[POLL_OUTCOME_COUNT] = {0};

    for (unsigned i = 0; i < 20000; i++) {
        char text[sizeof(seed)];
        size_t len = sizeof(seed) - 1;
        memcpy(text, seed, len);
        mutate(text, &len);
        const char *answer = text;
        struct reading r = read_answers(&answer, &len, 1, 0, MAX_REGIONS, 0);
        outcomes[r.outcome]++;
        for (size_t k = 0; k < r.poll->table_count; k++)
            ck_assert(utf8_valid(r.poll->tables[k], strlen(r.poll->tables[k])));
        free(dump_poll(&r));
        finish(&r);
    }
    ck_assert_uint_gt(outcomes[POLL_OK], 1000);
    ck_assert_uint_gt(outcomes[POLL_PARSE], 1000);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("jmx");
    TCase *c = tcase_create("all");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, counter_forms);
    tcase_add_test(c, counts_of_unusable_values);
    tcase_add_test(c, names_with_traps);
    tcase_add_test(c, foreign_names);
    tcase_add_test(c, unusable_table_names);
    tcase_add_test(c, the_first_unusable_is_told);
    tcase_add_test(c, order_does_not_matter);
    tcase_add_test(c, other_beans_are_ignored);
    tcase_add_test(c, old_versions_count_calls);
    tcase_add_test(c, server_time_and_probes);
    tcase_add_test(c, outcomes);
    tcase_add_test(c, too_many_regions);
    tcase_add_test(c, cut_short);
    tcase_add_test(c, mutations);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
