/* SPDX-License-Identifier: Apache-2.0 */
/* The log: its three formats on a real stderr, quoting, limits, and several threads. */
#define LOG_MODULE "test"
#include "common/log.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/utf8.h"
#include "tests/unit/common/harness.h"

/* Sends stderr to a memory file until capture_end(), which returns what was written
 * (the caller frees it). */
static int kept_stderr;

static void
capture_begin(void)
{
    int fd = memfd_create("stderr", MFD_CLOEXEC);

    ck_assert_int_ge(fd, 0);
    kept_stderr = dup(STDERR_FILENO);
    ck_assert_int_ge(dup2(fd, STDERR_FILENO), 0);
    ck_assert_int_eq(fcntl(STDERR_FILENO, F_SETFL, O_APPEND), 0);
    close(fd);
}

static char *
capture_end(void)
{
    struct stat st;

    ck_assert_int_eq(fstat(STDERR_FILENO, &st), 0);
    char *text = calloc(1, st.st_size + 1);
    ck_assert_int_eq(pread(STDERR_FILENO, text, st.st_size, 0), st.st_size);
    dup2(kept_stderr, STDERR_FILENO);
    close(kept_stderr);
    return text;
}

START_TEST(names)
{
    enum log_level level = LOG_WARN;

    ck_assert_str_eq(log_level_name(LOG_ERROR), "error");
    ck_assert_str_eq(log_level_name(LOG_DEBUG), "debug");
    ck_assert_int_eq(log_level_parse("trace", &level), -EINVAL);
    ck_assert_int_eq(log_level_parse("", &level), -EINVAL);
    ck_assert_int_eq(level, LOG_WARN);
    for (enum log_level l = 0; l < LOG_LEVEL_COUNT; l++) {
        ck_assert_int_eq(log_level_parse(log_level_name(l), &level), 0);
        ck_assert_int_eq(level, l);
    }
}
END_TEST

START_TEST(journal_format)
{
    log_setup(LOG_DEBUG, LOG_FORMAT_JOURNAL);
    capture_begin();
    log_error("lost %d", 1);
    log_warn("slow");
    log_info("up");
    log_debug("tick");
    char *text = capture_end();
    ck_assert_str_eq(text,
                     "<3>test: lost 1\n<4>test: slow\n<6>test: up\n<7>test: tick\n");
    free(text);
}
END_TEST

START_TEST(text_format)
{
    log_setup(LOG_INFO, LOG_FORMAT_TEXT);
    capture_begin();
    log_warn("slow: %s", "rs1");
    char *text = capture_end();
    unsigned v[7];
    int end = 0;

    ck_assert_int_eq(sscanf(text, "%4u-%2u-%2u %2u:%2u:%2u.%3u%n", &v[0], &v[1], &v[2],
                            &v[3], &v[4], &v[5], &v[6], &end),
                     7);
    ck_assert_int_eq(end, 23);
    ck_assert_str_eq(text + end, " warn  test: slow: rs1\n");
    free(text);
}
END_TEST

START_TEST(json_format)
{
    log_setup(LOG_INFO, LOG_FORMAT_JSON);
    capture_begin();
    log_info("name \"%s\"", "\xff<");
    char *text = capture_end();

    ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
    cJSON *line = cJSON_Parse(text);
    ck_assert_ptr_nonnull(line);
    ck_assert_uint_eq(strlen(cJSON_GetObjectItem(line, "time")->valuestring), 24);
    ck_assert_str_eq(cJSON_GetObjectItem(line, "level")->valuestring, "info");
    ck_assert_str_eq(cJSON_GetObjectItem(line, "module")->valuestring, "test");
    ck_assert_str_eq(cJSON_GetObjectItem(line, "message")->valuestring,
                     "name \"\xef\xbf\xbd<\"");
    cJSON_Delete(line);
    free(text);
}
END_TEST

