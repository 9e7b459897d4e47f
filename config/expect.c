/* SPDX-License-Identifier: Apache-2.0 */
/* Says in words what a row of the schema accepts, for errors and for the default file.
 * Owns nothing; any thread may call it. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/parse.h"
#include "config/schema.h"
#include "config/value.h"

static const struct {
    const char *noun;
    bool number; /* followed by its range */
} kinds[TYPE_COUNT] = {
    [TYPE_SECTION] = {"a mapping of keys", false},
    [TYPE_STRING] = {"a text", false},
    [TYPE_BOOL] = {"true, false, on or off", false},
    [TYPE_UINT] = {"a whole number", true},
    [TYPE_PORT] = {"a port", true},
    [TYPE_DOUBLE] = {"a number", true},
    [TYPE_DURATION] = {"a duration", true},
    [TYPE_SIZE] = {"a size", true},
    [TYPE_ENUM] = {"one of", false},
    [TYPE_LIST] = {"a list of texts", false},
    [TYPE_ACCESS] = {"a number", true},
    [TYPE_LABELS] = {"a mapping of label names to texts", false},
    [TYPE_TABLES] = {"a list of mappings", false},
};

static void
add_range(const struct schema_row *row, struct buf *out)
{
    if (row->flags & ROW_ABOVE_MIN) {
        buf_adds(out, " above ");
        value_print_number(row->type, row->min, out);
        if (isfinite(row->max)) {
            buf_adds(out, " and at most ");
            value_print_number(row->type, row->max, out);
        }
    } else if (isfinite(row->max)) {
        buf_adds(out, " from ");
        value_print_number(row->type, row->min, out);
        buf_adds(out, " to ");
        value_print_number(row->type, row->max, out);
    } else {
        buf_adds(out, " of at least ");
        value_print_number(row->type, row->min, out);
    }
}

void
schema_expect_number(const struct schema_row *row, struct buf *out)
{
    assert(kinds[row->type].number);
    buf_adds(out, kinds[row->type].noun);
    add_range(row, out);
}

void
schema_expectation(const struct schema_row *row, struct buf *out)
{
    if (kinds[row->type].number) {
        schema_expect_number(row, out);
        if (row->type == TYPE_ACCESS)
            buf_adds(out, ", or { read: N, write: N, total: N }");
        return;
    }
    buf_adds(out, kinds[row->type].noun);
    for (unsigned i = 0; i < row->name_count; i++)
        buf_addf(out, "%s %s", i > 0 ? "," : "", row->names[i]);
}

void
schema_limits(const struct schema_row *row, struct buf *out)
{
    if (kinds[row->type].number) {
        struct buf range;
        buf_init(&range, 0);
        add_range(row, &range);
        /* "at least 0" of " of at least 0". */
        buf_adds(out, range.data + (strncmp(range.data, " of ", 4) == 0 ? 4 : 1));
        buf_finish(&range);
    }
    if (row->type == TYPE_ACCESS)
        buf_adds(out, "; or { read: N, write: N, total: N }");
    for (unsigned i = 0; i < row->name_count; i++)
        buf_addf(out, "%s%s", i > 0 ? " | " : "", row->names[i]);
}
