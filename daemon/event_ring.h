/* SPDX-License-Identifier: Apache-2.0 */
/* The alert history: what fired, was held or ended, the newest EVENT_RING_MAX of it.
 * An event is a copy that depends on nothing else, shared by reference count; the ring
 * belongs to the main thread and hands out immutable lists for HTTP threads. */
#ifndef DAEMON_EVENT_RING_H
#define DAEMON_EVENT_RING_H

#include <stdatomic.h>
#include <stdint.h>

#include "analysis/snapshot.h"

enum { EVENT_RING_MAX = 10000 };

/* What history shows of a change. */
struct event {
    atomic_uint refs;
    enum event_kind kind;
    enum end_reason reason; /* END_NONE unless resolved */
    int64_t time_ms;        /* wall clock */
    double value;           /* requests/s of the alert's access */
    size_t labels_len;
    char labels[]; /* packed as by alert_labels() */
};

/* A snapshot of the ring, oldest first. */
struct event_list {
    atomic_uint refs;
    size_t count;
    struct event *items[];
};

struct event_list *event_list_ref(struct event_list *list);
/* Accepts NULL; returns NULL; any thread. */
struct event_list *event_list_unref(struct event_list *list);

struct event_ring;

/* capacity: events kept, above 0. */
struct event_ring *event_ring_create(size_t capacity);
struct event_ring *event_ring_destroy(struct event_ring *ring);

/* Copies what history shows of the alert. cluster: label value, "" for none. */
void event_ring_add(struct event_ring *ring, enum event_kind kind, int64_t time_ms,
                    const struct alert *alert, const char *cluster);

/* The content now; the caller gets a reference. Made anew only after an addition. */
struct event_list *event_ring_list(struct event_ring *ring);

#endif
