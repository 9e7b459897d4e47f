/* SPDX-License-Identifier: Apache-2.0 */
/* Texts, switches and names out of a set. A field of TYPE_STRING owns its text. Runs on
 * the thread that loads a configuration. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/alloc.h"
#include "common/json_write.h"
#include "config/value_priv.h"

static bool
has_control_character(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            return true;
    }
    return false;
}

static bool
is_null(const struct ynode *node)
{
    return node->plain && (node->len == 0 || strcmp(node->text, "~") == 0 ||
                           strcasecmp(node->text, "null") == 0);
}

int
value_read_text(struct value_reader *r, const struct ynode *node, char **ret_text)
{
    if (node->kind != YNODE_SCALAR)
        return value_unexpected(r, node, "a text", NULL);
    if (is_null(node))
        return value_unexpected(r, node, "a text",
                                node->len > 0 ? "leave the key out for its default"
                                              : NULL);
    if (node->len > VALUE_TEXT_MAX) {
        value_problem(r, node, "the text is longer than %d bytes", VALUE_TEXT_MAX);
        return -EINVAL;
    }
    if (has_control_character(node->text, node->len)) {
        value_problem(r, node, "the text must be one line without control characters");
        return -EINVAL;
    }
    *ret_text = xmemdup0(node->text, node->len);
    return 0;
}

int
string_read(struct value_reader *r, const struct schema_row *row,
            const struct ynode *node, void *field)
{
    char **value = field;
    char *text;

    int rc = value_read_text(r, node, &text);
    if (rc < 0)
        return rc;
    if (text[0] == '\0' && (row->flags & ROW_REQUIRED)) {
        free(text);
        value_problem(r, node, "must not be empty");
        return -EINVAL;
    }
    free(*value);
    *value = text;
    if (text[0] == '\0') {
        free(text);
        *value = NULL;
    }
    return 0;
}

void
string_print(const struct schema_row *row, const void *field, struct buf *out)
{
    struct json_writer w;
    char *const *value = field;

    (void)row;
    json_init(&w, out);
    json_string(&w, *value);
}

void
string_clear(void *field)
{
    char **value = field;
    free(*value);
    *value = NULL;
}

/* Other people's words for the two values, for the hint. */
static const struct {
    const char *text;
    bool value;
    bool accepted;
} bool_words[] = {
    {"true", true, true}, {"false", false, true},   {"on", true, true},
    {"off", false, true}, {"yes", true, false},     {"no", false, false},
    {"y", true, false},   {"n", false, false},      {"1", true, false},
    {"0", false, false},  {"enabled", true, false}, {"disabled", false, false},
};

int
bool_read(struct value_reader *r, const struct schema_row *row,
          const struct ynode *node, void *field)
{
    const char *hint = NULL;

    if (node->kind != YNODE_SCALAR)
        return value_refuse(r, row, node, NULL);
    for (size_t i = 0; i < sizeof bool_words / sizeof *bool_words; i++) {
        if (bool_words[i].accepted && node->plain &&
            strcmp(node->text, bool_words[i].text) == 0) {
            *(bool *)field = bool_words[i].value;
            return 0;
        }
        if (strcasecmp(node->text, bool_words[i].text) == 0)
            hint = bool_words[i].value ? "write on or true, without quotes"
                                       : "write off or false, without quotes";
    }
    return value_refuse(r, row, node, hint);
}

void
bool_print(const struct schema_row *row, const void *field, struct buf *out)
{
    (void)row;
    buf_adds(out, *(const bool *)field ? "on" : "off");
}

int
enum_read(struct value_reader *r, const struct schema_row *row,
          const struct ynode *node, void *field)
{
    for (unsigned i = 0; node->kind == YNODE_SCALAR && i < row->name_count; i++) {
        if (strlen(row->names[i]) == node->len &&
            memcmp(node->text, row->names[i], node->len) == 0) {
            *(int *)field = (int)i;
            return 0;
        }
    }
    return value_refuse(r, row, node, NULL);
}

void
enum_print(const struct schema_row *row, const void *field, struct buf *out)
{
    int value = *(const int *)field;

    if (value >= 0 && (unsigned)value < row->name_count)
        buf_adds(out, row->names[value]);
    else
        buf_addf(out, "%d", value);
}

bool
enum_in_range(const struct schema_row *row, const void *field)
{
    int value = *(const int *)field;
    return value >= 0 && (unsigned)value < row->name_count;
}
