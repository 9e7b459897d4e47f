/* SPDX-License-Identifier: Apache-2.0 */
/* What hotspotd asks, and how that went last: one row for each RegionServer, master,
 * file and command. The table belongs to the main thread, which feeds it the
 * collector's messages; HTTP answers read copies. */
#ifndef DAEMON_TARGETS_H
#define DAEMON_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/sample.h"
#include "config/config.h"

enum target_kind {
    TARGET_REGIONSERVER,
    TARGET_MASTER,
    TARGET_FILE,    /* topology.file */
    TARGET_COMMAND, /* topology.command */
    TARGET_FILE_SD, /* regionservers.file */
    TARGET_HTTP_SD, /* regionservers.http_sd */
    TARGET_KIND_COUNT
};
const char *target_kind_name(enum target_kind kind); /* "regionserver", ... */

enum target_state {
    TARGET_UP,
    TARGET_DOWN,
    TARGET_AUTH,    /* wants authentication (401, 403) */
    TARGET_SLOW,    /* answers, but after more than half of poll.timeout */
    TARGET_NO_DATA, /* not asked yet, or answers without usable data */
    TARGET_STATE_COUNT
};
const char *target_state_name(enum target_state state); /* "up", ... */

struct target_row {
    char *url;    /* url, path or argv[0]; the table's key */
    char *server; /* "host:port" as HBase names it; NULL unknown */
    char *error;  /* of the last request; NULL when it was good */
    enum target_kind kind;
    enum target_state state;
    enum poll_outcome outcome; /* of the last request */
    bool asked;
    unsigned failures;        /* in a row */
    int64_t last_success_ms;  /* wall clock; -1 never */
    int64_t last_attempt_ms;  /* wall clock; -1 never */
    int64_t last_duration_ms; /* -1 unknown */
    uint64_t bytes;           /* of the last answer */
    uint64_t invalid_values;  /* in it, see struct server_poll */
    char *first_invalid;      /* NULL: none */
};

/* How a message changed a target. */
enum target_change { TARGET_SAME, TARGET_WENT_DOWN, TARGET_CAME_BACK };

struct targets {
    struct target_row *rows; /* by kind, then url */
    size_t count;
    size_t cap;
    bool have_set; /* targets_set() has been called */
};

void targets_init(struct targets *t);
void targets_finish(struct targets *t);

/* Seeds the rows that the configuration names (masters, files, command) and drops those
 * that it no longer does; keeps what is known of the others. */
void targets_configure(struct targets *t, const struct config *config);

/* The RegionServers are now these; others go. */
void targets_set(struct targets *t, const struct target_set *set, int64_t wall_ms);

/* Drops sources that the configuration does not list as such (a password file) once
 * they have not failed for three intervals. */
void targets_expire(struct targets *t, const struct config *config, int64_t wall_ms);

/* Each notes one message. *ret_row stays valid until the next call; it is NULL when the
 * message is about no row (a late answer of a server that has been dropped, a listing
 * of the master). A RegionServer that only lacks data goes down at the third time in a
 * row (its metrics restart). */
enum target_change targets_poll(struct targets *t, const struct server_poll *poll,
                                int64_t timeout_ms, const struct target_row **ret_row);
enum target_change targets_cluster(struct targets *t,
                                   const struct cluster_state *cluster,
                                   const struct target_row **ret_row);
enum target_change targets_listing(struct targets *t, const struct listing *listing,
                                   const struct config *config,
                                   const struct target_row **ret_row);
enum target_change targets_report(struct targets *t, const struct source_report *report,
                                  const struct config *config,
                                  const struct target_row **ret_row);

/* A deep copy, sorted by kind and url; freed with targets_finish(). */
void targets_copy(struct targets *to, const struct targets *from);

#endif
