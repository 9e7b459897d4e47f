/* SPDX-License-Identifier: Apache-2.0 */
/* Keys from text and back, for the tests of keys/. */
#ifndef TESTS_UNIT_KEYS_SUPPORT_H
#define TESTS_UNIT_KEYS_SUPPORT_H

#include <string.h>

#include "common/row_key.h"
#include "keys/key_list.h"
#include "keys/pattern.h"
#include "keys/scheme.h"
#include "tests/unit/common/harness.h"

static inline struct key
text_key(const char *text)
{
    return (struct key){(const uint8_t *)text, strlen(text)};
}

/* The key in HBase's escape; good for the next 15 calls. */
static inline const char *
shown(struct key key)
{
    static char texts[16][400];
    static unsigned turn;
    char *text = texts[turn++ % 16];
    struct buf out;

    buf_init(&out, 0);
    row_key_escape(&out, key.data, key.len);
    snprintf(text, sizeof texts[0], "%s", out.data);
    buf_finish(&out);
    return text;
}

static inline struct scheme
scheme_of(const char *name)
{
    struct scheme s;
    struct buf error;

    buf_init(&error, 0);
    ck_assert_msg(scheme_parse(name, &s, &error) == 0, "%s: %s", name, error.data);
    buf_finish(&error);
    return s;
}

/* So many keys of a pattern, with seed 1. */
static inline void
add_pattern(struct key_list *list, const char *text, size_t count)
{
    struct buf key;

    buf_init(&key, 0);
    struct pattern *p = pattern_create(text, 1, &key);
    ck_assert_msg(p != NULL, "%s", key.data);
    for (size_t i = 0; i < count; i++) {
        buf_reset(&key);
        pattern_next(p, &key);
        ck_assert_int_eq(key_list_add(list, (struct key){(uint8_t *)key.data, key.len}),
                         0);
    }
    pattern_destroy(p);
    buf_finish(&key);
}

#endif
