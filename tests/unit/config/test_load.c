/* SPDX-License-Identifier: Apache-2.0 */
/* From files to values: the samples, inheritance, flags of keys, files that cannot be
 * read, the default file, the hash. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/buf.h"
#include "common/log.h"
#include "config/schema.h"
#include "config/value.h"
#include "config/yaml.h"
#include "tests/unit/config/helpers.h"

static struct config *
load_sample(const char *name, size_t warnings)
{
    struct config_problems problems;
    char *path = data_path(name);
    struct config *config = config_load_file(path, &problems);
    char *found = problems_text(&problems);

    ck_assert_msg(config != NULL, "%s: %s", path, found);
    ck_assert_msg(problems.count == warnings, "%s: %s", path, found);
    free(found);
    free(path);
    config_problems_finish(&problems);
    return config;
}

static void
assert_list(const struct string_list *list, size_t n, const char *const *want)
{
    ck_assert_uint_eq(list->count, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_str_eq(list->items[i], want[i]);
}

#define ASSERT_LIST(list, ...)                                                         \
    assert_list((list), sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *),        \
                (const char *const[]){__VA_ARGS__})

static void
assert_rates(const double have[static ACCESS_COUNT], double read, double write,
             double total)
{
    ck_assert_double_eq(have[ACCESS_READ], read);
    ck_assert_double_eq(have[ACCESS_WRITE], write);
    ck_assert_double_eq(have[ACCESS_TOTAL], total);
}

START_TEST(the_complete_sample_sets_every_key)
{
    struct config *c = load_sample("good/complete.yaml", 0);

    ck_assert_str_eq(c->cluster, "prod");
    ASSERT_LIST(&c->masters, "http://hm1:16010", "http://hm2:16010");
    ASSERT_LIST(&c->regionservers.static_targets, "rs1:16030", "rs2:16030",
                "[2001:db8::1]:16030", "https://rs3:16030/");
    ck_assert_str_eq(c->regionservers.file, "/etc/hotspotd/targets.json");
    ck_assert_str_eq(c->regionservers.http_sd, "http://sd:8080/targets?cluster=prod");
    ck_assert_uint_eq(c->regionservers.info_port, 16031);
    ck_assert(c->poll.jmx && c->poll.gzip);
    ck_assert_int_eq(c->poll.interval_ms, 15000);
    ck_assert_int_eq(c->poll.timeout_ms, 5000);
    ck_assert_uint_eq(c->poll.max_in_flight, 32);
    ck_assert_uint_eq(c->poll.max_body, 128u << 20);
    ck_assert_int_eq(c->topology.source, TOPOLOGY_AUTO);
    ck_assert_uint_eq(c->topology.api_max_regions, 40000);
    ASSERT_LIST(&c->topology.command, "/usr/lib/hotspotd/list-regions", "--table",
                "{table}", "");
    ck_assert_int_eq(c->topology.interval_ms, 1200000);
    ck_assert_int_eq(c->topology.timeout_ms, 90000);
    ck_assert_int_eq(c->history.raw_ms, 7200000);
    ck_assert_int_eq(c->history.five_minutes_ms, 172800000);
    ck_assert_int_eq(c->history.hours_ms, 14 * 86400000);
    ck_assert_uint_eq(c->history.max_memory, 1u << 30);
    ASSERT_LIST(&c->http.listen, "127.0.0.1:16090", "[::1]:0");
    ck_assert_str_eq(c->http.external_url, "https://hotspots.example.com/hbase/");
    ck_assert_uint_eq(c->http.max_connections, 128);
    ck_assert_uint_eq(c->metrics.export_top, 10);
    ck_assert_uint_eq(c->metrics.export_max, 100);
    ck_assert_uint_eq(c->metrics.export_tables, 50);
    ck_assert_str_eq(c->runbook_url, "https://wiki.example.com/runbooks/");
    ck_assert_int_eq(c->log.level, LOG_DEBUG);
    ck_assert_int_eq(c->log.format, LOG_FORMAT_JSON);
    config_destroy(c);
}
END_TEST

START_TEST(the_complete_sample_sets_the_rules)
{
    struct config *c = load_sample("good/complete.yaml", 0);
    const struct detection_config *d = &c->detection;

    assert_rates(d->rule.threshold, 3, 2, 3.5);
    assert_rates(d->rule.min_rate, 150, 150, 150);
    ck_assert_int_eq(d->rule.baseline, BASELINE_OTHERS);
    ck_assert_double_eq(d->rule.min_server_share, 0.3);
    ck_assert_int_eq(d->window_ms, 180000);
    ck_assert_int_eq(d->rule.for_ms, 90000);
    ck_assert_double_eq(d->rule.clear_ratio, 0.7);
    ck_assert_int_eq(d->rule.clear_for_ms, 600000);
    ck_assert_uint_eq(d->rule.max_alerts_per_table, 5);
    ck_assert_uint_eq(d->max_alerts, 100);
    ck_assert_int_eq(d->rule.severity, SEVERITY_WARNING);
    ck_assert_double_eq(d->table_min_rate, 1500);
    ck_assert_double_eq(d->single_region_min_rate, 2000);
    ck_assert_double_eq(d->server_threshold, 2.5);
    ck_assert_double_eq(d->server_min_rate, 2500);
    ck_assert_double_eq(d->meta_max_rate, 6000);
    ASSERT_LIST(&d->ignore_tables, "tmp_*", "test");
    ck_assert_uint_eq(d->table_count, 2);
    ck_assert_str_eq(d->tables[0].match, "iot:*");
    assert_rates(d->tables[0].rule.threshold, 5, 5, 5);
    assert_rates(d->tables[0].rule.min_rate, 150, 500, 150);
    ck_assert_int_eq(d->tables[0].rule.baseline, BASELINE_OTHERS);
    ck_assert_int_eq(d->tables[0].rule.severity, SEVERITY_CRITICAL);
    ck_assert_uint_eq(d->tables[0].rule.labels.count, 2);
    ck_assert_str_eq(d->tables[0].rule.labels.items[1].name, "floor");
    ck_assert_str_eq(d->tables[0].rule.labels.items[1].value, "3");
    ck_assert_str_eq(d->tables[1].match, "logs");
    ck_assert_int_eq(d->tables[1].rule.baseline, BASELINE_MEDIAN);
    ck_assert_int_eq(d->tables[1].rule.for_ms, 0);
    ck_assert_double_eq(d->tables[1].rule.clear_ratio, 1);
    ck_assert_uint_eq(d->tables[1].rule.max_alerts_per_table, 1);
    ck_assert(d->rule.row_sampling && d->tables[0].rule.row_sampling);
    ck_assert(!d->tables[1].rule.row_sampling);
    ck_assert_int_eq(d->tables[1].rule.severity, SEVERITY_WARNING);
    config_destroy(c);
}
END_TEST

START_TEST(the_complete_sample_leaves_no_key_out)
{
    size_t len;
    char *path = data_path("good/complete.yaml");
    char *text = read_file(path, &len);

    for (size_t i = 0; i < schema_count; i++) {
        if (schema[i].type != TYPE_SECTION &&
            !(schema[i].flags & (ROW_LATER | ROW_NOT_IN_FILE)))
            ck_assert_msg(strstr(text, schema_key(&schema[i])), "%s", schema[i].path);
    }
    free(text);
    free(path);
}
END_TEST

START_TEST(defaults_are_those_of_the_papers)
{
    struct config *c = config_create_default();
    const struct detection_config *d = &c->detection;

    ck_assert_ptr_null(c->cluster);
    ck_assert_uint_eq(c->masters.count, 0);
    ck_assert_uint_eq(c->regionservers.info_port, 16030);
    ck_assert(c->poll.jmx && !c->poll.gzip);
    ck_assert_int_eq(c->poll.interval_ms, 30000);
    ck_assert_int_eq(c->poll.timeout_ms, 10000);
    ck_assert_uint_eq(c->poll.max_in_flight, 64);
    ck_assert_uint_eq(c->poll.max_body, 64u << 20);
    ck_assert_int_eq(c->topology.source, TOPOLOGY_AUTO);
    ck_assert_uint_eq(c->topology.api_max_regions, 50000);
    ck_assert_int_eq(c->topology.interval_ms, 600000);
    ck_assert_int_eq(c->topology.timeout_ms, 120000);
    assert_rates(d->rule.threshold, 3, 3, 3);
    assert_rates(d->rule.min_rate, 100, 100, 100);
    ck_assert_int_eq(d->rule.baseline, BASELINE_REST);
    ck_assert_double_eq(d->rule.min_server_share, 0.25);
    ck_assert_int_eq(d->window_ms, 120000);
    ck_assert_int_eq(d->rule.for_ms, 120000);
    ck_assert_double_eq(d->rule.clear_ratio, 0.8);
    ck_assert_int_eq(d->rule.clear_for_ms, 300000);
    ck_assert_uint_eq(d->rule.max_alerts_per_table, 10);
    ck_assert_uint_eq(d->max_alerts, 200);
    ck_assert(!d->rule.row_sampling);
    ck_assert_int_eq(d->rule.severity, SEVERITY_WARNING);
    ck_assert_double_eq(d->table_min_rate, 1000);
    ck_assert_double_eq(d->single_region_min_rate, 1000);
    ck_assert_double_eq(d->server_threshold, 2);
    ck_assert_double_eq(d->server_min_rate, 1000);
    ck_assert_double_eq(d->meta_max_rate, 5000);
    ck_assert_int_eq(c->history.raw_ms, 3600000);
    ck_assert_int_eq(c->history.five_minutes_ms, 86400000);
    ck_assert_int_eq(c->history.hours_ms, 7 * 86400000);
    ck_assert_uint_eq(c->history.max_memory, 512u << 20);
    ASSERT_LIST(&c->http.listen, ":16090");
    ck_assert_uint_eq(c->http.max_connections, 256);
    ck_assert_str_eq(c->http.telemetry_path, "/metrics");
    ck_assert(!c->http.enable_lifecycle);
    ck_assert_uint_eq(c->metrics.export_top, 20);
    ck_assert_uint_eq(c->metrics.export_max, 200);
    ck_assert_uint_eq(c->metrics.export_tables, 200);
    ck_assert_int_eq(c->hbase_auth.type, AUTH_NONE);
    ck_assert(!c->alertmanager.include_keys);
    ck_assert_int_eq(c->alertmanager.resend_delay_ms, 60000);
    ck_assert_int_eq(c->webhook.timeout_ms, 10000);
    ck_assert_str_eq(c->state.path, "/var/lib/hotspotd/hotspotd.db");
    ck_assert_int_eq(c->state.retention_ms, 90ll * 86400000);
    ck_assert_int_eq(c->log.level, LOG_INFO);
    ck_assert_int_eq(c->log.format, LOG_FORMAT_AUTO);
    config_destroy(c);
}
END_TEST

START_TEST(tables_inherit_wherever_they_stand)
{
    struct config *c = load_sample("good/tables_first.yaml", 0);
    const struct table_rule *tables = c->detection.tables;

    assert_rates(tables[0].rule.threshold, 4, 4, 9);
    assert_rates(tables[1].rule.threshold, 4, 4, 4);
    for (size_t i = 0; i < 2; i++) {
        assert_rates(tables[i].rule.min_rate, 10, 20, 30);
        ck_assert_int_eq(tables[i].rule.clear_for_ms, 420000);
        ck_assert_int_eq(tables[i].rule.for_ms, 120000);
        ck_assert_uint_eq(tables[i].rule.labels.count, 0);
    }
    config_destroy(c);
}
END_TEST

START_TEST(flow_style_and_quoted_units_are_fine)
{
    struct config *c = load_sample("good/flow.yaml", 0);

    ASSERT_LIST(&c->masters, "http://hm1:16010");
    ck_assert_int_eq(c->poll.interval_ms, 10000);
    assert_rates(c->detection.rule.threshold, 2.5, 2.5, 2.5);
    ck_assert_uint_eq(c->detection.table_count, 2);
    ck_assert_str_eq(c->detection.tables[1].rule.labels.items[0].value, "1");
    config_destroy(c);
}
END_TEST

static void
assert_hash_is_default(const struct config *config, const char *name)
{
    char have[17], want[17];
    struct config *fallback = config_create_default();

    config_hash(config, have);
    config_hash(fallback, want);
    ck_assert_msg(strcmp(have, want) == 0, "%s: %s, not %s", name, have, want);
    config_destroy(fallback);
}

START_TEST(files_that_set_nothing_are_the_defaults)
{
    static const char *const names[] = {"good/empty.yaml", "good/comment.yaml",
                                        "good/document.yaml",
                                        "good/empty_sections.yaml"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct config *c = load_sample(names[i], 0);
        assert_hash_is_default(c, names[i]);
        config_destroy(c);
    }
}
END_TEST

START_TEST(the_default_file_is_current_and_holds_the_defaults)
{
    char *path = source_path("config/hotspotd.yaml");
    char *text = config_default_yaml();

    assert_same_as_file(path, text);
    struct config *c = load_good(text);
    assert_hash_is_default(c, path);
    config_destroy(c);
    free(text);
    free(path);
}
END_TEST

/* "section: { key: value }" with the row's example or default. */
static void
set_row(const struct schema_row *row, struct buf *out)
{
    const char *value = row->example ? row->example : row->fallback;
    const char *quote = row->type == TYPE_STRING && value[0] != '"' ? "'" : "";

    if (strchr(row->path, '.'))
        buf_addf(out, "%.*s: { %s: %s%s%s }\n", (int)strcspn(row->path, "."), row->path,
                 schema_key(row), quote, value, quote);
    else
        buf_addf(out, "%s: %s%s%s\n", row->path, quote, value, quote);
}

