/* SPDX-License-Identifier: Apache-2.0 */
/* What happened to people who ran, built or watched HBase and its siblings, and which
 * scenario or unit test meets it in general form. report.py checks that each exists. */
#include "tests/scenarios/report.h"

struct field_case {
    const char *source; /* where it was told */
    const char *what;
    const char *met; /* names of kinds and unit tests, by commas */
};

static const struct field_case cases[] = {
    {"HBASE-5283, HBASE-13847", "counters that turn negative, or run over",
     "negative-counters, narrow-counters, wraps_are_no_rates"},
    {"HBASE-12961, HBASE-22656", "totals of servers and tables that lie",
     "a_region_leaves_and_only_its_share_is_lost"},
    {"HBASE-23237", "a region leaves, the server's rate turns negative",
     "balancer, a_region_leaves_and_only_its_share_is_lost"},
    {"HBASE-24164", "a reopened region keeps some of its counters",
     "partly-reopened, each_counter_by_itself"},
    {"HBASE-26872", "a rate across a reset",
     "restarts, reopened, a_reset_gives_no_rate"},
    {"HBASE-4215, HBASE-16675", "standing or missing figures are not zero",
     "unknown_is_not_zero, blind"},
    {"HBASE-14166, HBASE-27617", "a former server goes on showing a region",
     "frozen-copy, creeping-copy, disagreement, a_frozen_copy_counts_for_nothing"},
    {"HBASE-14082", "read replicas are not their primaries",
     "hot-replica, cool-replicas, replicas_are_judged_apart"},
    {"HBASE-3945", "one region is moved again and again",
     "moved-on-and-on, back-and-forth, a_chain_of_moves"},
    {"hbtop", "the first difference after a move",
     "moved-high-counters, moved-keeping-counters, "
     "a_move_is_a_baseline_even_if_it_rises"},
    {"DevOps-Python-tools", "one new region, a whole host is left out",
     "cool-splits, a_new_region_leaves_the_others_alone"},
    {"OpenTSDB #1157", "for some polls a region is on no server",
     "long-transit, in_transition_is_not_dropped"},
    {"hbase-region-inspector #2", "a server without regions",
     "a_server_without_regions"},
    {"HBASE-29356", "regions without load are not idle ones",
     "unknown_is_not_zero, never_judge_blind"},
    {"HBase's metric hash", "a region that never has metrics",
     "listed_but_without_metrics"},
    {"HBASE-16211, HBASE-24075", "the metrics system restarts: no beans",
     "empty-beans, an_empty_answer_changes_nothing"},
    {"HBASE-14274", "polls that hang", "late-polls, lost-polls, silent-server, storm"},
    {"HBASE-27390", "the listing fails for hours",
     "no-listings, tail-without-listings, without_listings"},
    {"HBase's 10 s metrics cache", "two polls see the same values",
     "within-cache, clock-untold, cached_answers_without_a_clock"},
    {"incident report, March 2025", "hot regions beside meta, retries, time-outs",
     "beside-meta, storm"},
    {"a shared table, 2022", "one region of 400 has 60 % of the reads",
     "popular-rows, popular_rows_of_a_large_table"},
    {"HBASE-25126, HBASE-25291", "meta itself is hot, or moved while hot",
     "hot-meta, hot-meta-moved, meta-and-region, busy-meta"},
    {"OpenTSDB #991", "salt buckets sit together on one server",
     "crowded-server, crowd-comes-and-goes"},
    {"OpenTSDB #783", "four regions, even a large table",
     "1-of-2, 1-of-3, 1-of-4-or-5, bursts"},
    {"hbase-dev, February 2013", "monotonic keys: the heat is always at the end",
     "tail-ten, tail-moving, tail-fast, marching"},
    {"a time-series store", "thousands of small tables",
     "tiny-tables, uneven-tiny-tables, hot-tiny-tables"},
    {"HBase administration cookbook", "writes matter apart from reads",
     "hot-writes, reads-and-writes, hot-total"},
    {"HBase book, case study", "suspected and ruled out", "uniform, busy, below-limit"},
    {"Halyard #55", "heat that wanders with queries", "wandering-reads, pulse, bursts"},
    {"ALM-19038", "only after the stated time, whatever the interval",
     "fires_exactly_after_for, for_at_another_interval, square-wave"},
    {"CockroachDB #76895", "history across a split",
     "split-one-hot, split-both-hot, series_of_a_young_daemon"},
    {"CockroachDB's documentation", "one write a minute is no hotspot",
     "crumbs, in-idle-table"},
    {"span statistics", "a ring that is driven round",
     "raw_ring_driven_round_and_round, oldest_are_overwritten_in_order"},
    {"ten thousand regions", "an idle majority", "idle-majority, time-partitions"},
    {"300,000 regions", "size",
     "huge-table, ten_thousand_tables_on_a_thousand_servers"},
};

void
report_cases(FILE *out)
{
    fprintf(out, "| told by | what | met by |\n|---|---|---|\n");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fprintf(out, "| %s | %s | `", cases[i].source, cases[i].what);
        for (const char *p = cases[i].met; *p != '\0'; p++)
            if (*p == ',')
                fprintf(out, "`, `%s", p[1] == ' ' ? (p++, "") : "");
            else
                fputc(*p, out);
        fprintf(out, "` |\n");
    }
}
