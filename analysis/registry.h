/* SPDX-License-Identifier: Apache-2.0 */
/* All that is known of tables, servers and regions now: the state that the engine's
 * parts share. Things live in slots of arrays and are named by slot number; a slot is
 * reused after its thing was removed. Owned by the engine, touched by its thread only.
 */
#ifndef ANALYSIS_REGISTRY_H
#define ANALYSIS_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/chronicle.h"
#include "analysis/facts.h"
#include "analysis/history.h"
#include "analysis/name_index.h"
#include "analysis/snapshot.h"
#include "analysis/window.h"
#include "collectors/sample.h"
#include "config/config.h"

#define META_TABLE "hbase:meta"
enum { REGIONS_MAX = 1000000, NEVER = -1 };

struct table {
    struct table_facts *facts; /* NULL: free slot */
    const struct rule *rule;   /* inside the configuration */
    bool ignored;
    bool is_meta;
    uint32_t regions;
    uint32_t episode;                /* of the detector, about the table; NO_INDEX */
    struct table_findings *findings; /* NULL: none */
    uint64_t reads, writes;          /* sums of accepted deltas */
    int64_t listed_ms; /* receipt (monotonic) of the last listing that had it */
    int64_t first_listed_ms;
    /* Where listings are the only source: */
    uint32_t listings; /* accepted ones that had it */
    int64_t as_of_ms;  /* of the last of them; NEVER */
    int64_t clock_ms;  /* time between their data since the first */
    int64_t sampled_mono_ms;
};

struct server {
    struct server_facts *facts; /* NULL: free slot */
    char *url;                  /* of the target that answered; NULL never */
    bool up;                    /* the last poll gave usable data */
    bool dead;                  /* so says the master */
    bool replaced;              /* another start of the same address took over */
    uint64_t polls;             /* accepted answers */
    int64_t clock_ms;           /* time on its own clock since its first answer */
    int64_t abs_ms;             /* server_time_ms of the last accepted answer */
    int64_t sampled_mono_ms;    /* receipt of the last accepted answer */
    int64_t answered_mono_ms;   /* receipt of the last usable answer, repeated or not */
    int64_t answered_wall_ms;
    int64_t heard_mono_ms; /* answer, or mention by the master or a listing */
    struct age_probe probes[AGE_PROBES];
    size_t probe_count;
    double signals[SIGNAL_COUNT];
    double cache_hit_ratio;
    double signal_rates[SIGNAL_COUNT]; /* as in struct server_row */
    unsigned handlers;
    int64_t memstore_limit_bytes;
    uint32_t diagnoses; /* 1 << DIAGNOSIS_*, as of the last evaluation */
    uint32_t turn;      /* sessions of row sampling asked for; */
    int64_t turn_ms;    /* the last of them (monotonic); NEVER */
    uint64_t reads, writes;
    struct known_slots known;
    /* Of the last evaluation. */
    uint32_t regions;
    uint32_t judged;  /* of them: with a rate */
    uint32_t episode; /* of the detector, about its address; NO_INDEX */
    double rate[ACCESS_COUNT];
    double newest[ACCESS_COUNT]; /* of the newest pairs */
    /* Of them the part that other alerts are about (analysis/judge_server.c). */
    double excused[ACCESS_COUNT], excused_newest[ACCESS_COUNT];
    bool excused_fires; /* one of these alerts fires */
};

struct region {
    struct region_facts *facts; /* NULL: free slot */
    struct region_id id;        /* as in the facts, but at hand */
    uint32_t table;
    uint32_t server;             /* NO_INDEX: on none known */
    uint32_t listed_server;      /* where the last listing has it; NO_INDEX */
    uint32_t episode;            /* of the detector; NO_INDEX */
    uint64_t read, write, total; /* counters as of the newest sample here */
    uint8_t known;               /* SAMPLE_* of them */
    uint8_t pair_valid;          /* PAIR_* of the newest pair, and how long it took; */
    uint16_t replica;            /* as in the facts */
    uint32_t pair_dt_ms;         /* for the rest of it see region_last_pair() */
    bool advanced;               /* the newest pair was not all zero */
    bool in_transition;
    bool born;               /* its origin is still looked for */
    bool waiting;            /* and it may be the heir of an alert's missing region */
    bool split;              /* others took its place; it hardly comes back */
    uint32_t twin;           /* first of the copies that other servers list; NO_INDEX */
    uint32_t poll;           /* number (low bits) of the answer it was last listed in */
    int64_t clock_ms;        /* the clock of its source at the newest sample */
    int64_t sampled_mono_ms; /* NEVER: not in any answer yet */
    int64_t sampled_wall_ms;
    int64_t listed_mono_ms;  /* NEVER: in no listing yet */
    int64_t first_mono_ms;   /* first sampled, or first listed before that */
    int64_t traffic_mono_ms; /* newest traffic, or the same */
    int64_t paired_from_ms;  /* pairs reach back to here; NEVER: no pair yet */
    int64_t size_bytes;
    float locality;
    /* Of the last evaluation. */
    bool fresh;
    float rate[ACCESS_COUNT];
    float newest[ACCESS_COUNT];
    struct window *window; /* NULL: no traffic in it */
    struct history history;
};

