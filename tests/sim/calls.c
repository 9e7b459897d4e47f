/* SPDX-License-Identifier: Apache-2.0 */
/* Running calls, in the shape of tests/data/captures/hbase-2.5.13-rpc: a JSON array
 * among blank lines; a call's parameters are protobuf's text form. Owns nothing. */
#include "tests/sim/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/sim/quantity.h"

/* Bytes as protobuf's TextFormat escapes them. */
static void
print_bytes(struct buf *out, const void *bytes, size_t len)
{
    for (const uint8_t *b = bytes, *end = b + len; b < end; b++) {
        if (*b == '"' || *b == '\'' || *b == '\\')
            buf_addf(out, "\\%c", *b);
        else if (*b == '\n')
            buf_adds(out, "\\n");
        else if (*b < 0x20 || *b >= 0x7f)
            buf_addf(out, "\\%03o", *b);
        else
            buf_addc(out, (char)*b);
    }
}

/* A get or put as an action of a Multi is one level deeper and says less. */
static void
print_action(struct buf *out, bool put)
{
    if (put)
        buf_adds(out, "\"\n      mutate_type: PUT\n      timestamp: 9223372036854775807"
                      "\n      durability: USE_DEFAULT\n      associated_cell_count: 1"
                      "\n    }\n  }\n");
    else
        buf_adds(out, "\"\n      time_range {\n        from: 0\n        to: "
                      "9223372036854775807\n      }\n      max_versions: 1\n"
                      "      cache_blocks: true\n    }\n  }\n");
}

static void
print_get(struct buf *out)
{
    buf_adds(out, "\"\n  time_range {\n    from: 0\n    to: 9223372036854775807\n  }\n"
                  "  max_versions: 1\n  cache_blocks: true\n}\n");
}

static void
print_scan(struct buf *out)
{
    buf_adds(out,
             "\"\n  time_range {\n    from: 0\n    to: 9223372036854775807\n  }\n"
             "  max_versions: 1\n  cache_blocks: true\n  max_result_size: 2097152\n"
             "  caching: 2147483647\n  include_stop_row: false\n}\n"
             "number_of_rows: 2147483647\nclose_scanner: false\n"
             "client_handles_partials: true\nclient_handles_heartbeats: true\n"
             "track_scan_metrics: false\n");
}

static void
print_mutate(struct buf *out)
{
    buf_adds(out, "\"\n  mutate_type: PUT\n  column_value {\n    family: \"d\"\n"
                  "    qualifier_value {\n      qualifier: \"q\"\n      value: \"v\"\n"
                  "      timestamp: 9223372036854775807\n    }\n  }\n"
                  "  timestamp: 9223372036854775807\n  durability: USE_DEFAULT\n}\n");
}

static const struct method {
    const char *name;
    const char *begin; /* up to the row */
    void (*print_rest)(struct buf *out);
} get = {"Get", "get {\n  row: \"", print_get},
  scan = {"Scan", "scan {\n  start_row: \"", print_scan},
  mutate = {"Mutate", "mutation {\n  row: \"", print_mutate};

/* A call to print. */
struct call {
    struct cluster *c;
    struct region *r;
    int64_t t;
    const struct method *method;
    bool drawn; /* by the region's draw, else one of its rows */
    char client[32];
    uint64_t port;
};

static const struct method *
method_of(const struct cluster *c, const struct region *r, int64_t t)
{
    if (flow_rate(&r->write, t, c->noise) > flow_rate(&r->read, t, c->noise))
        return &mutate;
    return r->rows_per_scan > 0 ? &scan : &get;
}

static void
print_row(struct buf *out, const struct call *call)
{
    struct region *r = call->r;
    struct buf row;

    if (!call->drawn) {
        const struct split_key *key =
            &r->rows[random_below(&call->c->chance, r->row_count)];
        print_bytes(out, key->key, key->len);
        return;
    }
    buf_init(&row, 0);
    draw_row(&r->draw, r->start, r->start_len, r->end, r->end_len, &call->c->chance,
             &row);
    print_bytes(out, row.data, row.len);
    buf_finish(&row);
}

