/* SPDX-License-Identifier: Apache-2.0 */
/* Between value.c, which picks the functions of a type, and the files that hold them.
 * Each reads into, prints or frees a field of its type; see config/value.h. */
#ifndef CONFIG_VALUE_PRIV_H
#define CONFIG_VALUE_PRIV_H

#include "config/value.h"

typedef int value_read_fn(struct value_reader *r, const struct schema_row *row,
                          const struct ynode *node, void *field);
typedef void value_print_fn(const struct schema_row *row, const void *field,
                            struct buf *out);
typedef void value_clear_fn(void *field);

/* value_text.c */
value_read_fn string_read;
value_print_fn string_print;
value_clear_fn string_clear;
value_read_fn bool_read;
value_print_fn bool_print;
value_read_fn enum_read;
value_print_fn enum_print;
bool enum_in_range(const struct schema_row *row, const void *field);

/* value_number.c */
value_read_fn number_read;
value_print_fn number_print;
bool number_in_range(const struct schema_row *row, const void *field);
value_read_fn access_read;
value_print_fn access_print;
bool access_in_range(const struct schema_row *row, const void *field);

/* value_list.c */
value_read_fn list_read;
value_print_fn list_print;
value_clear_fn list_clear;
value_read_fn labels_read;
value_print_fn labels_print;
value_clear_fn labels_clear;

/* tables.c */
value_read_fn tables_read;
value_print_fn tables_print;
value_clear_fn tables_clear;

#endif
