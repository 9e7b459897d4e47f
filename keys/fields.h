/* SPDX-License-Identifier: Apache-2.0 */
/* What sample keys look like: their fields, time stamps, order of arrival, popular
 * values. Fields are what stands between the bytes | : _ / # , ; ~ - . blank and NUL,
 * behind what all keys begin with. */
#ifndef KEYS_FIELDS_H
#define KEYS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keys/key_list.h"

enum { TOKENS_MAX = 8 };

/* The token at one place of the keys. */
struct token_profile {
    uint64_t keys;    /* that have it */
    uint64_t numbers; /* in which it is a number, maybe behind letters ("user10") */
    size_t min_width, max_width;  /* of those numbers */
    uint64_t times;               /* in which it is a plausible time stamp */
    size_t time_width;            /* of the first of these; 0: widths differ */
    int64_t from_start, from_end; /* its place in the keys; INT64_MIN: differs */
};

struct key_profile {
    uint64_t keys;
    uint64_t distinct;
    size_t max_len;
    double mean_len;
    size_t constant_prefix;   /* bytes that all begin with, up to a delimiter */
    double ascending;         /* share of keys above one a hundredth earlier */
    double descending;        /* share of keys below it */
    bool sorted;              /* none is below the one before */
    uint64_t top_key_count;   /* of the most frequent key */
    uint32_t top_key;         /* a sample that is it */
    uint64_t with_field;      /* keys whose first field ends before the key does */
    uint64_t distinct_fields; /* different first fields of these */
    uint64_t top_field_count;
    uint32_t top_field;    /* a sample that has it */
    uint64_t binary_times; /* keys that begin with a plausible 8-byte time */
    uint64_t domains;      /* keys that begin with a host name */
    struct token_profile tokens[TOKENS_MAX];
    size_t token_count;
};

/* Samples are in order of arrival. -ENOMEM. */
int key_profile_make(const struct key_list *samples, struct key_profile *ret);

/* The first field of a key behind the constant prefix. */
struct key key_first_field(struct key key, size_t constant_prefix);

#endif
