/* SPDX-License-Identifier: Apache-2.0 */
/* Strict, locale-free reading and writing of numbers, durations and sizes. The whole
 * text must be the value: no blanks, no sign unless stated, nothing after it.
 * Results: 0; -EINVAL not of the form; -ERANGE of the form but does not fit. The
 * output is untouched on failure. */
#ifndef COMMON_PARSE_H
#define COMMON_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int parse_u64(const char *s, size_t len, uint64_t *ret);
/* An optional leading '-'. */
int parse_i64(const char *s, size_t len, int64_t *ret);
/* Decimal with optional sign, fraction and exponent ("1.048576E9"); finite only. A text
 * longer than PARSE_DOUBLE_MAX_LEN is -ERANGE; what is too small becomes 0. */
enum { PARSE_DOUBLE_MAX_LEN = 400 };
int parse_double(const char *s, size_t len, double *ret);
/* A number with a unit: ms, s, m, h, d ("300ms", "1.5m", "7d"); also plain "0". In ms,
 * rounded to the nearest. */
int parse_duration_ms(const char *s, size_t len, int64_t *ret);
/* A number with a unit: B, KiB, MiB, GiB, TiB (powers of 1024), kB, MB, GB, TB (powers
 * of 1000); also plain "0". In bytes. */
int parse_size(const char *s, size_t len, uint64_t *ret);

/* Shortest decimal text that reads back as v ("0.1", "1e+300", "NaN", "+Inf", "-Inf").
 */
enum { DOUBLE_TEXT_SIZE = 32 };
const char *double_text(double v, char text[static DOUBLE_TEXT_SIZE]);

/* Exact text in the largest of the units above that needs at most one decimal ("30s",
 * "1.5m", "300ms", "0"); parse_duration_ms() reads it back. Negative with a '-'. */
enum { DURATION_TEXT_SIZE = 32 };
const char *duration_text(int64_t ms, char text[static DURATION_TEXT_SIZE]);

#endif
