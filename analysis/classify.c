/* SPDX-License-Identifier: Apache-2.0 */
/* One test for each class, most telling first. A test that holds writes its evidence.
 */
#include "analysis/classify.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "common/words.h"

const struct class_limits class_limits = {
    .scan_rows_a_call = 100,
    .access_share = 0.5,
    .popular_share = 0.5,
    .daughter_share = 0.9,
    .wandering = 2,
    .big_size = 3,
    .same_density = 2,
    .server_others = 1.5,
    .server_regions = 2,
};

#define LIMITS class_limits

/* ---- questions ---- */

static bool
mostly(const struct region *region, enum access access)
{
    return region->rate[access] >=
           LIMITS.access_share * (double)region->rate[ACCESS_TOTAL];
}

static bool
is_last(const struct subject *s)
{
    const struct region_facts *f = s->region->facts;

    return f->end_known && f->end_len == 0 && s->load->tables[s->table].primaries > 1;
}

static bool
has_rows(const struct subject *s)
{
    return row_heat_rows(&s->story->heat) >= ROWS_TO_JUDGE;
}

/* The part of the members' heat that the hottest one has; NaN unless there are others
 * that are judged. */
static double
daughter_share(const struct subject *s)
{
    double sum = 0;
    uint32_t judged = 0;

    for (uint32_t i = 0; i < s->a->member_count; i++) {
        const struct region *m = &s->r->regions[s->e->members[i].region];
        if (!region_is_judged(m))
            continue;
        sum += m->rate[ACCESS_TOTAL];
        judged++;
    }
    return judged < 2 ? NAN : s->region->rate[ACCESS_TOTAL] / sum;
}

/* ---- meta, unsplit table ---- */

static bool
is_meta(const struct subject *s, struct buf *evidence)
{
    if (s->a->kind != ALERT_META)
        return false;
    buf_adds(evidence, "hbase:meta takes ");
    words_number(evidence, s->a->rate[ACCESS_TOTAL]);
    buf_adds(evidence, " requests/s; clients ask it where regions are.");
    return true;
}

static bool
is_unsplit(const struct subject *s, struct buf *evidence)
{
    uint32_t servers = s->load->cluster.live_servers;
    uint32_t regions = s->table == NO_INDEX ? 0 : s->load->tables[s->table].primaries;

    if (regions == 0 || (regions > 1 && regions >= servers))
        return false;
    if (s->region != NULL && s->region->replica != 0)
        return false;
    if (regions > 1) {
        buf_addf(evidence, "The table has %u regions, fewer than the %u live servers.",
                 regions, servers);
        return true;
    }
    buf_adds(evidence, "The table has one region only; the cluster has ");
    words_of(evidence, servers, "live server.", "live servers.");
    return true;
}

/* ---- scan ---- */

static bool
is_scan(const struct subject *s, struct buf *evidence)
{
    const struct region_calls *c =
        s->region == NULL ? NULL : calls_find(s->calls, s->region->id);

    if (c == NULL || !(c->scans_rate > 0) ||
        c->rows_per_call < LIMITS.scan_rows_a_call || !mostly(s->region, ACCESS_READ))
        return false;
    buf_adds(evidence, "A call reads ");
    words_number(evidence, c->rows_per_call);
    buf_adds(evidence, " rows on average: ");
    words_number(evidence, c->rows_rate);
    buf_adds(evidence, " rows/s by ");
    words_number(evidence, c->scans_rate);
    buf_adds(evidence, " scan calls/s and ");
    words_number(evidence, c->gets_rate);
    buf_adds(evidence, " gets/s.");
    return true;
}

/* ---- sequential ---- */

static void
say_rising(const struct subject *s, struct buf *evidence)
{
    if (has_rows(s))
        buf_addf(evidence, " The keys of the %llu sampled rows rise with time.",
                 (unsigned long long)row_heat_rows(&s->story->heat));
}

/* Rows that were sampled and do not rise speak against it, wherever the heat is. */
static bool
is_sequential(const struct subject *s, struct buf *evidence)
{
    if (s->region == NULL || s->table == NO_INDEX || !mostly(s->region, ACCESS_WRITE))
        return false;
    bool rises = row_heat_rises(&s->story->heat);
    bool wanders = s->story->went_up >= LIMITS.wandering && s->story->went_down == 0;
    if ((has_rows(s) && !rises) || !(rises || is_last(s) || wanders))
        return false;
    words_number(evidence, s->region->rate[ACCESS_WRITE]);
    buf_adds(evidence, " writes/s go to ");
    if (is_last(s))
        buf_adds(evidence, "the last region of the table by key.");
    else if (wanders)
        buf_addf(evidence,
                 "the newest part of the region: after %u splits in a row they went "
                 "to the upper half.",
                 s->story->went_up);
    else
        buf_adds(evidence, "one place.");
    say_rising(s, evidence);
    return true;
}

