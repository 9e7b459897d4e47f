/* SPDX-License-Identifier: Apache-2.0 */
/* Sample keys made by a pattern: text with fields in braces.
 *
 *   {seq[:WIDTH[:START]]}     0, 1, 2 ... (zeros in front up to WIDTH)
 *   {rand:MAX[:WIDTH]}        a number below MAX, each as likely
 *   {zipf:MAX[:WIDTH]}        a number below MAX, small ones far more often
 *   {hex:DIGITS}              random hex digits
 *   {time[:STEP[:START]]}     milliseconds, STEP (default 1) later each key
 *   {long[:START]}            START, START + 1 ... as 8 bytes, big-endian
 *   {pick:a,b,c}              one of the words
 *   {{                        a brace
 *
 * The same pattern, seed and number give the same key. */
#ifndef KEYS_PATTERN_H
#define KEYS_PATTERN_H

#include <stdint.h>

#include "common/buf.h"

struct pattern;

/* NULL with a line in *error. */
struct pattern *pattern_create(const char *text, uint64_t seed, struct buf *error);
/* Accepts NULL; returns NULL. */
struct pattern *pattern_destroy(struct pattern *p);

/* Appends the next key; the first call makes key 0. */
void pattern_next(struct pattern *p, struct buf *out);

#endif
