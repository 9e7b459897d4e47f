/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of each route: lists for the route table, and indexes by which the
 * handlers read the values. */
#ifndef DAEMON_HTTP_PARAMS_H
#define DAEMON_HTTP_PARAMS_H

#include "daemon/query.h"

extern const struct param no_params[];

enum { ALERTS_STATE, ALERTS_TABLE, ALERTS_LIMIT };
extern const struct param alerts_params[];

enum { HISTORY_SINCE, HISTORY_LIMIT };
extern const struct param history_params[];

enum { REGIONS_TABLE, REGIONS_SERVER, REGIONS_SORT, REGIONS_LIMIT, REGIONS_OFFSET };
extern const struct param regions_params[];

enum { SERIES_FROM, SERIES_TO, SERIES_STEP };
extern const struct param series_params[];

enum {
    HEATMAP_TABLE,
    HEATMAP_FROM,
    HEATMAP_TO,
    HEATMAP_COLUMNS,
    HEATMAP_ROWS,
    HEATMAP_ACCESS
};
extern const struct param heatmap_params[];

enum { DEFAULT_LIMIT = 100 };

#endif
