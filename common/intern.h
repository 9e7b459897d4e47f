/* SPDX-License-Identifier: Apache-2.0 */
/* Strings to dense numbers: each distinct string gets 0, 1, 2 ... once and keeps it.
 * Used for table and server names, so that rows hold 4 bytes instead of a name. */
#ifndef COMMON_INTERN_H
#define COMMON_INTERN_H

#include <stddef.h>
#include <stdint.h>

#define INTERN_NONE UINT32_MAX

struct intern;

struct intern *intern_create(void);
/* Accepts NULL. */
struct intern *intern_destroy(struct intern *in);

/* The number of s, given now if s is new. */
uint32_t intern_add(struct intern *in, const char *s);
uint32_t intern_add_n(struct intern *in, const char *s, size_t len);
/* The number of s or INTERN_NONE. */
uint32_t intern_find(const struct intern *in, const char *s);
/* The string of a number below intern_count(); stays valid and in place until
 * intern_destroy(). */
const char *intern_text(const struct intern *in, uint32_t number);
uint32_t intern_count(const struct intern *in);

#endif
