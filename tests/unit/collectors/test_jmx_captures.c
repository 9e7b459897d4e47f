/* SPDX-License-Identifier: Apache-2.0 */
/* Every counter and signal of the captured answers of three HBase versions against a
 * walk of the cJSON tree with a regular expression, in pieces of any size; and the
 * queries that ask for them. */
#include <cjson/cJSON.h>
#include <math.h>
#include <regex.h>

#include "jmx_support.h"

static const cJSON *
find_bean(const cJSON *root, const char *name)
{
    const cJSON *bean;

    cJSON_ArrayForEach(bean, cJSON_GetObjectItemCaseSensitive(root, "beans"))
    {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(bean, "name");
        if (value != NULL && strcmp(value->valuestring, name) == 0)
            return bean;
    }
    return NULL;
}

static void
check_attribute(const struct server_poll *poll, const char *name, const regmatch_t *m,
                double value)
{
    size_t len = (size_t)(m[3].rm_eo - m[3].rm_so);
    const struct region_sample *region = find_region(poll, name + m[3].rm_so, len);

    ck_assert_msg(region != NULL, "%s", name);
    char table[300];
    int space_len = (int)(m[1].rm_eo - m[1].rm_so);
    bool has_space = strncmp(name + m[1].rm_so, "default_table_", 14) != 0;
    snprintf(table, sizeof(table), "%.*s%s%.*s", has_space ? space_len : 0,
             name + m[1].rm_so, has_space ? ":" : "", (int)(m[2].rm_eo - m[2].rm_so),
             name + m[2].rm_so);
    ck_assert_str_eq(poll->tables[region->table], table);
    const char *metric = name + m[4].rm_so;
    if (strcmp(metric, "readRequestCount") == 0) {
        ck_assert(region->known & SAMPLE_READ);
        ck_assert_double_eq((double)region->read, value);
    } else if (strcmp(metric, "writeRequestCount") == 0) {
        ck_assert(region->known & SAMPLE_WRITE);
        ck_assert_double_eq((double)region->write, value);
    } else if (strcmp(metric, "replicaid") == 0) {
        ck_assert_double_eq(region->replica, value);
    } else {
        ck_assert_int_ge(poll->server_time_ms, (int64_t)value);
    }
}

/* Every counter of the document is in the poll, and no region besides. */
static void
check_regions(const struct server_poll *poll, const char *text)
{
    size_t reads = 0, writes = 0;
    regex_t regex;

    ck_assert_int_eq(
        regcomp(&regex,
                "^Namespace_([^_]*)_table_(.*)_region_([0-9a-f]{32}|[0-9]{1,10})"
                "_metric_(readRequestCount|writeRequestCount|replicaid|"
                "lastMajorCompactionAge)$",
                REG_EXTENDED),
        0);
    cJSON *root = cJSON_Parse(text);
    const cJSON *bean =
        find_bean(root, "Hadoop:service=HBase,name=RegionServer,sub=Regions");
    ck_assert_ptr_nonnull(bean);
    for (const cJSON *a = bean->child; a != NULL; a = a->next) {
        regmatch_t m[5];
        if (regexec(&regex, a->string, 5, m, 0) != 0)
            continue;
        check_attribute(poll, a->string, m, a->valuedouble);
        reads += strstr(a->string, "_readRequestCount") != NULL;
        writes += strstr(a->string, "_writeRequestCount") != NULL;
    }
    ck_assert_uint_gt(reads, 0);
    ck_assert_uint_eq(poll->region_count, reads);
    ck_assert_uint_eq(poll->region_count, writes);
    ck_assert_uint_eq(poll->invalid_values, 0);
    cJSON_Delete(root);
    regfree(&regex);
}

