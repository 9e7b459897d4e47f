/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and columns of text, printed as an aligned table or as CSV (RFC 4180, lines end
 * in LF). */
#ifndef HOTSPOTCTL_GRID_H
#define HOTSPOTCTL_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buf.h"

struct grid_column {
    const char *title; /* of the table */
    const char *name;  /* of the CSV */
    bool right;        /* numbers stand on the right */
    bool optional;     /* left out of a table that is too wide */
};

enum { GRID_COLUMNS_MAX = 20 };

enum grid_style { GRID_PLAIN, GRID_RED, GRID_YELLOW, GRID_BOLD };

struct grid {
    const struct grid_column *columns;
    size_t column_count;
    size_t filled;     /* cells so far */
    struct buf cells;  /* each with a NUL behind */
    struct buf styles; /* a byte for each row that is not plain, or follows one */
    size_t width[GRID_COLUMNS_MAX];
    bool hidden[GRID_COLUMNS_MAX];
};

/* columns stay the caller's. */
void grid_init(struct grid *g, const struct grid_column *columns, size_t count);
void grid_finish(struct grid *g);

/* The next cell, row by row. Control bytes become '?'. */
void grid_add(struct grid *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Colour of the row that begins with the next cell. */
void grid_style(struct grid *g, enum grid_style style);

void grid_print_table(const struct grid *g, struct buf *out);
void grid_print_csv(const struct grid *g, struct buf *out);

/* As a table without optional columns, from the right, until it is no wider than width
 * (0: no limit). */
void grid_print_narrow(struct grid *g, size_t width, struct buf *out);

#endif
