/* SPDX-License-Identifier: Apache-2.0 */
/* hotspotctl top, and what its parts share: the state of the screen. */
#ifndef HOTSPOTCTL_TOP_H
#define HOTSPOTCTL_TOP_H

#include "hotspotctl/live.h"

struct invocation;

/* The command; returns an exit status. */
int top(struct invocation *in);

enum top_screen { TOP_TABLES, TOP_REGIONS, TOP_KEYS, TOP_HELP };
enum top_order {
    ORDER_RATE,
    ORDER_READ,
    ORDER_WRITE,
    ORDER_RATIO,
    ORDER_NAME,
    ORDER_COUNT
};

/* A line of the list: a table's sums, or one region. */
struct top_line {
    const struct live_region *region; /* of a table, the hottest */
    size_t regions;
    double read, write, ratio;
    enum live_state state;
};

struct top_state {
    enum top_screen screen;
    enum top_order order;
    char table[256];                  /* chosen; "" all */
    char region[REGION_ID_TEXT_SIZE]; /* chosen */
    char filter[64];
    bool typing; /* the filter is being typed */
    bool only_hot;
    size_t cursor, first; /* lines */
    struct top_line *lines;
    size_t line_count, line_capacity;
    const char *source;
};

const char *top_order_name(enum top_order order);

/* Makes the lines that the state asks for of the view; keeps the cursor within. */
void top_arrange(struct top_state *s, const struct live_view *view);

/* Draws the whole screen. */
void top_draw(struct top_state *s, const struct live_view *view);

/* Handles a key of ncurses; false to end. */
bool top_key(struct top_state *s, int key);

#endif
