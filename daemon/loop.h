/* SPDX-License-Identifier: Apache-2.0 */
/* The main thread's event loop on epoll(7): a handler for each descriptor. Sources may
 * be added and removed from within handlers; a removed one is not called any more, also
 * if it was ready. Also the timers that the loop waits for. One thread. */
#ifndef DAEMON_LOOP_H
#define DAEMON_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct loop;
struct loop_source;

/* NULL with errno. */
struct loop *loop_create(void);
/* All sources must have been removed (asserted). Accepts NULL; returns NULL. */
struct loop *loop_destroy(struct loop *loop);

/* Calls handler whenever fd is readable. The descriptor stays the caller's. NULL with
 * errno. */
struct loop_source *loop_add(struct loop *loop, int fd, void (*handler)(void *data),
                             void *data);
/* Accepts NULL; returns NULL. The descriptor is not closed. */
struct loop_source *loop_remove(struct loop *loop, struct loop_source *source);

/* One turn: waits for at most timeout_ms (-1: without limit) and calls what is ready. 0
 * or -errno. */
int loop_turn(struct loop *loop, int timeout_ms);
/* Turns until loop_stop(); `turned` (may be NULL) is called after each complete turn.
 */
int loop_run(struct loop *loop, void (*turned)(void *data), void *data);
void loop_stop(struct loop *loop);

/* ---- timers: descriptors that become readable ---- */

/* Every interval_us from now on, monotonic. A descriptor or -errno. */
int timer_every_us(uint64_t interval_us);
/* Once at a wall-clock time; also readable when the wall clock is set. */
int timer_wall_create(void);
int timer_wall_arm(int fd, int64_t wall_ms);
/* Clears a timer. 0: it has expired; -ECANCELED: the wall clock was set; -EAGAIN:
 * neither. */
int timer_clear(int fd);

/* The next multiple of interval_ms after wall_ms: two daemons on one cluster tick
 * together. */
int64_t next_tick_ms(int64_t wall_ms, int64_t interval_ms);

#endif
