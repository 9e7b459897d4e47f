/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that a RegionServer's handlers are working on: /rs-status?format=json&
 * filter=rpc. A region shows calls when the scenario says which ("rows", "calls"). */
#ifndef SIM_CALLS_H
#define SIM_CALLS_H

#include "common/buf.h"
#include "tests/sim/cluster.h"

/* One call for each region with rows, on one of its rows, and those that its draw says:
 * a Scan, Get or Mutate, after the region's rates, or a Multi of gets or puts. An idle
 * server gives "[]". */
void calls_print(struct buf *out, struct cluster *c, const struct server *s, int64_t t);

#endif
