/* SPDX-License-Identifier: Apache-2.0 */
/* status 'detailed' of all versions, whole and cut, and keys of any bytes through our
 * own print of it. */
#include "listing_support.h"

#define STATUS_HEAD(version)                                                           \
    "version " version "\n0 regionsInTransition\n"                                     \
    "active master:  m1.example.com:16000 1700000000500\n"
#define STATUS_MASTERS                                                                 \
    "1 backup masters\n    m2.example.com:16000 1700000000600\nmaster coprocessors: "  \
    "[]\n"
#define STATUS_SERVER1                                                                 \
    "2 live servers\n    rs1.example.com:16020 1700000001111\n"                        \
    "        requestsPerSecond=123.0, numberOfOnlineRegions=2, usedHeapMB=512, "       \
    "maxHeapMB=4096, readRequestsCount=1015, writeRequestsCount=2020, "                \
    "compactionProgressPct=1.0, coprocessors=[MultiRowMutationEndpoint, Other]\n"
#define NAME1                                                                          \
    "        \"ns1:orders,,1700000000000.8fdfb7ba2f0016f124b59812a3ca60a3.\"\n"
#define NAME2                                                                          \
    "        \"ns1:orders,\\\\x00\\\\xFFz,1700000000001."                              \
    "39a8ebc2b9a7dd602aebfdd3d37d29f5.\"\n"
#define METRICS1                                                                       \
    "            numberOfStores=1, numberOfStorefiles=0, storefileSizeMB=0, "          \
    "readRequestsCount=15, writeRequestsCount=0, compactionProgressPct=NaN, "          \
    "completeSequenceId=-1, dataLocality=0.0\n"
#define METRICS2                                                                       \
    "            numberOfStores=1, storefileUncompressedSizeMB=2048, "                 \
    "storefileSizeMB=1024, compressionRatio=0.5000, readRequestsCount=1000, "          \
    "writeRequestsCount=2020, completeSequenceId=77, dataLocality=1.0\n"
#define METRICS2_V1                                                                    \
    "            numberOfStores=1, storefileSizeMB=1024, storefileIndexSizeMB=0, "     \
    "readRequestsCount=1000, writeRequestsCount=2020\n"
#define METRICS2_V3                                                                    \
    "            storeCount=1, uncompressedStoreFileSize=2048.0MB, "                   \
    "storeFileSize=1024.0MB, "                                                         \
    "memStoreSize=12.0MB, readRequestCount=1000, cpRequestCount=9, "                   \
    "writeRequestCount=2020, completedSequenceId=77, dataLocality=1.0, "               \
    "compactionState=NONE, regionSizeMB=1024.0MB, currentRegionCachedRatio=0.0\n"
#define STATUS_SERVER2                                                                 \
    "    rs2.example.com:16020 1700000002222\n"                                        \
    "        requestsPerSecond=0.0, numberOfOnlineRegions=0, usedHeapMB=512.0MB\n"
#define DEAD "1 dead servers\n    rs3.example.com,16020,1699999990000\n"
#define TASK4                                                                          \
    "    RpcServer.priority: status=Waiting for a call, state=WAITING, startTime=1, "  \
    "completionTime=-1\n"
#define TASK8                                                                          \
    "        Flush: status=\"x, state=RUNNING, startTime=1, completionTime=-1\n"
#define STATUS_REGIONS NAME1 METRICS1 NAME2 METRICS2

