/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/sentence.h"

#include <math.h>
#include <string.h>

#include "common/utf8.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/fixture.h"

static struct buf out;

static const char *
number(double value)
{
    buf_reset(&out);
    sentence_number(value, &out);
    return out.data;
}

START_TEST(numbers_for_people)
{
    buf_init(&out, 0);
    ck_assert_str_eq(number(0), "0");
    ck_assert_str_eq(number(0.0049), "below 0.01");
    ck_assert_str_eq(number(0.994), "0.99");
    ck_assert_str_eq(number(0.996), "1");
    ck_assert_str_eq(number(3), "3");
    ck_assert_str_eq(number(2.96), "3");
    ck_assert_str_eq(number(-2.94), "-2.9");
    ck_assert_str_eq(number(-0.0), "0");
    ck_assert_str_eq(number(0.42), "0.42");
    ck_assert_str_eq(number(9.74), "9.7");
    ck_assert_str_eq(number(99.94), "99.9");
    ck_assert_str_eq(number(99.96), "100");
    ck_assert_str_eq(number(999.6), "1,000");
    ck_assert_str_eq(number(1934), "1,934");
    ck_assert_str_eq(number(123456789), "123,456,789");
    ck_assert_str_eq(number(-1934), "-1,934");
    ck_assert_str_eq(number(1e300), "1e+300");
    ck_assert_str_eq(number(NAN), "an unknown number");
    ck_assert_str_eq(number(INFINITY), "infinitely many");
    buf_finish(&out);
}
END_TEST

START_TEST(spans_times_and_bytes)
{
    static const struct {
        int64_t ms;
        const char *text;
    } spans[] = {
        {0, "0 s"},
        {-5, "0 s"},
        {119999, "119 s"},
        {120000, "2 min"},
        {7500000, "2 h 5 min"},
        {4 * 86400000LL, "4 d"},
    };

    buf_init(&out, 0);
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        buf_reset(&out);
        sentence_span(spans[i].ms, &out);
        ck_assert_str_eq(out.data, spans[i].text);
    }
    buf_reset(&out);
    sentence_time(FIXTURE_NOW_MS, FIXTURE_NOW_MS + 1000, &out);
    ck_assert_str_eq(out.data, "22:24:00 UTC");
    buf_reset(&out);
    sentence_time(FIXTURE_NOW_MS - 86400000, FIXTURE_NOW_MS, &out);
    ck_assert_str_eq(out.data, "2026-11-29 22:24:00 UTC");
    buf_reset(&out);
    sentence_bytes(2147483648, &out);
    ck_assert_str_eq(out.data, "2.0 GiB");
    buf_reset(&out);
    sentence_bytes(999, &out);
    ck_assert_str_eq(out.data, "999 B");
    buf_finish(&out);
}
END_TEST

static struct fixture f;
static struct alert *alert;

static const char *
summary(void)
{
    buf_reset(&out);
    sentence_summary(alert, FIXTURE_NOW_MS, &out);
    return out.data;
}

static void
setup(void)
{
    buf_init(&out, 0);
    fixture_orders(&f);
    alert = &f.s->alerts[0];
}

static void
teardown(void)
{
    fixture_finish(&f);
    buf_finish(&out);
}

START_TEST(a_region)
{
    setup();
    ck_assert_str_eq(summary(),
                     "Region 858a2c1f… of table orders takes 1,934 writes/s, 9.7 times "
                     "the table's other regions, on rs2:16020 since 22:10:24 UTC.");
    alert->access = ACCESS_READ;
    alert->baseline_kind = BASELINE_MEDIAN;
    ck_assert_str_eq(summary(),
                     "Region 858a2c1f… of table orders serves 20 rows read/s, 9.7 "
                     "times the table's median, on rs2:16020 since 22:10:24 UTC.");
    alert->ratio = INFINITY;
    ck_assert_str_eq(summary(), "Region 858a2c1f… of table orders serves 20 rows "
                                "read/s while the table's other regions are idle, on "
                                "rs2:16020 since 22:10:24 UTC.");
    teardown();
}
END_TEST

START_TEST(a_region_that_is_alone_nowhere_or_stale)
{
    setup();
    alert->regions_in_table = 1;
    alert->server = server_facts_unref(alert->server);
    ck_assert_str_eq(summary(),
                     "Region 858a2c1f… of table orders takes 1,934 writes/s, "
                     "the table's only region, on no server now since "
                     "22:10:24 UTC.");
    alert->stale = true;
    ck_assert_ptr_nonnull(strstr(summary(), "; no fresh data after 22:23:55 UTC."));
    alert->hot_since_ms -= 86400000;
    ck_assert_ptr_nonnull(strstr(summary(), "since 2026-11-29 22:10:24 UTC"));
    teardown();
}
END_TEST

