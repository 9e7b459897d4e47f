/* SPDX-License-Identifier: Apache-2.0 */
/* What scheme*.c share. */
#ifndef KEYS_SCHEME_PRIV_H
#define KEYS_SCHEME_PRIV_H

#include "keys/scheme.h"

/* Digits of a decimal bucket number of n buckets. */
int bucket_width(uint32_t n);

/* "FIELDS[:SEP]" of a composite. */
int composite_parse(const char *text, struct scheme *ret);
int composite_apply(const struct scheme *s, struct key key, struct buf *out);

#endif
