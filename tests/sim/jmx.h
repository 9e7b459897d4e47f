/* SPDX-License-Identifier: Apache-2.0 */
/* /jmx of a RegionServer or a master: the query string in, the JSON text out, byte for
 * byte in the layout of HBase's JMXJsonServlet. */
#ifndef SIM_JMX_H
#define SIM_JMX_H

#include <stdbool.h>

#include "common/buf.h"
#include "tests/sim/quantity.h"

/* query: what follows the '?', percent-encoded. empty: the beans are gone (§ sample.h).
 * *ret_flushed: HBase sends this answer chunked, however short. */
void jmx_answer(struct buf *out, const struct subject *subject, const char *query,
                bool empty, bool *ret_flushed);

#endif
