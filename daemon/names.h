/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the configuration's enums as they stand in labels and answers, and small
 * look-ups over a configuration that HTTP answers and sentences share. Pure. */
#ifndef DAEMON_NAMES_H
#define DAEMON_NAMES_H

#include "analysis/snapshot.h"
#include "config/config.h"

struct buf;

const char *severity_name(enum severity severity);       /* "warning", ... */
const char *access_name(enum access access);             /* "read", ... */
const char *baseline_kind_name(enum baseline_kind kind); /* "rest", ... */

/* The region rule in force for a table: the first entry of detection.tables whose glob
 * matches, else the default. Points into config. */
const struct rule *config_rule_for(const struct config *config, const char *table);

/* The alert's labels, which are its identity (exporter conventions, section 7):
 * alertname, severity, cluster (left out when ""), table, region or server, then the
 * rule's own; a name never twice, the first stays. Appends "name" NUL "value" NUL for
 * each to *out, names and values as they are. */
void alert_labels(const struct alert *alert, const char *cluster, struct buf *out);

/* Walks what alert_labels() made: *at is 0 at first; false at the end. */
bool labels_next(const char *packed, size_t len, size_t *at, const char **ret_name,
                 const char **ret_value);

#endif
