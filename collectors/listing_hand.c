/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of people's own scripts: "REGION | START_KEY | END_KEY | SIZE | REQ |
 * LOCALITY", cells of any width, perhaps a line of dashes below, perhaps a '|' at both
 * ends. They have no row count; where one stands it must be right. A '|' inside a key
 * cannot be told from a separator, so a line with other cells than the header is
 * refused. Works on the struct listing_text of one call. */
#include <string.h>

#include "collectors/listing_priv.h"
#include "collectors/outcome.h"

/* Cells between '|', without blanks around; those outside of a '|' at the line's ends
 * do not count. Their number, or 0 if there are too many. */
static size_t
split_cells(struct span line, struct span *ret_cells)
{
    struct span rest = span_trim(line);
    size_t count = 0;

    if (rest.len > 0 && rest.s[0] == '|') {
        rest.s++;
        rest.len--;
        if (rest.len > 0 && rest.s[rest.len - 1] == '|')
            rest.len--;
    }
    for (bool more = true; more; count++) {
        if (count == COLUMNS_MAX)
            return 0;
        more = rest.len > 0 && memchr(rest.s, '|', rest.len) != NULL;
        ret_cells[count] = span_trim(span_cut(&rest, "|"));
    }
    return count;
}

static bool
read_header(struct span line, struct columns *ret)
{
    struct span cells[COLUMNS_MAX];

    ret->count = split_cells(line, cells);
    if (ret->count > 1 && cells[ret->count - 1].len == 0)
        ret->count--; /* a '|' at the end only */
    for (size_t i = 0; i < ret->count; i++)
        ret->kind[i] = listing_column(cells[i]);
    return ret->count > 1 && listing_has_column(ret, COLUMN_REGION) &&
           (listing_has_column(ret, COLUMN_REQ) ||
            listing_has_column(ret, COLUMN_START));
}

bool
listing_hand_header(struct span line)
{
    struct columns columns;

    return read_header(line, &columns);
}

/* "---|---", "+----+----+", "|:--|--:|" */
static bool
is_rule(struct span line)
{
    bool dashes = false;

    for (size_t i = 0; i < line.len; i++) {
        if (memchr("-=+|: ", line.s[i], 6) == NULL)
            return false;
        dashes |= line.s[i] == '-' || line.s[i] == '=';
    }
    return dashes;
}

static enum poll_outcome
hand_row(struct listing_text *t, const struct columns *columns, struct span line)
{
    struct span cells[COLUMNS_MAX];

    size_t count = split_cells(line, cells);
    if (count == columns->count + 1 && cells[count - 1].len == 0)
        count--;
    if (count != columns->count)
        return listing_refuse(
            t, t->line,
            "expected %zu cells as in the header, not %zu (a '|' in a key "
            "cannot be told from a separator: give the table of "
            "list_regions as it is)",
            columns->count, count);
    return listing_add_cells(t, columns, cells);
}

/* The table under way; columns.count is 0 outside of one. */
struct hand {
    struct columns columns;
    size_t rows;
    bool any; /* a row or a row count was read */
};

static enum poll_outcome
hand_line(struct listing_text *t, struct hand *hand, struct span line)
{
    struct columns header;
    size_t count;

    if (read_header(line, &header)) {
        hand->columns = header;
        hand->rows = 0;
        return POLL_OK;
    }
    if (is_rule(line))
        return POLL_OK;
    if (hand->columns.count > 0 &&
        listing_count_line(line, "rows/row/row(s)", &count)) {
        if (count != hand->rows)
            return listing_refuse(t, t->line, "%zu rows announced, %zu read", count,
                                  hand->rows);
        hand->columns.count = 0;
        hand->any = true;
        return POLL_OK;
    }
    if (hand->columns.count > 0 && line.len > 0 &&
        memchr(line.s, '|', line.len) != NULL) {
        hand->rows++;
        hand->any = true;
        return hand_row(t, &hand->columns, line);
    }
    if (!listing_take_note(t, line))
        t->listing->skipped_lines++;
    return POLL_OK;
}

enum poll_outcome
listing_read_hand(struct listing_text *t)
{
    struct hand hand = {0};
    enum poll_outcome outcome = POLL_OK;
    struct span line;

    while (outcome == POLL_OK && listing_next_line(t, &line))
        outcome = hand_line(t, &hand, line);
    if (outcome == POLL_OK && !hand.any)
        return outcome_error(POLL_NO_DATA, t->ret_error, "a table's header and no row");
    return outcome;
}
