/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the schema's types: reading one from a node of the file, its default, its
 * text, its range, its memory. A field is addressed as in the schema: start of the
 * struct plus offset; `field` below is that address. */
#ifndef CONFIG_VALUE_H
#define CONFIG_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buf.h"
#include "config/places.h"
#include "config/problems.h"
#include "config/schema.h"
#include "config/yaml.h"

/* Bounds of what one key may hold. */
enum {
    VALUE_TEXT_MAX = 4096,
    VALUE_ITEMS_MAX = 10000,
    VALUE_LABELS_MAX = 64,
    VALUE_TABLES_MAX = 1000,
};

/* Where the readers report and record; lives as long as the loading of one file. */
struct value_reader {
    struct config_problems *problems;
    struct places *places; /* may be NULL */
};

/* Puts what the node says into field, which holds a valid value of the row's type
 * before and after. -EINVAL if it was refused: then it is reported and the field
 * unchanged. */
int value_read(struct value_reader *r, const struct schema_row *row,
               const struct ynode *node, void *field);

/* value_read() for a key that the file sets; also reports what the flags ROW_NO_EFFECT
 * and ROW_UNSUPPORTED are there for. */
int value_apply(struct value_reader *r, const struct schema_row *row,
                const struct ynode *node, void *field);

/* Sets the row's default; the field is all zero bits before. */
void value_set_default(const struct schema_row *row, void *field);
/* Frees what the field owns and leaves it empty. */
void value_clear(const struct schema_row *row, void *field);
/* Appends the value in one form that is the same for equal values. */
void value_print(const struct schema_row *row, const void *field, struct buf *out);
/* False for a number outside of the row's range; true for all other types. */
bool value_in_range(const struct schema_row *row, const void *field);
bool value_is_default(const struct schema_row *row, const void *field);

/* Makes *to a copy of *from with nothing shared; what *to held is forgotten. */
void labels_copy(struct label_list *to, const struct label_list *from);

/* A number of a numeric type as in a file: "0.25", "64MiB", "30s". */
void value_print_number(enum value_type type, double v, struct buf *out);

/* For the readers of the compound types. */

/* Reports "PATH: TEXT" at the node. */
void value_problem(struct value_reader *r, const struct ynode *node, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));
/* Reports "PATH: expected EXPECTATION, found NODE" and the hint, if any. -EINVAL. */
int value_unexpected(struct value_reader *r, const struct ynode *node,
                     const char *expectation, const char *hint);
/* The same with what the row accepts as the expectation. */
int value_refuse(struct value_reader *r, const struct schema_row *row,
                 const struct ynode *node, const char *hint);
/* The text of a scalar, copied; -EINVAL (reported) if the node is none, is empty or
 * null without quotes, is too long or holds control characters. */
int value_read_text(struct value_reader *r, const struct ynode *node, char **ret_text);
/* The number of a scalar in the row's range. -EINVAL (reported) otherwise. */
int value_read_number(struct value_reader *r, const struct schema_row *row,
                      const struct ynode *node, double *ret);
/* Reports a key that no row has: "PATH: unknown key" and the nearest of the n known. */
void value_unknown_key(struct value_reader *r, const struct ynode *node,
                       const char *const *known, size_t n);

#endif
