/* SPDX-License-Identifier: Apache-2.0 */
/* Which path gives which page, and the small pages themselves. Bodies belong to the
 * caller. Shapes: tests/data/captures; /conf after Hadoop Configuration.java. */
#include "tests/sim/pages.h"

#include <stdio.h>
#include <string.h>

#include "tests/sim/calls.h"
#include "tests/sim/jmx.h"
#include "tests/sim/live_servers.h"
#include "tests/sim/sample.h"
#include "tests/sim/shape.h"
#include "tests/sim/state.h"

typedef void page_fn(const struct request *request, struct page *page);

static void
page_jmx(const struct request *request, struct page *page)
{
    const struct subject subject = {request->cluster, request->server, request->master};
    const char *query = strchr(request->target, '?');

    page->type = shape_of(request->cluster->version)->json_type;
    jmx_answer(&page->body, &subject, query ? query + 1 : "",
               request->server && request->server->was_empty, &page->flushed);
}

static void
page_live_servers(const struct request *request, struct page *page)
{
    if (!shape_of(request->cluster->version)->live_servers) {
        page_error(page, 404, LIVE_SERVERS_PAGE);
        return;
    }
    page->type = "application/json";
    live_servers_print(&page->body, request->cluster);
}

/* "?name=value" or "&name=value". */
static bool
has_parameter(const char *target, const char *parameter)
{
    size_t len = strlen(parameter);

    for (const char *p = strpbrk(target, "?&"); p; p = strpbrk(p + 1, "&"))
        if (strncmp(p + 1, parameter, len) == 0 && strchr("&", p[1 + len]))
            return true;
    return false;
}

/* The running calls as JSON; without both parameters HBase has more to say, and says it
 * to people. */
static void
print_status(const struct request *request, struct page *page)
{
    page->type = "text/html;charset=utf-8";
    if (has_parameter(request->target, "format=json") &&
        has_parameter(request->target, "filter=rpc"))
        calls_print(&page->body, request->cluster, request->server, request->t);
    else
        buf_adds(&page->body,
                 "<!DOCTYPE html>\n<html><body>RegionServer</body></html>");
}

static void
page_rs_status(const struct request *request, struct page *page)
{
    request->server->asked[COUNT_RS_STATUS]++;
    if (request->cluster->on_jsp)
        page_error(page, 302, request->target);
    else
        print_status(request, page);
}

static void
page_jsp(const struct request *request, struct page *page)
{
    request->server->asked[COUNT_JSP]++;
    if (request->cluster->on_jsp)
        print_status(request, page);
    else
        page_error(page, 404, request->target);
}

static void
print_property(struct buf *out, const char *key, const char *value)
{
    buf_addf(out,
             "{\"key\":\"%s\",\"value\":\"%s\",\"isFinal\":false,\"resource\":"
             "\"hbase-default.xml\"}",
             key, value);
}

/* As large as HBase's own, 215 kB, which is the same for every name= asked for. As
 * there, what hbase-default.xml leaves empty, the memstores' share among it, is not in
 * it. */
static void
page_conf(const struct request *request, struct page *page)
{
    char text[64];

    if (request->server)
        request->server->asked[COUNT_CONF]++;
    page->type = "application/json; charset=utf-8";
    buf_adds(&page->body, "{\"properties\":[");
    for (unsigned i = 0; page->body.len < 215000; i++) {
        snprintf(text, sizeof(text), "hbase.simulated.setting.%u", i);
        print_property(&page->body, text, "${hbase.tmp.dir}/some/value");
        buf_addc(&page->body, ',');
        if (i != 1000)
            continue;
        snprintf(text, sizeof(text), "%u", request->cluster->handlers);
        print_property(&page->body, "hbase.regionserver.handler.count", text);
        buf_addc(&page->body, ',');
    }
    print_property(&page->body, "hbase.simulated", "true");
    buf_adds(&page->body, "]}");
}

static void
page_state(const struct request *request, struct page *page)
{
    page->type = "application/json";
    state_print(&page->body, request->cluster, request->t);
}

/* Who answers a path. */
enum answerer { BY_BOTH, BY_SERVER, BY_MASTER };

static const struct {
    const char *path;
    enum answerer by;
    page_fn *make;
} pages[] = {
    {"/jmx", BY_BOTH, page_jmx},
    {LIVE_SERVERS_PAGE, BY_MASTER, page_live_servers},
    {"/rs-status", BY_SERVER, page_rs_status},
    {"/regionserver.jsp", BY_SERVER, page_jsp},
    {"/conf", BY_BOTH, page_conf},
    {STATE_PAGE, BY_MASTER, page_state},
};

static bool
path_is(const char *target, const char *path)
{
    size_t len = strcspn(target, "?");

    return strlen(path) == len && memcmp(target, path, len) == 0;
}

bool
page_is_own(const char *target)
{
    return path_is(target, STATE_PAGE);
}

uint64_t
page_version(const struct request *request)
{
    struct cluster *c = request->cluster;

    if (path_is(request->target, "/jmx") && request->server) {
        server_refresh(c, request->t, request->server);
        return request->server->generation + 1;
    }
    if (path_is(request->target, "/jmx")) {
        master_refresh(c, request->t, request->master);
        return request->master->generation + 1;
    }
    if (path_is(request->target, LIVE_SERVERS_PAGE)) {
        cluster_heartbeat(c, request->t);
        return (c->reports << 32 | (c->topology & UINT32_MAX)) + 1;
    }
    return 0;
}

void
page_make(const struct request *request, struct page *ret_page)
{
    *ret_page = (struct page){.status = 200, .dated = true};
    buf_init(&ret_page->body, 0);
    for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
        if (pages[i].by == (request->server ? BY_MASTER : BY_SERVER) ||
            !path_is(request->target, pages[i].path))
            continue;
        pages[i].make(request, ret_page);
        return;
    }
    page_error(ret_page, 404, request->target);
}

const char *
status_text(int status)
{
    static const struct {
        int status;
        const char *text;
    } texts[] = {
        {200, "OK"},
        {302, "Found"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {431, "Request Header Fields Too Large"},
        {500, "Server Error"},
        {502, "Bad Gateway"},
        {503, "Service Unavailable"},
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (texts[i].status == status)
            return texts[i].text;
    return "Unknown";
}

/* The path, with what HTML would read as markup replaced. */
static void
print_html(struct buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            buf_adds(out, "&lt;");
        else if (*text == '&')
            buf_adds(out, "&amp;");
        else
            buf_addc(out, *text);
    }
}

void
page_error(struct page *page, int status, const char *path)
{
    const char *text = status_text(status);

    page->status = status;
    page->type = "text/html;charset=iso-8859-1";
    page->dated = false;
    buf_addf(&page->body,
             "<html>\n<head>\n<meta http-equiv=\"Content-Type\" "
             "content=\"text/html;charset=ISO-8859-1\"/>\n<title>Error %d %s</title>\n"
             "</head>\n<body><h2>HTTP ERROR %d %s</h2>\n<table>\n<tr><th>URI:</th><td>",
             status, text, status, text);
    print_html(&page->body, path);
    buf_addf(
        &page->body,
        "</td></tr>\n<tr><th>STATUS:</th><td>%d</td></tr>\n"
        "<tr><th>MESSAGE:</th><td>%s</td></tr>\n"
        "<tr><th>SERVLET:</th><td>default</td></tr>\n</table>\n\n</body>\n</html>\n",
        status, text);
}
