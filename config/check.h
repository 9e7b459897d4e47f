/* SPDX-License-Identifier: Apache-2.0 */
/* The checks over the whole configuration, with places: config_check() of config/load.h
 * is the same without. */
#ifndef CONFIG_CHECK_H
#define CONFIG_CHECK_H

#include <stddef.h>

#include "config/config.h"
#include "config/places.h"
#include "config/problems.h"

struct check {
    const struct config *config;
    const struct places *places; /* NULL: no file */
    struct config_problems *problems;
    size_t errors;
};

/* Appends what is wrong to problems; returns the number of errors found. What depends
 * on a key that was refused while reading is left out. */
size_t check_all(const struct config *config, const struct places *places,
                 struct config_problems *problems);

/* One finding, at the place of `what` or, if the file does not set that, of `or_what`.
 */
void check_report(struct check *c, bool warning, const void *what, const void *or_what,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* check_lists.c: what stands in lists and texts: addresses, globs, labels. */
void check_addresses(struct check *c);
void check_globs(struct check *c);
void check_labels(struct check *c);

#endif
