/* SPDX-License-Identifier: Apache-2.0 */
/* The table itself and look-ups in it. Constant data: any thread may read it. FIELD()
 * makes the compiler compare a field's type with the row's. */
#include "config/schema.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "common/log.h"

#define FIELD(type, field)                                                             \
    (offsetof(struct config, field) +                                                  \
     0 * sizeof(char[__builtin_types_compatible_p(                                     \
                         type, __typeof__(((struct config *)0)->field))                \
                         ? 1                                                           \
                         : -1]))

#define STRING(f) .type = TYPE_STRING, .offset = FIELD(char *, f)
#define BOOL(f) .type = TYPE_BOOL, .offset = FIELD(bool, f)
#define UINT(f, lo, hi)                                                                \
    .type = TYPE_UINT, .offset = FIELD(unsigned, f), .min = (lo), .max = (hi)
#define PORT(f) .type = TYPE_PORT, .offset = FIELD(uint16_t, f), .min = 1, .max = 65535
#define DOUBLE(f, lo, hi)                                                              \
    .type = TYPE_DOUBLE, .offset = FIELD(double, f), .min = (lo), .max = (hi)
#define DURATION(f, lo, hi)                                                            \
    .type = TYPE_DURATION, .offset = FIELD(int64_t, f), .min = (lo), .max = (hi)
#define SIZE(f, lo, hi)                                                                \
    .type = TYPE_SIZE, .offset = FIELD(uint64_t, f), .min = (lo), .max = (hi)
#define ENUM(f, kind, table)                                                           \
    .type = TYPE_ENUM, .offset = FIELD(kind, f), .names = (table),                     \
    .name_count = sizeof(table) / sizeof *(table)
#define LIST(f) .type = TYPE_LIST, .offset = FIELD(struct string_list, f)
#define ACCESS(f, lo, hi)                                                              \
    .type = TYPE_ACCESS, .offset = FIELD(double[ACCESS_COUNT], f), .min = (lo),        \
    .max = (hi)
#define LABELS(f) .type = TYPE_LABELS, .offset = FIELD(struct label_list, f)

#define SECOND 1e3
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define KIB 1024.0
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

static const char *const baseline_names[] = {
    [BASELINE_REST] = "rest",
    [BASELINE_OTHERS] = "others",
    [BASELINE_ALL] = "all",
    [BASELINE_MEDIAN] = "median",
};
static_assert(sizeof baseline_names / sizeof *baseline_names == BASELINE_KIND_COUNT,
              "a name for each baseline");

static const char *const severity_names[] = {
    [SEVERITY_INFO] = "info",
    [SEVERITY_WARNING] = "warning",
    [SEVERITY_CRITICAL] = "critical",
};
static_assert(sizeof severity_names / sizeof *severity_names == SEVERITY_COUNT,
              "a name for each severity");

static const char *const source_names[] = {
    [TOPOLOGY_AUTO] = "auto",
    [TOPOLOGY_API] = "api",
    [TOPOLOGY_TEXT] = "text",
    [TOPOLOGY_NONE] = "none",
};
static_assert(sizeof source_names / sizeof *source_names == TOPOLOGY_SOURCE_COUNT,
              "a name for each source");

static const char *const auth_names[] = {
    [AUTH_NONE] = "none",
    [AUTH_BASIC] = "basic",
    [AUTH_NEGOTIATE] = "negotiate",
};
static_assert(sizeof auth_names / sizeof *auth_names == AUTH_TYPE_COUNT,
              "a name for each way");

static const char *const level_names[] = {
    [LOG_ERROR] = "error",
    [LOG_WARN] = "warn",
    [LOG_INFO] = "info",
    [LOG_DEBUG] = "debug",
};
static_assert(sizeof level_names / sizeof *level_names == LOG_LEVEL_COUNT,
              "a name for each level");

