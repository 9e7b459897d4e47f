/* SPDX-License-Identifier: Apache-2.0 */
/* Merges and recreated tables, and what listings teach and correct. */
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

/* Number of points known in the region's history. */
static size_t
known_points(int region)
{
    struct series_point points[500];
    size_t n = engine_series(lab.engine, lab_id(region), 0, INT64_MAX, 0, points, 500);
    size_t known = 0;

    for (size_t i = 0; n != SIZE_MAX && i < n; i++)
        known += !isnan(points[i].read);
    return known;
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

/* ---- merges ---- */

/* Regions 4 and 5 hot, 5 a little later; returns the merged one. */
static int
merge(bool keys, double rate)
{
    int hot = lab_even_table(&lab, 50, 10);

    ck_assert_int_eq(hot, 4);
    if (keys) {
        lab_even_keys(&lab);
        lab_list(&lab);
    }
    lab_tick(&lab, 3);
    lab.regions[5].read_rate = 600;
    lab_tick(&lab, 8);
    ck_assert_str_eq(lab.events, "fired 4;fired 5;");
    lab_move(&lab, 4, -1);
    lab_move(&lab, 5, -1);
    int merged = born("40", "60", 0, rate);
    lab_tick(&lab, 1);
    if (keys)
        lab_list(&lab);
    lab_tick(&lab, 4);
    return merged;
}

START_TEST(of_two_merged_the_older_goes_on)
{
    for (int keys = 0; keys < 2; keys++) {
        int merged = merge(keys, 1100);
        ck_assert_str_eq(lab.events, "fired 4;fired 5;resolved merged 5;");
        const struct alert *a = lab_alert(&lab, 4);
        ck_assert_int_eq(a->state, ALERT_FIRING);
        ck_assert_uint_eq(a->member_count, 1);
        ck_assert(region_id_equal(a->region->id, lab_id(merged)));
        ck_assert_int_eq(a->lineage[a->lineage_count - 1].event, LINEAGE_MERGE);
        ck_assert_str_eq(a->lineage[a->lineage_count - 1].to, id_text(merged));
        ck_assert_uint_eq(counters().merges, 1);
        ck_assert_double_eq_tol(first_point(merged), 550, 40); /* both pasts */
        ck_assert_uint_eq(lab_table(&lab, "orders")->regions, 9);
        lab_finish(&lab);
    }
}
END_TEST

START_TEST(merged_and_cool)
{
    merge(true, 60);
    lab_tick(&lab, 12);
    ck_assert_str_eq(lab.events,
                     "fired 4;fired 5;resolved merged 5;resolved cooled 4;");
    lab_finish(&lab);
}
END_TEST

START_TEST(a_merge_with_one_alert)
{
    int hot = firing(true);

    lab_move(&lab, hot, -1);
    lab_move(&lab, 3, -1);
    int merged = born("30", "50", 0, 550);
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 8);
    ck_assert_int_eq(lab_row(&lab, merged)->heat, HEAT_FIRING);
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

/* Two regions on their way, and one that came a quarter of an hour ago. */
START_TEST(a_merge_that_was_none)
{
    int hot = firing(false);

    born(NULL, NULL, 0, 10);
    lab_tick(&lab, 25);
    lab_move(&lab, hot, -1);
    lab_move(&lab, 5, -1);
    lab_tick(&lab, 1);
    ck_assert_uint_eq(counters().merges, 0);
    lab_finish(&lab);
}
END_TEST

/* ---- recreated ---- */

START_TEST(a_truncated_table_is_no_split)
{
    int hot = firing(true);

    for (int i = 0; i < 10; i++) {
        lab_move(&lab, i, -1);
        born(lab.regions[i].start, lab.regions[i].end, i % 3, 20);
    }
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 1);
    ck_assert_str_eq(lab.events, "fired 4;resolved dropped 4;");
    ck_assert_uint_eq(counters().splits, 0);
    ck_assert_uint_eq(counters().merges, 0);
    ck_assert_uint_eq(lab_table(&lab, "orders")->regions, 10);
    ck_assert_ptr_null(lab_row(&lab, hot));
    lab_tick(&lab, 2);
    ck_assert_uint_eq(known_points(14), 3); /* no past but its own */
    /* The new one may be hot as well. */
    lab.regions[14].read_rate = 5000;
    lab_tick(&lab, 8);
    ck_assert_int_eq(state(14), ALERT_FIRING);
    lab_finish(&lab);
}
END_TEST

