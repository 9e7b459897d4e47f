/* SPDX-License-Identifier: Apache-2.0 */
/* hotspotctl keys try: sample keys over regions, before and after a scheme. */
#include <errno.h>
#include <string.h>

#include "common/json_write.h"
#include "hotspotctl/grid.h"
#include "hotspotctl/keys_commands.h"
#include "hotspotctl/keys_trial.h"
#include "hotspotctl/points_text.h"

enum { STANDARD_REGIONS = 16, BAR = 40 };

/* Points that --splits or --splits-file give, for both trials. */
static int
given_points(struct invocation *in, struct trial *before, struct trial *after)
{
    const char *list = in->values[OPT_SPLITS];
    const char *file = in->values[OPT_SPLITS_FILE];
    struct buf error;
    int result = 0;

    if ((list != NULL) + (file != NULL) + (in->values[OPT_ALGO] != NULL) > 1)
        return wrong(in, "--splits, --splits-file and --algo exclude one another");
    if (list == NULL && file == NULL)
        return 0;
    if (in->values[OPT_REGIONS] != NULL)
        return wrong(in, "--regions belongs to --algo; the split points say how many");
    buf_init(&error, 0);
    struct trial *both[] = {before, after};
    for (int i = 0; i < 2 && result == 0; i++) {
        both[i]->fixed = true;
        both[i]->algo = "given";
        result = list != NULL ? points_read_list(list, &both[i]->points, &error)
                              : points_read_file(file, &both[i]->points, &error);
    }
    int status = result < 0 ? wrong(in, "%s", error.data) : 0;
    buf_finish(&error);
    return status;
}

/* Points at the scheme's own prefixes; where they were not asked for, only if there are
 * enough. */
static int
bucket_points(struct invocation *in, struct trial *t, bool asked)
{
    uint64_t buckets = scheme_buckets(&t->scheme);
    int result = split_buckets(&t->scheme, t->regions, &t->points);

    if (result == 0) {
        t->fixed = true;
        t->algo = split_algo_name(SPLIT_SALT);
        return 0;
    }
    key_list_clear(&t->points);
    if (!asked)
        return 0;
    if (result == -ENOMEM)
        return wrong(in, "out of memory");
    if (buckets == 1 && t->scheme.kind != SCHEME_SALT)
        return wrong(in,
                     "--algo salt is for schemes that put something in front; %s does "
                     "not",
                     t->scheme.name);
    return wrong(in,
                 "%s has %llu buckets for %u regions; --algo samples splits inside "
                 "them",
                 t->scheme.name, (unsigned long long)buckets, t->regions);
}

static int
algo_points(struct invocation *in, struct trial *before, struct trial *after)
{
    enum split_algo algo = SPLIT_SAMPLES;
    bool given;

    if (after->fixed)
        return 0;
    if (algo_option(in, &algo, &given) != 0)
        return STATUS_WRONG;
    before->algo = after->algo = split_algo_name(SPLIT_SAMPLES);
    if (!given || algo == SPLIT_SALT)
        return bucket_points(in, after, given);
    if (algo == SPLIT_SAMPLES)
        return 0;
    struct trial *both[] = {before, after};
    for (int i = 0; i < 2; i++) {
        both[i]->fixed = true;
        both[i]->algo = split_algo_name(algo);
        if (split_fixed(algo, both[i]->regions, &both[i]->points) < 0)
            return wrong(in, "out of memory");
    }
    return 0;
}

/* ---- reports ---- */

static struct key
start_of(const struct trial *t, size_t region)
{
    return region == 0 ? (struct key){0} : key_list_get(&t->points, region - 1);
}

static struct key
end_of(const struct trial *t, size_t region)
{
    return region < t->points.count ? key_list_get(&t->points, region)
                                    : (struct key){0};
}

static double
share_of(const struct spread_result *r, size_t region)
{
    return r->keys > 0 ? (double)r->counts[region] / (double)r->keys : 0;
}

