/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as HBase prints them: Java's long in full, Java's double in plain or exponent
 * form ("1.073741824E9"), sizes with a unit ("12.0MB", 1 MB = 1024 * 1024 bytes).
 * Sources: Java Double.toString; HBase Size.java. */
#ifndef COLLECTORS_NUMBER_H
#define COLLECTORS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A counter: whole and 0 to 2^63 - 1; in decimal form only if exactly an integer of at
 * most 2^53. 0; -EINVAL is no number; -ERANGE negative, fractional or too large. */
int number_counter(const char *s, size_t len, uint64_t *ret);
/* A whole number of either sign; a decimal form is rounded, and good up to 2^53. */
int number_whole(const char *s, size_t len, int64_t *ret);
/* Bytes: a number and one of B, KB, MB, GB, TB, PB (powers of 1024, also with a blank
 * between), or without a unit in units of default_unit bytes. -EINVAL for other texts.
 */
int number_size(const char *s, size_t len, int64_t default_unit, int64_t *ret);
/* "NaN", "Infinity" or "-Infinity": printed for a value that does not exist. */
bool number_is_absent(const char *s, size_t len);

#endif
