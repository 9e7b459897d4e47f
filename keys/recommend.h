/* SPDX-License-Identifier: Apache-2.0 */
/* Tries schemes on sample keys and ranks them for what the application needs. */
#ifndef KEYS_RECOMMEND_H
#define KEYS_RECOMMEND_H

#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "keys/fields.h"
#include "keys/scheme.h"
#include "keys/split.h"

/* What the application asks for; nothing given stands for point reads. */
enum need {
    NEED_POINT = 1 << 0,  /* single keys that are known */
    NEED_PREFIX = 1 << 1, /* all keys that begin with the same fields */
    NEED_RANGE = 1 << 2,  /* ranges of keys */
    NEED_LATEST = 1 << 3, /* the newest first */
};
/* "point,prefix,range,latest": any of them, parted by commas. -EINVAL. */
int needs_parse(const char *text, unsigned *ret);

enum { ADVICE_MAX = 16, REASON_MAX = 400 };

struct scheme_advice {
    struct scheme scheme;
    enum split_algo algo; /* of the split points tried: SALT or SAMPLES */
    double score;         /* 0 to 1: evenness times what the needs cost */
    double max_over_mean;
    double effective;
    double window_share; /* of the hottest region at a time */
    double window_effective;
    size_t regions;
    uint64_t point_reads;
    uint64_t range_reads; /* 0: a scan of the whole table */
    char reason[REASON_MAX];
};

/* Best first; returns the number, or -ENOMEM. Schemes that do not fit the samples are
 * left out. regions >= 1. */
int recommend_make(const struct key_list *samples, const struct key_profile *profile,
                   unsigned needs, uint32_t regions,
                   struct scheme_advice out[static ADVICE_MAX]);

/* The points that suit a scheme: its own buckets if there are enough, else quantiles of
 * the row keys it makes of the samples. The keys that it cannot take count as an
 * error. */
int recommend_points(const struct scheme *s, const struct key_list *samples,
                     uint32_t regions, struct key_list *ret_points,
                     enum split_algo *ret_algo);

/* Row keys of all samples; the error of scheme_apply(), with the sample in *ret_wrong.
 */
int scheme_apply_all(const struct scheme *s, const struct key_list *samples,
                     struct key_list *out, size_t *ret_wrong);

#endif
