/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/sd_notify.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/unit/common/harness.h"

/* A bound datagram socket; name[0] == '@' makes it abstract. */
static int
bind_socket(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t len = strlen(name);

    memcpy(address.sun_path, name, len);
    if (name[0] == '@')
        address.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&address,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)),
                     0);
    return fd;
}

static void
expect(int fd, const char *text)
{
    char got[2048];
    ssize_t len = recv(fd, got, sizeof got - 1, 0);

    ck_assert_int_ge(len, 0);
    got[len] = '\0';
    ck_assert_str_eq(got, text);
}

START_TEST(messages_arrive)
{
    char path[64], abstract[64];

    snprintf(path, sizeof path, "/tmp/notify-test-%d", getpid());
    snprintf(abstract, sizeof abstract, "@notify-test-%d", getpid());
    const char *names[] = {path, abstract};
    for (int i = 0; i < 2; i++) {
        int fd = bind_socket(names[i]);
        setenv("NOTIFY_SOCKET", names[i], 1);
        ck_assert_int_eq(sd_notify_send("READY=1"), 0);
        expect(fd, "READY=1");
        ck_assert_int_eq(sd_notify_sendf("STATUS=%d servers", 3), 0);
        expect(fd, "STATUS=3 servers");
        close(fd);
    }
    ck_assert_int_eq(sd_notify_send("x"), -ECONNREFUSED);
    unlink(path);
    setenv("NOTIFY_SOCKET", path, 1);
    ck_assert_int_eq(sd_notify_send("x"), -ENOENT);
}
END_TEST

START_TEST(without_a_manager_nothing_happens)
{
    char longer[300];

    unsetenv("NOTIFY_SOCKET");
    ck_assert_int_eq(sd_notify_send("READY=1"), 0);
    setenv("NOTIFY_SOCKET", "", 1);
    ck_assert_int_eq(sd_notify_send("READY=1"), 0);
    setenv("NOTIFY_SOCKET", "relative", 1);
    ck_assert_int_eq(sd_notify_send("READY=1"), -EINVAL);
    memset(longer, '/', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    setenv("NOTIFY_SOCKET", longer, 1);
    ck_assert_int_eq(sd_notify_send("READY=1"), -EINVAL);
}
END_TEST

START_TEST(the_watchdog_is_for_this_process)
{
    char pid[32];

    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
    ck_assert_uint_eq(sd_watchdog_us(), 0);
    setenv("WATCHDOG_USEC", "30000000", 1);
    ck_assert_uint_eq(sd_watchdog_us(), 30000000);
    snprintf(pid, sizeof pid, "%d", getpid());
    setenv("WATCHDOG_PID", pid, 1);
    ck_assert_uint_eq(sd_watchdog_us(), 30000000);
    setenv("WATCHDOG_PID", "1", 1);
    ck_assert_uint_eq(sd_watchdog_us(), 0);
    setenv("WATCHDOG_PID", pid, 1);
    setenv("WATCHDOG_USEC", "x", 1);
    ck_assert_uint_eq(sd_watchdog_us(), 0);
}
END_TEST

TEST_MAIN("sd_notify", messages_arrive, without_a_manager_nothing_happens,
          the_watchdog_is_for_this_process)
