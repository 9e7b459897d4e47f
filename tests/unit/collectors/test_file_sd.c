/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/common/harness.h"

#include <errno.h>
#include <string.h>

#include "collectors/file_sd.h"
#include "common/buf.h"

static int
parse(const char *text, struct url_list *ret, char **ret_error)
{
    return file_sd_parse(text, strlen(text), ret, ret_error);
}

START_TEST(targets_of_all_entries)
{
    struct url_list l = {0};
    char *error = NULL;

    ck_assert_int_eq(
        parse("[ {\"targets\": [\"A:1\", \"b:2\"], \"labels\": {\"x\": 7}},\n"
              "  {\"labels\": {}, \"other\": [], \"targets\": []},"
              "  {\"targets\": [\"[::1]:3\"]} ] \n",
              &l, &error),
        0);
    ck_assert_uint_eq(l.count, 3);
    ck_assert_str_eq(l.items[0], "http://a:1");
    ck_assert_str_eq(l.items[1], "http://b:2");
    ck_assert_str_eq(l.items[2], "http://[::1]:3");
    url_list_finish(&l);
    ck_assert_int_eq(parse("[]", &l, &error), 0);
    ck_assert_uint_eq(l.count, 0);
}
END_TEST

START_TEST(what_is_wrong_and_where)
{
    static const struct {
        const char *text;
        const char *part; /* of the error */
    } rows[] = {
        {"", "line 1, column 1"},
        {"[\n  {\"targets\": [\"a:1\",, ]}]", "line 2, column"},
        {"[] x", "line 1"},
        {"{}", "expected an array"},
        {"[7]", "entry 1: expected an object"},
        {"[{\"targets\": [\"a:1\"]}, {}]", "entry 2: expected \"targets\""},
        {"[{\"targets\": {}}]", "entry 1: expected \"targets\" to be an array"},
        {"[{\"targets\": [1]}]", "entry 1, target 1: expected a string"},
        {"[{\"targets\": [\"a:1\", \"b\\nc\"]}]", "target 2: 'b\\x0Ac', expected"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct url_list l = {0};
        char *error = NULL;
        ck_assert_int_eq(parse(rows[i].text, &l, &error), -EINVAL);
        ck_assert_msg(strstr(error, rows[i].part) != NULL, "%s", error);
        ck_assert_uint_eq(l.count, 0);
        free(error);
    }
}
END_TEST

START_TEST(lists_have_limits)
{
    struct url_list l = {0};
    struct buf b;
    char *error = NULL;

    buf_init(&b, 0);
    buf_adds(&b, "[{\"targets\":[\"a:1\"");
    for (int i = 1; i < FILE_SD_TARGETS_MAX; i++)
        buf_adds(&b, ",\"a:1\"");
    size_t len = b.len;
    buf_adds(&b, "]}]");
    ck_assert_int_eq(file_sd_parse(b.data, b.len, &l, &error), 0);
    ck_assert_uint_eq(l.count, FILE_SD_TARGETS_MAX);
    url_list_finish(&l);
    b.len = len;
    buf_adds(&b, ",\"a:1\"]}]");
    ck_assert_int_eq(file_sd_parse(b.data, b.len, &l, &error), -E2BIG);
    free(error);
    b.len = 0;
    while (b.len <= FILE_SD_BYTES_MAX)
        buf_adds(&b, "                                        ");
    ck_assert_int_eq(file_sd_parse(b.data, b.len, &l, &error), -E2BIG);
    free(error);
    buf_finish(&b);
}
END_TEST

START_TEST(random_documents_do_no_harm)
{
    static const char *const pieces[] = {"[",  "]",       "{", "}", "\"targets\"",
                                         ":",  "\"a:1\"", ",", "7", "null",
                                         "\\", "\"",      " "};
    struct generator g = start_generator("random_documents_do_no_harm");

    for (int run = 0; run < 5000; run++) {
        struct url_list l = {0};
        struct buf b;
        char *error = NULL;
        buf_init(&b, 0);
        for (size_t n = next_below(&g, 20); n > 0; n--)
            buf_adds(&b, pieces[next_below(&g, sizeof pieces / sizeof pieces[0])]);
        int r = file_sd_parse(b.data, b.len, &l, &error);
        ck_assert((r == 0) == (error == NULL));
        url_list_finish(&l);
        free(error);
        buf_finish(&b);
    }
}
END_TEST

TEST_MAIN("file_sd", targets_of_all_entries, what_is_wrong_and_where, lists_have_limits,
          random_documents_do_no_harm)