/* A second copy of a region that another server lists: a move seen from its new server
 * first, or a copy left behind. It counts for nothing until it becomes the region. */
struct twin {
    uint32_t region;
    uint32_t server;
    uint32_t next; /* of the same region; NO_INDEX */
    uint64_t read, write, total;
    uint8_t known;
    uint32_t poll;         /* as in struct region */
    uint32_t first_poll;   /* the first answer of its server that had it */
    int64_t first_mono_ms; /* receipt of that */
    int64_t clock_ms;
    int64_t seen_mono_ms;
};

struct registry {
    struct table *tables;
    uint32_t table_slots, table_count; /* of them in use */
    struct name_index table_names;
    struct server *servers;
    uint32_t server_slots, server_count;
    struct name_index server_names;
    struct region *regions;
    uint32_t region_slots;
    size_t table_cap, server_cap, region_cap;
    struct twin *twins;
    uint32_t twin_count;
    size_t twin_cap;

    uint32_t region_count; /* slots in use */
    uint32_t free_region;  /* chain through `episode`; NO_INDEX ends */
    uint32_t *buckets;     /* open addressing, slot + 1; 0 empty */
    uint32_t bucket_mask;

    struct chronicle chronicle;
    struct history_clock history;
    const struct config *config;
    int64_t cadence_ms;       /* between two samples of a region: the poll interval, or
                                 what lies between two listings where they are all */
    int64_t listing_dt_ms;    /* between the last two listings that gave samples */
    bool text_only;           /* poll.jmx is off */
    int64_t whole_listing_ms; /* receipt of the last listing of the whole cluster */
    uint64_t rejected_regions;
    uint64_t window_bytes;
};

void registry_init(struct registry *r, const struct config *config);
void registry_finish(struct registry *r);
/* Re-reads the rules for all tables. */
void registry_configure(struct registry *r, const struct config *config);

/* The slot of a table, made if new. */
uint32_t registry_table(struct registry *r, const char *name);
uint32_t registry_find_table(const struct registry *r, const char *name);
/* The slot of a server "host,port,startcode", made if new (older starts of the address
 * become `replaced`); NO_INDEX if the name is malformed. */
uint32_t registry_server(struct registry *r, const char *name, int64_t mono_ms);
uint32_t registry_find_server(const struct registry *r, const char *name);
/* A new answer of this start arrived: other starts of its address that were heard of no
 * later are `replaced`, whatever their codes say (a clock may have been set back). */
void registry_claim_address(struct registry *r, uint32_t slot, int64_t mono_ms);
/* Removes the servers not heard of since since_ms (monotonic). */
void registry_expire_servers(struct registry *r, int64_t since_ms);

uint32_t registry_find_region(const struct registry *r, struct region_id id);
/* A new region without keys; NO_INDEX (counted) above REGIONS_MAX. */
uint32_t registry_add_region(struct registry *r, struct region_id id, uint32_t table,
                             uint16_t replica, int64_t mono_ms);
void registry_remove_region(struct registry *r, uint32_t slot);
/* Removes tables that have no regions any more, and that no episode is about. */
void registry_sweep_tables(struct registry *r);

/* The copy of a region on a server, or NULL. */
struct twin *registry_find_twin(struct registry *r, uint32_t region, uint32_t server);
/* Makes one (not yet there); NULL when the region has TWINS_MAX already. Pointers to
 * twins hold until the next change. */
enum { TWINS_MAX = 8 };
struct twin *registry_add_twin(struct registry *r, uint32_t region, uint32_t server);
/* Forgets the copies of a region that other servers list. */
void registry_drop_twins(struct registry *r, uint32_t region);
/* Forgets copies not seen since `since_ms` (monotonic). */
void registry_expire_twins(struct registry *r, int64_t since_ms);

/* Forgets pairs: rates start anew with the next pair. */
void region_restart_window(struct registry *r, struct region *region);

/* The detection window and a rule's `for`: as configured, but at least two cadences
 * where listings are the only source. */
int64_t registry_window_ms(const struct registry *r);
int64_t registry_for_ms(const struct registry *r, const struct rule *rule);
/* A sample older than this is not fresh: two cadences and the time-out. */
int64_t registry_patience_ms(const struct registry *r);

/* Listed by its server's newest answer (by its table's newest listing, where listings
 * are the only source). */
bool region_in_answer(const struct registry *r, const struct region *region);
/* The slot of the server that has it now; NO_INDEX if that one is lost, or answers
 * without it and no listing has said since where it is. */
uint32_t region_host(const struct registry *r, const struct region *region);
/* The newest pair; paired_from_ms is not NEVER. Without a window it was all zero. */
struct pair region_last_pair(const struct region *region);
/* What a region without a history ring was. */
struct history_past region_past(const struct registry *r, const struct region *region);

/* The first `tables:` entry whose glob matches, else the defaults. */
const struct rule *rule_for(const struct detection_config *d, const char *table);
bool table_is_ignored(const struct detection_config *d, const char *table);

#endif
