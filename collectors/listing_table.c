/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of list_regions, one or several: a header, a row of dashes that gives the
 * widths, rows cut at these (a '|' may be part of a key), " N rows". A table without
 * that line was cut short. Works on the struct listing_text of one call. Source: HBase
 * formatter.rb. */
#include <string.h>

#include "collectors/listing_priv.h"
#include "common/log.h"
#include "common/utf8.h"

/* A table under way. */
struct table {
    unsigned line; /* of its dashes; 0: none */
    struct columns columns;
    size_t rows;
};

bool
listing_dash_row(struct span line, struct columns *ret)
{
    struct span rest = span_trim_end(line);

    ret->count = 0;
    while (rest.len > 0) {
        size_t width = 0;
        if (rest.s[0] != ' ' || ret->count == COLUMNS_MAX)
            return false;
        while (1 + width < rest.len && rest.s[1 + width] == '-')
            width++;
        if (width == 0 || rest.len < width + 3 ||
            memcmp(rest.s + 1 + width, " |", 2) != 0)
            return false;
        ret->width[ret->count++] = width;
        rest.s += width + 3;
        rest.len -= width + 3;
    }
    return ret->count > 0;
}

/* Bytes of the first n characters; more than s.len when there are fewer. What is no
 * UTF-8 counts a character a byte. */
static size_t
characters(struct span s, size_t n)
{
    size_t at = 0;

    for (; n > 0; n--) {
        if (at >= s.len)
            return s.len + 1;
        size_t len = utf8_sequence(s.s + at, s.len - at);
        at += len == 0 ? 1 : len;
    }
    return at;
}

/* " value | value |": cells of the columns' widths. False if the line is not of that
 * shape. */
static bool
cut_cells(const struct columns *columns, struct span line, struct span *ret_cells)
{
    struct span rest = span_trim_end(line);

    for (size_t i = 0; i < columns->count; i++) {
        if (rest.len == 0 || rest.s[0] != ' ')
            return false;
        struct span cell = {rest.s + 1, rest.len - 1};
        size_t width = characters(cell, columns->width[i]);
        if (cell.len < width + 2 || memcmp(cell.s + width, " |", 2) != 0)
            return false;
        rest = (struct span){cell.s + width + 2, cell.len - width - 2};
        ret_cells[i] = span_trim((struct span){cell.s, width});
    }
    return rest.len == 0;
}

/* The header stands at the end of its line: a prompt may come before it. */
static bool
read_header(struct columns *columns, struct span line)
{
    struct span cells[COLUMNS_MAX];
    struct span header = span_trim_end(line);
    size_t total = 0;

    for (size_t i = 0; i < columns->count; i++)
        total += columns->width[i] + 3;
    if (header.len < total)
        return false;
    header.s += header.len - total;
    header.len = total;
    if (!cut_cells(columns, header, cells))
        return false;
    for (size_t i = 0; i < columns->count; i++)
        columns->kind[i] = listing_column(cells[i]);
    return listing_has_column(columns, COLUMN_REGION);
}

static enum poll_outcome
begin_table(struct listing_text *t, struct table *table, struct span header)
{
    char quoted[LOG_QUOTE_SIZE];

    if (!read_header(&table->columns, header))
        return listing_refuse(t, t->line,
                              "expected a header with a column REGION_NAME above the "
                              "dashes, not %s",
                              log_quote(header.s, header.len, quoted));
    table->line = t->line;
    table->rows = 0;
    return POLL_OK;
}

static enum poll_outcome
end_table(struct listing_text *t, struct table *table, size_t count)
{
    if (table->line == 0)
        return listing_refuse(t, t->line, "%zu rows without a table above", count);
    if (count != table->rows)
        return listing_refuse(t, t->line, "%zu rows announced, %zu read since line %u",
                              count, table->rows, table->line);
    table->line = 0;
    return POLL_OK;
}

static enum poll_outcome
table_line(struct listing_text *t, struct table *table, struct span line,
           struct span previous)
{
    struct columns columns;
    struct span cells[COLUMNS_MAX];
    size_t count;

    if (listing_dash_row(line, &columns)) {
        if (table->line != 0)
            return listing_refuse(t, t->line,
                                  "a new table before the row count of the one "
                                  "in line %u",
                                  table->line);
        table->columns = columns;
        return begin_table(t, table, previous);
    }
    if (line.len > 0 && line.s[0] == ' ' &&
        listing_count_line(line, "rows/row/row(s)", &count))
        return end_table(t, table, count);
    if (table->line != 0 && cut_cells(&table->columns, line, cells)) {
        table->rows++;
        return listing_add_cells(t, &table->columns, cells);
    }
    if (!listing_take_note(t, line))
        t->listing->skipped_lines++;
    return POLL_OK;
}

enum poll_outcome
listing_read_tables(struct listing_text *t)
{
    struct table table = {0};
    struct span line, previous = {"", 0};
    enum poll_outcome outcome = POLL_OK;

    while (outcome == POLL_OK && listing_next_line(t, &line)) {
        outcome = table_line(t, &table, line, previous);
        previous = line;
    }
    if (outcome == POLL_OK && table.line != 0)
        return listing_refuse(
            t, table.line,
            "the table that begins here has no ' N rows' at its end: the "
            "text is cut short");
    return outcome;
}
