/* SPDX-License-Identifier: Apache-2.0 */
/* status 'detailed': the whole cluster as indented lines. The counts that it prints
 * itself (servers, regions of each) and the "dead servers" line at its end tell a whole
 * text from one that was cut. Works on the struct listing_text of one call. Sources:
 * HBase admin.rb, ServerLoad.java, RegionLoad.java, RegionMetricsBuilder.java. */
#include <string.h>

#include "collectors/listing_priv.h"
#include "collectors/server_name.h"
#include "common/log.h"
#include "common/parse.h"

enum { INDENT_SERVER = 4, INDENT_REGION = 8, INDENT_METRICS = 12 };

enum section { SECTION_HEAD, SECTION_TRANSITION, SECTION_LIVE, SECTION_DEAD };

struct status {
    enum section section;
    size_t servers_expected;
    size_t servers;
    unsigned server_line; /* of the server at hand; 0: none */
    uint32_t server;
    bool regions_announced;
    size_t regions_expected;
    size_t regions;
    unsigned region_line; /* of a region whose metrics must come next; 0: none */
    size_t row;
};

static size_t
indent_of(struct span line)
{
    size_t n = 0;

    while (n < line.len && line.s[n] == ' ')
        n++;
    return n;
}

/* ---- regions in transition ---- */

/* "{NAME state=OPENING, ts=..., server=...}", NAME in full or encoded. */
static enum poll_outcome
transition_line(struct listing_text *t, struct span line)
{
    struct span rest = span_trim(line);

    if (rest.len > 0 && rest.s[0] == '{') {
        rest.s++;
        rest.len--;
    }
    /* If its server lists it, too, that row comes later and stays. */
    return listing_add_moving(t, span_trim(span_cut(&rest, " state=")));
}

/* ---- live servers ---- */

static enum poll_outcome
end_server(struct listing_text *t, struct status *s)
{
    if (s->region_line != 0)
        return listing_refuse(t, s->region_line, "the region has no line of metrics");
    if (s->server_line != 0 && s->regions_announced &&
        s->regions != s->regions_expected)
        return listing_refuse(
            t, s->server_line,
            "the server has %zu regions, %zu are listed: the text is cut "
            "short, or not of status 'detailed'",
            s->regions_expected, s->regions);
    s->server_line = 0;
    return POLL_OK;
}

static enum poll_outcome
server_line(struct listing_text *t, struct status *s, struct span line)
{
    char name[SERVER_NAME_MAX + 1];
    struct span trimmed = span_trim(line);

    if (!server_name_normalise(trimmed.s, trimmed.len, name)) {
        t->listing->skipped_lines++;
        return POLL_OK;
    }
    enum poll_outcome outcome = end_server(t, s);
    if (outcome != POLL_OK)
        return outcome;
    s->server = listing_build_server(t->build, name);
    s->servers++;
    s->server_line = t->line;
    s->regions_announced = false;
    s->regions = 0;
    return POLL_OK;
}

/* The next "key=value" of a line of metrics; false at its end. */
static bool
next_pair(struct span *rest, struct span *ret_key, struct span *ret_value)
{
    if (rest->len == 0)
        return false;
    struct span pair = span_trim(span_cut(rest, ", "));
    *ret_key = span_cut(&pair, "=");
    *ret_value = pair;
    return true;
}

static void
server_metrics(struct status *s, struct span line)
{
    struct span rest = span_trim(line), key, value;
    uint64_t n;

    while (next_pair(&rest, &key, &value)) {
        if (!span_is(key, "numberOfOnlineRegions") ||
            parse_u64(value.s, value.len, &n) != 0)
            continue;
        s->regions_announced = true;
        s->regions_expected = (size_t)n;
    }
}

static enum poll_outcome
region_line(struct listing_text *t, struct status *s, struct span line)
{
    struct span name = span_trim(line);
    char quoted[LOG_QUOTE_SIZE];

    if (s->server_line == 0)
        return listing_refuse(t, t->line, "a region before any server");
    if (s->region_line != 0)
        return listing_refuse(t, s->region_line, "the region has no line of metrics");
    if (name.len < 2 || name.s[name.len - 1] != '"')
        return listing_refuse(t, t->line, "expected a region's name in quotes, not %s",
                              log_quote(name.s, name.len, quoted));
    name.s++;
    name.len -= 2;
    enum poll_outcome outcome = listing_add_named(t, name, true, &s->row);
    if (outcome != POLL_OK)
        return outcome;
    listing_build_row(t->build, s->row)->server = s->server;
    s->regions++;
    s->region_line = t->line;
    return POLL_OK;
}

