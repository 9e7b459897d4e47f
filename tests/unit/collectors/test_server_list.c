/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/common/harness.h"

#include <errno.h>
#include <stdarg.h>

#include "collectors/server_list.h"
#include "tests/unit/temp_dir.h"

static struct regionservers_config config;
static struct server_list *list;
static struct moment now = {.mono_ms = 1000, .wall_ms = 1796070728391};

static void
start(char **static_targets, size_t count, char *file)
{
    char *error;

    config = (struct regionservers_config){
        .static_targets = {static_targets, count}, .file = file, .info_port = 16030};
    list = server_list_create(&config, &error);
    ck_assert_ptr_null(error);
}

/* Asserts that the set changed to the URLs given, or (NULL) that it did not change. */
static void
expect(const char *first, ...)
{
    char **urls;
    size_t count;
    size_t i = 0;
    va_list args;

    bool changed = server_list_changed(list, &urls, &count);
    ck_assert_int_eq(changed, first != NULL);
    va_start(args, first);
    for (const char *url = first; url != NULL; url = va_arg(args, const char *), i++) {
        ck_assert_uint_lt(i, count);
        ck_assert_str_eq(urls[i], url);
    }
    va_end(args);
    if (changed)
        ck_assert_uint_eq(i, count);
}

START_TEST(static_targets_are_merged_with_live_ones)
{
    char *targets[] = {"https://rs2:16030", "rs9:1"};
    char *live[] = {"rs2,16020,5", "RS1,16020,5"};

    start(targets, 2, NULL);
    expect("http://rs9:1", "https://rs2:16030", NULL);
    expect(NULL);
    server_list_set_live(list, live, 2, false);
    expect("http://rs1:16030", "http://rs9:1", "https://rs2:16030", NULL);
    server_list_set_live(list, live, 2, false);
    expect(NULL);
    server_list_set_live(list, live, 1, false);
    expect("http://rs9:1", "https://rs2:16030", NULL);
    server_list_destroy(list);
}
END_TEST

START_TEST(an_empty_live_list_is_not_believed)
{
    char *live[] = {"rs1,16020,5"};

    start(NULL, 0, NULL);
    server_list_set_live(list, live, 1, true);
    expect("https://rs1:16030", NULL);
    server_list_set_live(list, NULL, 0, true);
    expect(NULL);
    server_list_destroy(list);
}
END_TEST

START_TEST(info_ports_follow_live_servers)
{
    char *live[] = {"rs1,16020,1700000000001", "rs1,16021,1700000000001",
                    "rs2,16020,1"};
    const struct live_server known[] = {{"rs1,16021,1700000000001", 16031, -1},
                                        {"rs1,16020,1700000000001", 16032, -1},
                                        {"rs2,16020,1", 0, -1}};

    start(NULL, 0, NULL);
    server_list_hold(list, true);
    server_list_set_live(list, live, 3, false);
    expect(NULL);
    ck_assert(!server_list_lacks_ports(list));
    server_list_set_ports(list, known, 3);
    server_list_hold(list, false);
    expect("http://rs1:16031", "http://rs1:16032", "http://rs2:16030", NULL);
    ck_assert(!server_list_lacks_ports(list));
    /* Another start keeps the port for now, and asks for a look. */
    live[0] = "rs1,16020,1700000000077";
    server_list_set_live(list, live, 3, false);
    expect(NULL);
    ck_assert(server_list_lacks_ports(list));
    live[0] = "rs3,16020,1700000000077";
    server_list_set_live(list, live, 3, false);
    expect("http://rs1:16031", "http://rs2:16030", "http://rs3:16030", NULL);
    ck_assert(server_list_lacks_ports(list));
    server_list_destroy(list);
}
END_TEST

START_TEST(the_file_is_read_again_when_replaced)
{
    char *error = NULL;

    start(NULL, 0, (char *)temp_path("sd.json"));
    ck_assert_int_eq(server_list_look(list, now, &error), -ENOENT);
    ck_assert_ptr_nonnull(strstr(error, "sd.json"));
    free(error);
    ck_assert_int_eq(server_list_look(list, now, &error), 0); /* said once */
    temp_file("sd.json", "[{\"targets\":[\"a:1\"]}]");
    ck_assert_int_eq(server_list_look(list, now, &error), 0);
    expect("http://a:1", NULL);
    temp_file("sd.json", "[{\"targets\":[\"a:1\",]}]");
    ck_assert_int_eq(server_list_look(list, now, &error), -EINVAL);
    ck_assert_msg(strstr(error, "sd.json': line 1, column 20: ") != NULL, "%s", error);
    free(error);
    expect(NULL); /* the last good one stays */
    temp_file("sd.json", "[{\"targets\":[\"a:1\"]}]");
    ck_assert_int_eq(server_list_look(list, now, &error), 0);
    expect("http://a:1", NULL); /* said again: the file is good again */
    expect(NULL);
    unlink(temp_path("sd.json"));
    ck_assert_int_eq(server_list_look(list, now, &error), -ENOENT);
    free(error);
    expect(NULL);
    temp_file("sd.json", "[{\"targets\":[\"b:1\"]}]");
    ck_assert_int_eq(server_list_look(list, now, &error), 0);
    expect("http://b:1", NULL);
    server_list_destroy(list);
}
END_TEST

START_TEST(sources_go_by_address)
{
    char *targets[] = {"b:1"};
    struct url_list urls = {0};

    start(targets, 1, NULL);
    url_list_add(&urls, strdup("https://b:1"));
    url_list_add(&urls, strdup("https://a:1"));
    url_list_add(&urls, strdup("http://a:1"));
    server_list_set_http_sd(list, &urls);
    expect("http://a:1", "http://b:1", NULL); /* a once; b as configured */
    server_list_miss_http_sd(list);
    url_list_add(&urls, strdup("http://a:1"));
    server_list_set_http_sd(list, &urls);
    expect("http://a:1", "http://b:1", NULL); /* it works again */
    url_list_add(&urls, strdup("http://a:1"));
    server_list_set_http_sd(list, &urls);
    expect(NULL);
    server_list_destroy(list);
}
END_TEST

START_TEST(a_bad_static_target_is_named)
{
    char *targets[] = {"a:1", "nonsense"};
    char *error;

    config = (struct regionservers_config){.static_targets = {targets, 2}};
    list = server_list_create(&config, &error);
    ck_assert_ptr_nonnull(strstr(error, "'nonsense'"));
    free(error);
    expect("http://a:1", NULL);
    server_list_destroy(list);
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        static_targets_are_merged_with_live_ones,
        an_empty_live_list_is_not_believed,
        info_ports_follow_live_servers,
        the_file_is_read_again_when_replaced,
        sources_go_by_address,
        a_bad_static_target_is_named,
    };

    temp_dir_create();
    int status = run_tests("server_list", tests, sizeof tests / sizeof tests[0]);
    temp_dir_remove();
    return status;
}
