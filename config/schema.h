/* SPDX-License-Identifier: Apache-2.0 */
/* The table of configuration keys. Parsing, defaults, range checks, the annotated
 * default file, the hash and freeing all walk it; a key is added or changed here alone.
 */
#ifndef CONFIG_SCHEMA_H
#define CONFIG_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buf.h"
#include "config/config.h"

enum value_type {
    TYPE_SECTION,  /* a mapping of further keys; no field */
    TYPE_STRING,   /* char *, NULL when unset or "" */
    TYPE_BOOL,     /* bool */
    TYPE_UINT,     /* unsigned */
    TYPE_PORT,     /* uint16_t */
    TYPE_DOUBLE,   /* double */
    TYPE_DURATION, /* int64_t, ms */
    TYPE_SIZE,     /* uint64_t, bytes */
    TYPE_ENUM,     /* int or an enum */
    TYPE_LIST,     /* struct string_list */
    TYPE_ACCESS,   /* double[ACCESS_COUNT]: one number, or { read, write, total } */
    TYPE_LABELS,   /* struct label_list */
    TYPE_TABLES,   /* detection.tables and its count */
    TYPE_COUNT
};

enum {
    ROW_ABOVE_MIN = 1 << 0,   /* min itself is not allowed */
    ROW_OVERRIDE = 1 << 1,    /* an entry of detection.tables may set it, too */
    ROW_ENTRY_ONLY = 1 << 2,  /* only an entry of detection.tables may set it */
    ROW_REQUIRED = 1 << 3,    /* an entry must set it */
    ROW_ENTRY_FIELD = 1 << 4, /* offset is in struct table_rule, not in struct config */
    ROW_NOT_IN_FILE = 1 << 5, /* set by a flag of the program, not by a key */
    /* For keys whose feature is not part of this version. */
    ROW_NO_EFFECT = 1 << 6,   /* a warning when the key is set */
    ROW_UNSUPPORTED = 1 << 7, /* an error when it is set to anything but its default */
};

/* What a row with one of these flags leaves out of the default file. */
enum { ROW_LATER = ROW_NO_EFFECT | ROW_UNSUPPORTED };

struct schema_row {
    const char *path; /* "poll.interval"; of an entry: "detection.tables.severity" */
    enum value_type type;
    unsigned flags;
    size_t offset; /* in struct config, but see ROW_ENTRY_FIELD */
    /* The default as in a file (of a list: its one item); NULL: unset. */
    const char *fallback;
    /* For the default file: in a comment when there is no fallback, and in the example
     * of an entry. */
    const char *example;
    double min; /* of numbers, durations (ms) and sizes (bytes); inclusive */
    double max; /* inclusive; INFINITY: none */
    const char *const *names; /* of TYPE_ENUM */
    unsigned name_count;
    const char *help; /* one line for the default file, without full stop */
};

extern const struct schema_row schema[];
extern const size_t schema_count;

/* "interval" of "poll.interval". */
const char *schema_key(const struct schema_row *row);

/* The row of a key within a section (NULL: the top level) of a file, or NULL. */
const struct schema_row *schema_find(const char *section, const char *key);
/* The row of a key of an entry of detection.tables, or NULL. */
const struct schema_row *schema_find_entry(const char *key);

/* The keys of a section or, with entry, of an entry of detection.tables. Returns how
 * many were written to keys, at most SCHEMA_KEYS_MAX. */
enum { SCHEMA_KEYS_MAX = 64 };
size_t schema_keys(const char *section, const char *keys[static SCHEMA_KEYS_MAX]);
size_t schema_entry_keys(const char *keys[static SCHEMA_KEYS_MAX]);

/* True if the row has a field in struct config. */
bool schema_in_config(const struct schema_row *row);
/* True if the row has a field in struct table_rule, and where. */
bool schema_in_entry(const struct schema_row *row);
size_t schema_entry_offset(const struct schema_row *row);

/* Appends what the row accepts: "a number above 1", "one of rest, others, all, median".
 */
void schema_expectation(const struct schema_row *row, struct buf *out);
/* In short, for a comment: "above 1", "rest | others | all | median"; nothing for types
 * without limits. */
void schema_limits(const struct schema_row *row, struct buf *out);
/* The expectation for one number of a TYPE_ACCESS. */
void schema_expect_number(const struct schema_row *row, struct buf *out);

#endif
