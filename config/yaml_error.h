/* SPDX-License-Identifier: Apache-2.0 */
/* Wording of what libyaml finds wrong with a text. */
#ifndef CONFIG_YAML_ERROR_H
#define CONFIG_YAML_ERROR_H

#include <stddef.h>
#include <yaml.h>

#include "config/problems.h"

/* Adds the error at which the parser stopped on text: libyaml's problem with its place,
 * its context with its place, and a hint where the usual cause is known. */
void yaml_error_report(const yaml_parser_t *parser, const char *text, size_t len,
                       struct config_problems *problems);

/* 0, or -EINVAL with the first byte that is not UTF-8 reported. */
int yaml_error_check_utf8(const char *text, size_t len,
                          struct config_problems *problems);

#endif