START_TEST(status_versions)
{
    static const char *const texts[] = {
        STATUS_HEAD("2.5.8")
            STATUS_MASTERS STATUS_SERVER1 STATUS_REGIONS STATUS_SERVER2 DEAD
        "Took 0.2101 seconds\n=> nil\n",
        STATUS_HEAD("1.7.2") STATUS_MASTERS STATUS_SERVER1 NAME1 METRICS1 NAME2
            METRICS2_V1 STATUS_SERVER2 DEAD,
        STATUS_HEAD("3.0.1") TASK4 STATUS_MASTERS STATUS_SERVER1 NAME2 METRICS2_V3 NAME1
            METRICS1 TASK8 STATUS_SERVER2 TASK8 DEAD,
        "2026-11-30 20:37:29,783 WARN  [main] x: y\n" STATUS_HEAD("2.4.18")
            STATUS_SERVER1 STATUS_REGIONS STATUS_SERVER2 "0 dead servers",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct reading r = read_good(texts[i]);
        const struct listing *l = r.listing;
        ck_assert_uint_eq(l->row_count, 2);
        ck_assert(l->whole_cluster);
        const struct listing_row *a = row_of(&r, "8fdfb7ba2f0016f124b59812a3ca60a3");
        const struct listing_row *b = row_of(&r, "39a8ebc2b9a7dd602aebfdd3d37d29f5");
        check_keys(l, a, &KEY(""), &KEY("\0\xffz"));
        check_keys(l, b, &KEY("\0\xffz"), &KEY(""));
        ck_assert_str_eq(l->servers[a->server], RS1);
        ck_assert_uint_eq(l->server_count, 2);
        ck_assert_str_eq(l->servers[1], RS2);
        ck_assert_uint_eq(a->read, 15);
        ck_assert_uint_eq(b->read, 1000);
        ck_assert_uint_eq(b->write, 2020);
        ck_assert_uint_eq(b->known, SAMPLE_READ | SAMPLE_WRITE);
        ck_assert_int_eq(b->size_bytes, 1073741824);
        ck_assert_int_eq(a->size_bytes, 0);
        if (i == 1)
            ck_assert(isnan(b->locality));
        else
            ck_assert_double_eq(b->locality, 1);
        finish(&r);
    }
}
END_TEST

START_TEST(refused_status)
{
#define START STATUS_HEAD("2.5.8") STATUS_MASTERS STATUS_SERVER1
    check_refused(START STATUS_REGIONS STATUS_SERVER2, POLL_PARSE, "cut short");
    check_refused(START STATUS_REGIONS DEAD, POLL_PARSE,
                  "2 live servers announced, 1 read");
    check_refused(START NAME1 METRICS1 STATUS_SERVER2 DEAD, POLL_PARSE,
                  "line 8: the server has 2 regions, 1 are listed");
    check_refused(START NAME1 NAME2 METRICS2 STATUS_SERVER2 DEAD, POLL_PARSE,
                  "line 10: the region has no line of metrics");
    check_refused(START STATUS_REGIONS NAME2 STATUS_SERVER2 DEAD, POLL_PARSE,
                  "no line of");
    check_refused(START "        \"ns1:orders,,17000\"\n" METRICS1 STATUS_SERVER2 DEAD,
                  POLL_PARSE, "full name");
    check_refused(START "        \"ns1:orders,,17000\n" METRICS1 STATUS_SERVER2 DEAD,
                  POLL_PARSE, "in quotes");
    check_refused(START STATUS_REGIONS STATUS_SERVER2 DEAD "ERROR: late\n",
                  POLL_BAD_RESPONSE, "late");
    check_refused(START STATUS_REGIONS STATUS_SERVER2 DEAD STATUS_SERVER1, POLL_PARSE,
                  "second time");
    check_refused("1 live servers\n" NAME1 METRICS1 DEAD, POLL_PARSE,
                  "before any server");
}
END_TEST

START_TEST(status_cut_short)
{
    static const char text[] = START STATUS_REGIONS STATUS_SERVER2 "0 dead servers\n";

    for (size_t len = 0; len < sizeof(text) - 2; len++) {
        struct reading r = read_limited(text, len, MAX_ROWS);
        ck_assert_msg(r.outcome == POLL_PARSE || r.outcome == POLL_NO_DATA, "%zu", len);
        finish(&r);
    }
}
END_TEST

