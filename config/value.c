/* SPDX-License-Identifier: Apache-2.0 */
/* What each type of the schema can do, as a table, and the wording that all readers
 * share. Runs on the thread that loads a configuration. Fields own their memory; it is
 * copied from a file that is bounded to 1 MiB, hence allocated with common/alloc.h. */
#include "config/value.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "common/log.h"
#include "config/suggest.h"
#include "config/value_priv.h"

void
value_problem(struct value_reader *r, const struct ynode *node, const char *format, ...)
{
    char path[YNODE_PATH_SIZE];
    struct buf text;
    va_list args;

    buf_init(&text, 0);
    va_start(args, format);
    buf_vaddf(&text, format, args);
    va_end(args);
    ynode_path(node, path);
    problem_add(r->problems, false, node->where, "%s%s%s", path, path[0] ? ": " : "",
                text.data);
    buf_finish(&text);
}

static void
add_found(const struct ynode *node, struct buf *out)
{
    char quoted[LOG_QUOTE_SIZE];

    if (node->kind == YNODE_LIST)
        buf_adds(out, "a list");
    else if (node->kind == YNODE_MAP)
        buf_adds(out, "a mapping");
    else if (ynode_is_empty(node))
        buf_adds(out, "nothing (leave the key out for its default)");
    else
        buf_addf(out, "%s%s", node->plain ? "" : "the quoted text ",
                 log_quote(node->text, node->len, quoted));
}

int
value_unexpected(struct value_reader *r, const struct ynode *node,
                 const char *expectation, const char *hint)
{
    struct buf found;

    if (node->kind == YNODE_REFUSED)
        return -EINVAL;
    buf_init(&found, 0);
    add_found(node, &found);
    value_problem(r, node, "expected %s, found %s%s%s%s", expectation, found.data,
                  hint ? " (" : "", hint ? hint : "", hint ? ")" : "");
    buf_finish(&found);
    return -EINVAL;
}

int
value_refuse(struct value_reader *r, const struct schema_row *row,
             const struct ynode *node, const char *hint)
{
    struct buf expectation;

    buf_init(&expectation, 0);
    schema_expectation(row, &expectation);
    value_unexpected(r, node, expectation.data, hint);
    buf_finish(&expectation);
    return -EINVAL;
}

static const struct {
    value_read_fn *read;
    value_print_fn *print;
    value_clear_fn *clear; /* NULL: the field owns nothing */
    bool (*in_range)(const struct schema_row *row, const void *field); /* NULL: any */
} types[TYPE_COUNT] = {
    [TYPE_STRING] = {string_read, string_print, string_clear, NULL},
    [TYPE_BOOL] = {bool_read, bool_print, NULL, NULL},
    [TYPE_UINT] = {number_read, number_print, NULL, number_in_range},
    [TYPE_PORT] = {number_read, number_print, NULL, number_in_range},
    [TYPE_DOUBLE] = {number_read, number_print, NULL, number_in_range},
    [TYPE_DURATION] = {number_read, number_print, NULL, number_in_range},
    [TYPE_SIZE] = {number_read, number_print, NULL, number_in_range},
    [TYPE_ENUM] = {enum_read, enum_print, NULL, enum_in_range},
    [TYPE_LIST] = {list_read, list_print, list_clear, NULL},
    [TYPE_ACCESS] = {access_read, access_print, NULL, access_in_range},
    [TYPE_LABELS] = {labels_read, labels_print, labels_clear, NULL},
    [TYPE_TABLES] = {tables_read, tables_print, tables_clear, NULL},
};

int
value_read(struct value_reader *r, const struct schema_row *row,
           const struct ynode *node, void *field)
{
    assert(row->type != TYPE_SECTION);
    int rc = types[row->type].read(r, row, node, field);
    places_add(r->places, field, node->where, rc < 0);
    return rc;
}

int
value_apply(struct value_reader *r, const struct schema_row *row,
            const struct ynode *node, void *field)
{
    char path[YNODE_PATH_SIZE];

    if (row->flags & ROW_NO_EFFECT)
        problem_add(r->problems, true, node->key_where,
                    "%s: has no effect in this version", ynode_path(node, path));
    int rc = value_read(r, row, node, field);
    if (rc == 0 && (row->flags & ROW_UNSUPPORTED) && !value_is_default(row, field)) {
        problem_add(r->problems, false, node->key_where,
                    "%s: not supported in this version", ynode_path(node, path));
        return -EINVAL;
    }
    return rc;
}

void
value_set_default(const struct schema_row *row, void *field)
{
    struct value_reader r = {0};
    struct ynode scalar = {.kind = YNODE_SCALAR, .plain = true};
    struct ynode list = {.kind = YNODE_LIST, .first = &scalar, .count = 1};

    if (!row->fallback)
        return;
    scalar.len = strlen(row->fallback);
    scalar.text = (char *)row->fallback;
    int rc = value_read(&r, row, row->type == TYPE_LIST ? &list : &scalar, field);
    assert(rc == 0);
}

void
value_clear(const struct schema_row *row, void *field)
{
    if (types[row->type].clear)
        types[row->type].clear(field);
}

void
value_print(const struct schema_row *row, const void *field, struct buf *out)
{
    types[row->type].print(row, field, out);
}

bool
value_in_range(const struct schema_row *row, const void *field)
{
    return !types[row->type].in_range || types[row->type].in_range(row, field);
}

bool
value_is_default(const struct schema_row *row, const void *field)
{
    union {
        double number[ACCESS_COUNT];
        uint64_t integer;
        char *string;
        struct string_list list;
        struct label_list labels;
        struct detection_config detection;
    } fallback = {0};
    struct buf have, want;

    buf_init(&have, 0);
    buf_init(&want, 0);
    value_set_default(row, &fallback);
    value_print(row, &fallback, &want);
    value_print(row, field, &have);
    bool equal = strcmp(have.data, want.data) == 0;
    value_clear(row, &fallback);
    buf_finish(&have);
    buf_finish(&want);
    return equal;
}

void
value_unknown_key(struct value_reader *r, const struct ynode *node,
                  const char *const *known, size_t n)
{
    char path[YNODE_PATH_SIZE];
    const char *near = suggest_nearest(node->key, known, n);
    const char *elsewhere = near ? NULL : suggest_elsewhere(node->key);
    const char *name = near ? near : elsewhere;

    ynode_path(node, path);
    if (name)
        problem_add(r->problems, false, node->key_where,
                    "%s: unknown key; did you mean '%s'?", path, name);
    else
        problem_add(r->problems, false, node->key_where, "%s: unknown key", path);
}
