/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOTCTL_ANALYZE_H
#define HOTSPOTCTL_ANALYZE_H

struct invocation;

/* hotspotctl analyze FILE...; returns an exit status. */
int analyze(struct invocation *in);

#endif
