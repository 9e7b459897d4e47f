/* SPDX-License-Identifier: Apache-2.0 */
/* Text format 0.0.4 into a buffer. The writer owns the set of label hashes; the main
 * thread uses it. */
#include "daemon/expo_text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/hash.h"
#include "common/parse.h"
#include "common/utf8.h"

const struct metric metric_table[METRIC_COUNT] = {
#define METRIC(id, type, name, labels, help)                                           \
    [METRIC_##id] = {name, labels, help, METRIC_##type},
#include "daemon/metrics.def"
#undef METRIC
};

static const char *const type_names[] = {"gauge", "counter", "histogram"};

void
expo_init(struct expo *e, struct buf *out)
{
    *e = (struct expo){.out = out, .current = METRIC_COUNT};
}

void
expo_finish(struct expo *e)
{
    free(e->seen);
    e->seen = NULL;
    e->seen_cap = e->seen_count = 0;
}

void
expo_family(struct expo *e, enum metric_id id)
{
    const struct metric *m = &metric_table[id];

    assert(id < METRIC_COUNT && !e->begun[id]);
    e->begun[id] = true;
    e->current = id;
    if (e->seen_count > 0)
        memset(e->seen, 0, e->seen_cap * sizeof *e->seen);
    e->seen_count = 0;
    buf_addf(e->out, "# HELP %s %s\n# TYPE %s %s\n", m->name, m->help, m->name,
             type_names[m->type]);
}

/* Puts a hash other than 0 into the set, which has room; false if it was there. */
static bool
set_insert(uint64_t *set, size_t cap, uint64_t hash)
{
    size_t at = hash & (cap - 1);

    while (set[at] != 0) {
        if (set[at] == hash)
            return false;
        at = (at + 1) & (cap - 1);
    }
    set[at] = hash;
    return true;
}

static void
set_grow(struct expo *e)
{
    size_t cap = e->seen_cap == 0 ? 64 : e->seen_cap * 2;
    uint64_t *set = xcalloc(cap, sizeof *set);

    for (size_t i = 0; i < e->seen_cap; i++)
        if (e->seen[i] != 0)
            set_insert(set, cap, e->seen[i]);
    free(e->seen);
    e->seen = set;
    e->seen_cap = cap;
}

static bool
is_new(struct expo *e, const char *labels, size_t len)
{
    uint64_t hash = hash_bytes(labels, len) | 1;

    if (e->seen_count * 2 >= e->seen_cap)
        set_grow(e);
    if (!set_insert(e->seen, e->seen_cap, hash))
        return false;
    e->seen_count++;
    return true;
}

static void
add_label_value(struct buf *out, const char *s)
{
    for (size_t len = strlen(s), at = 0; at < len;) {
        size_t n = utf8_sequence(s + at, len - at);
        if (n == 0)
            buf_adds(out, "\xef\xbf\xbd"); /* U+FFFD */
        else if (s[at] == '\\' || s[at] == '"')
            buf_addf(out, "\\%c", s[at]);
        else if (s[at] == '\n')
            buf_adds(out, "\\n");
        else
            buf_add(out, s + at, n);
        at += n == 0 ? 1 : n;
    }
}

static void
add_labels(struct buf *out, const struct expo_label *labels, size_t count)
{
    char open = '{';

    for (size_t i = 0; i < count; i++) {
        if (labels[i].value == NULL || labels[i].value[0] == '\0')
            continue;
        buf_addf(out, "%c%s=\"", open, labels[i].name);
        add_label_value(out, labels[i].value);
        buf_addc(out, '"');
        open = ',';
    }
    if (open == ',')
        buf_addc(out, '}');
}

/* Name and labels; false, with nothing written, if they stood before. */
static bool
begin_sample(struct expo *e, const struct expo_label *labels, size_t count)
{
    assert(e->current < METRIC_COUNT);
    size_t start = e->out->len;
    buf_adds(e->out, metric_table[e->current].name);
    size_t at = e->out->len;
    add_labels(e->out, labels, count);
    if (e->out->failed)
        return false;
    if (!is_new(e, e->out->data + at, e->out->len - at)) {
        e->out->len = start;
        e->out->data[start] = '\0';
        e->duplicates++;
        return false;
    }
    e->samples++;
    return true;
}

void
expo_sample(struct expo *e, const struct expo_label *labels, size_t count, double value)
{
    char text[DOUBLE_TEXT_SIZE];

    if (begin_sample(e, labels, count))
        buf_addf(e->out, " %s\n", double_text(value, text));
}

void
expo_sample_u64(struct expo *e, const struct expo_label *labels, size_t count,
                uint64_t value)
{
    if (begin_sample(e, labels, count))
        buf_addf(e->out, " %" PRIu64 "\n", value);
}

/* One line of a histogram; le NULL for sum and count. */
static void
histogram_line(struct expo *e, const char *suffix, const struct expo_label *label,
               const char *le, const char *value)
{
    struct expo_label labels[2] = {{NULL, NULL}, {"le", le}};

    if (label != NULL)
        labels[0] = *label;
    buf_addf(e->out, "%s_%s", metric_table[e->current].name, suffix);
    add_labels(e->out, labels, 2);
    buf_addf(e->out, " %s\n", value);
    e->samples++;
}

void
expo_histogram(struct expo *e, const struct expo_label *label,
               const struct histogram *h)
{
    struct histogram_copy copy = histogram_read(h);
    char value[DOUBLE_TEXT_SIZE], le[DOUBLE_TEXT_SIZE];
    const char *name = label != NULL ? label->value : "";

    assert(metric_table[e->current].type == METRIC_histogram);
    if (!is_new(e, name, strlen(name)))
        return;
    for (int i = 0; i < HISTOGRAM_BUCKETS; i++) {
        double_text((double)copy.cumulative[i], value);
        histogram_line(e, "bucket", label, double_text(histogram_bounds[i], le), value);
    }
    double_text((double)copy.cumulative[HISTOGRAM_BUCKETS], value);
    histogram_line(e, "bucket", label, "+Inf", value);
    histogram_line(e, "sum", label, NULL, double_text(copy.sum, le));
    histogram_line(e, "count", label, NULL, value);
}

void
expo_value(struct expo *e, enum metric_id id, double value)
{
    expo_family(e, id);
    expo_sample(e, NULL, 0, value);
}
