/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/http_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
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

START_TEST(alerts_of_a_region)
{
    static const char *const strings[][2] = {
        {"alerts.0.labels.alertname", "HBaseRegionHot"},
        {"alerts.0.labels.severity", "warning"},
        {"alerts.0.labels.cluster", "prod"},
        {"alerts.0.labels.table", "orders"},
        {"alerts.0.labels.region", "858a2c1f000000041122334455667788"},
        {"alerts.0.state", "firing"},
        {"alerts.0.activeAt", "2026-11-30T22:10:24.000Z"},
        {"alerts.0.value", "1934"},
        {"alerts.0.evidence.region", "858a2c1f000000041122334455667788"},
        {"alerts.0.evidence.regions.0", "858a2c1f000000041122334455667788"},
        {"alerts.0.evidence.access", "write"},
        {"alerts.0.evidence.baselineKind", "rest"},
        {"alerts.0.evidence.server", "rs2:16020"},
        {"alerts.0.evidence.startKey", "4"},
        {"alerts.0.evidence.startKeyBase64", "NA=="},
        {"alerts.0.evidence.endKey", "5"},
        {"alerts.0.evidence.hotSince", "2026-11-30T22:10:24.000Z"},
        {"alerts.0.evidence.startsAt", "2026-11-30T22:12:24.000Z"},
        {"alerts.0.evidence.lastSample", "2026-11-30T22:23:55.000Z"},
        {"alerts.0.evidence.lineage.0.event", "move"},
        {"alerts.0.evidence.lineage.0.from", "rs1:16020"},
        {"alerts.0.evidence.lineage.0.to", "rs2:16020"},
    };
    static const struct figure figures[] = {
        {"alerts.0.evidence.rate", 1934},
        {"alerts.0.evidence.readRate", 20},
        {"alerts.0.evidence.writeRate", 1934},
        {"alerts.0.evidence.baseline", 199.4},
        {"alerts.0.evidence.ratio", 9.7},
        {"alerts.0.evidence.share", 0.71},
        {"alerts.0.evidence.serverShare", 0.64},
        {"alerts.0.evidence.threshold", 3},
        {"alerts.0.evidence.minRate", 100},
        {"alerts.0.evidence.limit", 598.2},
        {"alerts.0.evidence.regionsInTable", 10},
        {"alerts.0.evidence.regionsFresh", 9},
        {"alerts.0.evidence.effectiveRegions", 1.9},
        {"alerts.0.evidence.windowSeconds", 120},
        {"alerts.0.evidence.serverSignals.queuedCalls", 3},
        {"total", 1},
    };
    begin();
    struct alert *alert = &f.s->alerts[0];
    alert->lineage_count = 1;
    alert->lineage = xcalloc(1, sizeof(*alert->lineage));
    alert->lineage[0] =
        (struct lineage_entry){1796077440000, LINEAGE_MOVE, "rs1:16020", "rs2:16020"};
    get("/api/v1/alerts");
    check_strings(strings, COUNT(strings));
    check_figures(figures, COUNT(figures));
    ck_assert(!is_true("alerts.0.evidence.startKeyOpen"));
    ck_assert(!is_true("alerts.0.evidence.stale"));
    ck_assert(is_null("alerts.0.evidence.serverSignals.activeHandlers"));
    ck_assert_ptr_nonnull(strstr(fixture_string(a.data, "alerts.0.annotations.summary"),
                                 "takes 1,934 writes/s, 9.7 times"));
    ck_assert_ptr_null(
        cJSON_GetObjectItem(fixture_at(a.data, "alerts.0.annotations"), "runbook_url"));
    /* Labels hold nothing that changes while the alert lasts. */
    ck_assert_int_eq(size_of("alerts.0.labels"), 5);
    alert->ratio = INFINITY;
    view->config->config->runbook_url = xstrdup("https://wiki/runbooks");
    get("/api/v1/alerts");
    ck_assert(is_null("alerts.0.evidence.ratio"));
    ck_assert_str_eq(fixture_string(a.data, "alerts.0.annotations.runbook_url"),
                     "https://wiki/runbooks/HBaseRegionHot");
    fixture_answer_finish(&a);
    end();
}
END_TEST

static void
add_top(struct alert *alert, uint32_t region)
{
    const struct region_row *row = &f.s->regions[region];

    alert->top[alert->top_count++] =
        (struct top_region){.region = region_facts_ref(row->facts),
                            .table = table_facts_ref(f.s->tables[row->table].facts),
                            .server = server_facts_ref(f.s->servers[row->server].facts),
                            .rate = 1934,
                            .share = 0.71};
}

