/* SPDX-License-Identifier: Apache-2.0 */
/* Alerts in words. One sentence that a tired person understands (summary), and the
 * figures behind the verdict, each with its unit (description). Pure; UTF-8; row keys
 * and figures of row keys never stand in them. */
#ifndef DAEMON_SENTENCE_H
#define DAEMON_SENTENCE_H

#include <stdint.h>

#include "analysis/snapshot.h"
#include "common/buf.h"

/* "Region 858a2c1f… of table orders takes 1,934 writes/s, 9.7 times the table's other
 * regions, on rs2:16020 since 22:10:24 UTC." now_ms: wall clock; a time of another day
 * is written with its date. */
void sentence_summary(const struct alert *alert, int64_t now_ms, struct buf *out);

/* Rates, baseline and its kind, limit and the setting it comes from, the regions
 * compared, shares, reason, hot since, last sample. window_ms: the detection window. */
void sentence_description(const struct alert *alert, int64_t window_ms, int64_t now_ms,
                          struct buf *out);

/* How an alert ended: "Region 858a2c1f… of table orders was hot from 22:10:24 UTC on,
 * for 13 min: it has stayed below its limit since." */
void sentence_end(const struct alert *alert, int64_t now_ms, struct buf *out);

/* A number for people: "1,934", "0.42", "12.3"; thousands separated. */
void sentence_number(double value, struct buf *out);

/* "22:10:24 UTC", or "2026-11-29 22:10:24 UTC" when now_ms is of another day. */
void sentence_time(int64_t wall_ms, int64_t now_ms, struct buf *out);

/* A byte count for people: "1.2 GiB". */
void sentence_bytes(int64_t bytes, struct buf *out);

/* A span for people: "12 s", "3 min", "2 h 5 min", "4 d". */
void sentence_span(int64_t ms, struct buf *out);

#endif
