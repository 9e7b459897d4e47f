/* SPDX-License-Identifier: Apache-2.0 */
/* Streams live_servers into a listing. A region's members come after its name (a key of
 * "region_status"), a server's name and report time perhaps after its regions: rows are
 * finished at the end of the server's object. The reader owns the list of servers; the
 * listing is the caller's. One thread at a time. */
#include "collectors/live_servers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/json_stream.h"
#include "collectors/listing_build.h"
#include "collectors/number.h"
#include "collectors/outcome.h"
#include "collectors/server_name.h"
#include "common/alloc.h"
#include "common/parse.h"

enum { SERVERS_MAX = 65536, NO_REGION = -1 };

/* {"data": [ {server: {"region_status": {name: {region}}}} ]} */
enum depth { IN_ROOT = 1, IN_SERVER = 3, IN_SERVER_MEMBER = 4, IN_REGION = 5 };

enum field {
    FIELD_NONE,
    FIELD_DATA,
    FIELD_SERVER_NAME, /* the object, and the string in it */
    FIELD_INFO_PORT,
    FIELD_REPORT,
    FIELD_REGIONS,
    FIELD_SIZE,
    FIELD_READ,
    FIELD_WRITE,
    FIELD_LOCALITY,
};

/* Members by the depth of their values. */
static const struct {
    unsigned depth;
    const char *name;
    enum field field;
} members[] = {
    {IN_ROOT, "data", FIELD_DATA},
    {IN_SERVER, "server_name", FIELD_SERVER_NAME},
    {IN_SERVER, "info_server_port", FIELD_INFO_PORT},
    {IN_SERVER, "report_timestamp", FIELD_REPORT},
    {IN_SERVER, "region_status", FIELD_REGIONS},
    {IN_SERVER_MEMBER, "server_name", FIELD_SERVER_NAME},
    {IN_REGION, "store_file_size", FIELD_SIZE},
    {IN_REGION, "read_request_count", FIELD_READ},
    {IN_REGION, "write_request_count", FIELD_WRITE},
    {IN_REGION, "data_locality", FIELD_LOCALITY},
};

struct live_servers_reader {
    struct listing *listing;
    size_t max_regions;
    struct json_stream *json;
    struct listing_build *build;
    struct live_server *servers;
    size_t server_count;
    size_t server_cap;
    bool begun;
    char first_byte;
    bool has_data;
    bool too_many;
    /* where the reader stands */
    enum field
        field[IN_REGION + 1];  /* by depth: the member whose value is being read */
    struct live_server server; /* the one at hand; name NULL until known */
    size_t first_row;          /* of that server */
    bool in_region;            /* a usable region is at hand */
    size_t row;
};

static bool on_event(void *user, enum json_event event, const char *text, size_t len,
                     unsigned depth);

struct live_servers_reader *
live_servers_reader_create(struct listing *listing, size_t max_regions)
{
    struct live_servers_reader *r = xcalloc(1, sizeof(*r));

    listing->source = LISTING_API;
    listing->whole_cluster = true;
    r->listing = listing;
    r->max_regions = max_regions;
    r->json = json_stream_create(on_event, r);
    r->build = listing_build_create(listing, max_regions);
    return r;
}

struct live_servers_reader *
live_servers_reader_destroy(struct live_servers_reader *r)
{
    if (r == NULL)
        return NULL;
    for (size_t i = 0; i < r->server_count; i++)
        free(r->servers[i].name);
    free(r->servers);
    free(r->server.name);
    json_stream_destroy(r->json);
    listing_build_destroy(r->build);
    free(r);
    return NULL;
}

bool
live_servers_reader_feed(struct live_servers_reader *r, const char *data, size_t len)
{
    if (len > 0 && !r->begun) {
        r->begun = true;
        r->first_byte = data[0];
    }
    return json_stream_feed(r->json, data, len) == 0;
}

/* ---- events ---- */

static enum field
find_member(unsigned depth, const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        if (members[i].depth == depth && strlen(members[i].name) == len &&
            memcmp(members[i].name, name, len) == 0)
            return members[i].field;
    }
    return FIELD_NONE;
}

