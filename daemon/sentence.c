/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences about alerts. No state, any thread. */
#include "daemon/sentence.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/diagnosis.h"
#include "common/clock.h"
#include "common/utf8.h"
#include "common/words.h"

/* "1,934 writes/s": HBase counts rows for reads; requests are both together. */
static const char *const units[ACCESS_COUNT] = {"rows read/s", "writes/s",
                                                "requests/s"};

/* ---- numbers, times, names ---- */

void
sentence_number(double value, struct buf *out)
{
    words_number(out, value);
}

void
sentence_time(int64_t wall_ms, int64_t now_ms, struct buf *out)
{
    char text[RFC3339_SIZE], now[RFC3339_SIZE];

    rfc3339_format(wall_ms, text);
    rfc3339_format(now_ms, now);
    if (memcmp(text, now, 10) != 0)
        buf_addf(out, "%.10s ", text);
    buf_addf(out, "%.8s UTC", text + 11);
}

void
sentence_bytes(int64_t bytes, struct buf *out)
{
    words_bytes(out, bytes);
}

void
sentence_span(int64_t ms, struct buf *out)
{
    int64_t s = ms < 0 ? 0 : ms / 1000;

    if (s < 120)
        buf_addf(out, "%" PRId64 " s", s);
    else if (s < 7200)
        buf_addf(out, "%" PRId64 " min", s / 60);
    else if (s < 48 * 3600)
        buf_addf(out, "%" PRId64 " h %" PRId64 " min", s / 3600, s / 60 % 60);
    else
        buf_addf(out, "%" PRId64 " d", s / 86400);
}

/* A name from outside: control characters (C1, too, which terminals obey) and what is
 * not UTF-8 become '?'. */
static void
add_name(struct buf *out, const char *s)
{
    for (size_t len = strlen(s), at = 0; at < len;) {
        size_t n = utf8_sequence(s + at, len - at);
        if (n == 0 || utf8_is_control(s + at))
            buf_addc(out, '?');
        else
            buf_add(out, s + at, n);
        at += n == 0 ? 1 : n;
    }
}

static const char *
table_name(const struct alert *alert)
{
    return alert->table != NULL ? alert->table->name : "?";
}

/* The region as people point at it: the first 8 of 32 digits are enough to find it. */
static void
add_region(struct buf *out, struct region_id id)
{
    char text[REGION_ID_TEXT_SIZE];

    region_id_text(id, text);
    if (strlen(text) > 12)
        buf_addf(out, "%.8s…", text);
    else
        buf_adds(out, text);
}

static void
add_rate(struct buf *out, double rate, enum access access)
{
    static const char *const one[ACCESS_COUNT] = {"row read/s", "write/s", "request/s"};
    size_t begin = out->len;

    sentence_number(rate, out);
    bool is_one = out->len - begin == 1 && out->data[begin] == '1';
    buf_addf(out, " %s", is_one ? one[access] : units[access]);
}

/* What its figure is compared with is not in its table. */
static bool
is_alone(const struct alert *a)
{
    return a->kind == ALERT_REGION && a->regions_in_table < 2;
}

static const char *
verb(enum access access)
{
    return access == ACCESS_READ ? "serves" : "takes";
}

/* ---- the parts of a summary ---- */

/* What the figure of a region is compared with. */
static void
add_comparison(struct buf *out, const struct alert *a)
{
    static const char *const of[BASELINE_KIND_COUNT] = {
        "the table's other regions", "the mean of the table's other regions",
        "the table's average", "the table's median"};

    if (a->regions_in_table < 2) {
        buf_adds(out, ", the table's only region");
    } else if (isinf(a->ratio)) {
        buf_adds(out, " while the table's other regions are idle");
    } else if (!isnan(a->ratio)) {
        buf_adds(out, ", ");
        sentence_number(a->ratio, out);
        buf_addf(out, " times %s", of[a->baseline_kind]);
    }
}

static void
add_place(struct buf *out, const struct alert *a)
{
    if (a->server == NULL) {
        buf_adds(out, ", on no server now");
    } else {
        buf_adds(out, ", on ");
        add_name(out, a->server->address);
    }
}

static void
add_since(struct buf *out, const struct alert *a, int64_t now_ms)
{
    buf_adds(out, " since ");
    sentence_time(a->hot_since_ms, now_ms, out);
    if (a->stale) {
        buf_adds(out, "; no fresh data");
        if (a->last_sample_ms >= 0) {
            buf_adds(out, " after ");
            sentence_time(a->last_sample_ms, now_ms, out);
        }
    }
    buf_addc(out, '.');
}

