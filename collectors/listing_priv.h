/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the readers of the shell's text: listing_text.c (which form is it?),
 * listing_table.c, listing_hand.c, listing_status.c, listing_cells.c. */
#ifndef COLLECTORS_LISTING_PRIV_H
#define COLLECTORS_LISTING_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/listing_build.h"
#include "collectors/sample.h"

/* A piece of the text, not NUL-terminated. */
struct span {
    const char *s;
    size_t len;
};

/* The text under way: a cursor over its lines, and what is made of them. */
struct listing_text {
    const char *text;
    size_t len;
    size_t at;     /* where the next line begins */
    unsigned line; /* number of the current line, from 1 */
    struct listing *listing;
    struct listing_build *build;
    size_t max_rows;
    uint8_t *scratch; /* a region's name, un-escaped */
    size_t scratch_cap;
    char **ret_error;
};

/* The next line without its end (LF or CR LF); false when there is none. */
bool listing_next_line(struct listing_text *t, struct span *ret);
void listing_rewind(struct listing_text *t);

struct span span_of(const char *s); /* of a NUL-terminated string */
bool span_is(struct span span, const char *s);
bool span_begins(struct span span, const char *s);
/* Without blanks at both ends, or at its end. */
struct span span_trim(struct span span);
struct span span_trim_end(struct span span);
/* Up to the first `separator`, which is cut off *rest; the whole of it if there is
 * none. */
struct span span_cut(struct span *rest, const char *separator);

/* " 12 rows", "3 live servers": a number, a blank and one of the words of `after`
 * (separated by '/'), blanks around. False for all else. */
bool listing_count_line(struct span line, const char *after, size_t *ret);

/* Refuses the text: "line N: ..." in *ret_error. */
enum poll_outcome listing_refuse(const struct listing_text *t, unsigned line,
                                 const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A row for a region named by the shell (escaped, and dumped by Ruby if quoted).
 * POLL_OK, or the text is refused. */
enum poll_outcome listing_add_named(struct listing_text *t, struct span name,
                                    bool dumped, size_t *ret_row);
/* A region in transition by its encoded name, or by its full one: then it gets a row.
 */
enum poll_outcome listing_add_moving(struct listing_text *t, struct span name);
/* Takes a "Can not find all details for region: NAME , it may be ..." line; false if it
 * is none. */
bool listing_take_note(struct listing_text *t, struct span line);

enum column {
    COLUMN_SERVER,
    COLUMN_REGION,
    COLUMN_TABLE,
    COLUMN_START,
    COLUMN_END,
    COLUMN_SIZE,
    COLUMN_REQ,
    COLUMN_LOCALITY,
    COLUMN_OTHER,
    COLUMN_KINDS
};

/* A table's columns, in the order printed. */
enum { COLUMNS_MAX = 16 };
struct columns {
    size_t count;
    enum column kind[COLUMNS_MAX];
    size_t width[COLUMNS_MAX]; /* characters; fixed-width tables only */
};

/* By the header's text, in capitals. */
enum column listing_column(struct span title);
bool listing_has_column(const struct columns *columns, enum column kind);
/* A row from its cells, without blanks around, in the columns' order. */
enum poll_outcome listing_add_cells(struct listing_text *t,
                                    const struct columns *columns,
                                    const struct span *cells);
/* SIZE, REQ and LOCALITY, as they stand in cells and after "key=". */
int64_t listing_size(struct span cell);
double listing_locality(struct span cell);
/* Sets the counter and its bit; SAMPLE_INVALID for what is no counter, nothing when
 * empty. */
void listing_counter(struct span cell, uint8_t bit, uint64_t *ret, uint8_t *known);

/* " ---- | ---- |": the widths. */
bool listing_dash_row(struct span line, struct columns *ret);
/* Does the line name columns, one of them a region's? */
bool listing_hand_header(struct span line);

enum poll_outcome listing_read_tables(struct listing_text *t);
enum poll_outcome listing_read_hand(struct listing_text *t);
enum poll_outcome listing_read_status(struct listing_text *t);

#endif
