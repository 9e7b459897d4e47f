/* SPDX-License-Identifier: Apache-2.0 */
/* Figures as people read them, for evidence and sentences. */
#ifndef COMMON_WORDS_H
#define COMMON_WORDS_H

#include <stdint.h>

#include "common/buf.h"

/* "1,934", "0.42", "12.3"; thousands separated. */
void words_number(struct buf *out, double value);
/* The same without decimals: "7", "1,934". */
void words_count(struct buf *out, double value);
/* "1 region", "1,934 regions"; one and many are the words. */
void words_of(struct buf *out, double value, const char *one, const char *many);
/* "38 %". */
void words_percent(struct buf *out, double share);
/* "1.2 GiB". */
void words_bytes(struct buf *out, int64_t bytes);

#endif
