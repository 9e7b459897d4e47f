/* SPDX-License-Identifier: Apache-2.0 */
/* Strict reading of query strings: each route lists its parameters; anything else, a
 * value that is not of its kind, or a parameter given twice is an error that names the
 * parameter and what was expected. Pure. */
#ifndef DAEMON_QUERY_H
#define DAEMON_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"

enum { QUERY_PARAMS_MAX = 8, QUERY_LIMIT_MAX = 10000, QUERY_TEXT_MAX = 1024 };

enum param_kind {
    PARAM_TEXT,     /* up to QUERY_TEXT_MAX bytes of UTF-8, not empty */
    PARAM_LIMIT,    /* 1 to QUERY_LIMIT_MAX */
    PARAM_COUNT,    /* low to high */
    PARAM_OFFSET,   /* 0 to 10,000,000 */
    PARAM_CHOICE,   /* one of `choices` */
    PARAM_TIME,     /* RFC 3339 or Unix seconds; value.ms */
    PARAM_DURATION, /* "30s" or seconds, above 0; value.ms */
};

struct param {
    const char *name; /* NULL ends a list */
    enum param_kind kind;
    const char *const *choices; /* ends in NULL */
    uint64_t low, high;         /* of PARAM_COUNT */
};

struct param_value {
    bool set;
    char *text;      /* PARAM_TEXT; freed by query_finish() */
    uint64_t number; /* PARAM_LIMIT, _COUNT, _OFFSET; index of PARAM_CHOICE */
    int64_t ms;      /* PARAM_TIME (wall), PARAM_DURATION */
};

/* Values in the order of the params. */
struct query {
    struct param_value values[QUERY_PARAMS_MAX];
};

/* Reads what stands behind '?' (percent-encoded, '+' is a blank). On failure -EINVAL
 * with the reason appended to *error; the caller ends with query_finish() either way.
 */
int query_parse(const char *text, const struct param *params, struct query *ret_query,
                struct buf *error);
void query_finish(struct query *q);

/* RFC 3339 ("2026-11-30T22:10:24.5Z", "…+01:00") to Unix ms. -EINVAL if it is not. */
int rfc3339_parse(const char *s, size_t len, int64_t *ret_ms);

#endif
