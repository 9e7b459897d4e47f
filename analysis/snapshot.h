/* SPDX-License-Identifier: Apache-2.0 */
/* The result of one evaluation: immutable, reference-counted, all that HTTP answers are
 * made of (save for history, analysis/engine.h). The contract between analysis and
 * daemon. Rates are requests/s over the detection window (reads are rows/s); NaN is
 * unknown, INFINITY is a ratio against a zero baseline. */
#ifndef ANALYSIS_SNAPSHOT_H
#define ANALYSIS_SNAPSHOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/facts.h"
#include "collectors/sample.h"
#include "common/clock.h"
#include "config/config.h"

#define NO_INDEX UINT32_MAX

/* State of a region, a table or a server: its worst alert. */
enum heat { HEAT_NORMAL, HEAT_PENDING, HEAT_FIRING, HEAT_COUNT };
const char *heat_name(enum heat heat); /* "normal", "pending", "firing" */

struct region_row {
    struct region_facts *facts;
    uint32_t table;  /* index into snapshot.tables */
    uint32_t server; /* index into snapshot.servers; NO_INDEX: nowhere known */
    float rate[ACCESS_COUNT];
    float ratio;            /* total rate / baseline of the table's rule */
    float locality;         /* 0 to 1; NaN */
    int64_t size_bytes;     /* -1 unknown */
    int64_t last_sample_ms; /* wall clock of the newest new sample; -1 none */
    uint64_t read_count;    /* HBase's counters, as of the newest sample */
    uint64_t write_count;
    uint8_t heat;
    bool stale;      /* not fresh: no new sample for 2 intervals + timeout */
    bool has_counts; /* read_count and write_count are known */
    bool in_transition;
    bool no_metrics; /* listed, but never in a server's answer */
};

struct table_findings;

struct table_row {
    struct table_facts *facts;
    uint32_t regions; /* primaries and replicas known */
    uint32_t fresh;
    double rate[ACCESS_COUNT];
    double effective_regions; /* (sum r)^2 / sum r^2 over total rates; 0 when idle */
    double skew;              /* hottest / mean of the others; NaN below two regions */
    uint32_t hottest;         /* index into snapshot.regions or NO_INDEX */
    uint64_t reads, writes;   /* sums of accepted deltas since the start */
    enum heat heat;
    bool ignored;                    /* detection.ignore_tables */
    struct table_findings *findings; /* analysis/table_findings.h; NULL: none */
};

struct server_row {
    struct server_facts *facts;
    uint32_t regions;
    double rate[ACCESS_COUNT];
    double skew;            /* total / mean of the other live servers */
    uint64_t reads, writes; /* sums of accepted deltas since the start */
    double signals[SIGNAL_COUNT];
    double cache_hit_ratio; /* of the last pair; NaN without block reads */
    double
        signal_rates[SIGNAL_COUNT]; /* counters: per second over the last pair; NaN */
    unsigned handlers;              /* 0 unknown */
    int64_t memstore_limit_bytes;   /* -1 unknown */
    uint32_t diagnoses;             /* 1 << DIAGNOSIS_* */
    int64_t last_success_ms;        /* wall clock; -1 never */
    bool up;                        /* the last poll gave usable data */
    bool dead;                      /* the master lists it as dead */
    enum heat heat;
    char *url; /* of the target; NULL when only listed */
};

enum alert_kind {
    ALERT_REGION,
    ALERT_TABLE,
    ALERT_SERVER,
    ALERT_META,
    ALERT_KIND_COUNT
};
const char *alert_kind_alertname(enum alert_kind kind); /* "HBaseRegionHot", ... */
const char *alert_kind_name(enum alert_kind kind);      /* "region", ... */

enum alert_state { ALERT_PENDING, ALERT_FIRING, ALERT_RESOLVED, ALERT_STATE_COUNT };
const char *alert_state_name(enum alert_state state);

