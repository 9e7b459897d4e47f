/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/utf8.h"
#include "daemon/expo_text.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/fixture.h"

/* ---- a strict reader of the exposition ---- */

struct lines {
    char **items;
    size_t count;
};

static struct lines
split(char *text)
{
    struct lines l = {0};
    size_t cap = 0;

    for (char *s = text; *s != '\0';) {
        char *end = strchr(s, '\n');
        ck_assert_msg(end != NULL, "the last line does not end: %s", s);
        *end = '\0';
        xgrow(&l.items, &cap, l.count + 1, sizeof *l.items);
        l.items[l.count++] = s;
        s = end + 1;
    }
    return l;
}

static int
compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Length of name and labels of a sample: up to the blank outside of quotes. */
static size_t
key_length(const char *line)
{
    bool quoted = false;
    size_t i = 0;

    for (; line[i] != '\0' && (quoted || line[i] != ' '); i++) {
        if (quoted && line[i] == '\\')
            i++;
        else if (line[i] == '"')
            quoted = !quoted;
    }
    ck_assert_msg(line[i] == ' ' && !quoted, "no value: %s", line);
    return i;
}

/* "x" of "# TYPE x gauge". */
static void
family_name(const char *line, char name[128])
{
    size_t len = strcspn(line + 7, " ");

    ck_assert_uint_lt(len, 127);
    memcpy(name, line + 7, len);
    name[len] = '\0';
}

static bool
has_prefix(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* HELP, TYPE, samples of that family, for each family once; each (name, labels) once;
 * all of it UTF-8. Returns the number of samples. */
static size_t
check_exposition(const char *exposition)
{
    char *text = xstrdup(exposition);
    char **keys;
    char family[128] = "";
    size_t samples = 0, families = 0;

    ck_assert(utf8_valid(exposition, strlen(exposition)));
    ck_assert_ptr_null(strchr(exposition, '\r'));
    struct lines l = split(text);
    keys = xcalloc(l.count, sizeof *keys);
    char **seen = xcalloc(l.count, sizeof *seen);
    for (size_t i = 0; i < l.count; i++) {
        char *line = l.items[i];
        if (has_prefix(line, "# HELP ")) {
            family_name(line, family);
            for (size_t k = 0; k < families; k++)
                ck_assert_msg(strcmp(seen[k], family) != 0, "%s twice", family);
            seen[families++] = xstrdup(family);
            char type[128];
            ck_assert(has_prefix(l.items[i + 1], "# TYPE "));
            family_name(l.items[i + 1], type);
            ck_assert_str_eq(type, family);
        } else if (line[0] != '#') {
            ck_assert_msg(has_prefix(line, family), "%s under %s", line, family);
            size_t len = key_length(line);
            ck_assert(line[len + 1] != '\0');
            keys[samples++] = xmemdup0(line, len);
        }
    }
    qsort(keys, samples, sizeof *keys, compare_lines);
    for (size_t i = 1; i < samples; i++)
        ck_assert_msg(strcmp(keys[i - 1], keys[i]) != 0, "duplicate %s", keys[i]);
    for (size_t i = 0; i < samples; i++)
        free(keys[i]);
    for (size_t i = 0; i < families; i++)
        free(seen[i]);
    free(keys);
    free(seen);
    free(l.items);
    free(text);
    return samples;
}

static const char *
find_line(const char *text, const char *start)
{
    const char *s = text;

    while (s != NULL && !has_prefix(s, start)) {
        s = strchr(s, '\n');
        s = s != NULL ? s + 1 : NULL;
    }
    return s;
}

static void
expect(const char *text, const char *line)
{
    const char *at = find_line(text, line);

    ck_assert_msg(at != NULL && at[strlen(line)] == '\n', "no line '%s'", line);
}

/* ---- the writer ---- */

START_TEST(labels_are_escaped)
{
    struct buf b;
    struct expo e;

    buf_init(&b, 0);
    expo_init(&e, &b);
    expo_family(&e, METRIC_TABLE_REGIONS);
    expo_sample(&e, &(struct expo_label){"table", "a\"b\\c\n-\xff"}, 1, 0.1);
    expo_sample(&e, &(struct expo_label){"table", ""}, 1, INFINITY);
    expo_finish(&e);
    ck_assert_ptr_nonnull(strstr(
        b.data,
        "\nhotspotd_table_regions{table=\"a\\\"b\\\\c\\n-\xef\xbf\xbd\"} 0.1\n"));
    ck_assert_ptr_nonnull(strstr(b.data, "\nhotspotd_table_regions +Inf\n"));
    ck_assert_uint_eq(e.samples, 2);
    buf_finish(&b);
}
END_TEST

START_TEST(duplicates_are_left_out)
{
    struct buf b;
    struct expo e;
    char name[32];

    buf_init(&b, 0);
    expo_init(&e, &b);
    expo_family(&e, METRIC_TABLE_REGIONS);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 1000; i++) {
            snprintf(name, sizeof name, "t%d", i);
            expo_sample(&e, &(struct expo_label){"table", name}, 1, i);
        }
    }
    /* Different bytes, the same label. */
    expo_sample(&e, &(struct expo_label){"table", "x\xff"}, 1, 1);
    expo_sample(&e, &(struct expo_label){"table", "x\xfe"}, 1, 2);
    ck_assert_uint_eq(e.duplicates, 1001);
    ck_assert_uint_eq(e.samples, 1001);
    /* The next family begins anew. */
    expo_family(&e, METRIC_TABLE_EFFECTIVE);
    expo_sample(&e, &(struct expo_label){"table", "t1"}, 1, 1);
    ck_assert_uint_eq(e.samples, 1002);
    expo_finish(&e);
    ck_assert_uint_eq(check_exposition(b.data), 1002);
    buf_finish(&b);
}
END_TEST

