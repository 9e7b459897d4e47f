/* SPDX-License-Identifier: Apache-2.0 */
/* Split points as text: read from files and lists, written for HBase and for people. */
#ifndef HOTSPOTCTL_POINTS_TEXT_H
#define HOTSPOTCTL_POINTS_TEXT_H

#include <stdbool.h>

#include "common/buf.h"
#include "keys/key_list.h"

/* One point a line, in HBase's escape (what create ... SPLITS_FILE takes); blanks
 * around a line do not count, as with HBase. -EINVAL or -errno with a line in *error:
 * also for points that do not ascend. */
int points_read_file(const char *path, struct key_list *ret, struct buf *error);
/* "a,b\x2C,c": the same, parted by commas. */
int points_read_list(const char *text, struct key_list *ret, struct buf *error);

/* HBase's SPLITS_FILE. */
void points_write_file(const struct key_list *points, struct buf *out);
/* A create command for the HBase shell. */
void points_write_shell(const struct key_list *points, const char *table,
                        const char *family, struct buf *out);

/* May HBase call a table so ("ns:name")? A column family so? */
bool create_name_valid(const char *name);
bool create_family_valid(const char *name);

#endif
