/* SPDX-License-Identifier: Apache-2.0 */
/* A scheme and split points tried on a stream of keys. */
#ifndef HOTSPOTCTL_KEYS_TRIAL_H
#define HOTSPOTCTL_KEYS_TRIAL_H

#include "hotspotctl/keys_options.h"
#include "keys/spread.h"

struct trial {
    struct scheme scheme;
    bool fixed;       /* the points were known before the first key */
    const char *algo; /* where they are from: a name of --algo, or "given" */
    uint32_t regions; /* wanted */
    struct key_list points;
    struct spread *spread;
    uint64_t turn;
    struct buf row;
    bool sampled; /* counted on a sample */
};

void trial_init(struct trial *t, const struct scheme *scheme, uint32_t regions);
void trial_finish(struct trial *t);

/* Counts one key; STATUS_WRONG with a line if the scheme cannot take it. */
int trial_add(struct invocation *in, struct trial *t, struct key key);

/* Runs all keys of the source through the trials: those with fixed points as they come,
 * the others by a sample that makes their points, and once more where the source can be
 * read again. */
int trials_run(struct invocation *in, struct trial *const trials[], size_t count,
               struct key_source *source, uint64_t *ret_keys);

#endif