static void
json_arrival(struct json_writer *w, const struct spread_result *r)
{
    json_key(w, "arrival");
    json_object_begin(w);
    json_member_u64(w, "windows", r->windows);
    json_member_double(w, "hottestShare", r->window_share);
    json_member_double(w, "effectiveRegions", r->window_effective);
    json_object_end(w);
}

/* The members of one trial, without the braces. */
static void
json_trial(struct json_writer *w, const struct trial *t, uint64_t keys)
{
    struct spread_result r = spread_result(t->spread);

    json_member_string(w, "scheme", t->scheme.name);
    json_member_u64(w, "keys", keys);
    json_member_bool(w, "sampled", t->sampled);
    json_member_string(w, "algo", t->algo);
    json_key(w, "regions");
    json_array_begin(w);
    for (size_t i = 0; i < r.regions; i++) {
        json_object_begin(w);
        json_key_member(w, "startKey", start_of(t, i));
        json_key_member(w, "endKey", end_of(t, i));
        json_member_u64(w, "count", r.counts[i]);
        json_member_double(w, "share", share_of(&r, i));
        json_object_end(w);
    }
    json_array_end(w);
    json_member_double(w, "maxOverMean", r.max_over_mean);
    json_member_double(w, "effectiveRegions", r.effective);
    json_arrival(w, &r);
    json_member_u64(w, "pointReads", scheme_point_reads(&t->scheme));
    if (scheme_range_reads(&t->scheme) > 0)
        json_member_u64(w, "rangeReads", scheme_range_reads(&t->scheme));
    else
        json_member_null(w, "rangeReads");
}

static void
print_json(struct invocation *in, const struct trial *before, const struct trial *after,
           uint64_t keys)
{
    struct json_writer w;

    json_init(&w, &in->out);
    json_object_begin(&w);
    json_trial(&w, after, keys);
    json_key(&w, "before");
    json_object_begin(&w);
    json_trial(&w, before, keys);
    json_object_end(&w);
    json_object_end(&w);
    buf_addc(&in->out, '\n');
}

static void
print_csv(struct invocation *in, const struct trial *t)
{
    static const struct grid_column columns[] = {{"", "startKey", false, false},
                                                 {"", "endKey", false, false},
                                                 {"", "count", true, false},
                                                 {"", "share", true, false}};
    struct spread_result r = spread_result(t->spread);
    struct grid grid;
    struct buf text;

    grid_init(&grid, columns, 4);
    buf_init(&text, 0);
    for (size_t i = 0; i < r.regions; i++) {
        grid_add(&grid, "%s", key_text(&text, start_of(t, i)));
        grid_add(&grid, "%s", key_text(&text, end_of(t, i)));
        grid_add(&grid, "%llu", (unsigned long long)r.counts[i]);
        grid_add(&grid, "%.6f", share_of(&r, i));
    }
    grid_print_csv(&grid, &in->out);
    buf_finish(&text);
    grid_finish(&grid);
}

static void
print_bars(struct buf *out, const struct trial *t)
{
    static const struct grid_column columns[] = {{"KEYS", "", true, false},
                                                 {"SHARE", "", true, false},
                                                 {"", "", false, false},
                                                 {"START KEY", "", false, false}};
    static const char bar[BAR + 1] = "########################################";
    struct spread_result r = spread_result(t->spread);
    double top = (double)r.counts[r.hottest];
    struct grid grid;
    struct buf text;

    grid_init(&grid, columns, 4);
    buf_init(&text, 0);
    for (size_t i = 0; i < r.regions; i++) {
        int width = top > 0 ? (int)(BAR * (double)r.counts[i] / top + 0.5) : 0;
        grid_add(&grid, "%llu", (unsigned long long)r.counts[i]);
        grid_add(&grid, "%.1f %%", 100 * share_of(&r, i));
        grid_add(&grid, "%-*.*s", BAR, width, bar);
        grid_add(&grid, "%s", i == 0 ? "(start)" : key_text(&text, start_of(t, i)));
    }
    grid_print_table(&grid, out);
    buf_finish(&text);
    grid_finish(&grid);
}