static void
summarize_region(const struct alert *a, struct buf *out)
{
    if (a->member_count > 1) {
        buf_addf(out, "%" PRIu32 " regions from ", a->member_count);
        add_region(out, a->origin);
    } else {
        buf_adds(out, "Region ");
        add_region(out, a->region != NULL ? a->region->id : a->origin);
    }
    buf_adds(out, " of table ");
    add_name(out, table_name(a));
    buf_addf(out, " %s ", a->member_count > 1 ? "take" : verb(a->access));
    add_rate(out, a->rate[a->access], a->access);
    add_comparison(out, a);
    add_place(out, a);
}

/* What is hot but beyond the limits on alerts. */
static void
summarize_overflow(const struct alert *a, struct buf *out)
{
    bool cluster = a->table == NULL, one = a->hot_regions == 1;

    if (cluster) {
        buf_adds(out, "In the cluster");
    } else {
        buf_adds(out, "In table ");
        add_name(out, a->table->name);
    }
    buf_addf(out, " %" PRIu32 " more ", a->hot_regions);
    if (cluster)
        buf_adds(out, one ? "region, table or server" : "regions, tables or servers");
    else
        buf_adds(out, one ? "region" : "regions");
    buf_addf(out, " %s hot, without %s because of %s", one ? "is" : "are",
             one ? "an alert of its own" : "alerts of their own",
             cluster ? "max_alerts" : "max_alerts_per_table");
    for (uint32_t i = 0; i < a->top_count; i++) {
        buf_adds(out, i == 0 ? ": " : ", ");
        add_region(out, a->top[i].region->id);
    }
    buf_addf(out, "%s,",
             a->top_count > 0 && a->top_count < a->hot_regions ? " and others" : "");
}

static void
summarize_table(const struct alert *a, struct buf *out)
{
    if (a->overflow) {
        summarize_overflow(a, out);
        return;
    }
    buf_adds(out, "Table ");
    add_name(out, table_name(a));
    buf_addf(out, " %s ", verb(a->access));
    add_rate(out, a->rate[a->access], a->access);
    buf_adds(out, ", as if on only ");
    sentence_number(a->effective_regions, out);
    buf_addf(out, " of its %" PRIu32 " regions,", a->regions_in_table);
}

/* The regions that make most of it, with their tables. */
static void
add_top(struct buf *out, const struct alert *a)
{
    for (uint32_t i = 0; i < a->top_count && i < 3; i++) {
        buf_adds(out, i == 0 ? " most of it for " : ", ");
        add_region(out, a->top[i].region->id);
        buf_adds(out, " of ");
        add_name(out, a->top[i].table->name);
    }
    if (a->top_count > 0)
        buf_addc(out, ',');
}

static void
summarize_server(const struct alert *a, struct buf *out)
{
    buf_adds(out, "Server ");
    add_name(out, a->server != NULL ? a->server->address : "?");
    buf_addf(out, " %s ", verb(a->access));
    add_rate(out, a->rate[a->access], a->access);
    if (isinf(a->ratio)) {
        buf_adds(out, " while the other servers are idle,");
    } else if (!isnan(a->ratio)) {
        buf_adds(out, ", ");
        sentence_number(a->ratio, out);
        buf_adds(out, " times the mean of the other servers,");
    }
    add_top(out, a);
}

static void
summarize_meta(const struct alert *a, struct buf *out)
{
    buf_addf(out, "hbase:meta %s ", verb(a->access));
    add_rate(out, a->rate[a->access], a->access);
    buf_adds(out, ", above its limit of ");
    sentence_number(a->limit, out);
    buf_adds(out, "/s");
    add_place(out, a);
}

typedef void (*summarizer)(const struct alert *alert, struct buf *out);

static const summarizer summarizers[] = {
    [ALERT_REGION] = summarize_region,
    [ALERT_TABLE] = summarize_table,
    [ALERT_SERVER] = summarize_server,
    [ALERT_META] = summarize_meta,
};
static_assert(sizeof summarizers / sizeof summarizers[0] == ALERT_KIND_COUNT,
              "a sentence for each kind");

void
sentence_summary(const struct alert *alert, int64_t now_ms, struct buf *out)
{
    summarizers[alert->kind](alert, out);
    add_since(out, alert, now_ms);
}

/* ---- the parts of a description ---- */

