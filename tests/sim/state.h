/* SPDX-License-Identifier: Apache-2.0 */
/* /sim/state: the simulator's own page, not HBase's. The exact counters of this moment,
 * without the JMX cache, for tests to compare with. */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "common/buf.h"
#include "tests/sim/cluster.h"

#define STATE_PAGE "/sim/state"

/* {"t":ms,"wall":ms,"startWall":ms,"speed":1.0,"version","cluster","clusterId",
 *  "servers":[{"number","server","url","up","fault","regions","frozen"}],
 *  "masters":[{"number","master","url","up","active","fault"}],
 *  "regions":[{"table","region","name","startKey","endKey","replica","server",
 *              "serverNumber","read","write","readRate","writeRate","sizeBytes"}]}
 * Keys and names in HBase's binary escape; server null while nobody serves the region.
 */
void state_print(struct buf *out, struct cluster *c, int64_t t);

#endif