static const char *const format_names[] = {
    [LOG_FORMAT_AUTO] = "auto",
    [LOG_FORMAT_TEXT] = "text",
    [LOG_FORMAT_JOURNAL] = "journal",
    [LOG_FORMAT_JSON] = "json",
};
static_assert(sizeof format_names / sizeof *format_names == LOG_FORMAT_JSON + 1,
              "a name for each format");

const struct schema_row schema[] = {
    {"cluster", STRING(cluster), .example = "prod",
     .help = "Name on alerts and in the API; unset: HBase's own cluster id"},
    {"masters", LIST(masters),
     .example = "[ \"http://hm1:16010\", \"http://hm2:16010\" ]",
     .help = "Web addresses of the HMasters, all of them; the RegionServers are found "
             "through the active one"},
    {"runbook_url", STRING(runbook_url),
     .example = "\"https://wiki.example.com/runbooks/\"",
     .help = "Where the runbooks are, for the annotation runbook_url of alerts"},

    {"regionservers", TYPE_SECTION,
     .help = "RegionServers to poll instead of, or besides, those the masters know"},
    {"regionservers.static", LIST(regionservers.static_targets),
     .example = "[ \"rs1:16030\", \"rs2:16030\" ]",
     .help = "host:port of the web (info) servers, or http(s)://host:port"},
    {"regionservers.file", STRING(regionservers.file),
     .example = "/etc/hotspotd/targets.json",
     .help = "File in Prometheus' file_sd format (JSON); read again when it changes"},
    {"regionservers.http_sd", STRING(regionservers.http_sd),
     .example = "\"http://sd/targets\"",
     .help =
         "URL that answers in Prometheus' HTTP service discovery format; asked each "
         "round"},
    {"regionservers.info_port", PORT(regionservers.info_port), .fallback = "16030",
     .help = "Port of a RegionServer's web server where HBase does not tell it"},

    {"poll", TYPE_SECTION, .help = "How the RegionServers and masters are asked"},
    {"poll.jmx", BOOL(poll.jmx), .fallback = "on",
     .help =
         "Read the counters from /jmx; off: the text of topology is the only source"},
    {"poll.interval", DURATION(poll.interval_ms, 200, DAY), .fallback = "30s",
     .help = "One round; HBase renews its numbers once in 10 s"},
    {"poll.timeout", DURATION(poll.timeout_ms, 100, 10 * MINUTE), .fallback = "10s",
     .help = "For one answer as a whole"},
    {"poll.max_in_flight", UINT(poll.max_in_flight, 1, 1000), .fallback = "64",
     .help = "Servers asked at the same time"},
    {"poll.max_body", SIZE(poll.max_body, KIB, 4 * GIB), .fallback = "64MiB",
     .help = "Longest answer taken, after decompression"},
    {"poll.gzip", BOOL(poll.gzip), .fallback = "off",
     .help =
         "Ask for compressed answers; costs the RegionServer more than the network"},

    {"hbase_auth", TYPE_SECTION,
     .help = "How hotspotd identifies itself to HBase's web servers"},
    {"hbase_auth.type", ENUM(hbase_auth.type, enum auth_type, auth_names),
     .flags = ROW_UNSUPPORTED, .fallback = "none", .help = "Way of authentication"},
    {"hbase_auth.username", STRING(hbase_auth.username), .flags = ROW_UNSUPPORTED,
     .example = "hotspotd", .help = "User of type basic"},
    {"hbase_auth.password_file", STRING(hbase_auth.password_file),
     .flags = ROW_UNSUPPORTED, .example = "/etc/hotspotd/hbase.password",
     .help = "File with the password of type basic"},
    {"hbase_auth.principal", STRING(hbase_auth.principal), .flags = ROW_UNSUPPORTED,
     .example = "hotspotd@EXAMPLE.COM", .help = "Kerberos principal of type negotiate"},
    {"hbase_auth.keytab", STRING(hbase_auth.keytab), .flags = ROW_UNSUPPORTED,
     .example = "/etc/hotspotd/hotspotd.keytab", .help = "Keytab of type negotiate"},
    {"hbase_auth.ca_file", STRING(hbase_auth.ca_file), .flags = ROW_UNSUPPORTED,
     .example = "/etc/hotspotd/ca.pem",
     .help = "Certificate authority of HBase's https servers"},
    {"hbase_auth.cert_file", STRING(hbase_auth.cert_file), .flags = ROW_UNSUPPORTED,
     .example = "/etc/hotspotd/client.pem", .help = "Certificate of hotspotd itself"},
    {"hbase_auth.key_file", STRING(hbase_auth.key_file), .flags = ROW_UNSUPPORTED,
     .example = "/etc/hotspotd/client.key", .help = "Key of that certificate"},

    {"topology", TYPE_SECTION,
     .help = "Where start keys, sizes and locality of the regions come from"},
    {"topology.source", ENUM(topology.source, enum topology_source, source_names),
     .fallback = "auto",
     .help =
         "api: the master's live_servers (HBase 2.5 and later); text: the command or "
         "file below; auto: whichever there is"},
    {"topology.api_max_regions", UINT(topology.api_max_regions, 0, 10e6),
     .fallback = "50000",
     .help = "Above this many regions the API is left alone: it answers about 1 kB a "
             "region"},
    {"topology.command", LIST(topology.command),
     .example = "[ \"/usr/lib/hotspotd/list-regions\" ]",
     .help =
         "Program and arguments that print list_regions or status 'detailed'; {table} "
         "stands for a table with an alert; no shell in between"},
    {"topology.file", STRING(topology.file),
     .example = "/var/lib/hotspotd/list_regions.txt",
     .help = "File with such text, read again when it changes"},
    {"topology.interval", DURATION(topology.interval_ms, 200, 7 * DAY),
     .fallback = "10m", .help = "How often the API or the command is asked"},
    {"topology.timeout", DURATION(topology.timeout_ms, 100, HOUR), .fallback = "2m",
     .help = "For one such answer"},

    {"detection", TYPE_SECTION,
     .help =
         "When a region, a table or a server is hot; rates are requests per second"},
    {"detection.threshold", ACCESS(detection.rule.threshold, 1, INFINITY),
     .flags = ROW_ABOVE_MIN | ROW_OVERRIDE, .fallback = "3", .example = "5",
     .help = "A region is hot from this many times its baseline on"},
    {"detection.baseline",
     ENUM(detection.rule.baseline, enum baseline_kind, baseline_names),
     .flags = ROW_OVERRIDE, .fallback = "rest",
     .help =
         "What a region is compared with: rest: the mean of the table's regions that "
         "do not stand out; others: the mean of all others; all: the plain mean; "
         "median"},
    {"detection.min_rate", ACCESS(detection.rule.min_rate, 0, INFINITY),
     .flags = ROW_OVERRIDE, .fallback = "100", .example = "500",
     .help = "Below this rate no region is hot; 0: no such limit"},
    {"detection.min_server_share", DOUBLE(detection.rule.min_server_share, 0, 1),
     .flags = ROW_OVERRIDE, .fallback = "0.25",
     .help =
         "Below this share of an average server's rate no region is hot; 0: no such "
         "limit"},
    {"detection.window", DURATION(detection.window_ms, 200, DAY), .fallback = "2m",
     .help = "Rates are means over this time"},
    {"detection.for", DURATION(detection.rule.for_ms, 0, 7 * DAY),
     .flags = ROW_OVERRIDE, .fallback = "2m",
     .help = "An alert fires once a region has been hot for this long"},
    {"detection.clear_ratio", DOUBLE(detection.rule.clear_ratio, 0, 1),
     .flags = ROW_ABOVE_MIN | ROW_OVERRIDE, .fallback = "0.8",
     .help = "A region is cool again below this part of its limit"},
    {"detection.clear_for", DURATION(detection.rule.clear_for_ms, 0, 7 * DAY),
     .flags = ROW_OVERRIDE, .fallback = "5m",
     .help = "An alert ends once its region has been cool for this long"},
    {"detection.max_alerts_per_table",
     UINT(detection.rule.max_alerts_per_table, 1, 10000), .flags = ROW_OVERRIDE,
     .fallback = "10", .help = "Region alerts of one table at a time, hottest first"},
    {"detection.max_alerts", UINT(detection.max_alerts, 1, 100000), .fallback = "200",
     .help = "Region alerts of all tables at a time"},
    {"detection.table_min_rate", DOUBLE(detection.table_min_rate, 0, INFINITY),
     .fallback = "1000", .help = "Below this rate no table is hot; 0: no such limit"},
    {"detection.single_region_min_rate",
     DOUBLE(detection.single_region_min_rate, 0, INFINITY), .fallback = "1000",
     .help =
         "Below this rate the region of a table with one region only is not hot; 0: "
         "no such limit"},
    {"detection.server_threshold", DOUBLE(detection.server_threshold, 1, INFINITY),
     .flags = ROW_ABOVE_MIN, .fallback = "2",
     .help = "A server is hot from this many times the mean of the others on"},
    {"detection.server_min_rate", DOUBLE(detection.server_min_rate, 0, INFINITY),
     .fallback = "1000", .help = "Below this rate no server is hot; 0: no such limit"},
    {"detection.meta_max_rate", DOUBLE(detection.meta_max_rate, 0, INFINITY),
     .fallback = "5000",
     .help =
         "Below this rate hbase:meta is not hot; its own scans by HBase are allowed "
         "for besides"},
    {"detection.row_sampling", BOOL(detection.rule.row_sampling), .flags = ROW_OVERRIDE,
     .fallback = "off",
     .help =
         "While a region alert is pending or firing, read the rows of running calls "
         "off its server's status page: they show in the alert, as they are"},
    {"detection.ignore_tables", LIST(detection.ignore_tables),
     .example = "[ \"tmp_*\" ]",
     .help = "Tables never judged, as globs on the full name (ns:table)"},
    {"detection.tables", TYPE_TABLES, .offset = offsetof(struct config, detection),
     .help =
         "Other values for the tables that match a glob; the first entry that matches "
         "counts, and what it does not set is taken from above"},
    {"detection.tables.match", TYPE_STRING,
     .flags = ROW_ENTRY_ONLY | ROW_REQUIRED | ROW_ENTRY_FIELD,
     .offset = offsetof(struct table_rule, match), .example = "\"iot:*\"",
     .help = "Glob on the full table name"},
    {"detection.tables.severity",
     ENUM(detection.rule.severity, enum severity, severity_names),
     .flags = ROW_ENTRY_ONLY, .fallback = "warning", .example = "critical",
     .help = "Severity of the region alerts"},
    {"detection.tables.labels", LABELS(detection.rule.labels), .flags = ROW_ENTRY_ONLY,
     .example = "{ team: iot }", .help = "Further labels of the alerts"},

    {"history", TYPE_SECTION,
     .help = "How long rates are kept in memory, by the width of a slot"},
    {"history.raw", DURATION(history.raw_ms, 200, 7 * DAY), .fallback = "1h",
     .help = "One slot a round"},
    {"history.five_minutes", DURATION(history.five_minutes_ms, 5 * MINUTE, 31 * DAY),
     .fallback = "24h", .help = "Slots of five minutes"},
    {"history.hours", DURATION(history.hours_ms, HOUR, 731 * DAY), .fallback = "7d",
     .help = "Slots of one hour"},
    {"history.max_memory", SIZE(history.max_memory, MIB, 1024 * GIB),
     .fallback = "512MiB", .help = "Bound of the memory for all of it"},

    {"http", TYPE_SECTION, .help = "hotspotd's own web server"},
    {"http.listen", LIST(http.listen), .fallback = ":16090",
     .help =
         "Addresses to listen on; port 0: the kernel chooses and the log says which"},
    {"http.external_url", STRING(http.external_url),
     .example = "\"https://hotspots.example.com/\"",
     .help = "Address under which people reach it, for links"},
    {"http.web_config", STRING(http.web_config), .flags = ROW_UNSUPPORTED,
     .example = "/etc/hotspotd/web-config.yml",
     .help = "TLS and basic authentication, in the exporter-toolkit's format"},
    {"http.max_connections", UINT(http.max_connections, 8, 65536), .fallback = "256",
     .help = "Connections at a time, over all addresses of listen; a quarter of them "
             "for one client address, so that none can take them all"},
    {"http.telemetry_path", STRING(http.telemetry_path), .flags = ROW_NOT_IN_FILE,
     .fallback = "/metrics"},
    {"http.enable_lifecycle", BOOL(http.enable_lifecycle), .flags = ROW_NOT_IN_FILE,
     .fallback = "off"},

    {"metrics", TYPE_SECTION, .help = "How many series /metrics may have"},
    {"metrics.export_top", UINT(metrics.export_top, 0, 10000), .fallback = "20",
     .help = "Busiest regions with series of their own, besides those with an alert"},
    {"metrics.export_max", UINT(metrics.export_max, 0, 10000), .fallback = "200",
     .help = "Regions with series of their own at most"},
    {"metrics.export_tables", UINT(metrics.export_tables, 0, 100000), .fallback = "200",
     .help = "Busiest tables with series of their own"},

    {"alertmanager", TYPE_SECTION, .help = "Alerts pushed to Alertmanager"},
    {"alertmanager.urls", LIST(alertmanager.urls), .flags = ROW_NO_EFFECT,
     .example = "[ \"http://am1:9093\", \"http://am2:9093\" ]",
     .help = "Every one of them gets every alert"},
    {"alertmanager.external_labels", LABELS(alertmanager.external_labels),
     .flags = ROW_NO_EFFECT, .example = "{ team: storage }",
     .help = "Further labels of every pushed alert"},
    {"alertmanager.include_keys", BOOL(alertmanager.include_keys),
     .flags = ROW_NO_EFFECT, .fallback = "false", .help = "Row keys in pushed texts"},
    {"alertmanager.resend_delay", DURATION(alertmanager.resend_delay_ms, SECOND, HOUR),
     .flags = ROW_NO_EFFECT, .fallback = "1m",
     .help = "A firing alert is pushed again after this time"},
    {"alertmanager.ca_file", STRING(alertmanager.ca_file), .flags = ROW_NO_EFFECT,
     .example = "/etc/hotspotd/ca.pem", .help = "Certificate authority of https URLs"},
    {"alertmanager.username", STRING(alertmanager.username), .flags = ROW_NO_EFFECT,
     .example = "hotspotd", .help = "User of basic authentication"},
    {"alertmanager.password_file", STRING(alertmanager.password_file),
     .flags = ROW_NO_EFFECT, .example = "/etc/hotspotd/alertmanager.password",
     .help = "File with its password"},
    {"alertmanager.bearer_token_file", STRING(alertmanager.bearer_token_file),
     .flags = ROW_NO_EFFECT, .example = "/etc/hotspotd/alertmanager.token",
     .help = "File with a bearer token"},
    {"alertmanager.proxy_url", STRING(alertmanager.proxy_url), .flags = ROW_NO_EFFECT,
     .example = "\"http://proxy:3128\"", .help = "Proxy between"},

    {"webhook", TYPE_SECTION, .help = "Alerts posted to a URL"},
    {"webhook.url", STRING(webhook.url), .flags = ROW_NO_EFFECT,
     .example = "\"https://hooks.example.com/hbase\"", .help = "Where they go"},
    {"webhook.timeout", DURATION(webhook.timeout_ms, 100, 5 * MINUTE),
     .flags = ROW_NO_EFFECT, .fallback = "10s", .help = "For one post"},

    {"state", TYPE_SECTION, .help = "What survives a restart"},
    {"state.path", STRING(state.path), .flags = ROW_NO_EFFECT,
     .fallback = "/var/lib/hotspotd/hotspotd.db", .help = "Database file"},
    {"state.retention", DURATION(state.retention_ms, HOUR, 3650 * DAY),
     .flags = ROW_NO_EFFECT, .fallback = "90d", .help = "Age at which entries go"},

    {"log", TYPE_SECTION, .help = "Log lines on standard error"},
    {"log.level", ENUM(log.level, int, level_names), .fallback = "info",
     .help = "The least important lines to write"},
    {"log.format", ENUM(log.format, int, format_names), .fallback = "auto",
     .help = "auto: journal under systemd, text on a terminal"},
};
const size_t schema_count = sizeof schema / sizeof *schema;

