/* SPDX-License-Identifier: Apache-2.0 */
/* One object a server, one a region, compact, in the field order of HBase 2.6.4.
 * Source: HBase ClusterMetricsResource.java, GsonFactory.java; tests/data/captures. */
#include "tests/sim/live_servers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "tests/sim/cluster_priv.h"
#include "tests/sim/quantity.h"
#include "tests/sim/sample.h"

#define MEGABYTE 1048576.0

/* Heartbeats carry whole megabytes; less than one counts as one. */
static void
print_size(struct buf *out, const char *key, uint64_t bytes)
{
    double megabytes = (double)(bytes >> 20);

    buf_addf(out, ",\"%s\":", key);
    print_java_double(out, (bytes > 0 && bytes < 1 << 20 ? 1 : megabytes) * MEGABYTE);
}

static void
print_region(struct buf *out, const struct cluster *c, const struct region *r)
{
    int64_t compacted =
        r->compacted == COMPACTED_NEVER ? 0 : cluster_wall(c, r->compacted);

    print_gson_string(out, r->name, r->name_len);
    buf_adds(out, ":{\"name\":");
    print_gson_string(out, r->name, r->name_len);
    buf_addf(out,
             ",\"store_count\":1,\"store_file_count\":%d,\"store_ref_count\":0,"
             "\"max_compacted_store_file_ref_count\":0,\"compacting_cell_count\":0,"
             "\"compacted_cell_count\":0",
             r->size > 0);
    print_size(out, "store_file_size", r->size);
    print_size(out, "mem_store_size", region_memstore(r, r->reported_write));
    buf_adds(out, ",\"index_size\":0.0,\"root_level_index_size\":0.0,"
                  "\"uncompressed_data_index_size\":0.0,\"bloom_filter_size\":0.0");
    print_size(out, "uncompressed_store_file_size", r->size);
    buf_addf(out,
             ",\"write_request_count\":%" PRIu64 ",\"read_request_count\":%" PRIu64
             ",\"filtered_read_request_count\":0,\"completed_sequence_id\":-1,"
             "\"store_sequence_ids\":{\"%s\":-1},\"data_locality\":%s,"
             "\"last_major_compaction_timestamp\":%" PRId64
             ",\"data_locality_for_ssd\":0.0,\"blocks_local_weight\":0,"
             "\"blocks_local_with_ssd_weight\":0,\"blocks_total_weight\":0,"
             "\"compaction_state\":\"NONE\"",
             r->reported_write, r->reported_read, r->table->family,
             r->size > 0 ? "1.0" : "0.0", compacted);
    print_size(out, "region_size_m_b", r->size);
    buf_adds(out, ",\"current_region_cached_ratio\":0.0}");
}

static int
by_name(const void *a, const void *b)
{
    const struct region *first = *(struct region *const *)a;
    const struct region *second = *(struct region *const *)b;

    return key_compare((const uint8_t *)first->name, first->name_len,
                       (const uint8_t *)second->name, second->name_len);
}

/* Returns true if hbase:meta is among them. */
static bool
print_regions(struct buf *out, const struct cluster *c, const struct server *s)
{
    struct region **sorted = xcalloc(s->count + 1, sizeof(*sorted));
    bool meta = false;

    for (size_t i = 0; i < s->count; i++)
        sorted[i] = s->regions[i];
    qsort(sorted, s->count, sizeof(*sorted), by_name);
    for (size_t i = 0; i < s->count; i++) {
        if (i > 0)
            buf_addc(out, ',');
        print_region(out, c, sorted[i]);
        meta |= strcmp(sorted[i]->table->name, "hbase:meta") == 0;
    }
    free(sorted);
    return meta;
}

struct load {
    uint64_t count;
    uint64_t per_second; /* thousandths */
};

static struct load
server_load(const struct cluster *c, const struct server *s)
{
    struct load load = {0, 0};

    for (size_t i = 0; i < s->count; i++) {
        const struct region *r = s->regions[i];

        load.count += r->reported_read + r->reported_write;
        load.per_second += flow_rate(&r->read, c->reported_at, c->noise) +
                           flow_rate(&r->write, c->reported_at, c->noise);
    }
    return load;
}

static void
print_server(struct buf *out, const struct cluster *c, const struct server *s)
{
    int64_t now = cluster_wall(c, c->reported_at);
    int64_t before = cluster_wall(c, c->reported_before);
    int64_t started = s->start_code + 17000;
    struct load load = server_load(c, s);
    char name[SERVER_NAME_SIZE];
    bool meta;

    buf_addf(
        out,
        "{\"server_name\":{\"server_name\":\"%s\",\"start_code\":%" PRId64
        "},\"version_number\":0,\"version\":\"0.0.0\",\"request_count_per_second\":"
        "%" PRIu64 ",\"request_count\":%" PRIu64
        ",\"used_heap_size\":6.291456E7,\"max_heap_size\":1.073741824E9,"
        "\"info_server_port\":%u,\"sources\":[],\"sink\":{\"age_of_last_applied_op\""
        ":0,\"timestamps_of_last_applied_op\":%" PRId64
        ",\"timestamp_started\":%" PRId64 ",\"total_ops_processed\":0},"
        "\"region_status\":{",
        server_name(s, name), s->start_code, load.per_second / 1000, load.count,
        s->endpoint.port, started, started);
    meta = print_regions(out, c, s);
    buf_addf(
        out,
        "},\"coprocessor_names\":[%s],\"report_timestamp\":%" PRId64
        ",\"last_report_timestamp\":%" PRId64
        ",\"user_metrics\":{},\"tasks\":[{\"description\":"
        "\"RpcServer.default.FPBQ.Fifo.handler\\u003d28,queue\\u003d1,port\\u003d%u\","
        "\"status\":\"Waiting for a call\",\"state\":\"WAITING\",\"start_time\":"
        "%" PRId64 ",\"completion_time\":-1}],\"region_cached_info\":{}}",
        meta ? "\"MultiRowMutationEndpoint\"" : "", now, before, s->rpc_port, started);
}

void
live_servers_print(struct buf *out, const struct cluster *c)
{
    bool any = false;

    buf_adds(out, "{\"data\":[");
    for (unsigned i = 0; i < c->server_count; i++) {
        if (!c->servers[i].endpoint.up)
            continue;
        if (any)
            buf_addc(out, ',');
        print_server(out, c, &c->servers[i]);
        any = true;
    }
    buf_adds(out, "]}");
}