START_TEST(the_examples_are_good)
{
    for (size_t i = 0; i < schema_count; i++) {
        struct buf text;
        if (!schema[i].example || (schema[i].flags & (ROW_LATER | ROW_ENTRY_ONLY)))
            continue;
        buf_init(&text, 0);
        set_row(&schema[i], &text);
        config_destroy(load_good(text.data));
        buf_finish(&text);
    }
}
END_TEST

/* The lines of the commented example of tables, without their marks. */
static char *
tables_example(const char *text)
{
    struct buf out;

    buf_init(&out, 0);
    buf_adds(&out, "detection:\n");
    text = strstr(text, "  # tables:\n");
    ck_assert_ptr_nonnull(text);
    for (; strncmp(text, "  # ", 4) == 0; text += strcspn(text, "\n") + 1)
        buf_addf(&out, "  %.*s\n", (int)strcspn(text + 4, "\n"), text + 4);
    return buf_steal(&out, NULL);
}

START_TEST(the_example_of_tables_is_good)
{
    char *text = config_default_yaml();
    char *example = tables_example(text);
    struct config *c = load_good(example);

    ck_assert_uint_eq(c->detection.table_count, 1);
    assert_rates(c->detection.tables[0].rule.threshold, 5, 5, 5);
    ck_assert_int_eq(c->detection.tables[0].rule.severity, SEVERITY_CRITICAL);
    ck_assert_uint_eq(c->detection.tables[0].rule.labels.count, 1);
    config_destroy(c);
    free(example);
    free(text);
}
END_TEST

