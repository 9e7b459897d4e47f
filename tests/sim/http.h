/* SPDX-License-Identifier: Apache-2.0 */
/* The web servers of the cluster: one listening socket a server or master, one epoll
 * for all, a small HTTP/1.1 that can misbehave. Answers are built once and sent to
 * everybody who asks the same while the sample they show holds. */
#ifndef SIM_HTTP_H
#define SIM_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/sim/cluster.h"

struct http;

/* Listens for every server and master and fills in their ports; base_port 0: the kernel
 * chooses. NULL with the reason in *p. idle_ms: real time. */
struct http *http_create(struct cluster *c, uint16_t base_port, int64_t idle_ms,
                         struct problem *p);
struct http *http_destroy(struct http *http);

/* To be waited for; readable when http_turn() has something to do. */
int http_fd(const struct http *http);
/* When http_turn() has to run at the latest, in monotonic ms. */
int64_t http_deadline(const struct http *http);
/* Serves what is ready. t: scenario time, now: monotonic ms. */
void http_turn(struct http *http, int64_t t, int64_t now);
/* The cluster may have changed: endpoints that are down or refuse connections stop
 * listening, others begin to. */
void http_sync(struct http *http);

#endif
