/* SPDX-License-Identifier: Apache-2.0 */
/* The master's live_servers: offsets stay inside the arena, indices inside the lists.
 */
#include "collectors/live_servers.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/listing.h"

static enum poll_outcome
read_listing(struct listing *listing, const uint8_t *data, size_t size, bool pieces)
{
    struct live_servers_reader *reader =
        live_servers_reader_create(listing, LISTING_ROWS);
    size_t count = 0;
    char *error = NULL;

    for (size_t at = 0, n; at < size; at += n) {
        n = pieces ? piece_length(data + at, size - at) : size;
        if (!live_servers_reader_feed(reader, (const char *)data + at, n))
            break;
    }
    enum poll_outcome outcome = live_servers_reader_end(reader, &error);
    MUST_SAY_WHY(outcome != POLL_OK, error);
    const struct live_server *servers = live_servers_reader_servers(reader, &count);
    for (size_t i = 0; i < count; i++)
        MUST(servers[i].name != NULL);
    live_servers_reader_destroy(reader);
    return outcome;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct message *whole = message_create(MESSAGE_LISTING);
    struct message *cut = message_create(MESSAGE_LISTING);
    enum poll_outcome a = read_listing(&whole->listing, data, size, false);
    enum poll_outcome b = read_listing(&cut->listing, data, size, true);

    MUST(a == b);
    if (a == POLL_OK) {
        must_be_sound(&whole->listing);
        must_be_sound(&cut->listing);
        MUST(whole->listing.row_count == cut->listing.row_count);
    }
    message_destroy(whole);
    message_destroy(cut);
    return 0;
}
