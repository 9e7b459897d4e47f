/* SPDX-License-Identifier: Apache-2.0 */
/* A struct command owns the child (until it is reaped), its pidfd and both pipes. The
 * child is reaped only after its group was killed: until then its process id, and with
 * it the group's, cannot belong to anybody else. Collector thread only. */
#include "collectors/command.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/error_text.h"
#include "common/alloc.h"
#include "common/parse.h"

enum {
    STDERR_KEPT = 4096,
    PIECE = 65536,
    PIECES_A_STEP = 32, /* so that a flood leaves time for others */
    PIPE_SIZE = 1024 * 1024,
    WATCH_MS = 50, /* without a pidfd */
    REAP_MS = 1000,
};

enum stage {
    STAGE_RUNNING,
    STAGE_ENDING, /* TERM was sent */
    STAGE_KILLED, /* KILL was sent */
    STAGE_OVER,
};

struct command {
    char *name; /* argv[0] */
    struct command_limits limits;
    pid_t pid;
    int pid_fd;    /* -1: not available */
    int output_fd; /* -1: at its end */
    int error_fd;
    struct buf output;
    char errors[STDERR_KEPT]; /* the last of standard error */
    size_t errors_len;
    enum stage stage;
    int64_t deadline_ms; /* of the stage */
    int64_t stepped_ms;  /* the last step */
    bool timed_out;
    bool too_large;
    siginfo_t exit;
    char piece[PIECE];
};

static int
spawn(const char *const *argv, int output_fd, int error_fd, pid_t *ret_pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;

    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                              POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output_fd, 1);
    posix_spawn_file_actions_adddup2(&actions, error_fd, 2);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    int r = posix_spawnp(ret_pid, argv[0], &actions, &attributes, (char *const *)argv,
                         environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return -r;
}

/* A pipe with ends above 2, so that dup2() in the child never meets itself. */
static int
make_pipe(int ret_fds[2])
{
    int low[2];
    int r = 0;

    if (pipe2(low, O_CLOEXEC) < 0)
        return -errno;
    ret_fds[0] = fcntl(low[0], F_DUPFD_CLOEXEC, 3);
    ret_fds[1] = fcntl(low[1], F_DUPFD_CLOEXEC, 3);
    if (ret_fds[0] < 0 || ret_fds[1] < 0) {
        r = -errno;
        for (int i = 0; i < 2; i++) {
            if (ret_fds[i] >= 0)
                close(ret_fds[i]);
        }
    } else {
        fcntl(ret_fds[0], F_SETFL, O_NONBLOCK);
    }
    close(low[0]);
    close(low[1]);
    return r;
}

static void
close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Starts the child between two pipes; on failure all is closed. */
static int
launch(struct command *c, const char *const *argv)
{
    int output[2];
    int errors[2];
    int r = make_pipe(output);

    if (r < 0)
        return r;
    r = make_pipe(errors);
    if (r < 0) {
        close(output[0]);
        close(output[1]);
        return r;
    }
    fcntl(output[0], F_SETPIPE_SZ, PIPE_SIZE); /* fewer turns; may be refused */
    r = spawn(argv, output[1], errors[1], &c->pid);
    close(output[1]);
    close(errors[1]);
    c->output_fd = output[0];
    c->error_fd = errors[0];
    if (r < 0) {
        close_fd(&c->output_fd);
        close_fd(&c->error_fd);
        return r;
    }
    c->pid_fd = (int)syscall(SYS_pidfd_open, c->pid, 0);
    return 0;
}

struct command *
command_start(const char *const *argv, const struct command_limits *limits,
              int64_t now_ms, char **ret_error)
{
    struct command *c = xcalloc(1, sizeof *c);
    int r = launch(c, argv);

    if (r < 0) {
        *ret_error = error_text("%s: cannot be started: %s, expected a program",
                                quoted(argv[0]).text, strerror(-r));
        free(c);
        return NULL;
    }
    c->name = xstrdup(argv[0]);
    c->limits = *limits;
    c->deadline_ms = now_ms + limits->timeout_ms;
    c->stepped_ms = now_ms;
    buf_init(&c->output, limits->output);
    return c;
}

/* Kills what is left of the group, then lets go of the child. One that the kernel does
 * not let die (a hanging file system) is left to init after a second. */
static void
reap(struct command *c)
{
    struct pollfd ended = {.fd = c->pid_fd, .events = POLLIN};

    kill(-c->pid, SIGKILL);
    if (c->pid_fd >= 0)
        (void)poll(&ended, 1, REAP_MS);
    while (waitpid(c->pid, NULL, c->pid_fd >= 0 ? WNOHANG : 0) < 0 && errno == EINTR)
        ;
    c->stage = STAGE_OVER;
}

struct command *
command_destroy(struct command *c)
{
    if (c == NULL)
        return NULL;
    if (c->stage != STAGE_OVER)
        reap(c);
    close_fd(&c->pid_fd);
    close_fd(&c->output_fd);
    close_fd(&c->error_fd);
    buf_finish(&c->output);
    free(c->name);
    free(c);
    return NULL;
}

unsigned
command_fds(const struct command *c, int fds[static COMMAND_FDS])
{
    const int all[COMMAND_FDS] = {c->pid_fd, c->output_fd, c->error_fd};
    unsigned n = 0;

    for (unsigned i = 0; i < COMMAND_FDS; i++) {
        if (all[i] >= 0)
            fds[n++] = all[i];
    }
    return n;
}