START_TEST(the_default_file_leaves_out_what_is_not_there_yet)
{
    char *text = config_default_yaml();

    ck_assert_ptr_null(strstr(text, "alertmanager"));
    ck_assert_ptr_null(strstr(text, "web_config"));
    ck_assert_ptr_null(strstr(text, "telemetry_path"));
    ck_assert_ptr_nonnull(strstr(text, "severity: critical"));
    free(text);
}
END_TEST

START_TEST(keys_of_missing_features_say_so)
{
    for (size_t i = 0; i < schema_count; i++) {
        const struct schema_row *row = &schema[i];
        struct config_problems problems;
        struct buf text, want;
        if (!(row->flags & ROW_LATER))
            continue;
        buf_init(&text, 0);
        buf_init(&want, 0);
        set_row(row, &text);
        bool off = strcmp(row->path, "hbase_auth.type") == 0;
        bool fatal = (row->flags & ROW_UNSUPPORTED) && !off;
        buf_addf(&want, "%s: %s in this version", row->path,
                 fatal ? "not supported" : "has no effect");
        struct config *c = config_load_text(text.data, text.len, &problems);
        ck_assert_msg((c == NULL) == fatal, "%s", text.data);
        ck_assert_uint_eq(problems.count, !off);
        if (!off)
            ck_assert_str_eq(problems.items[0].text, want.data);
        config_destroy(c);
        config_problems_finish(&problems);
        buf_finish(&text);
        buf_finish(&want);
    }
}
END_TEST