START_TEST(level_decides_and_counts)
{
    uint64_t before[LOG_LEVEL_COUNT];

    for (enum log_level l = 0; l < LOG_LEVEL_COUNT; l++)
        before[l] = log_count(l);
    log_setup(LOG_WARN, LOG_FORMAT_JOURNAL);
    capture_begin();
    log_info("not written");
    log_debug("not written");
    log_warn("a");
    log_error("b");
    log_error("c");
    char *text = capture_end();
    ck_assert_str_eq(text, "<4>test: a\n<3>test: b\n<3>test: c\n");
    free(text);
    ck_assert_uint_eq(log_count(LOG_ERROR) - before[LOG_ERROR], 2);
    ck_assert_uint_eq(log_count(LOG_WARN) - before[LOG_WARN], 1);
    ck_assert_uint_eq(log_count(LOG_INFO) - before[LOG_INFO], 0);
    ck_assert_uint_eq(log_count(LOG_DEBUG) - before[LOG_DEBUG], 0);
}
END_TEST

START_TEST(one_message_is_one_line)
{
    char big[5000];

    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    log_setup(LOG_INFO, LOG_FORMAT_JOURNAL);
    capture_begin();
    log_info("two\nlines\x1b[31m\x7f");
    log_info("%s", big);
    char *text = capture_end();
    ck_assert_ptr_nonnull(strstr(text, "<6>test: two lines [31m \n<6>test: xxx"));
    ck_assert_uint_lt(strlen(text), 2200);
    ck_assert_str_eq(text + strlen(text) - 5, "x...\n");
    free(text);
}
END_TEST

START_TEST(failing_stderr_is_survived)
{
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    int kept = dup(STDERR_FILENO);

    ck_assert_int_ge(full, 0);
    log_setup(LOG_INFO, LOG_FORMAT_JOURNAL);
    dup2(full, STDERR_FILENO);
    errno = ENOENT;
    log_info("lost");
    int after = errno;
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(full);
    ck_assert_int_eq(after, ENOENT);
}
END_TEST

/* With AUTO the journal's form is used only if $JOURNAL_STREAM names this very stderr.
 * The choice is made once in a process, so this test has one of its own. */
static char *
auto_line(bool is_journal)
{
    struct stat st;
    char stream[64];
    int fds[2];
    static char line[200];

    ck_assert_int_eq(pipe(fds), 0);
    fflush(NULL);
    if (fork() == 0) {
        dup2(fds[1], STDERR_FILENO);
        fstat(STDERR_FILENO, &st);
        snprintf(stream, sizeof stream, "%ju:%ju", (uintmax_t)st.st_dev,
                 (uintmax_t)st.st_ino + !is_journal);
        setenv("JOURNAL_STREAM", stream, 1);
        log_setup(LOG_INFO, LOG_FORMAT_AUTO);
        log_info("hello");
        _exit(0);
    }
    close(fds[1]);
    ssize_t len = read(fds[0], line, sizeof line - 1);
    ck_assert_int_gt(len, 0);
    line[len] = '\0';
    close(fds[0]);
    return line;
}

START_TEST(auto_format)
{
    ck_assert_str_eq(auto_line(true), "<6>test: hello\n");
    ck_assert_ptr_nonnull(strstr(auto_line(false), " info  test: hello\n"));
}
END_TEST

enum { N_THREADS = 4, N_LINES = 500 };

static void *
log_many(void *arg)
{
    for (int i = 0; i < N_LINES; i++)
        log_info("%s %d of a line long enough to be cut if it were not one write",
                 (char *)arg, i);
    return NULL;
}

START_TEST(lines_of_threads_stay_whole)
{
    pthread_t threads[N_THREADS];
    uint64_t before = log_count(LOG_INFO);
    int lines = 0;

    log_setup(LOG_INFO, LOG_FORMAT_JOURNAL);
    capture_begin();
    for (int i = 0; i < N_THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, log_many, "thread"), 0);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    char *text = capture_end();
    for (char *line = text; *line != '\0'; lines++) {
        int n, end = 0;
        sscanf(line,
               "<6>test: thread %d of a line long enough to be cut if it were not one "
               "write%n",
               &n, &end);
        ck_assert_int_gt(end, 0);
        ck_assert_int_eq(line[end], '\n');
        line += end + 1;
    }
    ck_assert_int_eq(lines, N_THREADS * N_LINES);
    ck_assert_uint_eq(log_count(LOG_INFO) - before, N_THREADS * N_LINES);
    free(text);
}
END_TEST

