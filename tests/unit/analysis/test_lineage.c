/* SPDX-License-Identifier: Apache-2.0 */
/* Moves and splits: what becomes of alerts and history. */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "tests/unit/common/harness.h"

static struct lab lab;

static enum alert_state
state(int region)
{
    const struct alert *a = lab_alert(&lab, region);

    return a == NULL ? ALERT_RESOLVED : a->state;
}

static struct engine_counters
counters(void)
{
    return engine_counters(lab.engine);
}

static const char *
id_text(int region)
{
    static char text[4][REGION_ID_TEXT_SIZE];
    static int next;

    return region_id_text(lab_id(region), text[next++ % 4]);
}

static int
firing(bool keys)
{
    int hot = lab_even_table(&lab, 50, 10);

    if (keys) {
        lab_even_keys(&lab);
        lab_list(&lab);
    }
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    return hot;
}

/* A new region with keys on a server; in listings from the next one on. */
static int
born(const char *start, const char *end, int server, double rate)
{
    int i = lab_region(&lab, "orders", server, rate, 0);

    lab.regions[i].start = start;
    lab.regions[i].end = end;
    lab.regions[i].created_ms = 1700000000000 + i;
    return i;
}

static double
first_point(int region)
{
    struct series_point points[500];
    size_t n = engine_series(lab.engine, lab_id(region), 0, INT64_MAX, 0, points, 500);

    for (size_t i = 0; n != SIZE_MAX && i < n; i++)
        if (!isnan(points[i].read))
            return points[i].read;
    return NAN;
}

/* ---- moves ---- */

START_TEST(a_chain_of_moves)
{
    int hot = firing(false);
    struct alert before;

    alert_copy(&before, lab_alert(&lab, hot));
    for (int i = 0; i < 5; i++) {
        lab_move(&lab, hot, (i + 2) % 3);
        lab_tick(&lab, 4);
        ck_assert_int_eq(state(hot), ALERT_FIRING);
    }
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->active_at_ms, before.active_at_ms);
    ck_assert_int_eq(a->starts_at_ms, before.starts_at_ms);
    ck_assert_uint_eq(a->lineage_count, 5);
    ck_assert_str_eq(a->lineage[0].from, "rs2:16020");
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert_int_eq(a->lineage[i].event, LINEAGE_MOVE);
        if (i > 0)
            ck_assert_str_eq(a->lineage[i].from, a->lineage[i - 1].to);
    }
    ck_assert_str_eq(a->lineage[4].to, a->server->address);
    ck_assert_str_eq(lab.events, "fired 4;");
    alert_finish(&before);
    lab_finish(&lab);
}
END_TEST

START_TEST(many_moves_keep_the_newest_entries)
{
    int hot = firing(false);

    for (int i = 0; i < LINEAGE_MAX + 10; i++) {
        lab_move(&lab, hot, (i + 2) % 3);
        lab_tick(&lab, 3);
    }
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_uint_eq(a->lineage_count, LINEAGE_MAX);
    ck_assert_str_eq(a->lineage[LINEAGE_MAX - 1].to, a->server->address);
    lab_finish(&lab);
}
END_TEST

START_TEST(moved_without_a_rest)
{
    int hot = firing(false);

    for (int i = 0; i < 20; i++) { /* ten minutes, elsewhere at each tick */
        lab_move(&lab, hot, i % 3);
        lab_tick(&lab, 1);
        ck_assert_int_eq(state(hot), ALERT_FIRING);
    }
    lab_tick(&lab, 2);
    ck_assert(!lab_alert(&lab, hot)->stale);
    ck_assert_str_eq(lab.events, "fired 4;held 4;"); /* unknown for so long */
    lab_finish(&lab);
}
END_TEST

START_TEST(a_move_while_pending)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 3);
    int64_t active = lab_alert(&lab, hot)->active_at_ms;
    lab_move(&lab, hot, 0);
    lab_tick(&lab, 3);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_int_eq(lab_alert(&lab, hot)->active_at_ms, active);
    lab_finish(&lab);
}
END_TEST

/* ---- splits ---- */

