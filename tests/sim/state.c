/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the truth about the cluster. Owns nothing. */
#include "tests/sim/state.h"

#include <stdio.h>

#include "common/json_write.h"
#include "common/row_key.h"

static void
member_bytes(struct json_writer *w, const char *key, const void *bytes, size_t len)
{
    struct buf text;

    buf_init(&text, 0);
    row_key_escape(&text, bytes, len);
    json_key(w, key);
    json_string_n(w, text.data, text.len);
    buf_finish(&text);
}

static void
member_url(struct json_writer *w, const struct endpoint *endpoint)
{
    char url[64];

    snprintf(url, sizeof(url), "http://%s:%u", endpoint->address, endpoint->port);
    json_member_string(w, "url", url);
    json_member_bool(w, "up", endpoint->up);
    json_member_string(w, "fault", fault_names[endpoint->fault]);
}

static void
print_servers(struct json_writer *w, const struct cluster *c)
{
    char name[SERVER_NAME_SIZE];

    json_key(w, "servers");
    json_array_begin(w);
    for (unsigned i = 0; i < c->server_count; i++) {
        const struct server *s = &c->servers[i];

        json_object_begin(w);
        json_member_u64(w, "number", s->number);
        json_member_string(w, "server", server_name(s, name));
        member_url(w, &s->endpoint);
        json_member_u64(w, "regions", s->count);
        json_member_u64(w, "frozen", s->frozen_count);
        json_member_u64(w, "statusRequests",
                        s->asked[COUNT_RS_STATUS] + s->asked[COUNT_JSP]);
        json_member_u64(w, "jspRequests", s->asked[COUNT_JSP]);
        json_member_u64(w, "confRequests", s->asked[COUNT_CONF]);
        json_object_end(w);
    }
    json_array_end(w);
}

static void
print_masters(struct json_writer *w, const struct cluster *c)
{
    char name[SERVER_NAME_SIZE];

    json_key(w, "masters");
    json_array_begin(w);
    for (unsigned i = 0; i < c->master_count; i++) {
        const struct master *m = &c->masters[i];

        json_object_begin(w);
        json_member_u64(w, "number", m->number);
        json_member_string(w, "master", master_name(m, name));
        member_url(w, &m->endpoint);
        json_member_bool(w, "active", m->active);
        json_object_end(w);
    }
    json_array_end(w);
}

static void
print_region(struct json_writer *w, const struct cluster *c, int64_t t,
             struct region *r)
{
    char name[SERVER_NAME_SIZE];

    region_advance(c, t, r);
    json_object_begin(w);
    json_member_string(w, "table", r->table->name);
    json_member_string(w, "region", r->encoded);
    member_bytes(w, "name", r->name, r->name_len);
    member_bytes(w, "startKey", r->start, r->start_len);
    member_bytes(w, "endKey", r->end, r->end_len);
    json_member_u64(w, "replica", r->replica);
    json_member_string(w, "server", r->server ? server_name(r->server, name) : NULL);
    json_member_u64(w, "serverNumber", r->server ? r->server->number : 0);
    json_member_u64(w, "read", r->read.count);
    json_member_u64(w, "write", r->write.count);
    json_member_double(w, "readRate", (double)flow_rate(&r->read, t, 0) / 1000);
    json_member_double(w, "writeRate", (double)flow_rate(&r->write, t, 0) / 1000);
    json_member_u64(w, "sizeBytes", r->size);
    json_object_end(w);
}

void
state_print(struct buf *out, struct cluster *c, int64_t t)
{
    struct json_writer w;

    json_init(&w, out);
    json_object_begin(&w);
    json_member_i64(&w, "t", t);
    json_member_i64(&w, "wall", cluster_wall(c, t));
    json_member_i64(&w, "startWall", c->start_wall);
    json_member_double(&w, "speed", (double)c->speed / 1000);
    json_member_string(&w, "version", hbase_version_name(c->version));
    json_member_string(&w, "cluster", c->name);
    json_member_string(&w, "clusterId", c->id);
    print_servers(&w, c);
    print_masters(&w, c);
    json_key(&w, "regions");
    json_array_begin(&w);
    for (size_t i = 0; i < c->table_count; i++)
        for (size_t k = 0; k < c->tables[i]->count; k++)
            print_region(&w, c, t, c->tables[i]->regions[k]);
    json_array_end(&w);
    json_object_end(&w);
    buf_addc(out, '\n');
}
