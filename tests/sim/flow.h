/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that grows by a rate, exactly: the integral of a piecewise constant rate in
 * millionths of a request, 64 bits wide. A rate may climb along a ramp (steps of 100
 * ms) and may carry noise (a new factor each second, the same for the same seed). */
#ifndef SIM_FLOW_H
#define SIM_FLOW_H

#include <stdint.h>

/* Rates are in thousandths of a request per second. */
#define FLOW_RATE_MAX (UINT64_C(1000000000) * 1000)

struct flow {
    uint64_t count;     /* whole requests up to `at` */
    uint64_t rest;      /* what is below one request, in millionths */
    int64_t at;         /* scenario ms */
    uint64_t rate;      /* now, or where the ramp ends */
    uint64_t ramp_from; /* rate where the ramp began */
    int64_t ramp_start; /* scenario ms; equal to ramp_end: no ramp */
    int64_t ramp_end;
    uint64_t seed; /* of the noise */
};

/* Counts up to t (scenario ms); does nothing if t is not later. noise: thousandths, up
 * to 1000. */
void flow_advance(struct flow *f, int64_t t, unsigned noise);
/* Counts up to t, then goes on with `rate`; ends a ramp. */
void flow_set_rate(struct flow *f, int64_t t, unsigned noise, uint64_t rate);
/* Counts up to t, then climbs or falls from one rate to the other in `length` ms. */
void flow_ramp(struct flow *f, int64_t t, unsigned noise, uint64_t from, uint64_t to,
               int64_t length);
/* Starts again at zero at t, with the same rate. */
void flow_restart(struct flow *f, int64_t t);
/* The rate at t, with ramp and noise. */
uint64_t flow_rate(const struct flow *f, int64_t t, unsigned noise);

#endif
