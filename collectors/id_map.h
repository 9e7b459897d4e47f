/* SPDX-License-Identifier: Apache-2.0 */
/* Region ids to row numbers, for the readers of one answer. Keyed by a seed, so that an
 * answer cannot choose ids that collide. */
#ifndef COLLECTORS_ID_MAP_H
#define COLLECTORS_ID_MAP_H

#include <stdint.h>

#include "common/region_id.h"

struct id_map;

struct id_map *id_map_create(void);
/* Accepts NULL; returns NULL. */
struct id_map *id_map_destroy(struct id_map *map);
/* Forgets all ids. */
void id_map_clear(struct id_map *map);
/* The number of the id: that of its first call, or `number` if the id is new. */
uint32_t id_map_add(struct id_map *map, struct region_id id, uint32_t number);
/* The number of the id; UINT32_MAX if it is not in the map. */
uint32_t id_map_find(const struct id_map *map, struct region_id id);

#endif
