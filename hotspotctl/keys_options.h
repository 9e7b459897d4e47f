/* SPDX-License-Identifier: Apache-2.0 */
/* Options that the keys commands share. Each function returns 0, or STATUS_WRONG with a
 * line in the notes. */
#ifndef HOTSPOTCTL_KEYS_OPTIONS_H
#define HOTSPOTCTL_KEYS_OPTIONS_H

#include "hotspotctl/command.h"
#include "hotspotctl/key_source.h"
#include "keys/sampler.h"
#include "keys/scheme.h"
#include "keys/split.h"

/* Most sample keys kept at a time, and bytes of them. */
enum { SAMPLE_KEYS = 500000, SAMPLE_BYTES = 32 << 20 };

/* --keys-file, --keys-format, --pattern, --count, --seed. */
int open_keys(struct invocation *in, struct key_source **ret);
/* After the last key: STATUS_WRONG if the input was wrong or held no key. */
int end_of_keys(struct invocation *in, const struct key_source *source, uint64_t keys);
/* All keys of the source through a sampler, which the caller finishes. */
int sample_keys(struct invocation *in, struct key_source *source, struct sampler *ret);

/* --scheme; "none" if it is not given. */
int scheme_option(struct invocation *in, struct scheme *ret);
/* --algo: *ret_given tells whether it is there. */
int algo_option(struct invocation *in, enum split_algo *ret, bool *ret_given);
/* --regions, or the guide for --servers, --table-size, --region-size. */
int regions_option(struct invocation *in, uint32_t standard, uint32_t *ret);

/* A key that the scheme cannot take, in words. */
int scheme_failed(struct invocation *in, const struct scheme *scheme, struct key key,
                  int error);

/* The key in HBase's escape, appended as a JSON string. */
struct json_writer;
void json_key_member(struct json_writer *w, const char *name, struct key key);
/* The same as text that lives as long as the caller keeps *out. */
const char *key_text(struct buf *out, struct key key);

#endif
