/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/common/harness.h"

#include <errno.h>
#include <string.h>

#include "collectors/address.h"

START_TEST(good_addresses_have_one_form)
{
    static const char *const rows[][2] = {
        {"rs1:16030", "http://rs1:16030"},
        {"RS1.Example.COM:16030", "http://rs1.example.com:16030"},
        {"http://rs1:16030", "http://rs1:16030"},
        {"HTTPS://rs1:16030/", "https://rs1:16030"},
        {"http://rs1", "http://rs1:80"},
        {"https://rs1/", "https://rs1:443"},
        {"10.0.0.1:1", "http://10.0.0.1:1"},
        {"[::1]:16030", "http://[::1]:16030"},
        {"https://[2001:DB8::1]:16030", "https://[2001:db8::1]:16030"},
        {"under_score-x:65535", "http://under_score-x:65535"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *url;
        ck_assert_int_eq(address_parse(rows[i][0], strlen(rows[i][0]), &url), 0);
        ck_assert_str_eq(url, rows[i][1]);
        free(url);
    }
}
END_TEST

START_TEST(bad_addresses_are_refused)
{
    static const char *const rows[] = {
        "",
        "rs1",
        ":16030",
        "rs1:",
        "rs1:0",
        "rs1:65536",
        "rs1:16030x",
        "rs1:-1",
        "r s:1",
        "user@rs1:1",
        "http://u:p@rs1:1",
        "http://rs1:1/jmx",
        "[::1]",
        "[::1:16030",
        "[rs1]:16030",
        "::1:16030",
        "ftp://a:1",
        "http://",
        "rs1:1/",
        "-rs:1",
        "a\nb:1",
        "http://rs1:",
        "[]:1",
        "rs1:16030:16031",
        "a?b:1",
        "rs1:99999999999999999999",
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *url = NULL;
        ck_assert_msg(address_parse(rows[i], strlen(rows[i]), &url) == -EINVAL,
                      "'%s' was taken", rows[i]);
        ck_assert_ptr_null(url);
    }
}
END_TEST

START_TEST(random_bytes_do_no_harm)
{
    struct generator g = start_generator("random_bytes_do_no_harm");

    for (int run = 0; run < 20000; run++) {
        static const char alphabet[] = "http://[]:.1a,-@";
        char text[300];
        size_t len = next_below(&g, run % 10 == 0 ? sizeof text : 24);
        char *url = NULL;
        for (size_t i = 0; i < len; i++)
            text[i] = alphabet[next_below(&g, sizeof alphabet)];
        if (address_parse(text, len, &url) == 0) {
            char *again = NULL;
            ck_assert_int_eq(address_parse(url, strlen(url), &again), 0);
            ck_assert_str_eq(url, again);
            free(again);
        }
        free(url);
    }
}
END_TEST

START_TEST(servers_have_addresses)
{
    char *url;

    ck_assert_int_eq(address_of_server("Rs1,16020,17", false, 16030, &url), 0);
    ck_assert_str_eq(url, "http://rs1:16030");
    free(url);
    ck_assert_int_eq(address_of_server("fe80::1,16020,17", true, 1, &url), 0);
    ck_assert_str_eq(url, "https://[fe80::1]:1");
    free(url);
    ck_assert_int_eq(address_of_server("[fe80::1],16020,17", false, 1, &url), 0);
    ck_assert_str_eq(url, "http://[fe80::1]:1");
    free(url);
    static const char *const bad[] = {"",       "rs1",    "rs1,1",   ",1,2",
                                      "rs1,,2", "rs1,1,", "a/b,1,2", "rs1,1,x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_int_eq(address_of_server(bad[i], false, 1, &url), -EINVAL);
    ck_assert_uint_eq(address_server_prefix("rs1,16020,17"), 9);
    ck_assert_str_eq(address_key("https://rs1:1"), "rs1:1");
}
END_TEST

TEST_MAIN("address", good_addresses_have_one_form, bad_addresses_are_refused,
          random_bytes_do_no_harm, servers_have_addresses)
