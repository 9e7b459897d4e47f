/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/table_findings.h"

#include <string.h>

#include "lab.h"
#include "tests/unit/common/harness.h"

static struct lab lab;

/* A listing with these sizes in MiB, by region. */
static void
list_sizes(const int *mib)
{
    struct message *m = lab_listing(&lab, NULL);

    for (size_t i = 0; i < m->listing.row_count; i++)
        m->listing.rows[i].size_bytes = (int64_t)mib[i] << 20;
    engine_apply_listing(lab.engine, &m->listing);
    message_destroy(m);
}

static const struct table_finding *
finding(const char *table, enum table_finding_kind kind)
{
    const struct table_findings *f = lab_table(&lab, table)->findings;

    for (size_t i = 0; f != NULL && i < f->count; i++)
        if (f->items[i].kind == kind)
            return &f->items[i];
    return NULL;
}

START_TEST(idle_neighbours_are_merged)
{
    static const int sizes[10] = {10, 10, 10, 10, 10, 10, 10, 900, 10, 10};
    char a[REGION_ID_TEXT_SIZE], b[REGION_ID_TEXT_SIZE], command[100];

    lab_even_table(&lab, 0, 1);
    lab_even_keys(&lab);
    lab.regions[2].read_rate = 5; /* 7 is too large; left: 0-1, 3-4, 5-6, 8-9 */
    list_sizes(sizes);
    lab_tick(&lab, 100);
    ck_assert_ptr_null(finding("orders", FINDING_MERGE)); /* not idle for an hour */
    lab_tick(&lab, 60);
    const struct table_finding *f = finding("orders", FINDING_MERGE);
    ck_assert_ptr_nonnull(f);
    ck_assert_str_eq(f->text,
                     "4 pairs of neighbouring regions have had no request for an hour "
                     "or longer and hold at most 512 MiB each; they can be merged.");
    ck_assert_uint_eq(f->command_count, 4);
    snprintf(command, sizeof command, "merge_region '%s', '%s'",
             region_id_text(lab_id(3), a), region_id_text(lab_id(4), b));
    ck_assert_str_eq(f->commands[1].command, command);
    lab_finish(&lab);
}
END_TEST

START_TEST(each_server_keeps_a_region)
{
    static const int sizes[4] = {1, 1, 1, 1};

    lab_init(&lab, 3);
    for (int i = 0; i < 4; i++)
        lab_region(&lab, "t", i % 3, 0, 0);
    static const char *const keys[] = {"", "b", "c", "d", ""};
    for (int i = 0; i < 4; i++) {
        lab.regions[i].start = keys[i];
        lab.regions[i].end = keys[i + 1];
    }
    lab_start(&lab);
    list_sizes(sizes);
    lab_tick(&lab, 160);
    ck_assert_uint_eq(finding("t", FINDING_MERGE)->command_count, 1); /* not two */
    lab_finish(&lab);
}
END_TEST

START_TEST(uneven_sizes)
{
    static const int sizes[10] = {300, 300, 300, 300, 300, 1300, 300, 300, 300, 300};
    char id[REGION_ID_TEXT_SIZE], command[100];

    lab_even_table(&lab, 20, 1);
    lab_even_keys(&lab);
    list_sizes(sizes);
    lab_tick(&lab, 1);
    const struct table_finding *f = finding("orders", FINDING_UNEVEN_SIZES);
    ck_assert_ptr_nonnull(f);
    ck_assert_str_eq(f->text,
                     "The largest region holds 1.3 GiB, the median is 300 MiB.");
    snprintf(command, sizeof command, "split '%s'", region_id_text(lab_id(5), id));
    ck_assert_str_eq(f->commands[0].command, command);
    static const int less[10] = {330, 330, 330, 330, 330, 1300, 330, 330, 330, 330};
    list_sizes(less);
    lab_tick(&lab, 1); /* a listing renews it at once */
    ck_assert_ptr_null(finding("orders", FINDING_UNEVEN_SIZES));
    lab_finish(&lab);
}
END_TEST

START_TEST(numbers_and_servers)
{
    static int sizes[LAB_REGIONS];

    lab_init(&lab, 3);
    for (int i = 0; i < 93; i++)
        lab_region(&lab, "many", i % 3, 5, 0);
    for (int i = 0; i < 6; i++)
        lab_region(&lab, "one_place", 1, 5, 0);
    for (int i = 0; i < 5; i++)
        lab_region(&lab, "two_places", i % 2, 5, 0);
    for (int i = 0; i < 104; i++)
        sizes[i] = i >= 99 ? 30 << 10 : 100;
    lab_start(&lab);
    list_sizes(sizes);
    lab_tick(&lab, 2);
    const struct table_finding *f = finding("many", FINDING_MANY_REGIONS);
    ck_assert_ptr_nonnull(f);
    ck_assert_str_eq(
        f->text,
        "93 regions are 31 on each of 3 servers; 10 to 30, of all tables together, "
        "are good. A region holds 100 MiB on average.");
    f = finding("one_place", FINDING_FEW_SERVERS);
    ck_assert_ptr_nonnull(f);
    ck_assert_str_eq(f->text, "Its 6 regions are on 1 of 3 servers.");
    ck_assert_str_eq(f->commands[0].command, "balancer");
    ck_assert_ptr_null(finding("two_places", FINDING_FEW_SERVERS));
    ck_assert_ptr_nonnull(finding("two_places", FINDING_FEW_REGIONS)); /* 30 GiB each */
    ck_assert_ptr_null(finding("many", FINDING_FEW_SERVERS));
    ck_assert_ptr_null(finding("one_place", FINDING_MANY_REGIONS));
    ck_assert_str_eq(table_finding_name(FINDING_FEW_SERVERS), "few-servers");
    lab_finish(&lab);
}
END_TEST

TEST_MAIN("table_findings", idle_neighbours_are_merged, each_server_keeps_a_region,
          uneven_sizes, numbers_and_servers)