START_TEST(files_that_cannot_be_read_are_a_problem)
{
    struct config_problems problems;

    ck_assert_ptr_null(config_load_file("/nonexistent/x.yaml", &problems));
    char *found = problems_text(&problems);
    ck_assert_str_eq(found,
                     "0:0: error: cannot read '/nonexistent/x.yaml': No such file "
                     "or directory\n");
    free(found);
    config_problems_finish(&problems);
    ck_assert_ptr_null(config_load_file("/", &problems));
    ck_assert_ptr_nonnull(strstr(problems.items[0].text, "not a regular file"));
    config_problems_finish(&problems);
    ck_assert_ptr_null(config_load_file("/dev/zero", &problems));
    ck_assert_ptr_nonnull(strstr(problems.items[0].text, "not a regular file"));
    config_problems_finish(&problems);
}
END_TEST

START_TEST(a_file_of_more_than_a_mebibyte_is_refused)
{
    static char path[] = "/tmp/config-XXXXXX";
    struct config_problems problems;
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(ftruncate(fd, YDOC_TEXT_MAX + 1), 0);
    close(fd);
    ck_assert_ptr_null(config_load_file(path, &problems));
    unlink(path);
    ck_assert_ptr_nonnull(
        strstr(problems.items[0].text, "expected at most 1048576 bytes"));
    config_problems_finish(&problems);
}
END_TEST

