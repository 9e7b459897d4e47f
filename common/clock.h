/* SPDX-License-Identifier: Apache-2.0 */
/* The two clocks. A moment is passed around as a value; only the threads' outermost
 * functions call clock_now(). Monotonic time is for intervals, wall time for people. */
#ifndef COMMON_CLOCK_H
#define COMMON_CLOCK_H

#include <stddef.h>
#include <stdint.h>

struct moment {
    int64_t mono_ms; /* CLOCK_MONOTONIC, ms */
    int64_t wall_ms; /* Unix time, ms */
};

struct moment clock_now(void);

/* "2026-11-30T22:10:24.123Z" (RFC 3339, UTC) and its NUL. */
enum { RFC3339_SIZE = 32 };
/* Writes wall_ms into text and returns it; years outside 1970-9999 are clamped. */
const char *rfc3339_format(int64_t wall_ms, char text[static RFC3339_SIZE]);

#endif
