/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of text. One owner. */
#include "hotspotctl/grid.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

void
grid_init(struct grid *g, const struct grid_column *columns, size_t count)
{
    assert(count > 0 && count <= GRID_COLUMNS_MAX);
    *g = (struct grid){.columns = columns, .column_count = count};
    buf_init(&g->cells, 0);
    for (size_t i = 0; i < count; i++)
        g->width[i] = strlen(columns[i].title);
}

void
grid_finish(struct grid *g)
{
    buf_finish(&g->cells);
}

/* Characters of UTF-8 text: bytes that continue none. */
static size_t
width_of(const char *text)
{
    size_t width = 0;

    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

void
grid_add(struct grid *g, const char *format, ...)
{
    size_t start = g->cells.len;
    size_t column = g->filled++ % g->column_count;
    va_list args;

    va_start(args, format);
    buf_vaddf(&g->cells, format, args);
    va_end(args);
    buf_addc(&g->cells, '\0');
    if (g->cells.failed)
        return;
    for (char *p = g->cells.data + start; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7F)
            *p = '?';
    size_t width = width_of(g->cells.data + start);
    if (width > g->width[column])
        g->width[column] = width;
}

static void
table_cell(const struct grid *g, size_t column, const char *text, struct buf *out)
{
    size_t padding = g->width[column] - width_of(text);
    bool last = column + 1 == g->column_count;

    if (column > 0)
        buf_adds(out, "  ");
    if (g->columns[column].right)
        buf_addf(out, "%*s%s", (int)padding, "", text);
    else
        buf_addf(out, "%s%*s", text, last ? 0 : (int)padding, "");
    if (!last)
        return;
    while (out->len > 0 && out->data[out->len - 1] == ' ' &&
           !g->columns[column].right && *text == '\0')
        out->data[--out->len] = '\0';
    buf_addc(out, '\n');
}

void
grid_print_table(const struct grid *g, struct buf *out)
{
    const char *cell = g->cells.data;

    for (size_t i = 0; i < g->column_count; i++)
        table_cell(g, i, g->columns[i].title, out);
    for (size_t i = 0; i < g->filled && !g->cells.failed; i++) {
        table_cell(g, i % g->column_count, cell, out);
        cell += strlen(cell) + 1;
    }
}

static void
csv_cell(const char *text, bool last, struct buf *out)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        buf_adds(out, text);
    } else {
        buf_addc(out, '"');
        for (; *text != '\0'; text++) {
            if (*text == '"')
                buf_addc(out, '"');
            buf_addc(out, *text);
        }
        buf_addc(out, '"');
    }
    buf_adds(out, last ? "\n" : ",");
}

void
grid_print_csv(const struct grid *g, struct buf *out)
{
    const char *cell = g->cells.data;

    for (size_t i = 0; i < g->column_count; i++)
        csv_cell(g->columns[i].name, i + 1 == g->column_count, out);
    for (size_t i = 0; i < g->filled && !g->cells.failed; i++) {
        csv_cell(cell, (i + 1) % g->column_count == 0, out);
        cell += strlen(cell) + 1;
    }
}
