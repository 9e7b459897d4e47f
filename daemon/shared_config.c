/* SPDX-License-Identifier: Apache-2.0 */
/* Reference counting for configurations; any thread. */
#include "daemon/shared_config.h"

#include <stdlib.h>

#include "common/alloc.h"
#include "config/load.h"

struct shared_config *
shared_config_create(struct config *config)
{
    struct shared_config *s = xmalloc(sizeof *s);

    *s = (struct shared_config){.refs = 1, .config = config};
    return s;
}

struct shared_config *
shared_config_ref(struct shared_config *s)
{
    atomic_fetch_add(&s->refs, 1);
    return s;
}

struct shared_config *
shared_config_unref(struct shared_config *s)
{
    if (s == NULL || atomic_fetch_sub(&s->refs, 1) != 1)
        return NULL;
    config_destroy(s->config);
    free(s);
    return NULL;
}
