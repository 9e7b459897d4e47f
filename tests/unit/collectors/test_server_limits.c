/* SPDX-License-Identifier: Apache-2.0 */
/* The limits in /conf and the heap in JMX: usual forms, odd values, hostile answers. */
#include "collectors/server_limits.h"

#include <errno.h>

#include "collectors/json_stream.h"
#include "parse_support.h"

static int
read_conf(const char *text, size_t len, struct server_limits *limits)
{
    struct conf_reader *r = conf_reader_create();

    for (size_t at = 0, n; at < len; at += n) {
        n = 1 + rng_below(len - at < 300 ? len - at : 300);
        char *piece = exact_copy(text + at, n);
        bool more = conf_reader_feed(r, piece, n);
        free(piece);
        if (!more)
            break;
    }
    int result = conf_reader_end(r, limits);
    conf_reader_destroy(r);
    return result;
}

#define PROPERTY(key, value)                                                           \
    "{\"key\":\"" key "\",\"value\":\"" value                                          \
    "\",\"isFinal\":false,\"resource\":\"hbase-default.xml\"}"
#define OTHER PROPERTY("hbase.rootdir", "hdfs://nn/hbase")
#define HANDLERS(value) PROPERTY("hbase.regionserver.handler.count", value)
#define FRACTION(value) PROPERTY("hbase.regionserver.global.memstore.size", value)
#define OLD_FRACTION(value)                                                            \
    PROPERTY("hbase.regionserver.global.memstore.upperLimit", value)
#define OFFHEAP(value)                                                                 \
    PROPERTY("hbase.regionserver.offheap.global.memstore.size", value)

START_TEST(configurations)
{
    static const struct {
        const char *properties;
        unsigned handlers;
        double fraction;
        int64_t offheap;
    } cases[] = {
        {OTHER "," HANDLERS("100") "," FRACTION("0.3"), 100, 0.3, 0},
        {OTHER, 30, 0.4, 0}, /* HBase's defaults */
        {"", 30, 0.4, 0},
        {HANDLERS("30") "," FRACTION(" "), 30, 0.4, 0},
        {OLD_FRACTION("0.35"), 30, 0.35, 0},
        {OLD_FRACTION("0.35") "," FRACTION("0.5"), 30, 0.5, 0},
        {FRACTION("0.5") "," OLD_FRACTION("0.35"), 30, 0.5, 0},
        /* HBase does not take more than 0.8 either. */
        {FRACTION("0.9"), 30, 0.4, 0},
        {FRACTION("-1"), 30, 0.4, 0},
        {FRACTION("half"), 30, 0, 0},
        {FRACTION("0.30000000000000000000000000000000000000001"), 30, 0, 0},
        {HANDLERS("many"), 0, 0.4, 0},
        {HANDLERS("-5"), 0, 0.4, 0},
        {HANDLERS("99999999999"), 0, 0.4, 0},
        {HANDLERS(" 60\\n"), 60, 0.4, 0},
        {OFFHEAP("2048"), 30, 0.4, 2048 * 1048576LL},
        {OFFHEAP("x"), 30, 0.4, 0},
        {"{\"value\":\"77\",\"key\":\"hbase.regionserver.handler.count\"}", 77, 0.4, 0},
        {"{\"key\":\"hbase.regionserver.handler.count\",\"value\":77}", 77, 0.4, 0},
        {"{\"key\":\"hbase.regionserver.handler.count\"}", 30, 0.4, 0},
        {"{\"key\":\"hbase.regionserver.handler.count\",\"value\":{\"value\":\"7\"}}",
         30, 0.4, 0},
    };
    char text[2048];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct server_limits limits = {0};
        int len =
            snprintf(text, sizeof text, "{\"properties\":[%s]}", cases[i].properties);
        ck_assert_int_eq(read_conf(text, (size_t)len, &limits), 0);
        ck_assert_msg(limits.handlers == cases[i].handlers, "%s: %u", text,
                      limits.handlers);
        ck_assert_double_eq(limits.memstore_fraction, cases[i].fraction);
        ck_assert_int_eq(limits.offheap_bytes, cases[i].offheap);
        for (int n = 0; n < len; n++)
            ck_assert_int_eq(read_conf(text, (size_t)n, &limits), -EINVAL);
    }
}
END_TEST

