/* SPDX-License-Identifier: Apache-2.0 */
/* How the rows of an answer become a table: columns by JSON member. */
#ifndef HOTSPOTCTL_API_VIEW_H
#define HOTSPOTCTL_API_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buf.h"

struct cJSON;

enum api_kind {
    API_TEXT,
    API_RATE,  /* 1/s */
    API_RATIO, /* "127x" */
    API_SHARE, /* "82.8 %" */
    API_BYTES,
    API_COUNT,
    API_TIME, /* "04:35:32Z" of today, else with the date */
    API_SECONDS,
};

struct api_column {
    const char *title;
    const char *name; /* of the CSV */
    const char *path; /* of the member, dotted */
    enum api_kind kind;
    bool optional; /* left out where the terminal is too narrow */
};

/* The member as people read it ("-" for null) or, raw, as the CSV has it. */
void api_format(const struct api_column *column, const struct cJSON *row, bool raw,
                struct buf *out);

struct api_print {
    bool csv;
    bool color;
    unsigned width; /* of the terminal; 0: no limit */
};

/* The rows as a table or CSV. Rows whose "state" is firing or pending are coloured. */
void api_print_rows(const struct api_column *columns, size_t count,
                    const struct cJSON *rows, const struct api_print *how,
                    struct buf *out);
/* One object as lines "TITLE  value", or as CSV with one row. */
void api_print_object(const struct api_column *columns, size_t count,
                      const struct cJSON *object, const struct api_print *how,
                      struct buf *out);

/* Text from outside without control characters. */
void add_clean(struct buf *out, const char *text);

#endif
