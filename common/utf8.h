/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMON_UTF8_H
#define COMMON_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if the bytes are well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates,
 * nothing above U+10FFFF). */
bool utf8_valid(const char *s, size_t len);

/* Length of the well-formed sequence at s (1 to 4), or 0 if there is none. len > 0. */
size_t utf8_sequence(const char *s, size_t len);

/* True if the well-formed sequence at s is a control character: C0, DEL or C1 (C2 80 to
 * C2 9F), any of which a terminal may obey. */
bool utf8_is_control(const char *s);

/* Encodes a code point below 0x110000 into out (up to 4 bytes); returns the length. */
size_t utf8_encode(uint32_t code_point, char out[static 4]);

#endif