static const struct {
    const char *bean;
    const char *attributes[6];
    enum signal signal;
    double scale;
} expected_signals[] = {
    {"RegionServer,sub=Server", {"blockCacheHitCount"}, SIGNAL_CACHE_HITS, 1},
    {"RegionServer,sub=Server", {"blockCacheMissCount"}, SIGNAL_CACHE_MISSES, 1},
    {"RegionServer,sub=Server", {"blockCacheEvictionCount"}, SIGNAL_CACHE_EVICTIONS, 1},
    {"RegionServer,sub=Server", {"memStoreSize"}, SIGNAL_MEMSTORE_BYTES, 1},
    {"RegionServer,sub=Server", {"updatesBlockedTime"}, SIGNAL_UPDATES_BLOCKED_MS, 1},
    {"RegionServer,sub=Server", {"blockedRequestCount"}, SIGNAL_BLOCKED_REQUESTS, 1},
    {"RegionServer,sub=Server", {"compactionQueueLength"}, SIGNAL_COMPACTION_QUEUE, 1},
    {"RegionServer,sub=Server", {"flushQueueLength"}, SIGNAL_FLUSH_QUEUE, 1},
    {"RegionServer,sub=Server", {"regionCount"}, SIGNAL_REGION_COUNT, 1},
    {"RegionServer,sub=Server", {"percentFilesLocal"}, SIGNAL_LOCALITY, 0.01},
    {"RegionServer,sub=IPC", {"numActiveHandler"}, SIGNAL_ACTIVE_HANDLERS, 1},
    {"RegionServer,sub=IPC", {"queueSize"}, SIGNAL_QUEUE_BYTES, 1},
    {"RegionServer,sub=IPC",
     {"numCallsInGeneralQueue", "numCallsInPriorityQueue", "numCallsInReplicationQueue",
      "numCallsInMetaPriorityQueue", "numCallsInBulkLoadQueue"},
     SIGNAL_QUEUED_CALLS,
     1},
    {"JvmMetrics", {"GcTimeMillis"}, SIGNAL_GC_MS, 1},
};

static void
check_signals(const struct server_poll *poll, const char *text)
{
    cJSON *root = cJSON_Parse(text);

    for (size_t i = 0; i < sizeof(expected_signals) / sizeof(expected_signals[0]);
         i++) {
        char name[100];
        snprintf(name, sizeof(name), "Hadoop:service=HBase,name=%s",
                 expected_signals[i].bean);
        const cJSON *bean = find_bean(root, name);
        double sum = NAN;
        for (size_t k = 0; k < 6 && expected_signals[i].attributes[k] != NULL; k++) {
            const cJSON *value = cJSON_GetObjectItemCaseSensitive(
                bean, expected_signals[i].attributes[k]);
            if (value != NULL)
                sum = (isnan(sum) ? 0 : sum) + value->valuedouble;
        }
        double got = poll->signals[expected_signals[i].signal];
        if (bean == NULL || isnan(sum))
            continue;
        ck_assert_msg(fabs(got - sum * expected_signals[i].scale) < 1e-9, "%s: %g",
                      expected_signals[i].attributes[0], got);
    }
    cJSON_Delete(root);
}

START_TEST(captured_combined)
{
    for (int rs = 1; rs <= 2; rs++) {
        for (int round = 'a'; round <= 'b'; round++) {
            char name[100];
            size_t len;
            snprintf(name, sizeof(name), "hbase-2.6.4/rs%d-combined-%c.json", rs,
                     round);
            char *text = read_capture(name, &len);
            struct reading r = read_one(text);
            ck_assert_msg(r.outcome == POLL_OK, "%s: %s", name, r.error);
            ck_assert_uint_eq(strncmp(r.poll->server, "localhost,2802", 14), 0);
            check_regions(r.poll, text);
            check_signals(r.poll, text);
            ck_assert_int_gt(r.poll->server_time_ms, 1796000000000);
            finish(&r);
            free(text);
        }
    }
}
END_TEST

/* Server bean, then the given form of the regions bean, then IPC and JVM where
 * captured. */
