/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated cluster: tables, regions, servers, masters and what happens to them.
 * Every function takes the scenario time t in ms, which never goes back; nothing here
 * reads a clock or does I/O. Regions are counted from 0 in key order, servers from 1.
 */
#ifndef SIM_CLUSTER_H
#define SIM_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/region_id.h"
#include "tests/sim/draw.h"
#include "tests/sim/flow.h"

enum hbase_version { HBASE_2_6, HBASE_2_4, HBASE_1_7, HBASE_VERSION_COUNT };

/* "2.6.4" ... */
const char *hbase_version_name(enum hbase_version version);

/* Why something cannot be done, for people; "" when all is well. */
struct problem {
    char text[256];
};
/* Always -EINVAL. */
int problem_set(struct problem *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How an HTTP endpoint misbehaves; the argument is a delay in ms or a status. */
enum fault {
    FAULT_NONE,
    FAULT_FAILS,        /* connection refused */
    FAULT_HANGS,        /* takes the request, never answers */
    FAULT_SLOW,         /* answers after `argument` ms */
    FAULT_DRIPS,        /* 32 bytes each 100 ms */
    FAULT_GARBAGE,      /* status 200, bytes that are no JSON */
    FAULT_TRUNCATES,    /* half of the body, then the connection ends */
    FAULT_EMPTY,        /* "beans": [] to everything */
    FAULT_UNAUTHORIZED, /* 401, Negotiate */
    FAULT_STATUS,       /* HTTP status `argument` with an HTML page */
    FAULT_ENDLESS,      /* JSON without end */
    FAULT_CLOSES,       /* ends the connection instead of an answer */
    FAULT_COUNT,
};
extern const char *const fault_names[FAULT_COUNT];

/* What the HTTP server needs to know of a server or master. */
struct endpoint {
    char address[24]; /* "127.0.0.1" */
    uint16_t port;
    bool up; /* the process runs */
    enum fault fault;
    int64_t argument;
};

struct table {
    char *name;      /* "ns:q", or "q" in the default namespace */
    char *ns;        /* "default", "hbase" ... */
    char *qualifier; /* without namespace */
    char *family;
    struct region **regions; /* by start key, then replica */
    size_t count, cap;
    size_t alive; /* regions not yet freed, of the table or of an old sample */
    bool dropped;
    unsigned replicas;
    uint64_t read, write; /* rates that `calm` returns to, thousandths */
    uint64_t size;        /* bytes a region */
    unsigned rows_per_scan;
    int64_t compacted; /* scenario ms (may be before 0); COMPACTED_NEVER */
};

#define COMPACTED_NEVER INT64_MIN

struct split_key {
    uint8_t *key;
    size_t len;
};

struct region {
    unsigned refs; /* the table's and one for each sample that shows it */
    struct table *table;
    struct server *server; /* NULL while nobody serves it */
    uint8_t *start, *end;  /* lengths 0: open */
    size_t start_len, end_len;
    int64_t id;
    unsigned replica;
    char encoded[REGION_ID_TEXT_SIZE];
    char *name; /* the full region name: bytes, may hold NULs */
    size_t name_len;
    char *prefix; /* "Namespace_NS_table_Q_region_ENC" */
    size_t prefix_len;
    struct flow read, write;
    uint64_t calm_read, calm_write;
    uint64_t size;
    int64_t compacted;
    unsigned rows_per_scan; /* 0: reads are gets */
    uint64_t gets, scans;   /* calls up to `mark` */
    uint64_t mark;          /* read count up to which calls were counted */
    uint64_t reported_read, reported_write; /* at the last heartbeat */
    struct split_key *rows;                 /* that its running calls show */
    size_t row_count;
    struct draw draw; /* of the calls besides */
};

/* One region in a server's JMX sample. */
struct shown {
    struct region *region; /* holds a reference */
    uint64_t read, write, gets, scans;
    int64_t compaction_age; /* lastMajorCompactionAge */
};

/* Sums of a sample. */
struct server_sums {
    uint64_t regions, read, write, gets, scans, files, size, memstore, calls;
    uint64_t handlers, queue, blocks; /* blocks read, one a row */
    double read_rate, write_rate;
};

/* What a server's beans show for an attribute instead of the model's value, or on top
 * of it. */
struct override {
    char *attribute;
    char *value;     /* NULL: the attribute grows */
    uint64_t growth; /* thousandths a second, since `since` */
    uint64_t grown;  /* up to `since` */
    int64_t since;   /* scenario ms */
};

/* Requests for pages that count in /sim/state. */
enum counted_page { COUNT_RS_STATUS, COUNT_JSP, COUNT_CONF, COUNTED_PAGES };

struct server {
    struct endpoint endpoint;
    unsigned number; /* from 1 */
    unsigned rpc_port;
    int64_t start_code;
    int64_t
        dead_code; /* start code of the instance the master lists as dead; 0: none */
    struct region **regions;
    size_t count, cap;
    uint64_t left_calls; /* calls of regions that have left since the start */
    uint64_t left_reads; /* and their reads */
    /* what JMX shows */
    struct shown *shown;
    size_t shown_count, shown_cap;
    struct shown *frozen; /* copies of closed regions that never change */
    size_t frozen_count, frozen_cap;
    struct server_sums sums;
    int64_t sample_at;               /* scenario ms; -1: none */
    int64_t sample_wall;             /* Unix ms */
    int64_t empty_from, empty_until; /* the bean list is empty in between */
    bool was_empty;
    uint64_t generation; /* grows whenever the answers change */
    struct override *overrides;
    size_t override_count, override_cap;
    uint64_t asked[COUNTED_PAGES];
};

struct master {
    struct endpoint endpoint;
    unsigned number; /* from 1 */
    bool active;
    int64_t start_code;
    int64_t active_since; /* Unix ms; 0: never */
    /* what JMX shows */
    char *live, *dead;
    unsigned live_count, dead_count;
    uint64_t requests;
    uint64_t region_count;
    bool shown_active;
    int64_t sample_at; /* scenario ms; -1: none */
    uint64_t generation;
};

struct cluster {
    char *name;
    char id[40]; /* the cluster id, a UUID */
    enum hbase_version version;
    bool tables_bean;    /* attributes in sub=Tables */
    bool on_jsp;         /* /rs-status is a redirect to /regionserver.jsp */
    unsigned handlers;   /* of each server */
    bool by_host;        /* one address a server, all with the same port */
    int64_t cache;       /* ms a JMX sample holds */
    int64_t heartbeat;   /* ms between reports to the master */
    int64_t empty_for;   /* how long the beans are gone after a region event */
    int64_t empty_after; /* ... beginning so long after it */
    int64_t empty_every; /* and regularly; 0: never */
    unsigned noise;      /* thousandths */
    uint64_t random;     /* state of the generator behind '?' */
    uint64_t chance;     /* and of that behind the contents of answers */
    int64_t start_wall;  /* Unix ms at t = 0 */
    uint64_t speed;      /* scenario ms in 1000 real ms */
    struct server *servers;
    unsigned server_count;
    struct master *masters;
    unsigned master_count;
    struct table **tables;
    size_t table_count, table_cap;
    unsigned next_server; /* round robin of new regions */
    unsigned operations;
    int64_t reported_at; /* of the last heartbeat; -1: none */
    int64_t reported_before;
    uint64_t reports;  /* heartbeats so far */
    uint64_t topology; /* grows when a server comes or goes */
};

/* Settings hold their defaults afterwards; no servers yet. */
void cluster_init(struct cluster *c);
void cluster_finish(struct cluster *c);
/* Creates servers, masters, hbase:meta and hbase:namespace. */
void cluster_start(struct cluster *c, unsigned servers, unsigned masters);

/* Unix ms of the scenario time t. */
int64_t cluster_wall(const struct cluster *c, int64_t t);
/* A number below n (n > 0); the state is never 0. */
uint64_t random_below(uint64_t *state, uint64_t n);
/* "host,port,startcode". */
enum { SERVER_NAME_SIZE = 64 };
const char *server_name(const struct server *s, char text[static SERVER_NAME_SIZE]);
const char *master_name(const struct master *m, char text[static SERVER_NAME_SIZE]);

/* NULL if there is no such table. */
struct table *cluster_table(const struct cluster *c, const char *name);
/* Keys are the split points in order; the regions go to the servers in turn, or to
 * those of `on` (numbers from 1). Fields of *model except names and regions are the new
 * table's. */
int cluster_create_table(struct cluster *c, int64_t t, const char *name,
                         const struct table *model, const struct split_key *keys,
                         size_t key_count, const unsigned *on, size_t on_count,
                         struct problem *p);
void cluster_drop_table(struct cluster *c, int64_t t, struct table *table);

int cluster_move(struct cluster *c, int64_t t, struct region *r, struct server *to,
                 struct problem *p);
/* key_len 0: the middle. lower: the lower daughter's share of the load, thousandths. */
int cluster_split(struct cluster *c, int64_t t, struct region *r, const uint8_t *key,
                  size_t key_len, unsigned lower, struct problem *p);
int cluster_merge(struct cluster *c, int64_t t, struct region *a, struct region *b,
                  struct problem *p);

/* The process is gone; its regions go to the others, or wait for it (keep). */
int cluster_stop_server(struct cluster *c, int64_t t, struct server *s, bool keep,
                        struct problem *p);
/* A new instance, counters at 0. */
void cluster_start_server(struct cluster *c, int64_t t, struct server *s);
/* The active master goes down and the first other master takes over. */
int cluster_failover(struct cluster *c, int64_t t, struct problem *p);
void cluster_start_master(struct cluster *c, int64_t t, struct master *m);

/* Counts a region up to t. */
void region_advance(const struct cluster *c, int64_t t, struct region *r);
/* Sets the counters themselves. */
void region_set_counters(const struct cluster *c, int64_t t, struct region *r,
                         const uint64_t *read, const uint64_t *write);
/* Calls so far, after region_advance(). */
uint64_t region_gets(const struct region *r);
uint64_t region_scans(const struct region *r);
void region_set_scan(const struct cluster *c, int64_t t, struct region *r,
                     unsigned rows_per_scan);
/* Copies the rows. */
void region_set_rows(struct region *r, const struct split_key *rows, size_t count);
/* A reference less; frees the region with the last one. */
void region_release(struct region *r);

#endif