static struct explanation *
reason_of(enum heat_class heat_class)
{
    struct explanation *why = xcalloc(1, sizeof *why);

    why->refs = 1;
    why->heat_class = heat_class;
    why->commands = xcalloc(1, sizeof *why->commands);
    why->commands[0] = (struct shell_command){xstrdup("balancer"), xstrdup("spreads")};
    why->command_count = 1;
    return why;
}

START_TEST(an_overflow_of_the_cluster)
{
    begin();
    struct alert *alert = fixture_alert(&f, ALERT_TABLE, 5);
    alert->table = table_facts_unref(alert->table);
    alert->overflow = true;
    alert->limit = NAN;
    get("/api/v1/alerts");
    ck_assert_ptr_null(
        cJSON_GetObjectItem(fixture_at(a.data, "alerts.1.labels"), "table"));
    ck_assert(is_null("alerts.1.evidence.table"));
    ck_assert(is_null("alerts.1.evidence.limit"));
    ck_assert(cJSON_IsTrue(fixture_at(a.data, "alerts.1.evidence.overflow")));
    get("/api/v1/alerts?table=orders");
    ck_assert_int_eq(size_of("alerts"), 1);
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(alerts_of_tables_servers_and_rules_with_labels)
{
    begin();
    struct alert *table = fixture_alert(&f, ALERT_TABLE, 5);
    struct alert *server = fixture_alert(&f, ALERT_SERVER, 5);
    table->hot_regions = 54;
    add_top(table, 5);
    server->regions = 5;
    server->share = 0.3;
    add_top(server, 5);
    server->why = reason_of(CLASS_SERVER_WIDE);
    table->state = ALERT_PENDING;
    table->starts_at_ms = -1;
    table->labels.items = xcalloc(2, sizeof(struct label));
    table->labels.items[0] = (struct label){xstrdup("team"), xstrdup("iot")};
    table->labels.items[1] = (struct label){xstrdup("table"), xstrdup("other")};
    table->labels.count = 2;
    server->severity = SEVERITY_CRITICAL;
    get("/api/v1/alerts");
    ck_assert_int_eq(size_of("alerts"), 3);
    ck_assert_str_eq(fixture_string(a.data, "alerts.1.labels.alertname"),
                     "HBaseTableHot");
    ck_assert_str_eq(fixture_string(a.data, "alerts.1.labels.team"), "iot");
    ck_assert_str_eq(fixture_string(a.data, "alerts.1.labels.table"), "orders");
    ck_assert_int_eq(size_of("alerts.1.labels"), 5);
    ck_assert_str_eq(fixture_string(a.data, "alerts.1.state"), "pending");
    ck_assert(is_null("alerts.1.evidence.startsAt"));
    ck_assert(fixture_number(a.data, "alerts.1.evidence.hotRegions") == 54);
    ck_assert(cJSON_IsFalse(fixture_at(a.data, "alerts.1.evidence.overflow")));
    ck_assert(is_null("alerts.1.evidence.class"));
    ck_assert_int_eq(size_of("alerts.1.evidence.commands"), 0);
    ck_assert_int_eq(size_of("alerts.1.evidence.topRegions"), 1);
    ck_assert_str_eq(fixture_string(a.data, "alerts.1.evidence.topRegions.0.server"),
                     "rs2:16020");
    ck_assert(fixture_number(a.data, "alerts.1.evidence.topRegions.0.share") == 0.71);
    ck_assert_str_eq(fixture_string(a.data, "alerts.1.evidence.topRegions.0.region"),
                     "858a2c1f000000041122334455667788");
    ck_assert_str_eq(fixture_string(a.data, "alerts.2.labels.server"), "rs2:16020");
    ck_assert_str_eq(fixture_string(a.data, "alerts.2.labels.severity"), "critical");
    ck_assert_ptr_null(
        cJSON_GetObjectItem(fixture_at(a.data, "alerts.2.labels"), "table"));
    ck_assert(fixture_number(a.data, "alerts.2.evidence.regions") == 5);
    ck_assert(fixture_number(a.data, "alerts.2.evidence.share") == 0.3);
    ck_assert_str_eq(fixture_string(a.data, "alerts.2.evidence.class"), "server-wide");
    ck_assert_str_eq(fixture_string(a.data, "alerts.2.evidence.commands.0.command"),
                     "balancer");
    get("/api/v1/alerts?state=pending");
    ck_assert_int_eq(size_of("alerts"), 1);
    get("/api/v1/alerts?table=orders&limit=1");
    ck_assert_int_eq(size_of("alerts"), 1);
    ck_assert(fixture_number(a.data, "total") == 3);
    get("/api/v1/alerts?table=nothing");
    ck_assert_int_eq(size_of("alerts"), 0);
    refuse("/api/v1/alerts?state=resolved", 400, "pending, firing");
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(history_is_newest_first)
{
    begin();
    struct event_ring *ring = event_ring_create(10);
    struct alert *alert = &f.s->alerts[0];
    event_ring_add(ring, EVENT_FIRED, 1000, alert, "prod");
    event_ring_add(ring, EVENT_HELD, 2000, alert, "prod");
    alert->reason = END_COOLED;
    event_ring_add(ring, EVENT_RESOLVED, 3000, alert, "prod");
    event_list_unref(view->events);
    view->events = event_ring_list(ring);
    get("/api/v1/alerts/history");
    ck_assert_int_eq(size_of("events"), 3);
    ck_assert_str_eq(fixture_string(a.data, "events.0.kind"), "resolved");
    ck_assert_str_eq(fixture_string(a.data, "events.0.reason"), "cooled");
    ck_assert_str_eq(fixture_string(a.data, "events.0.time"),
                     "1970-01-01T00:00:03.000Z");
    ck_assert_str_eq(fixture_string(a.data, "events.0.labels.table"), "orders");
    ck_assert_str_eq(fixture_string(a.data, "events.0.value"), "1934");
    ck_assert_str_eq(fixture_string(a.data, "events.2.kind"), "fired");
    ck_assert(is_null("events.2.reason"));
    get("/api/v1/alerts/history?since=2&limit=1");
    ck_assert_int_eq(size_of("events"), 1);
    ck_assert_str_eq(fixture_string(a.data, "events.0.kind"), "resolved");
    get("/api/v1/alerts/history?since=1970-01-01T00:00:02Z");
    ck_assert_int_eq(size_of("events"), 2);
    event_ring_destroy(ring);
    fixture_answer_finish(&a);
    end();
}
END_TEST

/* An explanation as analysis makes it, with a row that must not leave the evidence. */
static struct explanation *
popular(void)
{
    struct explanation *x = calloc(1, sizeof *x);

    atomic_init(&x->refs, 1);
    x->heat_class = CLASS_POPULAR_KEY;
    x->evidence = strdup("One row is 80 % of 40 sampled rows.");
    x->advice = strdup("Cache the <popular> row.");
    x->commands = calloc(1, sizeof *x->commands);
    x->commands[0].command = strdup("split 'orders', \"secret\\x00\"");
    x->commands[0].why = strdup("ends it behind that row");
    x->command_count = 1;
    x->samples = 40;
    x->rows = calloc(1, sizeof *x->rows);
    x->rows[0] = (struct sampled_row){(unsigned char *)strdup("secret\x01"), 7, 0.8};
    x->row_count = 1;
    x->clients = calloc(1, sizeof *x->clients);
    x->clients[0] = (struct sampled_client){strdup("10.0.0.7"), 0.75};
    x->client_count = 1;
    return x;
}

START_TEST(why_and_the_server)
{
    begin();
    struct alert *alert = &f.s->alerts[0];
    alert->why = popular();
    alert->handlers = 30;
    alert->server_memstore_limit_bytes = 1000;
    alert->server_cache_hit_ratio = 0.5;
    alert->server_signals[SIGNAL_ACTIVE_HANDLERS] = 30;
    alert->server_signals[SIGNAL_QUEUED_CALLS] = 1204;
    alert->server_signal_rates[SIGNAL_GC_MS] = 120;
    alert->diagnoses = 1u << DIAGNOSIS_HANDLERS_BUSY | 1u << DIAGNOSIS_GC;
    static const char *const strings[][2] = {
        {"alerts.0.annotations.advice", "Cache the <popular> row."},
        {"alerts.0.evidence.class", "popular-key"},
        {"alerts.0.evidence.classEvidence", "One row is 80 % of 40 sampled rows."},
        {"alerts.0.evidence.commands.0.command", "split 'orders', \"secret\\x00\""},
        {"alerts.0.evidence.commands.0.why", "ends it behind that row"},
        {"alerts.0.evidence.sampledRows.0.row", "secret\\x01"},
        {"alerts.0.evidence.sampledRows.0.rowBase64", "c2VjcmV0AQ=="},
        {"alerts.0.evidence.topClients.0.address", "10.0.0.7"},
        {"alerts.0.evidence.serverSignals.diagnosis.0", "handlers-busy"},
        {"alerts.0.evidence.serverSignals.diagnosis.1", "garbage-collection"},
    };
    static const struct figure figures[] = {
        {"alerts.0.evidence.samples", 40},
        {"alerts.0.evidence.sampledRows.0.share", 0.8},
        {"alerts.0.evidence.topClients.0.share", 0.75},
        {"alerts.0.evidence.serverSignals.handlers", 30},
        {"alerts.0.evidence.serverSignals.memstoreLimitBytes", 1000},
        {"alerts.0.evidence.serverSignals.cacheHitRatio", 0.5},
        {"alerts.0.evidence.serverSignals.rates.gcMs", 120},
    };
    get("/api/v1/alerts");
    check_strings(strings, COUNT(strings));
    check_figures(figures, COUNT(figures));
    const char *text = fixture_string(a.data, "alerts.0.annotations.description");
    ck_assert_ptr_nonnull(strstr(text, " Reason (popular-key): One row is 80 %"));
    ck_assert_ptr_nonnull(
        strstr(text, " Its server: 30 of 30 handlers busy, 1,204 calls queued; garbage "
                     "collection takes 12 % of the time."));
    ck_assert_ptr_null(strstr(text, "secret")); /* texts are pushed */
    fixture_answer_finish(&a);
    end();
}
END_TEST

static void
set_figures(struct alert *alert, double value)
{
    for (int i = 0; i < ACCESS_COUNT; i++)
        alert->rate[i] = alert->newest_rate[i] = value;
    alert->baseline = alert->ratio = alert->limit = value;
    alert->threshold = alert->min_rate = value;
    alert->share = alert->server_share = alert->effective_regions = value;
    for (int i = 0; i < SIGNAL_COUNT; i++)
        alert->server_signals[i] = alert->server_signal_rates[i] = value;
    alert->server_cache_hit_ratio = value;
    alert->top[0].rate = alert->top[0].share = value;
}

static void
check_sentence(const char *path)
{
    static const char *const bad[] = {"nan", "inf ", "inf/", "inf.", "(null)", "-0.00"};
    const char *text = fixture_string(a.data, path);

    for (size_t i = 0; i < COUNT(bad); i++)
        ck_assert_msg(strstr(text, bad[i]) == NULL, "%s", text);
}

/* Whatever is not known or not finite is null, and a word in sentences. */
START_TEST(any_figures_give_valid_answers)
{
    static const double values[] = {NAN,   INFINITY, -INFINITY, 0,      -0.0, -1e-9,
                                    1e300, -1e300,   0x1p63,    4e-320, 1};
    begin();
    struct alert *alert = &f.s->alerts[0];
    alert->diagnoses = (1u << DIAGNOSIS_COUNT) - 1;
    alert->top[0] = (struct top_region){.region = region_facts_ref(alert->region),
                                        .table = table_facts_ref(alert->table)};
    alert->top_count = 1;
    for (unsigned i = 0; i < COUNT(values) * ALERT_KIND_COUNT * 4; i++) {
        double value = values[i / 4 / ALERT_KIND_COUNT];
        alert->kind = (enum alert_kind)(i / 4 % ALERT_KIND_COUNT);
        alert->overflow = i & 1;
        alert->handlers = i & 2 ? 30 : 0;
        alert->server_memstore_limit_bytes = i & 2 ? INT64_MAX : -1;
        alert->regions_in_table = i & 2 ? 10 : 1;
        set_figures(alert, value);
        get("/api/v1/alerts");
        ck_assert(is_null("alerts.0.evidence.rate") == !isfinite(value));
        ck_assert(is_null("alerts.0.evidence.ratio") == !isfinite(value));
        check_sentence("alerts.0.annotations.summary");
        check_sentence("alerts.0.annotations.description");
    }
    fixture_answer_finish(&a);
    end();
}
END_TEST

TEST_MAIN("json_alerts", any_figures_give_valid_answers, why_and_the_server,
          alerts_of_a_region, an_overflow_of_the_cluster,
          alerts_of_tables_servers_and_rules_with_labels, history_is_newest_first)