START_TEST(several_regions_of_one_story)
{
    setup();
    alert->members[1] = region_facts_ref(f.s->regions[6].facts);
    alert->member_count = 2;
    ck_assert_ptr_nonnull(strstr(summary(), "2 regions from 858a2c1f… of table orders "
                                            "take 1,934 writes/s"));
    teardown();
}
END_TEST

static void
add_top(uint32_t region)
{
    const struct region_row *row = &f.s->regions[region];

    alert->top[alert->top_count++] =
        (struct top_region){.region = region_facts_ref(row->facts),
                            .table = table_facts_ref(f.s->tables[row->table].facts),
                            .rate = 500,
                            .share = 0.25};
}

START_TEST(what_overflows)
{
    setup();
    alert->kind = ALERT_TABLE;
    alert->overflow = true;
    alert->hot_regions = 54;
    alert->access = ACCESS_TOTAL;
    alert->newest_rate[ACCESS_TOTAL] = NAN;
    add_top(5);
    ck_assert_str_eq(summary(),
                     "In table orders 54 more regions are hot, without alerts of their "
                     "own because of max_alerts_per_table: 858a2c1f… and "
                     "others, since 22:10:24 UTC.");
    alert->hot_regions = 1;
    ck_assert_str_eq(summary(),
                     "In table orders 1 more region is hot, without an alert of its "
                     "own because of max_alerts_per_table: 858a2c1f…, since "
                     "22:10:24 UTC.");
    alert->hot_regions = 54;
    sentence_description(alert, 120000, FIXTURE_NOW_MS, &out);
    ck_assert_ptr_null(strstr(out.data, "unknown"));
    ck_assert_ptr_null(strstr(out.data, "concentrated"));
    alert->table = table_facts_unref(alert->table);
    ck_assert_str_eq(
        summary(), "In the cluster 54 more regions, tables or servers are hot, without "
                   "alerts of their own because of max_alerts: 858a2c1f… "
                   "and others, since 22:10:24 UTC.");
    sentence_description(alert, 120000, FIXTURE_NOW_MS, &out);
    ck_assert_ptr_nonnull(strstr(out.data, "9 of the cluster's 10 regions"));
    teardown();
}
END_TEST

START_TEST(one_is_no_plural)
{
    setup();
    alert->kind = ALERT_TABLE;
    alert->overflow = true;
    alert->hot_regions = 1;
    ck_assert_ptr_nonnull(strstr(summary(), "1 more region is hot, without an alert of "
                                            "its own because of max_alerts_per_table"));
    alert->table = table_facts_unref(alert->table);
    ck_assert_ptr_nonnull(strstr(summary(), "1 more region, table or server is hot, "
                                            "without an alert of its own because of "
                                            "max_alerts"));
    teardown();
}
END_TEST

START_TEST(how_a_table_is_concentrated)
{
    setup();
    alert->kind = ALERT_TABLE;
    sentence_description(alert, 120000, FIXTURE_NOW_MS, &out);
    ck_assert_ptr_nonnull(
        strstr(out.data, "Its load is as concentrated as on 1.9 equal regions, "
                         "and could be spread over 9.7 times as many servers; a "
                         "table is hot from 3 times on (threshold)."));
    teardown();
}
END_TEST

START_TEST(the_other_kinds)
{
    setup();
    alert->kind = ALERT_TABLE;
    ck_assert_str_eq(summary(),
                     "Table orders takes 1,934 writes/s, as if on only 1.9 of its 10 "
                     "regions, since 22:10:24 UTC.");
    alert->kind = ALERT_SERVER;
    ck_assert_str_eq(summary(), "Server rs2:16020 takes 1,934 writes/s, 9.7 times the "
                                "mean of the other servers, since 22:10:24 UTC.");
    add_top(5);
    add_top(6);
    ck_assert_str_eq(summary(), "Server rs2:16020 takes 1,934 writes/s, 9.7 times the "
                                "mean of the other servers, most of it for 858a2c1f… "
                                "of orders, 858a2c1f… of orders, since 22:10:24 UTC.");
    alert->kind = ALERT_META;
    ck_assert_str_eq(summary(), "hbase:meta takes 1,934 writes/s, above its limit of "
                                "598/s, on rs2:16020 since 22:10:24 UTC.");
    teardown();
}
END_TEST

START_TEST(the_description_has_the_figures)
{
    static const char *const parts[] = {
        "Rate: 20 rows read/s and 1,934 writes/s (means of the last 2 min);",
        "That is 9.7 times 199/s, the mean of the table's regions that are not among "
        "the hottest.",
        "9 of the table's 10 regions",
        "It is hot from 598/s on: 3 times that (threshold).",
        "It makes 71 % of the table's writes and 64 % of its server's requests.",
        "Hot since 22:10:24 UTC",
        "last sample 22:23:55 UTC.",
    };

    setup();
    sentence_description(alert, 120000, FIXTURE_NOW_MS, &out);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        ck_assert_msg(strstr(out.data, parts[i]) != NULL, "no '%s' in: %s", parts[i],
                      out.data);
    teardown();
}
END_TEST

