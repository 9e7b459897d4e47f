/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/common/harness.h"

#include <string.h>

#include "collectors/text_source.h"

START_TEST(footers_end_a_text)
{
    static const struct {
        const char *tail;
        bool complete;
    } rows[] = {
        {"", false},
        {" x | y |\n 12 rows\nTook 0.1540 seconds\n\n", true},
        {" 12 rows", true},
        {" 12 rows\n", true},
        {"0 dead servers\nTook 2.1836 seconds\n[]\n", true},
        {"Took 0.5321 seconds", true},
        {"Took 0.7757 secondsERROR RuntimeError: Unknown table nosuch!\n", true},
        {" x | 12 rows |\n", false},
        {" 12 row", false},
        {"Took 0.1", false},
        {" 12 rows\nTook 0.1 seconds\nhost,1,1 | t,,1.\nhost,1,1 | t,a,1.\nhost,1",
         false},
        {"\n\n\n \n", false},
        {"rows\n", false},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(text_source_complete(rows[i].tail, strlen(rows[i].tail)) ==
                          rows[i].complete,
                      "row %zu", i);
}
END_TEST

TEST_MAIN("text_source", footers_end_a_text)
