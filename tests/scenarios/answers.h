/* SPDX-License-Identifier: Apache-2.0 */
/* What collectors would hand on about the cluster now. The caller destroys messages
 * with message_destroy(). */
#ifndef TESTS_SCENARIOS_ANSWERS_H
#define TESTS_SCENARIOS_ANSWERS_H

#include "collectors/sample.h"
#include "tests/scenarios/cluster.h"

struct moment moment_at(const struct cluster *c, int64_t now);

/* The answer of a host's JMX servlet with the values of now; `received` is to be set
 * by the caller. A host that is down or empty gives a message without regions. */
struct message *answer_poll(struct cluster *c, int host, int64_t now);
struct message *answer_cluster(const struct cluster *c, int64_t now);
struct message *answer_listing(const struct cluster *c, int64_t now);
/* Calls per region and limits of a server in the focus; NULL if it is not up. */
struct message *answer_detail(struct cluster *c, const struct focus_server *f,
                              int64_t now);
/* A session of row sampling there, with `calls` calls; NULL if it is not up. */
struct message *answer_rows(struct cluster *c, const struct focus_server *f, int calls,
                            int64_t now);

#endif
