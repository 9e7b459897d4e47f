/* SPDX-License-Identifier: Apache-2.0 */
/* What collectors hand on: the contract between collecting and analysis. Types only,
 * save for the name tables and the destructor in sample.c.
 *
 * A message is made by the collector thread, owned by whoever takes it from the queue,
 * and freed with message_destroy(). An answer of a server becomes a message only when
 * it was read to its end; a failed poll becomes a message without regions. */
#ifndef COLLECTORS_SAMPLE_H
#define COLLECTORS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/clock.h"
#include "common/region_id.h"

/* How a request ended; also the `reason` label of hotspotd_poll_failures_total. */
enum poll_outcome {
    POLL_OK,
    POLL_DNS,     /* the name does not resolve */
    POLL_CONNECT, /* refused, unreachable, closed early */
    POLL_TIMEOUT, /* connect, total or low-speed limit */
    POLL_TLS,
    POLL_AUTH,         /* 401 or 403 */
    POLL_HTTP_STATUS,  /* any other status that is not 200 */
    POLL_TOO_LARGE,    /* body above poll.max_body, or more names than allowed */
    POLL_PARSE,        /* not JSON, or cut short */
    POLL_NO_DATA,      /* beans: [] and the like: the metrics system restarts */
    POLL_BAD_RESPONSE, /* JSON, but not what was asked for */
    POLL_OUTCOME_COUNT
};

/* "ok", "dns", ... */
const char *poll_outcome_name(enum poll_outcome outcome);

/* Which counters of a region_sample are known. */
enum {
    SAMPLE_READ = 1,
    SAMPLE_WRITE = 2,
    SAMPLE_TOTAL = 4,   /* text listings know only read + write */
    SAMPLE_INVALID = 8, /* a counter was negative, fractional or beyond 64 bits */
};

struct region_sample {
    struct region_id id;
    uint64_t read;  /* rows read since the region opened (SAMPLE_READ) */
    uint64_t write; /* mutations (SAMPLE_WRITE) */
    uint64_t total; /* requests (SAMPLE_TOTAL) */
    uint32_t table; /* index into the message's tables */
    uint8_t known;  /* SAMPLE_* */
    uint16_t replica;
};

/* Signals of a RegionServer, from the beans named in collectors/jmx.c. */
enum signal {
    SIGNAL_ACTIVE_HANDLERS, /* busy RPC handlers */
    SIGNAL_QUEUED_CALLS,    /* calls waiting, all queues */
    SIGNAL_QUEUE_BYTES,
    SIGNAL_CACHE_HITS,      /* counter, blocks */
    SIGNAL_CACHE_MISSES,    /* counter, blocks */
    SIGNAL_CACHE_EVICTIONS, /* counter, blocks */
    SIGNAL_MEMSTORE_BYTES,
    SIGNAL_UPDATES_BLOCKED_MS, /* counter */
    SIGNAL_BLOCKED_REQUESTS,   /* counter */
    SIGNAL_COMPACTION_QUEUE,
    SIGNAL_FLUSH_QUEUE,
    SIGNAL_REGION_COUNT,
    SIGNAL_LOCALITY, /* 0 to 1 */
    SIGNAL_GC_MS,    /* counter */
    SIGNAL_COUNT
};

/* JSON names: "activeHandlers", ... */
const char *signal_name(enum signal signal);

/* Whether the signal only grows while the server runs. */
static inline bool
signal_is_counter(enum signal signal)
{
    return signal == SIGNAL_CACHE_HITS || signal == SIGNAL_CACHE_MISSES ||
           signal == SIGNAL_CACHE_EVICTIONS || signal == SIGNAL_UPDATES_BLOCKED_MS ||
           signal == SIGNAL_BLOCKED_REQUESTS || signal == SIGNAL_GC_MS;
}

/* lastMajorCompactionAge of one region, kept for a few regions of each answer (those
 * with the smallest ids) so that the server's own time between two answers can be
 * derived. */
struct age_probe {
    struct region_id id;
    int64_t age_ms;
};
enum { AGE_PROBES = 16 };

/* The answer of one RegionServer, or why there is none. */
struct server_poll {
    char *url;    /* of the target: "http://host:16030" */
    char *server; /* "host,port,startcode"; NULL when the answer did not say */
    enum poll_outcome outcome;
    char *error; /* one line for people; NULL when POLL_OK */
    long http_status;
    uint64_t bytes; /* decoded body bytes received */
    int64_t duration_ms;
    struct moment received; /* when the body was complete */
    int64_t server_time_ms; /* the server's wall clock at sampling; -1 unknown */
    struct age_probe probes[AGE_PROBES]; /* ascending id */
    size_t probe_count;
    char **tables; /* full HBase names, UTF-8 */
    size_t table_count;
    struct region_sample *regions;
    size_t region_count;
    double signals[SIGNAL_COUNT]; /* NaN: not in the answer */
    uint64_t invalid_values;      /* counters and names that could not be used */
    char *first_invalid;          /* one line: which, expected what; NULL: none */
    uint64_t absent_values;       /* NaN, Infinity, null */
};

/* What the active master says. */
struct cluster_state {
    char *url;        /* the master that was asked */
    char *master;     /* "host,port,startcode" of the active one, NULL unknown */
    char *cluster_id; /* NULL unknown */
    char **live;      /* "host,port,startcode" */
    size_t live_count;
    char **dead;
    size_t dead_count;
    double region_count;          /* averageLoad * servers; NaN unknown */
    double regions_in_transition; /* NaN unknown */
    struct moment received;
};

/* A row of live_servers, list_regions or status 'detailed'. Text fields are offsets
 * into the listing's arena. */
