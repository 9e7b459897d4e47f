/* SPDX-License-Identifier: Apache-2.0 */
/* How an HTTP thread has the main thread reload: it asks and waits, for a bounded time;
 * the main thread sees a readable eventfd, reloads and reports. One request at a time.
 */
#ifndef DAEMON_RELOAD_GATE_H
#define DAEMON_RELOAD_GATE_H

#include <stdint.h>

#include "common/buf.h"

enum reload_result {
    RELOAD_DONE,
    RELOAD_REFUSED, /* the old configuration stays; the reason is in *text */
    RELOAD_BUSY,    /* another request waits already, or hotspotd stops */
    RELOAD_LATE,    /* no report within the limit */
};

struct reload_gate;

/* limit_ms: the longest wait of a request. NULL with errno when no descriptor is left.
 */
struct reload_gate *reload_gate_create(int64_t limit_ms);
/* No thread may be inside any more. Accepts NULL; returns NULL. */
struct reload_gate *reload_gate_destroy(struct reload_gate *g);

/* HTTP threads. */
enum reload_result reload_gate_request(struct reload_gate *g, struct buf *text);

/* Main thread: readable when a reload is wanted. */
int reload_gate_fd(const struct reload_gate *g);
/* Clears the descriptor. */
void reload_gate_accept(struct reload_gate *g);
/* Reports to who waits; error NULL for success. */
void reload_gate_report(struct reload_gate *g, const char *error);
/* Lets nobody wait any longer; before the HTTP server is stopped. */
void reload_gate_close(struct reload_gate *g);

#endif
