/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration as plain structs: what config/load.c makes of a YAML file,
 * read-only afterwards. The contract between the reader and everybody else; types only.
 * Durations are ms, sizes bytes, rates requests per second. A string that is not set is
 * NULL. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct string_list {
    char **items;
    size_t count;
};

/* A label for alerts: name is [a-zA-Z_][a-zA-Z0-9_]*. */
struct label {
    char *name;
    char *value;
};

struct label_list {
    struct label *items;
    size_t count;
};

enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_TOTAL, ACCESS_COUNT };

enum baseline_kind {
    BASELINE_REST,
    BASELINE_OTHERS,
    BASELINE_ALL,
    BASELINE_MEDIAN,
    BASELINE_KIND_COUNT
};

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_CRITICAL, SEVERITY_COUNT };

enum topology_source {
    TOPOLOGY_AUTO,
    TOPOLOGY_API,
    TOPOLOGY_TEXT,
    TOPOLOGY_NONE,
    TOPOLOGY_SOURCE_COUNT
};

enum auth_type { AUTH_NONE, AUTH_BASIC, AUTH_NEGOTIATE, AUTH_TYPE_COUNT };

/* The region rule of one table: the defaults of `detection:` with the overrides of the
 * `tables:` entry that matched already laid over them. */
struct rule {
    double threshold[ACCESS_COUNT]; /* > 1 */
    double min_rate[ACCESS_COUNT];  /* requests/s, 0: no limit */
    enum baseline_kind baseline;
    double min_server_share; /* 0 to 1 */
    int64_t for_ms;
    double clear_ratio; /* 0 < x <= 1 */
    int64_t clear_for_ms;
    unsigned max_alerts_per_table;
    bool row_sampling;
    enum severity severity;
    struct label_list labels;
};

struct table_rule {
    char *match; /* glob on the full table name (fnmatch(3)) */
    struct rule rule;
};

struct detection_config {
    struct rule rule; /* for tables that no entry of `tables` matches */
    int64_t window_ms;
    unsigned max_alerts;
    double table_min_rate;
    double single_region_min_rate;
    double server_threshold;
    double server_min_rate;
    double meta_max_rate;
    struct string_list ignore_tables; /* globs */
    struct table_rule *tables;        /* first match wins */
    size_t table_count;
};

struct poll_config {
    bool jmx;
    int64_t interval_ms;
    int64_t timeout_ms;
    unsigned max_in_flight;
    uint64_t max_body; /* decoded bytes of one answer */
    bool gzip;
};

struct regionservers_config {
    struct string_list static_targets; /* host:port, [v6]:port or http(s)://host:port */
    char *file;                        /* Prometheus file_sd JSON */
    char *http_sd;
    uint16_t info_port;
};

struct topology_config {
    enum topology_source source;
    unsigned api_max_regions;
    struct string_list command; /* argv; "{table}" stands for a table with an alert */
    char *file;
    int64_t interval_ms;
    int64_t timeout_ms;
};

struct history_config {
    int64_t raw_ms;
    int64_t five_minutes_ms;
    int64_t hours_ms;
    uint64_t max_memory;
};

struct http_config {
    struct string_list listen; /* ":16090", "127.0.0.1:0", "[::1]:16090" */
    char *external_url;
    char *web_config;
    unsigned max_connections;
    char *telemetry_path;  /* "/metrics"; from --web.telemetry-path */
    bool enable_lifecycle; /* from --web.enable-lifecycle */
};

struct metrics_config {
    unsigned export_top;
    unsigned export_max;
    unsigned export_tables;
};

struct auth_config {
    enum auth_type type;
    char *username;
    char *password_file;
    char *principal;
    char *keytab;
    char *ca_file;
    char *cert_file;
    char *key_file;
};

struct alertmanager_config {
    struct string_list urls;
    struct label_list external_labels;
    bool include_keys;
    int64_t resend_delay_ms;
    char *ca_file;
    char *username;
    char *password_file;
    char *bearer_token_file;
    char *proxy_url;
};

struct webhook_config {
    char *url;
    int64_t timeout_ms;
};

struct state_config {
    char *path;
    int64_t retention_ms;
};

struct log_config {
    int level;  /* enum log_level */
    int format; /* enum log_format */
};

struct config {
    char *cluster;
    struct string_list masters; /* http(s)://host:port */
    struct regionservers_config regionservers;
    struct poll_config poll;
    struct auth_config hbase_auth;
    struct topology_config topology;
    struct detection_config detection;
    struct history_config history;
    struct http_config http;
    struct metrics_config metrics;
    struct alertmanager_config alertmanager;
    struct webhook_config webhook;
    char *runbook_url;
    struct state_config state;
    struct log_config log;
};

#endif
