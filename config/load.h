/* SPDX-License-Identifier: Apache-2.0 */
/* From YAML text to a struct config: reads, applies the schema table and its defaults,
 * checks ranges and what depends on several keys. All problems are found in one go. */
#ifndef CONFIG_LOAD_H
#define CONFIG_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"

/* One finding. line and column are 1-based; 0 when the finding is about no place. */
struct config_problem {
    bool warning; /* the configuration can be used all the same */
    unsigned line;
    unsigned column;
    char *text; /* "detection.threshold: expected a number above 1, found 'x'" */
};

struct config_problems {
    struct config_problem *items;
    size_t count;
    size_t errors; /* items that are not warnings */
};

/* Every value at its default (no file). The caller frees with config_destroy(). */
struct config *config_create_default(void);
/* Accepts NULL; returns NULL. */
struct config *config_destroy(struct config *config);

/* Reads YAML text of len bytes. NULL if there was an error; *ret_problems holds errors
 * and warnings either way (the caller ends with config_problems_finish()). */
struct config *config_load_text(const char *text, size_t len,
                                struct config_problems *ret_problems);
/* The same for a file of at most 1 MiB; not being able to read it is a problem, too. */
struct config *config_load_file(const char *path, struct config_problems *ret_problems);

void config_problems_finish(struct config_problems *problems);

/* The checks over the whole configuration that config_load_*() ends with; to be called
 * again after flags or positional masters have changed fields. Appends to *problems;
 * returns the number of errors added. */
size_t config_check(const struct config *config, struct config_problems *problems);

/* The annotated default file (config/hotspotd.yaml is this text; a test compares). The
 * caller frees. */
char *config_default_yaml(void);

/* 64-bit FNV-1a over the effective values as 16 hex digits and NUL, for configHash. */
void config_hash(const struct config *config, char ret_text[static 17]);

#endif