START_TEST(transitions)
{
#define AFTER STATUS_MASTERS STATUS_SERVER1 STATUS_REGIONS STATUS_SERVER2 DEAD
    static const char other[] = "f1d970e44b679844dfcf31b564c30935";

    /* the encoded name of a region that is listed */
    struct reading r = read_good(
        "1 regionsInTransition\n"
        "    {8fdfb7ba2f0016f124b59812a3ca60a3 state=OPENING, ts=1, server=x}\n" AFTER);
    ck_assert(row_of(&r, "8fdfb7ba2f0016f124b59812a3ca60a3")->in_transition);
    ck_assert(!row_of(&r, "39a8ebc2b9a7dd602aebfdd3d37d29f5")->in_transition);
    check_keys(r.listing, row_of(&r, "8fdfb7ba2f0016f124b59812a3ca60a3"), &KEY(""),
               &KEY("\0\xffz"));
    finish(&r);

    /* of one that is not: no neighbour is certain */
    r = read_good(
        "1 regionsInTransition\n"
        "    {f1d970e44b679844dfcf31b564c30935 state=OPENING, ts=1, server=x}\n" AFTER);
    ck_assert_uint_eq(r.listing->row_count, 2);
    check_keys(r.listing, row_of(&r, "8fdfb7ba2f0016f124b59812a3ca60a3"), &KEY(""),
               NULL);
    finish(&r);

    /* its full name: a row on no server */
    r = read_good("2 regionsInTransition\n    {ns1:orders,m,1,1700000000003."
                  "f1d970e44b679844dfcf31b564c30935. state=OPENING, ts=1, server=x}\n"
                  "    ns1:orders,,1700000000000.8fdfb7ba2f0016f124b59812a3ca60a3. "
                  "state=OPEN, ts=1, server=null\n" AFTER);
    ck_assert_uint_eq(r.listing->row_count, 3);
    ck_assert(row_of(&r, other)->in_transition);
    ck_assert_uint_eq(row_of(&r, other)->server, UINT32_MAX);
    check_keys(r.listing, row_of(&r, other), &KEY("m,1"), &KEY(""));
    check_keys(r.listing, row_of(&r, "39a8ebc2b9a7dd602aebfdd3d37d29f5"),
               &KEY("\0\xffz"), &KEY("m,1"));
    ck_assert_uint_eq(row_of(&r, "8fdfb7ba2f0016f124b59812a3ca60a3")->read, 15);
    ck_assert(row_of(&r, "8fdfb7ba2f0016f124b59812a3ca60a3")->in_transition);
    finish(&r);

    /* unreadable: the listing stands, without end keys */
    r = read_good("1 regionsInTransition\n    {? state=OPENING}\n" AFTER);
    check_keys(r.listing, row_of(&r, "8fdfb7ba2f0016f124b59812a3ca60a3"), &KEY(""),
               NULL);
    finish(&r);
}
END_TEST

/* Ruby's String#dump of printable ASCII. */
static void
add_dumped(struct buf *out, const char *s, size_t len)
{
    buf_addc(out, '"');
    for (size_t i = 0; i < len; i++) {
        bool interpolation =
            s[i] == '#' && i + 1 < len && memchr("{$@", s[i + 1], 3) != NULL;
        if (s[i] == '\\' || s[i] == '"' || interpolation)
            buf_addc(out, '\\');
        buf_addc(out, s[i]);
    }
    buf_addc(out, '"');
}

static void
add_status(struct buf *out, const struct key *keys, size_t count, bool escaped)
{
    buf_addf(out,
             "1 live servers\n    rs1:16020 1\n"
             "        requestsPerSecond=1.0, numberOfOnlineRegions=%zu\n",
             count);
    for (size_t i = 0; i < count; i++) {
        struct buf name, text;
        buf_init(&name, 0);
        buf_init(&text, 0);
        add_name(&name, "ns:t", keys[i], T0 + (int64_t)i, 0);
        if (escaped)
            row_key_escape(&text, name.data, name.len);
        else
            buf_add(&text, name.data, name.len);
        buf_adds(out, "        ");
        add_dumped(out, text.data, text.len);
        buf_addf(out, "\n            readRequestCount=%zu, writeRequestCount=0\n", i);
        buf_finish(&name);
        buf_finish(&text);
    }
    buf_adds(out, "0 dead servers\n");
}

