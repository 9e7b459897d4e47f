/* SPDX-License-Identifier: Apache-2.0 */
/* What is odd about a table beside its heat: regions that could be merged, too many or
 * too few of them, uneven sizes, few servers. Made from the registry after a listing
 * and every FINDINGS_EVALUATIONS evaluations; immutable and reference-counted, shared
 * by the snapshots. */
#ifndef ANALYSIS_TABLE_FINDINGS_H
#define ANALYSIS_TABLE_FINDINGS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/snapshot.h"

enum { FINDINGS_EVALUATIONS = 20, FINDING_COMMANDS = 5 };

enum table_finding_kind {
    FINDING_MERGE,        /* neighbours that are small and idle */
    FINDING_MANY_REGIONS, /* above the guide of 10 to 30 a server */
    FINDING_FEW_REGIONS,  /* for the table's size */
    FINDING_UNEVEN_SIZES,
    FINDING_FEW_SERVERS,
    FINDING_KIND_COUNT
};
const char *table_finding_name(enum table_finding_kind kind); /* "merge", ... */

struct table_finding {
    enum table_finding_kind kind;
    char *text; /* for people, with figures */
    struct shell_command commands[FINDING_COMMANDS];
    size_t command_count;
};

struct table_findings {
    atomic_uint refs;
    size_t count;
    struct table_finding items[FINDING_KIND_COUNT];
};
struct table_findings *table_findings_ref(struct table_findings *f);
/* Accepts NULL; returns NULL. */
struct table_findings *table_findings_unref(struct table_findings *f);

/* Thresholds; docs/detection.md explains them. */
struct table_limits {
    double small_bytes;      /* of a region, for a merge */
    int64_t idle_ms;         /* without traffic, for a merge */
    double regions_a_server; /* more are many */
    double region_bytes;     /* on average; more are few regions */
    double uneven;           /* largest / median */
    double uneven_bytes;     /* of the largest, at least */
    uint32_t least_regions;  /* for uneven sizes and few servers */
};
extern const struct table_limits table_limits;

struct registry;
/* Anew for all tables; linear in regions but for the sorting of each table's. */
void table_findings_update(struct registry *r, uint32_t live_servers, int64_t mono_ms);

#endif