struct listing_row {
    struct region_id id;
    uint32_t table;     /* index into listing.tables */
    uint32_t server;    /* index into listing.servers; UINT32_MAX: on no server */
    uint32_t start_key; /* offset; valid only if start_known */
    uint32_t start_len;
    uint32_t end_key;
    uint32_t end_len;
    bool start_known;
    bool end_known;
    bool in_transition;
    uint16_t replica;
    int64_t created_ms;          /* the id in the region name; -1 unknown */
    int64_t size_bytes;          /* store files; -1 unknown */
    double locality;             /* 0 to 1; NaN unknown */
    uint64_t read, write, total; /* as in region_sample */
    uint8_t known;
};

enum listing_source {
    LISTING_API,
    LISTING_FILE,
    LISTING_COMMAND,
    LISTING_SOURCE_COUNT
};

/* "api", "file", "command". */
const char *listing_source_name(enum listing_source source);

/* One listing, applied whole or not at all. */
struct listing {
    enum listing_source source;
    bool whole_cluster; /* every table is in it; else only the tables named */
    char **tables;
    size_t table_count;
    char **servers; /* "host,port,startcode" */
    size_t server_count;
    struct listing_row *rows;
    size_t row_count;
    char *arena; /* key bytes */
    size_t arena_len;
    size_t skipped_lines; /* notes and lines that are no rows */
    struct moment received;
    int64_t as_of_ms; /* wall clock of the data: file time, report time; -1 unknown */
};

/* ---- what is asked for in more detail ---- */

/* Calls on a region since it opened, to tell a scan from gets: rows per call. */
struct operation_sample {
    struct region_id id;
    uint64_t read;  /* rows, as in region_sample, of the same moment */
    uint64_t write; /* likewise */
    uint64_t gets;  /* getCount: calls */
    uint64_t scans; /* scanCount: scanner nexts */
};

/* Of one RegionServer in the focus: the calls on its regions, and its limits. */
struct server_detail {
    char *url;
    char *server; /* "host,port,startcode" that the answer is of */
    struct moment received;
    struct operation_sample *operations; /* of the regions asked for, as far as known */
    size_t operation_count;
    unsigned handlers;            /* hbase.regionserver.handler.count; 0 unknown */
    int64_t memstore_limit_bytes; /* all memstores together; -1 unknown */
};

enum call_method {
    CALL_GET,
    CALL_MUTATE,
    CALL_SCAN, /* its row is where it starts; empty: the beginning of the region */
    CALL_MULTI,
    CALL_METHOD_COUNT
};

/* A row of a call that a handler was just serving. */
struct sampled_call {
    struct region_id region;
    uint32_t row; /* offset into the arena */
    uint32_t row_len;
    uint32_t client; /* index into clients */
    uint8_t method;  /* enum call_method; the rows of a multi are CALL_MULTI each */
};

/* What one session of row sampling on one RegionServer saw, in the order in which it
 * was seen; a call that was seen twice stands in it once. Rows, never values. */
struct row_samples {
    char *url;
    char *server; /* "host,port,startcode" as the focus named it */
    struct moment received;
    uint32_t turn;              /* as in the focus */
    struct sampled_call *calls; /* of regions of the focus only */
    size_t call_count;
    char **clients; /* addresses without ports */
    size_t client_count;
    char *arena;
    size_t arena_len;
    unsigned requests; /* made in the session */
    unsigned skipped;  /* rows above 1 KiB or too many, requests that make no sense */
    char *error;       /* why it ended early; NULL */
};

/* A RegionServer with an alert: the way back, from what analysis found to what is asked
 * next. */
struct focus_server {
    char *url;
    char *server; /* "host,port,startcode" */
    struct region_id *regions;
    size_t region_count;
    bool sample_rows; /* one session for each new `turn` */
    uint32_t turn;
};

struct focus {
    struct focus_server *servers;
    size_t count;
};

/* Frees the focus and all it holds; accepts NULL; returns NULL. */
struct focus *focus_destroy(struct focus *focus);

/* How asking a source went, where no other message tells: a master, a file or a command
 * that could not be read, or a backup master that answered (POLL_OK). */
struct source_report {
    char *source; /* its url, path or argv[0] */
    enum poll_outcome outcome;
    char *error; /* one line: what, where, expected; NULL when POLL_OK */
    struct moment at;
};

/* The RegionServers to poll, whenever the set changes. */
struct target_set {
    char **urls;
    size_t count;
};

/* Emitted when every target of a tick has been polled or has failed. */
struct round_summary {
    struct moment started;
    struct moment finished;
    unsigned ok;
    unsigned failed;
    unsigned skipped; /* still busy with the tick before */
    uint64_t requests;
    uint64_t bytes;
};

enum message_kind {
    MESSAGE_POLL,
    MESSAGE_CLUSTER,
    MESSAGE_LISTING,
    MESSAGE_DETAIL,
    MESSAGE_ROWS,
    MESSAGE_SOURCE,
    MESSAGE_TARGETS,
    MESSAGE_ROUND,
    MESSAGE_KIND_COUNT
};

struct message {
    struct message *next; /* for queues */
    enum message_kind kind;
    union {
        struct server_poll poll;
        struct cluster_state cluster;
        struct listing listing;
        struct server_detail detail;
        struct row_samples rows;
        struct source_report report;
        struct target_set targets;
        struct round_summary round;
    };
};

/* A zeroed message of the kind (signals NaN, unknown numbers -1). */
struct message *message_create(enum message_kind kind);
/* Frees the message and all it holds; accepts NULL; returns NULL. */
struct message *message_destroy(struct message *message);

#endif
