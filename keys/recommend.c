/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates, a trial of each, a ranking. Holds no state. */
#include "keys/recommend.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys/spread.h"

struct candidates {
    struct scheme schemes[ADVICE_MAX];
    size_t count;
};

int
needs_parse(const char *text, unsigned *ret)
{
    static const struct {
        const char *name;
        enum need need;
    } names[] = {{"point", NEED_POINT},
                 {"prefix", NEED_PREFIX},
                 {"range", NEED_RANGE},
                 {"latest", NEED_LATEST}};
    unsigned needs = 0;

    while (true) {
        size_t len = strcspn(text, ",");
        size_t i = 0;
        while (i < sizeof names / sizeof names[0] &&
               (strlen(names[i].name) != len || memcmp(names[i].name, text, len) != 0))
            i++;
        if (i == sizeof names / sizeof names[0])
            return -EINVAL;
        needs |= names[i].need;
        if (text[len] == '\0')
            break;
        text += len + 1;
    }
    *ret = needs;
    return 0;
}

/* ---- candidates ---- */

static void suggest(struct candidates *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
suggest(struct candidates *c, const char *format, ...)
{
    char name[SCHEME_NAME_MAX];
    struct buf error;
    va_list args;

    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    buf_init(&error, 0);
    if (c->count < ADVICE_MAX && scheme_parse(name, &c->schemes[c->count], &error) == 0)
        c->count++;
    buf_finish(&error);
}

static bool
nearly_all(uint64_t part, const struct key_profile *p)
{
    return p->keys > 0 && (double)part >= 0.9 * (double)p->keys;
}

/* The token that is a time stamp at a fixed place; NULL if none is. */
static const struct token_profile *
time_token(const struct key_profile *p, int64_t *ret_offset)
{
    for (size_t i = 0; i < p->token_count; i++) {
        const struct token_profile *t = &p->tokens[i];
        if (!nearly_all(t->times, p) || t->time_width == 0)
            continue;
        if (t->from_start != INT64_MIN || t->from_end != INT64_MIN) {
            *ret_offset = t->from_start != INT64_MIN ? t->from_start : t->from_end;
            return t;
        }
    }
    return NULL;
}

static void
suggest_time(const struct key_profile *p, uint32_t buckets, struct candidates *c)
{
    int64_t offset = (int64_t)p->constant_prefix;
    const struct token_profile *t = time_token(p, &offset);
    size_t width = t != NULL ? t->time_width : 8;

    if (t == NULL && !nearly_all(p->binary_times, p))
        return;
    suggest(c, "reverse-time:%lld:%zu", (long long)offset, width);
    if (offset == (int64_t)p->constant_prefix)
        suggest(c, "time-bucket:%lld:%zu:%u", (long long)offset, width, buckets);
}

/* The delimiter that all keys have most of; 0 if there is none. */
static char
common_delimiter(const struct key_list *samples)
{
    static const char delimiters[] = "|:#_/,;~-";

    for (const char *d = delimiters; *d != '\0'; d++) {
        size_t with = 0;
        for (size_t i = 0; i < samples->count; i++) {
            struct key key = key_list_get(samples, i);
            with += memchr(key.data, *d, key.len) != NULL;
        }
        if (samples->count > 0 && with == samples->count)
            return *d;
    }
    return '\0';
}

enum { FIELDS_MAX = 6 };

/* Number of the key's fields and the widths of these, kept as the largest so far. */
static size_t
measure_fields(struct key key, char delimiter, size_t widths[FIELDS_MAX])
{
    size_t field = 0;
    size_t begin = 0;

    for (size_t i = 0; i <= key.len; i++) {
        if (i < key.len && key.data[i] != (uint8_t)delimiter)
            continue;
        if (field == FIELDS_MAX)
            return FIELDS_MAX + 1;
        if (i - begin > widths[field])
            widths[field] = i - begin;
        field++;
        begin = i + 1;
    }
    return field;
}

/* Fixed widths in the keys' own order; with a time in front, also with it behind the
 * second field. */
static void
suggest_composite(const struct key_list *samples, const struct key_profile *p,
                  struct candidates *c)
{
    char delimiter = common_delimiter(samples);
    size_t widths[FIELDS_MAX] = {0};
    size_t fields = 0;
    char same[100];
    size_t used = 0;

    for (size_t i = 0; delimiter != '\0' && i < samples->count; i++) {
        size_t n = measure_fields(key_list_get(samples, i), delimiter, widths);
        if (n > FIELDS_MAX || (i > 0 && n != fields))
            return;
        fields = n;
    }
    if (fields < 2)
        return;
    for (size_t i = 0; i < fields; i++)
        used +=
            (size_t)snprintf(same + used, sizeof same - used, "%s%zu@%zu",
                             i > 0 ? "," : "", i + 1, widths[i] > 0 ? widths[i] : 1);
    suggest(c, "composite:%s:%c", same, delimiter);
    if (p->tokens[0].times == 0)
        return;
    const char *rest = strchr(same, ',');
    suggest(c, "composite:%s,1@%zu:%c", rest + 1, widths[0] > 0 ? widths[0] : 1,
            delimiter);
}

static void
suggest_all(const struct key_list *samples, const struct key_profile *p,
            uint32_t regions, struct candidates *c)
{
    uint32_t buckets = regions < 2 ? 2 : regions;

    suggest(c, "none");
    if (nearly_all(p->domains, p))
        suggest(c, "reverse-domain");
    suggest_composite(samples, p, c);
    suggest_time(p, buckets, c);
    suggest(c, "salt:%u", buckets);
    suggest(c, "hash:md5:%d", buckets <= 256 ? 4 : 8);
    if (buckets <= 256)
        suggest(c, "phoenix:%u", buckets);
    if (buckets <= 127)
        suggest(c, "prefix-byte:%u", buckets);
}

/* ---- trial ---- */

int
scheme_apply_all(const struct scheme *s, const struct key_list *samples,
                 struct key_list *out, size_t *ret_wrong)
{
    struct buf row;
    int result = 0;

    buf_init(&row, 0);
    for (size_t i = 0; i < samples->count && result == 0; i++) {
        buf_reset(&row);
        *ret_wrong = i;
        result = scheme_apply(s, i, key_list_get(samples, i), &row);
        if (result == 0)
            result = key_list_add(out, (struct key){(uint8_t *)row.data, row.len});
    }
    buf_finish(&row);
    return result;
}

/* Points for row keys that the scheme has made already. */
static int
points_for(const struct scheme *s, const struct key_list *rows, uint32_t regions,
           struct key_list *points, enum split_algo *ret_algo)
{
    if (scheme_buckets(s) != 1 && split_buckets(s, regions, points) == 0) {
        *ret_algo = SPLIT_SALT;
        return 0;
    }
    key_list_clear(points);
    *ret_algo = SPLIT_SAMPLES;
    return split_samples(rows, regions, points);
}

int
recommend_points(const struct scheme *s, const struct key_list *samples,
                 uint32_t regions, struct key_list *ret_points,
                 enum split_algo *ret_algo)
{
    struct key_list rows = {0};
    size_t wrong;
    int result = scheme_apply_all(s, samples, &rows, &wrong);

    if (result == 0)
        result = points_for(s, &rows, regions, ret_points, ret_algo);
    key_list_finish(&rows);
    return result;
}

/* Effective regions relative to what chance gives `keys` keys over the regions. */
static double
evenness(double effective, double keys, double regions)
{
    double ideal = keys / (1 + (keys - 1) / regions);

    return ideal <= 0 ? 0 : fmin(1, effective / ideal);
}

static double
read_cost(uint64_t reads)
{
    enum { SENSIBLE = 1024 };

    return reads == 0 || reads > SENSIBLE ? 0.1 : 1 / (1 + log2((double)reads) / 8);
}

/* 1: as good as can be; what a needed read costs makes it less. */
static double
needs_factor(const struct scheme *s, unsigned needs)
{
    double factor = 1;
    bool moved = s->kind == SCHEME_COMPOSITE && s->fields[0].number != 1;

    if (needs & NEED_POINT)
        factor = fmin(factor, read_cost(scheme_point_reads(s)));
    if (needs & (NEED_PREFIX | NEED_RANGE | NEED_LATEST))
        factor = fmin(factor, read_cost(scheme_range_reads(s)));
    if ((needs & NEED_RANGE) && moved)
        factor *= 0.5; /* a range of what was first is a scan of the whole table now */
    if ((needs & NEED_LATEST) && s->kind != SCHEME_REVERSE_TIME)
        factor *= 0.9; /* a reversed scan, which costs a little more */
    if (scheme_point_reads(s) > 1)
        factor *= 0.9; /* who stated no point reads has some nevertheless */
    return factor;
}

static double
score_of(const struct scheme *s, unsigned needs, const struct spread_result *r,
         uint32_t window, uint32_t regions)
{
    double all = evenness(r->effective, (double)r->keys, regions);
    double now = r->windows > 0 ? evenness(r->window_effective, window, regions) : all;

    return fmin(all, now) * needs_factor(s, needs);
}

static void
write_reason(struct scheme_advice *a, uint32_t regions)
{
    char scans[60];
    bool uneven = a->window_share > 3.0 / regions && regions > 1;

    if (a->range_reads == 0)
        snprintf(scans, sizeof scans, "a range needs a scan of the whole table");
    else
        snprintf(scans, sizeof scans, "a range is %llu scan%s",
                 (unsigned long long)a->range_reads, a->range_reads == 1 ? "" : "s");
    snprintf(a->reason, sizeof a->reason,
             "%s; at a time the hottest region takes %.1f %% (an even share is %.1f "
             "%%)%s; a known key is %llu get%s, %s",
             scheme_about(a->scheme.kind), 100 * a->window_share, 100.0 / regions,
             uneven ? ": hot" : "", (unsigned long long)a->point_reads,
             a->point_reads == 1 ? "" : "s", scans);
}

static int
try_scheme(const struct scheme *s, const struct key_list *samples, unsigned needs,
           uint32_t regions, struct scheme_advice *ret)
{
    struct key_list rows = {0};
    struct key_list points = {0};
    struct spread *spread = NULL;
    uint32_t window = spread_window(samples->count);
    size_t wrong;
    int result = scheme_apply_all(s, samples, &rows, &wrong);

    *ret = (struct scheme_advice){.scheme = *s};
    if (result == 0)
        result = points_for(s, &rows, regions, &points, &ret->algo);
    if (result == 0 && (spread = spread_create(&points, window)) == NULL)
        result = -ENOMEM;
    if (result < 0)
        goto out;
    for (size_t i = 0; i < rows.count; i++)
        spread_add(spread, key_list_get(&rows, i));
    struct spread_result r = spread_result(spread);
    ret->regions = r.regions;
    ret->max_over_mean = r.max_over_mean;
    ret->effective = r.effective;
    ret->window_share = r.window_share;
    ret->window_effective = r.window_effective;
    ret->point_reads = scheme_point_reads(s);
    ret->range_reads = scheme_range_reads(s);
    ret->score = score_of(s, needs, &r, window, regions);
    write_reason(ret, regions);
out:
    spread_destroy(spread);
    key_list_finish(&points);
    key_list_finish(&rows);
    return result;
}

int
recommend_make(const struct key_list *samples, const struct key_profile *profile,
               unsigned needs, uint32_t regions,
               struct scheme_advice out[static ADVICE_MAX])
{
    struct candidates *c = calloc(1, sizeof *c);
    int count = 0;
    int result = 0;

    if (c == NULL)
        return -ENOMEM;
    suggest_all(samples, profile, regions, c);
    for (size_t i = 0; i < c->count && result != -ENOMEM; i++) {
        struct scheme_advice advice;
        result = try_scheme(&c->schemes[i], samples, needs == 0 ? NEED_POINT : needs,
                            regions, &advice);
        if (result < 0)
            continue; /* the scheme does not fit these keys */
        int place = count++;
        while (place > 0 && out[place - 1].score < advice.score - 0.005) {
            out[place] = out[place - 1];
            place--;
        }
        out[place] = advice;
    }
    free(c);
    return result == -ENOMEM ? result : count;
}