/* Why an alert ended. */
enum end_reason {
    END_NONE,
    END_COOLED,
    END_SPLIT,  /* the daughters are not hot */
    END_MERGED, /* goes on in the other region's alert */
    END_DROPPED,
    END_DISABLED,
    END_SERVER_LOST,
    END_RULE_CHANGED,
    END_UNKNOWN, /* nothing heard of the region for the hold time */
    END_REASON_COUNT
};
const char *end_reason_name(enum end_reason reason);

enum lineage_event { LINEAGE_MOVE, LINEAGE_SPLIT, LINEAGE_MERGE, LINEAGE_EVENT_COUNT };
const char *lineage_event_name(enum lineage_event event);

struct lineage_entry {
    int64_t time_ms; /* wall clock */
    enum lineage_event event;
    char from[80]; /* server address or encoded region name(s) */
    char to[80];
};

/* Why a region, table or server is hot; rules in analysis/explain.c. */
enum heat_class {
    CLASS_UNKNOWN,
    CLASS_META,
    CLASS_UNSPLIT_TABLE,
    CLASS_SCAN,
    CLASS_SEQUENTIAL,
    CLASS_POPULAR_KEY,
    CLASS_BIG_REGION,
    CLASS_POPULAR_RANGE,
    CLASS_SERVER_WIDE,
    CLASS_COUNT
};
const char *heat_class_name(enum heat_class heat_class); /* "unknown", "meta", ... */

/* What a server suffers from beside its load; bits of a set. Rules in
 * analysis/diagnosis.c. */
enum diagnosis {
    DIAGNOSIS_HANDLERS_BUSY,
    DIAGNOSIS_CACHE_SWEPT,      /* block cache misses, while a scan reads through it */
    DIAGNOSIS_CACHE_SMALL,      /* block cache misses without one */
    DIAGNOSIS_MEMSTORE_BLOCKED, /* updates wait for the memstore limit */
    DIAGNOSIS_COMPACTION_BEHIND,
    DIAGNOSIS_GC,
    DIAGNOSIS_COUNT
};
const char *diagnosis_name(enum diagnosis diagnosis); /* "handlers-busy", ... */

/* A line for the HBase shell, escaped so that it can be pasted, and what it is for. */
struct shell_command {
    char *command;
    char *why;
};

struct sampled_row {
    unsigned char *row;
    size_t row_len;
    double share; /* of the sampled calls */
};

struct sampled_client {
    char *address;
    double share;
};

/* Why an alert's subject is hot and what to do about it. Immutable and
 * reference-counted, since it changes seldom and copies of alerts share it. */
struct explanation {
    atomic_uint refs;
    enum heat_class heat_class;
    char *evidence; /* for people: what speaks for the class, with figures */
    char *advice;   /* for people: what to do; without row keys */
    struct shell_command *commands;
    size_t command_count;
    /* With row sampling, else nothing: */
    size_t samples;
    struct sampled_row *rows; /* most popular first */
    size_t row_count;
    struct sampled_client *clients; /* busiest first */
    size_t client_count;
    bool rows_rise;           /* in the order of time */
    unsigned char *split_key; /* the load-weighted middle; NULL unknown */
    size_t split_key_len;
};
struct explanation *explanation_ref(struct explanation *e);
struct explanation *explanation_unref(struct explanation *e); /* accepts NULL */

enum { ALERT_MEMBERS_MAX = 8, LINEAGE_MAX = 32, ALERT_TOP_MAX = 5 };

/* The hottest regions of a table or server, in its alert. */
struct top_region {
    struct region_facts *region;
    struct table_facts *table;
    struct server_facts *server; /* NULL: on none known */
    double rate;                 /* total */
    double share;                /* of the table, the server or the cluster */
};

struct alert {
    enum alert_kind kind;
    enum alert_state state;
    enum severity severity;
    struct label_list labels; /* the rule's extra labels; owned */
    struct region_id origin; /* the region in which the episode began: label `region` */
    struct table_facts *table;

