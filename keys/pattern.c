/* SPDX-License-Identifier: Apache-2.0 */
/* Keys from a pattern. One owner. */
#include "keys/pattern.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/parse.h"

enum part_kind { TEXT, SEQ, RAND, ZIPF, HEX, TIME, LONG, PICK, PART_KIND_COUNT };

enum { PARTS_MAX = 64, NUMBERS_MAX = 2 };

struct part {
    enum part_kind kind;
    const char *text; /* of TEXT and PICK, in the pattern's own copy */
    size_t len;
    uint64_t numbers[NUMBERS_MAX];
};

struct pattern {
    char *text;
    struct part parts[PARTS_MAX];
    size_t count;
    uint64_t turn;
    uint64_t random;
};

static const struct {
    const char *name;
    size_t required; /* numbers that must be given */
    uint64_t low[NUMBERS_MAX], high[NUMBERS_MAX], standard[NUMBERS_MAX];
} kinds[PART_KIND_COUNT] = {
    [SEQ] = {"seq", 0, {0, 0}, {100, INT64_MAX}, {0, 0}},
    [RAND] = {"rand", 1, {1, 0}, {INT64_MAX, 100}, {1, 0}},
    [ZIPF] = {"zipf", 1, {1, 0}, {INT64_MAX, 100}, {1, 0}},
    [HEX] = {"hex", 1, {1, 0}, {1000, 0}, {1, 0}},
    [TIME] = {"time", 0, {0, 0}, {INT32_MAX, INT64_MAX}, {1, 1700000000000}},
    [LONG] = {"long", 0, {0, 0}, {INT64_MAX, 0}, {0, 0}},
};

static int
find_kind(const char *name, size_t len)
{
    for (int i = SEQ; i < PICK; i++)
        if (strlen(kinds[i].name) == len && memcmp(kinds[i].name, name, len) == 0)
            return i;
    return -1;
}

/* ":NUMBER[:NUMBER]" of a part. */
static int
parse_numbers(const char *p, size_t len, struct part *part)
{
    size_t given = 0;
    const char *end = p + len;

    memcpy(part->numbers, kinds[part->kind].standard, sizeof part->numbers);
    while (p < end) {
        p++; /* the colon */
        const char *colon = memchr(p, ':', (size_t)(end - p));
        const char *stop = colon != NULL ? colon : end;
        if (given == NUMBERS_MAX ||
            parse_u64(p, (size_t)(stop - p), &part->numbers[given]) < 0 ||
            part->numbers[given] < kinds[part->kind].low[given] ||
            part->numbers[given] > kinds[part->kind].high[given])
            return -EINVAL;
        given++;
        p = stop;
    }
    return given >= kinds[part->kind].required ? 0 : -EINVAL;
}

/* What stands between braces. */
static int
parse_part(const char *p, size_t len, struct part *part)
{
    const char *colon = memchr(p, ':', len);
    size_t name = colon != NULL ? (size_t)(colon - p) : len;

    if (name == 4 && memcmp(p, "pick", 4) == 0 && len > 5) {
        *part = (struct part){.kind = PICK, .text = p + 5, .len = len - 5};
        return 0;
    }
    int kind = find_kind(p, name);
    if (kind < 0)
        return -EINVAL;
    part->kind = (enum part_kind)kind;
    return parse_numbers(p + name, len - name, part);
}

static int
parse(struct pattern *p)
{
    const char *at = p->text;

    while (*at != '\0') {
        if (p->count == PARTS_MAX)
            return -EINVAL;
        struct part *part = &p->parts[p->count++];
        if (at[0] != '{' || at[1] == '{') {
            size_t skip = at[0] == '{'; /* the first of two stands for none */
            size_t len = skip + strcspn(at + 2 * skip, "{");
            *part = (struct part){.kind = TEXT, .text = at + skip, .len = len};
            at += skip + len;
            continue;
        }
        const char *end = strchr(at, '}');
        if (end == NULL || parse_part(at + 1, (size_t)(end - at - 1), part) < 0)
            return -EINVAL;
        at = end + 1;
    }
    return p->count > 0 ? 0 : -EINVAL;
}

struct pattern *
pattern_create(const char *text, uint64_t seed, struct buf *error)
{
    struct pattern *p = xcalloc(1, sizeof *p);

    p->text = xstrdup(text);
    p->random = seed;
    if (parse(p) == 0)
        return p;
    buf_adds(error,
             "wrong pattern: expected text with {seq:WIDTH:START}, {rand:MAX:WIDTH},"
             " {zipf:MAX:WIDTH}, {hex:DIGITS}, {time:STEP:START}, {long:START} or"
             " {pick:a,b}; {{ for a brace");
    return pattern_destroy(p);
}

struct pattern *
pattern_destroy(struct pattern *p)
{
    if (p == NULL)
        return NULL;
    free(p->text);
    free(p);
    return NULL;
}

static uint64_t
next_random(struct pattern *p)
{
    uint64_t x = p->random += 0x9E3779B97F4A7C15; /* SplitMix64 (Steele, Lea, Flood) */

    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

/* Rank k comes with a chance of about 1 / k: the logarithm of rank + 1 is uniform. */
static uint64_t
zipf(struct pattern *p, uint64_t max)
{
    double uniform = (double)(next_random(p) >> 11) * 0x1p-53;
    uint64_t rank = (uint64_t)exp(uniform * log((double)max + 1));

    return rank < 1 ? 0 : rank > max ? max - 1 : rank - 1;
}

static void
add_number(struct buf *out, uint64_t number, uint64_t width)
{
    buf_addf(out, "%0*llu", (int)width, (unsigned long long)number);
}

static void
add_pick(struct pattern *p, const struct part *part, struct buf *out)
{
    size_t words = 1;
    const char *word = part->text;
    const char *end = part->text + part->len;

    for (size_t i = 0; i < part->len; i++)
        words += part->text[i] == ',';
    for (uint64_t skip = next_random(p) % words; skip > 0; skip--)
        word = (const char *)memchr(word, ',', (size_t)(end - word)) + 1;
    const char *stop = memchr(word, ',', (size_t)(end - word));
    buf_add(out, word, (size_t)((stop != NULL ? stop : end) - word));
}

static void
add_part(struct pattern *p, const struct part *part, struct buf *out)
{
    const uint64_t *n = part->numbers;

    switch (part->kind) {
    case SEQ:
        add_number(out, n[1] + p->turn, n[0]);
        break;
    case RAND:
        add_number(out, next_random(p) % n[0], n[1]);
        break;
    case ZIPF:
        add_number(out, zipf(p, n[0]), n[1]);
        break;
    case HEX:
        for (uint64_t i = 0; i < n[0]; i++)
            buf_addc(out, "0123456789abcdef"[next_random(p) >> 60]);
        break;
    case TIME:
        add_number(out, n[1] + p->turn * n[0], 0);
        break;
    case LONG:
        for (int i = 0; i < 8; i++)
            buf_addc(out, (char)((n[0] + p->turn) >> (56 - 8 * i)));
        break;
    case PICK:
        add_pick(p, part, out);
        break;
    default:
        buf_add(out, part->text, part->len);
        break;
    }
}

void
pattern_next(struct pattern *p, struct buf *out)
{
    for (size_t i = 0; i < p->count; i++)
        add_part(p, &p->parts[i], out);
    p->turn++;
}
