/* SPDX-License-Identifier: Apache-2.0 */
/* One alert as JSON, for every answer that shows alerts. */
#ifndef DAEMON_JSON_ALERT_H
#define DAEMON_JSON_ALERT_H

#include "analysis/snapshot.h"
#include "common/json_write.h"
#include "daemon/view.h"

/* {labels, annotations, state, activeAt, value, evidence} */
void json_alert(struct json_writer *w, const struct view *view, const struct alert *a);

/* [{time, event, from, to}], oldest first. */
void json_lineage(struct json_writer *w, const struct alert *a);

#endif
