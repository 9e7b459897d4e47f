/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that the HBase shell prints: list_regions, status 'detailed', hand-made. */
#include "collectors/listing_text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/listing.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct message *m = message_create(MESSAGE_LISTING);
    char *error = NULL;
    enum poll_outcome outcome =
        listing_text_parse((const char *)data, size, LISTING_ROWS, &m->listing, &error);

    MUST_SAY_WHY(outcome != POLL_OK, error);
    if (outcome == POLL_OK)
        must_be_sound(&m->listing);
    message_destroy(m);
    return 0;
}
