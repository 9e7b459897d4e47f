/* SPDX-License-Identifier: Apache-2.0 */
/* alerts, tables, servers, regions, region, history, status: one GET each, shown as a
 * table, as CSV or as the daemon's own JSON; with --watch again and again. */
#include "hotspotctl/api_commands.h"

#include <cjson/cJSON.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/region_id.h"
#include "hotspotctl/api_client.h"
#include "hotspotctl/api_view.h"
#include "hotspotctl/command.h"
#include "hotspotctl/terminal.h"

static const struct api_column alert_columns[] = {
    {"STATE", "state", "state", API_TEXT, false},
    {"ALERT", "alert", "labels.alertname", API_TEXT, true},
    {"SEVERITY", "severity", "labels.severity", API_TEXT, true},
    {"TABLE", "table", "labels.table", API_TEXT, false},
    {"REGION", "region", "evidence.region", API_TEXT, false},
    {"SERVER", "server", "evidence.server", API_TEXT, false},
    {"RATE/S", "rate", "evidence.rate", API_RATE, false},
    {"RATIO", "ratio", "evidence.ratio", API_RATIO, false},
    {"ACCESS", "access", "evidence.access", API_TEXT, true},
    {"CLASS", "class", "evidence.class", API_TEXT, true},
    {"SINCE", "hotSince", "evidence.hotSince", API_TIME, true},
};

static const struct api_column table_columns[] = {
    {"TABLE", "table", "table", API_TEXT, false},
    {"STATE", "state", "state", API_TEXT, false},
    {"REGIONS", "regions", "regions", API_COUNT, true},
    {"READ/S", "readRate", "readRate", API_RATE, false},
    {"WRITE/S", "writeRate", "writeRate", API_RATE, false},
    {"EFFECTIVE", "effectiveRegions", "effectiveRegions", API_RATE, true},
    {"SKEW", "skew", "skew", API_RATIO, false},
    {"HOTTEST REGION", "hottest", "hottest", API_TEXT, true},
};

static const struct api_column server_columns[] = {
    {"SERVER", "server", "server", API_TEXT, false},
    {"STATE", "state", "state", API_TEXT, false},
    {"UP", "up", "up", API_TEXT, false},
    {"REGIONS", "regions", "regions", API_COUNT, true},
    {"READ/S", "readRate", "readRate", API_RATE, false},
    {"WRITE/S", "writeRate", "writeRate", API_RATE, false},
    {"SKEW", "skew", "skew", API_RATIO, false},
    {"HANDLERS", "activeHandlers", "signals.activeHandlers", API_COUNT, true},
    {"QUEUED", "queuedCalls", "signals.queuedCalls", API_COUNT, true},
    {"CACHE", "cacheHitRatio", "signals.cacheHitRatio", API_SHARE, true},
};

static const struct api_column region_columns[] = {
    {"REGION", "region", "region", API_TEXT, false},
    {"TABLE", "table", "table", API_TEXT, false},
    {"STATE", "state", "state", API_TEXT, false},
    {"SERVER", "server", "server", API_TEXT, true},
    {"READ/S", "readRate", "readRate", API_RATE, false},
    {"WRITE/S", "writeRate", "writeRate", API_RATE, false},
    {"RATIO", "ratio", "ratio", API_RATIO, false},
    {"SHARE", "share", "share", API_SHARE, true},
    {"SIZE", "sizeBytes", "sizeBytes", API_BYTES, true},
    {"START KEY", "startKey", "startKey", API_TEXT, false},
    {"END KEY", "endKey", "endKey", API_TEXT, true},
};