START_TEST(what_is_no_configuration)
{
    static const char *const texts[] = {
        "",
        "{}",
        "[]",
        "<configuration/>",
        "null",
        "{\"properties\":{}}",
        "{\"property\":[" HANDLERS("9") "]}",
        "{\"properties\":[}",
        "[" HANDLERS("9") "]",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct server_limits limits = {.handlers = 5};
        ck_assert_int_eq(read_conf(texts[i], strlen(texts[i]), &limits), -EINVAL);
        ck_assert_uint_eq(limits.handlers, 5);
    }
}
END_TEST

START_TEST(damaged_configurations)
{
    for (size_t n = 0; n < 3000; n++) {
        char text[] = "{\"properties\":[" OTHER
                      "," HANDLERS("100") "," FRACTION("0.3") "," OFFHEAP("5") "]}";
        size_t len = strlen(text);
        struct server_limits limits = {0};
        mutate(text, &len);
        if (read_conf(text, len, &limits) == 0) {
            ck_assert_double_ge(limits.memstore_fraction, 0);
            ck_assert_double_le(limits.memstore_fraction, 0.8);
            ck_assert_int_ge(limits.offheap_bytes, 0);
        }
    }
}
END_TEST

START_TEST(heaps)
{
    struct server_limits limits = {0};
    size_t len;
    char *text = read_capture("hbase-2.6.4/rs1-jvmmetrics-a.json", &len);

    ck_assert_int_eq(heap_read(text, len, &limits), 0);
    ck_assert_int_eq(limits.heap_bytes, 1024LL << 20);
    for (size_t n = 0; n + 3 < len; n++) {
        char *copy = exact_copy(text, n);
        ck_assert_int_eq(heap_read(copy, n, &limits), -EINVAL);
        free(copy);
    }
    free(text);
    static const char *const bad[] = {
        "{\"beans\":[]}",
        "{\"beans\":[{\"MemHeapMaxM\":-1.0}]}",
        "{\"beans\":[{\"MemHeapMaxM\":NaN}]}",
        "{\"beans\":[{\"MemHeapMaxM\":1e300}]}",
        "{\"beans\":[{\"MemHeapMaxM\":{\"x\":5}}]}",
        "{\"beans\":[{\"name\":\"x\",\"result\":\"ERROR\"}]}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_int_eq(heap_read(bad[i], strlen(bad[i]), &limits), -EINVAL);
    static const char quoted[] = "{\"beans\":[{\"MemHeapMaxM\":\"512.5\"}]}";
    ck_assert_int_eq(heap_read(quoted, strlen(quoted), &limits), 0);
    ck_assert_int_eq(limits.heap_bytes, 537395200);
}
END_TEST

START_TEST(the_memstore_limit)
{
    ck_assert_int_eq(server_limits_memstore(&(struct server_limits){0}), -1);
    ck_assert_int_eq(
        server_limits_memstore(&(struct server_limits){.memstore_fraction = 0.4}), -1);
    ck_assert_int_eq(
        server_limits_memstore(&(struct server_limits){.heap_bytes = 1000}), -1);
    ck_assert_int_eq(server_limits_memstore(&(struct server_limits){
                         .memstore_fraction = 0.4, .heap_bytes = 1000}),
                     400);
    ck_assert_int_eq(
        server_limits_memstore(&(struct server_limits){
            .memstore_fraction = 0.4, .heap_bytes = 1000, .offheap_bytes = 7}),
        7);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("server_limits");
    TCase *tcase = tcase_create("server_limits");

    tcase_add_test(tcase, configurations);
    tcase_add_test(tcase, what_is_no_configuration);
    tcase_add_test(tcase, damaged_configurations);
    tcase_add_test(tcase, heaps);
    tcase_add_test(tcase, the_memstore_limit);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