static void
check_per_bean(const char *version, int rs, int round, const char *form)
{
    static const char *const forms[] = {"server", NULL, "ipc", "jvmmetrics"};
    char *texts[4];
    size_t lens[4];
    size_t count = 0;
    char name[100];

    for (size_t i = 0; i < 4; i++) {
        /* Those two were captured on 2.6.4, servers 1 and 2. */
        if (i >= 2 && (strcmp(version, "2.6.4") != 0 || rs == 3))
            continue;
        snprintf(name, sizeof(name), "hbase-%s/rs%d-%s-%c.json", version, rs,
                 i == 1 ? form : forms[i], round);
        texts[count] = read_capture(name, &lens[count]);
        count++;
    }
    struct reading r =
        read_answers((const char *const *)texts, lens, count, 1000000, MAX_REGIONS, 0);
    ck_assert_msg(r.outcome == POLL_OK, "%s rs%d %s: %s", version, rs, form, r.error);
    check_regions(r.poll, texts[1]);
    check_signals(r.poll, texts[0]);
    for (size_t i = 2; i < count; i++)
        check_signals(r.poll, texts[i]);
    ck_assert_double_eq(r.poll->signals[SIGNAL_REGION_COUNT],
                        (double)r.poll->region_count);
    finish(&r);
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
}

START_TEST(captured_per_bean)
{
    for (int round = 'a'; round <= 'b'; round++) {
        for (int rs = 1; rs <= 3; rs++) {
            check_per_bean("2.4.18", rs, round, "regions");
            check_per_bean("2.4.18", rs, round, "filtered");
            check_per_bean("2.6.4", rs, round, "regions");
            check_per_bean("2.6.4", rs, round, "filtered");
        }
        check_per_bean("1.7.2", 1, round, "regions");
    }
}
END_TEST

START_TEST(captured_errors)
{
    static const struct {
        const char *file;
        enum poll_outcome outcome;
        bool not_understood;
    } cases[] = {
        {"hbase-2.4.18/err-attr.json", POLL_BAD_RESPONSE, true},
        {"hbase-2.4.18/err-get.json", POLL_BAD_RESPONSE, true},
        {"hbase-2.4.18/err-qry.json", POLL_BAD_RESPONSE, true},
        {"hbase-2.4.18/err-none.json", POLL_NO_DATA, false},
        {"hbase-2.6.4/err-attr.json", POLL_BAD_RESPONSE, true},
        {"hbase-2.6.4/err-none.json", POLL_NO_DATA, false},
        {"hbase-1.7.2/rs1-filtered-a.json", POLL_BAD_RESPONSE, true},
        {"hbase-2.4.18/live_servers-a.json", POLL_PARSE, false}, /* a 404 page */
        {"hbase-2.6.4/live_servers-a.json", POLL_BAD_RESPONSE, true},
        {"hbase-2.6.4/master-a.json", POLL_BAD_RESPONSE, false},
        {"hbase-2.6.4/rs1-regions-a.json", POLL_BAD_RESPONSE, false}, /* no server */
        {"hbase-2.6.4/rs1-server-a.json", POLL_NO_DATA, false},       /* no regions */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t len;
        char *text = read_capture(cases[i].file, &len);
        struct reading r = read_one(text);
        ck_assert_msg(r.outcome == cases[i].outcome &&
                          r.not_understood == cases[i].not_understood,
                      "%s: %d %d %s", cases[i].file, r.outcome, r.not_understood,
                      r.error);
        ck_assert_ptr_null(strchr(r.error, '\n'));
        finish(&r);
        free(text);
    }
}
END_TEST

