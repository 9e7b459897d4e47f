/* SPDX-License-Identifier: Apache-2.0 */
/* Notifications to the service manager. No state but the environment; main thread. */
#include "daemon/sd_notify.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/parse.h"

int
sd_notify_send(const char *message)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = getenv("NOTIFY_SOCKET");
    int r = 0;

    if (path == NULL || path[0] == '\0')
        return 0;
    size_t len = strlen(path);
    if ((path[0] != '/' && path[0] != '@') || len >= sizeof address.sun_path)
        return -EINVAL;
    memcpy(address.sun_path, path, len);
    if (path[0] == '@') /* abstract */
        address.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
    if (sendto(fd, message, strlen(message), MSG_NOSIGNAL, (struct sockaddr *)&address,
               size) < 0)
        r = -errno;
    (void)close(fd);
    return r;
}

int
sd_notify_sendf(const char *format, ...)
{
    char message[1024];
    va_list args;

    va_start(args, format);
    int len = vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return len < 0 ? -EINVAL : sd_notify_send(message);
}

uint64_t
sd_watchdog_us(void)
{
    const char *text = getenv("WATCHDOG_USEC");
    const char *pid = getenv("WATCHDOG_PID");
    uint64_t us, expected;

    if (text == NULL || parse_u64(text, strlen(text), &us) < 0)
        return 0;
    if (pid != NULL &&
        (parse_u64(pid, strlen(pid), &expected) < 0 || expected != (uint64_t)getpid()))
        return 0;
    return us;
}
