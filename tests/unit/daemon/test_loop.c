/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/loop.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/clock.h"
#include "tests/unit/common/harness.h"

static struct loop *loop;
static struct loop_source *sources[3];
static int fds[3];
static int calls[3];

static void
count(void *data)
{
    eventfd_t value;
    int i = *(int *)data;

    ck_assert_int_eq(eventfd_read(fds[i], &value), 0);
    calls[i]++;
}

static int numbers[] = {0, 1, 2};

static void
begin(void)
{
    loop = loop_create();
    ck_assert_ptr_nonnull(loop);
    for (int i = 0; i < 3; i++) {
        fds[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        calls[i] = 0;
        sources[i] = loop_add(loop, fds[i], count, &numbers[i]);
        ck_assert_ptr_nonnull(sources[i]);
    }
}

static void
end(void)
{
    for (int i = 0; i < 3; i++) {
        sources[i] = loop_remove(loop, sources[i]);
        close(fds[i]);
    }
    loop = loop_destroy(loop);
}

START_TEST(what_is_readable_is_called)
{
    begin();
    ck_assert_int_eq(loop_turn(loop, 0), 0);
    ck_assert_int_eq(calls[0] + calls[1] + calls[2], 0);
    eventfd_write(fds[0], 1);
    eventfd_write(fds[2], 1);
    ck_assert_int_eq(loop_turn(loop, 0), 0);
    ck_assert_int_eq(calls[0], 1);
    ck_assert_int_eq(calls[1], 0);
    ck_assert_int_eq(calls[2], 1);
    end();
}
END_TEST

/* Removes all others, whichever is called first. */
static void
remove_others(void *data)
{
    int own = *(int *)data;

    count(data);
    for (int i = 0; i < 3; i++)
        if (i != own)
            sources[i] = loop_remove(loop, sources[i]);
}

START_TEST(a_removed_source_is_not_called_though_ready)
{
    begin();
    for (int i = 0; i < 3; i++) {
        loop_remove(loop, sources[i]);
        sources[i] = loop_add(loop, fds[i], remove_others, &numbers[i]);
        eventfd_write(fds[i], 1);
    }
    ck_assert_int_eq(loop_turn(loop, 0), 0);
    ck_assert_int_eq(calls[0] + calls[1] + calls[2], 1);
    end();
}
END_TEST

static int turns;

static void
stop_after_three(void *data)
{
    (void)data;
    if (++turns == 3)
        loop_stop(loop);
    else
        eventfd_write(fds[0], 1);
}

START_TEST(the_loop_runs_until_it_is_stopped)
{
    begin();
    turns = 0;
    eventfd_write(fds[0], 1);
    ck_assert_int_eq(loop_run(loop, stop_after_three, NULL), 0);
    ck_assert_int_eq(turns, 3);
    ck_assert_int_eq(calls[0], 3);
    end();
}
END_TEST

START_TEST(ticks_are_multiples)
{
    ck_assert_int_eq(next_tick_ms(0, 30000), 30000);
    ck_assert_int_eq(next_tick_ms(29999, 30000), 30000);
    ck_assert_int_eq(next_tick_ms(30000, 30000), 60000);
    ck_assert_int_eq(next_tick_ms(INT64_C(1796077440123), 200), INT64_C(1796077440200));
}
END_TEST

START_TEST(timers_expire)
{
    int every = timer_every_us(1000), once = timer_wall_create();

    ck_assert_int_ge(every, 0);
    ck_assert_int_eq(timer_clear(once), -EAGAIN);
    ck_assert_int_eq(timer_wall_arm(once, clock_now().wall_ms + 2), 0);
    loop = loop_create();
    struct loop_source *source =
        loop_add(loop, once, (void (*)(void *))loop_stop, loop);
    ck_assert_int_eq(loop_run(loop, NULL, NULL), 0);
    ck_assert_int_eq(timer_clear(once), 0);
    ck_assert_int_eq(timer_clear(every), 0);
    loop_remove(loop, source);
    loop_destroy(loop);
    close(every);
    close(once);
}
END_TEST

TEST_MAIN("loop", what_is_readable_is_called,
          a_removed_source_is_not_called_though_ready,
          the_loop_runs_until_it_is_stopped, ticks_are_multiples, timers_expire)
