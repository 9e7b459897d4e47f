/* SPDX-License-Identifier: Apache-2.0 */
/* hotspotctl top: the loop of keys and news. The main thread owns the screen; only the
 * collector, if the source is HBase, has a thread of its own. */
#include "hotspotctl/top.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hotspotctl/api_commands.h"
#include "hotspotctl/command.h"

enum { TURN_MS = 200 };

/* ---- keys ---- */

static void
back(struct top_state *s)
{
    s->screen = s->screen == TOP_KEYS ? TOP_REGIONS : TOP_TABLES;
    if (s->screen == TOP_TABLES)
        s->table[0] = '\0';
    s->cursor = 0;
}

static void
enter(struct top_state *s)
{
    if (s->cursor >= s->line_count || s->screen > TOP_REGIONS)
        return;
    const struct live_region *r = s->lines[s->cursor].region;
    if (s->screen == TOP_TABLES) {
        snprintf(s->table, sizeof s->table, "%s", r->table);
        s->screen = TOP_REGIONS;
        s->cursor = 0;
    } else {
        snprintf(s->region, sizeof s->region, "%s", r->id);
        s->screen = TOP_KEYS;
    }
}

static void
type(struct top_state *s, int key)
{
    size_t len = strlen(s->filter);

    if (key == '\n' || key == '\r' || key == KEY_ENTER) {
        s->typing = false;
    } else if (key == 27) {
        s->typing = false;
        s->filter[0] = '\0';
    } else if (key == KEY_BACKSPACE || key == 127 || key == 8) {
        if (len > 0)
            s->filter[len - 1] = '\0';
    } else if (key >= 0x20 && key < 0x7F && len + 1 < sizeof s->filter) {
        s->filter[len] = (char)key;
        s->filter[len + 1] = '\0';
    }
}

static bool
move_cursor(struct top_state *s, int key)
{
    size_t page = LINES > 5 ? (size_t)(LINES - 5) : 1;
    size_t last = s->line_count > 0 ? s->line_count - 1 : 0;

    switch (key) {
    case KEY_UP:
    case 'k':
        s->cursor -= s->cursor > 0;
        return true;
    case KEY_DOWN:
    case 'j':
        s->cursor += s->cursor < last;
        return true;
    case KEY_PPAGE:
        s->cursor -= s->cursor < page ? s->cursor : page;
        return true;
    case KEY_NPAGE:
        s->cursor = s->cursor + page < last ? s->cursor + page : last;
        return true;
    case KEY_HOME:
        s->cursor = 0;
        return true;
    case KEY_END:
        s->cursor = last;
        return true;
    default:
        return false;
    }
}

static void
show(struct top_state *s, enum top_screen screen)
{
    s->screen = screen;
    s->cursor = 0;
    s->table[0] = '\0';
}

bool
top_key(struct top_state *s, int key)
{
    if (s->typing) {
        type(s, key);
        return true;
    }
    if (move_cursor(s, key))
        return true;
    switch (key) {
    case 'q':
    case 3:
        return false;
    case '\n':
    case '\r':
    case KEY_ENTER:
        enter(s);
        break;
    case KEY_BACKSPACE:
    case 127:
    case 8:
    case 27:
    case 'h':
        back(s);
        break;
    case 't':
        show(s, TOP_TABLES);
        break;
    case 'r':
        show(s, TOP_REGIONS);
        break;
    case 'o':
        s->order = (s->order + 1) % ORDER_COUNT;
        break;
    case 'f':
        s->only_hot = !s->only_hot;
        break;
    case '/':
        s->typing = true;
        s->filter[0] = '\0';
        break;
    case '?':
        s->screen = s->screen == TOP_HELP ? TOP_TABLES : TOP_HELP;
        break;
    default:
        break;
    }
    return true;
}

/* ---- the loop ---- */

static void
loop(struct live_source *source, struct top_state *s)
{
    struct live_view view;
    bool go_on = true;

    live_view_init(&view);
    snprintf(view.message, sizeof view.message, "waiting for the first answer");
    while (go_on) {
        source->ops->update(source, &view);
        top_arrange(s, &view);
        top_draw(s, &view);
        int key = getch();
        if (key == ERR && !isatty(STDIN_FILENO))
            break; /* the terminal is gone */
        if (key != ERR)
            go_on = top_key(s, key);
    }
    live_view_finish(&view);
    free(s->lines);
}

static bool
start_screen(void)
{
    SCREEN *screen = newterm(NULL, stdout, stdin);

    if (screen == NULL)
        return false;
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    set_escdelay(25);
    timeout(TURN_MS);
    curs_set(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
        init_pair(1, COLOR_RED, -1);
        init_pair(2, COLOR_YELLOW, -1);
    }
    return true;
}

/* A hotspotd if one answers there, else an HBase master. */
static struct live_source *
open_source(struct invocation *in, const char *url, unsigned interval_s)
{
    struct buf error;
    bool other;

    buf_init(&error, 0);
    struct live_source *source = live_daemon_create(url, interval_s, &other, &error);
    if (source == NULL && other) {
        buf_reset(&error);
        source = live_hbase_create(url, &error);
    }
    if (source == NULL)
        wrong(in, "%s", error.data);
    buf_finish(&error);
    return source;
}

int
top(struct invocation *in)
{
    const char *url = in->argument_count > 0 ? in->arguments[0] : daemon_url(in);
    struct top_state state = {.source = url};
    uint64_t interval;

    if (option_number(in, OPT_INTERVAL, 1, 3600, 2, &interval) != 0)
        return STATUS_WRONG;
    if (in->argument_count > 0 && in->values[OPT_URL] != NULL)
        return wrong(in, "--url and an address exclude each other");
    if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
        return wrong(in, "top needs a terminal; hotspotctl regions prints once");
    struct live_source *source = open_source(in, url, (unsigned)interval);
    if (source == NULL)
        return STATUS_WRONG;
    int status = STATUS_FINE;
    if (start_screen()) {
        loop(source, &state);
        endwin();
    } else {
        status = wrong(in, "the terminal is not known: check TERM");
    }
    source->ops->destroy(source);
    return status;
}
