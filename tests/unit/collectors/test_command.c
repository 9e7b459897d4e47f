/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/common/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include "collectors/command.h"
#include "common/clock.h"
#include "tests/unit/temp_dir.h"

static const struct command_limits limits = {
    .timeout_ms = 5000, .grace_ms = 100, .output = 1 << 20};

static char *error;
static struct buf output;

/* Steps until it is over, waiting on its descriptors as the collector does. */
static void
drive(struct command *c)
{
    int fds[COMMAND_FDS];

    while (!command_step(c, clock_now().mono_ms)) {
        struct pollfd polled[COMMAND_FDS];
        unsigned n = command_fds(c, fds);
        for (unsigned i = 0; i < n; i++)
            polled[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
        int64_t wait = command_next_ms(c) - clock_now().mono_ms;
        poll(polled, n, wait < 0 ? 0 : (int)wait);
    }
}

static enum poll_outcome
run_with(const char *const *argv, const struct command_limits *with)
{
    struct command *c = command_start(argv, with, clock_now().mono_ms, &error);

    ck_assert_ptr_nonnull(c);
    drive(c);
    error = NULL;
    enum poll_outcome outcome = command_result(c, &output, &error);
    ck_assert((outcome == POLL_OK) == (error == NULL));
    command_destroy(c);
    return outcome;
}

static enum poll_outcome
run_shell(const char *script, const struct command_limits *with)
{
    const char *const argv[] = {"/bin/sh", "-c", script, "sh", temp_dir, NULL};

    return run_with(argv, with);
}

/* Waits for the process whose id stands in the file to be gone. */
static void
expect_gone(const char *name)
{
    int pid = 0;
    FILE *f = fopen(temp_path(name), "r");

    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fscanf(f, "%d", &pid), 1);
    fclose(f);
    /* Killed it is; whoever adopted it has yet to collect it. */
    for (int64_t end = clock_now().mono_ms + 2000; kill(pid, 0) == 0;) {
        char path[64];
        char state = '?';
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        FILE *stat = fopen(path, "r");
        if (stat == NULL || fscanf(stat, "%*d (%*[^)]) %c", &state) != 1 ||
            state == 'Z') {
            if (stat != NULL)
                fclose(stat);
            return;
        }
        fclose(stat);
        ck_assert_msg(clock_now().mono_ms < end, "process %d lives on", pid);
        poll(NULL, 0, 5);
    }
}

START_TEST(output_is_collected)
{
    ck_assert_int_eq(run_shell("echo out; echo noise >&2; printf more", &limits),
                     POLL_OK);
    ck_assert_str_eq(output.data, "out\nmore");
    buf_finish(&output);
}
END_TEST

START_TEST(arguments_meet_no_shell)
{
    const char *const argv[] = {"printf", "%s|%s", "$HOME `id`; x", "", NULL};

    ck_assert_int_eq(run_with(argv, &limits), POLL_OK);
    ck_assert_str_eq(output.data, "$HOME `id`; x|");
    buf_finish(&output);
}
END_TEST

