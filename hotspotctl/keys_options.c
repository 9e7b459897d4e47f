/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the keys commands. */
#include "hotspotctl/keys_options.h"

#include <errno.h>
#include <string.h>

#include "common/json_write.h"
#include "common/log.h"
#include "common/row_key.h"

static int
check_together(struct invocation *in)
{
    bool pattern = in->values[OPT_PATTERN] != NULL;

    if (pattern && in->values[OPT_KEYS_FILE] != NULL)
        return wrong(in, "--pattern and --keys-file exclude each other");
    if (pattern && in->values[OPT_KEYS_FORMAT] != NULL)
        return wrong(in,
                     "--pattern makes keys; --keys-format is for keys that are read");
    if (!pattern && (in->values[OPT_COUNT] != NULL || in->values[OPT_SEED] != NULL))
        return wrong(in, "--count and --seed belong to --pattern");
    return 0;
}

int
open_keys(struct invocation *in, struct key_source **ret)
{
    const char *format_name = in->values[OPT_KEYS_FORMAT];
    enum key_format format = KEYS_LINE;
    uint64_t count, seed;
    struct buf error;
    char quoted[LOG_QUOTE_SIZE];

    if (check_together(in) != 0)
        return STATUS_WRONG;
    if (format_name != NULL && key_format_parse(format_name, &format) < 0)
        return wrong(in,
                     "wrong --keys-format %s, expected line, hex, escaped or length",
                     log_quote(format_name, strlen(format_name), quoted));
    if (option_number(in, OPT_COUNT, 1, 1000000000, 100000, &count) != 0 ||
        option_number(in, OPT_SEED, 0, INT64_MAX, 1, &seed) != 0)
        return STATUS_WRONG;
    buf_init(&error, 0);
    if (in->values[OPT_PATTERN] != NULL)
        *ret = key_source_pattern(in->values[OPT_PATTERN], seed, count, &error);
    else
        *ret = key_source_open(in->values[OPT_KEYS_FILE], format, &error);
    int status = *ret == NULL ? wrong(in, "%s", error.data) : 0;
    buf_finish(&error);
    return status;
}

int
end_of_keys(struct invocation *in, const struct key_source *source, uint64_t keys)
{
    if (key_source_error(source) != NULL)
        return wrong(in, "%s", key_source_error(source));
    if (keys == 0)
        return wrong(in, "no keys: expected one a line on standard input or in "
                         "--keys-file");
    if (key_source_skipped(source) > 0)
        note(in, "%llu empty lines passed over: a row key is never empty",
             (unsigned long long)key_source_skipped(source));
    return 0;
}

int
sample_keys(struct invocation *in, struct key_source *source, struct sampler *ret)
{
    struct key key;

    sampler_init(ret, SAMPLE_KEYS, SAMPLE_BYTES);
    while (key_source_next(source, &key))
        if (sampler_add(ret, key) < 0)
            return wrong(in, "out of memory");
    if (end_of_keys(in, source, ret->seen) != 0)
        return STATUS_WRONG;
    if (ret->seen > ret->kept.count)
        note(in, "judged by a sample of %zu of the %llu keys, even in order of arrival",
             ret->kept.count, (unsigned long long)ret->seen);
    return 0;
}

int
scheme_option(struct invocation *in, struct scheme *ret)
{
    const char *name = in->values[OPT_SCHEME];
    struct buf error;
    int status = 0;

    buf_init(&error, 0);
    if (scheme_parse(name != NULL ? name : "none", ret, &error) < 0)
        status = wrong(in, "%s", error.data);
    buf_finish(&error);
    return status;
}

int
algo_option(struct invocation *in, enum split_algo *ret, bool *ret_given)
{
    const char *name = in->values[OPT_ALGO];
    char quoted[LOG_QUOTE_SIZE];

    *ret_given = name != NULL;
    if (name == NULL || split_algo_parse(name, ret) == 0)
        return 0;
    return wrong(in, "wrong --algo %s, expected hex, uniform, decimal, salt or samples",
                 log_quote(name, strlen(name), quoted));
}

int
regions_option(struct invocation *in, uint32_t standard, uint32_t *ret)
{
    uint64_t regions, servers, table, region;

    if (option_number(in, OPT_REGIONS, 1, REGIONS_MAX, standard, &regions) != 0 ||
        option_number(in, OPT_SERVERS, 1, 100000, 0, &servers) != 0 ||
        option_size(in, OPT_TABLE_SIZE, 0, &table) != 0 ||
        option_size(in, OPT_REGION_SIZE, 10000000000, &region) != 0)
        return STATUS_WRONG;
    if (in->values[OPT_REGIONS] == NULL && (servers > 0 || table > 0)) {
        regions = split_guide((uint32_t)servers, table, region);
        note(in,
             "%llu regions by the guide: 10 to 30 a server, and no larger than wanted "
             "while that leaves no more",
             (unsigned long long)regions);
    }
    *ret = (uint32_t)regions;
    return 0;
}

int
scheme_failed(struct invocation *in, const struct scheme *scheme, struct key key,
              int error)
{
    struct buf text;

    buf_init(&text, 0);
    row_key_escape(&text, key.data, key.len < 60 ? key.len : 60);
    int status =
        wrong(in, "scheme %s does not fit key '%s%s': %s", scheme->name, text.data,
              key.len > 60 ? "..." : "", scheme_error_text(scheme, error));
    buf_finish(&text);
    return status;
}

const char *
key_text(struct buf *out, struct key key)
{
    buf_reset(out);
    row_key_escape(out, key.data, key.len);
    return out->data;
}

void
json_key_member(struct json_writer *w, const char *name, struct key key)
{
    struct buf text;

    buf_init(&text, 0);
    json_member_string(w, name, key_text(&text, key));
    buf_finish(&text);
}