/* One alert, of the parent's name, about those that are hot. */
static void
split_went_on(int hot, uint32_t members)
{
    const struct alert *a = lab_alert(&lab, hot);

    ck_assert_ptr_nonnull(a);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_uint_eq(a->member_count, members);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    ck_assert_ptr_null(lab_row(&lab, hot));
    ck_assert_str_eq(lab.events, "fired 4;");
    ck_assert_uint_eq(counters().splits, 1);
}

static void
split(bool keys, int server_1, int server_2, double rate_1, double rate_2)
{
    int hot = firing(keys);
    int64_t starts = lab_alert(&lab, hot)->starts_at_ms;

    lab_move(&lab, hot, -1);
    int d1 = born("40", "45", server_1, rate_1),
        d2 = born("45", "50", server_2, rate_2);
    lab_tick(&lab, 1);
    if (keys)
        lab_list(&lab);
    lab_tick(&lab, 4);
    split_went_on(hot, 2);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->starts_at_ms, starts);
    ck_assert_int_eq(a->lineage[0].event, LINEAGE_SPLIT);
    ck_assert_str_eq(a->lineage[0].from, id_text(hot));
    ck_assert_str_eq(a->lineage[0].to, id_text(d1));
    ck_assert_str_eq(a->lineage[1].to, id_text(d2));
    int hotter = rate_1 > rate_2 ? d1 : d2;
    ck_assert(region_id_equal(a->region->id, lab_id(hotter)));
    ck_assert_double_eq_tol(a->rate[ACCESS_READ], fmax(rate_1, rate_2), 1);
    ck_assert_double_eq_tol(first_point(d1), 500, 20); /* the parent's past */
    ck_assert_double_eq_tol(first_point(d2), 500, 20);
    lab.regions[d1].read_rate = lab.regions[d2].read_rate = 50;
    lab_tick(&lab, 60);
    ck_assert_str_eq(lab.events, "fired 4;resolved cooled 4;");
    ck_assert_uint_eq(lab.last->region_count, 11);
    lab_finish(&lab);
}

START_TEST(splits_to_anywhere)
{
    for (int keys = 0; keys < 2; keys++) {
        split(keys, 1, 1, 250, 260);
        split(keys, 0, 2, 450, 50);
        split(keys, 1, 2, 20, 480);
    }
}
END_TEST

START_TEST(one_daughter_at_a_time)
{
    for (int keys = 0; keys < 2; keys++) {
        int hot = firing(keys);
        lab_move(&lab, hot, -1);
        int d1 = born("40", "45", 0, 400);
        lab_tick(&lab, 1);
        if (keys)
            lab_list(&lab);
        lab_tick(&lab, 1);
        int d2 = born("45", "50", 2, 100);
        lab_tick(&lab, 1);
        if (keys)
            lab_list(&lab);
        lab_tick(&lab, 3);
        split_went_on(hot, 2);
        ck_assert_int_eq(lab_row(&lab, d1)->heat, HEAT_FIRING);
        ck_assert_int_eq(lab_row(&lab, d2)->heat, HEAT_FIRING);
        lab_finish(&lab);
    }
}
END_TEST

START_TEST(daughters_that_are_not_hot)
{
    int hot = firing(true);

    lab_move(&lab, hot, -1);
    born("40", "45", 0, 60);
    born("45", "50", 2, 60);
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 20);
    ck_assert_str_eq(lab.events, "fired 4;resolved split 4;");
    lab_finish(&lab);
}
END_TEST

START_TEST(split_of_a_split)
{
    int hot = firing(true);

    lab_move(&lab, hot, -1);
    int d1 = born("40", "45", 0, 250), d2 = born("45", "50", 2, 250);
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 4);
    lab_move(&lab, d1, -1);
    int g1 = born("40", "42", 1, 200), g2 = born("42", "45", 0, 50);
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 4);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_uint_eq(a->member_count, 3);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    ck_assert_uint_eq(a->lineage_count, 4);
    ck_assert_str_eq(a->lineage[2].from, id_text(d1));
    ck_assert_str_eq(a->lineage[2].to, id_text(g1));
    ck_assert_str_eq(a->lineage[3].to, id_text(g2));
    ck_assert_ptr_nonnull(lab_row(&lab, d2));
    ck_assert_double_eq_tol(first_point(g1), 500, 20);
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