/* A table of 4000 regions made anew costs no more than an evaluation. */
START_TEST(a_large_table_recreated)
{
    enum { REGIONS = 4000 };
    static char keys[REGIONS + 1][8];

    lab_init(&lab, 2);
    lab_start(&lab);
    for (int generation = 0; generation < 2; generation++) {
        for (int server = 0; server < 2; server++) {
            lab_pass(&lab, 15000);
            struct message *m = lab_answer(&lab, server);
            m->poll.tables = calloc(1, sizeof(char *));
            m->poll.tables[0] = strdup("big");
            m->poll.table_count = 1;
            m->poll.regions = calloc(REGIONS / 2, sizeof(struct region_sample));
            m->poll.region_count = REGIONS / 2;
            for (uint64_t i = 0; i < REGIONS / 2; i++)
                m->poll.regions[i] = (struct region_sample){
                    .id = {generation + 1, i * 2 + server}, .known = 3};
            engine_apply_poll(lab.engine, &m->poll);
            message_destroy(m);
        }
        struct message *m = lab_listing(&lab, NULL);
        struct listing *l = &m->listing;
        l->tables = calloc(1, sizeof(char *));
        l->tables[0] = strdup("big");
        l->table_count = 1;
        l->rows = calloc(REGIONS, sizeof(*l->rows));
        l->row_count = REGIONS;
        l->arena = (char *)memcpy(malloc(sizeof(keys)), keys, sizeof(keys));
        for (uint32_t i = 0; i < REGIONS; i++) {
            snprintf(l->arena + 8 * i, 8, "%05u", i);
            l->rows[i] = (struct listing_row){
                .id = {generation + 1, i},
                .server = UINT32_MAX,
                .start_known = true,
                .end_known = true,
                .start_key = 8 * i,
                .start_len = i == 0 ? 0 : 5,
                .end_key = 8 * i + 8,
                .end_len = i == REGIONS - 1 ? 0 : 5,
                .created_ms = 1000 + generation,
                .size_bytes = -1,
            };
        }
        engine_apply_listing(lab.engine, l);
        message_destroy(m);
        lab_evaluate(&lab);
        ck_assert_uint_eq(lab.last->region_count, REGIONS);
    }
    ck_assert_uint_eq(counters().splits + counters().merges, 0);
    lab_finish(&lab);
}
END_TEST

/* Daughters of a region that is idle for days are no younger than it is. */
START_TEST(idle_parents_have_idle_daughters)
{
    static char keys[24][12];

    lab_init(&lab, 3);
    lab.config.poll.interval_ms = 600000;
    lab.config.detection.window_ms = 1200000;
    for (int i = 0; i < 20; i++) {
        snprintf(keys[i], sizeof(keys[i]), "%02d", i);
        lab_region(&lab, "orders", i % 3, i < 3 ? 200 : 0, 0);
    }
    snprintf(keys[20], sizeof(keys[20]), "20");
    for (int i = 0; i < 20; i++) {
        lab.regions[i].start = keys[i];
        lab.regions[i].end = keys[i + 1];
    }
    lab_start(&lab);
    lab_list(&lab);
    lab_tick(&lab, 160);
    lab.events[0] = '\0';
    static const char *const middle[] = {"105", "115", "125"};
    for (int i = 0; i < 3; i++) {
        lab_move(&lab, 10 + i, -1);
        born(keys[10 + i], middle[i], 0, 0);
        born(middle[i], keys[11 + i], 1, 0);
    }
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 5);
    ck_assert_uint_eq(counters().splits, 3);
    ck_assert_uint_eq(lab.last->alert_count, 0); /* 3 of 3, not 3 of 9 */
    lab_finish(&lab);
}
END_TEST

/* ---- what a listing corrects ---- */

