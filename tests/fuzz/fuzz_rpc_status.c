/* SPDX-License-Identifier: Apache-2.0 */
/* A RegionServer's running calls: the same calls however the answer is cut, rows inside
 * the call's bytes, and never a byte of a value. */
#include "collectors/rpc_status.h"
#include "tests/fuzz/fuzz.h"

/* The regions of the captured answers. */
static const char *const wanted[] = {"a43d395cda19c49a14e5827ba25c3c0f",
                                     "e483103b53fdd1fd0d12c536eab90375"};

struct tally {
    size_t calls;
    size_t rows;
    size_t bytes;
};

static void
on_call(void *user, const struct rpc_call *call)
{
    struct tally *t = user;

    MUST(call->row_count > 0 && call->row_count <= RPC_ROWS_MAX);
    MUST((unsigned)call->method < CALL_METHOD_COUNT);
    MUST(strlen(call->client) <= RPC_CLIENT_MAX && call->port <= 65535);
    t->calls++;
    for (size_t i = 0; i < call->row_count; i++) {
        const char *row = call->bytes + call->rows[i].offset;
        t->rows++;
        for (uint32_t k = 0; k < call->rows[i].len; k++)
            t->bytes += (uint8_t)row[k];
    }
}

static enum poll_outcome
read_answer(struct tally *t, const uint8_t *data, size_t size, bool pieces)
{
    struct region_id regions[2];
    char *error = NULL;

    for (size_t i = 0; i < 2; i++)
        MUST(region_id_parse(wanted[i], 32, &regions[i]));
    struct rpc_status *reader = rpc_status_create(regions, 2, on_call, t);
    for (size_t at = 0, n; at < size; at += n) {
        n = pieces ? piece_length(data + at, size - at) : size;
        if (!rpc_status_feed(reader, (const char *)data + at, n))
            break;
    }
    enum poll_outcome outcome = rpc_status_end(reader, &error);
    MUST_SAY_WHY(outcome != POLL_OK, error);
    rpc_status_destroy(reader);
    return outcome;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tally whole = {0}, cut = {0};
    enum poll_outcome a = read_answer(&whole, data, size, false);
    enum poll_outcome b = read_answer(&cut, data, size, true);

    MUST(a == b);
    MUST(whole.calls == cut.calls && whole.rows == cut.rows &&
         whole.bytes == cut.bytes);
    return 0;
}
