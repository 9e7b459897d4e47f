/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/http_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "daemon/json_util.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/fixture.h"

static struct fixture f;
static struct view *view;
static struct fixture_answer a;

static void
begin(void)
{
    fixture_orders(&f);
    view = fixture_view(&f);
}

static void
end(void)
{
    view = view_unref(view);
    fixture_finish(&f);
}

/* A good answer; a.data is what is in it. */
static void
get(const char *uri)
{
    fixture_answer_finish(&a);
    a = fixture_get(view, "GET", uri);
    ck_assert_msg(a.status == 200, "%s: %u %s", uri, a.status, a.body);
    ck_assert_str_eq(a.type, "application/json");
    ck_assert_ptr_nonnull(a.json);
}

static void
refuse(const char *uri, unsigned status, const char *part)
{
    struct fixture_answer bad = fixture_get(view, "GET", uri);

    ck_assert_msg(bad.status == status, "%s: %u", uri, bad.status);
    ck_assert_msg(strstr(fixture_string(bad.json, "error"), part) != NULL, "%s: %s",
                  uri, bad.body);
    fixture_answer_finish(&bad);
}

static bool
is_null(const char *path)
{
    return cJSON_IsNull(fixture_at(a.data, path));
}

static bool
is_true(const char *path)
{
    return cJSON_IsTrue(fixture_at(a.data, path));
}

static int
size_of(const char *path)
{
    return cJSON_GetArraySize(fixture_at(a.data, path));
}