/* A region's full name, perhaps with U+FFFD where it had other bytes. */
static void
begin_region(struct live_servers_reader *r, const char *name, size_t len)
{
    struct region_name parsed;

    r->in_region = false;
    int error = region_name_parse(name, len, &parsed);
    if (error == 0)
        error = listing_build_add(r->build, &parsed, &r->row);
    if (error == -E2BIG)
        r->too_many = true;
    else if (error < 0)
        r->listing->skipped_lines++;
    r->in_region = error == 0;
}

static bool
inside_server(const struct live_servers_reader *r)
{
    return r->field[IN_ROOT] == FIELD_DATA;
}

static void
on_key(struct live_servers_reader *r, const char *name, size_t len, unsigned depth)
{
    if (depth > IN_REGION || (depth > IN_ROOT && !inside_server(r)))
        return;
    r->field[depth] = FIELD_NONE;
    if (depth == IN_SERVER_MEMBER && r->field[IN_SERVER] == FIELD_REGIONS)
        begin_region(r, name, len);
    else if (depth != IN_SERVER_MEMBER || r->field[IN_SERVER] == FIELD_SERVER_NAME)
        r->field[depth] = find_member(depth, name, len);
    if (depth == IN_REGION && r->field[IN_SERVER] != FIELD_REGIONS)
        r->field[depth] = FIELD_NONE;
}

static void
begin_server(struct live_servers_reader *r)
{
    free(r->server.name);
    r->server = (struct live_server){.report_ms = -1};
    r->first_row = listing_build_count(r->build);
    r->in_region = false;
}

/* A server without a usable name keeps its regions, which are then on no server. */
static void
end_server(struct live_servers_reader *r)
{
    if (r->server.name == NULL) {
        r->listing->skipped_lines++;
        return;
    }
    if (r->server_count >= SERVERS_MAX) {
        r->too_many = true;
        return;
    }
    uint32_t number = listing_build_server(r->build, r->server.name);
    for (size_t i = r->first_row; i < listing_build_count(r->build); i++)
        listing_build_row(r->build, i)->server = number;
    xgrow(&r->servers, &r->server_cap, r->server_count + 1, sizeof(r->servers[0]));
    r->servers[r->server_count++] = r->server;
    r->server.name = NULL;
}

static void
take_counter(struct listing_row *row, unsigned bit, uint64_t *value, const char *text,
             size_t len)
{
    row->known &= (uint8_t)~bit;
    if (number_counter(text, len, value) != 0)
        bit = SAMPLE_INVALID;
    row->known |= (uint8_t)bit;
}

static void
take_region_value(struct live_servers_reader *r, enum field field, const char *text,
                  size_t len)
{
    struct listing_row *row = listing_build_row(r->build, r->row);
    double d;

    switch (field) {
    case FIELD_SIZE:
        if (number_size(text, len, 1, &row->size_bytes) != 0)
            row->size_bytes = -1;
        break;
    case FIELD_READ:
        take_counter(row, SAMPLE_READ, &row->read, text, len);
        break;
    case FIELD_WRITE:
        take_counter(row, SAMPLE_WRITE, &row->write, text, len);
        break;
    case FIELD_LOCALITY:
        if (parse_double(text, len, &d) == 0 && d >= 0 && d <= 1)
            row->locality = d;
        break;
    default:
        break;
    }
}

static void
take_server_value(struct live_servers_reader *r, enum field field, const char *text,
                  size_t len)
{
    uint64_t port;

    if (field == FIELD_INFO_PORT && number_counter(text, len, &port) == 0 &&
        port <= UINT16_MAX)
        r->server.info_port = (uint16_t)port;
    if (field == FIELD_REPORT && number_whole(text, len, &r->server.report_ms) != 0)
        r->server.report_ms = -1;
}

