/* SPDX-License-Identifier: Apache-2.0 */
/* Running calls, in the shape of tests/data/captures/hbase-2.5.13-rpc: a JSON array
 * among blank lines; a call's parameters are protobuf's text form. Owns nothing. */
#include "tests/sim/calls.h"

#include <inttypes.h>

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

static const struct method *
method_of(const struct cluster *c, const struct region *r, int64_t t)
{
    if (flow_rate(&r->write, t, c->noise) > flow_rate(&r->read, t, c->noise))
        return &mutate;
    return r->rows_per_scan > 0 ? &scan : &get;
}

static void
print_parameters(struct buf *out, struct cluster *c, const struct region *r,
                 const struct method *method)
{
    const struct split_key *row = &r->rows[random_below(&c->chance, r->row_count)];
    struct buf text;

    buf_init(&text, 0);
    buf_adds(&text, "region {\n  type: REGION_NAME\n  value: \"");
    print_bytes(&text, r->name, r->name_len);
    buf_addf(&text, "\"\n}\n%s", method->begin);
    print_bytes(&text, row->key, row->len);
    method->print_rest(&text);
    print_gson_string(out, text.data, text.len);
    buf_finish(&text);
}

static void
print_call(struct buf *out, struct cluster *c, const struct region *r, int64_t t)
{
    const struct method *method = method_of(c, r, t);
    uint64_t client = random_below(&c->chance, 4);
    int64_t now = cluster_wall(c, t);

    buf_addf(out,
             "{\"starttimems\":\"%" PRId64 "\",\"statustimems\":\"-1\",\"statetimems\":"
             "\"-1\",\"description\":\"RpcServer.default.FPBQ.Fifo.handler\\u003d28,"
             "queue\\u003d1,port\\u003d%u\",\"state\":\"RUNNING\",\"rpcCall\":"
             "{\"starttimems\":\"%" PRId64 "\",\"clientaddress\":\"127.0.0.1\","
             "\"method\":\"%s\",\"packetlength\":\"161\",\"remoteport\":%" PRIu64
             ",\"queuetimems\":\"%" PRId64 "\",\"params\":[",
             r->server->start_code + 60000, r->server->rpc_port, now, method->name,
             53096 + client, now);
    print_parameters(out, c, r, method);
    buf_addf(out, "]},\"status\":\"Servicing call from 127.0.0.1:%" PRIu64 ": %s\"}",
             53096 + client, method->name);
}

void
calls_print(struct buf *out, struct cluster *c, const struct server *s, int64_t t)
{
    bool any = false;

    buf_adds(out, "\n  \n    \n        [");
    for (size_t i = 0; i < s->count; i++) {
        if (s->regions[i]->row_count == 0)
            continue;
        if (any)
            buf_addc(out, ',');
        print_call(out, c, s->regions[i], t);
        any = true;
    }
    buf_adds(out, "]\n    \n\n\n\n\n  ");
}
