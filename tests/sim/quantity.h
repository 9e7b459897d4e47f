/* SPDX-License-Identifier: Apache-2.0 */
/* The quantities that a bean's attributes are made of, by name (see shape.h), printed
 * as HBase's /jmx prints them. */
#ifndef SIM_QUANTITY_H
#define SIM_QUANTITY_H

#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "tests/sim/cluster.h"

/* Whose beans: a server's or a master's. */
struct subject {
    const struct cluster *cluster;
    const struct server *server; /* or NULL */
    const struct master *master; /* or NULL */
};

/* Appends the value; the name must be one that the shapes use for this subject. */
void quantity_print(struct buf *out, const struct subject *subject, const char *name,
                    size_t len);

/* A double as Java prints it: "0.0", "97.5", "1.073741824E9". Finite. */
void print_java_double(struct buf *out, double v);
/* Faster than buf_addf(). */
void print_u64(struct buf *out, uint64_t v);
/* A JSON string as Gson writes it with HTML escaping: also < > & = ' as \u00XX; bytes
 * that are not UTF-8 become U+FFFD. */
void print_gson_string(struct buf *out, const char *s, size_t len);

#endif
