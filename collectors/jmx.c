/* SPDX-License-Identifier: Apache-2.0 */
/* The life of one poll of a RegionServer's /jmx: answers are fed in, then judged. The
 * reader owns its tables and the JSON reader; what was read belongs to the caller's
 * struct server_poll. One thread at a time. */
#include "collectors/jmx.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/jmx_priv.h"
#include "collectors/outcome.h"
#include "common/alloc.h"
#include "common/log.h"

struct jmx_reader *
jmx_reader_create(struct server_poll *poll, size_t max_regions)
{
    struct jmx_reader *r = xcalloc(1, sizeof(*r));

    r->poll = poll;
    r->max_regions = max_regions < UINT32_MAX ? max_regions : UINT32_MAX - 1;
    r->json = json_stream_create(jmx_event, r);
    r->rows = id_map_create();
    r->tables = intern_create();
    return r;
}

struct jmx_reader *
jmx_reader_destroy(struct jmx_reader *r)
{
    if (r == NULL)
        return NULL;
    json_stream_destroy(r->json);
    id_map_destroy(r->rows);
    intern_destroy(r->tables);
    free(r->table_number);
    free(r->old);
    free(r);
    return NULL;
}

static void
forget_poll(struct server_poll *poll)
{
    free(poll->server);
    poll->server = NULL;
    poll->server_time_ms = -1;
    poll->probe_count = 0;
    for (size_t i = 0; i < poll->table_count; i++)
        free(poll->tables[i]);
    poll->table_count = 0;
    poll->region_count = 0;
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        poll->signals[i] = NAN;
    poll->invalid_values = 0;
    free(poll->first_invalid);
    poll->first_invalid = NULL;
    poll->absent_values = 0;
}

static void
next_answer(struct jmx_reader *r)
{
    json_stream_reset(r->json);
    memset(&r->answer, 0, sizeof(r->answer));
}

void
jmx_reader_restart(struct jmx_reader *r)
{
    forget_poll(r->poll);
    next_answer(r);
    id_map_clear(r->rows);
    intern_destroy(r->tables);
    r->tables = intern_create();
    r->old_count = 0;
    memset(r->bean_seen, 0, sizeof(r->bean_seen));
    r->beans_seen = 0;
    r->foreign_seen = false;
    r->prefix_len = 0;
}

bool
jmx_reader_feed(struct jmx_reader *r, const char *data, size_t len)
{
    if (len > 0 && !r->answer.begun) {
        r->answer.begun = true;
        r->answer.first_byte = data[0];
    }
    return json_stream_feed(r->json, data, len) == 0;
}

static enum poll_outcome
judge_answer(struct jmx_reader *r, bool *ret_not_understood, char **ret_error)
{
    const struct jmx_answer *a = &r->answer;
    char quoted[LOG_QUOTE_SIZE];

    int error = json_stream_end(r->json);
    if (a->too_many)
        return outcome_error(POLL_TOO_LARGE, ret_error,
                             "more than %zu regions in one answer", r->max_regions);
    if (error != 0)
        return outcome_of_json(r->json, a->first_byte, ret_error);
    if (a->error_result) {
        *ret_not_understood = true;
        return outcome_error(POLL_BAD_RESPONSE, ret_error,
                             "the server answers \"result\": \"ERROR\": %s",
                             log_quote(a->message, a->message_len, quoted));
    }
    if (!a->has_beans) {
        /* "{}" is HBase's answer to a query that it cannot read. */
        *ret_not_understood = a->root_object;
        return outcome_error(POLL_BAD_RESPONSE, ret_error,
                             "expected an object with an array \"beans\"");
    }
    if (a->regions_elsewhere)
        return outcome_error(POLL_BAD_RESPONSE, ret_error,
                             "region attributes in a bean that is not '%s'",
                             jmx_bean_names[BEAN_REGIONS]);
    if (a->beans == 0)
        return outcome_error(POLL_NO_DATA, ret_error,
                             "no beans: HBase restarts its metrics system");
    return POLL_OK;
}

enum poll_outcome
jmx_reader_end_answer(struct jmx_reader *r, bool *ret_not_understood, char **ret_error)
{
    *ret_not_understood = false;
    enum poll_outcome outcome = judge_answer(r, ret_not_understood, ret_error);
    next_answer(r);
    return outcome;
}

/* HBase 1.0 and 1.1 count no requests by region: the calls that they do count take that
 * place, where a region has neither counter. */
static void
use_old_counts(struct jmx_reader *r)
{
    for (size_t i = 0; i < r->old_count; i++) {
        struct region_sample *region = &r->poll->regions[i];
        const struct old_counts *old = &r->old[i];
        uint64_t read = 0;
        if (region->known != 0)
            continue;
        for (size_t k = METRIC_OLD_GET; k <= METRIC_OLD_SCAN; k++) {
            size_t which = k - METRIC_OLD_MUTATE;
            if (!old->known[which])
                continue;
            read += old->value[which]; /* two of at most 63 bits */
            region->known |= SAMPLE_READ;
        }
        region->read = read;
        region->write = old->value[0];
        region->known |= old->known[0] ? SAMPLE_WRITE : 0;
    }
}

static bool
any_counter(const struct server_poll *poll)
{
    for (size_t i = 0; i < poll->region_count; i++) {
        if (poll->regions[i].known != 0)
            return true;
    }
    return false;
}

static enum poll_outcome
missing_server(const struct jmx_reader *r, char **ret_error)
{
    const char *bean = jmx_bean_names[BEAN_SERVER];

    if (r->bean_seen[BEAN_SERVER])
        return outcome_error(POLL_BAD_RESPONSE, ret_error,
                             "'%s' has no usable tag.serverName", bean);
    if (r->bean_seen[BEAN_REGIONS])
        return outcome_error(POLL_BAD_RESPONSE, ret_error, "there is no bean '%s'",
                             bean);
    /* A RegionServer's metrics come up bean by bean. */
    return outcome_error(
        r->foreign_seen ? POLL_BAD_RESPONSE : POLL_NO_DATA, ret_error,
        "none of the %zu beans is '%s' or '%s': expected a RegionServer "
        "with its metrics on",
        r->beans_seen, bean, jmx_bean_names[BEAN_REGIONS]);
}

enum poll_outcome
jmx_reader_end_poll(struct jmx_reader *r, char **ret_error)
{
    struct server_poll *poll = r->poll;
    double regions = poll->signals[SIGNAL_REGION_COUNT];

    use_old_counts(r);
    /* The time of receipt may have become known only after the answer was read. */
    if (!jmx_time_plausible(poll, poll->server_time_ms))
        poll->server_time_ms = -1;
    if (poll->server == NULL)
        return missing_server(r, ret_error);
    if (poll->region_count > 0) {
        if (any_counter(poll))
            return POLL_OK;
        return outcome_error(
            POLL_BAD_RESPONSE, ret_error,
            "none of the %zu regions in '%s' has a readRequestCount or "
            "writeRequestCount (filtered out in HBase?)",
            poll->region_count, jmx_bean_names[BEAN_REGIONS]);
    }
    if (regions == 0)
        return POLL_OK;
    return outcome_error(POLL_NO_DATA, ret_error,
                         "%s '%s': HBase restarts its metrics system",
                         r->bean_seen[BEAN_REGIONS] ? "no region in" : "no bean",
                         jmx_bean_names[BEAN_REGIONS]);
}
