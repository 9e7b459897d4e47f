/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of schemes on a stream that need not fit into memory. */
#include "hotspotctl/keys_trial.h"

#include <errno.h>
#include <string.h>

#include "keys/recommend.h"

void
trial_init(struct trial *t, const struct scheme *scheme, uint32_t regions)
{
    *t = (struct trial){.scheme = *scheme, .regions = regions};
    buf_init(&t->row, 0);
}

void
trial_finish(struct trial *t)
{
    key_list_finish(&t->points);
    t->spread = spread_destroy(t->spread);
    buf_finish(&t->row);
}

int
trial_add(struct invocation *in, struct trial *t, struct key key)
{
    struct key row = key;

    if (t->scheme.kind != SCHEME_NONE) {
        buf_reset(&t->row);
        int result = scheme_apply(&t->scheme, t->turn++, key, &t->row);
        if (result < 0)
            return scheme_failed(in, &t->scheme, key, result);
        row = (struct key){(uint8_t *)t->row.data, t->row.len};
    }
    spread_add(t->spread, row);
    return 0;
}

/* Begins to count anew. */
static int
start_counting(struct invocation *in, struct trial *t, uint64_t keys)
{
    t->turn = 0;
    spread_destroy(t->spread);
    t->spread = spread_create(&t->points, spread_window(keys));
    return t->spread != NULL ? 0 : wrong(in, "out of memory");
}

static int
count_sample(struct invocation *in, struct trial *t, const struct key_list *kept)
{
    int status = start_counting(in, t, kept->count);

    for (size_t i = 0; i < kept->count && status == 0; i++)
        status = trial_add(in, t, key_list_get(kept, i));
    return status;
}

/* Points from the sample, for a trial that has none yet. */
static int
make_points(struct invocation *in, struct trial *t, const struct key_list *kept)
{
    struct key_list rows = {0};
    size_t at = 0;
    int result = scheme_apply_all(&t->scheme, kept, &rows, &at);
    int status = 0;

    if (result == 0)
        result = split_samples(&rows, t->regions, &t->points);
    key_list_finish(&rows);
    if (result == -ENOMEM)
        status = wrong(in, "out of memory");
    else if (result < 0)
        status = scheme_failed(in, &t->scheme, key_list_get(kept, at), result);
    else if (t->points.count + 1 < t->regions)
        note(in, "%s: the keys are too few or too alike for %u regions: %zu",
             t->scheme.name, t->regions, t->points.count + 1);
    return status;
}

/* The first pass: a sample, and the counts of trials with fixed points. */
static int
first_pass(struct invocation *in, struct trial *const trials[], size_t count,
           struct key_source *source, struct sampler *sampler)
{
    struct key key;
    int status = 0;

    sampler_init(sampler, SAMPLE_KEYS, SAMPLE_BYTES);
    for (size_t i = 0; i < count && status == 0; i++)
        if (trials[i]->fixed)
            status = start_counting(in, trials[i], UINT64_MAX);
    while (status == 0 && key_source_next(source, &key)) {
        if (sampler_add(sampler, key) < 0)
            return wrong(in, "out of memory");
        for (size_t i = 0; i < count && status == 0; i++)
            if (trials[i]->fixed)
                status = trial_add(in, trials[i], key);
    }
    return status != 0 ? status : end_of_keys(in, source, sampler->seen);
}

/* More keys than the sample holds: the trials that lack counts of all keys count in a
 * second pass, or on the sample. */
static int
count_the_rest(struct invocation *in, struct trial *const trials[], size_t count,
               struct key_source *source, const struct sampler *sampler)
{
    bool again = key_source_rewind(source);
    struct key key;
    int status = 0;

    for (size_t i = 0; i < count && status == 0; i++) {
        trials[i]->sampled = !trials[i]->fixed && !again;
        if (trials[i]->sampled)
            status = count_sample(in, trials[i], &sampler->kept);
        else if (!trials[i]->fixed)
            status = start_counting(in, trials[i], sampler->seen);
    }
    while (status == 0 && again && key_source_next(source, &key))
        for (size_t i = 0; i < count && status == 0; i++)
            if (!trials[i]->fixed)
                status = trial_add(in, trials[i], key);
    if (status == 0 && key_source_error(source) != NULL)
        status = wrong(in, "%s", key_source_error(source));
    return status;
}

int
trials_run(struct invocation *in, struct trial *const trials[], size_t count,
           struct key_source *source, uint64_t *ret_keys)
{
    struct sampler sampler;
    bool complete, open = false;
    int status = first_pass(in, trials, count, source, &sampler);

    for (size_t i = 0; i < count && status == 0; i++) {
        open = open || !trials[i]->fixed;
        if (!trials[i]->fixed)
            status = make_points(in, trials[i], &sampler.kept);
    }
    complete = sampler.seen == sampler.kept.count;
    for (size_t i = 0; i < count && status == 0 && complete; i++)
        status = count_sample(in, trials[i], &sampler.kept);
    if (status == 0 && !complete && open)
        status = count_the_rest(in, trials, count, source, &sampler);
    if (status == 0 && !complete && open && trials[count - 1]->sampled)
        note(in,
             "counted on a sample of %zu of the %llu keys, even in order of arrival: "
             "a pipe cannot be read twice",
             sampler.kept.count, (unsigned long long)sampler.seen);
    *ret_keys = sampler.seen;
    sampler_finish(&sampler);
    return status;
}