int64_t
command_next_ms(const struct command *c)
{
    int64_t watch_ms = c->stepped_ms + WATCH_MS;

    return c->pid_fd < 0 && watch_ms < c->deadline_ms ? watch_ms : c->deadline_ms;
}

/* Keeps the last STDERR_KEPT bytes. */
static void
keep_errors(struct command *c, const char *data, size_t len)
{
    if (len >= STDERR_KEPT) {
        memcpy(c->errors, data + len - STDERR_KEPT, STDERR_KEPT);
        c->errors_len = STDERR_KEPT;
        return;
    }
    if (len > STDERR_KEPT - c->errors_len) {
        size_t drop = len - (STDERR_KEPT - c->errors_len);
        memmove(c->errors, c->errors + drop, c->errors_len - drop);
        c->errors_len -= drop;
    }
    memcpy(c->errors + c->errors_len, data, len);
    c->errors_len += len;
}

static void
drain(struct command *c, int *fd, bool output)
{
    for (int i = 0; *fd >= 0 && i < PIECES_A_STEP; i++) {
        ssize_t n = read(*fd, c->piece, sizeof c->piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            close_fd(fd);
            return;
        }
        if (!output)
            keep_errors(c, c->piece, (size_t)n);
        else
            buf_add(&c->output, c->piece, (size_t)n);
        if (output && c->output.failed) {
            c->too_large = true;
            close_fd(fd); /* and whoever writes on gets a SIGPIPE */
        }
    }
}

/* What is still in the pipes after the end; an escaped grandchild that goes on writing
 * is cut off by the limit. */
static void
drain_rest(struct command *c)
{
    uint64_t left = (c->limits.output + STDERR_KEPT) / PIECE + 16;

    for (; left > 0 && c->output_fd >= 0 && !c->too_large; left--) {
        size_t before = c->output.len;
        drain(c, &c->output_fd, true);
        if (c->output.len == before)
            break;
    }
    drain(c, &c->error_fd, false);
    close_fd(&c->output_fd);
    close_fd(&c->error_fd);
}

static void
send_signal(struct command *c, enum stage stage, int64_t now_ms)
{
    kill(-c->pid, stage == STAGE_ENDING ? SIGTERM : SIGKILL);
    c->stage = stage;
    c->deadline_ms = now_ms + c->limits.grace_ms;
}

static bool
child_has_ended(struct command *c)
{
    siginfo_t info = {0};

    /* WNOWAIT: looks only; reap() comes after the group was killed. */
    if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
        info.si_pid == 0)
        return false;
    c->exit = info;
    return true;
}

bool
command_step(struct command *c, int64_t now_ms)
{
    if (c->stage == STAGE_OVER)
        return true;
    c->stepped_ms = now_ms;
    drain(c, &c->output_fd, true);
    drain(c, &c->error_fd, false);
    if (child_has_ended(c)) {
        reap(c);
        drain_rest(c);
        return true;
    }
    if (c->stage == STAGE_RUNNING && now_ms >= c->deadline_ms)
        c->timed_out = true;
    if (c->stage == STAGE_RUNNING && (c->timed_out || c->too_large))
        send_signal(c, STAGE_ENDING, now_ms);
    else if (c->stage != STAGE_RUNNING && now_ms >= c->deadline_ms)
        send_signal(c, STAGE_KILLED, now_ms);
    return false;
}

/* As much of the end of standard error as fits, on one line: the end says why. */
static void
quote_errors(struct command *c, char out[static LOG_QUOTE_SIZE])
{
    size_t start;
    size_t width = 0;

    while (c->errors_len > 0 && isspace((unsigned char)c->errors[c->errors_len - 1]))
        c->errors_len--;
    for (start = c->errors_len; start > 0; start--) {
        char *at = &c->errors[start - 1];
        if (*at == '\n')
            *at = ' ';
        width += (unsigned char)*at < ' ' || *at == '\'' || *at == '\\' ||
                         (unsigned char)*at >= 0x7F
                     ? 4
                     : 1;
        if (width > LOG_QUOTE_SIZE - 8) /* the quotes and "..." */
            break;
    }
    log_quote(c->errors + start, c->errors_len - start, out);
}

static char *
exit_text(struct command *c)
{
    char tail[LOG_QUOTE_SIZE];

    quote_errors(c, tail);
    if (c->exit.si_code == CLD_EXITED)
        return error_text("%s: exit status %d, expected 0; standard error ends with %s",
                          quoted(c->name).text, c->exit.si_status, tail);
    return error_text("%s: killed by signal %d, expected exit status 0; standard error "
                      "ends with %s",
                      quoted(c->name).text, c->exit.si_status, tail);
}

enum poll_outcome
command_result(struct command *c, struct buf *ret_output, char **ret_error)
{
    char limit[DURATION_TEXT_SIZE];

    assert(c->stage == STAGE_OVER);
    if (c->too_large) {
        *ret_error =
            error_text("%s: printed more than %zu bytes, expected less; it was "
                       "ended",
                       quoted(c->name).text, c->limits.output);
        return POLL_TOO_LARGE;
    }
    if (c->timed_out) {
        *ret_error = error_text(
            "%s: did not end, expected that within %s; it was ended",
            quoted(c->name).text, duration_text(c->limits.timeout_ms, limit));
        return POLL_TIMEOUT;
    }
    if (c->exit.si_code != CLD_EXITED || c->exit.si_status != 0) {
        *ret_error = exit_text(c);
        return POLL_BAD_RESPONSE;
    }
    *ret_output = c->output;
    buf_init(&c->output, 0);
    return POLL_OK;
}
