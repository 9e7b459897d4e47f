/* SPDX-License-Identifier: Apache-2.0 */
/* Lines for the HBase shell, which is Ruby: names in single quotes, keys in double
 * quotes with HBase's binary escape, so that what is pasted means exactly these bytes.
 * Names come from outside: one that could not be pasted safely (control characters, not
 * UTF-8) gives no command at all (NULL). The caller frees. */
#ifndef ANALYSIS_SHELL_H
#define ANALYSIS_SHELL_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buf.h"
#include "common/region_id.h"

/* Appends 'name', with ' and \ escaped; false, and nothing, for an unsafe name. */
bool shell_name(struct buf *out, const char *name);
/* Appends "key" of any bytes. */
void shell_key(struct buf *out, const void *key, size_t len);

/* split 'table', "key" */
char *shell_split(const char *table, const void *key, size_t len);
/* split 'encoded': HBase finds the middle of the bytes. */
char *shell_split_region(struct region_id id);
/* move 'encoded', 'host,port,startcode' */
char *shell_move(struct region_id id, const char *server);
/* merge_region 'encoded', 'encoded' */
char *shell_merge(struct region_id a, struct region_id b);
/* alter 'table', MAX_FILESIZE => 'bytes' */
char *shell_max_file_size(const char *table, long long bytes);
/* create 'table_salted', 'cf', SPLITS => [...]: `parts` regions by a first byte of two
 * hexadecimal digits (2 to 256). */
char *shell_create_salted(const char *table, unsigned parts);
/* balancer */
char *shell_balancer(void);

#endif
