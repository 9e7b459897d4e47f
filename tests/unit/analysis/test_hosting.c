/* SPDX-License-Identifier: Apache-2.0 */
/* Which server a region is on: moves, restarts, copies left behind. */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "tests/unit/common/harness.h"

static struct lab lab;

/* Two servers with two regions each: 0 and 2 on the first, 1 and 3 on the second, with
 * 10, 20, 30, 40 reads/s and half the writes. */
static void
four_regions(void)
{
    lab_init(&lab, 2);
    for (int i = 0; i < 4; i++)
        lab_region(&lab, "t", i % 2, 10 * (i + 1), 5 * (i + 1));
    lab_start(&lab);
}

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

/* ---- whose it is ---- */

START_TEST(a_new_region_leaves_the_others_alone)
{
    four_regions();
    lab_tick(&lab, 3);
    int new = lab_region(&lab, "t", 0, 1000, 0);
    lab.regions[new].read = 77777;
    lab_tick(&lab, 1);
    rates_are_right();
    ck_assert(isnan(read_rate(new)));
    lab_tick(&lab, 1);
    rates_are_right();
    about(read_rate(new), 1000);
    lab_finish(&lab);
}
END_TEST

static void
never_negative(void)
{
    for (uint32_t i = 0; i < lab.last->server_count; i++)
        for (int a = 0; a < ACCESS_COUNT; a++)
            ck_assert(lab.last->servers[i].rate[a] >= 0);
    for (uint32_t i = 0; i < lab.last->table_count; i++)
        for (int a = 0; a < ACCESS_COUNT; a++)
            ck_assert(lab.last->tables[i].rate[a] >= 0);
}

START_TEST(a_region_leaves_and_only_its_share_is_lost)
{
    four_regions();
    lab_tick(&lab, 3);
    about(lab_server(&lab, 0)->rate[ACCESS_READ], 40);
    lab.regions[2].server = -1;
    lab_tick(&lab, 1);
    never_negative();
    about(lab_server(&lab, 0)->rate[ACCESS_READ], 10);
    about(lab_table(&lab, "t")->rate[ACCESS_READ], 70);
    ck_assert_uint_eq(lab_server(&lab, 0)->regions, 1);
    ck_assert_uint_eq(lab_table(&lab, "t")->regions, 4);
    ck_assert_uint_eq(lab_table(&lab, "t")->fresh, 3);
    ck_assert_uint_eq(lab_row(&lab, 2)->server, NO_INDEX);
    ck_assert_uint_eq(lab.last->without_server, 1);
    ck_assert(lab_row(&lab, 2)->stale);
    lab_finish(&lab);
}
END_TEST

/* Its count on the other server is larger: a baseline all the same. */
START_TEST(a_move_is_a_baseline_even_if_it_rises)
{
    four_regions();
    lab.regions[0].read = 900000;
    lab_tick(&lab, 3);
    uint64_t reads = lab_server(&lab, 0)->reads + lab_server(&lab, 1)->reads;
    lab_move(&lab, 0, 1);
    lab.regions[0].read = 950000;
    lab_tick(&lab, 1);
    ck_assert(lab_row(&lab, 0)->server == NO_INDEX || isnan(read_rate(0)));
    lab_tick(&lab, 1); /* of 60 s the first 30 are no pair */
    rates_are_right();
    ck_assert_uint_eq(counters().moves, 1);
    ck_assert_uint_le(lab_server(&lab, 0)->reads + lab_server(&lab, 1)->reads - reads,
                      60 * 100);
    ck_assert_uint_eq(lab_server(&lab, 1)->regions, 3);
    lab_finish(&lab);
}
END_TEST

START_TEST(a_move_seen_in_either_order)
{
    for (int from = 0; from < 2; from++) {
        four_regions();
        lab_tick(&lab, 3);
        lab_move(&lab, from, 1 - from);
        lab_tick(&lab, 2);
        rates_are_right();
        ck_assert_uint_eq(counters().moves, 1);
        ck_assert_uint_eq(lab.last->region_count, 4);
        lab_finish(&lab);
    }
}
END_TEST

START_TEST(there_and_back_again)
{
    four_regions();
    lab_tick(&lab, 3);
    for (int i = 1; i <= 8; i++) {
        lab_move(&lab, 0, i % 2);
        lab_tick(&lab, 1);
        ck_assert(isnan(read_rate(0)));
        about(read_rate(1), 20);
        about(read_rate(2), 30);
    }
    /* Back with the old count, as after a failed reopen. */
    lab.regions[0].server = 1;
    lab.regions[0].read = 123456;
    lab_tick(&lab, 2);
    rates_are_right();
    lab_finish(&lab);
}
END_TEST

