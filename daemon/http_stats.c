/* SPDX-License-Identifier: Apache-2.0 */
/* Request counters; any thread. */
#include "daemon/http_stats.h"

#include <assert.h>

const unsigned http_codes[HTTP_CODES] = {200, 304, 400, 403, 404,
                                         405, 413, 500, 503, 0};

void
http_stats_count(struct http_stats *stats, unsigned handler, unsigned code, int64_t us)
{
    unsigned i = 0;

    assert(handler < HTTP_STATS_HANDLERS);
    while (i < HTTP_CODES - 1 && http_codes[i] != code)
        i++;
    atomic_fetch_add(&stats->handlers[handler].codes[i], 1);
    histogram_add_us(&stats->handlers[handler].duration, us);
}