/* ---- popular key ---- */

static bool
has_popular_row(const struct subject *s, struct buf *evidence)
{
    const struct row_heat *h = &s->story->heat;

    if (!has_rows(s) || row_heat_share(&h->rows, 0) < LIMITS.popular_share)
        return false;
    words_percent(evidence, row_heat_share(&h->rows, 0));
    buf_addf(evidence, " of the %llu sampled rows are one and the same row.",
             (unsigned long long)row_heat_rows(h));
    return true;
}

/* Without samples: a split did not part the heat. Writes that went to the upper
 * daughter only may as well be sequential. */
static bool
stays_on_one_daughter(const struct subject *s, struct buf *evidence)
{
    const struct story *story = s->story;
    double share = daughter_share(s);

    if (has_rows(s) || story->went_up + story->went_down == 0 ||
        !(share >= LIMITS.daughter_share))
        return false;
    if (mostly(s->region, ACCESS_WRITE) && story->went_down == 0)
        return false;
    buf_adds(evidence, "After the split ");
    words_percent(evidence, share);
    buf_adds(evidence, " of the requests stay in one of its halves.");
    return true;
}

static bool
is_popular_key(const struct subject *s, struct buf *evidence)
{
    return s->region != NULL &&
           (has_popular_row(s, evidence) || stays_on_one_daughter(s, evidence));
}

/* ---- big region, popular range ---- */

static bool
is_big(const struct subject *s, struct buf *evidence)
{
    if (s->region == NULL || s->table == NO_INDEX || s->region->size_bytes <= 0)
        return false;
    const struct table_sizes *t = &s->around->tables[s->table];
    double size = (double)s->region->size_bytes;
    double rate = s->region->rate[ACCESS_TOTAL];
    double factor = (rate / size) / ((t->rate - rate) / (t->bytes - size));
    if (t->sized < 3 || t->median <= 0 || size < LIMITS.big_size * (double)t->median ||
        !(factor <= LIMITS.same_density && factor >= 1 / LIMITS.same_density))
        return false;
    buf_adds(evidence, "The region holds ");
    words_bytes(evidence, s->region->size_bytes);
    buf_adds(evidence, ", the table's median is ");
    words_bytes(evidence, t->median);
    buf_adds(evidence, "; for its size it is asked about as often as the others (");
    words_number(evidence, factor);
    buf_adds(evidence, " times).");
    return true;
}

static bool
is_range(const struct subject *s, struct buf *evidence)
{
    const struct row_heat *h = &s->story->heat;

    if (s->region == NULL || !has_rows(s))
        return false;
    buf_addf(evidence,
             "The %llu sampled rows are spread inside the region; the most popular one "
             "makes ",
             (unsigned long long)row_heat_rows(h));
    words_percent(evidence, row_heat_share(&h->rows, 0));
    buf_adds(evidence, " of them.");
    return true;
}

/* ---- server-wide ---- */

static void
say_others(const struct subject *s, uint32_t server, struct buf *evidence)
{
    const struct server_others *o = &s->around->servers[server];

    words_of(evidence, o->regions, "region without an alert on ",
             "regions without an alert on ");
    buf_addf(evidence, "%s %s ", s->r->servers[server].facts->address,
             o->regions == 1 ? "takes" : "take");
    words_number(evidence, o->rate);
    buf_addf(
        evidence,
        " requests/s; if %s took as much as its table's other regions do, it would "
        "be ",
        o->regions == 1 ? "it" : "each");
    words_number(evidence, o->expected);
    buf_adds(evidence, " requests/s.");
}

static bool
is_server_wide(const struct subject *s, struct buf *evidence)
{
    uint32_t server = s->a->kind == ALERT_SERVER ? s->e->server
                      : s->region == NULL        ? NO_INDEX
                                                 : s->region->server;

    if (server == NO_INDEX)
        return false;
    const struct server_others *o = &s->around->servers[server];
    bool above = o->regions >= LIMITS.server_regions &&
                 o->rate >= LIMITS.server_others * o->expected;
    if (!above && s->a->kind != ALERT_SERVER)
        return false;
    if (o->regions > 0) {
        say_others(s, server, evidence);
    } else {
        buf_addf(evidence, "The load is that of the server's %u regions together.",
                 s->a->regions);
    }
    return true;
}

