/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the running daemon, for main.c (start, stop, events) and reload.c. All
 * belongs to the main thread. */
#ifndef DAEMON_DAEMON_H
#define DAEMON_DAEMON_H

#include <stdbool.h>

#include "collectors/collector.h"
#include "common/clock.h"
#include "daemon/http_answer.h"
#include "daemon/http_server.h"
#include "daemon/http_stats.h"
#include "daemon/loop.h"
#include "daemon/monitor.h"
#include "daemon/options.h"
#include "daemon/reload_gate.h"
#include "daemon/shared_config.h"

/* A descriptor of ours in the loop. */
struct watch {
    int fd; /* -1: none */
    struct loop_source *source;
};

struct daemon {
    struct options options;
    struct shared_config *config; /* in force */
    struct string_list
        warnings; /* of the first configuration, until the monitor has it */
    struct loop *loop;
    struct monitor *monitor;
    struct reload_gate *gate;
    struct loop_source *gate_source;
    struct http_context http_context;
    struct http_stats http_stats;
    struct http_server *http;
    struct watch signals;
    struct watch tick;
    struct watch sweep;
    struct watch watchdog;
    bool watchdog_due;                      /* a ping is to be sent after this turn */
    struct shared_config *collector_config; /* what the collector reads */
    struct collector *collector;
    struct loop_source *collector_source;
};

/* 0, or -errno with a line in the log. Starts with d->config. */
int daemon_start_collector(struct daemon *d);
void daemon_stop_collector(struct daemon *d);
/* Sets the timer of the next evaluation. */
void daemon_arm_tick(struct daemon *d);

/* reload.c: reads the configuration again and puts it in force, or keeps the old one
 * and says why. Tells the service manager on every path. */
void daemon_reload(struct daemon *d);

/* Warns where nothing is configured to be watched. */
void daemon_say_if_blind(const struct config *config);
/* Warnings of a configuration as "file:line:column: warning: text"; each is logged. */
void daemon_take_warnings(const struct options *options,
                          const struct config_problems *problems,
                          struct string_list *ret_warnings);

#endif
