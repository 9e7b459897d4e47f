/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of keys. Sizes come from input: memory that runs out is an error. */
#include "keys/key_list.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/row_key.h"

int
key_compare(struct key a, struct key b)
{
    return row_key_compare(a.data, a.len, b.data, b.len);
}

bool
key_equal(struct key a, struct key b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

size_t
key_common_prefix(struct key a, struct key b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    size_t i = 0;

    while (i < len && a.data[i] == b.data[i])
        i++;
    return i;
}

void
key_list_init(struct key_list *list)
{
    *list = (struct key_list){0};
}

void
key_list_finish(struct key_list *list)
{
    free(list->data);
    free(list->ends);
    key_list_init(list);
}

void
key_list_clear(struct key_list *list)
{
    list->used = 0;
    list->count = 0;
}

/* Room for `need` elements of `size` bytes in *array. */
static int
reserve(void *array, size_t *capacity, size_t need, size_t size)
{
    size_t grown = *capacity == 0 ? 64 : *capacity + *capacity / 2;
    void *bigger;

    if (need <= *capacity)
        return 0;
    if (grown < need)
        grown = need;
    memcpy(&bigger, array, sizeof bigger);
    bigger = reallocarray(bigger, grown, size);
    if (bigger == NULL)
        return -ENOMEM;
    memcpy(array, &bigger, sizeof bigger);
    *capacity = grown;
    return 0;
}

int
key_list_add(struct key_list *list, struct key key)
{
    if (key.len > UINT32_MAX - list->used)
        return -EFBIG;
    if (reserve(&list->data, &list->capacity, list->used + key.len, 1) < 0 ||
        reserve(&list->ends, &list->ends_capacity, list->count + 1,
                sizeof *list->ends) < 0)
        return -ENOMEM;
    if (key.len > 0)
        memcpy(list->data + list->used, key.data, key.len);
    list->used += key.len;
    list->ends[list->count++] = (uint32_t)list->used;
    return 0;
}

int
key_list_add_text(struct key_list *list, const char *text)
{
    return key_list_add(list, (struct key){(const uint8_t *)text, strlen(text)});
}

struct key
key_list_get(const struct key_list *list, size_t i)
{
    assert(i < list->count);
    size_t begin = i == 0 ? 0 : list->ends[i - 1];
    return (struct key){list->data + begin, list->ends[i] - begin};
}

static int
by_key(const void *a, const void *b, void *list)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    int order = key_compare(key_list_get(list, x), key_list_get(list, y));

    return order != 0 ? order : (x > y) - (x < y);
}

uint32_t *
key_list_order(const struct key_list *list)
{
    uint32_t *order = malloc((list->count + 1) * sizeof *order);

    if (order == NULL)
        return NULL;
    for (size_t i = 0; i < list->count; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, list->count, sizeof *order, by_key, (void *)list);
    return order;
}
