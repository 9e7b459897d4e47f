/* SPDX-License-Identifier: Apache-2.0 */
/* The numeric types. All of them pass through a double, which is exact for what the
 * schema allows (a unit test holds the integers' ranges below 2^53). Fields own
 * nothing; runs on the thread that loads a configuration. */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/parse.h"
#include "config/value_priv.h"

static const char *const access_names[] = {
    [ACCESS_READ] = "read",
    [ACCESS_WRITE] = "write",
    [ACCESS_TOTAL] = "total",
};
static_assert(sizeof access_names / sizeof *access_names == ACCESS_COUNT,
              "a name for each access");

#define EXACT_MAX ((double)(UINT64_C(1) << 53))

static int
parse_integer(const char *text, size_t len, double *ret)
{
    uint64_t v;

    int r = parse_u64(text, len, &v);
    if (r == 0)
        *ret = (double)v;
    return r;
}

static int
parse_duration(const char *text, size_t len, double *ret)
{
    int64_t v;

    int r = parse_duration_ms(text, len, &v);
    if (r == 0)
        *ret = (double)v;
    return r;
}

static int
parse_bytes(const char *text, size_t len, double *ret)
{
    uint64_t v;

    int r = parse_size(text, len, &v);
    if (r == 0)
        *ret = (double)v;
    return r;
}

static const struct {
    int (*parse)(const char *text, size_t len, double *ret);
    bool quotes_allowed; /* a value with a unit is a text to YAML, too */
    const char *hint;    /* for a text of another form */
} kinds[TYPE_COUNT] = {
    [TYPE_UINT] = {parse_integer, false, NULL},
    [TYPE_PORT] = {parse_integer, false, NULL},
    [TYPE_DOUBLE] = {parse_double, false, NULL},
    [TYPE_DURATION] = {parse_duration, true,
                       "a number with its unit: 300ms, 30s, 1.5m, 2h, 7d"},
    [TYPE_SIZE] = {parse_bytes, true, "a number with its unit: 512KiB, 64MiB, 2GiB"},
    [TYPE_ACCESS] = {parse_double, false, NULL},
};

static bool
is_in_range(const struct schema_row *row, double v)
{
    bool above = (row->flags & ROW_ABOVE_MIN) ? v > row->min : v >= row->min;
    return above && v <= row->max;
}

static int
refuse(struct value_reader *r, const struct schema_row *row, const struct ynode *node,
       const char *hint)
{
    struct buf expectation;

    if (row->type != TYPE_ACCESS || node->kind != YNODE_SCALAR)
        return value_refuse(r, row, node, hint);
    buf_init(&expectation, 0);
    schema_expect_number(row, &expectation);
    value_unexpected(r, node, expectation.data, hint);
    buf_finish(&expectation);
    return -EINVAL;
}

int
value_read_number(struct value_reader *r, const struct schema_row *row,
                  const struct ynode *node, double *ret)
{
    double v = 0;

    if (node->kind != YNODE_SCALAR)
        return refuse(r, row, node, NULL);
    int rc = kinds[row->type].parse(node->text, node->len, &v);
    if (!node->plain && !kinds[row->type].quotes_allowed)
        return refuse(r, row, node, rc == 0 ? "write it without quotes" : NULL);
    if (rc < 0 && rc != -ERANGE)
        return refuse(r, row, node, node->len > 0 ? kinds[row->type].hint : NULL);
    if (rc < 0 || !is_in_range(row, v))
        return refuse(r, row, node, NULL);
    *ret = v;
    return 0;
}

static void
store(enum value_type type, void *field, double v)
{
    switch (type) {
    case TYPE_UINT:
        *(unsigned *)field = (unsigned)v;
        break;
    case TYPE_PORT:
        *(uint16_t *)field = (uint16_t)v;
        break;
    case TYPE_DOUBLE:
        *(double *)field = v;
        break;
    case TYPE_DURATION:
        *(int64_t *)field = (int64_t)v;
        break;
    default:
        assert(type == TYPE_SIZE);
        *(uint64_t *)field = (uint64_t)v;
    }
}

static double
fetch(enum value_type type, const void *field)
{
    switch (type) {
    case TYPE_UINT:
        return *(const unsigned *)field;
    case TYPE_PORT:
        return *(const uint16_t *)field;
    case TYPE_DOUBLE:
        return *(const double *)field;
    case TYPE_DURATION:
        return (double)*(const int64_t *)field;
    default:
        assert(type == TYPE_SIZE);
        return (double)*(const uint64_t *)field;
    }
}

int
number_read(struct value_reader *r, const struct schema_row *row,
            const struct ynode *node, void *field)
{
    double v;

    int rc = value_read_number(r, row, node, &v);
    if (rc == 0)
        store(row->type, field, v);
    return rc;
}

static void
print_bytes(double v, struct buf *out)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t i = 0;

    for (; i + 1 < sizeof units / sizeof *units && v >= 1024 && fmod(v, 1024) == 0; i++)
        v /= 1024;
    buf_addf(out, "%.0f%s", v, v > 0 ? units[i] : "");
}

void
value_print_number(enum value_type type, double v, struct buf *out)
{
    char number[DOUBLE_TEXT_SIZE], duration[DURATION_TEXT_SIZE];

    if (type == TYPE_SIZE)
        print_bytes(v, out);
    else if (type == TYPE_DURATION && fabs(v) < EXACT_MAX)
        buf_adds(out, duration_text((int64_t)v, duration));
    else if (type == TYPE_UINT || type == TYPE_PORT)
        buf_addf(out, "%.0f", v);
    else
        buf_adds(out, double_text(v, number));
}

void
number_print(const struct schema_row *row, const void *field, struct buf *out)
{
    value_print_number(row->type, fetch(row->type, field), out);
}

bool
number_in_range(const struct schema_row *row, const void *field)
{
    return is_in_range(row, fetch(row->type, field));
}

static int
read_one_access(struct value_reader *r, const struct schema_row *row,
                const struct ynode *node, double values[static ACCESS_COUNT])
{
    for (int i = 0; i < ACCESS_COUNT; i++) {
        if (strcmp(node->key, access_names[i]) == 0)
            return value_read_number(r, row, node, &values[i]);
    }
    value_unknown_key(r, node, access_names, ACCESS_COUNT);
    return -EINVAL;
}

/* One number for all, or a mapping; what the mapping leaves out stays as it was. */
int
access_read(struct value_reader *r, const struct schema_row *row,
            const struct ynode *node, void *field)
{
    double values[ACCESS_COUNT];
    int result = 0;

    memcpy(values, field, sizeof values);
    if (node->kind != YNODE_MAP) {
        result = value_read_number(r, row, node, &values[0]);
        for (int i = 1; i < ACCESS_COUNT; i++)
            values[i] = values[0];
    }
    for (const struct ynode *child = node->first; node->kind == YNODE_MAP && child;
         child = child->next) {
        if (read_one_access(r, row, child, values) < 0)
            result = -EINVAL;
    }
    if (result == 0)
        memcpy(field, values, sizeof values);
    return result;
}

void
access_print(const struct schema_row *row, const void *field, struct buf *out)
{
    const double *values = field;

    for (int i = 0; i < ACCESS_COUNT; i++) {
        buf_addf(out, "%s%s: ", i == 0 ? "{ " : ", ", access_names[i]);
        value_print_number(row->type, values[i], out);
    }
    buf_adds(out, " }");
}

bool
access_in_range(const struct schema_row *row, const void *field)
{
    const double *values = field;

    for (int i = 0; i < ACCESS_COUNT; i++) {
        if (!is_in_range(row, values[i]))
            return false;
    }
    return true;
}
