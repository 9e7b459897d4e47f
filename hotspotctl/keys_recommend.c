/* SPDX-License-Identifier: Apache-2.0 */
/* hotspotctl keys recommend: what is wrong with the keys, and which scheme is best. */
#include "keys/recommend.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/json_write.h"
#include "common/log.h"
#include "hotspotctl/grid.h"
#include "hotspotctl/keys_commands.h"
#include "hotspotctl/keys_options.h"
#include "keys/findings.h"

enum { STANDARD_REGIONS = 16 };

struct report {
    uint64_t keys;
    uint64_t sampled;
    uint32_t regions;
    unsigned needs;
    struct finding findings[FINDING_KIND_COUNT];
    size_t finding_count;
    struct scheme_advice schemes[ADVICE_MAX];
    size_t scheme_count;
};

static int
read_options(struct invocation *in, struct report *r, struct finding_limits *limits)
{
    const char *needs = in->values[OPT_NEEDS];
    uint64_t cell;
    char quoted[LOG_QUOTE_SIZE];

    if (regions_option(in, STANDARD_REGIONS, &r->regions) != 0 ||
        option_number(in, OPT_CELL_BYTES, 0, 1 << 30, 100, &cell) != 0 ||
        option_size(in, OPT_REGION_SIZE, 10000000000, &limits->region_bytes) != 0)
        return STATUS_WRONG;
    if (needs_parse(needs != NULL ? needs : "point", &r->needs) < 0)
        return wrong(
            in,
            "wrong --needs %s, expected point, prefix, range or latest, parted "
            "by commas",
            log_quote(needs, strlen(needs), quoted));
    limits->regions = r->regions;
    limits->cell_bytes = (uint32_t)cell;
    return 0;
}

static int
judge(struct invocation *in, const struct key_list *samples,
      const struct finding_limits *limits, struct report *r)
{
    struct key_profile profile;

    if (key_profile_make(samples, &profile) < 0)
        return wrong(in, "out of memory");
    r->finding_count = findings_make(samples, &profile, limits, r->findings);
    int count = recommend_make(samples, &profile, r->needs, r->regions, r->schemes);
    if (count < 0)
        return wrong(in, "out of memory");
    r->scheme_count = (size_t)count;
    return 0;
}

static void
json_schemes(struct json_writer *w, const struct report *r)
{
    json_key(w, "schemes");
    json_array_begin(w);
    for (size_t i = 0; i < r->scheme_count; i++) {
        const struct scheme_advice *a = &r->schemes[i];
        json_object_begin(w);
        json_member_string(w, "scheme", a->scheme.name);
        json_member_double(w, "score", a->score);
        json_member_string(w, "algo", split_algo_name(a->algo));
        json_member_u64(w, "regions", a->regions);
        json_member_double(w, "maxOverMean", a->max_over_mean);
        json_member_double(w, "effectiveRegions", a->effective);
        json_member_double(w, "hottestShareAtATime", a->window_share);
        json_member_double(w, "effectiveRegionsAtATime", a->window_effective);
        json_member_u64(w, "pointReads", a->point_reads);
        if (a->range_reads > 0)
            json_member_u64(w, "rangeReads", a->range_reads);
        else
            json_member_null(w, "rangeReads");
        json_member_string(w, "reason", a->reason);
        json_object_end(w);
    }
    json_array_end(w);
}

static void
print_json(struct invocation *in, const struct report *r)
{
    struct json_writer w;

    json_init(&w, &in->out);
    json_object_begin(&w);
    json_member_u64(&w, "keys", r->keys);
    json_member_bool(&w, "sampled", r->sampled < r->keys);
    json_member_u64(&w, "regions", r->regions);
    json_schemes(&w, r);
    json_key(&w, "findings");
    json_array_begin(&w);
    for (size_t i = 0; i < r->finding_count; i++) {
        json_object_begin(&w);
        json_member_string(&w, "kind", finding_name(r->findings[i].kind));
        json_member_string(&w, "evidence", r->findings[i].evidence);
        json_member_string(&w, "advice", finding_advice(r->findings[i].kind));
        json_object_end(&w);
    }
    json_array_end(&w);
    json_object_end(&w);
    buf_addc(&in->out, '\n');
}

