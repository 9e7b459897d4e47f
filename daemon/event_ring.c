/* SPDX-License-Identifier: Apache-2.0 */
/* Ring of events with a cached list of its content. The ring is the main thread's;
 * lists and events are immutable and freed by whoever drops the last reference. */
#include "daemon/event_ring.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/buf.h"
#include "daemon/names.h"

struct event_ring {
    size_t capacity;
    size_t first; /* slot of the oldest */
    size_t count;
    struct event_list *cached; /* NULL after an addition */
    struct event *slots[];
};

static struct event *
event_create(enum event_kind kind, int64_t time_ms, const struct alert *alert,
             const char *cluster)
{
    struct buf labels;

    buf_init(&labels, 0);
    alert_labels(alert, cluster, &labels);
    struct event *e = xmalloc(sizeof *e + labels.len);
    *e = (struct event){
        .refs = 1,
        .kind = kind,
        .reason = kind == EVENT_RESOLVED ? alert->reason : END_NONE,
        .time_ms = time_ms,
        .value = alert->rate[alert->access],
        .labels_len = labels.len,
    };
    memcpy(e->labels, labels.data, labels.len);
    buf_finish(&labels);
    return e;
}

static struct event *
event_ref(struct event *e)
{
    atomic_fetch_add(&e->refs, 1);
    return e;
}

static void
event_unref(struct event *e)
{
    if (atomic_fetch_sub(&e->refs, 1) == 1)
        free(e);
}

struct event_list *
event_list_ref(struct event_list *list)
{
    atomic_fetch_add(&list->refs, 1);
    return list;
}

struct event_list *
event_list_unref(struct event_list *list)
{
    if (list == NULL || atomic_fetch_sub(&list->refs, 1) != 1)
        return NULL;
    for (size_t i = 0; i < list->count; i++)
        event_unref(list->items[i]);
    free(list);
    return NULL;
}

struct event_ring *
event_ring_create(size_t capacity)
{
    assert(capacity > 0 && capacity <= EVENT_RING_MAX);
    struct event_ring *ring =
        xcalloc(1, sizeof *ring + capacity * sizeof ring->slots[0]);
    ring->capacity = capacity;
    return ring;
}

struct event_ring *
event_ring_destroy(struct event_ring *ring)
{
    if (ring == NULL)
        return NULL;
    for (size_t i = 0; i < ring->count; i++)
        event_unref(ring->slots[(ring->first + i) % ring->capacity]);
    event_list_unref(ring->cached);
    free(ring);
    return NULL;
}

void
event_ring_add(struct event_ring *ring, enum event_kind kind, int64_t time_ms,
               const struct alert *alert, const char *cluster)
{
    size_t slot = (ring->first + ring->count) % ring->capacity;

    if (ring->count == ring->capacity) {
        event_unref(ring->slots[slot]);
        ring->first = (ring->first + 1) % ring->capacity;
    } else {
        ring->count++;
    }
    ring->slots[slot] = event_create(kind, time_ms, alert, cluster);
    ring->cached = event_list_unref(ring->cached);
}

struct event_list *
event_ring_list(struct event_ring *ring)
{
    if (ring->cached == NULL) {
        struct event_list *list =
            xmalloc(sizeof *list + ring->count * sizeof list->items[0]);
        *list = (struct event_list){.refs = 1, .count = ring->count};
        for (size_t i = 0; i < ring->count; i++)
            list->items[i] = event_ref(ring->slots[(ring->first + i) % ring->capacity]);
        ring->cached = list;
    }
    return event_list_ref(ring->cached);
}