/* Both splits happen between two listings. */
START_TEST(split_of_a_split_at_once)
{
    int hot = firing(true);

    lab_move(&lab, hot, -1);
    int d1 = born("40", "45", 0, 250), d2 = born("45", "50", 2, 250);
    lab_tick(&lab, 1);
    lab_move(&lab, d1, -1);
    int g1 = born("40", "42", 1, 200), g2 = born("42", "45", 0, 50);
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 4);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    ck_assert_int_eq(lab_row(&lab, g1)->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_row(&lab, g2)->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_row(&lab, d2)->heat, HEAT_FIRING);
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_tick(&lab, 60); /* and what vanished does not linger in the table */
    ck_assert_uint_eq(lab_table(&lab, "orders")->regions, 12);
    lab_finish(&lab);
}
END_TEST

START_TEST(split_of_a_pending_region)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_tick(&lab, 3);
    int64_t active = lab_alert(&lab, hot)->active_at_ms;
    lab_move(&lab, hot, -1);
    int d1 = born("40", "45", 1, 300), d2 = born("45", "50", 1, 200);
    lab_tick(&lab, 1);
    ck_assert_int_eq(state(hot), ALERT_PENDING);
    lab_tick(&lab, 2);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_int_eq(a->active_at_ms, active);
    ck_assert_uint_eq(a->member_count, 2);
    ck_assert_int_eq(lab_row(&lab, d1)->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_row(&lab, d2)->heat, HEAT_FIRING);
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

/* A table that is made while its servers are watched is all new regions; each of them
 * may split later on. */
START_TEST(split_of_a_region_of_a_new_table)
{
    int hot = -1;

    lab_init(&lab, 3);
    for (int i = 0; i < 3; i++)
        lab_region(&lab, "old", i, 10, 0);
    lab_start(&lab);
    lab_tick(&lab, 3);
    for (int i = 0; i < 10; i++) {
        int r = lab_region(&lab, "orders", i % 3, 50, 0);
        if (i == 4) {
            lab.regions[r].read_rate *= 10;
            hot = r;
        }
    }
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_move(&lab, hot, -1);
    born(NULL, NULL, 1, 250);
    born(NULL, NULL, 1, 250);
    lab_tick(&lab, 8);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_uint_eq(a->member_count, 2);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    ck_assert_uint_eq(counters().splits, 1);
    lab_finish(&lab);
}
END_TEST

/* The listing that tells whose they are comes after they fired on their own. */
START_TEST(keys_come_late)
{
    int hot = firing(true);

    lab_move(&lab, hot, -1);
    int d1 = born("40", "45", 0, 250), d2 = born("45", "50", 2, 250);
    lab_tick(&lab, 7); /* a listing could tell that it is one story */
    ck_assert_uint_eq(lab.last->alert_count, 1);
    lab_tick(&lab, 7);
    ck_assert_int_eq(state(d1), ALERT_FIRING);
    ck_assert_int_eq(state(d2), ALERT_FIRING);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert(engine_wants(lab.engine).urgent_listing);
    lab.events[0] = '\0';
    lab_list(&lab);
    lab_tick(&lab, 1);
    char events[64];
    snprintf(events, sizeof(events), "resolved merged %d;resolved merged %d;", d1, d2);
    ck_assert_str_eq(lab.events, events);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert(!a->stale);
    ck_assert_uint_eq(a->member_count, 2);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    ck_assert(!engine_wants(lab.engine).urgent_listing);
    ck_assert_double_eq_tol(first_point(d1), 500, 20); /* busy before, heirs still */
    lab_tick(&lab, 60);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    lab_finish(&lab);
}
END_TEST

/* The daughters open on a server that answers for the first time; a listing knew them
 * before. */
START_TEST(daughters_first_seen_in_a_listing)
{
    lab_init(&lab, 4);
    for (int i = 0; i < 10; i++)
        lab_region(&lab, "orders", i % 3, i == 4 ? 500 : 50, 0);
    lab_start(&lab);
    lab_even_keys(&lab);
    lab_list(&lab);
    lab.down[3] = true;
    lab_tick(&lab, 6);
    lab_move(&lab, 4, -1);
    born("40", "45", 3, 250);
    born("45", "50", 3, 250);
    lab_list(&lab);
    lab.down[3] = false;
    lab_tick(&lab, 4);
    split_went_on(4, 2);
    lab_finish(&lab);
}
END_TEST

