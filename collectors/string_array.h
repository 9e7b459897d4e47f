/* SPDX-License-Identifier: Apache-2.0 */
/* NULL-terminated arrays of owned strings. */
#ifndef COLLECTORS_STRING_ARRAY_H
#define COLLECTORS_STRING_ARRAY_H

#include <stddef.h>

/* A copy of at most `most` strings; NULL for NULL and for an empty array. */
char **string_array_copy(const char *const *array, size_t most);
/* Accepts NULL; returns NULL. */
char **string_array_free(char **array);

#endif
