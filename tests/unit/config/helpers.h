/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of config/ share: reading files of tests/data/config and writing a
 * list of findings as text. Whoever calls frees what is returned. */
#ifndef TESTS_UNIT_CONFIG_HELPERS_H
#define TESTS_UNIT_CONFIG_HELPERS_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>

#include "config/load.h"

/* "$TEST_DATA/config/NAME". */
char *data_path(const char *name);
/* "$SOURCE_ROOT/NAME". */
char *source_path(const char *name);
/* The whole file, NUL-terminated; fails the test if it cannot be read. */
char *read_file(const char *path, size_t *ret_len);
/* Names of the files in "$TEST_DATA/config/FOLDER" that end in .yaml, sorted, in a list
 * that ends with NULL. */
char **yaml_files(const char *folder);
void free_names(char **names);

/* One line a finding: "LINE:COLUMN: error: TEXT" or "... warning: ...". */
char *problems_text(const struct config_problems *problems);
/* Loads a text that must be good and returns the configuration. */
struct config *load_good(const char *text);
/* Loads a text that must be bad and returns its findings as text. */
char *load_bad(const char *text);
/* Fails with both texts if they differ. With CONFIG_TEST_UPDATE set in the environment
 * the file is written instead, to be looked over and committed. */
void assert_same_as_file(const char *path, const char *have);
/* Runs the suite's one case with its tests; the result is main's. */
int run_tests(const char *name, const TTest *const *tests, size_t n);

#endif
