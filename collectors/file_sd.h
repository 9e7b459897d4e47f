/* SPDX-License-Identifier: Apache-2.0 */
/* Prometheus' service discovery format, as files and as HTTP answers: an array of
 * {"targets": ["host:port", ...], "labels": {...}}. Labels are not for us.
 * Format: Prometheus configuration, file_sd_config and http_sd_config. */
#ifndef COLLECTORS_FILE_SD_H
#define COLLECTORS_FILE_SD_H

#include <stddef.h>

enum {
    FILE_SD_BYTES_MAX = 4 * 1024 * 1024,
    FILE_SD_TARGETS_MAX = 10000,
};

/* A list of owned strings. */
struct url_list {
    char **items;
    size_t count;
    size_t cap;
};
/* Takes ownership of url. */
void url_list_add(struct url_list *l, char *url);
void url_list_finish(struct url_list *l);

/* text must have a NUL at text[len]. 0 and *ret_urls (address_parse() form; caller ends
 * with url_list_finish()), or -EINVAL, -E2BIG with a line in *ret_error (what, where,
 * expected; without the file's name; caller frees). The list is taken whole or not at
 * all. */
int file_sd_parse(const char *text, size_t len, struct url_list *ret_urls,
                  char **ret_error);

#endif