static void
describe_rate(const struct alert *a, int64_t window_ms, struct buf *out)
{
    buf_adds(out, "Rate: ");
    if (a->access == ACCESS_TOTAL) {
        add_rate(out, a->rate[ACCESS_TOTAL], ACCESS_TOTAL);
        buf_adds(out, ", which are ");
    }
    add_rate(out, a->rate[ACCESS_READ], ACCESS_READ);
    buf_adds(out, " and ");
    add_rate(out, a->rate[ACCESS_WRITE], ACCESS_WRITE);
    buf_adds(out, " (means of the last ");
    sentence_span(window_ms, out);
    buf_addc(out, ')');
    if (!isnan(a->newest_rate[a->access])) {
        buf_adds(out, "; newest sample: ");
        add_rate(out, a->newest_rate[a->access], a->access);
    }
    buf_addc(out, '.');
}

/* What the baseline is the mean of. */
static const char *
baseline_words(const struct alert *a)
{
    static const char *const kinds[BASELINE_KIND_COUNT] = {
        "mean of the table's regions that are not among the hottest",
        "mean of the table's other regions", "mean of all of the table's regions",
        "median of the table's regions"};

    if (a->kind == ALERT_SERVER)
        return "mean of the other live servers";
    return is_alone(a) ? "mean of the cluster's other regions"
                       : kinds[a->baseline_kind];
}

static void
describe_baseline(const struct alert *a, struct buf *out)
{
    if (isnan(a->baseline))
        return;
    if (isfinite(a->ratio)) {
        buf_adds(out, " That is ");
        sentence_number(a->ratio, out);
        buf_adds(out, " times ");
    } else {
        buf_adds(out, " Compared with ");
    }
    sentence_number(a->baseline, out);
    buf_addf(out, "/s, the %s.", baseline_words(a));
    if (a->kind == ALERT_SERVER)
        buf_adds(out, " What other alerts are about is left out, on all servers.");
}

/* "All 10 regions of the table have fresh data." */
static void
describe_regions(const struct alert *a, struct buf *out)
{
    const char *whole = a->table == NULL ? "cluster" : "table";

    if (a->kind == ALERT_SERVER || a->regions_in_table < 2)
        return;
    if (a->regions_fresh == a->regions_in_table)
        buf_addf(out, " All %" PRIu32 " regions of the %s have fresh data.",
                 a->regions_in_table, whole);
    else
        buf_addf(out,
                 " Judged on %" PRIu32 " of the %s's %" PRIu32
                 " regions; the others have no fresh data.",
                 a->regions_fresh, whole, a->regions_in_table);
}

/* How a table is too concentrated. */
static void
describe_concentration(const struct alert *a, struct buf *out)
{
    if (a->kind != ALERT_TABLE || a->overflow || isnan(a->ratio))
        return;
    buf_adds(out, " Its load is as concentrated as on ");
    sentence_number(a->effective_regions, out);
    buf_adds(out, " equal regions, and could be spread over ");
    sentence_number(a->ratio, out);
    buf_adds(out, " times as many servers; a table is hot from ");
    sentence_number(a->threshold, out);
    buf_adds(out, " times on (threshold).");
}

/* The setting that makes the limit of a region or server: the largest of three. */
static void
describe_largest(const struct alert *a, struct buf *out)
{
    bool server = a->kind == ALERT_SERVER;
    double by_ratio = a->threshold * a->baseline;

    if (by_ratio >= a->min_rate && by_ratio >= a->limit * 0.999) {
        buf_adds(out, ": ");
        sentence_number(a->threshold, out);
        buf_addf(out, " times that (%s).", server ? "server_threshold" : "threshold");
    } else if (a->limit <= a->min_rate * 1.001) {
        buf_addf(out, ", whatever the others take (%s).",
                 server        ? "server_min_rate"
                 : is_alone(a) ? "single_region_min_rate"
                               : "min_rate");
    } else {
        buf_adds(out, ", the least part of an average server's load that counts "
                      "(min_server_share).");
    }
}

static void
describe_limit(const struct alert *a, struct buf *out)
{
    if (isnan(a->limit))
        return;
    buf_addf(out, " %s from ",
             a->kind == ALERT_TABLE ? "Tables are judged" : "It is hot");
    sentence_number(a->limit, out);
    buf_adds(out, "/s on");
    if (a->kind == ALERT_META)
        buf_adds(out, " (meta_max_rate, or more where HBase's own scans need it).");
    else if (a->kind == ALERT_TABLE)
        buf_adds(out, " (table_min_rate and min_server_share).");
    else
        describe_largest(a, out);
}

