/* SPDX-License-Identifier: Apache-2.0 */
/* The hashes that Java programs take buckets from, to the bit.
 * Sources: Java Language Specification (String.hashCode, Arrays.hashCode, the % of
 * signed numbers); HBase Bytes.java; Phoenix SaltingUtil.java. */
#ifndef KEYS_JAVA_H
#define KEYS_JAVA_H

#include <stddef.h>
#include <stdint.h>

/* new String(bytes, UTF_8).hashCode(): over UTF-16 code units. What is not UTF-8 counts
 * as U+FFFD, in the number that Java's decoder gives. */
int32_t java_string_hash(const void *bytes, size_t len);

/* Arrays.hashCode(byte[]): signed bytes, starting at 1. */
int32_t java_bytes_hash(const void *bytes, size_t len);

/* Math.abs(hash % n), which is 0 to n - 1 for every hash. n > 0. */
uint32_t java_bucket(int32_t hash, uint32_t n);

/* Math.abs(hash) % n, the idiom with the fault: Math.abs() of the smallest int is
 * itself, so the bucket may be negative. n > 0. */
int32_t java_abs_bucket(int32_t hash, uint32_t n);

#endif