static void
region_metrics(struct listing_text *t, struct status *s, struct span line)
{
    struct listing_row *row = listing_build_row(t->build, s->row);
    struct span rest = span_trim(line), key, value;

    while (next_pair(&rest, &key, &value)) {
        if (span_is(key, "readRequestsCount") || span_is(key, "readRequestCount"))
            listing_counter(value, SAMPLE_READ, &row->read, &row->known);
        else if (span_is(key, "writeRequestsCount") ||
                 span_is(key, "writeRequestCount"))
            listing_counter(value, SAMPLE_WRITE, &row->write, &row->known);
        else if (span_is(key, "storefileSizeMB") || span_is(key, "storeFileSize"))
            row->size_bytes = listing_size(value);
        else if (span_is(key, "dataLocality"))
            row->locality = listing_locality(value);
    }
    s->region_line = 0;
}

static enum poll_outcome
live_line(struct listing_text *t, struct status *s, struct span line)
{
    size_t indent = indent_of(line);
    struct span content = {line.s + indent, line.len - indent};

    if (indent == INDENT_SERVER)
        return server_line(t, s, line);
    if (indent == INDENT_REGION && content.len > 0 && content.s[0] == '"')
        return region_line(t, s, line);
    if (indent == INDENT_REGION && span_begins(content, "requestsPerSecond="))
        server_metrics(s, line);
    else if (indent == INDENT_METRICS && s->region_line != 0)
        region_metrics(t, s, line);
    else
        t->listing->skipped_lines++; /* a task: free text */
    return POLL_OK;
}

/* ---- sections ---- */

static enum poll_outcome
end_live(struct listing_text *t, struct status *s)
{
    enum poll_outcome outcome = end_server(t, s);
    if (outcome != POLL_OK)
        return outcome;
    s->section = SECTION_DEAD;
    if (s->servers != s->servers_expected)
        return listing_refuse(t, t->line, "%zu live servers announced, %zu read",
                              s->servers_expected, s->servers);
    return POLL_OK;
}

/* A line without indent: the beginning of a section, or noise. */
static enum poll_outcome
section_line(struct listing_text *t, struct status *s, struct span line)
{
    size_t count;

    if (listing_count_line(line, "regionsInTransition", &count)) {
        s->section = SECTION_TRANSITION;
    } else if (span_begins(line, "active master:") ||
               span_begins(line, "no active master") ||
               listing_count_line(line, "backup masters", &count)) {
        s->section = SECTION_HEAD;
    } else if (listing_count_line(line, "live servers", &count)) {
        if (s->section >= SECTION_LIVE)
            return listing_refuse(t, t->line, "live servers a second time");
        s->section = SECTION_LIVE;
        s->servers_expected = count;
    } else if (s->section == SECTION_LIVE &&
               listing_count_line(line, "dead servers", &count)) {
        return end_live(t, s);
    } else {
        t->listing->skipped_lines++;
    }
    return POLL_OK;
}

enum poll_outcome
listing_read_status(struct listing_text *t)
{
    struct status s = {0};
    struct span line;
    enum poll_outcome outcome = POLL_OK;

    t->listing->whole_cluster = true;
    while (outcome == POLL_OK && listing_next_line(t, &line)) {
        if (line.len > 0 && line.s[0] != ' ')
            outcome = section_line(t, &s, line);
        else if (s.section == SECTION_LIVE)
            outcome = live_line(t, &s, line);
        else if (s.section == SECTION_TRANSITION && indent_of(line) == INDENT_SERVER)
            outcome = transition_line(t, line);
    }
    if (outcome == POLL_OK && s.section != SECTION_DEAD)
        return listing_refuse(
            t, t->line,
            "expected '0 dead servers' or the like at the end: the text is "
            "cut short");
    return outcome;
}