START_TEST(the_child_starts_clean)
{
    int leak = open("/dev/null", O_RDONLY); /* inheritable on purpose */
    sigset_t all, old;

    ck_assert_int_ge(leak, 3);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    signal(SIGPIPE, SIG_IGN);
    enum poll_outcome outcome =
        run_shell("ls /proc/self/fd | wc -l; readlink /proc/self/fd/0;"
                  "grep -E '^Sig(Blk|Ign)' /proc/self/status",
                  &limits);
    signal(SIGPIPE, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    close(leak);
    ck_assert_int_eq(outcome, POLL_OK);
    unsigned count = 0;
    unsigned long long blocked = 1;
    unsigned long long ignored = 1;
    ck_assert_int_eq(sscanf(output.data, "%u\n/dev/null\nSigBlk: %llx\nSigIgn: %llx",
                            &count, &blocked, &ignored),
                     3);
    ck_assert_uint_eq(count, 4); /* 0, 1, 2 and that with which ls reads */
    ck_assert_uint_eq(blocked, 0);
    ck_assert_uint_eq(ignored & 0x7FFFFFFF, 0); /* libc keeps 32 and 33 for itself */
    buf_finish(&output);
}
END_TEST

START_TEST(failure_shows_the_end_of_stderr)
{
    ck_assert_int_eq(
        run_shell("i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1));"
                  "done >&2; echo 'the reason' >&2; exit 3",
                  &limits),
        POLL_BAD_RESPONSE);
    ck_assert_ptr_nonnull(strstr(error, "'/bin/sh': exit status 3"));
    ck_assert_msg(strstr(error, "line 1999 the reason'") != NULL, "%s", error);
    ck_assert_ptr_null(strstr(error, "line 1 "));
    free(error);
    ck_assert_int_eq(run_shell("kill -9 $$", &limits), POLL_BAD_RESPONSE);
    ck_assert_ptr_nonnull(strstr(error, "killed by signal 9"));
    free(error);
}
END_TEST

START_TEST(what_cannot_be_started_is_named)
{
    const char *const argv[] = {"/nonexistent/program", NULL};

    ck_assert_ptr_null(command_start(argv, &limits, 0, &error));
    ck_assert_ptr_nonnull(strstr(error, "'/nonexistent/program': cannot be started"));
    free(error);
}
END_TEST

START_TEST(too_much_output_ends_it)
{
    const struct command_limits small = {
        .timeout_ms = 5000, .grace_ms = 100, .output = 100000};
    int64_t begun = clock_now().mono_ms;

    ck_assert_int_eq(
        run_shell("trap '' TERM; while :; do echo yyyyyyyyyyyyyyyy; done", &small),
        POLL_TOO_LARGE);
    ck_assert_ptr_nonnull(strstr(error, "more than 100000 bytes"));
    free(error);
    ck_assert_int_lt(clock_now().mono_ms - begun, 2000);
    ck_assert_int_eq(run_shell("head -c 100000 /dev/zero", &small), POLL_OK);
    ck_assert_uint_eq(output.len, 100000);
    buf_finish(&output);
    ck_assert_int_eq(run_shell("head -c 100001 /dev/zero", &small), POLL_TOO_LARGE);
    free(error);
}
END_TEST

START_TEST(hanging_is_ended_with_its_children)
{
    const struct command_limits quick = {
        .timeout_ms = 200, .grace_ms = 100, .output = 1000};
    int64_t begun = clock_now().mono_ms;

    /* Parent and child both ignore TERM. */
    ck_assert_int_eq(run_shell("trap '' TERM; sleep 60 & echo $! >$1/child; echo $$ "
                               ">$1/parent; wait; wait; sleep 60",
                               &quick),
                     POLL_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(error, "did not end, expected that within 200ms"));
    free(error);
    ck_assert_int_ge(clock_now().mono_ms - begun, 300);
    ck_assert_int_lt(clock_now().mono_ms - begun, 1500);
    expect_gone("parent");
    expect_gone("child");
}
END_TEST

START_TEST(term_comes_first)
{
    const struct command_limits quick = {
        .timeout_ms = 200, .grace_ms = 5000, .output = 1000};
    int64_t begun = clock_now().mono_ms;

    ck_assert_int_eq(
        run_shell("trap 'echo tidy >$1/tidy; exit 0' TERM; sleep 60 & wait", &quick),
        POLL_TIMEOUT);
    free(error);
    ck_assert_int_lt(clock_now().mono_ms - begun, 2000);
    ck_assert_int_eq(access(temp_path("tidy"), F_OK), 0);
}
END_TEST

START_TEST(children_do_not_outlive_it)
{
    /* The child holds the pipe open; the output counts all the same. */
    ck_assert_int_eq(run_shell("sleep 60 & echo $! >$1/orphan; echo done", &limits),
                     POLL_OK);
    ck_assert_str_eq(output.data, "done\n");
    buf_finish(&output);
    expect_gone("orphan");
}
END_TEST

START_TEST(destroying_kills)
{
    const char *const argv[] = {
        "/bin/sh", "-c",     "trap '' TERM; sleep 60 & echo $! >$1/c; echo up; wait",
        "sh",      temp_dir, NULL};
    struct command *c = command_start(argv, &limits, clock_now().mono_ms, &error);
    int fds[COMMAND_FDS];

    ck_assert_uint_eq(command_fds(c, fds), 3);
    struct pollfd up = {.fd = fds[1], .events = POLLIN};
    ck_assert_int_eq(poll(&up, 1, 5000), 1);
    int64_t begun = clock_now().mono_ms;
    ck_assert_ptr_null(command_destroy(c));
    ck_assert_int_lt(clock_now().mono_ms - begun, 500);
    expect_gone("c");
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        output_is_collected,
        arguments_meet_no_shell,
        the_child_starts_clean,
        failure_shows_the_end_of_stderr,
        what_cannot_be_started_is_named,
        too_much_output_ends_it,
        hanging_is_ended_with_its_children,
        term_comes_first,
        children_do_not_outlive_it,
        destroying_kills,
    };

    temp_dir_create();
    int status = run_tests("command", tests, sizeof tests / sizeof tests[0]);
    temp_dir_remove();
    return status;
}