START_TEST(a_restart_is_a_new_baseline)
{
    four_regions();
    for (int i = 0; i < 4; i++)
        lab.regions[i].read = 10;
    lab_tick(&lab, 3);
    lab_restart(&lab, 0, 1700000009999);
    lab.regions[0].read = 1e9; /* whatever it begins with */
    lab_tick(&lab, 1);
    ck_assert(isnan(read_rate(0)) && isnan(read_rate(2)));
    about(read_rate(1), 20);
    lab_tick(&lab, 1);
    rates_are_right();
    ck_assert_uint_eq(counters().moves, 0); /* the same address */
    about(lab_server(&lab, 1)->skew, 1.5);  /* 90 against 60, the old start is none */
    ck_assert_uint_eq(lab.last->servers_up, 2);
    lab_finish(&lab);
}
END_TEST

/* Its clock was set back before the restart. */
START_TEST(a_restart_with_a_lower_start_code)
{
    four_regions();
    lab_tick(&lab, 3);
    lab_restart(&lab, 0, 5);
    lab_tick(&lab, 2);
    rates_are_right();
    ck_assert(lab_server(&lab, 0)->up && !lab_server(&lab, 0)->dead);
    about(lab_server(&lab, 0)->rate[ACCESS_READ], 40);
    ck_assert_uint_eq(lab.last->servers_up, 2);
    lab_finish(&lab);
}
END_TEST

/* A server goes on listing a region that it closed. */
static void
frozen_copy(int on, bool listed)
{
    four_regions();
    lab_tick(&lab, 3);
    lab.copies[lab.copy_count++] =
        (struct lab_copy){0, 0, lab.regions[0].read, lab.regions[0].write};
    lab.copies[0].server = on;
    lab_move(&lab, 0, 1 - on);
    if (listed)
        lab_list(&lab);
    lab_tick(&lab, 4);
    rates_are_right();
    about(lab_server(&lab, on)->rate[ACCESS_READ], on == 0 ? 30 : 60);
    ck_assert_uint_eq(lab.last->region_count, 4);
    uint64_t moves = counters().moves;
    lab_tick(&lab, 10);
    rates_are_right(); /* and it stays there */
    ck_assert_uint_eq(counters().moves, moves);
    lab_finish(&lab);
}

START_TEST(a_frozen_copy_counts_for_nothing)
{
    frozen_copy(0, false);
    frozen_copy(0, true);
    frozen_copy(1, false);
}
END_TEST

/* The listing is older than the move: it must not call the region back for ever. */
START_TEST(an_outdated_listing_and_a_frozen_copy)
{
    four_regions();
    lab_list(&lab);
    lab_tick(&lab, 3);
    lab.copies[lab.copy_count++] =
        (struct lab_copy){0, 0, lab.regions[0].read, lab.regions[0].write};
    lab_move(&lab, 0, 1);
    lab_tick(&lab, 4);
    rates_are_right();
    uint64_t moves = counters().moves;
    lab_tick(&lab, 10);
    rates_are_right();
    ck_assert_uint_eq(counters().moves, moves);
    lab_finish(&lab);
}
END_TEST

/* Two copies advance: there is no such thing, but the answer is not to go to and fro.
 */
START_TEST(two_copies_that_advance)
{
    four_regions();
    lab_tick(&lab, 3);
    lab.copies[lab.copy_count++] = (struct lab_copy){0, 1, 0, 0};
    for (int i = 0; i < 10; i++) {
        lab.copies[0].read += 77 * 30;
        lab_tick(&lab, 1);
    }
    rates_are_right();
    ck_assert_uint_eq(counters().moves, 0);
    lab.regions[0].server = 1; /* the listing names the other one */
    lab_list(&lab);
    lab.regions[0].server = 0;
    for (int i = 0; i < 10; i++) {
        lab.copies[0].read += 77 * 30;
        lab_tick(&lab, 1);
    }
    about(read_rate(0), 77);
    ck_assert_uint_eq(counters().moves, 1);
    lab_finish(&lab);
}
END_TEST

/* It is opened again where a copy was left behind, and its count goes on elsewhere. */
START_TEST(an_old_copy_is_no_baseline)
{
    four_regions();
    lab.regions[0].read = 1e6;
    lab.copies[lab.copy_count++] = (struct lab_copy){0, 1, 5000, 0};
    lab_tick(&lab, 4);
    lab.copies[0] = (struct lab_copy){0, 0, lab.regions[0].read, lab.regions[0].write};
    lab.regions[0].server = 1;
    for (int i = 0; i < 5; i++) {
        lab_tick(&lab, 1);
        ck_assert(!(read_rate(0) > 10.1));
    }
    rates_are_right();
    lab_finish(&lab);
}
END_TEST