static void
ck_described(const char *part)
{
    buf_reset(&out);
    sentence_description(alert, 120000, FIXTURE_NOW_MS, &out);
    ck_assert_msg(strstr(out.data, part) != NULL, "no '%s' in: %s", part, out.data);
}

/* The largest of three figures is the limit; its setting is what a reader may change.
 */
START_TEST(the_setting_that_makes_the_limit)
{
    setup();
    alert->min_rate = alert->limit = 700;
    ck_described("It is hot from 700/s on, whatever the others take (min_rate).");
    alert->limit = 800;
    ck_described("It is hot from 800/s on, the least part of an average server's "
                 "load that counts (min_server_share).");
    alert->kind = ALERT_SERVER;
    alert->threshold = 2;
    alert->limit = 2 * alert->baseline;
    alert->min_rate = 10;
    ck_described(": 2 times that (server_threshold).");
    ck_described("What other alerts are about is left out, on all servers.");
    alert->kind = ALERT_META;
    ck_described("on (meta_max_rate, or more where");
    alert->kind = ALERT_REGION;
    alert->regions_in_table = alert->regions_fresh = 1;
    alert->limit = alert->min_rate = 1000;
    ck_described("times 199/s, the mean of the cluster's other regions. It is hot "
                 "from 1,000/s on, whatever the others take (single_region_min_rate).");
    ck_described("It makes 64 % of its server's requests.");
    ck_assert_ptr_null(strstr(out.data, "the table's"));
    teardown();
}
END_TEST

START_TEST(how_old_and_how_far_it_is)
{
    setup();
    alert->regions_fresh = alert->regions_in_table;
    ck_described("All 10 regions of the table have fresh data.");
    alert->access = ACCESS_TOTAL;
    alert->rate[ACCESS_TOTAL] = 1954;
    ck_described(
        "Rate: 1,954 requests/s, which are 20 rows read/s and 1,934 writes/s ");
    ck_assert_ptr_null(strstr(out.data, "Pending"));
    alert->state = ALERT_PENDING;
    ck_described(" Pending: it fires when");
    alert->stale = true;
    ck_described("; it is held, for there is no newer one.");
    teardown();
}
END_TEST

static const char *
end_of(enum alert_kind kind, enum end_reason reason)
{
    alert->kind = kind;
    alert->reason = reason;
    alert->resolved_at_ms = alert->hot_since_ms + 780000;
    buf_reset(&out);
    sentence_end(alert, FIXTURE_NOW_MS, &out);
    return out.data;
}

START_TEST(how_it_ended)
{
    setup();
    ck_assert_str_eq(
        end_of(ALERT_REGION, END_COOLED),
        "Region 858a2c1f… of table orders was hot from 22:10:24 UTC on, for "
        "13 min: it has stayed below its limit since.");
    ck_assert_str_eq(
        end_of(ALERT_SERVER, END_MERGED),
        "Server rs2:16020 was hot from 22:10:24 UTC on, for 13 min: another "
        "alert goes on with it.");
    ck_assert_str_eq(end_of(ALERT_META, END_UNKNOWN),
                     "hbase:meta was hot from 22:10:24 UTC on, for 13 min: nothing was "
                     "heard of it for too long to say more.");
    for (int i = END_NONE; i < END_REASON_COUNT; i++)
        ck_assert_ptr_null(strstr(end_of(ALERT_TABLE, (enum end_reason)i), "null"));
    alert->overflow = true;
    ck_assert_str_eq(end_of(ALERT_TABLE, END_COOLED),
                     "Table orders had more that is hot than may have alerts, from "
                     "22:10:24 UTC on, for 13 min: what is hot there fits into the "
                     "limits on alerts again.");
    teardown();
}
END_TEST

/* Whatever a table is called, the sentence is one line of UTF-8. */
START_TEST(hostile_names_stay_in_line)
{
    setup();
    table_facts_unref(alert->table);
    alert->table = table_facts_create("a\nb\x01\xff\xc3(\x7f\xc2\x9b");
    ck_assert_ptr_nonnull(strstr(summary(), "of table a?b??"
                                            "?(?? takes"));
    ck_assert(utf8_valid(out.data, out.len));
    alert->baseline = alert->ratio = alert->limit = alert->share = NAN;
    buf_reset(&out);
    sentence_description(alert, 120000, FIXTURE_NOW_MS, &out);
    ck_assert_ptr_null(strstr(out.data, "nan"));
    teardown();
}
END_TEST

TEST_MAIN("sentence", numbers_for_people, spans_times_and_bytes, a_region,
          a_region_that_is_alone_nowhere_or_stale, several_regions_of_one_story,
          the_other_kinds, what_overflows, one_is_no_plural,
          how_a_table_is_concentrated, the_description_has_the_figures,
          the_setting_that_makes_the_limit, how_old_and_how_far_it_is, how_it_ended,
          hostile_names_stay_in_line)
