/* SPDX-License-Identifier: Apache-2.0 */
/* Stub RegionServers with all that is asked of a server in the focus, and counts of
 * what was. Included by one program each. */
#ifndef TESTS_UNIT_COLLECTORS_DETAILS_SUPPORT_H
#define TESTS_UNIT_COLLECTORS_DETAILS_SUPPORT_H

#include "collectors/row_tally.h"
#include "tests/unit/collectors/collector_support.h"

#define SERVER "rs1,16020,1700000000001"
#define BEAN(sub) "{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=" sub "\","
#define ERROR_BEAN                                                                     \
    "{\"beans\":[" BEAN("Regions") "\"result\":\"ERROR\",\"message\":\"No attribute "  \
                                   "with name x was found.\"}]}"

/* What a stub server has, and what it was asked. */
enum page {
    PAGE_POLL,
    PAGE_FILTERED,
    PAGE_FULL,
    PAGE_CONF,
    PAGE_HEAP,
    PAGE_RS_STATUS,
    PAGE_JSP,
    PAGE_OTHER,
    PAGE_COUNT
};

struct server {
    unsigned port;
    int status[PAGE_COUNT]; /* 0: 200 */
    bool hangs[PAGE_COUNT];
    bool endless[PAGE_COUNT];
    bool drips[PAGE_COUNT];
    bool old;              /* no filtered queries */
    bool large;            /* the full bean is very large */
    atomic_bool restarted; /* answers under another name */
    atomic_bool one_row;   /* always the same call */
    atomic_uint asked[PAGE_COUNT];
    atomic_uint calls;
    atomic_uint anonymous; /* requests without credentials */
};

static struct stub *stub;
static struct server servers[20];
static size_t focus_regions; /* of each server in the focus: 1, or 0 */

static UNUSED enum page
find_page(const char *path)
{
    static const char *const parts[PAGE_COUNT] = {
        [PAGE_POLL] = "GcTimeMillis",
        [PAGE_FILTERED] = "scanCount",
        [PAGE_FULL] = "qry=",
        [PAGE_CONF] = "/conf?format=json",
        [PAGE_HEAP] = "MemHeapMaxM",
        [PAGE_OTHER] = "",
        [PAGE_RS_STATUS] = "/rs-status?format=json&filter=rpc",
        [PAGE_JSP] = "/regionserver.jsp?format=json&filter=rpc",
    };

    for (unsigned i = 0; i < PAGE_COUNT; i++) {
        if (strstr(path, parts[i]) != NULL && i != PAGE_OTHER)
            return (enum page)i;
    }
    return PAGE_OTHER;
}

static const char detail_body[] = "{\"beans\":[" BEAN(
    "Regions") "\"" ATTRIBUTE "readRequestCount\":500,"
               "\"" ATTRIBUTE "writeRequestCount\":70,"
               "\"" ATTRIBUTE "getCount\":100,\"" ATTRIBUTE
               "scanCount\":4}," BEAN("Server") "\"tag.serverName\":\"%s\"}]}";

static UNUSED void
answer_detail(const struct server *s, struct stub_reply *reply)
{
    char body[1024];

    snprintf(body, sizeof body, detail_body,
             s->restarted ? "rs1,16020,1700000000002" : SERVER);
    stub_answer(reply, 200, "", body);
}

enum { CALLS = 8, SESSION = TALLY_GOAL / CALLS };

/* A Get of one of three clients. */
static UNUSED void
add_call(struct buf *body, unsigned n)
{
    buf_addf(body,
             "{\"rpcCall\":{\"starttimems\":\"%u\",\"clientaddress\":\"10.0.0.%u\","
             "\"method\":\"Get\",\"remoteport\":5,\"params\":[\"region {\\n value: "
             "\\\"t,,1700000000000." REGION ".\\\"\\n}\\nget {\\n row: "
             "\\\"row%u\\\"\\n}\\n\"]}}",
             n + 1, n % 3, n);
}

/* Busy handlers, each time with other calls. */
static UNUSED void
answer_calls(struct server *s, struct stub_reply *reply)
{
    struct buf body;

    buf_init(&body, 0);
    buf_adds(&body, "\n \n [");
    for (unsigned i = 0; i < CALLS; i++) {
        if (i > 0)
            buf_addc(&body, ',');
        add_call(&body, s->one_row ? 0 : atomic_fetch_add(&s->calls, 1));
    }
    buf_adds(&body, "]\n\n ");
    stub_answer(reply, 200, "", body.data);
    buf_finish(&body);
}