static_assert(sizeof(enum baseline_kind) == sizeof(int) &&
                  sizeof(enum severity) == sizeof(int) &&
                  sizeof(enum topology_source) == sizeof(int) &&
                  sizeof(enum auth_type) == sizeof(int),
              "fields of TYPE_ENUM are read and written as int");

const char *
schema_key(const struct schema_row *row)
{
    const char *dot = strrchr(row->path, '.');
    return dot ? dot + 1 : row->path;
}

/* True if path is section.rest without a further dot, or plain with section NULL. */
static bool
is_in_section(const char *path, const char *section)
{
    if (section) {
        size_t len = strlen(section);
        if (strncmp(path, section, len) != 0 || path[len] != '.')
            return false;
        path += len + 1;
    }
    return strchr(path, '.') == NULL;
}

const struct schema_row *
schema_find(const char *section, const char *key)
{
    for (size_t i = 0; i < schema_count; i++) {
        const struct schema_row *row = &schema[i];
        if (!(row->flags & ROW_NOT_IN_FILE) && is_in_section(row->path, section) &&
            strcmp(schema_key(row), key) == 0)
            return row;
    }
    return NULL;
}

const struct schema_row *
schema_find_entry(const char *key)
{
    for (size_t i = 0; i < schema_count; i++) {
        if (schema_in_entry(&schema[i]) && strcmp(schema_key(&schema[i]), key) == 0)
            return &schema[i];
    }
    return NULL;
}

