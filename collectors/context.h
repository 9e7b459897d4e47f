/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the collector thread share. All of it outlives them. */
#ifndef COLLECTORS_CONTEXT_H
#define COLLECTORS_CONTEXT_H

#include "collectors/fetch.h"
#include "collectors/outbox.h"
#include "config/config.h"

struct context {
    const struct config *config;
    struct fetcher *fetcher;
    struct outbox *outbox;
};

#endif