static void
add_row(struct grid *grid, const char *what, const char *unit, double before,
        double after)
{
    grid_add(grid, "%s", what);
    grid_add(grid, "%.1f%s", before, unit);
    grid_add(grid, "%.1f%s", after, unit);
}

static void
add_reads(struct grid *grid, const char *what, uint64_t before, uint64_t after)
{
    grid_add(grid, "%s", what);
    grid_add(grid, "%llu", (unsigned long long)before);
    if (after > 0)
        grid_add(grid, "%llu", (unsigned long long)after);
    else
        grid_add(grid, "whole table");
}

static void
print_summary(struct buf *out, const struct trial *before, const struct trial *after)
{
    const struct grid_column columns[] = {{"", "", false, false},
                                          {"before", "", true, false},
                                          {after->scheme.name, "", true, false}};
    struct spread_result x = spread_result(before->spread);
    struct spread_result y = spread_result(after->spread);
    struct grid grid;

    grid_init(&grid, columns, 3);
    grid_add(&grid, "split points from");
    grid_add(&grid, "%s", before->algo);
    grid_add(&grid, "%s", after->algo);
    add_row(&grid, "hottest region, all keys", " %", 100 * share_of(&x, x.hottest),
            100 * share_of(&y, y.hottest));
    add_row(&grid, "hottest region at a time", " %", 100 * x.window_share,
            100 * y.window_share);
    add_row(&grid, "maximum over mean", "", x.max_over_mean, y.max_over_mean);
    add_row(&grid, "effective regions", "", x.effective, y.effective);
    add_row(&grid, "effective regions at a time", "", x.window_effective,
            y.window_effective);
    add_reads(&grid, "gets to read one key", 1, scheme_point_reads(&after->scheme));
    add_reads(&grid, "scans to read a range", 1, scheme_range_reads(&after->scheme));
    grid_print_table(&grid, out);
    grid_finish(&grid);
}

static void
print_table(struct invocation *in, const struct trial *before,
            const struct trial *after, uint64_t keys)
{
    struct spread_result r = spread_result(after->spread);

    buf_addf(&in->out, "%llu keys, %zu regions; %s: %s\n\n", (unsigned long long)keys,
             r.regions, after->scheme.name, scheme_about(after->scheme.kind));
    print_summary(&in->out, before, after);
    if (after->scheme.kind != SCHEME_NONE) {
        buf_adds(&in->out, "\nbefore\n");
        print_bars(&in->out, before);
    }
    buf_addf(&in->out, "\n%s\n", after->scheme.name);
    print_bars(&in->out, after);
}

static int
try_on(struct invocation *in, struct trial *before, struct trial *after)
{
    struct trial *trials[] = {before, after};
    struct key_source *source = NULL;
    uint64_t keys;

    if (given_points(in, before, after) != 0 || algo_points(in, before, after) != 0 ||
        open_keys(in, &source) != 0)
        return STATUS_WRONG;
    int status = trials_run(in, trials, 2, source, &keys);
    key_source_close(source);
    if (status != 0)
        return status;
    if (in->output == OUTPUT_JSON)
        print_json(in, before, after, keys);
    else if (in->output == OUTPUT_CSV)
        print_csv(in, after);
    else
        print_table(in, before, after, keys);
    return STATUS_FINE;
}

int
keys_try(struct invocation *in)
{
    struct trial before, after;
    struct scheme scheme;
    struct scheme none = {.kind = SCHEME_NONE, .name = "none"};
    uint32_t regions;

    if (scheme_option(in, &scheme) != 0 ||
        regions_option(in, STANDARD_REGIONS, &regions) != 0)
        return STATUS_WRONG;
    trial_init(&before, &none, regions);
    trial_init(&after, &scheme, regions);
    int status = try_on(in, &before, &after);
    trial_finish(&before);
    trial_finish(&after);
    return status;
}
