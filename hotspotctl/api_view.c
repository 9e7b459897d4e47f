/* SPDX-License-Identifier: Apache-2.0 */
/* Members of JSON as cells. Holds no state. */
#include "hotspotctl/api_view.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/parse.h"
#include "hotspotctl/api_client.h"
#include "hotspotctl/grid.h"

void
add_clean(struct buf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        buf_addc(out, c < 0x20 || c == 0x7F ? '?' : *text);
    }
}

static void
format_rate(double value, struct buf *out)
{
    buf_addf(out, value < 9.95 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
}

static void
format_bytes(double value, struct buf *out)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;

    while (value >= 999.5 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000;
        unit++;
    }
    buf_addf(out, unit == 0 || value >= 99.5 ? "%.0f %s" : "%.1f %s", value,
             units[unit]);
}

static void
format_number(enum api_kind kind, double value, struct buf *out)
{
    switch (kind) {
    case API_RATE:
        format_rate(value, out);
        break;
    case API_RATIO:
        buf_addf(out, value < 99.95 ? "%.1fx" : "%.0fx", value);
        break;
    case API_SHARE:
        buf_addf(out, "%.1f %%", 100 * value);
        break;
    case API_BYTES:
        format_bytes(value, out);
        break;
    case API_SECONDS:
        buf_addf(out, "%.0f s", value);
        break;
    default:
        buf_addf(out, "%.0f", value);
        break;
    }
}

/* "2026-12-01T04:35:32.000Z" without the day's "T" and the milliseconds. */
static void
format_time(const char *text, struct buf *out)
{
    if (strlen(text) < 19) {
        add_clean(out, text);
        return;
    }
    buf_addf(out, "%.10s %.8sZ", text, text + 11);
}

void
api_format(const struct api_column *column, const struct cJSON *row, bool raw,
           struct buf *out)
{
    const cJSON *value = api_member(row, column->path);
    char text[DOUBLE_TEXT_SIZE];

    if (value == NULL || cJSON_IsNull(value)) {
        buf_adds(out, raw ? "" : "-");
    } else if (cJSON_IsNumber(value)) {
        if (raw)
            buf_adds(out, double_text(value->valuedouble, text));
        else
            format_number(column->kind, value->valuedouble, out);
    } else if (cJSON_IsBool(value)) {
        buf_adds(out, cJSON_IsTrue(value) ? (raw ? "true" : "yes")
                      : raw               ? "false"
                                          : "no");
    } else if (cJSON_IsString(value)) {
        double number;
        const char *s = value->valuestring;
        if (!raw && column->kind == API_TIME)
            format_time(s, out);
        else if (!raw && column->kind != API_TEXT &&
                 parse_double(s, strlen(s), &number) == 0)
            format_number(column->kind, number, out); /* Prometheus' value is a text */
        else
            add_clean(out, s);
    }
}

static bool
is_number(enum api_kind kind)
{
    return kind != API_TEXT && kind != API_TIME;
}

static enum grid_style
style_of(const struct cJSON *row)
{
    const cJSON *state = cJSON_GetObjectItemCaseSensitive(row, "state");

    if (!cJSON_IsString(state))
        return GRID_PLAIN;
    return strcmp(state->valuestring, "firing") == 0    ? GRID_RED
           : strcmp(state->valuestring, "pending") == 0 ? GRID_YELLOW
                                                        : GRID_PLAIN;
}

void
api_print_rows(const struct api_column *columns, size_t count, const struct cJSON *rows,
               const struct api_print *how, struct buf *out)
{
    struct grid_column titles[GRID_COLUMNS_MAX];
    struct grid grid;
    const cJSON *row;
    struct buf cell;

    for (size_t i = 0; i < count; i++)
        titles[i] =
            (struct grid_column){columns[i].title, columns[i].name,
                                 is_number(columns[i].kind), columns[i].optional};
    grid_init(&grid, titles, count);
    buf_init(&cell, 0);
    cJSON_ArrayForEach(row, rows)
    {
        grid_style(&grid, how->color ? style_of(row) : GRID_PLAIN);
        for (size_t i = 0; i < count; i++) {
            buf_reset(&cell);
            api_format(&columns[i], row, how->csv, &cell);
            grid_add(&grid, "%s", cell.data);
        }
    }
    if (how->csv)
        grid_print_csv(&grid, out);
    else
        grid_print_narrow(&grid, how->width, out);
    buf_finish(&cell);
    grid_finish(&grid);
}

void
api_print_object(const struct api_column *columns, size_t count,
                 const struct cJSON *object, const struct api_print *how,
                 struct buf *out)
{
    if (how->csv) {
        cJSON *rows = cJSON_CreateArray();
        cJSON_AddItemReferenceToArray(rows, (cJSON *)object);
        api_print_rows(columns, count, rows, how, out);
        cJSON_Delete(rows);
        return;
    }
    size_t width = 0;
    for (size_t i = 0; i < count; i++)
        if (strlen(columns[i].title) > width)
            width = strlen(columns[i].title);
    for (size_t i = 0; i < count; i++) {
        buf_addf(out, "%-*s  ", (int)width, columns[i].title);
        api_format(&columns[i], object, false, out);
        buf_addc(out, '\n');
    }
}