static const struct api_column one_region_columns[] = {
    {"region", "region", "region", API_TEXT, false},
    {"table", "table", "table", API_TEXT, false},
    {"state", "state", "state", API_TEXT, false},
    {"server", "server", "server", API_TEXT, false},
    {"start key", "startKey", "startKey", API_TEXT, false},
    {"end key", "endKey", "endKey", API_TEXT, false},
    {"reads/s", "readRate", "readRate", API_RATE, false},
    {"writes/s", "writeRate", "writeRate", API_RATE, false},
    {"ratio", "ratio", "ratio", API_RATIO, false},
    {"share of table", "share", "share", API_SHARE, false},
    {"size", "sizeBytes", "sizeBytes", API_BYTES, false},
    {"locality", "locality", "locality", API_SHARE, false},
    {"created", "created", "created", API_TIME, false},
    {"last sample", "lastSample", "lastSample", API_TIME, false},
    {"stale", "stale", "stale", API_TEXT, false},
};

static const struct api_column event_columns[] = {
    {"TIME", "time", "time", API_TIME, false},
    {"KIND", "kind", "kind", API_TEXT, false},
    {"REASON", "reason", "reason", API_TEXT, false},
    {"ALERT", "alert", "labels.alertname", API_TEXT, true},
    {"TABLE", "table", "labels.table", API_TEXT, false},
    {"REGION", "region", "labels.region", API_TEXT, false},
    {"SERVER", "server", "labels.server", API_TEXT, true},
    {"RATE/S", "value", "value", API_RATE, false},
};

static const struct api_column status_columns[] = {
    {"cluster", "cluster", "cluster", API_TEXT, false},
    {"version", "version", "version", API_TEXT, false},
    {"ready", "ready", "ready", API_TEXT, false},
    {"up since", "startTime", "startTime", API_TIME, false},
    {"last evaluation", "lastEvaluation", "lastEvaluation", API_TIME, false},
    {"interval", "intervalSeconds", "intervalSeconds", API_SECONDS, false},
    {"servers up", "serversUp", "servers.up", API_COUNT, false},
    {"servers", "servers", "servers.total", API_COUNT, false},
    {"tables", "tables", "tables", API_COUNT, false},
    {"regions", "regions", "regions.total", API_COUNT, false},
    {"coverage", "coverage", "coverage", API_SHARE, false},
    {"alerts firing", "firing", "alerts.firing", API_COUNT, false},
    {"alerts pending", "pending", "alerts.pending", API_COUNT, false},
};

struct view {
    const char *path;
    const char *rows; /* the member that is an array; NULL: one object */
    const struct api_column *columns;
    size_t column_count;
    void (*more)(const struct cJSON *data, struct buf *out); /* behind a table */
    bool (*hot)(const struct cJSON *data);
};
#define COLUMNS(array) array, sizeof array / sizeof array[0]

const char *
daemon_url(const struct invocation *in)
{
    const char *variable = getenv("HOTSPOTD_URL");

    if (in->values[OPT_URL] != NULL)
        return in->values[OPT_URL];
    return variable != NULL && *variable != '\0' ? variable : "http://127.0.0.1:16090";
}

/* ---- what follows a table ---- */

static void
add_text(const struct cJSON *object, const char *path, const char *before,
         const char *after, struct buf *out)
{
    const cJSON *text = api_member(object, path);

    if (!cJSON_IsString(text) || *text->valuestring == '\0')
        return;
    buf_adds(out, before);
    add_clean(out, text->valuestring);
    buf_adds(out, after);
}

/* A sentence, why, what to do, and the lines for the HBase shell as they are pasted. */
static void
add_alert(const struct cJSON *alert, struct buf *out)
{
    const cJSON *command;

    buf_addc(out, '\n');
    add_text(alert, "annotations.summary", "", "\n", out);
    add_text(alert, "evidence.classEvidence", "  ", "\n", out);
    add_text(alert, "annotations.advice", "  ", "\n", out);
    cJSON_ArrayForEach(command, api_member(alert, "evidence.commands"))
    {
        add_text(command, "why", "  # ", "\n", out);
        add_text(command, "command", "", "\n", out);
    }
}

