/* SPDX-License-Identifier: Apache-2.0 */
/* The web pages and JSON answers of a server or master: a request's path in, status,
 * type and body out. */
#ifndef SIM_PAGES_H
#define SIM_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/buf.h"
#include "tests/sim/quantity.h"

struct page {
    int status;
    const char *type; /* Content-Type */
    bool dated;       /* with the headers that HBase's own servlets set */
    bool flushed;     /* chunked, however short */
    struct buf body;
};

/* What a site is asked for. */
struct request {
    struct cluster *cluster;
    struct server *server; /* or NULL */
    struct master *master; /* or NULL */
    int64_t t;
    const char *target; /* "/jmx?qry=..." */
};

/* Brings the samples up to date and tells which state of the cluster the page would
 * show: the same number means the same page. 0: never the same. */
uint64_t page_version(const struct request *request);
/* Fills *ret_page; the caller finishes its body. */
void page_make(const struct request *request, struct page *ret_page);
/* HTML error page in Jetty's layout. */
void page_error(struct page *page, int status, const char *path);
const char *status_text(int status);
/* /sim/state is the simulator's own: misbehaviour leaves it alone. */
bool page_is_own(const char *target);

#endif
