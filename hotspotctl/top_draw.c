/* SPDX-License-Identifier: Apache-2.0 */
/* top's screen, in plain ASCII: it looks the same in every locale. */
#include <curses.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hotspotctl/top.h"

enum { HEAD_LINES = 3 };

/* What a narrow screen leaves out comes last in width, not in place. */
struct column {
    const char *title;
    int width;
    int from; /* shown from so many columns of the screen on */
    bool right;
};

enum {
    COL_MARK,
    COL_TABLE,
    COL_ID,
    COL_SERVER,
    COL_READ,
    COL_WRITE,
    COL_RATIO,
    COL_CLASS,
    COL_KEY,
    COL_COUNT
};
static const struct column region_columns[COL_COUNT] = {
    [COL_MARK] = {"", 1, 0, false},           [COL_TABLE] = {"TABLE", 20, 0, false},
    [COL_ID] = {"REGION", 32, 126, false},    [COL_SERVER] = {"SERVER", 22, 90, false},
    [COL_READ] = {"READ/S", 9, 0, true},      [COL_WRITE] = {"WRITE/S", 9, 0, true},
    [COL_RATIO] = {"RATIO", 7, 50, true},     [COL_CLASS] = {"CLASS", 14, 142, false},
    [COL_KEY] = {"START KEY", 16, 66, false},
};
enum {
    TCOL_MARK,
    TCOL_TABLE,
    TCOL_REGIONS,
    TCOL_READ,
    TCOL_WRITE,
    TCOL_RATIO,
    TCOL_HOTTEST,
    TCOL_COUNT
};
static const struct column table_columns[TCOL_COUNT] = {
    [TCOL_MARK] = {"", 1, 0, false},
    [TCOL_TABLE] = {"TABLE", 28, 0, false},
    [TCOL_REGIONS] = {"REGIONS", 8, 60, true},
    [TCOL_READ] = {"READ/S", 9, 0, true},
    [TCOL_WRITE] = {"WRITE/S", 9, 0, true},
    [TCOL_RATIO] = {"RATIO", 7, 50, true},
    [TCOL_HOTTEST] = {"HOTTEST REGION", 32, 102, false},
};

static void
rate_text(double value, char *out, size_t size)
{
    if (isnan(value))
        snprintf(out, size, "-");
    else
        snprintf(out, size,
                 value < 9.95    ? "%.2f"
                 : value < 99.95 ? "%.1f"
                                 : "%.0f",
                 value);
}

static void
ratio_text(double value, char *out, size_t size)
{
    if (isnan(value))
        snprintf(out, size, "-");
    else if (isinf(value) || value > 99999)
        snprintf(out, size, ">99999x");
    else
        snprintf(out, size, value < 99.95 ? "%.1fx" : "%.0fx", value);
}

/* Columns one after another; the last that is shown takes what is left. */
static void
draw_cells(int y, const struct column *columns, int count, const char *const *cells)
{
    int x = 0;
    int last = 0;

    for (int i = 0; i < count; i++)
        if (COLS >= columns[i].from)
            last = i;
    for (int i = 0; i < count && x < COLS; i++) {
        if (COLS < columns[i].from)
            continue;
        int width = i == last && !columns[i].right ? COLS - x : columns[i].width;
        if (width > COLS - x)
            width = COLS - x;
        mvprintw(y, x, columns[i].right ? "%*.*s" : "%-*.*s", width, width, cells[i]);
        x += width + 1;
    }
}

static void
draw_titles(int y, const struct column *columns, int count)
{
    const char *titles[COL_COUNT + TCOL_COUNT];

    for (int i = 0; i < count; i++)
        titles[i] = columns[i].title;
    attron(A_REVERSE);
    mvhline(y, 0, ' ', COLS);
    draw_cells(y, columns, count, titles);
    attroff(A_REVERSE);
}

static const char *
mark_of(enum live_state state)
{
    return state == LIVE_HOT ? "!" : state == LIVE_PENDING ? "?" : " ";
}

static void
draw_line(int y, const struct top_state *s, const struct top_line *l)
{
    char read[32], write[32], ratio[32], regions[32];
    const struct live_region *r = l->region;

    rate_text(l->read, read, sizeof read);
    rate_text(l->write, write, sizeof write);
    ratio_text(l->ratio, ratio, sizeof ratio);
    snprintf(regions, sizeof regions, "%zu", l->regions);
    if (s->screen == TOP_TABLES) {
        const char *cells[TCOL_COUNT] = {
            mark_of(l->state), r->table, regions, read, write, ratio, r->id};
        draw_cells(y, table_columns, TCOL_COUNT, cells);
    } else {
        const char *key = r->start_key == NULL      ? "?"
                          : r->start_key[0] == '\0' ? "(first)"
                                                    : r->start_key;
        const char *cells[COL_COUNT] = {
            mark_of(l->state), r->table, r->id, r->server, read, write, ratio,
            r->heat_class,     key};
        draw_cells(y, region_columns, COL_COUNT, cells);
    }
}