/* Gives the field another value of its type. */
static void
change(const struct schema_row *row, char *field)
{
    struct string_list *list = (void *)field;
    struct label_list *labels = (void *)field;

    value_clear(row, field);
    switch (row->type) {
    case TYPE_STRING:
        *(char **)field = strdup("other");
        break;
    case TYPE_LIST:
        list->items = calloc(1, sizeof *list->items);
        list->items[list->count++] = strdup("other");
        break;
    case TYPE_LABELS:
        labels->items = calloc(1, sizeof *labels->items);
        labels->items[labels->count++] = (struct label){strdup("a"), strdup("b")};
        break;
    case TYPE_DOUBLE:
    case TYPE_ACCESS:
        *(double *)field += 1;
        break;
    default:
        field[0] ^= 1;
    }
}

START_TEST(the_hash_follows_every_value)
{
    char first[17], second[17];

    for (size_t i = 0; i < schema_count; i++) {
        if (!schema_in_config(&schema[i]) || schema[i].type == TYPE_TABLES)
            continue;
        struct config *c = config_create_default();
        config_hash(c, first);
        change(&schema[i], (char *)c + schema[i].offset);
        config_hash(c, second);
        ck_assert_msg(strcmp(first, second) != 0, "%s", schema[i].path);
        ck_assert_uint_eq(strspn(second, "0123456789abcdef"), 16);
        config_destroy(c);
    }
}
END_TEST

START_TEST(the_hash_follows_table_rules_and_not_the_form)
{
    char a[17], b[17], other[17];
    struct config *c = load_good("detection: { tables: [ { match: x, for: 90s } ] }");
    struct config *same = load_good("detection:\n  tables:\n    - for: 1.5m\n"
                                    "      match: \"x\"\n      threshold: 3.0\n");
    struct config *differs =
        load_good("detection: { tables: [ { match: y, for: 90s } ] }");

    config_hash(c, a);
    config_hash(same, b);
    config_hash(differs, other);
    ck_assert_str_eq(a, b);
    ck_assert_str_ne(a, other);
    config_destroy(c);
    config_destroy(same);
    config_destroy(differs);
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        the_complete_sample_sets_every_key,
        the_complete_sample_sets_the_rules,
        the_complete_sample_leaves_no_key_out,
        defaults_are_those_of_the_papers,
        tables_inherit_wherever_they_stand,
        flow_style_and_quoted_units_are_fine,
        files_that_set_nothing_are_the_defaults,
        the_default_file_is_current_and_holds_the_defaults,
        the_examples_are_good,
        the_example_of_tables_is_good,
        the_default_file_leaves_out_what_is_not_there_yet,
        keys_of_missing_features_say_so,
        files_that_cannot_be_read_are_a_problem,
        a_file_of_more_than_a_mebibyte_is_refused,
        the_hash_follows_every_value,
        the_hash_follows_table_rules_and_not_the_form,
    };
    return run_tests("load", tests, sizeof tests / sizeof *tests);
}
