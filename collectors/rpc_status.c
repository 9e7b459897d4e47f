/* SPDX-License-Identifier: Apache-2.0 */
/* From the events of the document to calls. The reader owns the rows of the call at
 * hand, until the object ends and its function has seen them; a call's members may come
 * in any order. One thread at a time. */
#include "collectors/rpc_status.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/json_stream.h"
#include "collectors/number.h"
#include "collectors/outcome.h"
#include "collectors/proto_text.h"
#include "collectors/region_name.h"
#include "common/alloc.h"

/* Members of "rpcCall". */
enum member {
    MEMBER_NONE,
    MEMBER_METHOD,
    MEMBER_CLIENT,
    MEMBER_PORT,
    MEMBER_START,
    MEMBER_PARAMS,
};

static const struct {
    const char *name;
    enum member member;
} members[] = {
    {"method", MEMBER_METHOD},   {"clientaddress", MEMBER_CLIENT},
    {"remoteport", MEMBER_PORT}, {"starttimems", MEMBER_START},
    {"params", MEMBER_PARAMS},
};

static const char *const method_names[] = {
    [CALL_GET] = "Get",
    [CALL_MUTATE] = "Mutate",
    [CALL_SCAN] = "Scan",
    [CALL_MULTI] = "Multi",
};
static_assert(sizeof(method_names) / sizeof(method_names[0]) == CALL_METHOD_COUNT,
              "a name for each method");

enum { DEPTH_ELEMENT = 1, DEPTH_CALL = 2, DEPTH_MEMBER = 3, DEPTH_PARAM = 4 };

/* The call at hand. */
struct current_call {
    enum call_method method; /* CALL_METHOD_COUNT: none of ours */
    char client[RPC_CLIENT_MAX + 1];
    unsigned port;
    int64_t start_ms;
    size_t row_count;
    size_t byte_count;
};

struct rpc_status {
    const struct region_id *regions;
    size_t region_count;
    rpc_call_fn *fn;
    void *user;
    struct json_stream *json;
    unsigned skipped;
    /* of the answer */
    char first_byte;
    bool begun;
    bool root_array;
    /* of the element */
    bool call_key; /* the member at hand is "rpcCall" */
    bool in_call;
    enum member member;
    unsigned params; /* seen of the call */
    struct current_call call;
    struct region_id region; /* of the rows that come */
    bool region_wanted;
    struct rpc_row *rows;
    size_t row_cap;
    char *bytes;
    size_t byte_cap;
};

static bool on_event(void *user, enum json_event event, const char *text, size_t len,
                     unsigned depth);

struct rpc_status *
rpc_status_create(const struct region_id *regions, size_t count, rpc_call_fn *fn,
                  void *user)
{
    struct rpc_status *r = xcalloc(1, sizeof *r);

    r->regions = regions;
    r->region_count = count;
    r->fn = fn;
    r->user = user;
    r->json = json_stream_create(on_event, r);
    json_stream_allow(r->json, RPC_TEXT_MAX);
    return r;
}

struct rpc_status *
rpc_status_destroy(struct rpc_status *r)
{
    if (r == NULL)
        return NULL;
    json_stream_destroy(r->json);
    free(r->rows);
    free(r->bytes);
    free(r);
    return NULL;
}

bool
rpc_status_feed(struct rpc_status *r, const char *data, size_t len)
{
    for (size_t i = 0; i < len && !r->begun; i++) {
        r->first_byte = data[i];
        r->begun = strchr(" \t\r\n", data[i]) == NULL;
    }
    return json_stream_feed(r->json, data, len) == 0;
}

enum poll_outcome
rpc_status_end(struct rpc_status *r, char **ret_error)
{
    enum poll_outcome outcome = POLL_OK;

    if (json_stream_end(r->json) != 0)
        outcome = outcome_of_json(r->json, r->first_byte, ret_error);
    else if (!r->root_array)
        outcome = outcome_error(POLL_BAD_RESPONSE, ret_error,
                                "expected an array of handlers");
    json_stream_reset(r->json);
    r->begun = r->root_array = r->call_key = r->in_call = false;
    r->member = MEMBER_NONE;
    return outcome;
}

unsigned
rpc_status_skipped(const struct rpc_status *r)
{
    return r->skipped;
}

/* ---- the request ---- */

static void
set_region(struct rpc_status *r, const char *text, size_t len)
{
    struct region_name name;

    r->region_wanted = false;
    if (region_name_parse(text, len, &name) == 0)
        r->region = name.id;
    else if (!region_id_parse(text, len, &r->region)) /* ENCODED_REGION_NAME */
        return;
    for (size_t i = 0; i < r->region_count && !r->region_wanted; i++)
        r->region_wanted = region_id_equal(r->regions[i], r->region);
}

static void
add_row(struct rpc_status *r, const char *text, size_t len)
{
    struct current_call *call = &r->call;

    if (call->row_count == RPC_ROWS_MAX) {
        r->skipped++;
        return;
    }
    xgrow(&r->rows, &r->row_cap, call->row_count + 1, sizeof r->rows[0]);
    xgrow(&r->bytes, &r->byte_cap, call->byte_count + len + 1, 1);
    r->rows[call->row_count++] =
        (struct rpc_row){r->region, (uint32_t)call->byte_count, (uint32_t)len};
    memcpy(r->bytes + call->byte_count, text, len);
    call->byte_count += len;
}

