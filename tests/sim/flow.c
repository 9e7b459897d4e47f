/* SPDX-License-Identifier: Apache-2.0 */
/* Exact counters. Owns nothing; a flow lives in the caller's memory and is touched by
 * the simulator's only thread. A rate of one thousandth of a request per second times
 * one millisecond is one millionth of a request: the unit of `rest`. */
#include "tests/sim/flow.h"

#include <assert.h>
#include <stdbool.h>

__extension__ typedef unsigned __int128 u128;

enum {
    RAMP_STEP_MS = 100,
    NOISE_STEP_MS = 1000,
    MILLIONTHS = 1000000,
};

/* splitmix64's output function (Steele, Lea, Flood 2014). */
static uint64_t
mixed(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* The ramp's rate in the step that holds t: that of the middle of the step. */
static uint64_t
ramp_rate(const struct flow *f, int64_t t)
{
    int64_t length = f->ramp_end - f->ramp_start;
    int64_t step = (t - f->ramp_start) / RAMP_STEP_MS;
    int64_t middle = step * RAMP_STEP_MS + RAMP_STEP_MS / 2;
    int64_t climb = (int64_t)f->rate - (int64_t)f->ramp_from;

    if (middle > length)
        middle = length;
    return (uint64_t)((int64_t)f->ramp_from +
                      (int64_t)((__extension__(__int128) climb) * middle / length));
}

uint64_t
flow_rate(const struct flow *f, int64_t t, unsigned noise)
{
    bool ramping = t >= f->ramp_start && t < f->ramp_end;
    uint64_t rate = ramping ? ramp_rate(f, t) : f->rate;
    uint64_t draw;

    if (noise == 0)
        return rate;
    draw = mixed(f->seed ^ mixed((uint64_t)(t / NOISE_STEP_MS))) % (2 * noise + 1);
    return rate * (1000 - noise + draw) / 1000;
}

/* Until when the rate at f->at stays the same. */
static int64_t
step_end(const struct flow *f, int64_t t, unsigned noise)
{
    int64_t end = t;
    int64_t next;

    if (noise > 0) {
        next = (f->at / NOISE_STEP_MS + 1) * NOISE_STEP_MS;
        end = next < end ? next : end;
    }
    if (f->at >= f->ramp_start && f->at < f->ramp_end) {
        next =
            f->ramp_start + ((f->at - f->ramp_start) / RAMP_STEP_MS + 1) * RAMP_STEP_MS;
        next = next < f->ramp_end ? next : f->ramp_end;
        end = next < end ? next : end;
    }
    return end;
}

void
flow_advance(struct flow *f, int64_t t, unsigned noise)
{
    assert(noise <= 1000);
    while (f->at < t) {
        int64_t end = step_end(f, t, noise);
        u128 grown =
            (u128)flow_rate(f, f->at, noise) * (uint64_t)(end - f->at) + f->rest;

        f->count += (uint64_t)(grown / MILLIONTHS);
        f->rest = (uint64_t)(grown % MILLIONTHS);
        f->at = end;
    }
}

void
flow_set_rate(struct flow *f, int64_t t, unsigned noise, uint64_t rate)
{
    flow_advance(f, t, noise);
    f->rate = rate;
    f->ramp_start = f->ramp_end = 0;
}

void
flow_ramp(struct flow *f, int64_t t, unsigned noise, uint64_t from, uint64_t to,
          int64_t length)
{
    flow_advance(f, t, noise);
    f->ramp_from = from;
    f->rate = to;
    f->ramp_start = t;
    f->ramp_end = t + length;
}

void
flow_restart(struct flow *f, int64_t t)
{
    f->count = 0;
    f->rest = 0;
    if (f->at < t)
        f->at = t;
}
