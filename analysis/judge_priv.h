/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules (analysis/judge.c, judge_table.c, judge_server.c) share. */
#ifndef ANALYSIS_JUDGE_PRIV_H
#define ANALYSIS_JUDGE_PRIV_H

#include "analysis/detector.h"
#include "analysis/load.h"
#include "analysis/registry.h"

/* The regions that are compared with one another. */
struct scope {
    const struct rule *rule;
    bool ignored;
    bool is_meta;
    bool blind;    /* too few are fresh for a new alert */
    bool alerting; /* a region of it is pending or firing */
    struct scope_entry *entries;
    uint32_t count;    /* known */
    uint32_t judged;   /* of them */
    bool without_idle; /* regions idle for a day are no others */
    double floor;      /* min_server_share as a rate */
    struct distribution by_access[ACCESS_COUNT];
    const struct table_view *view;
};

/* One evaluation's tools, handed down. */
struct judge {
    struct detector *d;
    struct registry *r;
    struct load *load;
    struct moment now;
};

/* Table rule, after the regions of the scope (the primaries of a table) were judged. */
void judge_table_rule(const struct judge *p, const struct scope *s, uint32_t table);

/* Another alert tells of the region's load (it fires, or is pending), or none may tell
 * of it: no server is hot by it. Once for each region. */
void judge_excuse(const struct judge *p, struct scope_entry *entry, bool fires);
/* The same for all regions of a scope. */
void judge_excuse_scope(const struct judge *p, const struct scope *s, bool fires);

#endif
