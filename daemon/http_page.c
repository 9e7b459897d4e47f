/* SPDX-License-Identifier: Apache-2.0 */
/* The page at "/": what is hot, where, and whether hotspotd can see, as plain HTML that
 * works without scripts. Every text from outside is escaped; the style sheet is the
 * only other file. HTTP threads; all is read from the view. */
#include "daemon/http_answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "daemon/json_util.h"
#include "daemon/row_order.h"
#include "daemon/select.h"
#include "daemon/sentence.h"
#include "daemon/style_css.h"
#include "daemon/version.h"

enum { PAGE_ALERTS = 50, PAGE_REGIONS = 20, PAGE_TABLES = 50, PAGE_SERVERS = 100 };

/* ---- pieces ---- */

/* Text as HTML: markup escaped, what is not UTF-8 replaced. */
static void
add_html(struct buf *b, const char *s)
{
    for (size_t len = strlen(s), at = 0; at < len;) {
        size_t n = utf8_sequence(s + at, len - at);
        if (n == 0)
            buf_adds(b, "\xef\xbf\xbd");
        else if (s[at] == '<')
            buf_adds(b, "&lt;");
        else if (s[at] == '>')
            buf_adds(b, "&gt;");
        else if (s[at] == '&')
            buf_adds(b, "&amp;");
        else if (s[at] == '"')
            buf_adds(b, "&quot;");
        else if ((unsigned char)s[at] < 0x20)
            buf_addc(b, ' ');
        else
            buf_add(b, s + at, n);
        at += n == 0 ? 1 : n;
    }
}

static void
cell(struct buf *b, const char *text)
{
    buf_adds(b, "<td>");
    add_html(b, text);
    buf_adds(b, "</td>");
}

static void
cell_number(struct buf *b, double value)
{
    buf_adds(b, "<td class=\"n\">");
    if (isfinite(value))
        sentence_number(value, b);
    else
        buf_adds(b, isinf(value) ? "∞" : "–");
    buf_adds(b, "</td>");
}

static void
cell_count(struct buf *b, uint32_t value)
{
    buf_addf(b, "<td class=\"n\">%" PRIu32 "</td>", value);
}

static void
cell_state(struct buf *b, const char *state)
{
    buf_addf(b, "<td class=\"s-%s\">%s</td>", state, state);
}

static void
cell_age(struct buf *b, int64_t then_ms, int64_t now_ms)
{
    buf_adds(b, "<td class=\"n\">");
    if (then_ms < 0) {
        buf_adds(b, "never");
    } else {
        sentence_span(now_ms - then_ms, b);
        buf_adds(b, " ago");
    }
    buf_adds(b, "</td>");
}

/* heads: names ended by '|'. */
static void
table_begin(struct buf *b, const char *id, const char *title, const char *heads)
{
    buf_addf(b, "<h2 id=\"%s\">%s</h2>\n<table>\n<tr>", id, title);
    for (const char *s = heads; *s != '\0';) {
        size_t len = strcspn(s, "|");
        buf_addf(b, "<th>%.*s</th>", (int)len, s);
        s += len + (s[len] == '|');
    }
    buf_adds(b, "</tr>\n");
}

static void
table_end(struct buf *b, size_t shown, size_t total, const char *link)
{
    buf_adds(b, "</table>\n");
    if (shown < total)
        buf_addf(b, "<p class=\"m\">%zu of %zu; all: <a href=\"%s\">%s</a></p>\n",
                 shown, total, link, link);
}

/* ---- sections ---- */

static void
add_head(struct buf *b, const struct view *view)
{
    int64_t interval_s = view->config->config->poll.interval_ms / 1000;
    int64_t refresh = interval_s < 5 ? 5 : interval_s;

    buf_adds(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                "<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width\">\n");
    buf_addf(b, "<meta http-equiv=\"refresh\" content=\"%" PRId64 "\">\n", refresh);
    buf_adds(b, "<title>hotspotd ");
    add_html(b, view->status.cluster);
    buf_adds(b, "</title>\n<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n"
                "<body>\n<h1>hotspotd");
    if (view->status.cluster[0] != '\0') {
        buf_adds(b, " <span class=\"m\">");
        add_html(b, view->status.cluster);
        buf_adds(b, "</span>");
    }
    buf_adds(b, "</h1>\n");
}

static void
add_overview(struct buf *b, const struct view *view)
{
    const struct snapshot *s = view->snapshot;
    int64_t now_ms = view->status.made.wall_ms;

    buf_addf(b,
             "<p>%" PRIu32 " firing, %" PRIu32 " pending. %" PRIu32 " of %" PRIu32
             " servers up, %" PRIu32 " of %" PRIu32 " regions with fresh data, %" PRIu32
             " tables.</p>\n<p class=\"m\">",
             s->firing, s->pending, s->servers_up, s->server_count, s->fresh,
             s->region_count, s->table_count);
    buf_adds(b, "Evaluated at ");
    sentence_time(s->at.wall_ms, now_ms, b);
    if (view->status.have_round) {
        buf_adds(b, "; last round of polls complete at ");
        sentence_time(view->status.last_round.finished.wall_ms, now_ms, b);
    } else {
        buf_adds(b, "; no round of polls is complete yet");
    }
    buf_adds(b, ". This page shows the state of then and reloads itself.</p>\n");
}