START_TEST(histograms_are_cumulative)
{
    struct histogram h = {0};
    struct buf b;
    struct expo e;

    histogram_add_us(&h, 1000); /* on a bound: in it */
    histogram_add_us(&h, 1001);
    histogram_add_us(&h, -5);
    histogram_add_us(&h, 31000000);
    buf_init(&b, 0);
    expo_init(&e, &b);
    expo_family(&e, METRIC_POLL_DURATION);
    expo_histogram(&e, NULL, &h);
    expo_finish(&e);
    expect(b.data, "hotspotd_poll_duration_seconds_bucket{le=\"0.001\"} 2");
    expect(b.data, "hotspotd_poll_duration_seconds_bucket{le=\"0.005\"} 3");
    expect(b.data, "hotspotd_poll_duration_seconds_bucket{le=\"30\"} 3");
    expect(b.data, "hotspotd_poll_duration_seconds_bucket{le=\"+Inf\"} 4");
    expect(b.data, "hotspotd_poll_duration_seconds_sum 31.002001");
    expect(b.data, "hotspotd_poll_duration_seconds_count 4");
    buf_finish(&b);
}
END_TEST

/* ---- the whole of it ---- */

START_TEST(names_follow_the_conventions)
{
    for (int i = 0; i < METRIC_COUNT; i++) {
        const struct metric *m = &metric_table[i];
        size_t len = strlen(m->name);
        bool total = len > 6 && strcmp(m->name + len - 6, "_total") == 0;
        ck_assert(has_prefix(m->name, "hotspotd_") || has_prefix(m->name, "process_"));
        ck_assert_uint_eq(strspn(m->name, "abcdefghijklmnopqrstuvwxyz_"), len);
        ck_assert_msg(total == (m->type == METRIC_counter), "%s", m->name);
        ck_assert_msg(strpbrk(m->help, "\\\n") == NULL, "%s: plain help", m->name);
        ck_assert_msg(m->help[strlen(m->help) - 1] == '.', "%s: full stop", m->name);
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(m->name, metric_table[k].name);
    }
}
END_TEST

