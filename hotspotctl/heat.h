/* SPDX-License-Identifier: Apache-2.0 */
/* Regions with their counters from texts and answers that people hand in, and the
 * region rule of analysis/ over them: by rates where a region was seen twice, else by
 * what it counted since it opened. */
#ifndef HOTSPOTCTL_HEAT_H
#define HOTSPOTCTL_HEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/sample.h"
#include "config/config.h"
#include "keys/key_list.h"

struct heat_region {
    struct region_id id;
    uint32_t table;
    uint32_t server; /* INTERN_NONE: on none that is known */
    uint32_t start_key, start_len, end_key, end_len;
    bool start_known, end_known;
    uint8_t known; /* SAMPLE_* */
    uint16_t replica;
    uint64_t counter[ACCESS_COUNT];
    int64_t time_ms;
    double rate[ACCESS_COUNT]; /* 1/s; NaN unknown */
};

struct heat;

struct heat *heat_create(void);
/* Accepts NULL; returns NULL. */
struct heat *heat_destroy(struct heat *h);

/* Adds what a listing or an answer of a RegionServer says as of time_ms. forced_ms > 0:
 * so much later than what is known of the region, whatever the times say. -EINVAL: a
 * region is seen a second time and no time has passed. */
int heat_add_listing(struct heat *h, const struct listing *listing, int64_t time_ms,
                     int64_t forced_ms);
int heat_add_poll(struct heat *h, const struct server_poll *poll, int64_t time_ms,
                  int64_t forced_ms);

enum heat_basis { HEAT_LIFETIME, HEAT_RATE };

struct heat_options {
    double threshold;
    double min_rate;   /* requests/s; of rates only */
    const char *table; /* NULL: all */
};

struct heat_hot {
    uint32_t region; /* of heat_region() */
    enum access access;
    double value, baseline, ratio, share;
};

struct heat_table {
    uint32_t table;
    uint32_t regions; /* primaries, judged */
    double value;     /* requests, or requests/s */
    double effective;
    double skew;      /* NaN below two regions */
    uint32_t hottest; /* a region; UINT32_MAX: none */
};

struct heat_result {
    enum heat_basis basis;
    struct heat_table *tables;
    size_t table_count;
    struct heat_hot *hot; /* hottest ratio first */
    size_t hot_count;
    uint32_t without_rate; /* regions of a rate basis that were seen once, or reset */
};

/* -ENOENT: no such table; -ENODATA: no region has a counter. The caller ends with
 * heat_result_finish(). */
int heat_judge(const struct heat *h, const struct heat_options *options,
               struct heat_result *ret);
void heat_result_finish(struct heat_result *r);

const struct heat_region *heat_region(const struct heat *h, uint32_t region);
size_t heat_count(const struct heat *h);
const char *heat_table_name(const struct heat *h, uint32_t table);
/* NULL: not known. */
const char *heat_server_name(const struct heat *h, const struct heat_region *r);
struct key heat_start_key(const struct heat *h, const struct heat_region *r);
struct key heat_end_key(const struct heat *h, const struct heat_region *r);

#endif
