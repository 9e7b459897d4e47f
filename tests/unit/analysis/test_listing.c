/* SPDX-License-Identifier: Apache-2.0 */
/* Listings as the only source of samples. */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "tests/unit/common/harness.h"

static struct lab lab;

static struct engine_counters
counters(void)
{
    return engine_counters(lab.engine);
}

static double
read_rate(int region)
{
    return lab_row(&lab, region)->rate[ACCESS_READ];
}

static double
write_rate(int region)
{
    return lab_row(&lab, region)->rate[ACCESS_WRITE];
}

static void
about(double got, double wanted)
{
    ck_assert_double_eq_tol(got, wanted, 1e-3 * wanted + 0.06); /* counters are whole */
}

static void
rates_are_right(void)
{
    for (int i = 0; i < 4; i++) {
        about(read_rate(i), 10 * (i + 1));
        about(write_rate(i), 5 * (i + 1));
        about(lab_row(&lab, i)->rate[ACCESS_TOTAL], 15 * (i + 1));
    }
}

/* ---- where listings are the only source ---- */

static void
text_only(void)
{
    lab_init(&lab, 2);
    lab.config.poll.jmx = false;
    for (int i = 0; i < 4; i++)
        lab_region(&lab, i < 3 ? "t" : "u", i % 2, 10 * (i + 1), 5 * (i + 1));
    for (int i = 0; i < 4; i++)
        lab.regions[i].known = SAMPLE_TOTAL;
    lab_start(&lab);
}

static void
list_after(int64_t ms)
{
    lab_pass(&lab, ms);
    lab_list(&lab);
    lab_evaluate(&lab);
}

START_TEST(listings_as_samples)
{
    text_only();
    list_after(600000);
    ck_assert(isnan(lab_row(&lab, 0)->rate[ACCESS_TOTAL]));
    list_after(600000);
    for (int i = 0; i < 4; i++) {
        about(lab_row(&lab, i)->rate[ACCESS_TOTAL], 15 * (i + 1));
        ck_assert(isnan(read_rate(i)) && isnan(write_rate(i)));
        ck_assert(!lab_row(&lab, i)->has_counts);
    }
    ck_assert_double_eq(lab.last->window_seconds, 1200);
    ck_assert_uint_eq(lab.last->fresh, 4);
    /* Polls mean nothing here. */
    lab_poll(&lab, 0);
    lab_evaluate(&lab);
    about(lab_row(&lab, 0)->rate[ACCESS_TOTAL], 15);
    /* With reads and writes, as in status 'detailed'. */
    for (int i = 0; i < 4; i++)
        lab.regions[i].known = SAMPLE_READ | SAMPLE_WRITE;
    list_after(600000);
    list_after(600000);
    rates_are_right();
    lab_finish(&lab);
}
END_TEST

START_TEST(the_same_file_time_is_no_sample)
{
    text_only();
    list_after(600000);
    list_after(600000);
    struct message *m = lab_listing(&lab, NULL);
    lab_pass(&lab, 60000);
    m->listing.received = lab.now;
    engine_apply_listing(lab.engine, &m->listing);
    lab_evaluate(&lab);
    ck_assert_uint_eq(counters().repeated_polls, 1);
    about(lab_row(&lab, 0)->rate[ACCESS_TOTAL], 15);
    m->listing.as_of_ms = -1; /* no time: no sample either */
    engine_apply_listing(lab.engine, &m->listing);
    message_destroy(m);
    lab_pass(&lab, 540000);
    lab_list(&lab);
    lab_evaluate(&lab);
    about(lab_row(&lab, 0)->rate[ACCESS_TOTAL], 15);
    lab_finish(&lab);
}
END_TEST

/* The data's own times count, not those at which they were read. */
START_TEST(listings_read_late)
{
    text_only();
    for (int i = 0; i < 6; i++) {
        lab_pass(&lab, 600000);
        struct message *m = lab_listing(&lab, NULL);
        m->listing.received.mono_ms += i % 3 * 200000;
        engine_apply_listing(lab.engine, &m->listing);
        message_destroy(m);
        lab_evaluate(&lab);
        if (i > 0)
            about(lab_row(&lab, 3)->rate[ACCESS_TOTAL], 60);
    }
    lab_finish(&lab);
}
END_TEST

START_TEST(file_times_that_leap)
{
    static const int64_t leaps[] = {-3600000, -1, 90 * 86400000LL, INT64_MAX / 2};

    for (size_t i = 0; i < sizeof(leaps) / sizeof(leaps[0]); i++) {
        text_only();
        list_after(600000);
        list_after(600000);
        for (int j = 0; j < 3; j++) {
            lab_pass(&lab, 600000);
            struct message *m = lab_listing(&lab, NULL);
            m->listing.as_of_ms += leaps[i] - (leaps[i] == -1 ? 600000 : 0);
            engine_apply_listing(lab.engine, &m->listing);
            message_destroy(m);
            lab_evaluate(&lab);
            about(lab_row(&lab, 0)->rate[ACCESS_TOTAL], 15);
            ck_assert(!lab_row(&lab, 0)->stale);
        }
        lab_finish(&lab);
    }
}
END_TEST

/* A server that lists nothing for a while, and listings of single tables. */
START_TEST(tables_have_clocks_of_their_own)
{
    text_only();
    list_after(600000);
    list_after(600000);
    lab.regions[1].server = -1; /* the second server has only "u" left */
    lab.regions[3].server = -1;
    list_after(600000);
    lab.regions[1].server = lab.regions[3].server = 1;
    list_after(600000);
    ck_assert(isnan(lab_row(&lab, 1)->rate[ACCESS_TOTAL])); /* was away: a baseline */
    about(lab_row(&lab, 3)->rate[ACCESS_TOTAL], 60); /* no listing of "u" since */
    for (int i = 0; i < 3; i++) {
        lab_pass(&lab, 300000);
        struct message *m = lab_listing(&lab, "u");
        engine_apply_listing(lab.engine, &m->listing);
        message_destroy(m);
        lab_evaluate(&lab);
        about(lab_row(&lab, 3)->rate[ACCESS_TOTAL], 60);
    }
    list_after(300000);
    for (int i = 0; i < 4; i++)
        about(lab_row(&lab, i)->rate[ACCESS_TOTAL], 15 * (i + 1));
    lab_finish(&lab);
}
END_TEST

START_TEST(an_extra_listing_makes_none_stale)
{
    text_only();
    list_after(600000);
    list_after(600000);
    list_after(5000);
    for (int i = 0; i < 19; i++) {
        lab_pass(&lab, 30000);
        lab_evaluate(&lab);
        ck_assert_uint_eq(lab.last->fresh, 4);
    }
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("listing", listings_as_samples, the_same_file_time_is_no_sample,
          listings_read_late, file_times_that_leap, tables_have_clocks_of_their_own,
          an_extra_listing_makes_none_stale)