START_TEST(every_family_is_written)
{
    struct fixture f;
    char start[160];

    fixture_orders(&f);
    struct view *view = fixture_view(&f);
    check_exposition(view->metrics);
    for (int i = 0; i < METRIC_COUNT; i++) {
        snprintf(start, sizeof start, "# TYPE %s ", metric_table[i].name);
        ck_assert_msg(find_line(view->metrics, start) != NULL, "%s",
                      metric_table[i].name);
    }
    view_unref(view);
    fixture_finish(&f);
}
END_TEST

START_TEST(the_figures_are_right)
{
    static const char *const expected[] = {
        "hotspotd_cluster_info{cluster=\"prod\"} 1",
        "hotspotd_alert_firing{alertname=\"HBaseRegionHot\",severity=\"warning\","
        "cluster=\"prod\",table=\"orders\",region=\"858a2c1f000000041122334455667788\"}"
        " "
        "1",
        "hotspotd_hotspots{kind=\"region\"} 1",
        "hotspotd_hotspots{kind=\"meta\"} 0",
        "hotspotd_hotspot_episodes_total{kind=\"server\"} 0",
        "hotspotd_regions 11",
        "hotspotd_tables 2",
        "hotspotd_servers 2",
        "hotspotd_coverage_ratio 1",
        "hotspotd_poll_failures_total{reason=\"dns\"} 0",
        "hotspotd_poll_failures_total{reason=\"bad_response\"} 0",
        "hotspotd_last_round_timestamp_seconds 0",
        "hotspotd_last_evaluation_timestamp_seconds 1796077440",
        "hotspotd_server_up{server=\"rs1:16020\"} 1",
        "hotspotd_server_last_success_timestamp_seconds{server=\"rs2:16020\"} "
        "1796077436",
        "hotspotd_server_active_handlers{server=\"rs1:16020\"} 12",
        "hotspotd_table_regions{table=\"orders\"} 10",
        "hotspotd_region_hot{table=\"orders\",region="
        "\"858a2c1f000000041122334455667788\""
        ",server=\"rs2:16020\"} 1",
        "hotspotd_region_hot{table=\"orders\",region="
        "\"858a2c1f000000051122334455667788\""
        ",server=\"rs1:16020\"} 0",
        /* 2^53 as a double: what Prometheus can hold */
        "hotspotd_region_write_requests_total{table=\"orders\",region="
        "\"858a2c1f000000041122334455667788\",server=\"rs2:16020\"} 12",
        /* 1934 / (9 * 90 / 9) */
        "hotspotd_region_write_load_ratio{table=\"orders\",region="
        "\"858a2c1f000000041122334455667788\",server=\"rs2:16020\"} 21.488888888888887",
        "hotspotd_exported_regions 11",
        "hotspotd_regions_not_exported 0",
        "hotspotd_config_last_reload_successful 1",
        "hotspotd_http_requests_total{handler=\"metrics\",code=\"200\"} 0",
        "hotspotd_http_request_duration_seconds_count{handler=\"alerts\"} 0",
        "process_start_time_seconds 1796077340",
    };
    struct fixture f;

    fixture_orders(&f);
    struct view *view = fixture_view(&f);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        expect(view->metrics, expected[i]);
    /* What is unknown has no sample. */
    ck_assert_ptr_null(find_line(view->metrics, "hotspotd_server_queued_calls{"));
    view_unref(view);
    fixture_finish(&f);
}
END_TEST

/* Names that HBase would not allow, restarted and silent servers, alerts with labels.
 */