START_TEST(every_byte_in_status)
{
    struct key keys[530];
    char bytes[256][3];
    struct buf text;

    size_t n = make_keys(keys, bytes);
    buf_init(&text, 0);
    add_status(&text, keys, n, true);
    struct reading r = read_good(text.data);
    ck_assert_uint_eq(r.listing->row_count, n);
    check_table(r.listing, "ns:t", keys, n);
    finish(&r);
    buf_finish(&text);

    /* what String#dump has to escape, and what looks like an escape */
    const struct key nasty[] = {KEY(""),      KEY("\"#{x}#$y#@z"), KEY("#"),
                                KEY("#x\\"),  KEY("\\#{"),         KEY("\\\\x41"),
                                KEY("\\n"),   KEY("\\x41"),        KEY("\\xab"),
                                KEY("u{41}"), KEY("x00\0")};
    const size_t n_nasty = sizeof(nasty) / sizeof(nasty[0]);
    /* sorted as HBase does */
    buf_init(&text, 0);
    add_status(&text, nasty, n_nasty, true);
    r = read_good(text.data);
    for (size_t i = 0; i < n_nasty; i++) {
        const struct listing_row *row =
            find_row(r.listing, id_of("ns:t", nasty[i], T0 + (int64_t)i, 0));
        ck_assert_ptr_nonnull(row);
        check_key(r.listing, row->start_known, row->start_key, row->start_len,
                  &nasty[i]);
        ck_assert_uint_eq(row->read, i);
    }
    finish(&r);
    buf_finish(&text);
}
END_TEST

/* HBase 1.0 to 1.2 dump the decoded name, without escaping it first. */
START_TEST(unescaped_names)
{
    const struct key keys[] = {KEY(""), KEY("a\\x41b"), KEY("caf\xc3\xa9")};
    struct buf text;

    buf_init(&text, 0);
    add_status(&text, keys, 3, false);
    struct reading r = read_good(text.data);
    check_table(r.listing, "ns:t", keys, 3);
    finish(&r);
    buf_finish(&text);

    /* Ruby's escapes of what is not ASCII, and a key that was lost on the way */
    struct buf name;
    buf_init(&name, 0);
    buf_init(&text, 0);
    add_name(&name, "t", KEY("\xc3\xa9\x01\xf0\x9f\x98\x80\n"), T0, 0);
    buf_addf(&text,
             "1 live servers\n    rs1:16020 1\n        "
             "\"t,\\u00E9\\x01\\u{1F600}\\n,%" PRIi64
             "%s\"\n            readRequestsCount=1\n"
             "        \"t,\\u{FFFD},1700000000000.39a8ebc2b9a7dd602aebfdd3d37d29f5.\"\n"
             "            readRequestsCount=2\n0 dead servers\n",
             T0, name.data + name.len - 34);
    r = read_good(text.data);
    ck_assert_uint_eq(r.listing->row_count, 2);
    check_keys(r.listing, &r.listing->rows[0], &KEY("\xc3\xa9\x01\xf0\x9f\x98\x80\n"),
               NULL);
    check_keys(r.listing, row_of(&r, "39a8ebc2b9a7dd602aebfdd3d37d29f5"), NULL, NULL);
    finish(&r);
    buf_finish(&text);
    buf_finish(&name);
}
END_TEST

START_TEST(mutations)
{
    check_mutations("1 regionsInTransition\n    {8fdfb7ba2f0016f124b59812a3ca60a3 "
                    "state=OPENING}\n" AFTER);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("listing_status");
    TCase *c = tcase_create("all");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, status_versions);
    tcase_add_test(c, refused_status);
    tcase_add_test(c, status_cut_short);
    tcase_add_test(c, transitions);
    tcase_add_test(c, every_byte_in_status);
    tcase_add_test(c, unescaped_names);
    tcase_add_test(c, mutations);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
