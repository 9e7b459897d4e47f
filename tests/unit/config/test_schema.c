/* SPDX-License-Identifier: Apache-2.0 */
/* The table of keys against itself, and every key's range at its edges. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/log.h"
#include "config/schema.h"
#include "config/value.h"
#include "tests/unit/config/helpers.h"

static bool
is_number(enum value_type type)
{
    return type == TYPE_UINT || type == TYPE_PORT || type == TYPE_DOUBLE ||
           type == TYPE_DURATION || type == TYPE_SIZE || type == TYPE_ACCESS;
}

static bool
is_whole(enum value_type type)
{
    return is_number(type) && type != TYPE_DOUBLE && type != TYPE_ACCESS;
}

START_TEST(rows_are_complete)
{
    for (size_t i = 0; i < schema_count; i++) {
        const struct schema_row *row = &schema[i];
        ck_assert_msg(row->help || (row->flags & ROW_NOT_IN_FILE), "%s: no help",
                      row->path);
        if (row->type != TYPE_SECTION && row->type != TYPE_TABLES)
            ck_assert_msg(row->fallback || row->example, "%s: nothing to show",
                          row->path);
        if (row->type == TYPE_ENUM)
            ck_assert_msg(row->name_count > 1, "%s: no names", row->path);
        if (is_number(row->type))
            ck_assert_msg(row->min < row->max, "%s: no range", row->path);
        if (is_whole(row->type))
            ck_assert_msg(row->max < 0x1p53 && row->min == floor(row->min) &&
                              row->max == floor(row->max),
                          "%s: range not exact", row->path);
        for (size_t j = 0; j < i; j++)
            ck_assert_msg(strcmp(row->path, schema[j].path) != 0, "%s twice",
                          row->path);
    }
}
END_TEST

START_TEST(rows_follow_their_section)
{
    const char *section = NULL;

    for (size_t i = 0; i < schema_count; i++) {
        const char *dot = strchr(schema[i].path, '.');
        if (schema[i].type == TYPE_SECTION)
            section = schema[i].path;
        ck_assert_msg((dot != NULL) == (section && schema[i].type != TYPE_SECTION),
                      "%s", schema[i].path);
        if (dot)
            ck_assert_msg(strncmp(schema[i].path, section, strlen(section)) == 0, "%s",
                          schema[i].path);
    }
}
END_TEST

START_TEST(every_row_is_found_by_its_key)
{
    for (size_t i = 0; i < schema_count; i++) {
        const struct schema_row *row = &schema[i];
        char *section = strdup(row->path);
        char *dot = strrchr(section, '.');
        if (dot)
            *dot = '\0';
        const struct schema_row *found =
            (row->flags & ROW_ENTRY_ONLY)
                ? schema_find_entry(schema_key(row))
                : schema_find(dot ? section : NULL, schema_key(row));
        if (row->flags & ROW_NOT_IN_FILE)
            ck_assert_ptr_null(found);
        else
            ck_assert_ptr_eq(found, row);
        if (row->flags & ROW_OVERRIDE)
            ck_assert_ptr_eq(schema_find_entry(schema_key(row)), row);
        free(section);
    }
    ck_assert_ptr_null(schema_find("poll", "severity"));
    ck_assert_ptr_null(schema_find("detection", "match"));
    ck_assert_ptr_null(schema_find_entry("window"));
}
END_TEST

START_TEST(defaults_are_in_range_and_stored)
{
    struct config *config = config_create_default();

    for (size_t i = 0; i < schema_count; i++) {
        const void *field = (const char *)config + schema[i].offset;
        if (!schema_in_config(&schema[i]))
            continue;
        ck_assert_msg(value_in_range(&schema[i], field), "%s", schema[i].path);
        if (schema[i].type != TYPE_TABLES)
            ck_assert_msg(value_is_default(&schema[i], field), "%s", schema[i].path);
    }
    config_destroy(config);
}
END_TEST

START_TEST(level_names_are_those_of_the_log)
{
    const struct schema_row *row = schema_find("log", "level");

    for (unsigned i = 0; i < LOG_LEVEL_COUNT; i++)
        ck_assert_str_eq(row->names[i], log_level_name(i));
}
END_TEST

/* v as the file would hold it, in the smallest unit. */
static void
number_text(const struct schema_row *row, double v, struct buf *out)
{
    static const char *const units[TYPE_COUNT] = {
        [TYPE_DURATION] = "ms",
        [TYPE_SIZE] = "B",
    };

    buf_reset(out);
    if (is_whole(row->type))
        buf_addf(out, "%.0f%s", v, units[row->type] ? units[row->type] : "");
    else
        buf_addf(out, "%.17g", v);
}

/* Loads "section: { key: text }" and tells if the key's range refused it. */
static bool
is_refused(const struct schema_row *row, const char *text)
{
    struct config_problems problems;
    struct buf file, want, refusal;

    buf_init(&file, 0);
    buf_init(&want, 0);
    buf_init(&refusal, 0);
    buf_addf(&file, "%.*s: { %s: %s }\n", (int)strcspn(row->path, "."), row->path,
             schema_key(row), text);
    if (row->type == TYPE_ACCESS)
        schema_expect_number(row, &want);
    else
        schema_expectation(row, &want);
    buf_addf(&refusal, "%s: expected %s, found '%s'", row->path, want.data, text);
    struct config *config = config_load_text(file.data, file.len, &problems);
    bool refused = false;
    for (size_t i = 0; i < problems.count; i++) {
        if (strncmp(problems.items[i].text, refusal.data, refusal.len) == 0)
            refused = true;
    }
    ck_assert(!refused || config == NULL);
    config_destroy(config);
    config_problems_finish(&problems);
    buf_finish(&file);
    buf_finish(&want);
    buf_finish(&refusal);
    return refused;
}

