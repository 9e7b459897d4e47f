/* SPDX-License-Identifier: Apache-2.0 */
/* What top shows: the regions of this moment, from HBase itself or from a hotspotd. */
#ifndef HOTSPOTCTL_LIVE_H
#define HOTSPOTCTL_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/region_id.h"

enum live_state { LIVE_NORMAL, LIVE_PENDING, LIVE_HOT };

/* Names and keys are printable ASCII; they live as long as the live_view. */
struct live_region {
    char id[REGION_ID_TEXT_SIZE];
    const char *table;
    const char *server;              /* "" unknown */
    const char *start_key, *end_key; /* in HBase's escape; NULL unknown */
    double read, write;              /* 1/s; NaN unknown */
    double ratio;                    /* NaN unknown */
    double size;                     /* bytes; NaN */
    enum live_state state;
    const char *heat_class; /* "" without an alert */
    const char *why;        /* lines; "" without an alert */
};

struct live_view {
    struct live_region *regions;
    size_t count, capacity;
    char **texts; /* what the regions' strings are in */
    size_t text_count, text_capacity;
    unsigned servers_up, servers;
    double coverage; /* share of regions with rates; NaN */
    size_t hot;
    char message[160]; /* a problem of the source, or what is waited for */
};

void live_view_init(struct live_view *v);
void live_view_finish(struct live_view *v);
/* The row is zeroed but for NaN where that is unknown. */
struct live_region *live_view_add(struct live_view *v);
/* A copy of text that lives as long as the view; what is not printable ASCII becomes
 * '?', except for line ends. */
const char *live_view_text(struct live_view *v, const char *text);

/* Where the rows come from. */
struct live_source;
struct live_source_ops {
    /* Takes what has come in; true if *view was made anew. Never waits long. */
    bool (*update)(struct live_source *s, struct live_view *view);
    void (*destroy)(struct live_source *s);
};
struct live_source {
    const struct live_source_ops *ops;
};

/* The RegionServers behind an HBase master. NULL with a line in *error. */
struct live_source *live_hbase_create(const char *url, struct buf *error);
/* A hotspotd, or NULL with a line in *error; *ret_other is set when somebody else
 * answers there. */
struct live_source *live_daemon_create(const char *url, unsigned interval_s,
                                       bool *ret_other, struct buf *error);

#endif
