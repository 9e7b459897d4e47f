/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMON_MD5_H
#define COMMON_MD5_H

#include <stddef.h>
#include <stdint.h>

/* MD5 (RFC 1321) of data; HBase's encoded region names are made of it. */
void md5_bytes(const void *data, size_t len, uint8_t ret_digest[static 16]);

#endif