    int64_t active_at_ms;   /* first hot evaluation of the episode, wall clock */
    int64_t starts_at_ms;   /* when it fired; -1 while pending */
    int64_t hot_since_ms;   /* active_at of the whole story */
    int64_t resolved_at_ms; /* -1 while it lasts */
    enum end_reason reason;
    bool stale; /* its regions are not fresh; held */

    enum access access; /* highest ratio when it fired */
    double rate[ACCESS_COUNT];
    double newest_rate[ACCESS_COUNT]; /* of the newest pair */
    double baseline;
    enum baseline_kind baseline_kind;
    double ratio;
    double share;        /* of the table's rate of that access */
    double server_share; /* of its server's total rate */
    double threshold;
    double min_rate;
    double limit;
    uint32_t regions_in_table;
    uint32_t regions_fresh;
    double effective_regions;

    struct region_facts *region; /* the hottest one now */
    struct region_facts *members[ALERT_MEMBERS_MAX];
    uint32_t member_count;
    struct server_facts *server; /* where it is, or was last known; NULL: on none */
    /* Of its server, as in its row: */
    double server_signals[SIGNAL_COUNT];
    double server_signal_rates[SIGNAL_COUNT];
    double server_cache_hit_ratio;
    int64_t server_memstore_limit_bytes;
    int64_t last_sample_ms;
    struct lineage_entry *lineage; /* oldest first; the newest are kept; owned */
    uint32_t lineage_count;

    /* Of table and server alerts. Of a server alert `table`, `origin` and `region` say
     * nothing, and `server` is its subject. */
    struct top_region top[ALERT_TOP_MAX];
    uint32_t top_count;
    uint32_t hot_regions;    /* table: regions above their limit without an alert */
    bool overflow;           /* table: that is why it is raised; without `table`: what
                                is beyond max_alerts, in the whole cluster */
    uint32_t regions;        /* server: regions on it */
    unsigned handlers;       /* of the server; 0 unknown */
    uint32_t diagnoses;      /* of the server; 1 << DIAGNOSIS_* */
    struct explanation *why; /* NULL: not looked at yet */
};

/* A change worth telling, in the order in which it happened. */
enum event_kind { EVENT_FIRED, EVENT_RESOLVED, EVENT_HELD, EVENT_KIND_COUNT };
const char *event_kind_name(enum event_kind kind); /* "fired", "resolved", "held" */

struct snapshot {
    atomic_uint refs;
    uint64_t number; /* of the evaluation, from 1 */
    struct moment at;
    double window_seconds;

    struct region_row *regions; /* any order */
    uint32_t region_count;
    struct table_row *tables; /* by name */
    uint32_t table_count;
    struct server_row *servers; /* by name; dead ones last seen in the hold time too */
    uint32_t server_count;
    struct alert *alerts; /* firing before pending, higher ratio first */
    uint32_t alert_count;

    uint32_t fresh;          /* regions with a new sample in time */
    uint32_t active;         /* regions with a rate above 0 */
    uint32_t without_server; /* regions known but on no server */
    uint32_t no_metrics;     /* listed but never in a server's answer */
    uint32_t servers_up;
    double coverage; /* fresh / regions; 0 without regions */
    uint32_t firing;
    uint32_t pending;
    uint32_t suppressed; /* hot, but beyond max_alerts(_per_table) */
};

struct snapshot *snapshot_ref(struct snapshot *s);
/* Accepts NULL; returns NULL. Callable from any thread. */
struct snapshot *snapshot_unref(struct snapshot *s);

/* Index of a region, or NO_INDEX (linear). */
uint32_t snapshot_find_region(const struct snapshot *s, struct region_id id);

/* Deep copy and release of labels. */
void label_list_copy(struct label_list *to, const struct label_list *from);
void label_list_finish(struct label_list *l);
/* Deep copy and release of an alert (events keep copies). */
void alert_copy(struct alert *to, const struct alert *from);
void alert_finish(struct alert *a);
/* Forgets the hottest regions. */
void alert_clear_top(struct alert *a);

#endif
