/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and printing time. Holds no state; any thread may call it. */
#include "common/clock.h"

#include <stdio.h>
#include <time.h>

/* 9999-12-31T23:59:59.999Z, the last moment with a year of four digits. */
static const int64_t last_ms = 253402300799999;

static int64_t
read_ms(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

struct moment
clock_now(void)
{
    return (struct moment){
        .mono_ms = read_ms(CLOCK_MONOTONIC),
        .wall_ms = read_ms(CLOCK_REALTIME),
    };
}

const char *
rfc3339_format(int64_t wall_ms, char text[static RFC3339_SIZE])
{
    if (wall_ms < 0)
        wall_ms = 0;
    if (wall_ms > last_ms)
        wall_ms = last_ms;

    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    size_t len = strftime(text, RFC3339_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(text + len, RFC3339_SIZE - len, ".%03dZ", (int)(wall_ms % 1000));
    return text;
}