static void
assert_edge(const struct schema_row *row, double v, bool good)
{
    struct buf text;

    buf_init(&text, 0);
    number_text(row, v, &text);
    ck_assert_msg(is_refused(row, text.data) == !good, "%s: %s should be %s", row->path,
                  text.data, good ? "accepted" : "refused");
    buf_finish(&text);
}

/* The next value that the type can hold, down or up. */
static double
next(const struct schema_row *row, double v, int direction)
{
    if (is_whole(row->type))
        return v + direction;
    return nextafter(v, direction * INFINITY);
}

START_TEST(ranges_hold_at_their_edges)
{
    for (size_t i = 0; i < schema_count; i++) {
        const struct schema_row *row = &schema[i];
        if (!is_number(row->type))
            continue;
        bool above = row->flags & ROW_ABOVE_MIN;
        assert_edge(row, row->min, !above);
        assert_edge(row, next(row, row->min, 1), true);
        assert_edge(row, next(row, row->min, -1), false);
        if (isfinite(row->max)) {
            assert_edge(row, row->max, true);
            assert_edge(row, next(row, row->max, -1), true);
            assert_edge(row, next(row, row->max, 1), false);
        }
        ck_assert_msg(is_refused(row, "9e999"), "%s", row->path);
        if (is_whole(row->type))
            ck_assert_msg(is_refused(row, "99999999999999999999999"), "%s", row->path);
    }
}
END_TEST

/* Reads text as a value of the row into a field of its own. */
static int
read_value(const struct schema_row *row, const char *text, bool plain, void *field)
{
    struct config_problems problems = {0};
    struct value_reader r = {.problems = &problems};
    struct ynode node = {.kind = YNODE_SCALAR,
                         .plain = plain,
                         .where = {1, 1},
                         .text = (char *)text,
                         .len = strlen(text)};
    int rc = value_read(&r, row, &node, field);

    ck_assert_uint_eq(problems.errors, rc < 0);
    config_problems_finish(&problems);
    return rc;
}

START_TEST(numbers_are_stored_and_printed_as_read)
{
    for (size_t i = 0; i < schema_count; i++) {
        const struct schema_row *row = &schema[i];
        double field[ACCESS_COUNT] = {0};
        struct buf text, printed, again;
        if (!is_number(row->type) || row->type == TYPE_ACCESS)
            continue;
        buf_init(&text, 0);
        buf_init(&printed, 0);
        buf_init(&again, 0);
        double v = isfinite(row->max) ? row->max : 123456.75;
        number_text(row, v, &text);
        ck_assert_int_eq(read_value(row, text.data, true, field), 0);
        value_print(row, field, &printed);
        memset(field, 0, sizeof field);
        ck_assert_int_eq(read_value(row, printed.data, true, field), 0);
        value_print(row, field, &again);
        ck_assert_str_eq(printed.data, again.data);
        buf_reset(&again);
        value_print_number(row->type, v, &again);
        ck_assert_str_eq(printed.data, again.data);
        buf_finish(&text);
        buf_finish(&printed);
        buf_finish(&again);
    }
}
END_TEST

START_TEST(quoted_numbers_and_switches_are_refused)
{
    for (size_t i = 0; i < schema_count; i++) {
        const struct schema_row *row = &schema[i];
        double field[ACCESS_COUNT] = {0};
        if (!row->fallback)
            continue;
        bool refused = row->type == TYPE_UINT || row->type == TYPE_PORT ||
                       row->type == TYPE_DOUBLE || row->type == TYPE_ACCESS ||
                       row->type == TYPE_BOOL;
        if (!refused && row->type != TYPE_DURATION && row->type != TYPE_SIZE &&
            row->type != TYPE_ENUM)
            continue;
        ck_assert_msg((read_value(row, row->fallback, false, field) < 0) == refused,
                      "%s", row->path);
        ck_assert_int_eq(read_value(row, row->fallback, true, field), 0);
    }
}
END_TEST

START_TEST(expectations_are_worded_by_the_range)
{
    static const struct {
        const char *section, *key, *want;
    } cases[] = {
        {"detection", "clear_ratio", "a number above 0 and at most 1"},
        {"detection", "server_threshold", "a number above 1"},
        {"detection", "meta_max_rate", "a number of at least 0"},
        {"poll", "interval", "a duration from 200ms to 1d"},
        {"poll", "max_body", "a size from 1KiB to 4GiB"},
        {"poll", "max_in_flight", "a whole number from 1 to 1000"},
        {"regionservers", "info_port", "a port from 1 to 65535"},
        {"detection", "baseline", "one of rest, others, all, median"},
        {NULL, "masters", "a list of texts"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf text;
        buf_init(&text, 0);
        schema_expectation(schema_find(cases[i].section, cases[i].key), &text);
        ck_assert_str_eq(text.data, cases[i].want);
        buf_finish(&text);
    }
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        rows_are_complete,
        rows_follow_their_section,
        every_row_is_found_by_its_key,
        defaults_are_in_range_and_stored,
        level_names_are_those_of_the_log,
        ranges_hold_at_their_edges,
        numbers_are_stored_and_printed_as_read,
        quoted_numbers_and_switches_are_refused,
        expectations_are_worded_by_the_range,
    };
    return run_tests("schema", tests, sizeof tests / sizeof *tests);
}
