/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and CSV: alignment, quoting, control bytes. */
#include "hotspotctl/grid.h"

#include "tests/unit/common/harness.h"

static const struct grid_column columns[] = {{"NAME", "name", false, false},
                                             {"N", "n", true, false},
                                             {"KEY", "key", false, false}};

static void
assert_printed(void (*print)(const struct grid *, struct buf *), const char *want)
{
    struct grid g;
    struct buf out;

    grid_init(&g, columns, 3);
    buf_init(&out, 0);
    grid_add(&g, "a");
    grid_add(&g, "%d", 12345);
    grid_add(&g, "x,\"y\"");
    grid_add(&g, "caf\xc3\xa9s");
    grid_add(&g, "7");
    grid_add(&g, "%s", "a\nb\x1b");
    print(&g, &out);
    ck_assert_str_eq(out.data, want);
    buf_finish(&out);
    grid_finish(&g);
}

START_TEST(table)
{
    assert_printed(grid_print_table, "NAME       N  KEY\n"
                                     "a      12345  x,\"y\"\n"
                                     "caf\xc3\xa9s      7  a?b?\n");
}
END_TEST

START_TEST(csv)
{
    assert_printed(grid_print_csv, "name,n,key\n"
                                   "a,12345,\"x,\"\"y\"\"\"\n"
                                   "caf\xc3\xa9s,7,a?b?\n");
}
END_TEST

START_TEST(without_rows)
{
    struct grid g;
    struct buf out;

    grid_init(&g, columns, 3);
    buf_init(&out, 0);
    grid_print_table(&g, &out);
    ck_assert_str_eq(out.data, "NAME  N  KEY\n");
    buf_finish(&out);
    grid_finish(&g);
}
END_TEST

TEST_MAIN("hotspotctl/grid", table, csv, without_rows)
