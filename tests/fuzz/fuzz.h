/* SPDX-License-Identifier: Apache-2.0 */
/* One target a parser of outside bytes: libFuzzer calls it with made-up inputs
 * (./dev fuzz), replay.c with those of the corpus (./dev test). A target aborts when
 * what must always hold does not. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* assert() that no build option removes. */
#define MUST(condition)                                                                \
    do {                                                                               \
        if (!(condition)) {                                                            \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__,          \
                    #condition);                                                       \
            abort();                                                                   \
        }                                                                              \
    } while (0)

/* An error is one line for people, present exactly when there was one. */
#define MUST_SAY_WHY(failed, error)                                                    \
    do {                                                                               \
        MUST((failed) == ((error) != NULL));                                           \
        MUST((error) == NULL ||                                                        \
             ((error)[0] != '\0' && strchr((error), '\n') == NULL));                   \
        free(error);                                                                   \
    } while (0)

/* The length of the next piece to feed: cuts a text of `left` bytes at places that
 * depend on its bytes, so that the same input is always cut the same way. */
static inline size_t
piece_length(const uint8_t *data, size_t left)
{
    size_t length = 1 + data[0] % 7u * (size_t)(data[left / 2] % 31u);

    return length < left ? length : left;
}

#endif
