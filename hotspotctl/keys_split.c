/* SPDX-License-Identifier: Apache-2.0 */
/* hotspotctl keys split: the split points of a new table. */
#include <errno.h>
#include <string.h>

#include "common/json_write.h"
#include "common/log.h"
#include "hotspotctl/grid.h"
#include "hotspotctl/keys_commands.h"
#include "hotspotctl/keys_options.h"
#include "hotspotctl/points_text.h"
#include "keys/recommend.h"

/* Quantiles of the row keys that the scheme makes of the samples. */
static int
points_of_samples(struct invocation *in, const struct scheme *scheme, uint32_t regions,
                  struct key_list *points)
{
    struct key_source *source;
    struct sampler sampler;
    struct key_list rows = {0};
    size_t at = 0;

    if (open_keys(in, &source) != 0)
        return STATUS_WRONG;
    int status = sample_keys(in, source, &sampler);
    key_source_close(source);
    if (status == 0) {
        int result = scheme_apply_all(scheme, &sampler.kept, &rows, &at);
        if (result < 0)
            status = scheme_failed(in, scheme, key_list_get(&sampler.kept, at), result);
        else if (split_samples(&rows, regions, points) < 0)
            status = wrong(in, "out of memory");
    }
    if (status == 0 && points->count + 1 < regions)
        note(in, "the keys are too few or too alike for %u regions: %zu", regions,
             points->count + 1);
    key_list_finish(&rows);
    sampler_finish(&sampler);
    return status;
}

static int
points_of_buckets(struct invocation *in, const struct scheme *scheme, uint32_t regions,
                  struct key_list *points)
{
    int result = split_buckets(scheme, regions, points);

    if (result == -ENOMEM)
        return wrong(in, "out of memory");
    if (result < 0 && scheme->kind == SCHEME_NONE)
        return wrong(in, "--algo salt needs the --scheme whose prefixes are split at");
    if (result < 0)
        return wrong(in,
                     "%s has %llu buckets for %u regions; --algo samples splits "
                     "inside them",
                     scheme->name, (unsigned long long)scheme_buckets(scheme), regions);
    return 0;
}

/* Without --scheme, --algo salt is for salt:REGIONS. */
static int
split_scheme(struct invocation *in, enum split_algo algo, uint32_t regions,
             struct scheme *ret)
{
    struct buf name, error;
    int status = 0;

    if (in->values[OPT_SCHEME] != NULL || algo != SPLIT_SALT)
        return scheme_option(in, ret);
    buf_init(&name, 0);
    buf_init(&error, 0);
    buf_addf(&name, "salt:%u", regions);
    if (scheme_parse(name.data, ret, &error) < 0)
        status = wrong(in, "%s", error.data);
    buf_finish(&name);
    buf_finish(&error);
    return status;
}

static int
make_points(struct invocation *in, enum split_algo algo, uint32_t regions,
            struct key_list *points)
{
    struct scheme scheme;

    if (split_scheme(in, algo, regions, &scheme) != 0)
        return STATUS_WRONG;
    if (algo == SPLIT_SAMPLES)
        return points_of_samples(in, &scheme, regions, points);
    if (in->values[OPT_KEYS_FILE] != NULL || in->values[OPT_PATTERN] != NULL)
        note(in, "--algo %s takes no keys; those given are not read",
             split_algo_name(algo));
    if (algo == SPLIT_SALT)
        return points_of_buckets(in, &scheme, regions, points);
    if (in->values[OPT_SCHEME] != NULL)
        return wrong(in, "--scheme belongs to --algo salt and samples");
    return split_fixed(algo, regions, points) < 0 ? wrong(in, "out of memory") : 0;
}

static void
print_json(struct invocation *in, enum split_algo algo, const struct key_list *points)
{
    struct json_writer w;
    struct buf text;

    buf_init(&text, 0);
    json_init(&w, &in->out);
    json_object_begin(&w);
    json_member_string(&w, "algo", split_algo_name(algo));
    json_member_u64(&w, "regions", points->count + 1);
    json_key(&w, "splits");
    json_array_begin(&w);
    for (size_t i = 0; i < points->count; i++)
        json_string(&w, key_text(&text, key_list_get(points, i)));
    json_array_end(&w);
    json_object_end(&w);
    buf_addc(&in->out, '\n');
    buf_finish(&text);
}

static void
print_grid(struct invocation *in, const struct key_list *points)
{
    static const struct grid_column columns[] = {
        {"REGION", "region", true, false},
        {"START KEY", "startKey", false, false},
        {"END KEY", "endKey", false, false}};
    struct grid grid;
    struct buf text;

    grid_init(&grid, columns, 3);
    buf_init(&text, 0);
    for (size_t i = 0; i <= points->count; i++) {
        grid_add(&grid, "%zu", i + 1);
        grid_add(&grid, "%s",
                 i > 0 ? key_text(&text, key_list_get(points, i - 1)) : "");
        grid_add(&grid, "%s",
                 i < points->count ? key_text(&text, key_list_get(points, i)) : "");
    }
    if (in->output == OUTPUT_CSV)
        grid_print_csv(&grid, &in->out);
    else
        grid_print_table(&grid, &in->out);
    buf_finish(&text);
    grid_finish(&grid);
}

static int
print(struct invocation *in, enum split_algo algo, const struct key_list *points)
{
    const char *table = in->values[OPT_TABLE] != NULL ? in->values[OPT_TABLE] : "t1";
    const char *family = in->values[OPT_FAMILY] != NULL ? in->values[OPT_FAMILY] : "f";
    char quoted[LOG_QUOTE_SIZE];

    if (!create_name_valid(table))
        return wrong(in, "wrong --table %s, expected a name as HBase takes it",
                     log_quote(table, strlen(table), quoted));
    if (!create_family_valid(family))
        return wrong(in, "wrong --family %s, expected a name as HBase takes it",
                     log_quote(family, strlen(family), quoted));
    switch (in->output) {
    case OUTPUT_JSON:
        print_json(in, algo, points);
        break;
    case OUTPUT_FILE:
        points_write_file(points, &in->out);
        break;
    case OUTPUT_SHELL:
        points_write_shell(points, table, family, &in->out);
        break;
    default:
        print_grid(in, points);
        break;
    }
    return STATUS_FINE;
}

int
keys_split(struct invocation *in)
{
    enum split_algo algo;
    uint32_t regions;
    bool given;
    struct key_list points = {0};

    if (algo_option(in, &algo, &given) != 0 || regions_option(in, 0, &regions) != 0)
        return STATUS_WRONG;
    if (!given)
        return wrong(in, "no --algo: expected hex, uniform, decimal, salt or samples");
    if (regions == 0)
        return wrong(in,
                     "no --regions; or give --servers, --table-size, --region-size");
    int status = make_points(in, algo, regions, &points);
    if (status == 0)
        status = print(in, algo, &points);
    key_list_finish(&points);
    return status;
}
