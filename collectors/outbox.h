/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of finished messages between the collector thread (put) and the thread that
 * created it (take). Unbounded in count; a descriptor is readable while it is not
 * empty. */
#ifndef COLLECTORS_OUTBOX_H
#define COLLECTORS_OUTBOX_H

#include "collectors/sample.h"

struct outbox;

/* NULL with errno set when there is no descriptor left. */
struct outbox *outbox_create(void);
/* Frees the waiting messages, too. Accepts NULL; returns NULL. */
struct outbox *outbox_destroy(struct outbox *o);

int outbox_fd(const struct outbox *o);
/* Takes ownership of the message. */
void outbox_put(struct outbox *o, struct message *m);
/* All waiting messages, oldest first; the caller owns them. NULL if there is none. */
struct message *outbox_take(struct outbox *o);

/* Puts a MESSAGE_SOURCE: a failure (takes ownership of error), or a good answer that no
 * other message tells of. Both copy source. */
void outbox_failure(struct outbox *o, const char *source, enum poll_outcome outcome,
                    char *error);
void outbox_answered(struct outbox *o, const char *source);

#endif