static UNUSED void
answer_page(struct server *s, enum page page, struct stub_reply *reply)
{
    static const char conf[] =
        "{\"properties\":[{\"key\":\"hbase.regionserver.handler.count\",\"value\":"
        "\"40\"},{\"key\":\"hbase.regionserver.global.memstore.size\",\"value\":"
        "\"0.5\"}]}";

    if (page == PAGE_POLL)
        answer_beans(reply, SERVER, 42);
    else if (page == PAGE_FILTERED && s->old)
        stub_answer(reply, 200, "", ERROR_BEAN);
    else if (page == PAGE_FULL && s->large) {
        buf_adds(&reply->bytes, "HTTP/1.1 200 OK\r\n\r\n{\"beans\":[");
        reply->way = STUB_REPEAT;
        reply->again = "{\"name\":\"x\"},";
    } else if (page == PAGE_FILTERED || page == PAGE_FULL)
        answer_detail(s, reply);
    else if (page == PAGE_CONF)
        stub_answer(reply, 200, "", conf);
    else if (page == PAGE_HEAP)
        stub_answer(reply, 200, "",
                    "{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=JvmMetrics\","
                    "\"MemHeapMaxM\":1024.0}]}");
    else
        answer_calls(s, reply);
}

static UNUSED void
serve(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    struct server *s = user;
    enum page page = find_page(path);

    ck_assert_int_ne(page, PAGE_OTHER);
    if (strstr(head, "Authorization: Basic ") == NULL)
        atomic_fetch_add(&s->anonymous, 1);
    atomic_fetch_add(&s->asked[page], 1);
    if (s->hangs[page])
        reply->way = STUB_HANG;
    else if (s->endless[page]) {
        buf_adds(&reply->bytes, "HTTP/1.1 200 OK\r\n\r\n[");
        reply->way = STUB_REPEAT;
        reply->again = "{\"rpcCall\":{\"method\":\"Get\",\"params\":[\"x\"]}},\n";
    } else if (s->status[page] != 0)
        stub_answer(reply, s->status[page],
                    s->status[page] < 400 ? "Location: /regionserver.jsp\r\n" : "",
                    "<html>");
    else
        answer_page(s, page, reply);
    if (s->drips[page])
        reply->way = STUB_DRIP;
}

static UNUSED void
setup(void)
{
    config_reset();
    config.poll.interval_ms = 2 * QUICK_MS;
    memset(servers, 0, sizeof servers);
    focus_regions = 1;
    stub = stub_create();
    for (size_t i = 0; i < sizeof servers / sizeof servers[0]; i++)
        servers[i].port = stub_listen(stub, serve, &servers[i]);
}

static UNUSED void
teardown(void)
{
    if (collector != NULL)
        stop_collector();
    stub = stub_destroy(stub);
}

static UNUSED void
start(size_t targets_count)
{
    stub_start(stub);
    for (size_t i = 0; i < targets_count; i++)
        add_target(servers[i].port);
    start_collector();
}

/* The focus on the first servers. */
static UNUSED void
set_focus(size_t count, bool sample_rows, uint32_t turn, const char *name)
{
    struct focus *focus = xcalloc(1, sizeof *focus);

    focus->count = count;
    focus->servers = xcalloc(count, sizeof focus->servers[0]);
    for (size_t i = 0; i < count; i++) {
        struct focus_server *f = &focus->servers[i];
        char url[64];
        snprintf(url, sizeof url, "http://127.0.0.1:%u", servers[i].port);
        f->url = xstrdup(url);
        f->server = xstrdup(name);
        f->regions = xcalloc(1, sizeof f->regions[0]);
        ck_assert(region_id_parse(REGION, 32, &f->regions[0]));
        f->region_count = focus_regions;
        f->sample_rows = sample_rows;
        f->turn = turn;
    }
    collector_set_focus(collector, focus);
}

static UNUSED unsigned
asked(size_t server, enum page page)
{
    return atomic_load(&servers[server].asked[page]);
}

/* Waits until a page was asked so often. */
static UNUSED void
await_asked(size_t server, enum page page, unsigned count)
{
    int64_t end = clock_now().mono_ms + PATIENCE_MS;

    while (asked(server, page) < count) {
        ck_assert_msg(clock_now().mono_ms < end, "page %d: %u of %u", page,
                      asked(server, page), count);
        take_messages(10);
    }
}

static UNUSED int
run_details_tests(const char *name, const TTest *const tests[], size_t count)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 20);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
