/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of the HTTP server: written by its threads, read by the main thread when it
 * renders /metrics. Atomic throughout. */
#ifndef DAEMON_HTTP_STATS_H
#define DAEMON_HTTP_STATS_H

#include <stdatomic.h>
#include <stdint.h>

#include "daemon/histogram.h"

enum { HTTP_STATS_HANDLERS = 19, HTTP_CODES = 10 };

/* The status codes that the server sends; the last, 0, stands for any other. */
extern const unsigned http_codes[HTTP_CODES];

struct http_stats {
    struct {
        atomic_uint_fast64_t codes[HTTP_CODES];
        struct histogram duration;
    } handlers[HTTP_STATS_HANDLERS]; /* by enum http_route */
    atomic_uint_fast64_t cut;        /* connections closed at their deadline */
};

void http_stats_count(struct http_stats *stats, unsigned handler, unsigned code,
                      int64_t us);

#endif
