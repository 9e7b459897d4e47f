/* SPDX-License-Identifier: Apache-2.0 */
/* hotspotctl analyze: the verdict on texts and answers that were saved, with no daemon
 * and no cluster at hand. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collectors/jmx.h"
#include "collectors/live_servers.h"
#include "common/clock.h"
#include "common/json_write.h"
#include "common/log.h"
#include "hotspotctl/analyze.h"
#include "hotspotctl/command.h"
#include "hotspotctl/grid.h"
#include "hotspotctl/heat.h"
#include "hotspotctl/keys_options.h"
#include "hotspotctl/listing_input.h"

static const char *const access_names[ACCESS_COUNT] = {
    [ACCESS_READ] = "read", [ACCESS_WRITE] = "write", [ACCESS_TOTAL] = "total"};

/* ---- inputs ---- */

/* What one input is of, and when. */
struct look {
    const char *name;
    struct buf text;
    int64_t time_ms;
    int64_t forced_ms;
};

/* A saved answer is as old as its file. */
static int64_t
time_of(const char *path)
{
    struct stat st;

    if (strcmp(path, "-") == 0 || stat(path, &st) < 0)
        return clock_now().wall_ms;
    return (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
}

static int
refuse(struct invocation *in, const struct look *look, enum poll_outcome outcome,
       char *what)
{
    char quoted[LOG_QUOTE_SIZE];
    int status = wrong(in, "%s: %s", log_quote(look->name, strlen(look->name), quoted),
                       what != NULL ? what : poll_outcome_name(outcome));

    free(what);
    return status;
}

static int
added(struct invocation *in, const struct look *look, int result)
{
    char quoted[LOG_QUOTE_SIZE];

    if (result == -EINVAL)
        return wrong(
            in,
            "%s is no later than what was read before; --interval SECONDS tells "
            "the time between the two",
            log_quote(look->name, strlen(look->name), quoted));
    return result < 0 ? wrong(in, "%s", strerror(-result)) : 0;
}

/* The answer of a RegionServer's /jmx. */
static int
add_jmx(struct invocation *in, const struct look *look, struct heat *heat)
{
    struct message *message = message_create(MESSAGE_POLL);
    struct server_poll *poll = &message->poll;
    struct jmx_reader *reader;
    bool not_understood;
    char *what = NULL;
    int status;

    poll->received.wall_ms = look->time_ms;
    reader = jmx_reader_create(poll, LISTING_ROWS_MAX);
    jmx_reader_feed(reader, look->text.data, look->text.len);
    enum poll_outcome outcome = jmx_reader_end_answer(reader, &not_understood, &what);
    if (outcome == POLL_OK && poll->region_count == 0)
        outcome = jmx_reader_end_poll(reader, &what);
    if (outcome != POLL_OK) {
        status = refuse(in, look, outcome, what);
    } else {
        int64_t time = poll->server_time_ms > 0 ? poll->server_time_ms : look->time_ms;
        status = added(in, look, heat_add_poll(heat, poll, time, look->forced_ms));
    }
    jmx_reader_destroy(reader);
    message_destroy(message);
    return status;
}

/* The master's live_servers. */
static int
add_live_servers(struct invocation *in, const struct look *look, struct heat *heat)
{
    struct message *message = message_create(MESSAGE_LISTING);
    struct live_servers_reader *reader =
        live_servers_reader_create(&message->listing, LISTING_ROWS_MAX);
    char *what = NULL;
    int status;

    live_servers_reader_feed(reader, look->text.data, look->text.len);
    enum poll_outcome outcome = live_servers_reader_end(reader, &what);
    if (outcome != POLL_OK) {
        status = refuse(in, look, outcome, what);
    } else {
        int64_t as_of = message->listing.as_of_ms;
        status =
            added(in, look,
                  heat_add_listing(heat, &message->listing,
                                   as_of > 0 ? as_of : look->time_ms, look->forced_ms));
    }
    live_servers_reader_destroy(reader);
    message_destroy(message);
    return status;
}

static int
add_text(struct invocation *in, const struct look *look, struct heat *heat)
{
    struct buf error;
    int status;

    buf_init(&error, 0);
    struct message *message = listing_input_parse(look->name, &look->text, &error);
    if (message == NULL)
        status = wrong(in, "%s", error.data);
    else
        status = added(
            in, look,
            heat_add_listing(heat, &message->listing, look->time_ms, look->forced_ms));
    message_destroy(message);
    buf_finish(&error);
    return status;
}

/* By its first character; of JSON, by what is in it. */
static int
add_look(struct invocation *in, const struct look *look, struct heat *heat)
{
    const char *text = look->text.data + strspn(look->text.data, " \t\r\n");

    if (*text == '{' && memmem(text, look->text.len - (size_t)(text - look->text.data),
                               "\"beans\"", 7) != NULL)
        return add_jmx(in, look, heat);
    if (*text == '{' || *text == '[')
        return add_live_servers(in, look, heat);
    return add_text(in, look, heat);
}

static int
add_file(struct invocation *in, const char *path, int64_t forced_ms, struct heat *heat)
{
    struct look look = {.name = strcmp(path, "-") == 0 ? "standard input" : path,
                        .forced_ms = forced_ms};
    struct buf error;
    int status;

    buf_init(&look.text, INPUT_MAX);
    buf_init(&error, 0);
    if (input_read(path, &look.text, &error) < 0) {
        status = wrong(in, "%s", error.data);
    } else {
        look.time_ms = time_of(path);
        status = add_look(in, &look, heat);
    }
    buf_finish(&look.text);
    buf_finish(&error);
    return status;
}

/* ---- reports ---- */

static void
json_tables(struct json_writer *w, const struct heat *heat, const struct heat_result *r)
{
    char id[REGION_ID_TEXT_SIZE];

    json_key(w, "tables");
    json_array_begin(w);
    for (size_t i = 0; i < r->table_count; i++) {
        const struct heat_table *t = &r->tables[i];
        json_object_begin(w);
        json_member_string(w, "table", heat_table_name(heat, t->table));
        json_member_u64(w, "regions", t->regions);
        json_member_double(w, "value", t->value);
        json_member_double(w, "effectiveRegions", t->effective);
        json_member_double(w, "skew", t->skew);
        json_member_string(w, "hottest",
                           t->hottest != UINT32_MAX
                               ? region_id_text(heat_region(heat, t->hottest)->id, id)
                               : NULL);
        json_object_end(w);
    }
    json_array_end(w);
}

static void
json_hot(struct json_writer *w, const struct heat *heat, const struct heat_hot *hot)
{
    const struct heat_region *region = heat_region(heat, hot->region);
    char id[REGION_ID_TEXT_SIZE];

    json_object_begin(w);
    json_member_string(w, "region", region_id_text(region->id, id));
    json_member_string(w, "table", heat_table_name(heat, region->table));
    json_member_string(w, "server", heat_server_name(heat, region));
    if (region->start_known)
        json_key_member(w, "startKey", heat_start_key(heat, region));
    else
        json_member_null(w, "startKey");
    if (region->end_known)
        json_key_member(w, "endKey", heat_end_key(heat, region));
    else
        json_member_null(w, "endKey");
    json_member_string(w, "access", access_names[hot->access]);
    json_member_double(w, "value", hot->value);
    json_member_double(w, "baseline", hot->baseline);
    json_member_double(w, "ratio", hot->ratio);
    json_member_double(w, "share", hot->share);
    json_object_end(w);
}

static void
print_json(struct invocation *in, const struct heat *heat, const struct heat_result *r)
{
    struct json_writer w;

    json_init(&w, &in->out);
    json_object_begin(&w);
    json_member_string(&w, "basis", r->basis == HEAT_RATE ? "rate" : "lifetime");
    json_tables(&w, heat, r);
    json_key(&w, "hot");
    json_array_begin(&w);
    for (size_t i = 0; i < r->hot_count; i++)
        json_hot(&w, heat, &r->hot[i]);
    json_array_end(&w);
    json_object_end(&w);
    buf_addc(&in->out, '\n');
}

static void
add_number(struct grid *grid, bool raw, double value)
{
    if (isnan(value))
        grid_add(grid, "%s", raw ? "" : "-");
    else if (isinf(value))
        grid_add(grid, "%s", raw ? "" : "no other");
    else
        grid_add(grid,
                 raw || value < 9.95 ? "%.2f"
                 : value < 99.95     ? "%.1f"
                                     : "%.0f",
                 value);
}

static void
print_hot(struct invocation *in, const struct heat *heat, const struct heat_result *r)
{
    static const struct grid_column columns[] = {
        {"REGION", "region", false, false},      {"TABLE", "table", false, false},
        {"SERVER", "server", false, false},      {"ACCESS", "access", false, false},
        {"VALUE", "value", true, false},         {"OTHERS", "baseline", true, false},
        {"TIMES", "ratio", true, false},         {"SHARE", "share", true, false},
        {"START KEY", "startKey", false, false}, {"END KEY", "endKey", false, false},
    };
    bool raw = in->output == OUTPUT_CSV;
    struct grid grid;
    struct buf text;
    char id[REGION_ID_TEXT_SIZE];

    grid_init(&grid, columns, sizeof columns / sizeof columns[0]);
    buf_init(&text, 0);
    for (size_t i = 0; i < r->hot_count; i++) {
        const struct heat_hot *hot = &r->hot[i];
        const struct heat_region *region = heat_region(heat, hot->region);
        const char *server = heat_server_name(heat, region);
        grid_add(&grid, "%s", region_id_text(region->id, id));
        grid_add(&grid, "%s", heat_table_name(heat, region->table));
        grid_add(&grid, "%s", server != NULL ? server : raw ? "" : "-");
        grid_add(&grid, "%s", access_names[hot->access]);
        add_number(&grid, raw, hot->value);
        add_number(&grid, raw, hot->baseline);
        add_number(&grid, raw, hot->ratio);
        if (raw)
            add_number(&grid, raw, hot->share);
        else
            grid_add(&grid, "%.1f %%", 100 * hot->share);
        grid_add(&grid, "%s",
                 region->start_known ? key_text(&text, heat_start_key(heat, region))
                                     : "?");
        grid_add(&grid, "%s",
                 region->end_known ? key_text(&text, heat_end_key(heat, region)) : "?");
    }
    if (raw)
        grid_print_csv(&grid, &in->out);
    else
        grid_print_table(&grid, &in->out);
    buf_finish(&text);
    grid_finish(&grid);
}

static void
print_tables(struct invocation *in, const struct heat *heat,
             const struct heat_result *r)
{
    const struct grid_column columns[] = {
        {"TABLE", "", false, false},
        {"REGIONS", "", true, false},
        {r->basis == HEAT_RATE ? "REQUESTS/S" : "REQUESTS", "", true, false},
        {"EFFECTIVE", "", true, false},
        {"HOTTEST TO OTHERS", "", true, false},
    };
    struct grid grid;

    grid_init(&grid, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < r->table_count; i++) {
        grid_add(&grid, "%s", heat_table_name(heat, r->tables[i].table));
        grid_add(&grid, "%u", r->tables[i].regions);
        add_number(&grid, false, r->tables[i].value);
        add_number(&grid, false, r->tables[i].effective);
        add_number(&grid, false, r->tables[i].skew);
    }
    grid_print_table(&grid, &in->out);
    grid_finish(&grid);
}

static void
print_text(struct invocation *in, const struct heat *heat, const struct heat_result *r)
{
    struct buf *out = &in->out;

    if (r->basis == HEAT_LIFETIME)
        buf_adds(out,
                 "Basis: requests since each region opened (one look). A region that "
                 "moved, split or reopened counts from 0; a second look later gives "
                 "rates.\n\n");
    else
        buf_adds(out, "Basis: rates between two looks.\n\n");
    print_tables(in, heat, r);
    if (r->without_rate > 0)
        buf_addf(out, "\n%u regions have no rate: seen once, moved, or reopened.\n",
                 r->without_rate);
    buf_adds(out, r->hot_count > 0 ? "\nHot:\n" : "\nNothing is hot.\n");
    if (r->hot_count > 0)
        print_hot(in, heat, r);
}

static int
judge(struct invocation *in, const struct heat *heat,
      const struct heat_options *options)
{
    struct heat_result result;
    char quoted[LOG_QUOTE_SIZE];
    int status;
    int r = heat_judge(heat, options, &result);

    if (r == -ENOENT) {
        status = wrong(in, "table %s is in none of the inputs",
                       log_quote(options->table, strlen(options->table), quoted));
    } else if (r == -ENODATA) {
        status = wrong(in, "no region with request counters in the inputs");
    } else {
        status = result.hot_count > 0 ? STATUS_HOT : STATUS_FINE;
        if (in->output == OUTPUT_JSON)
            print_json(in, heat, &result);
        else if (in->output == OUTPUT_CSV)
            print_hot(in, heat, &result);
        else
            print_text(in, heat, &result);
    }
    heat_result_finish(&result);
    return status;
}

int
analyze(struct invocation *in)
{
    struct heat_options options = {.table = in->values[OPT_TABLE]};
    uint64_t interval;
    int status = 0;

    if (option_ratio(in, OPT_THRESHOLD, 1, 3, &options.threshold) != 0 ||
        option_ratio(in, OPT_MIN_RATE, -1, 100, &options.min_rate) != 0 ||
        option_number(in, OPT_INTERVAL, 1, 31536000, 0, &interval) != 0)
        return STATUS_WRONG;
    if (in->argument_count == 0)
        return wrong(in, "no input: expected files, or - for standard input");
    struct heat *heat = heat_create();
    for (int i = 0; i < in->argument_count && status == 0; i++)
        status = add_file(in, in->arguments[i], (int64_t)interval * 1000, heat);
    if (status == 0)
        status = judge(in, heat, &options);
    heat_destroy(heat);
    return status;
}
