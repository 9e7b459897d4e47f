/* SPDX-License-Identifier: Apache-2.0 */
/* A RegionServer's /jmx answer: fed in one piece or in many it gives the same poll. */
#include "collectors/jmx.h"
#include "tests/fuzz/fuzz.h"

enum { REGIONS = 1000 };

static enum poll_outcome
read_poll(struct server_poll *poll, const uint8_t *data, size_t size, bool pieces)
{
    struct jmx_reader *reader = jmx_reader_create(poll, REGIONS);
    bool not_understood = false;
    char *error = NULL;

    for (size_t at = 0, n; at < size; at += n) {
        n = pieces ? piece_length(data + at, size - at) : size;
        if (!jmx_reader_feed(reader, (const char *)data + at, n))
            break;
    }
    enum poll_outcome outcome = jmx_reader_end_answer(reader, &not_understood, &error);
    MUST_SAY_WHY(outcome != POLL_OK, error);
    error = NULL;
    enum poll_outcome whole = jmx_reader_end_poll(reader, &error);
    MUST_SAY_WHY(whole != POLL_OK, error);
    jmx_reader_destroy(reader);
    return outcome;
}

static void
must_be_sound(const struct server_poll *poll)
{
    MUST(poll->region_count <= REGIONS);
    MUST(poll->probe_count <= AGE_PROBES);
    for (size_t i = 0; i < poll->region_count; i++)
        MUST(poll->regions[i].table < poll->table_count);
}

static void
must_be_equal(const struct server_poll *a, const struct server_poll *b)
{
    MUST(a->region_count == b->region_count && a->table_count == b->table_count);
    MUST(a->invalid_values == b->invalid_values);
    for (size_t i = 0; i < a->region_count; i++) {
        const struct region_sample *x = &a->regions[i], *y = &b->regions[i];
        MUST(region_id_equal(x->id, y->id) && x->known == y->known);
        MUST(!(x->known & SAMPLE_READ) || x->read == y->read);
        MUST(!(x->known & SAMPLE_WRITE) || x->write == y->write);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct message *whole = message_create(MESSAGE_POLL);
    struct message *cut = message_create(MESSAGE_POLL);
    enum poll_outcome a = read_poll(&whole->poll, data, size, false);
    enum poll_outcome b = read_poll(&cut->poll, data, size, true);

    MUST(a == b);
    must_be_sound(&whole->poll);
    must_be_sound(&cut->poll);
    if (a == POLL_OK)
        must_be_equal(&whole->poll, &cut->poll);
    message_destroy(whole);
    message_destroy(cut);
    return 0;
}
