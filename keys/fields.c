/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of sample keys. Holds no state. */
#include "keys/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "keys/scheme.h"

static bool
is_delimiter(uint8_t c)
{
    return memchr("|:_/#,;~-. ", c, 12) != NULL; /* with the NUL */
}

static bool
is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool
is_letter(uint8_t c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

struct key
key_first_field(struct key key, size_t constant_prefix)
{
    size_t begin = constant_prefix < key.len ? constant_prefix : key.len;
    size_t end = begin;

    while (end < key.len && !is_delimiter(key.data[end]))
        end++;
    return (struct key){key.data + begin, end - begin};
}

/* Seconds, milliseconds or a date between 2001 and 2065 as decimal digits. */
static bool
plausible_time(const uint8_t *p, size_t len)
{
    uint64_t value;

    if (len != 8 && len != 10 && len != 13 && len != 14 && len != 16)
        return false;
    for (size_t i = 0; i < len; i++)
        if (!is_digit(p[i]))
            return false;
    if (!time_stamp_read(p, len, &value))
        return false;
    if (len == 8 || len == 14) { /* 20261201[093000] */
        uint64_t day = len == 14 ? value / 1000000 : value;
        return day >= 20010101 && day <= 20651231 && day / 100 % 100 >= 1 &&
               day / 100 % 100 <= 12 && day % 100 >= 1 && day % 100 <= 31;
    }
    uint64_t seconds = len == 10 ? value : len == 13 ? value / 1000 : value / 1000000;
    return seconds >= 1000000000 && seconds < 3000000000;
}

/* Milliseconds since 1970 as 8 bytes, between 2001 and 2065. */
static bool
plausible_binary_time(struct key key)
{
    uint64_t value = 0;

    if (key.len < 8 || key.data[0] != 0)
        return false;
    for (size_t i = 0; i < 8; i++)
        value = value << 8 | key.data[i];
    return value >= 1000000000000 && value < 3000000000000;
}

/* "name.name.tld" before the first of / : ? # | and the end. */
static bool
begins_with_host(struct key key)
{
    size_t end = 0;
    size_t dots = 0;
    size_t last = 0; /* behind the last dot */

    for (; end < key.len && memchr("/:?#|", key.data[end], 5) == NULL; end++) {
        uint8_t c = key.data[end];
        if (c == '.') {
            dots++;
            last = end + 1;
        } else if (!is_digit(c) && !is_letter(c) && c != '-') {
            return false;
        }
    }
    if (dots == 0 || end - last < 2)
        return false;
    for (size_t i = last; i < end; i++)
        if (!is_letter(key.data[i]))
            return false;
    return true;
}

/* Digits at the end of a token, with nothing or a word in front; a word of hex letters
 * alone is part of a hex number. */
static size_t
number_width(const uint8_t *p, size_t len)
{
    size_t letters = 0;
    bool word = false;

    while (letters < len && is_letter(p[letters])) {
        word = word || (p[letters] | 0x20) > 'f';
        letters++;
    }
    for (size_t i = letters; i < len; i++)
        if (!is_digit(p[i]))
            return 0;
    return letters == 0 || word ? len - letters : 0;
}

static void
note_place(int64_t *place, int64_t now, bool first)
{
    if (first)
        *place = now;
    else if (*place != now)
        *place = INT64_MIN;
}

static void
note_token(struct token_profile *t, struct key key, size_t begin, size_t len)
{
    size_t width = number_width(key.data + begin, len);

    t->keys++;
    if (width > 0) {
        if (t->numbers == 0 || width < t->min_width)
            t->min_width = width;
        if (width > t->max_width)
            t->max_width = width;
        t->numbers++;
    }
    if (!plausible_time(key.data + begin, len))
        return;
    bool first = t->times++ == 0;
    if (first)
        t->time_width = len;
    else if (t->time_width != len)
        t->time_width = 0;
    note_place(&t->from_start, (int64_t)begin, first);
    note_place(&t->from_end, (int64_t)begin - (int64_t)key.len, first);
}

static void
note_tokens(struct key_profile *p, struct key key)
{
    size_t begin = p->constant_prefix;

    for (size_t i = 0; i < TOKENS_MAX && begin <= key.len; i++) {
        size_t end = begin;
        while (end < key.len && !is_delimiter(key.data[end]))
            end++;
        note_token(&p->tokens[i], key, begin, end - begin);
        if (i >= p->token_count)
            p->token_count = i + 1;
        begin = end + 1;
    }
}

/* What needs no order: lengths, tokens, host names. */
static void
profile_shape(const struct key_list *samples, struct key_profile *p)
{
    for (size_t i = 0; i < samples->count; i++) {
        struct key key = key_list_get(samples, i);
        if (key.len > p->max_len)
            p->max_len = key.len;
        p->domains += begins_with_host(key);
        struct key rest = {key.data + p->constant_prefix, key.len - p->constant_prefix};
        p->binary_times += plausible_binary_time(rest);
        note_tokens(p, key);
    }
    p->mean_len =
        samples->count > 0 ? (double)samples->used / (double)samples->count : 0;
}

static void
profile_arrival(const struct key_list *samples, struct key_profile *p)
{
    size_t n = samples->count;
    size_t lag = n / 100 > 0 ? n / 100 : 1;
    size_t up = 0;
    size_t down = 0;

    p->sorted = n > 1;
    for (size_t i = 1; i < n; i++)
        if (key_compare(key_list_get(samples, i - 1), key_list_get(samples, i)) > 0)
            p->sorted = false;
    for (size_t i = lag; i < n; i++) {
        int order =
            key_compare(key_list_get(samples, i), key_list_get(samples, i - lag));
        up += order > 0;
        down += order < 0;
    }
    if (n > lag) {
        p->ascending = (double)up / (double)(n - lag);
        p->descending = (double)down / (double)(n - lag);
    }
}

/* Runs of equal keys and of equal first fields, in key order. */
static void
profile_values(const struct key_list *samples, const uint32_t *order,
               struct key_profile *p)
{
    uint64_t keys_run = 0;
    uint64_t fields_run = 0;
    struct key last = {0};
    struct key last_field = {0};

    for (size_t i = 0; i < samples->count; i++) {
        struct key key = key_list_get(samples, order[i]);
        struct key field = key_first_field(key, p->constant_prefix);
        bool ends = p->constant_prefix + field.len < key.len;
        bool same = i > 0 && key_equal(key, last);
        bool same_field = fields_run > 0 && ends && key_equal(field, last_field);
        p->distinct += !same;
        p->with_field += ends;
        p->distinct_fields += ends && !same_field;
        keys_run = same ? keys_run + 1 : 1;
        fields_run = same_field ? fields_run + 1 : ends;
        if (keys_run > p->top_key_count) {
            p->top_key_count = keys_run;
            p->top_key = order[i];
        }
        if (fields_run > p->top_field_count) {
            p->top_field_count = fields_run;
            p->top_field = order[i];
        }
        last = key;
        last_field = field;
    }
}

static size_t
constant_prefix(const struct key_list *samples, const uint32_t *order)
{
    struct key first = key_list_get(samples, order[0]);
    struct key last = key_list_get(samples, order[samples->count - 1]);
    size_t len = key_common_prefix(first, last);

    if (len == 0 ||
        first.data[0] == '\0') /* bytes of a number rather than a delimiter */
        return 0;
    while (len > 0 && !is_delimiter(first.data[len - 1]))
        len--;
    return len < first.len ? len : 0;
}

int
key_profile_make(const struct key_list *samples, struct key_profile *ret)
{
    uint32_t *order = key_list_order(samples);

    if (order == NULL)
        return -ENOMEM;
    *ret = (struct key_profile){.keys = samples->count};
    if (samples->count > 0) {
        ret->constant_prefix = constant_prefix(samples, order);
        profile_values(samples, order, ret);
        profile_shape(samples, ret);
        profile_arrival(samples, ret);
    }
    free(order);
    return 0;
}
