/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/options.h"

#include <string.h>
#include <unistd.h>

#include "common/log.h"
#include "tests/unit/common/harness.h"

static struct options o;
static struct buf text;

/* Words, ended by NULL, without the program's name. */
static enum options_result
parse(const char *const *words)
{
    static char *argv[16];
    int argc = 1;

    argv[0] = (char *)"hotspotd";
    for (; words[argc - 1] != NULL; argc++)
        argv[argc] = (char *)words[argc - 1];
    argv[argc] = NULL;
    buf_init(&text, 0);
    return options_parse(argc, argv, &o, &text);
}

static void
end(void)
{
    options_finish(&o);
    buf_finish(&text);
}

#define PARSE(...) parse((const char *const[]){__VA_ARGS__, NULL})

static void
wrong(enum options_result result, const char *part)
{
    ck_assert_int_eq(result, OPTIONS_WRONG);
    ck_assert_msg(strstr(text.data, part) != NULL, "no '%s' in: %s", part, text.data);
    end();
}

START_TEST(flags_are_read)
{
    ck_assert_int_eq(PARSE("--config.file=a.yaml", "--web.listen-address=:1",
                           "--web.listen-address", "[::1]:2", "--web.telemetry-path=/m",
                           "--web.enable-lifecycle", "--log.level=debug",
                           "--log.format=json", "--check-config"),
                     OPTIONS_RUN);
    ck_assert_str_eq(o.config_file, "a.yaml");
    ck_assert_uint_eq(o.listen.count, 2);
    ck_assert_str_eq(o.listen.items[1], "[::1]:2");
    ck_assert_str_eq(o.telemetry_path, "/m");
    ck_assert(o.enable_lifecycle && o.check_config);
    end();
}
END_TEST

START_TEST(masters_stand_by_themselves)
{
    ck_assert_int_eq(PARSE("http://hm1:16010", "--log.level=warn", "http://hm2:16010"),
                     OPTIONS_RUN);
    ck_assert_uint_eq(o.masters.count, 2);
    ck_assert_str_eq(o.masters.items[1], "http://hm2:16010");
    end();
    wrong(PARSE("http://hm1:16010", "--config.file=x"), "http://hm1:16010");
}
END_TEST

START_TEST(wrong_lines_are_told)
{
    wrong(PARSE("--nonsense"), "--nonsense");
    wrong(PARSE("--web.config.file=x"), "--web.config.file");
    wrong(PARSE("--config.file"), "--config.file");
    wrong(PARSE("--log.level=loud"), "debug");
    wrong(PARSE("--log.format=xml"), "json");
    wrong(PARSE("--web."), "ambiguous");
    wrong(PARSE("-x"), "-x");
}
END_TEST

START_TEST(texts_are_printed)
{
    ck_assert_int_eq(PARSE("--version"), OPTIONS_PRINT);
    ck_assert_ptr_nonnull(strstr(text.data, "hotspotd 0."));
    ck_assert_ptr_nonnull(strstr(text.data, "revision"));
    end();
    ck_assert_int_eq(PARSE("--help"), OPTIONS_PRINT);
    ck_assert_ptr_nonnull(strstr(text.data, "--web.listen-address=ADDRESS"));
    end();
}
END_TEST

/* ---- the configuration ---- */

static char path[64];

static void
write_file(const char *content)
{
    snprintf(path, sizeof path, "/tmp/options-test-%d.yaml", getpid());
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(content, file);
    fclose(file);
}

START_TEST(flags_override_the_file_and_say_so)
{
    struct config_problems problems;
    struct buf notes;

    write_file("http: { listen: [ \":1\" ] }\nlog: { level: warn }\n");
    ck_assert_int_eq(PARSE("--config.file", path, "--web.listen-address=127.0.0.1:0",
                           "--log.level=debug", "--log.format=json",
                           "--web.telemetry-path=/m"),
                     OPTIONS_RUN);
    buf_init(&notes, 0);
    struct config *config = options_load_config(&o, &problems, &notes);
    ck_assert_ptr_nonnull(config);
    ck_assert_uint_eq(config->http.listen.count, 1);
    ck_assert_str_eq(config->http.listen.items[0], "127.0.0.1:0");
    ck_assert_int_eq(config->log.level, LOG_DEBUG);
    ck_assert_int_eq(config->log.format, LOG_FORMAT_JSON);
    ck_assert_str_eq(config->http.telemetry_path, "/m");
    ck_assert_ptr_nonnull(strstr(notes.data, "--web.listen-address overrides"));
    ck_assert_ptr_nonnull(strstr(notes.data, "--log.level overrides"));
    /* The file does not set it: nothing is overridden. */
    ck_assert_ptr_null(strstr(notes.data, "log.format"));
    config_destroy(config);
    config_problems_finish(&problems);
    buf_finish(&notes);
    end();
    unlink(path);
}
END_TEST

START_TEST(masters_make_a_configuration)
{
    struct config_problems problems;
    struct buf notes;

    buf_init(&notes, 0);
    ck_assert_int_eq(PARSE("http://hm1:16010"), OPTIONS_RUN);
    struct config *config = options_load_config(&o, &problems, &notes);
    ck_assert_ptr_nonnull(config);
    ck_assert_str_eq(config->masters.items[0], "http://hm1:16010");
    ck_assert_str_eq(config->http.listen.items[0], ":16090");
    config_destroy(config);
    config_problems_finish(&problems);
    end();
    ck_assert_int_eq(PARSE("ftp://hm1"), OPTIONS_RUN);
    ck_assert_ptr_null(options_load_config(&o, &problems, &notes));
    ck_assert_uint_ge(problems.errors, 1);
    config_problems_finish(&problems);
    buf_finish(&notes);
    end();
}
END_TEST

START_TEST(flags_are_checked_like_the_file)
{
    static const char *const bad[] = {
        "--web.listen-address=nonsense", "--web.telemetry-path=metrics",
        "--web.telemetry-path=/sd",      "--web.telemetry-path=/web/app.js",
        "--web.telemetry-path=/-/ready", "--web.telemetry-path=/",
    };
    struct config_problems problems;
    struct buf notes;

    buf_init(&notes, 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(PARSE(bad[i]), OPTIONS_RUN);
        ck_assert_msg(options_load_config(&o, &problems, &notes) == NULL, "%s", bad[i]);
        config_problems_finish(&problems);
        end();
    }
    buf_finish(&notes);
}
END_TEST

START_TEST(problems_have_a_place)
{
    struct config_problem problem = {false, 3, 7, (char *)"what"};
    struct buf out;

    buf_init(&out, 0);
    o = (struct options){.config_file = "f.yaml"};
    options_print_problem(&o, &problem, &out);
    ck_assert_str_eq(out.data, "f.yaml:3:7: what");
    buf_reset(&out);
    problem.line = 0;
    problem.warning = true;
    options_print_problem(&o, &problem, &out);
    ck_assert_str_eq(out.data, "f.yaml: warning: what");
    buf_finish(&out);
}
END_TEST

TEST_MAIN("options", flags_are_read, masters_stand_by_themselves, wrong_lines_are_told,
          texts_are_printed, flags_override_the_file_and_say_so,
          masters_make_a_configuration, flags_are_checked_like_the_file,
          problems_have_a_place)
