/* SPDX-License-Identifier: Apache-2.0 */
/* Edit distance between a mistyped key and the known ones. Pure functions. */
#include "config/suggest.h"

#include <string.h>

#include "config/schema.h"

enum { NAME_MAX_LEN = 48 };

static unsigned
min3(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;
    return least < c ? least : c;
}

/* Letters to add, drop, replace or swap with their neighbour (optimal string
 * alignment); both texts are at most NAME_MAX_LEN long. */
static unsigned
distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    unsigned rows[3][NAME_MAX_LEN + 1];
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];

    for (size_t j = 0; j <= b_len; j++)
        before[j] = last[j] = (unsigned)j;
    for (size_t i = 1; i <= a_len; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= b_len; j++) {
            unsigned change = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = min3(last[j] + 1, now[j - 1] + 1, change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < now[j])
                now[j] = before[j - 2] + 1;
        }
        unsigned *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[b_len];
}

const char *
suggest_nearest(const char *key, const char *const *names, size_t n)
{
    const char *nearest = NULL;
    size_t key_len = strlen(key);
    unsigned best = (unsigned)(key_len < 6 ? 2 : key_len / 3) + 1;

    if (key_len < 2 || key_len > NAME_MAX_LEN)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(names[i]);
        if (len > NAME_MAX_LEN)
            continue;
        unsigned d = distance(key, key_len, names[i], len);
        if (d < best && d < len && d < key_len) {
            best = d;
            nearest = names[i];
        }
    }
    for (size_t i = 0; !nearest && key_len >= 4 && i < n; i++) {
        size_t len = strlen(names[i]);
        if (len >= 4 && strncmp(key, names[i], len < key_len ? len : key_len) == 0)
            nearest = names[i];
    }
    return nearest;
}

const char *
suggest_elsewhere(const char *key)
{
    for (size_t i = 0; i < schema_count; i++) {
        if (!(schema[i].flags & ROW_NOT_IN_FILE) &&
            strcmp(schema_key(&schema[i]), key) == 0)
            return schema[i].path;
    }
    return NULL;
}
