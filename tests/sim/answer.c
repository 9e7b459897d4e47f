/* SPDX-License-Identifier: Apache-2.0 */
/* Answers: what the endpoint has to say, or what its fault makes of it. A body handed
 * to a connection is the connection's reference. */
#include <string.h>
#include <strings.h>

#include "common/alloc.h"
#include "tests/sim/http_priv.h"
#include "tests/sim/shape.h"

/* The beginning of an answer without end, and what it repeats. */
static const char endless_start[] = "{\n  \"beans\": [\n    {\n      \"name\": "
                                    "\"Hadoop:service=HBase,name=RegionServer,"
                                    "sub=Regions\",\n      \"modelerType\": "
                                    "\"RegionServer,sub=Regions\"";
static const char endless_piece[] =
    ",\n      \"Namespace_default_table_endless_region_"
    "0123456789abcdef0123456789abcdef_metric_readRequestCount\": 1";

void
endless_refill(struct conn *conn)
{
    enum { REPEAT = 256 };

    buf_reset(&conn->head);
    buf_addf(&conn->head, "%zX\r\n", strlen(endless_piece) * REPEAT);
    for (int i = 0; i < REPEAT; i++)
        buf_adds(&conn->head, endless_piece);
    buf_adds(&conn->head, "\r\n");
    conn->sent = 0;
}

/* Sends the page; takes its body over. */
static void
send_page(struct http *http, struct conn *conn, struct body *body)
{
    conn->body = body;
    conn->sent = 0;
    conn->state = WRITING;
    conn->wake = INT64_MAX;
    head_print(&conn->head, http->cluster, body, cluster_wall(http->cluster, http->t),
               conn->close);
    if (conn->stop_after != SIZE_MAX) /* half of the body */
        conn->stop_after = conn->head.len + body->wire_len / 2;
    conn_send(http, conn);
}

static struct body *
plain_body(int status, const char *type, bool dated, const void *data, size_t len)
{
    struct page page = {.status = status, .type = type, .dated = dated};

    buf_init(&page.body, 0);
    buf_add(&page.body, data, len);
    return body_create(&page, false);
}

static struct body *
error_body(int status, const char *path)
{
    struct page page = {0};

    buf_init(&page.body, 0);
    page_error(&page, status, path);
    return body_create(&page, false);
}

static struct body *
garbage_body(struct http *http)
{
    uint8_t bytes[3000];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)random_below(&http->cluster->chance, 256);
    bytes[0] = 0x80; /* never the beginning of JSON */
    return plain_body(200, shape_of(http->cluster->version)->json_type, true, bytes,
                      sizeof(bytes));
}

static struct body *
true_body(struct http *http, struct conn *conn)
{
    const struct request request = {
        .cluster = http->cluster,
        .server = conn->site->server,
        .master = conn->site->master,
        .t = http->t,
        .target = conn->target,
    };

    return store_body(&conn->site->store, &request, conn->gzip, http->now);
}

static void
send_endless(struct http *http, struct conn *conn)
{
    struct body *body = plain_body(200, shape_of(http->cluster->version)->json_type,
                                   true, endless_start, strlen(endless_start));

    conn->endless = true;
    body->chunked = true;
    head_print(&conn->head, http->cluster, body, cluster_wall(http->cluster, http->t),
               false);
    buf_addf(&conn->head, "%zX\r\n%s\r\n", strlen(endless_start), endless_start);
    body_release(body);
    conn->sent = 0;
    conn->state = WRITING;
    conn->wake = INT64_MAX;
    conn_send(http, conn);
}

static const char no_beans[] = "{\n  \"beans\": []\n}";

/* Answers the request as the endpoint's fault has it. */
static void
answer(struct http *http, struct conn *conn)
{
    struct endpoint *endpoint = conn->site->endpoint;
    const char *json_type = shape_of(http->cluster->version)->json_type;
    enum fault fault = page_is_own(conn->target) ? FAULT_NONE : endpoint->fault;

    switch (fault) {
    case FAULT_HANGS:
        conn->state = HANGING;
        conn->wake = INT64_MAX;
        return;
    case FAULT_CLOSES:
        conn_end(http, conn);
        return;
    case FAULT_ENDLESS:
        send_endless(http, conn);
        return;
    case FAULT_SLOW:
        if (conn->state == READING) {
            conn->state = WAITING;
            conn_wake_at(http, conn,
                         http->now +
                             endpoint->argument * 1000 / (int64_t)http->cluster->speed);
            return;
        }
        break;
    case FAULT_GARBAGE:
        send_page(http, conn, garbage_body(http));
        return;
    case FAULT_EMPTY:
        send_page(http, conn,
                  plain_body(200, json_type, true, no_beans, strlen(no_beans)));
        return;
    case FAULT_UNAUTHORIZED:
        send_page(http, conn, error_body(401, conn->target));
        return;
    case FAULT_STATUS:
        send_page(http, conn, error_body((int)endpoint->argument, conn->target));
        return;
    case FAULT_TRUNCATES:
        conn->stop_after = 0; /* send_page() computes where */
        break;
    case FAULT_DRIPS:
        conn->drips = true;
        break;
    case FAULT_NONE:
    case FAULT_FAILS:
    case FAULT_COUNT:
        break;
    }
    send_page(http, conn, true_body(http, conn));
}

void
answer_now(struct http *http, struct conn *conn)
{
    answer(http, conn);
}

void
answer_error(struct http *http, struct conn *conn, int status)
{
    conn->close = true;
    conn->stop_after = SIZE_MAX;
    conn->drips = conn->endless = false;
    send_page(http, conn, error_body(status, conn->target ? conn->target : "/"));
}

/* The value of a header in the head (which ends in a NUL); NULL if it is not there. */
static const char *
header(const char *head, const char *name, size_t *ret_len)
{
    size_t name_len = strlen(name);

    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, name_len) == 0 && line[name_len] == ':') {
            line += name_len + 1;
            line += strspn(line, " \t");
            *ret_len = strcspn(line, "\r");
            return line;
        }
    }
    return NULL;
}

static bool
header_holds(const char *head, const char *name, const char *word)
{
    size_t len;
    const char *value = header(head, name, &len);

    for (size_t i = 0; value && i + strlen(word) <= len; i++)
        if (strncasecmp(value + i, word, strlen(word)) == 0)
            return true;
    return false;
}

void
answer_head(struct http *http, struct conn *conn, char *head)
{
    size_t method_len = strcspn(head, " ");
    const char *target = head + method_len + (head[method_len] == ' ');
    size_t target_len = strcspn(target, " \r");
    bool old = strncmp(target + target_len, " HTTP/1.0", 9) == 0;

    conn->target = xmemdup0(target, target_len);
    conn->gzip = shape_of(http->cluster->version)->gzip &&
                 header_holds(head, "Accept-Encoding", "gzip");
    conn->close = old || header_holds(head, "Connection", "close");
    conn->stop_after = SIZE_MAX;
    conn->drips = conn->endless = false;
    if (strncmp(head, "GET ", 4) == 0 && *target == '/')
        answer(http, conn);
    else
        answer_error(http, conn, *target == '/' ? 405 : 400);
}
