/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots and views made by hand, for tests of what is made of them. A fixture that
 * cannot be built ends the test. */
#ifndef TESTS_UNIT_DAEMON_FIXTURE_H
#define TESTS_UNIT_DAEMON_FIXTURE_H

#include <cjson/cJSON.h>

#include "analysis/snapshot.h"
#include "daemon/exports.h"
#include "daemon/http_answer.h"
#include "daemon/metrics.h"
#include "daemon/view.h"

/* 2026-11-30 22:24:00 UTC */
#define FIXTURE_NOW_MS INT64_C(1796077440000)

struct fixture {
    struct snapshot *s; /* one reference, the fixture's */
};

/* An empty snapshot at FIXTURE_NOW_MS. */
void fixture_begin(struct fixture *f);
/* Indexes; tables must be added in the order of their names. */
uint32_t fixture_table(struct fixture *f, const char *name);
uint32_t fixture_server(struct fixture *f, const char *text);
/* Keys are strings; NULL: unknown. Number: makes the encoded name. */
uint32_t fixture_region(struct fixture *f, uint32_t table, uint32_t server,
                        unsigned number, const char *start, const char *end,
                        double read, double write);
/* A firing alert of the region (or its table, its server). */
struct alert *fixture_alert(struct fixture *f, enum alert_kind kind, uint32_t region);
/* Sums over tables, servers and regions. */
void fixture_sum(struct fixture *f);

/* Two servers, tables "iot:events" and "orders" with 10 regions, one of which is hot.
 */
void fixture_orders(struct fixture *f);

/* A view with default configuration around the snapshot, metrics rendered. */
struct view *fixture_view(struct fixture *f);
void fixture_finish(struct fixture *f);

/* Runs a request against the view and gives the answer. */
struct fixture_answer {
    unsigned status;
    char *type;
    char *body;
    size_t len;
    const char *allow;
    bool gzip;
    char etag[80];
    cJSON *json; /* NULL if the body is none */
    cJSON *data; /* its "data" */
};
struct fixture_answer fixture_get(struct view *view, const char *method,
                                  const char *uri);
/* The same with headers. */
struct fixture_headers {
    const char *accept_encoding;
    const char *if_none_match;
};
struct fixture_answer fixture_ask(struct view *view, const char *method,
                                  const char *uri, struct fixture_headers headers);
void fixture_answer_finish(struct fixture_answer *a);

/* Data member by dotted path with indexes ("alerts.0.labels.table"); fails the test
 * when it is missing. */
const cJSON *fixture_at(const cJSON *data, const char *path);
double fixture_number(const cJSON *data, const char *path);
const char *fixture_string(const cJSON *data, const char *path);

#endif
