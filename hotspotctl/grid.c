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
    buf_init(&g->styles, 0);
    for (size_t i = 0; i < count; i++)
        g->width[i] = strlen(columns[i].title);
}

void
grid_finish(struct grid *g)
{
    buf_finish(&g->cells);
    buf_finish(&g->styles);
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

void
grid_style(struct grid *g, enum grid_style style)
{
    size_t row = g->filled / g->column_count;

    if (style == GRID_PLAIN)
        return;
    while (g->styles.len < row)
        buf_addc(&g->styles, GRID_PLAIN);
    buf_addc(&g->styles, (char)style);
}

static const char *const style_codes[] = {[GRID_PLAIN] = "",
                                          [GRID_RED] = "\033[31m",
                                          [GRID_YELLOW] = "\033[33m",
                                          [GRID_BOLD] = "\033[1m"};

static void
table_cell(const struct grid *g, size_t column, const char *text, bool first,
           struct buf *out)
{
    size_t padding = g->width[column] - width_of(text);

    if (!first)
        buf_adds(out, "  ");
    if (g->columns[column].right)
        buf_addf(out, "%*s%s", (int)padding, "", text);
    else
        buf_addf(out, "%s%*s", text, (int)padding, "");
}

/* One line; `cell` is the first of its cells, NULL for the titles. Blanks at the end
 * that only pad are left out. Returns the cell behind. */
static const char *
table_line(const struct grid *g, const char *cell, enum grid_style style,
           struct buf *out)
{
    bool titles = cell == NULL;
    bool first = true;

    buf_adds(out, style_codes[style]);
    for (size_t i = 0; i < g->column_count; i++) {
        const char *text = titles ? g->columns[i].title : cell;
        if (!g->hidden[i]) {
            size_t end = out->len + (first || *text == '\0' ? 0 : 2) + strlen(text);
            bool left = !g->columns[i].right;
            table_cell(g, i, text, first, out);
            first = false;
            bool last = true;
            for (size_t n = i + 1; n < g->column_count; n++)
                last = last && g->hidden[n];
            if (last && left && end < out->len)
                out->len = end;
        }
        if (!titles)
            cell += strlen(cell) + 1;
    }
    while (out->len > 0 && titles && out->data[out->len - 1] == ' ')
        out->len--;
    buf_adds(out, style != GRID_PLAIN ? "\033[0m\n" : "\n");
    return cell;
}

void
grid_print_table(const struct grid *g, struct buf *out)
{
    const char *cell = g->cells.data;
    size_t rows = g->cells.failed ? 0 : g->filled / g->column_count;

    table_line(g, NULL, GRID_PLAIN, out);
    for (size_t i = 0; i < rows; i++)
        cell = table_line(
            g, cell,
            i < g->styles.len ? (enum grid_style)g->styles.data[i] : GRID_PLAIN, out);
}

void
grid_print_narrow(struct grid *g, size_t width, struct buf *out)
{
    size_t total = 0;

    for (size_t i = 0; i < g->column_count; i++)
        total += g->width[i] + (i > 0 ? 2 : 0);
    for (size_t i = g->column_count; width > 0 && total > width && i-- > 0;) {
        if (!g->columns[i].optional)
            continue;
        g->hidden[i] = true;
        total -= g->width[i] + 2;
    }
    grid_print_table(g, out);
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