static void
add_problems(struct buf *b, const struct string_list *problems)
{
    if (problems->count == 0)
        return;
    buf_adds(b, "<h2 id=\"problems\">Problems</h2>\n<ul class=\"problems\">\n");
    for (size_t i = 0; i < problems->count; i++) {
        buf_adds(b, "<li>");
        add_html(b, problems->items[i]);
        buf_adds(b, "</li>\n");
    }
    buf_adds(b, "</ul>\n");
}

/* What to do: advice, and the commands as they are to be pasted. */
static void
add_advice(struct buf *b, const struct explanation *why)
{
    buf_adds(b, "<br>\n");
    add_html(b, why->advice);
    if (why->command_count == 0)
        return;
    buf_adds(b, "\n<dl class=\"commands\">\n");
    for (size_t i = 0; i < why->command_count; i++) {
        buf_adds(b, "<dt><code>");
        add_html(b, why->commands[i].command);
        buf_adds(b, "</code></dt><dd>");
        add_html(b, why->commands[i].why);
        buf_adds(b, "</dd>\n");
    }
    buf_adds(b, "</dl>\n");
}

static void
add_alert(struct buf *b, const struct view *view, const struct alert *a)
{
    struct buf text;
    int64_t now_ms = view->snapshot->at.wall_ms;

    buf_init(&text, 0);
    sentence_summary(a, now_ms, &text);
    buf_addf(b, "<li class=\"s-%s\"><strong>", alert_state_name(a->state));
    add_html(b, text.data);
    buf_addf(b, "</strong> <span class=\"m\">%s, %s</span><br>\n",
             alert_state_name(a->state), alert_kind_alertname(a->kind));
    buf_reset(&text);
    sentence_description(a, view->config->config->detection.window_ms, now_ms, &text);
    add_html(b, text.data);
    if (a->region != NULL) {
        char id[REGION_ID_TEXT_SIZE];
        region_id_text(a->region->id, id);
        buf_addf(b, " <a href=\"api/v1/regions/%s\">%s</a>", id, id);
    }
    if (a->why != NULL && a->why->advice != NULL)
        add_advice(b, a->why);
    buf_adds(b, "</li>\n");
    buf_finish(&text);
}

static void
add_alerts(struct buf *b, const struct view *view)
{
    const struct snapshot *s = view->snapshot;

    buf_adds(b, "<h2 id=\"alerts\">Alerts</h2>\n");
    if (s->alert_count == 0) {
        buf_adds(b, "<p>No hotspot.</p>\n");
        return;
    }
    buf_adds(b, "<ul class=\"alerts\">\n");
    for (uint32_t i = 0; i < s->alert_count && i < PAGE_ALERTS; i++)
        add_alert(b, view, &s->alerts[i]);
    buf_adds(b, "</ul>\n");
    if (s->alert_count > PAGE_ALERTS)
        buf_addf(b,
                 "<p class=\"m\">%d of %" PRIu32
                 "; all: <a href=\"api/v1/alerts\">api/v1/alerts</a></p>\n",
                 PAGE_ALERTS, s->alert_count);
}

static void
add_region_row(struct buf *b, const struct snapshot *s, const struct region_row *r)
{
    char id[REGION_ID_TEXT_SIZE];
    const struct server_facts *server = snapshot_server(s, r->server);

    region_id_text(r->facts->id, id);
    buf_addf(b, "<tr><td><a href=\"api/v1/regions/%s\"><code>%s</code></a></td>", id,
             id);
    cell(b, s->tables[r->table].facts->name);
    cell(b, server != NULL ? server->address : "–");
    cell_number(b, (double)r->rate[ACCESS_READ]);
    cell_number(b, (double)r->rate[ACCESS_WRITE]);
    cell_number(b, (double)r->ratio);
    buf_adds(b, "<td class=\"n\">");
    if (r->size_bytes < 0)
        buf_adds(b, "–");
    else
        sentence_bytes(r->size_bytes, b);
    buf_adds(b, "</td>");
    cell_state(b, r->stale ? "stale" : heat_name(r->heat));
    buf_adds(b, "</tr>\n");
}

static void
add_regions(struct buf *b, const struct snapshot *s)
{
    uint32_t *rows;
    size_t count = hottest_regions(s, NO_INDEX, NO_INDEX, PAGE_REGIONS, &rows);

    table_begin(b, "regions", "Busiest regions",
                "region|table|server|rows read/s|writes/s|times the others|size|state");
    for (size_t i = 0; i < count; i++)
        add_region_row(b, s, &s->regions[rows[i]]);
    table_end(b, count, s->region_count, "api/v1/regions");
    free(rows);
}