/* "It makes 71 % of the table's writes and 64 % of its server's requests." */
static void
describe_shares(const struct alert *a, struct buf *out)
{
    static const char *const of[ACCESS_COUNT] = {"reads", "writes", "requests"};
    bool alone = a->regions_in_table < 2 || isnan(a->share);

    if (a->kind == ALERT_SERVER || a->kind == ALERT_TABLE ||
        (alone && isnan(a->server_share)))
        return;
    buf_adds(out, " It makes ");
    if (!alone) {
        words_percent(out, a->share);
        buf_addf(out, " of the table's %s", of[a->access]);
    }
    if (!isnan(a->server_share)) {
        buf_adds(out, alone ? "" : " and ");
        words_percent(out, a->server_share);
        buf_adds(out, " of its server's requests");
    }
    buf_addc(out, '.');
}

/* The class and what speaks for it; evidence is without row keys. */
static void
describe_why(const struct alert *a, struct buf *out)
{
    if (a->why == NULL || a->why->evidence == NULL)
        return;
    buf_addf(out, " Reason (%s): ", heat_class_name(a->why->heat_class));
    add_name(out, a->why->evidence);
}

static void
describe_server(const struct alert *a, struct buf *out)
{
    struct vitals v = vitals_of_alert(a);

    if (a->server == NULL || a->diagnoses == 0)
        return;
    buf_adds(out, a->kind == ALERT_SERVER ? " The server: " : " Its server: ");
    diagnosis_words(out, a->diagnoses, &v);
    buf_addc(out, '.');
}

static void
describe_times(const struct alert *a, int64_t now_ms, struct buf *out)
{
    buf_adds(out, " Hot since ");
    sentence_time(a->hot_since_ms, now_ms, out);
    if (a->last_sample_ms >= 0) {
        buf_adds(out, ", last sample ");
        sentence_time(a->last_sample_ms, now_ms, out);
    }
    buf_adds(out, a->stale ? "; it is held, for there is no newer one." : ".");
    if (a->state == ALERT_PENDING)
        buf_adds(out, " Pending: it fires when it has lasted for the time in `for` and "
                      "the limits on alerts leave room.");
}

void
sentence_description(const struct alert *alert, int64_t window_ms, int64_t now_ms,
                     struct buf *out)
{
    describe_rate(alert, window_ms, out);
    describe_baseline(alert, out);
    describe_limit(alert, out);
    describe_regions(alert, out);
    describe_concentration(alert, out);
    describe_shares(alert, out);
    describe_why(alert, out);
    describe_server(alert, out);
    describe_times(alert, now_ms, out);
}

/* ---- ends ---- */

/* What the alert was about, without figures. */
static void
add_subject(const struct alert *a, struct buf *out)
{
    if (a->kind == ALERT_META) {
        buf_adds(out, "hbase:meta");
    } else if (a->kind == ALERT_SERVER) {
        buf_adds(out, "Server ");
        add_name(out, a->server != NULL ? a->server->address : "?");
    } else if (a->kind == ALERT_REGION) {
        buf_adds(out, "Region ");
        add_region(out, a->region != NULL ? a->region->id : a->origin);
        buf_adds(out, " of table ");
        add_name(out, table_name(a));
    } else if (a->table == NULL) {
        buf_adds(out, "The cluster");
    } else {
        buf_adds(out, "Table ");
        add_name(out, a->table->name);
    }
}

static const char *
end_words(const struct alert *a)
{
    static const char *const words[END_REASON_COUNT] = {
        [END_NONE] = "it ended",
        [END_COOLED] = "it has stayed below its limit since",
        [END_SPLIT] = "it was split, and its parts are not hot",
        [END_MERGED] = "another alert goes on with it",
        [END_DROPPED] = "it is there no more",
        [END_DISABLED] = "it was disabled",
        [END_SERVER_LOST] = "its server is lost, and nothing was heard of it since",
        [END_RULE_CHANGED] = "a changed configuration does not judge it any more",
        [END_UNKNOWN] = "nothing was heard of it for too long to say more",
    };

    return a->overflow && a->reason == END_COOLED
               ? "what is hot there fits into the limits on alerts again"
               : words[a->reason];
}

void
sentence_end(const struct alert *alert, int64_t now_ms, struct buf *out)
{
    int64_t until_ms = alert->resolved_at_ms >= 0 ? alert->resolved_at_ms : now_ms;

    add_subject(alert, out);
    buf_adds(out, alert->overflow ? " had more that is hot than may have alerts, from "
                                  : " was hot from ");
    sentence_time(alert->hot_since_ms, now_ms, out);
    buf_adds(out, " on, for ");
    sentence_span(until_ms - alert->hot_since_ms, out);
    buf_addf(out, ": %s.", end_words(alert));
}