/* A string or number at this depth; the member's name came before. */
static void
on_value(struct live_servers_reader *r, enum json_event event, const char *text,
         size_t len, unsigned depth)
{
    if (depth > IN_REGION || !inside_server(r))
        return;
    enum field field = r->field[depth];
    if (depth == IN_REGION && r->in_region) {
        take_region_value(r, field, text, len);
    } else if (depth == IN_SERVER) {
        take_server_value(r, field, text, len);
    } else if (depth == IN_SERVER_MEMBER && field == FIELD_SERVER_NAME &&
               event == JSON_STRING && server_name_valid(text, len)) {
        free(r->server.name);
        r->server.name = xmemdup0(text, len);
    }
}

static void
on_begin(struct live_servers_reader *r, bool object, unsigned depth)
{
    if (depth == IN_ROOT && !object && r->field[IN_ROOT] == FIELD_DATA)
        r->has_data = true;
    else if (depth == IN_ROOT)
        r->field[IN_ROOT] = FIELD_NONE;
    if (depth == IN_SERVER - 1 && object && inside_server(r))
        begin_server(r);
    /* What is inside starts without a member's name. */
    if (depth + 1 <= IN_REGION)
        r->field[depth + 1] = FIELD_NONE;
}

static void
on_end(struct live_servers_reader *r, bool object, unsigned depth)
{
    if (depth == IN_SERVER - 1 && object && inside_server(r))
        end_server(r);
    if (depth == IN_SERVER_MEMBER)
        r->in_region = false;
    if (depth == IN_ROOT)
        r->field[IN_ROOT] = FIELD_NONE;
}

static bool
on_event(void *user, enum json_event event, const char *text, size_t len,
         unsigned depth)
{
    struct live_servers_reader *r = user;

    switch (event) {
    case JSON_KEY:
        on_key(r, text, len, depth);
        break;
    case JSON_STRING:
    case JSON_NUMBER:
        on_value(r, event, text, len, depth);
        break;
    case JSON_OBJECT_BEGIN:
    case JSON_ARRAY_BEGIN:
        on_begin(r, event == JSON_OBJECT_BEGIN, depth);
        break;
    case JSON_OBJECT_END:
    case JSON_ARRAY_END:
        on_end(r, event == JSON_OBJECT_END, depth);
        break;
    default:
        break;
    }
    return !r->too_many;
}

/* ---- the end ---- */

static int
compare_i64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* The median of the report times: one wrong clock among the servers does not matter. */
static int64_t
as_of(const struct live_servers_reader *r)
{
    int64_t *times = xcalloc(r->server_count, sizeof(times[0]));
    size_t n = 0;

    for (size_t i = 0; i < r->server_count; i++) {
        if (r->servers[i].report_ms > 0)
            times[n++] = r->servers[i].report_ms;
    }
    qsort(times, n, sizeof(times[0]), compare_i64);
    int64_t ms = n == 0 ? -1 : times[n / 2];
    free(times);
    return ms;
}

/* By server number: a region that two servers list is on the one that reported last. */
static int64_t *
report_times(struct live_servers_reader *r)
{
    int64_t *times = xcalloc(r->server_count, sizeof(times[0]));

    for (size_t i = 0; i < r->server_count; i++) {
        uint32_t number = listing_build_server(r->build, r->servers[i].name);
        times[number] = r->servers[i].report_ms;
    }
    return times;
}

enum poll_outcome
live_servers_reader_end(struct live_servers_reader *r, char **ret_error)
{
    int error = json_stream_end(r->json);
    if (r->too_many)
        return outcome_error(
            POLL_TOO_LARGE, ret_error,
            "more than %zu regions or %d servers, or too many bytes of keys",
            r->max_regions, SERVERS_MAX);
    if (error != 0)
        return outcome_of_json(r->json, r->first_byte, ret_error);
    if (!r->has_data)
        return outcome_error(POLL_BAD_RESPONSE, ret_error,
                             "expected an object with an array \"data\" of servers");
    if (r->server_count == 0)
        return outcome_error(POLL_NO_DATA, ret_error, "no live server in \"data\"");
    int64_t *reports = report_times(r);
    listing_build_finish(r->build, reports);
    free(reports);
    r->listing->as_of_ms = as_of(r);
    return POLL_OK;
}

const struct live_server *
live_servers_reader_servers(const struct live_servers_reader *r, size_t *ret_count)
{
    *ret_count = r->server_count;
    return r->servers;
}