static bool
on_proto(void *user, enum proto_event event, const char *text, size_t len)
{
    struct rpc_status *r = user;

    if (event == PROTO_REGION)
        set_region(r, text, len);
    else if (event == PROTO_ROW && r->region_wanted)
        add_row(r, text, len);
    else if (event == PROTO_LONG_ROW && r->region_wanted)
        r->skipped++;
    return true;
}

static void
forget_rows(struct rpc_status *r)
{
    r->call.row_count = 0;
    r->call.byte_count = 0;
}

static void
read_request(struct rpc_status *r, const char *text, size_t len)
{
    r->region_wanted = false;
    forget_rows(r);
    if (proto_text_walk(text, len, on_proto, r) < 0) {
        r->skipped++;
        forget_rows(r);
    }
}

/* ---- the call ---- */

static void
begin_call(struct rpc_status *r)
{
    r->in_call = true;
    r->params = 0;
    r->call = (struct current_call){.method = CALL_METHOD_COUNT, .start_ms = -1};
    strncpy(r->call.client, "unknown", RPC_CLIENT_MAX);
}

static void
end_call(struct rpc_status *r)
{
    const struct current_call *call = &r->call;

    r->in_call = false;
    if (call->method == CALL_METHOD_COUNT || call->row_count == 0)
        return;
    r->fn(r->user, &(struct rpc_call){
                       .method = call->method,
                       .client = call->client,
                       .port = call->port,
                       .start_ms = call->start_ms,
                       .rows = r->rows,
                       .row_count = call->row_count,
                       .bytes = r->bytes,
                   });
}

static enum call_method
find_method(const char *text, size_t len)
{
    unsigned i = 0;

    while (i < CALL_METHOD_COUNT &&
           (strlen(method_names[i]) != len || memcmp(method_names[i], text, len) != 0))
        i++;
    return (enum call_method)i;
}

static void
take_client(struct current_call *call, const char *text, size_t len)
{
    if (len == 0 || len > RPC_CLIENT_MAX)
        return;
    for (size_t i = 0; i < len; i++) {
        if (text[i] <= ' ' || text[i] > '~')
            return;
    }
    memcpy(call->client, text, len);
    call->client[len] = '\0';
}

static void
take_member(struct rpc_status *r, const char *text, size_t len)
{
    struct current_call *call = &r->call;
    uint64_t count;

    switch (r->member) {
    case MEMBER_METHOD:
        call->method = find_method(text, len);
        break;
    case MEMBER_CLIENT:
        take_client(call, text, len);
        break;
    case MEMBER_PORT:
        call->port = number_counter(text, len, &count) == 0 && count < 65536
                         ? (unsigned)count
                         : 0;
        break;
    case MEMBER_START:
        if (number_whole(text, len, &call->start_ms) < 0)
            call->start_ms = -1;
        break;
    case MEMBER_PARAMS:
    case MEMBER_NONE:
        break;
    }
}

/* ---- events ---- */

static enum member
find_member(const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        if (strlen(members[i].name) == len && memcmp(members[i].name, text, len) == 0)
            return members[i].member;
    }
    return MEMBER_NONE;
}

static void
on_key(struct rpc_status *r, const char *text, size_t len, unsigned depth)
{
    if (depth == DEPTH_CALL)
        r->call_key = len == 7 && memcmp(text, "rpcCall", 7) == 0;
    else if (depth == DEPTH_MEMBER && r->in_call)
        r->member = find_member(text, len);
}

static void
on_value(struct rpc_status *r, bool string, const char *text, size_t len,
         unsigned depth)
{
    if (!r->in_call)
        return;
    if (depth == DEPTH_MEMBER)
        take_member(r, text, len);
    if (depth == DEPTH_PARAM && r->member == MEMBER_PARAMS && r->params++ == 0 &&
        string)
        read_request(r, text, len);
}

static void
on_begin(struct rpc_status *r, bool object, unsigned depth)
{
    if (depth == 0)
        r->root_array = !object;
    else if (depth == DEPTH_CALL && object && r->call_key && r->root_array)
        begin_call(r);
    else if (depth == DEPTH_MEMBER && object)
        r->member = MEMBER_NONE;
    else if (depth == DEPTH_PARAM)
        r->params++;
}

static bool
on_event(void *user, enum json_event event, const char *text, size_t len,
         unsigned depth)
{
    struct rpc_status *r = user;

    switch (event) {
    case JSON_KEY:
        on_key(r, text, len, depth);
        break;
    case JSON_OBJECT_BEGIN:
    case JSON_ARRAY_BEGIN:
        on_begin(r, event == JSON_OBJECT_BEGIN, depth);
        break;
    case JSON_OBJECT_END:
        if (depth == DEPTH_CALL && r->in_call)
            end_call(r);
        break;
    case JSON_STRING:
    case JSON_NUMBER:
        on_value(r, event == JSON_STRING, text, len, depth);
        break;
    case JSON_ARRAY_END:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
    case JSON_NOT_A_NUMBER:
        break;
    }
    return true;
}