/* ---- unknown ---- */

static bool
is_sampled(const struct subject *s)
{
    return s->region != NULL && s->table != NO_INDEX &&
           s->r->tables[s->table].rule->row_sampling;
}

/* Says what was not to be had. */
static bool
is_unknown(const struct subject *s, struct buf *evidence)
{
    if (s->a->overflow || s->a->kind != ALERT_REGION)
        buf_adds(evidence, "The figures show that it is hot, but not why.");
    else if (is_sampled(s))
        buf_addf(evidence,
                 "The figures do not show why. Rows of its running calls seen so far: "
                 "%llu; it takes %d to judge by them.",
                 (unsigned long long)row_heat_rows(&s->story->heat), ROWS_TO_JUDGE);
    else
        buf_adds(evidence, "The figures do not show why, and the rows that clients ask "
                           "for are not looked at (row_sampling: off).");
    return true;
}

static const char *
advice_for_unknown(const struct subject *s)
{
    if (s->a->overflow)
        return "First do what the other alerts of this table or cluster say: it often "
               "helps these regions, too. The addresses /api/v1/regions and "
               "/api/v1/tables list all.";
    if (is_sampled(s))
        return "Look at the calls that its server shows as running (/rs-status on its "
               "web port): which clients, which rows?";
    return "Find out which clients ask for which rows: its server shows its running "
           "calls at /rs-status on its web port. With row_sampling: on in the "
           "configuration hotspotd reads them and says more.";
}

/* ---- the table ---- */

#define OF(kind) (1U << (kind))
#define OF_REGION OF(ALERT_REGION)
#define OF_TABLE OF(ALERT_TABLE)
#define OF_SERVER OF(ALERT_SERVER)

static const struct {
    enum heat_class heat_class;
    unsigned kinds; /* of alerts it is for */
    bool (*test)(const struct subject *s, struct buf *evidence);
    const char *advice; /* NULL: advice_for_unknown() */
} classes[] = {
    {CLASS_META, OF(ALERT_META), is_meta,
     "Look for clients that open a connection for each request or scan hbase:meta (its "
     "server shows its running calls at /rs-status on its web port). A client should "
     "open one connection and keep it: it remembers where the regions are."},
    {CLASS_UNSPLIT_TABLE, OF_REGION | OF_TABLE, is_unsplit,
     "Split the table, so that its load can be spread over the servers; create such "
     "tables with split points."},
    {CLASS_SCAN, OF_REGION | OF_TABLE | OF_SERVER, is_scan,
     "Find the client that scans: give its scans a start and stop row, a time range, "
     "filters and a limit, and let it not fill the block cache "
     "(setCacheBlocks(false)). "
     "A split spreads the scan, but does not make it smaller."},
    {CLASS_SEQUENTIAL, OF_REGION | OF_TABLE, is_sequential,
     "Change the row key so that new rows do not follow each other (a salt or hash in "
     "front, or reversed digits), in a new table with split points. A split alone does "
     "not help: the writes go on into the newest part."},
    {CLASS_POPULAR_KEY, OF_REGION, is_popular_key,
     "Cache the popular row in front of HBase, or divide it into several rows. A split "
     "cannot divide a row, only give it a region of its own."},
    {CLASS_BIG_REGION, OF_REGION | OF_TABLE, is_big,
     "Split the region: it is hot because it holds more than the others."},
    {CLASS_POPULAR_RANGE, OF_REGION, is_range,
     "Split the region in the middle of its load, then move one of the two parts to "
     "another server."},
    {CLASS_SERVER_WIDE, OF_REGION | OF_SERVER, is_server_wide,
     "Move regions off this server, or run the balancer."},
    {CLASS_UNKNOWN, ~0U, is_unknown, NULL},
};
static_assert(sizeof(classes) / sizeof(classes[0]) == CLASS_COUNT, "a row each");

enum heat_class
classify(const struct subject *s, struct buf *evidence)
{
    for (size_t i = 0; i < CLASS_COUNT; i++)
        if (classes[i].kinds & OF(s->a->kind) && classes[i].test(s, evidence))
            return classes[i].heat_class;
    assert(false);
    return CLASS_UNKNOWN;
}

const char *
class_advice(const struct subject *s, enum heat_class heat_class)
{
    if (heat_class == CLASS_UNKNOWN)
        return advice_for_unknown(s);
    for (size_t i = 0; i < CLASS_COUNT; i++)
        if (classes[i].heat_class == heat_class)
            return classes[i].advice;
    assert(false);
    return "";
}