static void
assert_quote(const char *s, size_t len, const char *want)
{
    char out[LOG_QUOTE_SIZE];

    ck_assert_str_eq(log_quote(s, len, out), want);
}

#define ASSERT_QUOTE(s, want) assert_quote(s, sizeof(s) - 1, want)

START_TEST(quoting)
{
    ASSERT_QUOTE("", "''");
    ASSERT_QUOTE("t1", "'t1'");
    ASSERT_QUOTE("it's \\ \"x\"", "'it\\x27s \\x5C \"x\"'");
    ASSERT_QUOTE("a\nb\0\x1b\x7f", "'a\\x0Ab\\x00\\x1B\\x7F'");
    ASSERT_QUOTE("caf\xc3\xa9 \xc3", "'caf\xc3\xa9 \\xC3'");
    ASSERT_QUOTE("a\xc2\x9b"
                 "31m\xc2\xa0",
                 "'a\\xC2\\x9B31m\xc2\xa0'");
}
END_TEST

START_TEST(quoting_is_cut)
{
    char s[400], out[LOG_QUOTE_SIZE];

    memset(s, 'a', sizeof s);
    for (size_t len = 240; len < 270; len++) {
        log_quote(s, len, out);
        size_t n = strlen(out);
        ck_assert_uint_lt(n, LOG_QUOTE_SIZE);
        bool cut = strcmp(out + n - 4, "...'") == 0;
        ck_assert(cut ? n >= LOG_QUOTE_SIZE - 5 : n == len + 2);
        ck_assert_uint_eq(cut, len > 250);
    }
}
END_TEST

START_TEST(quoting_any_bytes)
{
    struct generator g = start_generator("log_quote");

    for (int i = 0; i < 3000; i++) {
        char s[300], out[LOG_QUOTE_SIZE];
        size_t len = next_below(&g, sizeof s);

        for (size_t k = 0; k < len; k++)
            s[k] = (char)(next_below(&g, 2) ? next_u64(&g) : 'a' + next_below(&g, 26));
        log_quote(s, len, out);
        size_t n = strlen(out);
        ck_assert_uint_lt(n, sizeof out);
        ck_assert(out[0] == '\'' && out[n - 1] == '\'');
        ck_assert_ptr_eq(strchr(out + 1, '\''), out + n - 1);
        ck_assert(utf8_valid(out, n));
        size_t bad = 0;
        for (size_t k = 0; k < n; k++)
            bad += (unsigned char)out[k] < 0x20 || out[k] == 0x7f;
        ck_assert_uint_eq(bad, 0);
    }
}
END_TEST

START_TEST(repeats_are_held_back)
{
    struct log_limit limit = {0};
    unsigned held = 99;

    ck_assert(log_allowed(&limit, 5000, &held));
    ck_assert_uint_eq(held, 0);
    held = 99;
    for (int i = 0; i < 7; i++)
        ck_assert(!log_allowed(&limit, 5001 + i, &held));
    ck_assert(!log_allowed(&limit, 64999, &held));
    ck_assert_uint_eq(held, 99);
    ck_assert(log_allowed(&limit, 65000, &held));
    ck_assert_uint_eq(held, 8);
    ck_assert(!log_allowed(&limit, 65001, &held));
    ck_assert(log_allowed(&limit, 200000, &held));
    ck_assert_uint_eq(held, 1);
}
END_TEST

TEST_MAIN("log", names, journal_format, text_format, json_format,
          level_decides_and_counts, one_message_is_one_line, failing_stderr_is_survived,
          auto_format, lines_of_threads_stay_whole, quoting, quoting_is_cut,
          quoting_any_bytes, repeats_are_held_back)