START_TEST(one_region_on_many_servers)
{
    lab_init(&lab, 8);
    lab_region(&lab, "t", 7, 100, 0);
    lab_region(&lab, "t", 6, 100, 0);
    for (int s = 0; s < 7; s++)
        lab.copies[lab.copy_count++] = (struct lab_copy){0, s, 1e6 * s, 3};
    lab_start(&lab);
    lab_tick(&lab, 4);
    about(read_rate(0), 100);
    ck_assert_uint_eq(lab.last->region_count, 2);
    about(lab_table(&lab, "t")->rate[ACCESS_READ], 200);
    lab_finish(&lab);
}
END_TEST

START_TEST(a_region_twice_in_one_answer)
{
    four_regions();
    lab.copies[lab.copy_count++] = (struct lab_copy){0, 0, 0, 0};
    lab.copies[lab.copy_count++] = (struct lab_copy){0, 0, 0, 0};
    lab_tick(&lab, 4);
    never_negative();
    about(read_rate(2), 30);
    lab_finish(&lab);
}
END_TEST

START_TEST(a_server_without_regions)
{
    four_regions();
    lab_tick(&lab, 2);
    lab_move(&lab, 0, 1);
    lab_move(&lab, 2, 1);
    lab_tick(&lab, 3);
    ck_assert_uint_eq(lab_server(&lab, 0)->regions, 0);
    ck_assert_double_eq(lab_server(&lab, 0)->rate[ACCESS_TOTAL], 0);
    ck_assert(lab_server(&lab, 0)->up);
    ck_assert_uint_eq(lab.last->servers_up, 2);
    lab_finish(&lab);
}
END_TEST

START_TEST(strange_messages)
{
    four_regions();
    lab_tick(&lab, 2);
    struct message *m = message_create(MESSAGE_POLL); /* nothing in it */
    engine_apply_poll(lab.engine, &m->poll);
    m->poll.outcome = POLL_TIMEOUT;
    engine_apply_poll(lab.engine, &m->poll);
    m->poll.outcome = POLL_OK;
    m->poll.server = strdup("not a server");
    engine_apply_poll(lab.engine, &m->poll);
    message_destroy(m);
    m = message_create(MESSAGE_CLUSTER);
    engine_apply_cluster(lab.engine, &m->cluster);
    message_destroy(m);
    m = message_create(MESSAGE_LISTING);
    engine_apply_listing(lab.engine, &m->listing);
    message_destroy(m);
    lab_tick(&lab, 1);
    rates_are_right();
    lab_finish(&lab);
}
END_TEST

/* Both copies grow: a listing is asked for and believed. */
START_TEST(two_servers_that_go_on_claiming_a_region)
{
    four_regions();
    lab_tick(&lab, 4);
    double left = lab.regions[0].read;
    lab_move(&lab, 0, 1);
    lab.copies[lab.copy_count++] = (struct lab_copy){.region = 0, .server = 0};
    for (int i = 1; i <= 4; i++) {
        lab.copies[0].read = left + i;
        lab_tick(&lab, 1);
    }
    ck_assert(engine_wants(lab.engine).listing);
    ck_assert_int_lt(read_rate(0), 10);
    lab_list(&lab);
    for (int i = 5; i <= 9; i++) {
        lab.copies[0].read = left + i;
        lab_tick(&lab, 1);
    }
    about(read_rate(0), 10);
    lab_list(&lab); /* once more, of the copy that is left */
    lab.copies[0].read = left + 10;
    lab_tick(&lab, 1);
    about(read_rate(0), 10);
    ck_assert(!engine_wants(lab.engine).listing);
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("hosting", two_servers_that_go_on_claiming_a_region,
          a_new_region_leaves_the_others_alone,
          a_region_leaves_and_only_its_share_is_lost,
          a_move_is_a_baseline_even_if_it_rises, a_move_seen_in_either_order,
          there_and_back_again, a_restart_is_a_new_baseline,
          a_restart_with_a_lower_start_code, a_frozen_copy_counts_for_nothing,
          an_outdated_listing_and_a_frozen_copy, two_copies_that_advance,
          an_old_copy_is_no_baseline, one_region_on_many_servers,
          a_region_twice_in_one_answer, a_server_without_regions, strange_messages)
