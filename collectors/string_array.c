/* SPDX-License-Identifier: Apache-2.0 */
/* Holds nothing; any thread. */
#include "collectors/string_array.h"

#include <stdlib.h>

#include "common/alloc.h"

char **
string_array_copy(const char *const *array, size_t most)
{
    size_t n = 0;

    while (array != NULL && n < most && array[n] != NULL)
        n++;
    if (n == 0)
        return NULL;
    char **copy = xcalloc(n + 1, sizeof copy[0]);
    for (size_t i = 0; i < n; i++)
        copy[i] = xstrdup(array[i]);
    return copy;
}

char **
string_array_free(char **array)
{
    for (size_t i = 0; array != NULL && array[i] != NULL; i++)
        free(array[i]);
    free(array);
    return NULL;
}
