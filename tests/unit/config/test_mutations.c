/* SPDX-License-Identifier: Apache-2.0 */
/* 20,000 damaged variants of the good samples: each is either refused with an error or
 * gives a configuration that passes config_check(). Meant to be run under the address
 * and undefined behaviour sanitizers, too. The seed is printed on failure and may be
 * given in CONFIG_TEST_SEED. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "tests/unit/config/helpers.h"

enum { ROUNDS = 20000, SAMPLES_MAX = 32 };

struct sample {
    char *text;
    size_t len;
};

static const char *const tokens[] = {
    "- ",     "? ",     ": ",    "[",        "]",      "{",     "}",     ",",
    "#",      "&a ",    "*a ",   "!t ",      "<<: ",   "---\n", "...\n", "\t",
    "\n",     "'",      "\"",    "|\n",      ">\n",    "%",     "@",     "~",
    "null",   "0",      "-1",    "1e99",     "999999", "on",    "yes",   "1ms",
    "7d",     "\\x00",  "\xff",  "\xc3\xa9", "\x07",   "{}",    "[]",    "match",
    "labels", "tables", "poll:", "threshold"};

static uint64_t
next_random(uint64_t *state)
{
    /* splitmix64 */
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static size_t
below(uint64_t *state, size_t n)
{
    return n == 0 ? 0 : (size_t)(next_random(state) % n);
}

/* Puts `text` with one piece replaced by `with` into out. */
static void
splice(struct buf *out, const char *text, size_t len, size_t at, size_t drop,
       const char *with, size_t with_len)
{
    if (drop > len - at)
        drop = len - at;
    buf_reset(out);
    buf_add(out, text, at);
    buf_add(out, with, with_len);
    buf_add(out, text + at + drop, len - at - drop);
}

static void
mutate(uint64_t *state, const struct sample *samples, size_t n, const struct buf *in,
       struct buf *out)
{
    const struct sample *donor = &samples[below(state, n)];
    size_t at = below(state, in->len + 1);
    size_t from = below(state, donor->len + 1);
    size_t take = below(state, 60);
    const char *token = tokens[below(state, sizeof tokens / sizeof *tokens)];
    char byte = (char)next_random(state);

    if (take > donor->len - from)
        take = donor->len - from;
    switch (below(state, 6)) {
    case 0:
        splice(out, in->data, in->len, at, 1, &byte, 1);
        break;
    case 1:
        splice(out, in->data, in->len, at, below(state, 20), "", 0);
        break;
    case 2:
        splice(out, in->data, in->len, at, 0, token, strlen(token));
        break;
    case 3:
        splice(out, in->data, in->len, at, below(state, 12), token, strlen(token));
        break;
    case 4:
        splice(out, in->data, in->len, at, 0, donor->text + from, take);
        break;
    default:
        splice(out, in->data, in->len, at, take, donor->text + from, take);
    }
}

/* The result for one text; false if it breaks the promise. */
static bool
is_handled(const char *text, size_t len, bool *ret_good)
{
    struct config_problems problems, more = {0};
    struct config *config = config_load_text(text, len, &problems);
    bool handled = config ? problems.errors == 0 && config_check(config, &more) == 0
                          : problems.errors > 0;

    if (config) {
        char hash[17];
        config_hash(config, hash);
    }
    *ret_good = config != NULL;
    config_destroy(config);
    config_problems_finish(&problems);
    config_problems_finish(&more);
    return handled;
}

static size_t
load_samples(struct sample samples[static SAMPLES_MAX])
{
    char **names = yaml_files("good");
    size_t n = 0;

    for (; names[n] && n < SAMPLES_MAX; n++)
        samples[n].text = read_file(names[n], &samples[n].len);
    free_names(names);
    return n;
}

START_TEST(damaged_files_are_refused_or_usable)
{
    struct sample samples[SAMPLES_MAX];
    size_t n = load_samples(samples), good = 0;
    const char *given = getenv("CONFIG_TEST_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 20261130, state = seed;
    struct buf text, next;

    buf_init(&text, 0);
    buf_init(&next, 0);
    for (unsigned i = 0; i < ROUNDS; i++) {
        const struct sample *sample = &samples[below(&state, n)];
        bool accepted;
        buf_reset(&text);
        buf_add(&text, sample->text, sample->len);
        for (size_t times = 1 + below(&state, 4); times > 0; times--) {
            mutate(&state, samples, n, &text, &next);
            struct buf swap = text;
            text = next;
            next = swap;
        }
        ck_assert_msg(is_handled(text.data, text.len, &accepted),
                      "seed %" PRIu64 ", round %u:\n%s", seed, i, text.data);
        good += accepted;
    }
    /* Both outcomes must be met often, or the mutations say nothing. */
    ck_assert_uint_gt(good, ROUNDS / 20);
    ck_assert_uint_lt(good, ROUNDS * 19 / 20);
    buf_finish(&text);
    buf_finish(&next);
    for (size_t i = 0; i < n; i++)
        free(samples[i].text);
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {damaged_files_are_refused_or_usable};
    return run_tests("mutations", tests, sizeof tests / sizeof *tests);
}
