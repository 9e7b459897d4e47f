/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader of JMX sees at t: Hadoop's metrics system takes a new sample when the
 * old one is older than the cache time, and for a moment after regions opened or closed
 * no bean is there at all. */
#ifndef SIM_SAMPLE_H
#define SIM_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/sim/cluster.h"

/* A read at t: samples anew if it is time to. False while the bean list is empty. */
bool server_refresh(struct cluster *c, int64_t t, struct server *s);
/* The same for a master's beans, which never vanish. */
void master_refresh(struct cluster *c, int64_t t, struct master *m);
/* Regions opened or closed on s: its beans will vanish for a moment. */
void server_regions_changed(const struct cluster *c, int64_t t, struct server *s);
/* Adds a copy of r as it is now to the beans of s, where it stays until s restarts. */
void server_freeze(struct cluster *c, int64_t t, struct server *s, struct region *r);
void server_thaw(struct server *s);
/* Frees the samples. */
void server_forget(struct server *s);
/* Reports of all servers to the master: takes new ones if the last are old. */
void cluster_heartbeat(struct cluster *c, int64_t t);
/* Bytes that JMX shows for a region's memstore. */
uint64_t region_memstore(const struct region *r, uint64_t writes);

/* Sets an attribute of the server's beans to a fixed value; NULL value: no longer. */
void server_override(struct server *s, const char *attribute, const char *value);
/* From t on the attribute is more than the model's by `growth` thousandths a second,
 * and by what it has grown so until then; server_override() with NULL ends that. */
void server_grow(struct server *s, int64_t t, const char *attribute, uint64_t growth);
/* By how much it is more at t. */
uint64_t override_grown(const struct override *o, int64_t t);

#endif