static void
draw_list(struct top_state *s)
{
    size_t room = LINES > HEAD_LINES + 1 ? (size_t)(LINES - HEAD_LINES - 1) : 1;

    if (s->screen == TOP_TABLES)
        draw_titles(HEAD_LINES - 1, table_columns, TCOL_COUNT);
    else
        draw_titles(HEAD_LINES - 1, region_columns, COL_COUNT);
    if (s->cursor < s->first)
        s->first = s->cursor;
    if (s->cursor >= s->first + room)
        s->first = s->cursor - room + 1;
    for (size_t i = 0; i < room && s->first + i < s->line_count; i++) {
        const struct top_line *l = &s->lines[s->first + i];
        attr_t attributes = (l->state == LIVE_HOT       ? A_BOLD | COLOR_PAIR(1)
                             : l->state == LIVE_PENDING ? COLOR_PAIR(2)
                                                        : A_NORMAL) |
                            (s->first + i == s->cursor ? A_REVERSE : 0);
        attron(attributes);
        mvhline(HEAD_LINES + (int)i, 0, ' ', COLS);
        draw_line(HEAD_LINES + (int)i, s, l);
        attroff(attributes);
    }
}

/* Text with line ends, wrapped by the screen's width. Returns the line behind. */
static int
draw_text(int y, const char *text)
{
    while (*text != '\0' && y < LINES - 1) {
        int len = (int)strcspn(text, "\n");
        int part = len < COLS ? len : COLS;
        mvaddnstr(y++, 0, text, part);
        text += part;
        if (part == len && *text == '\n')
            text++;
    }
    return y;
}

static const struct live_region *
chosen(const struct top_state *s, const struct live_view *view)
{
    for (size_t i = 0; i < view->count; i++)
        if (strcmp(view->regions[i].id, s->region) == 0)
            return &view->regions[i];
    return NULL;
}

/* A region's keys as they can be pasted, its figures, why it is hot. */
static void
draw_keys(const struct top_state *s, const struct live_view *view)
{
    const struct live_region *r = chosen(s, view);
    char text[2048], read[32], write[32], ratio[32];

    if (r == NULL) {
        mvprintw(HEAD_LINES, 0, "region %s is gone", s->region);
        return;
    }
    rate_text(r->read, read, sizeof read);
    rate_text(r->write, write, sizeof write);
    ratio_text(r->ratio, ratio, sizeof ratio);
    snprintf(
        text, sizeof text,
        "region     %s\ntable      %s\nserver     %s\nreads/s    %s\nwrites/s   %s\n"
        "ratio      %s\nstate      %s%s%s\n",
        r->id, r->table, r->server, read, write, ratio,
        r->state == LIVE_HOT       ? "hot"
        : r->state == LIVE_PENDING ? "becoming hot"
                                   : "normal",
        r->heat_class[0] != '\0' ? ", " : "", r->heat_class);
    int y = draw_text(HEAD_LINES - 1, text);
    y = draw_text(y, "start key  ");
    y = draw_text(y, r->start_key != NULL ? r->start_key : "not known");
    y = draw_text(y, "end key    ");
    y = draw_text(y, r->end_key != NULL ? r->end_key : "not known");
    draw_text(y + 1, r->why);
}

static const char help[] =
    "up down j k PgUp PgDn Home End   move\n"
    "Enter                            a table's regions; a region's keys\n"
    "Backspace h                      back\n"
    "t r                              tables; regions of all tables\n"
    "o                                sort by rate, reads, writes, ratio, name\n"
    "f                                only what is hot or becoming hot\n"
    "/                                filter by a part of table, region, server, key\n"
    "q                                quit\n\n"
    "! hot   ? becoming hot   RATIO: rate against the table's other regions\n";

static void
draw_head(const struct top_state *s, const struct live_view *view)
{
    char coverage[32] = "-";

    if (!isnan(view->coverage))
        snprintf(coverage, sizeof coverage, "%.0f %%", 100 * view->coverage);
    mvprintw(0, 0, "%.*s", COLS, "");
    attron(A_BOLD);
    mvprintw(0, 0, "hotspotctl top  %.*s", COLS > 60 ? COLS - 50 : 10, s->source);
    attroff(A_BOLD);
    char line[400];
    snprintf(line, sizeof line,
             "servers %u/%u  regions %zu  seen %s  hot %zu  by %s%s%s%s%s%s",
             view->servers_up, view->servers, view->count, coverage, view->hot,
             top_order_name(s->order), s->only_hot ? "  only hot" : "",
             s->screen == TOP_REGIONS && s->table[0] != '\0' ? "  table " : "",
             s->screen == TOP_REGIONS ? s->table : "",
             s->filter[0] != '\0' ? "  /" : "", s->filter);
    mvaddnstr(1, 0, line, COLS);
}

static void
draw_foot(const struct top_state *s, const struct live_view *view)
{
    char line[300];

    if (s->typing)
        snprintf(line, sizeof line, "filter: %s_", s->filter);
    else if (view->message[0] != '\0')
        snprintf(line, sizeof line, "%s", view->message);
    else
        snprintf(line, sizeof line,
                 "Enter: open  Backspace: back  o: sort  /: filter  f: hot"
                 "  ?: help  q: quit");
    mvaddnstr(LINES - 1, 0, line, COLS - 1);
}

void
top_draw(struct top_state *s, const struct live_view *view)
{
    erase();
    draw_head(s, view);
    if (s->screen == TOP_HELP)
        draw_text(HEAD_LINES, help);
    else if (s->screen == TOP_KEYS)
        draw_keys(s, view);
    else
        draw_list(s);
    draw_foot(s, view);
    refresh();
}
