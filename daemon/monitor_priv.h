/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor from inside, for monitor.c and publish.c. */
#ifndef DAEMON_MONITOR_PRIV_H
#define DAEMON_MONITOR_PRIV_H

#include <pthread.h>

#include "common/log.h"
#include "daemon/event_ring.h"
#include "daemon/exports.h"
#include "daemon/metrics.h"
#include "daemon/monitor.h"
#include "daemon/targets.h"

/* At most so many lines a minute about servers going down or coming back. */
enum { SERVER_LINES_MAX = 20 };

struct monitor {
    struct shared_config *config;
    struct engine *engine;
    pthread_rwlock_t engine_lock; /* the engine against monitor_series() */
    struct snapshot *snapshot;    /* of the last evaluation */
    struct targets targets;
    struct event_ring *events;
    struct exports exports;
    struct poll_stats stats;
    const struct http_stats *http;
    struct publisher views;

    struct moment started;
    char *cluster_id; /* NULL unknown */
    double regions_in_transition;
    bool have_round;
    bool first_round_waits;
    struct round_summary last_round;
    bool ready;
    struct string_list warnings;
    char *reload_error; /* NULL: the last one went well */

    /* What the log has said already. */
    bool said_stalled;
    bool said_coverage;
    int64_t lines_since_ms; /* monotonic; of the window of SERVER_LINES_MAX */
    unsigned lines;
    unsigned lines_held;
};

/* The cluster's name for labels; "" while unknown. */
const char *monitor_cluster(const struct monitor *m);

/* publish.c: makes a view of what is known and hands it to the HTTP threads. */
void monitor_publish(struct monitor *m, struct moment now);

#endif