static void
add_alerts(const struct cJSON *data, struct buf *out)
{
    const cJSON *alert;

    cJSON_ArrayForEach(alert, api_member(data, "alerts"))
    {
        add_alert(alert, out);
    }
}

static void
add_region(const struct cJSON *data, struct buf *out)
{
    const cJSON *step;
    const cJSON *alert = api_member(data, "alert");

    cJSON_ArrayForEach(step, api_member(data, "lineage"))
    {
        add_text(step, "time", "", " ", out);
        add_text(step, "event", "", ": ", out);
        add_text(step, "from", "", " to ", out);
        add_text(step, "to", "", "\n", out);
    }
    if (cJSON_IsObject(alert))
        add_alert(alert, out);
}

static void
add_problems(const struct cJSON *data, struct buf *out)
{
    const cJSON *problem;

    cJSON_ArrayForEach(problem, api_member(data, "problems"))
    {
        add_text(problem, "", "problem: ", "\n", out);
    }
}

/* ---- is something hot? ---- */

static bool
is_firing(const struct cJSON *row)
{
    const cJSON *state = api_member(row, "state");

    return cJSON_IsString(state) && strcmp(state->valuestring, "firing") == 0;
}

static bool
row_fires(const struct cJSON *data)
{
    const cJSON *rows;
    const cJSON *row;

    cJSON_ArrayForEach(rows, data)
    {
        if (!cJSON_IsArray(rows))
            continue;
        cJSON_ArrayForEach(row, rows)
        {
            if (is_firing(row))
                return true;
        }
    }
    return false;
}

static bool
status_fires(const struct cJSON *data)
{
    const cJSON *firing = api_member(data, "alerts.firing");

    return cJSON_IsNumber(firing) && firing->valuedouble > 0;
}

static bool
never(const struct cJSON *data)
{
    (void)data;
    return false;
}

/* ---- one answer, or many ---- */

static void
print(const struct invocation *in, const struct view *view,
      const struct api_answer *answer, struct buf *out)
{
    struct api_print how = {
        .csv = in->output == OUTPUT_CSV,
        .color = terminal_color(in->values[OPT_COLOR]),
        .width = terminal_width(),
    };

    if (in->output == OUTPUT_JSON) {
        buf_add(out, answer->data_text, answer->data_len);
        buf_addc(out, '\n');
        return;
    }
    if (view->rows != NULL)
        api_print_rows(view->columns, view->column_count,
                       api_member(answer->data, view->rows), &how, out);
    else
        api_print_object(view->columns, view->column_count, answer->data, &how, out);
    if (!how.csv && view->more != NULL)
        view->more(answer->data, out);
}

static int
ask(struct invocation *in, struct api_client *client, const struct view *view,
    const char *path)
{
    struct api_answer answer;
    struct buf error;
    int status;

    buf_init(&error, 0);
    if (api_get(client, path, &answer, &error) < 0) {
        status = wrong(in, "%s", error.data);
    } else if (view->rows != NULL &&
               !cJSON_IsArray(api_member(answer.data, view->rows))) {
        status = wrong(in, "the answer has no %s: a hotspotd of another version?",
                       view->rows);
    } else {
        print(in, view, &answer, &in->out);
        status = view->hot(answer.data) ? STATUS_HOT : STATUS_FINE;
    }
    api_answer_finish(&answer);
    buf_finish(&error);
    return status;
}

static volatile sig_atomic_t stopped;

static void
on_signal(int number)
{
    (void)number;
    stopped = 1;
}

