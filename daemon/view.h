/* SPDX-License-Identifier: Apache-2.0 */
/* What HTTP threads see: an immutable, reference-counted bundle that the main thread
 * makes at each evaluation. A request holds one reference from its first line to the
 * last byte of its answer, so all of an answer is of one moment. */
#ifndef DAEMON_VIEW_H
#define DAEMON_VIEW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/snapshot.h"
#include "common/clock.h"
#include "daemon/event_ring.h"
#include "daemon/shared_config.h"
#include "daemon/targets.h"

struct status {
    struct moment started; /* of the process */
    struct moment made;    /* of this view */
    char *cluster;         /* for labels; "" while unknown */
    char *cluster_id;      /* NULL while unknown */
    char config_hash[17];
    bool have_round;
    struct round_summary last_round;
    bool ready;
    const char *not_ready; /* why; static text; NULL when ready */
    struct string_list problems;
    uint64_t memory_bytes;        /* resident; 0 unknown */
    double regions_in_transition; /* as the master says; NaN unknown */
};

struct view {
    atomic_uint refs;
    struct shared_config *config;
    struct snapshot *snapshot;
    struct event_list *events;
    struct targets targets;
    struct status status;
    char *metrics; /* rendered, text format 0.0.4 */
    size_t metrics_len;
    pthread_mutex_t gzip_lock; /* guards what follows */
    char *gzip;                /* metrics, compressed at the first demand */
    size_t gzip_len;
};

/* All zero with one reference; the caller fills it before it is published and gives it
 * its own references to config, snapshot and events. */
struct view *view_create(void);
struct view *view_ref(struct view *view);
/* Accepts NULL; returns NULL; any thread. */
struct view *view_unref(struct view *view);

/* The compressed metrics (RFC 1952), made now if nobody asked before; they live as long
 * as the view. 0 or -ENOMEM. */
int view_metrics_gzip(struct view *view, const char **ret_data, size_t *ret_len);

/* The current view, shared by the main thread (set) and HTTP threads (get). */
struct publisher {
    pthread_mutex_t lock;
    struct view *current;
};

void publisher_init(struct publisher *p);
/* Drops the current view. */
void publisher_finish(struct publisher *p);
/* Takes over the caller's reference. */
void publisher_set(struct publisher *p, struct view *view);
/* A reference for the caller; NULL before the first publisher_set(). */
struct view *publisher_get(struct publisher *p);

#endif
