/* SPDX-License-Identifier: Apache-2.0 */
/* JMX object names and attribute selection, as far as HBase's /jmx knows them.
 * Source: HBase JMXJsonServlet.java, JSONBean.java; javax.management.ObjectName. */
#ifndef SIM_OBJECT_NAME_H
#define SIM_OBJECT_NAME_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/sim/shape.h"

/* "domain:key=value,...": false for what the JVM calls malformed. */
bool object_name_ok(const char *pattern);
/* Does the pattern ("Hadoop:service=HBase,*", values with '*' and '?') match the name?
 */
bool object_name_matches(const char *pattern, const char *name);

/* Which attributes of the matching beans an answer holds. */
enum selector_kind {
    SELECT_ALL,
    SELECT_ONE,     /* get=BEAN::NAME */
    SELECT_PATTERN, /* get=BEAN::REGEX,REGEX: found anywhere in the name */
};

struct selector_piece {
    bool whole;  /* ^(A|B)$ or ^A$: the name is one of the words */
    bool suffix; /* _metric_*(A|B)$: the name ends so */
    char *text;  /* the words, each ended by a NUL; a dot stands for any character */
    size_t words;
    bool compiled;
    regex_t regex; /* everything else */
};

struct selector {
    enum selector_kind kind;
    char *one;
    struct selector_piece *pieces;
    size_t count;
};

/* attribute NULL: all. False if a piece is no regular expression. */
bool selector_init(struct selector *s, const char *attribute, bool regex);
void selector_finish(struct selector *s);
bool selector_matches(const struct selector *s, const char *name, size_t len);
/* A bit for each of the shape's region attributes, if the choice depends on the suffix
 * alone; false if each name must be looked at. */
bool selector_region_mask(const struct selector *s, const struct shape *shape,
                          uint64_t *ret_mask);

#endif