size_t
schema_keys(const char *section, const char *keys[static SCHEMA_KEYS_MAX])
{
    size_t n = 0;

    for (size_t i = 0; i < schema_count && n < SCHEMA_KEYS_MAX; i++) {
        if (!(schema[i].flags & ROW_NOT_IN_FILE) &&
            is_in_section(schema[i].path, section))
            keys[n++] = schema_key(&schema[i]);
    }
    return n;
}

size_t
schema_entry_keys(const char *keys[static SCHEMA_KEYS_MAX])
{
    size_t n = 0;

    for (size_t i = 0; i < schema_count && n < SCHEMA_KEYS_MAX; i++) {
        if (schema_in_entry(&schema[i]))
            keys[n++] = schema_key(&schema[i]);
    }
    return n;
}

bool
schema_in_config(const struct schema_row *row)
{
    return row->type != TYPE_SECTION && !(row->flags & ROW_ENTRY_FIELD);
}

bool
schema_in_entry(const struct schema_row *row)
{
    return (row->flags & (ROW_OVERRIDE | ROW_ENTRY_ONLY)) != 0;
}

size_t
schema_entry_offset(const struct schema_row *row)
{
    if (row->flags & ROW_ENTRY_FIELD)
        return row->offset;
    return row->offset - offsetof(struct config, detection.rule) +
           offsetof(struct table_rule, rule);
}
