/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that go out: bodies as they travel (chunked, compressed), kept while the sample
 * they show holds, and the header lines before them. */
#ifndef SIM_REPLY_H
#define SIM_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "tests/sim/pages.h"

/* A page ready to send. Shared by reference count. */
struct body {
    unsigned refs;
    int status;
    const char *type;
    bool dated, chunked, gzip;
    char *wire; /* with chunk headers, if chunked */
    size_t wire_len;
    size_t plain_len; /* Content-Length where not chunked */
};

/* Takes the page's body over. */
struct body *body_create(struct page *page, bool gzip);
void body_release(struct body *body);

/* Prepared bodies of one server or master. */
enum { PREPARED_MAX = 8 };
struct prepared {
    char *target;
    bool gzip;
    uint64_t version; /* page_version() */
    int64_t made;     /* monotonic ms */
    struct body *body;
};
struct store {
    struct prepared entries[PREPARED_MAX];
    unsigned next;
};

/* The body for this request, built if need be; the caller has a reference. */
struct body *store_body(struct store *store, const struct request *request, bool gzip,
                        int64_t now);
/* Frees what was made before `oldest`. */
void store_sweep(struct store *store, int64_t oldest);

/* Header lines as the version sends them, with the empty line. */
void head_print(struct buf *out, const struct cluster *c, const struct body *body,
                int64_t wall_ms, bool close);

#endif