static void
hostile(struct fixture *f)
{
    static const char *const names[] = {"",      "\n",       "a\"},x{y=\"", "a\\",
                                        "T1",    "t1",       "x\xc3(",      "x\xc3\xff",
                                        "x\xff", "x\xff\xfe"};

    fixture_begin(f);
    uint32_t old = fixture_server(f, "rs\"1\\,16020,1");
    uint32_t new = fixture_server(f, "rs\"1\\,16020,2");
    f->s->servers[old].dead = true;
    f->s->servers[old].up = false;
    f->s->servers[new].skew = INFINITY;
    uint32_t silent = fixture_server(f, "::1,16020,3");
    f->s->servers[silent].last_success_ms = -1;
    f->s->servers[silent].up = false;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint32_t table = fixture_table(f, names[i]);
        uint32_t region = fixture_region(f, table, i % 3 == 2 ? NO_INDEX : new, i, NULL,
                                         NULL, i, 1000 * i);
        if (i > 4)
            fixture_alert(f, i == 5 ? ALERT_TABLE : ALERT_REGION, region);
    }
    fixture_sum(f);
}

START_TEST(hostile_names_keep_it_valid)
{
    struct fixture f;

    hostile(&f);
    struct view *view = fixture_view(&f);
    check_exposition(view->metrics);
    expect(view->metrics, "hotspotd_table_regions{table=\"T1\"} 1");
    expect(view->metrics, "hotspotd_table_regions{table=\"t1\"} 1");
    expect(view->metrics, "hotspotd_table_regions{table=\"a\\\"},x{y=\\\"\"} 1");
    /* The live one of two starts speaks for the address. */
    expect(view->metrics, "hotspotd_server_up{server=\"rs\\\"1\\\\:16020\"} 1");
    expect(view->metrics,
           "hotspotd_server_load_ratio{server=\"rs\\\"1\\\\:16020\"} +Inf");
    expect(view->metrics, "hotspotd_server_up{server=\"::1:16020\"} 0");
    ck_assert_ptr_null(
        find_line(view->metrics, "hotspotd_server_regions{server=\"::1:16020\"}"));
    view_unref(view);
    fixture_finish(&f);
}
END_TEST

START_TEST(servers_that_never_answered_are_down)
{
    struct fixture f;
    struct targets targets;
    const struct target_row *row;
    char *urls[] = {(char *)"http://new:16030", (char *)"http://rs1:16030"};
    struct target_set set = {urls, 2};

    fixture_orders(&f);
    struct view *view = fixture_view(&f);
    targets_init(&targets);
    targets_set(&targets, &set, FIXTURE_NOW_MS);
    for (int i = 0; i < 2; i++) {
        struct server_poll poll = {
            .url = urls[i], .outcome = POLL_CONNECT, .error = (char *)"refused"};
        targets_poll(&targets, &poll, 1000, &row);
    }
    view->targets = targets;
    struct buf text;
    struct exports exports;
    struct poll_stats polls = {0};
    struct http_stats http = {0};
    exports_init(&exports);
    buf_init(&text, 0);
    metrics_render(
        &(struct metrics_input){
            .view = view, .exports = &exports, .polls = &polls, .http = &http},
        &text);
    check_exposition(text.data);
    expect(text.data, "hotspotd_server_up{server=\"new:16030\"} 0");
    /* Known by its RPC port already: not there twice. */
    ck_assert_ptr_null(
        find_line(text.data, "hotspotd_server_up{server=\"rs1:16030\"}"));
    expect(text.data, "hotspotd_config_last_reload_successful 0");
    buf_finish(&text);
    exports_finish(&exports);
    view_unref(view);
    fixture_finish(&f);
}
END_TEST

START_TEST(promtool_has_no_complaint)
{
    struct fixture f;

    if (system("command -v promtool > /dev/null") != 0)
        return;
    hostile(&f);
    struct view *view = fixture_view(&f);
    FILE *pipe = popen("promtool check metrics 2>&1", "w");
    ck_assert_ptr_nonnull(pipe);
    fwrite(view->metrics, 1, view->metrics_len, pipe);
    int status = pclose(pipe);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "promtool: %d",
                  status);
    view_unref(view);
    fixture_finish(&f);
}
END_TEST

TEST_MAIN("metrics", labels_are_escaped, duplicates_are_left_out,
          histograms_are_cumulative, names_follow_the_conventions,
          every_family_is_written, the_figures_are_right, hostile_names_keep_it_valid,
          servers_that_never_answered_are_down, promtool_has_no_complaint)