static void
check_strings(const char *const pairs[][2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_str_eq(fixture_string(a.data, pairs[i][0]), pairs[i][1]);
}

struct figure {
    const char *path;
    double value;
};

static void
check_figures(const struct figure *figures, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double value = fixture_number(a.data, figures[i].path);
        ck_assert_msg(fabs(value - figures[i].value) <= 1e-6 * fabs(figures[i].value),
                      "%s: %g", figures[i].path, value);
    }
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

START_TEST(status)
{
    static const char *const strings[][2] = {
        {"version", "0.1.0"},
        {"cluster", "prod"},
        {"startTime", "2026-11-30T22:22:20.000Z"},
        {"problems.0", "one <problem>"},
    };
    static const struct figure figures[] = {
        {"uptimeSeconds", 100}, {"intervalSeconds", 30}, {"servers.total", 2},
        {"servers.up", 2},      {"regions.total", 11},   {"regions.fresh", 11},
        {"regions.active", 11}, {"tables", 2},           {"coverage", 1},
        {"alerts.firing", 1},   {"alerts.pending", 0},   {"memoryBytes", 0},
    };
    begin();
    view->status.problems.items = xcalloc(1, sizeof(char *));
    view->status.problems.items[0] = xstrdup("one <problem>");
    view->status.problems.count = 1;
    get("/api/v1/status");
    check_strings(strings, COUNT(strings));
    check_figures(figures, COUNT(figures));
    ck_assert(is_null("lastRound"));
    view->status.have_round = true;
    view->status.last_round = (struct round_summary){
        .started = {1000, 1796077440000}, .finished = {2500, 0}, .ok = 3, .failed = 1};
    get("/api/v1/status");
    ck_assert_str_eq(fixture_string(a.data, "lastRound.startedAt"),
                     "2026-11-30T22:24:00.000Z");
    ck_assert(fixture_number(a.data, "lastRound.durationMs") == 1500);
    ck_assert(fixture_number(a.data, "lastRound.ok") == 3);
    ck_assert(fixture_number(a.data, "lastRound.failed") == 1);
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(regions_are_listed)
{
    begin();
    get("/api/v1/regions");
    ck_assert_int_eq(size_of("regions"), 11);
    ck_assert(fixture_number(a.data, "total") == 11);
    ck_assert_str_eq(fixture_string(a.data, "regions.0.region"),
                     "858a2c1f000000041122334455667788");
    ck_assert_str_eq(fixture_string(a.data, "regions.0.state"), "firing");
    static const struct figure figures[] = {
        {"regions.0.readRate", 20},       {"regions.0.writeRate", 1934},
        {"regions.0.rate", 1954},         {"regions.0.ratio", 9.7},
        {"regions.0.sizeBytes", 1 << 20}, {"regions.0.locality", 0.5},
    };
    check_figures(figures, COUNT(figures));
    double share = fixture_number(a.data, "regions.0.share");
    ck_assert(fabs(share - 1954 / f.s->tables[1].rate[ACCESS_TOTAL]) < 1e-5);
    get("/api/v1/regions?table=iot:events");
    ck_assert_int_eq(size_of("regions"), 1);
    ck_assert_str_eq(fixture_string(a.data, "regions.0.startKey"), "");
    ck_assert(is_true("regions.0.startKeyOpen") && is_true("regions.0.endKeyOpen"));
    get("/api/v1/regions?server=rs1:16020&sort=name");
    ck_assert_int_eq(size_of("regions"), 6);
    ck_assert_str_eq(fixture_string(a.data, "regions.0.table"), "iot:events");
    refuse("/api/v1/regions?table=none", 404, "none");
    refuse("/api/v1/regions?limit=0", 400, "limit");
    refuse("/api/v1/regions?sort=heat", 400, "ratio");
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(unknown_values_are_null)
{
    begin();
    struct region_row *r = &f.s->regions[5];
    region_facts_unref(r->facts);
    r->facts = region_facts_create((struct region_id){1, 2}, f.s->tables[1].facts, 0,
                                   -1, NULL, 0, NULL, 0);
    r->server = NO_INDEX;
    r->size_bytes = -1;
    r->locality = NAN;
    r->last_sample_ms = -1;
    r->has_counts = false;
    r->ratio = INFINITY;
    get("/api/v1/regions/00000000000000010000000000000002");
    static const char *const nulls[] = {
        "server",     "startKey", "startKeyBase64",   "startKeyOpen",
        "endKey",     "ratio",    "sizeBytes",        "locality",
        "lastSample", "created",  "readRequestCount", "writeRequestCount",
        "alert"};
    for (size_t i = 0; i < COUNT(nulls); i++)
        ck_assert_msg(is_null(nulls[i]), "%s", nulls[i]);
    ck_assert_int_eq(size_of("lineage"), 0);
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(pages_follow_one_another_in_each_order)
{
    static const char *const sorts[] = {"rate",  "read", "write",
                                        "ratio", "size", "name"};
    char uri[128], whole[11][40];

    begin();
    f.s->regions[7].ratio = INFINITY;
    f.s->regions[8].ratio = NAN;
    f.s->regions[9].size_bytes = -1;
    for (size_t s = 0; s < COUNT(sorts); s++) {
        snprintf(uri, sizeof uri, "/api/v1/regions?sort=%s", sorts[s]);
        get(uri);
        for (int i = 0; i < 11; i++) {
            char path[64];
            snprintf(path, sizeof path, "regions.%d.region", i);
            snprintf(whole[i], sizeof whole[i], "%s", fixture_string(a.data, path));
        }
        for (int offset = 0; offset < 13; offset += 3) {
            snprintf(uri, sizeof uri, "/api/v1/regions?sort=%s&limit=3&offset=%d",
                     sorts[s], offset);
            get(uri);
            int left = offset > 11 ? 0 : 11 - offset;
            ck_assert_int_eq(size_of("regions"), left < 3 ? left : 3);
            for (int i = 0; i < size_of("regions"); i++) {
                char path[64];
                snprintf(path, sizeof path, "regions.%d.region", i);
                ck_assert_str_eq(fixture_string(a.data, path), whole[offset + i]);
            }
            ck_assert(fixture_number(a.data, "total") == 11);
        }
    }
    get("/api/v1/regions?sort=ratio");
    ck_assert(is_null("regions.0.ratio"));  /* zero baseline first */
    ck_assert(is_null("regions.10.ratio")); /* unknown last */
    ck_assert(fixture_number(a.data, "regions.1.ratio") > 9);
    get("/api/v1/regions?sort=size");
    ck_assert(is_null("regions.10.sizeBytes"));
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(one_region)
{
    begin();
    f.s->alerts[0].lineage_count = 1;
    f.s->alerts[0].lineage = xcalloc(1, sizeof(struct lineage_entry));
    f.s->alerts[0].lineage[0] =
        (struct lineage_entry){1796077440000, LINEAGE_SPLIT, "p", "d"};
    get("/api/v1/regions/858a2c1f000000041122334455667788");
    ck_assert_str_eq(fixture_string(a.data, "table"), "orders");
    ck_assert_str_eq(fixture_string(a.data, "lineage.0.event"), "split");
    ck_assert_str_eq(fixture_string(a.data, "alert.state"), "firing");
    /* All 64 bits, which a double would lose. */
    ck_assert_ptr_nonnull(strstr(a.body, "\"readRequestCount\":9007199254740993,"));
    ck_assert_ptr_nonnull(strstr(a.body, "\"writeRequestCount\":12,"));
    refuse("/api/v1/regions/858a2c1f0000000411223344556677ff", 404, "not known");
    refuse("/api/v1/regions/858A2C1F000000041122334455667788", 400, "hexadecimal");
    refuse("/api/v1/regions/x", 400, "encoded region name");
    refuse("/api/v1/regions/858a2c1f000000041122334455667788?x=1", 400, "none");
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(series)
{
    begin();
    get("/api/v1/regions/858a2c1f000000041122334455667788/series?from=100&to=200&step="
        "30s");
    ck_assert_int_eq(size_of("points"), 3);
    ck_assert(fixture_number(a.data, "points.0.0") == 100000);
    ck_assert(fixture_number(a.data, "points.0.1") == 1.5);
    ck_assert(is_null("points.0.2"));
    ck_assert(fixture_number(a.data, "points.1.0") == 130000);
    ck_assert(fixture_number(a.data, "points.2.2") == 0.25);
    refuse("/api/v1/regions/858a2c1f000000041122334455667788/series?from=9&to=8", 400,
           "from");
    refuse("/api/v1/regions/858a2c1f000000041122334455667788/series?from=0&to=100000&"
           "step=1",
           400, "step");
    refuse("/api/v1/regions/1588230740/series", 404, "1588230740");
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(heatmap)
{
    begin();
    get("/api/v1/heatmap?table=orders&columns=2&rows=20&access=write");
    ck_assert_str_eq(fixture_string(a.data, "table"), "orders");
    ck_assert_str_eq(fixture_string(a.data, "access"), "write");
    ck_assert_str_eq(fixture_string(a.data, "times.1"), "2026-11-30T22:23:30.000Z");
    ck_assert(cJSON_GetArraySize(fixture_at(a.data, "times")) == 2);
    ck_assert(fixture_number(a.data, "columnSeconds") == 30);
    ck_assert(cJSON_GetArraySize(fixture_at(a.data, "rows")) == 10);
    ck_assert_str_eq(fixture_string(a.data, "rows.4.startKey"), "4");
    ck_assert_str_eq(fixture_string(a.data, "rows.4.endKey"), "5");
    ck_assert_str_eq(fixture_string(a.data, "rows.4.region"),
                     "858a2c1f000000041122334455667788");
    ck_assert_str_eq(fixture_string(a.data, "rows.4.state"), "firing");
    ck_assert(fixture_number(a.data, "values.4.0") == 1230);
    ck_assert(cJSON_IsNull(fixture_at(a.data, "values.4.1")));
    refuse("/api/v1/heatmap", 400, "table");
    refuse("/api/v1/heatmap?table=none", 404, "none");
    refuse("/api/v1/heatmap?table=orders&columns=0", 400, "columns");
    refuse("/api/v1/heatmap?table=orders&columns=241", 400, "240");
    refuse("/api/v1/heatmap?table=orders&rows=1", 400, "rows");
    refuse("/api/v1/heatmap?table=orders&from=9&to=8", 400, "from");
    refuse("/api/v1/heatmap?table=orders&access=scan", 400, "access");
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(the_largest_heatmap_is_small)
{
    fixture_begin(&f);
    uint32_t table = fixture_table(&f, "orders");
    uint32_t rs1 = fixture_server(&f, "regionserver-1.example.org,16020,1700000000001");
    for (unsigned i = 0; i < 4000; i++) {
        char start[32], end[32];
        snprintf(start, sizeof start, "user%020u", i);
        snprintf(end, sizeof end, "user%020u", i + 1);
        fixture_region(&f, table, rs1, i, start, end, 1, 1);
    }
    fixture_sum(&f);
    view = fixture_view(&f);
    get("/api/v1/heatmap?table=orders&columns=240&rows=128");
    ck_assert_int_ge(size_of("rows"), 120);
    ck_assert_int_eq(size_of("values.119"), 240);
    printf("largest heat map: %zu bytes\n", a.len);
    ck_assert_uint_le(a.len, 258000); /* and 400 marks of at most 105 bytes */
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(tables_and_servers)
{
    static const struct figure tables[] = {
        {"tables.1.regions", 10},       {"tables.1.fresh", 10},
        {"tables.1.writeRate", 2744},   {"tables.1.rule.threshold", 3},
        {"tables.1.rule.minRate", 500}, {"tables.1.rule.forSeconds", 120},
    };
    static const struct figure servers[] = {
        {"servers.0.startCode", 1700000000001.0},
        {"servers.0.regions", 6},
        {"servers.0.skew", 1.5},
        {"servers.0.signals.activeHandlers", 12},
        {"servers.0.signals.cacheHitRatio", 0.97},
    };
    begin();
    struct detection_config *d = &view->config->config->detection;
    d->tables = xcalloc(1, sizeof *d->tables);
    d->tables[0] = (struct table_rule){.match = xstrdup("ord*"), .rule = d->rule};
    for (int i = 0; i < ACCESS_COUNT; i++)
        d->tables[0].rule.min_rate[i] = 500;
    d->table_count = 1;
    get("/api/v1/tables");
    ck_assert_int_eq(size_of("tables"), 2);
    check_figures(tables, COUNT(tables));
    ck_assert_str_eq(fixture_string(a.data, "tables.1.table"), "orders");
    ck_assert_str_eq(fixture_string(a.data, "tables.1.hottest"),
                     "858a2c1f000000041122334455667788");
    ck_assert(fixture_number(a.data, "tables.0.rule.minRate") == 100);
    d->rule.min_rate[ACCESS_READ] = 7;
    get("/api/v1/tables");
    ck_assert(fixture_number(a.data, "tables.0.rule.minRate.read") == 7);
    get("/api/v1/servers");
    check_figures(servers, COUNT(servers));
    ck_assert_str_eq(fixture_string(a.data, "servers.0.server"), "rs1:16020");
    ck_assert_str_eq(fixture_string(a.data, "servers.0.state"), "normal");
    ck_assert(is_null("servers.0.signals.queuedCalls"));
    ck_assert(is_true("servers.0.up"));
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(targets_and_discovery)
{
    char *urls[] = {(char *)"http://rs2:16030", (char *)"https://[::1]:16030/"};
    struct target_set set = {urls, 2};

    begin();
    struct fixture_answer sd = fixture_get(view, "GET", "/sd");
    ck_assert_str_eq(sd.body, "[]\n");
    fixture_answer_finish(&sd);
    targets_set(&view->targets, &set, FIXTURE_NOW_MS);
    get("/api/v1/targets");
    ck_assert_int_eq(size_of("targets"), 2);
    ck_assert_str_eq(fixture_string(a.data, "targets.0.url"), "http://rs2:16030");
    ck_assert_str_eq(fixture_string(a.data, "targets.0.kind"), "regionserver");
    ck_assert_str_eq(fixture_string(a.data, "targets.0.state"), "no_data");
    ck_assert(is_null("targets.0.lastSuccess") && is_null("targets.0.lastError") &&
              is_null("targets.0.lastDurationMs"));
    sd = fixture_get(view, "GET", "/sd");
    ck_assert_str_eq(fixture_string(sd.json, "0.targets.0"), "rs2:16030");
    ck_assert_str_eq(fixture_string(sd.json, "0.targets.1"), "[::1]:16030");
    ck_assert_str_eq(fixture_string(sd.json, "0.labels.__meta_hotspotd_cluster"),
                     "prod");
    fixture_answer_finish(&sd);
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(binary_keys_are_escaped_and_raw)
{
    static const struct {
        const char *raw;
        size_t len;
        const char *text;
    } cases[] = {
        {"", 0, ""},
        {"f", 1, "Zg=="},
        {"ab", 2, "YWI="},
        {"foo", 3, "Zm9v"},
        {"\xfb\xff\xfe\x00", 4, "+//+AA=="},
    };
    struct buf b;

    buf_init(&b, 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        buf_reset(&b);
        base64_encode(&b, cases[i].raw, cases[i].len);
        ck_assert_str_eq(b.data, cases[i].text);
    }
    buf_finish(&b);
    begin();
    struct region_row *r = &f.s->regions[5];
    region_facts_unref(r->facts);
    r->facts = region_facts_create((struct region_id){1, 2}, f.s->tables[1].facts, 0,
                                   -1, "\x00\xff\"", 3, "a\\", 2);
    get("/api/v1/regions/00000000000000010000000000000002");
    ck_assert_str_eq(fixture_string(a.data, "startKey"), "\\x00\\xFF\"");
    ck_assert_str_eq(fixture_string(a.data, "startKeyBase64"), "AP8i");
    ck_assert_str_eq(fixture_string(a.data, "endKey"), "a\\x5C");
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(readiness)
{
    begin();
    struct fixture_answer r = fixture_get(view, "GET", "/-/ready");
    ck_assert_uint_eq(r.status, 200);
    fixture_answer_finish(&r);
    view->status.ready = false;
    view->status.not_ready = "the first round of polls is not complete";
    r = fixture_get(view, "GET", "/-/ready");
    ck_assert_uint_eq(r.status, 503);
    ck_assert_ptr_nonnull(strstr(r.body, "first round"));
    fixture_answer_finish(&r);
    r = fixture_get(view, "GET", "/-/healthy");
    ck_assert_uint_eq(r.status, 200);
    fixture_answer_finish(&r);
    end();
}
END_TEST

START_TEST(nothing_known_is_an_answer_too)
{
    static const char *const paths[] = {"status",  "alerts", "alerts/history",
                                        "regions", "tables", "servers",
                                        "targets"};
    char uri[64];

    fixture_begin(&f);
    view = fixture_view(&f);
    for (size_t i = 0; i < COUNT(paths); i++) {
        snprintf(uri, sizeof uri, "/api/v1/%s", paths[i]);
        get(uri);
    }
    fixture_answer_finish(&a);
    end();
}
END_TEST

TEST_MAIN("json", status,

          regions_are_listed, unknown_values_are_null,
          pages_follow_one_another_in_each_order, one_region, series, heatmap,
          the_largest_heatmap_is_small, tables_and_servers, targets_and_discovery,
          binary_keys_are_escaped_and_raw, readiness, nothing_known_is_an_answer_too)
