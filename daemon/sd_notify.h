/* SPDX-License-Identifier: Apache-2.0 */
/* The service manager's notification protocol: datagrams of "NAME=value" lines to the
 * socket in $NOTIFY_SOCKET. Source: sd_notify(3), "Notes". */
#ifndef DAEMON_SD_NOTIFY_H
#define DAEMON_SD_NOTIFY_H

#include <stdint.h>

/* Sends a message; 0, also without a $NOTIFY_SOCKET, or a negative errno. */
int sd_notify_send(const char *message);
/* The same with a format; a longer message than 1 KiB is cut. */
int sd_notify_sendf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The watchdog's period from $WATCHDOG_USEC, in microseconds; 0 when there is none or
 * $WATCHDOG_PID is another process. */
uint64_t sd_watchdog_us(void);

#endif
