/* SPDX-License-Identifier: Apache-2.0 */
/* A configuration with a reference count: a reload swaps the pointer while the
 * collector or an answer under way may still read the old one. */
#ifndef DAEMON_SHARED_CONFIG_H
#define DAEMON_SHARED_CONFIG_H

#include <stdatomic.h>

#include "config/config.h"

struct shared_config {
    atomic_uint refs;
    struct config *config; /* read-only */
};

/* Takes ownership of config. */
struct shared_config *shared_config_create(struct config *config);
struct shared_config *shared_config_ref(struct shared_config *s);
/* Accepts NULL; returns NULL; any thread. */
struct shared_config *shared_config_unref(struct shared_config *s);

#endif