START_TEST(pieces_do_not_matter)
{
    static const char *const files[] = {"hbase-2.6.4/rs1-combined-a.json",
                                        "hbase-2.6.4/rs1-regions-a.json"};
    static const size_t pieces[] = {1, 2, 3, 7, 0, 0, 0, 0};

    for (size_t f = 0; f < 2; f++) {
        size_t len;
        char *text = read_capture(files[f], &len);
        struct reading whole = read_one(text);
        char *expected = dump_poll(&whole);
        for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
            const char *answer = text;
            struct reading r =
                read_answers(&answer, &len, 1, pieces[i], MAX_REGIONS, 0);
            char *got = dump_poll(&r);
            ck_assert_str_eq(got, expected);
            free(got);
            finish(&r);
        }
        free(expected);
        finish(&whole);
        free(text);
    }
}
END_TEST

START_TEST(restart_after_not_understood)
{
    struct message *message = message_create(MESSAGE_POLL);
    struct jmx_reader *reader = jmx_reader_create(&message->poll, MAX_REGIONS);
    bool not_understood;
    char *error = NULL;
    size_t len;
    static const char first[] =
        "{\"beans\": [{" SERVER_BEAN ", \"result\": \"ERROR\"}, {" REGIONS_BEAN ", "
        "\"Namespace_default_table_gone_region_" ENC2
        "_metric_readRequestCount\": -9}]}";

    jmx_reader_feed(reader, first, sizeof(first) - 1);
    ck_assert_int_eq(jmx_reader_end_answer(reader, &not_understood, &error),
                     POLL_BAD_RESPONSE);
    ck_assert(not_understood);
    free(error);
    jmx_reader_restart(reader);
    ck_assert_uint_eq(message->poll.region_count, 0);
    ck_assert_uint_eq(message->poll.invalid_values, 0);
    char *server = read_capture("hbase-1.7.2/rs1-server-a.json", &len);
    jmx_reader_feed(reader, server, len);
    ck_assert_int_eq(jmx_reader_end_answer(reader, &not_understood, &error), POLL_OK);
    free(server);
    char *regions = read_capture("hbase-1.7.2/rs1-regions-a.json", &len);
    jmx_reader_feed(reader, regions, len);
    ck_assert_int_eq(jmx_reader_end_answer(reader, &not_understood, &error), POLL_OK);
    ck_assert_int_eq(jmx_reader_end_poll(reader, &error), POLL_OK);
    check_regions(&message->poll, regions);
    free(regions);
    jmx_reader_destroy(reader);
    message_destroy(message);
}
END_TEST

START_TEST(queries)
{
    static const char banned[] = "+&<>\"' |^";
    unsigned count = 0;

    for (enum jmx_mode mode = JMX_COMBINED; mode <= JMX_PER_BEAN; mode++) {
        const char *query;
        for (unsigned i = 0; (query = jmx_query(mode, i)) != NULL; i++, count++) {
            ck_assert_int_eq(strncmp(query, "/jmx?", 5), 0);
            ck_assert_uint_eq(strcspn(query, banned), strlen(query));
            ck_assert_ptr_null(strstr(query, "::.*"));
        }
    }
    ck_assert_uint_eq(count, 5);
    const char *combined = jmx_query(JMX_COMBINED, 0);
    for (size_t i = 0; i < sizeof(expected_signals) / sizeof(expected_signals[0]);
         i++) {
        for (size_t k = 0; k < 6 && expected_signals[i].attributes[k] != NULL; k++)
            ck_assert_ptr_nonnull(strstr(combined, expected_signals[i].attributes[k]));
    }
    ck_assert_ptr_nonnull(strstr(combined, "::_metric_*(readRequestCount%7C"));
    ck_assert_ptr_nonnull(strstr(combined, ",%5Etag.serverName$,"));
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("jmx_captures");
    TCase *c = tcase_create("all");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, captured_combined);
    tcase_add_test(c, captured_per_bean);
    tcase_add_test(c, captured_errors);
    tcase_add_test(c, pieces_do_not_matter);
    tcase_add_test(c, restart_after_not_understood);
    tcase_add_test(c, queries);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
