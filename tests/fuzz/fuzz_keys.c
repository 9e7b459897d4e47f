/* SPDX-License-Identifier: Apache-2.0 */
/* The key laboratory: a first line that names a scheme or makes a pattern, then keys,
 * one a line. Row keys stay within their limit, split points are in order, and no key
 * gets lost on its way to a region. */
#include "common/buf.h"
#include "keys/findings.h"
#include "keys/pattern.h"
#include "keys/recommend.h"
#include "keys/spread.h"
#include "tests/fuzz/fuzz.h"

enum { KEYS_MOST = 500, REGIONS = 7 };

static void
spread_over(const struct key_list *keys, const struct key_list *points)
{
    size_t wrong;

    MUST(split_valid(points, &wrong));
    struct spread *spread = spread_create(points, 5);
    MUST(spread != NULL);
    for (size_t i = 0; i < keys->count; i++) {
        size_t region = spread_locate(spread, key_list_get(keys, i));
        MUST(region == 0 ||
             key_compare(key_list_get(points, region - 1), key_list_get(keys, i)) <= 0);
        MUST(region == points->count ||
             key_compare(key_list_get(keys, i), key_list_get(points, region)) < 0);
        spread_add(spread, key_list_get(keys, i));
    }
    struct spread_result r = spread_result(spread);
    MUST(r.keys == keys->count && r.regions == points->count + 1);
    MUST(r.keys == 0 ||
         (r.effective >= 0.999 && r.effective <= (double)r.regions + 1e-6));
    spread_destroy(spread);
}

static void
try_scheme(const struct scheme *scheme, const struct key_list *keys)
{
    struct key_list rows = {0};
    struct key_list points = {0};
    enum split_algo algo;
    size_t wrong = 0;
    int result = scheme_apply_all(scheme, keys, &rows, &wrong);

    MUST(result == 0 || scheme_error_text(scheme, result) != NULL);
    if (result == 0) {
        MUST(rows.count == keys->count);
        MUST(recommend_points(scheme, keys, REGIONS, &points, &algo) == 0);
        MUST(points.count < REGIONS);
        spread_over(&rows, &points);
    }
    key_list_finish(&rows);
    key_list_finish(&points);
}

static void
judge(const struct key_list *keys)
{
    static const struct finding_limits limits = {REGIONS, 100, 10000000000};
    struct finding findings[FINDING_KIND_COUNT];
    static struct scheme_advice advice[ADVICE_MAX];
    struct key_profile profile;

    MUST(key_profile_make(keys, &profile) == 0);
    size_t count = findings_make(keys, &profile, &limits, findings);
    for (size_t i = 0; i < count; i++)
        for (const char *p = findings[i].evidence; *p != '\0'; p++)
            MUST(*p >= 0x20 && *p < 0x7F);
    int schemes =
        recommend_make(keys, &profile, NEED_POINT | NEED_LATEST, REGIONS, advice);
    MUST(schemes >= 0 && schemes <= ADVICE_MAX);
    for (int i = 0; i < schemes; i++)
        MUST(advice[i].score >= 0 && advice[i].score <= 1);
}

/* The keys of a pattern, or none if it is no pattern. */
static void
make_keys(const char *text, struct key_list *keys)
{
    struct buf key;

    buf_init(&key, 0);
    struct pattern *pattern = pattern_create(text, 1, &key);
    for (int i = 0; pattern != NULL && i < 20; i++) {
        buf_reset(&key);
        pattern_next(pattern, &key);
        if (key.len > 0 && key.len <= KEY_MAX)
            MUST(key_list_add(keys, (struct key){(uint8_t *)key.data, key.len}) == 0);
    }
    pattern_destroy(pattern);
    buf_finish(&key);
}

static void
read_keys(const uint8_t *data, size_t size, struct key_list *keys)
{
    while (size > 0 && keys->count < KEYS_MOST) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t len = end != NULL ? (size_t)(end - data) : size;
        if (len > 0 && len <= KEY_MAX)
            MUST(key_list_add(keys, (struct key){data, len}) == 0);
        len += end != NULL;
        data += len;
        size -= len;
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *newline = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t head = newline != NULL ? (size_t)(newline - data) : size;
    char *name = strndup((const char *)data, head);
    struct key_list keys = {0};
    struct scheme scheme;
    struct buf error;

    MUST(name != NULL);
    buf_init(&error, 0);
    read_keys(data + head, size - head, &keys);
    make_keys(name, &keys);
    bool known = scheme_parse(name, &scheme, &error) == 0;
    MUST(known == (error.len == 0));
    if (known)
        try_scheme(&scheme, &keys);
    judge(&keys);
    buf_finish(&error);
    key_list_finish(&keys);
    free(name);
    return 0;
}