/* No listing had the parent's keys; the first one that comes has the daughters'. */
START_TEST(the_first_listing_comes_after_the_split)
{
    int hot = firing(false);

    lab_even_keys(&lab);
    lab_move(&lab, hot, -1);
    born("40", "45", 1, 250);
    born("45", "50", 1, 250);
    lab_pass(&lab, 30000);
    for (int i = 0; i < 3; i++)
        lab_poll(&lab, i);
    lab_list(&lab);
    lab_tick(&lab, 3);
    split_went_on(hot, 2);
    lab_finish(&lab);
}
END_TEST

/* The split is undone: the parent is back before its daughters were ever hot. */
START_TEST(an_aborted_split)
{
    for (int keys = 0; keys < 2; keys++) {
        int hot = firing(keys);
        lab_move(&lab, hot, -1);
        int d1 = born("40", "45", 1, 0), d2 = born("45", "50", 1, 0);
        lab_tick(&lab, 1);
        if (keys)
            lab_list(&lab);
        lab_tick(&lab, 1);
        ck_assert_ptr_null(lab_row(&lab, hot));
        lab_move(&lab, d1, -1);
        lab_move(&lab, d2, -1);
        lab_move(&lab, hot, 1);
        lab_tick(&lab, 50);
        const struct alert *a = lab_alert(&lab, hot);
        ck_assert_ptr_nonnull(a);
        ck_assert_int_eq(a->state, ALERT_FIRING);
        ck_assert(!a->stale);
        ck_assert_uint_eq(lab.last->alert_count, 1);
        ck_assert_str_eq(lab.events, "fired 4;");
        ck_assert_ptr_nonnull(lab_row(&lab, hot));
        ck_assert_uint_eq(lab.last->region_count, 10);
        lab.regions[hot].read_rate = 50;
        lab_tick(&lab, 20);
        ck_assert_str_eq(lab.events, "fired 4;resolved cooled 4;");
        lab_finish(&lab);
    }
}
END_TEST

START_TEST(a_quiet_split_raises_nothing)
{
    lab_even_table(&lab, 50, 1);
    lab_even_keys(&lab);
    lab_list(&lab);
    lab_tick(&lab, 6);
    lab_move(&lab, 4, -1);
    born("40", "45", 1, 25);
    born("45", "50", 1, 25);
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 10);
    ck_assert_str_eq(lab.events, "");
    ck_assert_uint_eq(counters().splits, 1);
    ck_assert_uint_eq(lab_table(&lab, "orders")->regions, 11);
    lab_finish(&lab);
}
END_TEST

/* Two splits in one tick: with keys they are told apart. */
START_TEST(two_splits_at_once)
{
    int hot = firing(true);

    lab_move(&lab, hot, -1);
    lab_move(&lab, 7, -1);
    int d1 = born("40", "45", 1, 250), d2 = born("45", "50", 1, 250);
    int e1 = born("70", "75", 1, 25), e2 = born("75", "80", 1, 25);
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 3);
    ck_assert_uint_eq(counters().splits, 2);
    ck_assert_int_eq(lab_row(&lab, d1)->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_row(&lab, d2)->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_row(&lab, e1)->heat, HEAT_NORMAL);
    ck_assert_int_eq(lab_row(&lab, e2)->heat, HEAT_NORMAL);
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