START_TEST(a_table_guessed_wrong)
{
    lab_init(&lab, 3);
    for (int i = 0; i < 10; i++)
        lab_region(&lab, "a_b:c", i % 3, i == 4 ? 500 : 50, 0);
    lab_start(&lab);
    lab_tick(&lab, 3);
    ck_assert_str_eq(lab_alert(&lab, 4)->table->name, "a_b:c");
    for (int i = 0; i < 10; i++)
        lab.regions[i].table = "a:b_c";
    lab_list(&lab);
    for (int i = 0; i < 10; i++)
        lab.regions[i].table = "a_b:c"; /* the name in JMX is what it is */
    lab_tick(&lab, 4);
    ck_assert_ptr_null(lab_table(&lab, "a_b:c"));
    ck_assert_uint_eq(lab_table(&lab, "a:b_c")->regions, 10);
    ck_assert_int_eq(state(4), ALERT_FIRING); /* pending goes on under the true name */
    ck_assert_str_eq(lab_alert(&lab, 4)->table->name, "a:b_c");
    ck_assert_str_eq(lab_row(&lab, 4)->facts->table->name, "a:b_c");
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

/* What was pushed keeps its label; the alert lives under the rules of the true table.
 */
START_TEST(a_table_guessed_wrong_of_a_firing_alert)
{
    int hot = firing(false);

    for (int i = 0; i < 10; i++)
        lab.regions[i].table = "right";
    lab_list(&lab);
    lab_region(&lab, "x", 0, 1, 0); /* may take the free slot */
    lab_tick(&lab, 40);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    ck_assert_str_eq(lab_alert(&lab, hot)->table->name, "orders");
    ck_assert_ptr_null(lab_table(&lab, "orders"));
    lab.regions[hot].read_rate = 0;
    lab_tick(&lab, 20);
    ck_assert_str_eq(lab.events, "fired 4;resolved cooled 4;");
    lab_finish(&lab);
}
END_TEST

START_TEST(what_listings_teach)
{
    lab_even_table(&lab, 50, 1);
    lab_tick(&lab, 2);
    ck_assert(engine_wants(lab.engine).listing);
    ck_assert(!lab_row(&lab, 0)->facts->start_known);
    ck_assert_int_eq(lab_row(&lab, 0)->size_bytes, -1);
    lab_even_keys(&lab);
    lab_list(&lab);
    lab_tick(&lab, 1);
    ck_assert(!engine_wants(lab.engine).listing);
    const struct region_row *row = lab_row(&lab, 4);
    ck_assert(row->facts->start_known && row->facts->end_known);
    ck_assert_mem_eq(region_start_key(row->facts), "40", 2);
    ck_assert_mem_eq(region_end_key(row->facts), "50", 2);
    ck_assert_int_eq(row->facts->created_ms, 1600000000004);
    ck_assert_int_eq(row->size_bytes, 1 << 20);
    ck_assert_float_eq(row->locality, 1);
    ck_assert(lab_row(&lab, 0)->facts->start_known);
    ck_assert_uint_eq(lab_row(&lab, 0)->facts->start_len, 0);
    /* A listing that knows less, or nonsense, takes nothing away. */
    for (int i = 0; i < 10; i++)
        lab.regions[i].start = lab.regions[i].end = NULL;
    struct message *m = lab_listing(&lab, NULL);
    for (size_t i = 0; i < m->listing.row_count; i++) {
        m->listing.rows[i].size_bytes = m->listing.rows[i].created_ms = -1;
        m->listing.rows[i].locality = i % 2 == 0 ? NAN : 1e300;
        m->listing.rows[i].in_transition = i == 4;
    }
    engine_apply_listing(lab.engine, &m->listing);
    message_destroy(m);
    lab_tick(&lab, 1);
    row = lab_row(&lab, 4);
    ck_assert_mem_eq(region_start_key(row->facts), "40", 2);
    ck_assert_int_eq(row->facts->created_ms, 1600000000004);
    ck_assert_int_eq(row->size_bytes, 1 << 20);
    ck_assert_float_eq(row->locality, 1);
    ck_assert(row->in_transition);
    lab_region(&lab, "orders", 0, 1, 0);
    lab_tick(&lab, 1);
    ck_assert(engine_wants(lab.engine).listing);
    lab_pass(&lab, 1000);
    m = lab_listing(&lab, NULL);
    m->listing.row_count--; /* a listing without it: no use to ask again */
    engine_apply_listing(lab.engine, &m->listing);
    message_destroy(m);
    lab_tick(&lab, 1);
    ck_assert(!engine_wants(lab.engine).listing);
    lab_finish(&lab);
}
END_TEST

/* One key at a time, from different sources. */
START_TEST(keys_add_up)
{
    lab_even_table(&lab, 50, 1);
    lab.regions[0].start = "a";
    lab_list(&lab);
    lab.regions[0].start = NULL;
    lab.regions[0].end = "b";
    lab_list(&lab);
    lab_tick(&lab, 1);
    const struct region_facts *f = lab_row(&lab, 0)->facts;
    ck_assert(f->start_known && f->end_known);
    ck_assert_mem_eq(region_start_key(f), "a", 1);
    ck_assert_mem_eq(region_end_key(f), "b", 1);
    lab_finish(&lab);
}
END_TEST

START_TEST(listed_but_without_metrics)
{
    lab_even_table(&lab, 50, 1);
    int silent = lab_region(&lab, "orders", 1, 1, 0);
    lab_list(&lab);
    lab.regions[silent].server = -1; /* never in an answer */
    lab_tick(&lab, 3);
    const struct region_row *row = lab_row(&lab, silent);
    ck_assert(row->no_metrics && row->stale);
    ck_assert_uint_eq(lab.last->no_metrics, 1);
    ck_assert_str_eq(lab.last->servers[row->server].facts->address, "rs2:16020");
    ck_assert_int_eq(row->last_sample_ms, -1);
    ck_assert_uint_eq(known_points(silent), 0); /* not even that it was idle */
    lab_finish(&lab);
}
END_TEST

/* The regions of a lost server are without a host until a listing says where they are.
 */
START_TEST(where_regions_are)
{
    lab_even_table(&lab, 50, 1);
    lab_tick(&lab, 3);
    lab.down[1] = lab.dead[1] = true;
    lab_cluster(&lab);
    lab_tick(&lab, 1);
    ck_assert_uint_eq(lab.last->without_server, 3);
    ck_assert_uint_eq(lab_server(&lab, 1)->regions, 0);
    ck_assert(lab_server(&lab, 1)->dead);
    ck_assert_uint_eq(lab.last->region_count, 10);
    for (int i = 0; i < 60; i++) { /* 30 minutes: in the end they are forgotten */
        lab_cluster(&lab);
        lab_tick(&lab, 1);
    }
    ck_assert_uint_eq(lab.last->server_count, 2);
    ck_assert_uint_eq(lab.last->region_count, 7);
    lab_finish(&lab);
}
END_TEST

/* JMX does not say which replica a region is. */
START_TEST(replicas_by_the_listing)
{
    lab_init(&lab, 3);
    for (int i = 0; i < 20; i++)
        lab_region(&lab, "t", i % 3, i < 10 ? 5 : i == 15 ? 400 : 300, 0);
    lab_start(&lab);
    lab_tick(&lab, 1);
    for (int i = 10; i < 20; i++)
        lab.regions[i].replica = 1;
    lab_list(&lab);
    for (int i = 10; i < 20; i++)
        lab.regions[i].replica = 0;
    lab.regions[3].read_rate = 300; /* like the replicas, 60 times its peers */
    lab_tick(&lab, 7);
    ck_assert_int_eq(state(3), ALERT_FIRING);
    ck_assert_uint_eq(lab.last->alert_count, 1);
    ck_assert_uint_eq(lab_row(&lab, 15)->facts->replica, 1);
    lab_finish(&lab);
}
END_TEST

/* A region that came and went between two listings may have been anybody's parent. */
START_TEST(gone_before_its_keys_came)
{
    int hot = firing(true);

    int brief = born("95", "97", 0, 10);
    lab_tick(&lab, 32); /* nobody looks for its origin any more */
    lab_move(&lab, brief, -1);
    born("11", "12", 1, 10); /* not of the same range */
    born("12", "13", 1, 10);
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 2);
    ck_assert_uint_eq(counters().splits, 0);
    ck_assert_int_eq(state(hot), ALERT_FIRING);
    lab_finish(&lab);
}
END_TEST

