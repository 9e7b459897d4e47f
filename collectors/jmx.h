/* SPDX-License-Identifier: Apache-2.0 */
/* RegionServer /jmx: which queries to send and how to read the answers. One poll is one
 * combined query (HBase 2.4+) or, where that is not understood, one query a bean; the
 * answers are read into the same struct server_poll.
 * Formats: docs of Hadoop's JMXJsonServlet; HBase MetricsRegionSourceImpl.java,
 * MetricsRegionServerSource.java, MetricsHBaseServerSource.java. */
#ifndef COLLECTORS_JMX_H
#define COLLECTORS_JMX_H

#include <stdbool.h>
#include <stddef.h>

#include "collectors/sample.h"

enum jmx_mode {
    JMX_COMBINED, /* HBase 2.4 and later */
    JMX_PER_BEAN, /* older: jmx_query(JMX_PER_BEAN, 0 ...) */
};

/* Path and query of the i-th request of a poll in this mode ("/jmx?get=..."),
 * URL-encoded; NULL when there are no more. The regular expression never begins with
 * ".*". */
const char *jmx_query(enum jmx_mode mode, unsigned i);

struct jmx_reader;

/* Reads into *poll (a poll of message_create(MESSAGE_POLL)): server, server_time_ms,
 * probes, tables, regions, signals and the counts of unusable values. max_regions
 * bounds poll->region_count.
 *
 * What counts as what: queued calls are those of the general queue, in which HBase has
 * the read, write and scan queues already, plus priority, meta priority, replication
 * and bulk load; memStoreSize and regionCount are those of sub=Server. A region of
 * HBase 1.0 or 1.1, which has no request counters, counts mutateCount as writes, and
 * get_num_ops + scanNext_num_ops as reads. Of an attribute printed twice the last one
 * counts; the order of attributes and beans does not matter. server_time_ms is the
 * largest lastMajorCompactionAge that is a wall clock, and, once poll->received is
 * known, within a day of it. A region whose table's name is no good UTF-8 text of at
 * most 1 KiB is left out and counted in invalid_values. */
struct jmx_reader *jmx_reader_create(struct server_poll *poll, size_t max_regions);
/* Accepts NULL; returns NULL. */
struct jmx_reader *jmx_reader_destroy(struct jmx_reader *r);

/* Feeds a piece of the current answer; false once the answer cannot be used any more
 * (the transfer may be ended). */
bool jmx_reader_feed(struct jmx_reader *r, const char *data, size_t len);
/* The current answer is complete. POLL_OK: go on with the next query, if any. Else why
 * not (POLL_PARSE, POLL_TOO_LARGE, POLL_BAD_RESPONSE, POLL_NO_DATA), with a line for
 * people in *ret_error (caller frees). *ret_not_understood: the server does not know
 * the combined query (try JMX_PER_BEAN). The reader is ready for the next answer. */
enum poll_outcome jmx_reader_end_answer(struct jmx_reader *r, bool *ret_not_understood,
                                        char **ret_error);
/* All answers of the poll are in: is it usable as a whole? POLL_OK needs the server's
 * name and the regions bean, or a regionCount of 0. Sorts nothing: regions stand in the
 * order of the answer. */
enum poll_outcome jmx_reader_end_poll(struct jmx_reader *r, char **ret_error);

/* Forgets everything read, for another try into the same poll. */
void jmx_reader_restart(struct jmx_reader *r);

/* Splits "Namespace_NS_table_Q_region_ENC_metric_M" from the right (any of NS, Q may
 * hold
 * "_region_" or "_metric_"). False for store attributes, tags and foreign names. The
 * table is written as "NS:Q", or "Q" when NS is "default"; false if it does not fit. */
bool jmx_attribute_split(const char *name, size_t len, struct region_id *ret_id,
                         char *ret_table, size_t table_size, const char **ret_metric,
                         size_t *ret_metric_len);

#endif