/* Until a signal comes: on a terminal each answer takes the place of the last. */
static int
watch(struct invocation *in, struct api_client *client, const struct view *view,
      const char *path)
{
    uint64_t seconds;
    int status = STATUS_FINE;
    struct sigaction action = {.sa_handler = on_signal};

    if (option_number(in, OPT_INTERVAL, 1, 86400, 2, &seconds) != 0)
        return STATUS_WRONG;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    for (bool first = true; !stopped; first = false) {
        buf_reset(&in->out);
        status = ask(in, client, view, path);
        if (status == STATUS_WRONG && first)
            return status;
        const char *text = status == STATUS_WRONG ? in->notes.data : in->out.data;
        const char *clear = terminal_width() > 0 ? "\033[H\033[2J" : "";
        if (printf("%s%s", clear, text) < 0 || fflush(stdout) != 0)
            break;
        buf_reset(&in->notes);
        struct timespec pause = {.tv_sec = (time_t)seconds};
        nanosleep(&pause, NULL);
    }
    buf_reset(&in->out);
    return status;
}

static int
run_view(struct invocation *in, const struct view *view, const char *path)
{
    struct buf error;
    int status;

    if (!terminal_color_valid(in->values[OPT_COLOR]))
        return wrong(in, "wrong --color, expected auto, always or never");
    buf_init(&error, 0);
    struct api_client *client = api_client_create(daemon_url(in), &error);
    if (client == NULL)
        status = wrong(in, "%s", error.data);
    else if (in->values[OPT_WATCH] != NULL)
        status = watch(in, client, view, path);
    else
        status = ask(in, client, view, path);
    api_client_destroy(client);
    buf_finish(&error);
    return status;
}

/* The view's path with the options that are parameters of the API by the same name. */
static int
run_listing(struct invocation *in, const struct view *view)
{
    static const enum option parameters[] = {OPT_TABLE, OPT_SERVER, OPT_STATE,
                                             OPT_SORT,  OPT_LIMIT,  OPT_SINCE};
    struct buf path;

    buf_init(&path, 0);
    buf_adds(&path, view->path);
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++)
        if (in->values[parameters[i]] != NULL)
            api_add_parameter(&path, option_forms[parameters[i]].name,
                              in->values[parameters[i]]);
    int status = run_view(in, view, path.data);
    buf_finish(&path);
    return status;
}

int
api_alerts(struct invocation *in)
{
    static const struct view view = {"/api/v1/alerts", "alerts", COLUMNS(alert_columns),
                                     add_alerts, row_fires};
    return run_listing(in, &view);
}

int
api_tables(struct invocation *in)
{
    static const struct view view = {"/api/v1/tables", "tables", COLUMNS(table_columns),
                                     NULL, row_fires};
    return run_listing(in, &view);
}

int
api_servers(struct invocation *in)
{
    static const struct view view = {"/api/v1/servers", "servers",
                                     COLUMNS(server_columns), NULL, row_fires};
    return run_listing(in, &view);
}

int
api_regions(struct invocation *in)
{
    static const struct view view = {"/api/v1/regions", "regions",
                                     COLUMNS(region_columns), NULL, row_fires};
    return run_listing(in, &view);
}

int
api_history(struct invocation *in)
{
    static const struct view view = {"/api/v1/alerts/history", "events",
                                     COLUMNS(event_columns), NULL, never};
    return run_listing(in, &view);
}

int
api_status(struct invocation *in)
{
    static const struct view view = {"/api/v1/status", NULL, COLUMNS(status_columns),
                                     add_problems, status_fires};
    return run_listing(in, &view);
}

int
api_region(struct invocation *in)
{
    static const struct view view = {
        "/api/v1/regions/", NULL, COLUMNS(one_region_columns), add_region, is_firing};
    struct region_id id;
    char text[REGION_ID_TEXT_SIZE];
    char path[80];

    if (in->argument_count != 1)
        return wrong(in, "no region: expected its encoded name, such as "
                         "202c4877bda40013f2389c362bf46947");
    if (!region_id_parse(in->arguments[0], strlen(in->arguments[0]), &id))
        return wrong(
            in, "wrong region, expected an encoded name: 32 hexadecimal digits, or "
                "1588230740 for hbase:meta");
    snprintf(path, sizeof path, "%s%s", view.path, region_id_text(id, text));
    return run_view(in, &view, path);
}