static void
print_multi(struct buf *out, const struct call *call)
{
    bool put = call->method == &mutate;

    buf_adds(out, "regionAction {\n  region {\n    type: REGION_NAME\n    value: \"");
    print_bytes(out, call->r->name, call->r->name_len);
    buf_adds(out, "\"\n  }\n");
    for (unsigned i = 0; i < call->r->draw.batch; i++) {
        buf_addf(out, "  action {\n    index: %u\n    %s {\n      row: \"", i,
                 put ? "mutation" : "get");
        print_row(out, call);
        print_action(out, put);
    }
    buf_adds(out, "}\n");
}

static void
print_single(struct buf *out, const struct call *call)
{
    buf_adds(out, "region {\n  type: REGION_NAME\n  value: \"");
    print_bytes(out, call->r->name, call->r->name_len);
    buf_addf(out, "\"\n}\n%s", call->method->begin);
    print_row(out, call);
    call->method->print_rest(out);
}

static bool
is_multi(const struct call *call)
{
    return call->drawn && call->r->draw.batch > 1 && call->method != &scan;
}

static void
print_call(struct buf *out, const struct call *call)
{
    const char *name = is_multi(call) ? "Multi" : call->method->name;
    const struct server *s = call->r->server;
    int64_t now = cluster_wall(call->c, call->t);
    struct buf text;

    buf_addf(out,
             "{\"starttimems\":\"%" PRId64 "\",\"statustimems\":\"-1\",\"statetimems\":"
             "\"-1\",\"description\":\"RpcServer.default.FPBQ.Fifo.handler\\u003d28,"
             "queue\\u003d1,port\\u003d%u\",\"state\":\"RUNNING\",\"rpcCall\":"
             "{\"starttimems\":\"%" PRId64 "\",\"clientaddress\":\"%s\","
             "\"method\":\"%s\",\"packetlength\":\"161\",\"remoteport\":%" PRIu64
             ",\"queuetimems\":\"%" PRId64 "\",\"params\":[",
             s->start_code + 60000, s->rpc_port, now, call->client, name, call->port,
             now);
    buf_init(&text, 0);
    if (is_multi(call))
        print_multi(&text, call);
    else
        print_single(&text, call);
    print_gson_string(out, text.data, text.len);
    buf_finish(&text);
    buf_addf(out, "]},\"status\":\"Servicing call from %s:%" PRIu64 ": %s\"}",
             call->client, call->port, name);
}

/* A comma between two calls. */
static void
next_call(struct buf *out, bool *any)
{
    if (*any)
        buf_addc(out, ',');
    *any = true;
}

static void
print_region(struct buf *out, struct cluster *c, struct region *r, int64_t t, bool *any)
{
    struct call call = {.c = c, .r = r, .t = t, .method = method_of(c, r, t)};

    if (r->row_count > 0) {
        next_call(out, any);
        strcpy(call.client, "127.0.0.1");
        call.port = 53096 + random_below(&c->chance, 4);
        print_call(out, &call);
    }
    call.drawn = true;
    for (unsigned i = 0; r->draw.kind != DRAW_NONE && i < r->draw.at_once; i++) {
        next_call(out, any);
        snprintf(call.client, sizeof(call.client), "10.0.0.%u",
                 1 + draw_client(&r->draw, &c->chance));
        call.port = 40000 + r->draw.count % 20000; /* calls of one ms differ */
        print_call(out, &call);
    }
}

void
calls_print(struct buf *out, struct cluster *c, const struct server *s, int64_t t)
{
    bool any = false;

    buf_adds(out, "\n  \n    \n        [");
    for (size_t i = 0; i < s->count; i++)
        print_region(out, c, s->regions[i], t, &any);
    buf_adds(out, "]\n    \n\n\n\n\n  ");
}
