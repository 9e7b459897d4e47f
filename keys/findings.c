/* SPDX-License-Identifier: Apache-2.0 */
/* Anti-patterns as one table of tests over a profile. Holds no state. */
#include "keys/findings.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/buf.h"
#include "common/row_key.h"

/* Below so few keys nothing is said about shares. */
enum { FEW_KEYS = 20 };
static const double most = 0.9;        /* share that stands for "the keys do" */
static const double sequential = 0.95; /* share above an earlier key */
static const double popular = 2;       /* times a region's even share */
enum { LONG_MEAN = 100, LONG_MAX = 1000, CELLS_A_ROW = 100, CELLS_SEEN = 1000 };

struct context {
    const struct key_list *samples;
    const struct key_profile *p;
    const struct finding_limits *limits;
};

static void say(struct finding *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
say(struct finding *f, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(f->evidence, sizeof f->evidence, format, args);
    va_end(args);
}

/* The key in HBase's escape, cut where it would be too long to read. */
static void
escaped(struct key key, char *out, size_t size)
{
    struct buf text;

    buf_init(&text, 0);
    row_key_escape(&text, key.data, key.len < 60 ? key.len : 60);
    snprintf(out, size, "%.100s%s", text.data, key.len > 60 ? "..." : "");
    buf_finish(&text);
}

static double
share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static bool
enough(const struct context *c)
{
    return c->p->keys >= FEW_KEYS;
}

static bool
find_monotonic(const struct context *c, struct finding *f)
{
    bool up = c->p->ascending >= sequential;

    if (!enough(c) || (!up && c->p->descending < sequential))
        return false;
    say(f,
        "%.1f %% of the keys arrive %s those shortly before: at any moment all writes "
        "go"
        " to one region%s",
        100 * (up ? c->p->ascending : c->p->descending), up ? "above" : "below",
        c->p->sorted ? " (unless the samples were sorted: their order is taken as the"
                       " order of arrival)"
                     : "");
    return true;
}

/* ISO dates ("2026-12-01...") are parted by the delimiters into year, month and day. */
static bool
begins_with_date(struct key key, size_t at)
{
    static const char form[] = "dddd-dd-dd";

    if (key.len < at + sizeof form - 1)
        return false;
    for (size_t i = 0; form[i] != '\0'; i++) {
        uint8_t c = key.data[at + i];
        if (form[i] == 'd' ? c < '0' || c > '9' : c != '-' && c != '/')
            return false;
    }
    return key.data[at] == '1' || key.data[at] == '2';
}

static bool
find_timestamp_first(const struct context *c, struct finding *f)
{
    uint64_t dates = 0;
    uint64_t times = c->p->tokens[0].times;
    const char *what = "a decimal time stamp";

    for (size_t i = 0; i < c->samples->count; i++)
        dates += begins_with_date(key_list_get(c->samples, i), 0) ||
                 begins_with_date(key_list_get(c->samples, i), c->p->constant_prefix);
    if (dates > times) {
        times = dates;
        what = "a date";
    }
    if (c->p->binary_times > times) {
        times = c->p->binary_times;
        what = "a time stamp of 8 bytes";
    }
    if (!enough(c) || share(times, c->p->keys) < most)
        return false;
    say(f, "%.1f %% of the keys begin with %s%s", 100 * share(times, c->p->keys), what,
        c->p->constant_prefix > 0 ? " behind what they all begin with" : "");
    return true;
}

static bool
find_low_cardinality(const struct context *c, struct finding *f)
{
    uint64_t different = c->p->distinct_fields;

    if (!enough(c) || share(c->p->with_field, c->p->keys) < most || different < 2 ||
        different >= c->limits->regions || c->p->keys < 10 * different)
        return false;
    say(f,
        "the first field has %llu values for %u regions: the keys sort into %llu runs,"
        " and writes inside each run follow what comes behind",
        (unsigned long long)different, c->limits->regions,
        (unsigned long long)different);
    return true;
}

static bool
find_skewed(const struct context *c, struct finding *f)
{
    double limit = popular / c->limits->regions;
    double key = share(c->p->top_key_count, c->p->keys);
    double field = share(c->p->top_field_count, c->p->keys);
    char text[128];

    if (!enough(c) || c->limits->regions < 3)
        return false;
    if (key >= limit && c->p->top_key_count > 1) {
        escaped(key_list_get(c->samples, c->p->top_key), text, sizeof text);
        say(f,
            "one key is %.1f %% of the samples, an even share of %u regions %.1f %%:"
            " \"%s\"",
            100 * key, c->limits->regions, 100.0 / c->limits->regions, text);
        return true;
    }
    if (field < limit || c->p->distinct_fields < 2)
        return false;
    escaped(key_first_field(key_list_get(c->samples, c->p->top_field),
                            c->p->constant_prefix),
            text, sizeof text);
    say(f,
        "one first field is %.1f %% of the samples, an even share of %u regions"
        " %.1f %%: \"%s\"",
        100 * field, c->limits->regions, 100.0 / c->limits->regions, text);
    return true;
}

static bool
find_variable_width(const struct context *c, struct finding *f)
{
    for (size_t i = 0; i < c->p->token_count; i++) {
        const struct token_profile *t = &c->p->tokens[i];
        if (!enough(c) || share(t->numbers, c->p->keys) < most ||
            t->min_width == t->max_width)
            continue;
        say(f,
            "the number in field %zu has %zu to %zu digits: as bytes, 10 comes before "
            "9,"
            " so ranges of it are not ranges of keys",
            i + 1, t->min_width, t->max_width);
        return true;
    }
    return false;
}

static bool
find_long_keys(const struct context *c, struct finding *f)
{
    if (c->p->mean_len < LONG_MEAN && c->p->max_len < LONG_MAX)
        return false;
    say(f,
        "keys are %.0f bytes long on average, %zu at most; HBase keeps the key with "
        "each"
        " cell: a row of 10 cells of %u bytes stores %.0f bytes of key for %u of data",
        c->p->mean_len, c->p->max_len, c->limits->cell_bytes, 10 * c->p->mean_len,
        10 * c->limits->cell_bytes);
    return true;
}

static bool
find_giant_rows(const struct context *c, struct finding *f)
{
    double cells = c->p->distinct > 0 ? (double)c->p->keys / (double)c->p->distinct : 0;
    double cell = c->limits->cell_bytes + c->p->mean_len;

    if (c->p->keys < CELLS_SEEN || cells < CELLS_A_ROW)
        return false;
    say(f,
        "%llu samples under %llu keys: %.0f cells a row, %.1f kB at %.0f bytes a cell "
        "with"
        " its key, the largest row %.1f kB in these samples alone; a row never splits,"
        " and %.0f cells fill a region of %.0f GB",
        (unsigned long long)c->p->keys, (unsigned long long)c->p->distinct, cells,
        cells * cell / 1000, cell, (double)c->p->top_key_count * cell / 1000,
        (double)c->limits->region_bytes / cell, (double)c->limits->region_bytes / 1e9);
    return true;
}

static const struct {
    const char *name;
    bool (*find)(const struct context *c, struct finding *f);
    const char *advice;
} kinds[] = {
    [FINDING_MONOTONIC] = {"monotonic-prefix", find_monotonic,
                           "put something in front that varies: a salt, a hash, or"
                           " another field of the key; more regions alone do not help"},
    [FINDING_TIMESTAMP_FIRST] = {"timestamp-first", find_timestamp_first,
                                 "put the entity in front of the time, or a bucket; for"
                                 " the newest first, subtract the time"},
    [FINDING_LOW_CARDINALITY] = {"low-cardinality-prefix", find_low_cardinality,
                                 "put a field with more values first, or a salt in"
                                 " front of this one"},
    [FINDING_SKEWED] = {"skewed-values", find_skewed,
                        "a salt over the whole key parts a popular first field; one"
                        " popular key needs a cache or several rows (key + number)"},
    [FINDING_VARIABLE_WIDTH] = {"variable-width", find_variable_width,
                                "pad numbers to a fixed width (composite:...), or store"
                                " them as big-endian bytes"},
    [FINDING_LONG_KEYS] = {"long-keys", find_long_keys,
                           "shorten the key: codes for names, bytes for numbers, a hash"
                           " for what is never scanned"},
    [FINDING_GIANT_ROWS] =
        {"giant-rows", find_giant_rows,
         "make the table tall: move what tells the cells apart (time,"
         " item) from the column into the key, so that rows can"
         " split"},
};
static_assert(sizeof kinds / sizeof kinds[0] == FINDING_KIND_COUNT, "a row a kind");

const char *
finding_name(enum finding_kind kind)
{
    assert(kind < FINDING_KIND_COUNT);
    return kinds[kind].name;
}

const char *
finding_advice(enum finding_kind kind)
{
    assert(kind < FINDING_KIND_COUNT);
    return kinds[kind].advice;
}

size_t
findings_make(const struct key_list *samples, const struct key_profile *profile,
              const struct finding_limits *limits,
              struct finding out[static FINDING_KIND_COUNT])
{
    struct context c = {samples, profile, limits};
    size_t count = 0;

    assert(limits->regions > 0);
    for (int i = 0; i < FINDING_KIND_COUNT; i++) {
        if (!kinds[i].find(&c, &out[count]))
            continue;
        out[count++].kind = (enum finding_kind)i;
    }
    return count;
}
