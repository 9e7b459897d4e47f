/* SPDX-License-Identifier: Apache-2.0 */
/* What heat.c and heat_judge.c share. */
#ifndef HOTSPOTCTL_HEAT_PRIV_H
#define HOTSPOTCTL_HEAT_PRIV_H

#include "common/buf.h"
#include "hotspotctl/heat.h"

struct id_map;
struct intern;

struct heat {
    struct id_map *ids;
    struct intern *tables;
    struct intern *servers;
    struct heat_region *regions;
    size_t count;
    size_t capacity;
    struct buf keys;
};

#endif
