/* SPDX-License-Identifier: Apache-2.0 */
/* JSON members that several answers share: figures, row keys, regions, servers. */
#ifndef DAEMON_JSON_UTIL_H
#define DAEMON_JSON_UTIL_H

#include "analysis/snapshot.h"
#include "common/json_write.h"

/* A rate or ratio with 6 significant digits (rates are kept as float); null for NaN and
 * for a ratio against a zero baseline. */
void json_member_figure(struct json_writer *w, const char *key, double value);
/* The same as a string, as Prometheus writes values; never null. */
void json_member_figure_text(struct json_writer *w, const char *key, double value);

/* readRate, writeRate, rate. */
void json_member_rates(struct json_writer *w, const float *rate);
void json_member_rates_d(struct json_writer *w, const double *rate);

/* "region": the encoded name, or null for NULL. */
void json_member_region(struct json_writer *w, const char *key,
                        const struct region_facts *facts);
/* "server": host:port, or null for NULL. */
void json_member_server(struct json_writer *w, const char *key,
                        const struct server_facts *facts);

/* startKey and endKey in HBase's escape, with ...Base64 for the bytes and ...Open for
 * the ends of the table; all null while the keys are not known. */
void json_member_keys(struct json_writer *w, const struct region_facts *facts);

/* The labels packed by alert_labels(), as an object. */
void json_member_labels(struct json_writer *w, const char *packed, size_t len);

/* A server row's facts by index; NULL for NO_INDEX. */
const struct server_facts *snapshot_server(const struct snapshot *s, uint32_t server);

/* Standard Base64 with padding (RFC 4648, section 4). */
void base64_encode(struct buf *out, const void *data, size_t len);

#endif
