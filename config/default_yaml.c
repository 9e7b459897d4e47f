/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the annotated default file from the schema: each key with its default and a
 * comment; keys that are unset by default as an example in a comment. Keys of features
 * that this version does not have are left out. The caller owns the text. */
#include "config/load.h"

#include <assert.h>
#include <string.h>

#include "common/buf.h"
#include "config/schema.h"

enum { WIDTH = 88 };

static const char introduction[] =
    "# SPDX-License-Identifier: Apache-2.0\n"
    "# Configuration of hotspotd. Every key may be left out; what stands here are the\n"
    "# defaults; keys in comments are not set. Check a file with\n"
    "#   hotspotd --check-config --config.file=FILE\n"
    "# Durations are written 300ms, 30s, 1.5m, 2h, 7d; sizes 512KiB, 64MiB; switches "
    "on,\n"
    "# off, true, false. Numbers and switches stand without quotes.\n";

/* Adds words as comment lines of at most WIDTH columns. */
static void
add_comment(struct buf *out, const char *indent, const char *text)
{
    size_t column = 0; /* 0: no line begun */

    while (*text) {
        size_t word = strcspn(text, " ");
        if (column == 0 || column + 1 + word > WIDTH) {
            buf_addf(out, "%s%s#", column == 0 ? "" : "\n", indent);
            column = strlen(indent) + 1;
        }
        buf_addc(out, ' ');
        buf_add(out, text, word);
        column += 1 + word;
        text += word + strspn(text + word, " ");
    }
    buf_addc(out, '\n');
}

static void
add_help(struct buf *out, const char *indent, const struct schema_row *row)
{
    struct buf text, limits;

    buf_init(&text, 0);
    buf_init(&limits, 0);
    buf_adds(&text, row->help);
    schema_limits(row, &limits);
    if (limits.len > 0)
        buf_addf(&text, " (%s)", limits.data);
    buf_addc(&text, '.');
    add_comment(out, indent, text.data);
    buf_finish(&text);
    buf_finish(&limits);
}

static bool
needs_quotes(const char *text)
{
    static const char usual[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-./";
    return text[strspn(text, usual)] != '\0';
}

static void
add_fallback(struct buf *out, const struct schema_row *row)
{
    const char *quote = needs_quotes(row->fallback) ? "\"" : "";
    const char *open = row->type == TYPE_LIST ? "[ " : "";
    const char *close = row->type == TYPE_LIST ? " ]" : "";

    buf_addf(out, "%s: %s%s%s%s%s\n", schema_key(row), open, quote, row->fallback,
             quote, close);
}

/* An example of an entry with all keys that one may set, as a comment. */
static void
add_tables(struct buf *out, const char *indent)
{
    buf_addf(out, "%s# tables:\n", indent);
    for (unsigned required = ROW_REQUIRED;; required = 0) {
        for (size_t i = 0; i < schema_count; i++) {
            const struct schema_row *row = &schema[i];
            if (!schema_in_entry(row) || (row->flags & ROW_LATER) ||
                (row->flags & ROW_REQUIRED) != required)
                continue;
            buf_addf(out, "%s#   %s %s: %s\n", indent, required ? "-" : " ",
                     schema_key(row), row->example ? row->example : row->fallback);
        }
        if (required == 0)
            break;
    }
}

static void
add_row(struct buf *out, const char *indent, const struct schema_row *row)
{
    add_help(out, indent, row);
    if (row->type == TYPE_TABLES) {
        add_tables(out, indent);
    } else if (row->fallback) {
        buf_adds(out, indent);
        add_fallback(out, row);
    } else {
        buf_addf(out, "%s# %s: %s\n", indent, schema_key(row), row->example);
    }
}

static bool
is_shown(const struct schema_row *row)
{
    return row->type != TYPE_SECTION &&
           !(row->flags & (ROW_NOT_IN_FILE | ROW_ENTRY_ONLY | ROW_LATER));
}

/* True if the section at row i has a key to show. */
static bool
has_content(size_t i)
{
    for (size_t j = i + 1; j < schema_count && schema[j].type != TYPE_SECTION; j++) {
        if (is_shown(&schema[j]))
            return true;
    }
    return false;
}

char *
config_default_yaml(void)
{
    struct buf out;

    buf_init(&out, 0);
    buf_adds(&out, introduction);
    for (size_t i = 0; i < schema_count; i++) {
        const struct schema_row *row = &schema[i];
        if (row->type == TYPE_SECTION && has_content(i)) {
            buf_addc(&out, '\n');
            add_help(&out, "", row);
            buf_addf(&out, "%s:\n", row->path);
        } else if (is_shown(row)) {
            const char *indent = strchr(row->path, '.') ? "  " : "";
            if (indent[0] == '\0' || schema[i - 1].type != TYPE_SECTION)
                buf_addc(&out, '\n');
            add_row(&out, indent, row);
        }
    }
    assert(!out.failed);
    return buf_steal(&out, NULL);
}