/* The server goes on showing the parent that it closed; the listing knows better. */
START_TEST(a_parent_that_lingers)
{
    int hot = firing(true);

    lab.copies[lab.copy_count++] = (struct lab_copy){hot, 1, lab.regions[hot].read, 0};
    lab_move(&lab, hot, -1);
    int d1 = born("40", "45", 0, 450);
    born("45", "50", 2, 50);
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 30);
    const struct alert *a = lab_alert(&lab, hot);
    ck_assert_ptr_nonnull(a);
    ck_assert_int_eq(a->state, ALERT_FIRING);
    ck_assert(region_id_equal(a->region->id, lab_id(d1)));
    ck_assert_uint_eq(lab.last->alert_count, 1);
    ck_assert_str_eq(lab.events, "fired 4;");
    lab_finish(&lab);
}
END_TEST

/* Its server is silent while the listing shows the new regions: those of a truncated
 * table are no daughters of what was split before. */
START_TEST(truncated_soon_after_a_split)
{
    firing(true);
    lab_move(&lab, 9, -1);
    born("90", "95", 0, 20);
    born("95", "", 1, 20);
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 1);
    ck_assert_uint_eq(counters().splits, 1);
    lab.down[1] = true;
    int count = lab.region_count;
    for (int i = 0; i < count; i++) {
        if (i == 9)
            continue;
        lab_move(&lab, i, -1);
        born(lab.regions[i].start, lab.regions[i].end, i % 2 * 2, 20);
        lab.regions[lab.region_count - 1].created_ms += 1000;
    }
    lab_tick(&lab, 1);
    lab_list(&lab);
    lab_tick(&lab, 1);
    ck_assert_uint_eq(counters().splits, 1);
    ck_assert_uint_eq(lab_table(&lab, "orders")->regions, 11);
    ck_assert_str_eq(lab.events, "fired 4;resolved dropped 4;");
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("descent", of_two_merged_the_older_goes_on, merged_and_cool,
          a_merge_with_one_alert, a_merge_that_was_none, a_truncated_table_is_no_split,
          a_large_table_recreated, idle_parents_have_idle_daughters,
          a_table_guessed_wrong, a_table_guessed_wrong_of_a_firing_alert,
          what_listings_teach, keys_add_up, listed_but_without_metrics,
          where_regions_are, replicas_by_the_listing, gone_before_its_keys_came,
          a_parent_that_lingers, truncated_soon_after_a_split)
