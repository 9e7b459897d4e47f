/* SPDX-License-Identifier: Apache-2.0 */
/* The key that was probably meant. */
#ifndef CONFIG_SUGGEST_H
#define CONFIG_SUGGEST_H

#include <stddef.h>

/* The one of n names that key is nearest to, or NULL if none is near: a third of its
 * letters wrong at most, or one begins with the other. */
const char *suggest_nearest(const char *key, const char *const *names, size_t n);

/* The path of a key of exactly that name anywhere in the file, or NULL. */
const char *suggest_elsewhere(const char *key);

#endif