static void
print_grid(struct invocation *in, const struct report *r)
{
    static const struct grid_column columns[] = {
        {"SCHEME", "scheme", false, false},
        {"SCORE", "score", true, false},
        {"HOTTEST", "hottestShare", true, false},
        {"EFFECTIVE", "effectiveRegions", true, false},
        {"GETS", "pointReads", true, false},
        {"SCANS", "rangeReads", true, false},
    };
    struct grid grid;

    grid_init(&grid, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < r->scheme_count; i++) {
        const struct scheme_advice *a = &r->schemes[i];
        grid_add(&grid, "%s", a->scheme.name);
        grid_add(&grid, "%.2f", a->score);
        grid_add(&grid, in->output == OUTPUT_CSV ? "%.4f" : "%.1f %%",
                 in->output == OUTPUT_CSV ? a->window_share : 100 * a->window_share);
        grid_add(&grid, "%.1f", a->window_effective);
        grid_add(&grid, "%llu", (unsigned long long)a->point_reads);
        if (a->range_reads > 0)
            grid_add(&grid, "%llu", (unsigned long long)a->range_reads);
        else
            grid_add(&grid, in->output == OUTPUT_CSV ? "%s" : "all%s", "");
    }
    if (in->output == OUTPUT_CSV)
        grid_print_csv(&grid, &in->out);
    else
        grid_print_table(&grid, &in->out);
    grid_finish(&grid);
}

/* A value as a word of the shell. */
static void
add_word(struct buf *out, const char *option, const char *value)
{
    buf_adds(out, option);
    buf_addc(out, '\'');
    for (; *value != '\0'; value++) {
        if (*value == '\'')
            buf_adds(out, "'\\''");
        else
            buf_addc(out, *value);
    }
    buf_addc(out, '\'');
}

/* The options that name the keys, so that the command runs as printed. */
static void
add_key_options(const struct invocation *in, struct buf *out)
{
    static const enum option options[] = {OPT_KEYS_FILE, OPT_KEYS_FORMAT, OPT_PATTERN,
                                          OPT_COUNT, OPT_SEED};
    char name[40];

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (in->values[options[i]] == NULL)
            continue;
        snprintf(name, sizeof name, " --%s ", option_forms[options[i]].name);
        add_word(out, name, in->values[options[i]]);
    }
    if (in->values[OPT_KEYS_FILE] == NULL && in->values[OPT_PATTERN] == NULL)
        buf_adds(out, "   # with the same keys on standard input");
}

static void
print_text(struct invocation *in, const struct report *r)
{
    struct buf *out = &in->out;

    buf_addf(out, "%llu keys, %u regions\n\n", (unsigned long long)r->keys, r->regions);
    for (size_t i = 0; i < r->finding_count; i++)
        buf_addf(out, "%s: %s.\n    %s.\n", finding_name(r->findings[i].kind),
                 r->findings[i].evidence, finding_advice(r->findings[i].kind));
    if (r->finding_count == 0)
        buf_adds(out, "No anti-pattern seen in these keys.\n");
    buf_addc(out, '\n');
    print_grid(in, r);
    const struct scheme_advice *best = &r->schemes[0];
    buf_addf(out, "\nBest here: %s (%s).\n", best->scheme.name, best->reason);
    buf_addf(out, "Split points: hotspotctl keys split --algo %s --regions %u",
             split_algo_name(best->algo), r->regions);
    if (best->scheme.kind != SCHEME_NONE)
        add_word(out, " --scheme ", best->scheme.name);
    if (best->algo == SPLIT_SAMPLES)
        add_key_options(in, out);
    buf_addc(out, '\n');
}

int
keys_recommend(struct invocation *in)
{
    struct report r = {0};
    struct finding_limits limits;
    struct key_source *source;
    struct sampler sampler;

    if (read_options(in, &r, &limits) != 0 || open_keys(in, &source) != 0)
        return STATUS_WRONG;
    int status = sample_keys(in, source, &sampler);
    key_source_close(source);
    r.keys = sampler.seen;
    r.sampled = sampler.kept.count;
    if (status == 0)
        status = judge(in, &sampler.kept, &limits, &r);
    sampler_finish(&sampler);
    if (status != 0)
        return status;
    if (in->output == OUTPUT_JSON)
        print_json(in, &r);
    else if (in->output == OUTPUT_CSV)
        print_grid(in, &r);
    else
        print_text(in, &r);
    return STATUS_FINE;
}
