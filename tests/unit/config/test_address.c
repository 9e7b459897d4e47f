/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of addresses that are accepted and refused. */
#include <string.h>

#include "config/address.h"
#include "tests/unit/config/helpers.h"

struct sample {
    const char *text;
    bool good;
};

#define N(array) (sizeof(array) / sizeof *(array))

START_TEST(urls)
{
    static const struct {
        const char *text;
        unsigned flags;
        bool good;
    } samples[] = {
        {"http://hm1:16010", 0, true},
        {"https://hm1.example.com", 0, true},
        {"http://hm1:16010/", 0, true},
        {"http://10.0.0.1:1", 0, true},
        {"http://[2001:db8::1]:16010", 0, true},
        {"http://[::1]", 0, true},
        {"http://hm1:16010//", 0, false},
        {"http://hm1:16010/x", 0, false},
        {"http://hm1:16010/x/y", URL_PATH, true},
        {"http://hm1:16010/x?a=b", URL_PATH, false},
        {"http://hm1:16010/x?a=b#c", URL_PATH | URL_QUERY, true},
        {"http://hm1?a", URL_PATH | URL_QUERY, true},
        {"http://hm1/a b", URL_PATH, false},
        {"http://hm1/\x01", URL_PATH, false},
        {"http://u@hm1", URL_PATH, false},
        {"http://hm1/@", URL_PATH, true},
        {"http://hm1?u@x", URL_PATH | URL_QUERY, true},
        {"http://", 0, false},
        {"http://:1", 0, false},
        {"http:///x", URL_PATH, false},
        {"http:/hm1", 0, false},
        {"hm1", 0, false},
        {"", 0, false},
        {"http://hm1:", 0, false},
        {"http://hm1:0", 0, false},
        {"http://hm1:65535", 0, true},
        {"http://hm1:65536", 0, false},
        {"http://hm1:+1", 0, false},
        {"http://hm1: 1", 0, false},
        {"http://hm1:99999999999999999999", 0, false},
        {"http://[::1", 0, false},
        {"http://[::1]x", 0, false},
        {"http://[]:1", 0, false},
        {"http://[10.0.0.1]:1", 0, false},
        {"http://::1:1", 0, false},
        {"http://1.2.3:1", 0, false},
        {"http://1.2.3.4.5:1", 0, false},
        {"http://3com.example:1", 0, true},
    };

    for (size_t i = 0; i < N(samples); i++) {
        const char *wrong = address_check_url(samples[i].text, samples[i].flags);
        ck_assert_msg((wrong == NULL) == samples[i].good, "%s: %s", samples[i].text,
                      wrong ? wrong : "accepted");
    }
}
END_TEST

START_TEST(targets)
{
    static const struct sample samples[] = {
        {"rs1:16030", true},
        {"rs_1.example.com:1", true},
        {"[::1]:16030", true},
        {"http://rs1:16030", true},
        {"https://rs1:16030/", true},
        {"10.1.2.3:1", true},
        {"rs1", false},
        {"rs1:", false},
        {"rs1:0", false},
        {":16030", false},
        {"[::1]", false},
        {"::1:16030", false},
        {"[::1:16030", false},
        {"rs1:16030/", false},
        {"ftp://rs1:1", false},
        {"u@rs1:1", false},
        {"", false},
        {"[]", false},
        {"[", false},
        {":", false},
        {"rs1:1:2", false},
    };

    for (size_t i = 0; i < N(samples); i++) {
        const char *wrong = address_check_target(samples[i].text);
        ck_assert_msg((wrong == NULL) == samples[i].good, "%s: %s", samples[i].text,
                      wrong ? wrong : "accepted");
    }
}
END_TEST

START_TEST(listen_addresses)
{
    static const struct sample samples[] = {
        {":16090", true},      {":0", true},          {"127.0.0.1:0", true},
        {"[::]:16090", true},  {"localhost:1", true}, {"16090", false},
        {"[]:1", false},       {"::1", false},        {"", false},
        {":", false},          {":65536", false},     {"localhost", false},
        {"http://a:1", false},
    };

    for (size_t i = 0; i < N(samples); i++) {
        const char *wrong = address_check_listen(samples[i].text);
        ck_assert_msg((wrong == NULL) == samples[i].good, "%s: %s", samples[i].text,
                      wrong ? wrong : "accepted");
    }
}
END_TEST

START_TEST(host_names_have_a_longest)
{
    char text[300];

    memset(text, 'a', sizeof text);
    strcpy(text + 253, ":1");
    ck_assert_ptr_null(address_check_target(text));
    text[253] = 'a';
    strcpy(text + 254, ":1");
    ck_assert_ptr_nonnull(address_check_target(text));
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {urls, targets, listen_addresses,
                                  host_names_have_a_longest};
    return run_tests("address", tests, sizeof tests / sizeof *tests);
}
