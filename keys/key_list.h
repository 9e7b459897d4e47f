/* SPDX-License-Identifier: Apache-2.0 */
/* Row keys (bytes) one after another in one piece of memory: samples, split points. */
#ifndef KEYS_KEY_LIST_H
#define KEYS_KEY_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest row key that HBase takes (HConstants.MAX_ROW_LENGTH). */
enum { KEY_MAX = 32767 };

struct key {
    const uint8_t *data;
    size_t len;
};

/* < 0, 0, > 0 in HBase's order: unsigned bytes, a prefix before what it begins. */
int key_compare(struct key a, struct key b);
bool key_equal(struct key a, struct key b);
/* Bytes that both begin with. */
size_t key_common_prefix(struct key a, struct key b);

struct key_list {
    uint8_t *data;
    size_t used;
    size_t capacity;
    uint32_t *ends; /* end of key i in data */
    size_t count;
    size_t ends_capacity;
};

/* All zero is an empty list, too. */
void key_list_init(struct key_list *list);
void key_list_finish(struct key_list *list);
void key_list_clear(struct key_list *list);

/* Appends a copy. -ENOMEM; -EFBIG above 4 GiB of bytes. */
int key_list_add(struct key_list *list, struct key key);
int key_list_add_text(struct key_list *list, const char *text);

/* Key i; valid until the list changes. */
struct key key_list_get(const struct key_list *list, size_t i);

/* Indices of the keys in key order (equal keys in the order of the list); the caller
 * frees it. NULL: out of memory. */
uint32_t *key_list_order(const struct key_list *list);

#endif