START_TEST(unrelated_new_regions_are_no_daughters)
{
    int hot = firing(false);

    /* Two regions that came minutes apart, and one that is on its way. */
    born(NULL, NULL, 0, 10);
    lab_tick(&lab, 6);
    born(NULL, NULL, 2, 10);
    lab_move(&lab, hot, -1);
    lab_tick(&lab, 1);
    ck_assert_uint_eq(counters().splits, 0);
    lab_move(&lab, hot, 2);
    lab_tick(&lab, 4);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_uint_eq(lab_alert(&lab, hot)->lineage_count, 1);
    ck_assert_int_eq(lab_alert(&lab, hot)->lineage[0].event, LINEAGE_MOVE);
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

/* Replicas split with their primary, each by itself. */
static void
split_replicas(bool keys)
{
    static const char *const key[] = {"", "1", "2", "3", "4", "5", ""};

    lab_init(&lab, 2);
    for (int i = 0; i < 12; i++) {
        lab_region(&lab, "t", i % 2, i == 0 ? 900 : 50, 0);
        lab.regions[i].replica = i % 2;
        lab.regions[i].start = keys ? key[i / 2] : NULL;
        lab.regions[i].end = keys ? key[i / 2 + 1] : NULL;
    }
    lab_start(&lab);
    if (keys)
        lab_list(&lab);
    lab_tick(&lab, 6);
    ck_assert_int_eq(state(0), ALERT_FIRING);
    lab_move(&lab, 0, -1);
    lab_move(&lab, 1, -1);
    for (int i = 12; i < 16; i++) {
        lab_region(&lab, "t", i % 2, i % 2 == 0 ? 450 : 25, 0);
        lab.regions[i].replica = i % 2;
        lab.regions[i].created_ms = 1700000000000;
        lab.regions[i].start = !keys ? NULL : i < 14 ? "" : "05";
        lab.regions[i].end = !keys ? NULL : i < 14 ? "05" : "1";
    }
    lab_tick(&lab, 1);
    if (keys)
        lab_list(&lab);
    lab_tick(&lab, 3);
    ck_assert_uint_eq(counters().splits, 2);
    ck_assert_int_eq(lab_row(&lab, 12)->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_row(&lab, 14)->heat, HEAT_FIRING);
    ck_assert_int_eq(lab_row(&lab, 13)->heat, HEAT_NORMAL);
    ck_assert_str_eq(lab.events, "fired 0;");
    lab_finish(&lab);
}

START_TEST(replicas_split_too)
{
    split_replicas(false);
    split_replicas(true);
}
END_TEST

/* Two unrelated regions came as the hot one left; it is back when its alert had gone on
 * without it for long. Its name is not given twice. */
START_TEST(a_split_that_was_none)
{
    int hot = firing(false);

    lab_move(&lab, hot, -1);
    born(NULL, NULL, 0, 900);
    born(NULL, NULL, 2, 10);
    lab_tick(&lab, 40);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_uint_eq(lab.last->region_count, 11); /* forgotten */
    lab_move(&lab, hot, 1);
    lab.regions[hot].read_rate = 5000;
    lab_tick(&lab, 8);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_uint_eq(a->member_count, 2); /* the cool one left */
    ck_assert(region_id_equal(a->region->id, lab_id(hot)));
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

/* The parent was pending when it vanished; a daughter fired before keys came. */
START_TEST(a_firing_daughter_of_a_pending_parent)
{
    int hot = lab_even_table(&lab, 50, 10);

    lab_even_keys(&lab);
    lab_list(&lab);
    lab_tick(&lab, 2);
    int64_t active = lab_alert(&lab, hot)->active_at_ms;
    lab_move(&lab, hot, -1);
    int d1 = born("40", "45", 0, 450), d2 = born("45", "50", 2, 50);
    lab_tick(&lab, 14);
    ck_assert_int_eq(state(hot), ALERT_PENDING);
    ck_assert_int_eq(state(d1), ALERT_FIRING);
    int64_t starts = lab_alert(&lab, d1)->starts_at_ms;
    lab_list(&lab);
    lab_tick(&lab, 2);
    const struct alert *a = lab_alert(&lab, d1); /* what was told goes on */
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert_int_eq(a->starts_at_ms, starts);
    ck_assert_int_eq(a->hot_since_ms, active);
    ck_assert_uint_eq(a->member_count, 2);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    ck_assert_int_eq(lab_row(&lab, d2)->heat, HEAT_FIRING);
    ck_assert_ptr_null(strstr(lab.events, "resolved"));
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("lineage", a_chain_of_moves, many_moves_keep_the_newest_entries,
          moved_without_a_rest, a_move_while_pending, splits_to_anywhere,
          one_daughter_at_a_time, daughters_that_are_not_hot, split_of_a_split,
          split_of_a_split_at_once, split_of_a_region_of_a_new_table,
          split_of_a_pending_region, keys_come_late, daughters_first_seen_in_a_listing,
          the_first_listing_comes_after_the_split, an_aborted_split,
          a_quiet_split_raises_nothing, two_splits_at_once,
          unrelated_new_regions_are_no_daughters, replicas_split_too,
          a_split_that_was_none, a_firing_daughter_of_a_pending_parent)
