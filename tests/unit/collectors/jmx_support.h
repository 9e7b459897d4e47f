/* SPDX-License-Identifier: Apache-2.0 */
/* Reading whole polls of /jmx, for the tests of the JMX reader. */
#ifndef TESTS_UNIT_COLLECTORS_JMX_SUPPORT_H
#define TESTS_UNIT_COLLECTORS_JMX_SUPPORT_H

#include <inttypes.h>

#include "collectors/jmx.h"
#include "common/buf.h"
#include "parse_support.h"

#define SERVER_BEAN "\"name\": \"Hadoop:service=HBase,name=RegionServer,sub=Server\""
#define REGIONS_BEAN "\"name\": \"Hadoop:service=HBase,name=RegionServer,sub=Regions\""
#define IPC_BEAN "\"name\": \"Hadoop:service=HBase,name=RegionServer,sub=IPC\""
#define JVM_BEAN "\"name\": \"Hadoop:service=HBase,name=JvmMetrics\""
#define SERVER_NAME "rs1.example.com,16020,1700000001111"
#define ENC1 "8fdfb7ba2f0016f124b59812a3ca60a3"
#define ENC2 "39a8ebc2b9a7dd602aebfdd3d37d29f5"
#define WITH_SERVER(regions)                                                           \
    "{\"beans\": [{" SERVER_BEAN ", \"tag.serverName\": \"" SERVER_NAME                \
    "\", \"regionCount\": 2}, {" REGIONS_BEAN ", " regions "}]}"
#define REGION(table, enc, metric, value)                                              \
    "\"Namespace_" table "_region_" enc "_metric_" metric "\": " value

#define AND ", "

#define WRITES REGION("default_table_t", ENC1, "writeRequestCount", "5")
#define READ_TEXT(value)                                                               \
    WITH_SERVER(REGION("default_table_t", ENC1, "readRequestCount", value) ","         \
                                                                           " " WRITES)

enum { MAX_REGIONS = 1000 };

struct reading {
    struct message *message;
    struct server_poll *poll;
    enum poll_outcome outcome; /* of the first answer that failed, or of the poll */
    bool not_understood;
    char *error;
};

static UNUSED void
feed_pieces(struct jmx_reader *reader, const char *text, size_t len, size_t piece)
{
    bool usable = true;

    for (size_t at = 0; at < len && usable;) {
        size_t n = piece > 0 ? piece : 1 + rng_below(200);
        if (n > len - at)
            n = len - at;
        char *copy = exact_copy(text + at, n);
        usable = jmx_reader_feed(reader, copy, n);
        free(copy);
        at += n;
    }
}

/* One poll of the given answers, NULL at the end. */
static UNUSED struct reading
read_answers(const char *const *answers, const size_t *lens, size_t count, size_t piece,
             size_t max_regions, int64_t wall_ms)
{
    struct reading r = {.message = message_create(MESSAGE_POLL)};

    r.poll = &r.message->poll;
    r.poll->received.wall_ms = wall_ms;
    struct jmx_reader *reader = jmx_reader_create(r.poll, max_regions);
    for (size_t i = 0; i < count && r.outcome == POLL_OK; i++) {
        feed_pieces(reader, answers[i], lens[i], piece);
        r.outcome = jmx_reader_end_answer(reader, &r.not_understood, &r.error);
    }
    if (r.outcome == POLL_OK)
        r.outcome = jmx_reader_end_poll(reader, &r.error);
    jmx_reader_destroy(reader);
    ck_assert_int_eq(r.error == NULL, r.outcome == POLL_OK);
    return r;
}

static UNUSED struct reading
read_one(const char *text)
{
    size_t len = strlen(text);

    return read_answers(&text, &len, 1, 1000000, MAX_REGIONS, 0);
}

static UNUSED void
finish(struct reading *r)
{
    message_destroy(r->message);
    free(r->error);
}

static UNUSED const struct region_sample *
find_region(const struct server_poll *poll, const char *encoded, size_t len)
{
    struct region_id id;

    ck_assert(region_id_parse(encoded, len, &id));
    for (size_t i = 0; i < poll->region_count; i++) {
        if (region_id_equal(poll->regions[i].id, id))
            return &poll->regions[i];
    }
    return NULL;
}

/* All of a poll as text, to compare readings. */
static UNUSED char *
dump_poll(const struct reading *r)
{
    const struct server_poll *poll = r->poll;
    char id[REGION_ID_TEXT_SIZE];
    struct buf out;

    buf_init(&out, 0);
    buf_addf(&out, "%d %s %" PRIi64 " %" PRIu64 " %" PRIu64 "\n", r->outcome,
             poll->server == NULL ? "-" : poll->server, poll->server_time_ms,
             poll->invalid_values, poll->absent_values);
    for (size_t i = 0; i < poll->region_count; i++) {
        const struct region_sample *s = &poll->regions[i];
        ck_assert_uint_lt(s->table, poll->table_count);
        buf_addf(&out, "%s %s %" PRIu64 " %" PRIu64 " %u %u\n",
                 region_id_text(s->id, id), poll->tables[s->table], s->read, s->write,
                 s->known, s->replica);
    }
    for (size_t i = 0; i < poll->probe_count; i++) {
        if (i > 0)
            ck_assert_int_lt(
                region_id_compare(poll->probes[i - 1].id, poll->probes[i].id), 0);
        buf_addf(&out, "%s %" PRIi64 "\n", region_id_text(poll->probes[i].id, id),
                 poll->probes[i].age_ms);
    }
    for (int i = 0; i < SIGNAL_COUNT; i++)
        buf_addf(&out, "%s %g\n", signal_name(i), poll->signals[i]);
    return buf_steal(&out, NULL);
}

#endif