static int
compare_tables(const void *data, uint32_t a, uint32_t b)
{
    return table_order(data, a, b);
}

static void
add_tables(struct buf *b, const struct snapshot *s)
{
    struct select_rule rule = {NULL, compare_tables, s};
    uint32_t *rows;
    size_t count = select_rows(&rule, s->table_count, PAGE_TABLES, &rows, NULL);

    table_begin(b, "tables", "Tables",
                "table|regions|fresh|rows read/s|writes/s|effective regions|state");
    for (size_t i = 0; i < count; i++) {
        const struct table_row *t = &s->tables[rows[i]];
        buf_adds(b, "<tr>");
        cell(b, t->facts->name);
        cell_count(b, t->regions);
        cell_count(b, t->fresh);
        cell_number(b, t->rate[ACCESS_READ]);
        cell_number(b, t->rate[ACCESS_WRITE]);
        cell_number(b, t->effective_regions);
        cell_state(b, t->ignored ? "ignored" : heat_name(t->heat));
        buf_adds(b, "</tr>\n");
    }
    table_end(b, count, s->table_count, "api/v1/tables");
    free(rows);
}

static const char *
server_state(const struct server_row *r)
{
    if (r->dead)
        return "dead";
    return r->up ? heat_name(r->heat) : "down";
}

static void
add_servers(struct buf *b, const struct snapshot *s, int64_t now_ms)
{
    uint32_t shown = s->server_count < PAGE_SERVERS ? s->server_count : PAGE_SERVERS;

    table_begin(b, "servers", "RegionServers",
                "server|regions|rows read/s|writes/s|times the others|busy handlers|"
                "queued calls|last data|state");
    for (uint32_t i = 0; i < shown; i++) {
        const struct server_row *r = &s->servers[i];
        buf_adds(b, "<tr>");
        cell(b, r->facts->address);
        cell_count(b, r->regions);
        cell_number(b, r->rate[ACCESS_READ]);
        cell_number(b, r->rate[ACCESS_WRITE]);
        cell_number(b, r->skew);
        cell_number(b, r->signals[SIGNAL_ACTIVE_HANDLERS]);
        cell_number(b, r->signals[SIGNAL_QUEUED_CALLS]);
        cell_age(b, r->last_success_ms, now_ms);
        cell_state(b, server_state(r));
        buf_adds(b, "</tr>\n");
    }
    table_end(b, shown, s->server_count, "api/v1/servers");
}

static void
add_targets(struct buf *b, const struct view *view)
{
    const struct targets *targets = &view->targets;
    size_t shown = targets->count < PAGE_SERVERS ? targets->count : PAGE_SERVERS;

    table_begin(b, "targets", "What hotspotd asks",
                "target|kind|last success|took|last error|state");
    for (size_t i = 0; i < shown; i++) {
        const struct target_row *t = &targets->rows[i];
        buf_adds(b, "<tr>");
        cell(b, t->url);
        cell(b, target_kind_name(t->kind));
        cell_age(b, t->last_success_ms, view->status.made.wall_ms);
        if (t->last_duration_ms < 0)
            buf_adds(b, "<td class=\"n\">–</td>");
        else
            buf_addf(b, "<td class=\"n\">%" PRId64 " ms</td>", t->last_duration_ms);
        cell(b, t->error != NULL ? t->error : "");
        cell_state(b, target_state_name(t->state));
        buf_adds(b, "</tr>\n");
    }
    table_end(b, shown, targets->count, "api/v1/targets");
}

static void
add_foot(struct buf *b, const char *telemetry_path)
{
    static const char *const links[] = {
        "api/v1/status", "api/v1/alerts",  "api/v1/alerts/history", "api/v1/regions",
        "api/v1/tables", "api/v1/servers", "api/v1/targets",        "sd"};

    buf_adds(b, "<p class=\"m\">");
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        buf_addf(b, "<a href=\"%s\">%s</a> ", links[i], links[i]);
    buf_adds(b, "<a href=\"");
    add_html(b, telemetry_path + 1);
    buf_adds(b, "\">metrics</a><br>hotspotd " HOTSPOTD_VERSION " (" HOTSPOTD_REVISION
                ")</p>\n</body>\n</html>\n");
}

void
answer_page(const struct http_request *request, struct answer *a)
{
    const struct view *view = request->view;
    struct buf *b = &a->body;

    a->type = "text/html; charset=utf-8";
    a->page = true;
    add_head(b, view);
    add_overview(b, view);
    add_problems(b, &view->status.problems);
    add_alerts(b, view);
    add_regions(b, view->snapshot);
    add_tables(b, view->snapshot);
    add_servers(b, view->snapshot, view->status.made.wall_ms);
    add_targets(b, view);
    add_foot(b, request->context->telemetry_path);
}

void
answer_style(const struct http_request *request, struct answer *a)
{
    (void)request;
    a->type = "text/css; charset=utf-8";
    a->shared = style_css;
    a->shared_len = sizeof style_css;
}
